"""A set of worlds' servers, a process each, and in every one as many sessions as its quota admits.

The shape of PROVE's training: many servers at once, every rollout with sessions of its own (section 3.1). Calls go over
MCP to the session that a world and an id of the caller's name. Sessions are kept on disk: a server that dies is started
again at the same address, says so in the log, and its sessions go on; a call in flight is repeated and applied once.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import subprocess
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any

from toolgym.sandbox.kit.errors import BadInput, ConfigurationError, InfrastructureError, unknown
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.tool import ToolResult
from toolgym.sandbox.remote.mcp_manager import TOOLGYM
from toolgym.sandbox.remote.sandbox import RemoteSandbox
from toolgym.sandbox.remote.session import RemoteSession

SESSIONS = 64
PATIENCE = 30.0
START_SECONDS = 300.0
"""At most so long a server that lives is waited for until it first answers: many start at once, on a busy machine."""
SHORT_LIFE, SHORT_LIVES = 5.0, 3
"""A server that ends within so many seconds, so many times in a row, is given up."""

logger = logging.getLogger(__name__)


class ServerSet:
    """Servers by world; a context manager that leaves no process and, without a folder of the caller's, no file behind.

    Its methods wait, and may be called by several threads at once.

    Args:
        worlds: one server is started for each.
        sessions: open sessions that each server admits; one more is refused.
        folder: where sessions are kept; a new set with the same folder starts with the old ones' files.
        patience: seconds for which a request is repeated while its server is full or is being started again.
    """

    def __init__(
        self,
        worlds: Sequence[str],
        *,
        sessions: int = SESSIONS,
        folder: Path | None = None,
        patience: float = PATIENCE,
    ) -> None:
        if not worlds or len(set(worlds)) < len(worlds):
            raise BadInput(f"A set has a server for each world, named once; got {list(worlds)}.")
        self._temporary = tempfile.TemporaryDirectory(prefix="toolgym-servers-") if folder is None else None
        place = Path(self._temporary.name) if self._temporary else Path(str(folder))
        self._servers = {world: Server(world, place / world, sessions, patience) for world in worlds}
        self._sessions: dict[tuple[str, str], tuple[RemoteSession, dict[str, Any]]] = {}

    @property
    def restarts(self) -> dict[str, int]:
        """How often each world's server was started again because it had died."""
        return {world: server.restarts for world, server in self._servers.items()}

    @property
    def processes(self) -> dict[str, int]:
        """The process id of each world's server."""
        return {world: server.process.pid for world, server in self._servers.items()}

    def open(self, world: str, session_id: str, **asked: Any) -> RemoteSession:
        """Open a session and know it by an id of one's own.

        Args:
            world: whose server it is opened on.
            session_id: not in use in this world.
            asked: data, task, seed, now, ttl, as `RemoteSandbox.open` takes them.

        Raises:
            BadInput: no such world, data or task, or the id is in use.
            InfrastructureError: the server has as many sessions as it admits, or does not start.
        """
        server = self._server(world)
        if (world, session_id) in self._sessions:
            raise BadInput(f"{world} has a session {session_id!r} already; end it, reset it or choose another id.")
        session = server.sandbox.open(world, **asked)
        self._sessions[world, session_id] = (session, asked)
        return session

    def session(self, world: str, session_id: str) -> RemoteSession:
        """The session itself: its log, diff, digest, forks and verdict."""
        return self._opened(world, session_id)[0]

    def call(self, world: str, session_id: str, tool: str, arguments: Mapping[str, Json]) -> ToolResult:
        """Call a tool of a session; refusals are results."""
        session = self.session(world, session_id)
        self._server(world).require_alive()
        try:
            return session.call(tool, arguments)
        except InfrastructureError:
            self._server(world).require_alive()  # given up in the meantime
            raise

    def reset(self, world: str, session_id: str) -> RemoteSession:
        """The same session from its beginning."""
        _, asked = self._opened(world, session_id)
        self.end(world, session_id)
        return self.open(world, session_id, **asked)

    def end(self, world: str, session_id: str) -> None:
        """End a session and forget its id."""
        session, _ = self._opened(world, session_id)
        del self._sessions[world, session_id]
        session.close()

    def restart(self, world: str) -> None:
        """End all sessions of a world and start its server afresh."""
        server = self._server(world)
        for name, session_id in list(self._sessions):
            if name == world:
                with contextlib.suppress(InfrastructureError):  # one that was given up has none any more
                    self.end(world, session_id)
        server.stop()
        server.start()

    def close(self) -> None:
        """Stop all servers."""
        self._sessions.clear()
        _at_once(Server.stop, self._servers.values())
        if self._temporary is not None:
            self._temporary.cleanup()

    def __enter__(self) -> ServerSet:
        try:
            _at_once(Server.start, self._servers.values())
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _server(self, world: str) -> Server:
        if world not in self._servers:
            raise unknown("world", world, self._servers)
        return self._servers[world]

    def _opened(self, world: str, session_id: str) -> tuple[RemoteSession, dict[str, Any]]:
        self._server(world)
        if (world, session_id) not in self._sessions:
            raise BadInput(f"{world} has no open session {session_id!r}; open it first.")
        return self._sessions[world, session_id]


