"""Spreads jobs over a Ray cluster: a machine or a process that dies costs some time, and nothing else.

Every processor of the cluster gets a worker, a process of its own, and jobs are handed out one by one. A job whose
worker dies is done again by another, and of each only the first result that arrives counts: nothing is lost or doubled.
What a job comes to must follow from the worker's arguments and the job alone.
"""

from __future__ import annotations

import os
import socket
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import ray
from ray.exceptions import AuthenticationError, RayError, RayTaskError

from toolgym.sandbox.kit.errors import BadInput, ConfigurationError, ToolgymError
from toolgym.sandbox.runtime.env_passthrough import forwarded

Job = TypeVar("Job")

DEATHS = 3
"""Workers that a job may cost; then it is taken to be what kills them."""
STILLBORN = 5
"""Workers in a row that may die before they begin; then the cluster cannot run them."""
STARTS = 4
"""Attempts to start a cluster here."""
POLL_SECONDS = 1.0
HEAD_SECONDS = 10.0
"""How long the head may be silent. Ray itself waits a minute and then ends the process."""


def start(address: str, **options: Any) -> None:
    """`ray.init`; where a cluster is started, which Ray gives up after 30 s on a busy machine, some times over."""
    for left in reversed(range(STARTS)):
        try:
            ray.init(address, **options)
        except Exception as error:  # Ray raises nothing narrower
            if not left or "timed out during startup" not in str(error):
                raise
        else:
            return


@dataclass(frozen=True, slots=True)
class Lost:
    """In place of a result: the job's workers died, one after another; `why` is what Ray says of the last."""

    why: str


class HeadLost(ToolgymError):
    """The cluster's head is gone, and with it what was in hand there."""


@contextmanager
def joined() -> Iterator[None]:
    """Connects to the cluster that RAY_ADDRESS names, or to one started here; stays in one that was joined before.

    Raises:
        BadInput: there is no cluster at that address, or it does not let this process in.
        HeadLost: the head died in the meantime.
    """
    if ray.is_initialized():
        yield
        return
    _join()
    head_lives = True
    try:
        yield
    except HeadLost:
        head_lives = False
        raise
    finally:
        if head_lives:  # leaving a cluster asks its head, and would wait for it
            ray.shutdown()


def _join() -> None:
    # without an address Ray would join whatever cluster was started on this machine last
    address = os.environ.get("RAY_ADDRESS", "local")
    if address not in {"local", "auto"} and "://" not in address and not _answers(address):
        raise BadInput(f"No Ray cluster answers at {address}, which RAY_ADDRESS names; it takes HOST:PORT of its head.")
    own = (
        {"include_dashboard": False} if address == "local" else {}
    )  # its dozen processes take longer to start than Ray
    try:
        start(address, log_to_driver=False, logging_level="warning", runtime_env={"env_vars": forwarded()}, **own)
    except (OSError, ValueError, RuntimeError, AuthenticationError) as error:
        why = " ".join(str(error).split())[:200]
        raise BadInput(
            f"The Ray cluster at {address} (RAY_ADDRESS) cannot be joined: {why}. One that `ray start` began may want "
            "its token: set RAY_AUTH_MODE=token on every machine and give all of them the head's ~/.ray/auth_token."
        ) from None


def workers_for(jobs: int) -> int:
    """How many workers do so many jobs: one for every processor of the cluster, and none for nothing."""
    return max(1, min(int(ray.cluster_resources().get("CPU", 1)), jobs))


def spread(
    worker: type,
    arguments: tuple[Any, ...],
    jobs: Iterable[Job],
    *,
    at_once: int = 1,
    admits: Callable[[int], bool] = lambda in_hand: True,
) -> Iterator[tuple[Job, Any]]:
    """Do jobs on the cluster that this process has joined.

    Args:
        worker: a class whose asynchronous method `work` takes a job and returns its result.
        arguments: of the class, the same for every worker.
        jobs: what to do.
        at_once: jobs that all workers together may have in hand; every worker has at least one.
        admits: whether another may be handed out while so many are in hand; refusing one when none is ends it all.

    Yields:
        Each job with its result, or with `Lost`, in the order in which they end.

    Raises:
        HeadLost: the cluster's head does not answer any more.
        ConfigurationError: the cluster's machines cannot run the worker.
        ToolgymError: what a worker raised.
    """
    crew: _Crew[Job] = _Crew(worker, arguments, jobs, at_once, admits)
    try:
        while crew.busy:
            yield from crew.step()
    finally:
        crew.dismiss()


@dataclass(slots=True)
class _Open(Generic[Job]):
    """A job without a result, and how many workers died of it or beside it."""

    job: Job
    deaths: int = 0


