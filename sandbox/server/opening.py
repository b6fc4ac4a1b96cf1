"""Turns what a client asks for into a session, without letting the client make the server open files."""

from __future__ import annotations

from collections.abc import Callable

from sandbox.domain import Domain
from sandbox.errors import InfrastructureError, unknown
from sandbox.server.refused import invalid
from sandbox.server.service import Service
from sandbox.server.wire import OpenRequest
from sandbox.session import Session
from sandbox.task import Task


async def open_as_asked(asked: OpenRequest, service: Service) -> Session:
    """The session that a request describes.

    Raises:
        BadInput: no such domain, data or task, or a request that contradicts itself.
    """
    if (asked.domain is None) == (asked.snapshot is None):
        raise invalid("Name a domain, or give a snapshot, which names its own.")
    name = asked.snapshot.domain if asked.snapshot else asked.domain or ""
    if name not in service.domains:
        raise unknown("domain", name, service.domains)
    domain = service.domains[name]
    snapshot = asked.snapshot
    require_data(domain, snapshot.data if snapshot else asked.data)
    if snapshot is not None:
        _require_home(snapshot.task, domain)
        await service.prepare(domain, snapshot.data)
        return _prepared(lambda: Session.restore(snapshot))
    task = asked.task
    await service.prepare(domain, asked.data, task if isinstance(task, str) else None)
    if isinstance(task, str):
        task = domain.task(task, asked.data)
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