class Server:
    """One `toolgym serve` under care: started, watched, and started again where it ends unasked.

    Attributes:
        process: the present one.
        restarts: how often it was started again.
        sandbox: a client of it.
    """

    process: subprocess.Popen[str]
    sandbox: RemoteSandbox

    def __init__(self, world: str, folder: Path, sessions: int, patience: float) -> None:
        self.world, self.restarts = world, 0
        self._folder, self._quota, self._patience, self._port = folder, sessions, patience, 0
        self._stopping = threading.Event()
        self._said = deque[str](maxlen=5)
        self._failure = ""
        self._watcher: threading.Thread | None = None

    def start(self) -> None:
        """Start it and wait until it answers (InfrastructureError where it does not)."""
        self._stopping.clear()
        self._failure = ""
        self._folder.mkdir(parents=True, exist_ok=True)
        try:
            address = self._launch()
            self._port = int(address.rpartition(":")[2])
            token = os.environ.get("TOOLGYM_TOKEN")
            self.sandbox = RemoteSandbox(address, token=token, protocol="mcp", patience=self._patience)
            self._await_answer()
        except InfrastructureError:
            self.process.stderr.close()  # type: ignore[union-attr]  # there is nothing to watch
            raise
        self._watcher = threading.Thread(target=self._watch, name=f"toolgym-{self.world}", daemon=True)
        self._watcher.start()

    def stop(self) -> None:
        """End the process; stopping twice is harmless."""
        self._stopping.set()
        if self._watcher is None:
            return
        self.sandbox.close()
        self.process.terminate()
        self._watcher.join()
        self._watcher = None

    def _await_answer(self) -> None:
        """Wait while the process lives (InfrastructureError where it ends, or lives for too long without an answer)."""
        give_up = time.monotonic() + START_SECONDS
        while True:
            try:
                return self.sandbox.check()
            except ConfigurationError as error:
                if self.process.poll() is None and time.monotonic() < give_up:
                    continue
                self.sandbox.close()
                self.process.kill()
                raise self._not_started(str(error)) from None

    def require_alive(self) -> None:
        """Say why there is no server any more, where it was given up."""
        if self._failure:
            raise InfrastructureError("session", self._failure)

    def _launch(self) -> str:
        """Start a process; the address that it names. Raises InfrastructureError where it ends without one."""
        command = [*TOOLGYM, "serve", "--port", str(self._port), "--max-sessions", str(self._quota)]
        command += ["--data-dir", str(self._folder), "--worlds", self.world]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, encoding="utf-8")
        for line in self._lines():
            if found := re.search(r"serves on (http://[^\s]+)", line):
                return found[1]
        raise self._not_started()

    def _not_started(self, problem: str = "") -> InfrastructureError:
        """What to say of a process that ends without having served, once it has ended."""
        for _ in self._lines():
            continue
        self.process.wait()
        words = f"{problem} {self._last_words()}".strip()
        return InfrastructureError("session", f"The server of {self.world} does not start: {words}")

    def _watch(self) -> None:
        """Start it again whenever it ends, until it was stopped or keeps ending at once."""
        short_lives = 0
        while True:
            began = time.monotonic()
            for line in self._lines():  # unread it would fill the pipe and block
                logger.warning("%s: %s", self.world, line.rstrip())
            status = self.process.wait()
            self.process.stderr.close()  # type: ignore[union-attr]
            if self._stopping.is_set():
                return
            short_lives = short_lives + 1 if time.monotonic() - began < SHORT_LIFE else 0
            ended = f"The server of {self.world} ended unasked (status {status})"
            if short_lives == SHORT_LIVES:
                self._failure = f"{ended}, {SHORT_LIVES} times in a row, and is given up: {self._last_words()}"
                logger.error("%s", self._failure)
                return
            self.restarts += 1
            with contextlib.suppress(InfrastructureError):  # it ended again, which the next round finds
                self._launch()
                logger.warning("%s and was started again; its sessions go on.", ended)
            if self._stopping.is_set():  # in the meantime
                self.process.terminate()

    def _lines(self) -> Iterator[str]:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self._said.append(line.strip())
            yield line

    def _last_words(self) -> str:
        return " ".join(self._said) or "it said nothing"


def _at_once(do: Callable[[Server], None], servers: Collection[Server]) -> None:
    with ThreadPoolExecutor(max_workers=len(servers)) as pool:
        list(pool.map(do, servers))