class _Crew(Generic[Job]):
    """The workers, what waits, and who has what in hand."""

    def __init__(
        self,
        worker: type,
        arguments: tuple[Any, ...],
        jobs: Iterable[Job],
        at_once: int,
        admits: Callable[[int], bool],
    ) -> None:
        self._admits = admits
        self._waiting = deque(_Open(job) for job in jobs)
        self._size = workers_for(len(self._waiting))
        self._each = max(1, at_once // self._size)
        # Ray's own restarts are off: they would wait for a processor, while the workers that live hold them all
        options = {"num_cpus": 1, "scheduling_strategy": "SPREAD", "max_restarts": 0, "max_concurrency": self._each + 1}
        self._made = ray.remote(worker).options(**options)
        self._arguments = arguments
        self._coming: dict[Any, Any] = {}
        self._in_hand: dict[Any, tuple[Any, _Open[Job]]] = {}
        self._free: Counter[Any] = Counter()
        self._stillborn = 0
        self._head = _Head()

    @property
    def busy(self) -> bool:
        """Whether a job is without its result and may have one."""
        return bool(self._in_hand) or bool(self._waiting and self._admits(0))

    def step(self) -> Iterator[tuple[Job, Any]]:
        """Hire, hand out, wait for a moment, and give what has ended."""
        while self._waiting and len(self._coming) + len(self._free) < self._size:
            actor = self._made.remote(*self._arguments)
            self._coming[actor.__ray_ready__.remote()] = actor
        for actor in self._free:
            while self._waiting and self._free[actor] and self._admits(len(self._in_hand)):
                self._free[actor] -= 1
                given = self._waiting.popleft()
                self._in_hand[actor.work.remote(given.job)] = actor, given
        awaited = [*self._coming, *self._in_hand]
        ready, _ = ray.wait(awaited, num_returns=len(awaited), timeout=0)
        if not ready:
            ready, _ = ray.wait(awaited, timeout=POLL_SECONDS)
        self._head.require()
        for reference in ready:
            if reference in self._coming:
                self._begin(reference)
            elif reference in self._in_hand:  # else its worker was found dead in this very step
                yield from self._end(reference)

    def _begin(self, reference: Any) -> None:
        actor = self._coming.pop(reference)
        try:
            ray.get(reference)
        except RayError as error:
            self._stillborn += 1
            if self._stillborn >= STILLBORN:
                raise ConfigurationError(f"The cluster's machines cannot run toolgym: {_line(error)}") from None
        else:
            self._stillborn = 0
            self._free[actor] = self._each

    def _end(self, reference: Any) -> Iterator[tuple[Job, Any]]:
        actor, given = self._in_hand.pop(reference)
        try:
            result = ray.get(reference)
        except RayTaskError as error:
            raise error.cause from None
        except RayError as error:  # the worker's process, its machine, or the memory where the result lay
            yield from self._bury(actor, given, _line(error))
        else:
            self._free[actor] += 1
            yield given.job, result

    def _bury(self, actor: Any, given: _Open[Job], why: str) -> Iterator[tuple[Job, Any]]:
        """Whatever a worker had in hand goes to others; it may be alive but out of reach, so it is ended."""
        ray.kill(actor)
        del self._free[actor]
        theirs = [reference for reference, (whose, _) in self._in_hand.items() if whose is actor]
        for lost in (given, *(self._in_hand.pop(reference)[1] for reference in theirs)):
            lost.deaths += 1
            if lost.deaths < DEATHS:
                self._waiting.append(lost)
            else:
                yield lost.job, Lost(why)

    def dismiss(self) -> None:
        """End all workers; after the head's death nobody can be told to, and they end by themselves."""
        if self._head.alive:
            for actor in (*self._coming.values(), *self._free):
                ray.kill(actor)


class _Head:
    """Whether the cluster's head answers at its port."""

    def __init__(self) -> None:
        self.address = ray.get_runtime_context().gcs_address
        self.alive = True
        self._heard = time.monotonic()

    def require(self) -> None:
        """Raise HeadLost when it was silent for too long; asked every second at most."""
        if time.monotonic() - self._heard < POLL_SECONDS:
            return
        if _answers(self.address):
            self._heard = time.monotonic()
        elif time.monotonic() - self._heard > HEAD_SECONDS:
            self.alive = False
            raise HeadLost(f"The head of the Ray cluster, {self.address}, does not answer any more.")


def _answers(address: str) -> bool:
    """Whether anything listens at HOST:PORT."""
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=POLL_SECONDS).close()
    except (OSError, ValueError):
        return False
    return True


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:300]
