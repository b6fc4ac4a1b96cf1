"""Everything one worker has: settings, store, sessions, flusher, metrics, and the way a call takes through them."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import signal
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.message import Json, Party
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.tool import Failure
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.server.events import Done
from toolgym.sandbox.server.http_errors import unapproved
from toolgym.sandbox.server.malloc_trim import MallocTrim
from toolgym.sandbox.server.metrics import Metrics
from toolgym.sandbox.server.quota import Bounds
from toolgym.sandbox.server.readiness import Readiness
from toolgym.sandbox.server.sessions import ResidentSession, Sessions
from toolgym.sandbox.server.settings import ServeSettings
from toolgym.sandbox.server.store import Store
from toolgym.sandbox.server.storefile import NAME, StorageError
from toolgym.sandbox.server.wal_sync import WalSync

SWEEP_SECONDS = 2.0
logger = logging.getLogger("toolgym.server")


class Service:
    """One worker's parts."""

    def __init__(self, settings: ServeSettings) -> None:
        self.settings = settings
        self.store = Store(settings.data_dir / NAME)
        bounds = Bounds(
            sessions=settings.max_sessions,
            calls=settings.max_calls,
            calls_per_second=settings.calls_per_second,
            result=settings.max_result,
            ttl=settings.ttl,
        )
        self.sessions = Sessions(self.store, bounds)
        self.metrics = Metrics()
        self.domains = installed_domains(settings.worlds)
        self.readiness = Readiness(self.store)
        self._malloc_trim = MallocTrim()
        self._loading = asyncio.Lock()
        self._prepared: set[tuple[str, str | None, str | None, str | None]] = set()
        self._wal_sync = WalSync(self.store)
        self._power_safe = settings.durability == "power"

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Do the maintenance while the server runs."""
        self._wal_sync.start()
        threading.Thread(target=self.store.examine, name="examiner", daemon=True).start()
        keeper = asyncio.create_task(self._maintain())
        try:
            with self.readiness.announcing():
                yield
        finally:
            keeper.cancel()
            self._wal_sync.stop()
            self.sessions.shut()
            self.store.close()

    async def call(
        self,
        identifier: str,
        name: str,
        arguments: dict[str, Json] | str,
        *,
        by: Party = "agent",
        key: str | None = None,
        domain: str | None = None,
        refusal: Failure | None = None,
        approved: bool = False,
    ) -> Done:
        """Call a tool and keep the call; see `Sessions.call`.

        Raises:
            Refused: 403 for a change that nobody was shown (`approved` is false) where each is.
        """
        if self.settings.consent == "call" and by == "agent" and not approved:
            tool = self.sessions.get(identifier).session.tools_of(by).get(name)
            if tool is not None and tool.confirm:
                raise unapproved()
        done = self.sessions.call(identifier, name, arguments, by=by, key=key, domain=domain, refusal=refusal)
        self.metrics.call("ok" if done.result.ok else "refused")
        if self._power_safe:
            await self._wal_sync.flushed()
        return done

    async def prepare(
        self, domain: Domain, data: str | None, task: str | None = None, split: str | None = None
    ) -> None:
        """Load what a request needs and takes seconds the first time, while others are answered.

        Raises:
            BadInput: there is no such task or split.
        """
        wanted = (domain.name, data, task, split)
        if wanted in self._prepared:
            return

        def load() -> None:
            domain.template(data or "own")
            if task is not None:
                domain.template(domain.task(task, data).data)
            if split is not None:
                domain.tasks(split, data)

        async with self._loading:
            await asyncio.to_thread(load)
        self._prepared.add(wanted)

    async def tasks(self, domain: Domain, data: str | None, split: str) -> Sequence[Task]:
        """The tasks of a split, of the world's newest data where none are named.

        Raises:
            BadInput: there is no such split.
        """
        await self.prepare(domain, data, split=split)
        return domain.tasks(split, data)

    async def settle(self) -> None:
        """Wait until what was written survives what the settings promise."""
        if self._power_safe:
            await self._wal_sync.flushed()

    async def keep(self, live: ResidentSession) -> ResidentSession:
        """A new session, once it survives what the settings promise."""
        await self.settle()
        return live

    async def _maintain(self) -> None:
        parent = multiprocessing.parent_process()
        while True:
            if parent is not None and not parent.is_alive():  # killed; nobody would ever stop this worker
                signal.raise_signal(signal.SIGTERM)
            self.readiness.look()
            try:
                self.sessions.sweep(self.settings.keep_logs)
                self.metrics.open_sessions.set(self.store.count_open(self.sessions.clock()))
                self.metrics.resident.set(len(self.sessions))
                with suppress(OSError):  # a file may go while it is looked at
                    self.metrics.measure(self.store.path)
                self._malloc_trim.tidy(len(self.sessions))
            except StorageError as error:
                logger.error("housekeeping failed", extra={"fields": {"reason": error.message}})
            await asyncio.sleep(SWEEP_SECONDS)


def installed_domains(asked: Sequence[str] = ()) -> dict[str, Domain]:
    """The domains that load, of those that are asked for or of all; one that does not is logged and left out."""
    found = {}
    for name in asked or registry.names("domains"):
        try:
            found[name] = get_domain(name)
        except Exception as error:  # the boundary of other people's packages: one broken world must not stop the rest
            logger.error("a domain cannot be loaded", extra={"fields": {"domain": name, "reason": str(error)}})
    return found
