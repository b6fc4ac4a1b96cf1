"""Turns what a client asks for into a session, without letting the client make the server open files."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sandbox.domain import Domain
from sandbox.errors import InfrastructureError, unknown
from sandbox.server.refused import invalid
from sandbox.server.wire import OpenRequest
from sandbox.session import Session
from sandbox.task import Task


def open_as_asked(asked: OpenRequest, domains: Mapping[str, Domain]) -> Session:
    """The session that a request describes.

    Raises:
        BadInput: no such domain, data or task, or a request that contradicts itself.
    """
    if (asked.domain is None) == (asked.snapshot is None):
        raise invalid("Name a domain, or give a snapshot, which names its own.")
    name = asked.snapshot.domain if asked.snapshot else asked.domain or ""
    if name not in domains:
        raise unknown("domain", name, domains)
    domain = domains[name]
    snapshot = asked.snapshot
    require_data(domain, snapshot.data if snapshot else asked.data)
    if snapshot is not None:
        _require_home(snapshot.task, domain)
        return _prepared(lambda: Session.restore(snapshot))
    task = domain.task(asked.task, asked.data) if isinstance(asked.task, str) else asked.task
    _require_home(task, domain)
    return _prepared(lambda: Session(domain, data=asked.data, task=task, seed=asked.seed, now=asked.now))


def require_data(domain: Domain, data: str) -> None:
    """Refuse data that names a path: a client must not make the server open files."""
    if data not in domain.data:
        raise unknown(f"data of {domain.name}", data, domain.data)


def _require_home(task: Task | None, domain: Domain) -> None:
    if task is None:
        return
    if task.domain != domain.name:
        raise invalid(f"The task {task.id} belongs to {task.domain}, not to {domain.name}.")
    require_data(domain, task.data)


def _prepared(make: Callable[[], Session]) -> Session:
    """A session from the client's own task or snapshot, whose faults are the client's to mend."""
    try:
        return make()
    except InfrastructureError as error:
        raise invalid(error.message) from error
