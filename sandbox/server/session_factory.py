"""Turns what a client asks for into a session, without letting the client make the server open files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import BadInput, InfrastructureError, unknown
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.approval import require_possible
from toolgym.sandbox.runtime.distractors import with_distractors
from toolgym.sandbox.runtime.joined import JoinedDomain, first_of
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.server.http_errors import Refused
from toolgym.sandbox.server.schemas import OpenRequest, ResumeRequest
from toolgym.sandbox.server.service import Service


async def open_as_asked(asked: OpenRequest | ResumeRequest, service: Service) -> Session:
    """The session that a request describes.

    Raises:
        Refused: 404 for a domain, data or task that does not exist; 409 for a task or snapshot that does not fit.
    """
    if isinstance(asked, ResumeRequest):
        return await _resume(asked, service)
    domain = find_domain(service, asked.domain)
    data = asked.data or "own"
    require_data(domain, data)
    _require_consent(service, data)
    task = asked.task
    with named():
        await service.prepare(first_of(domain), asked.data, task if isinstance(task, str) else None)
        if isinstance(task, str):
            task = domain.task(task, asked.data)
    await _prepare_others(domain, task, service)
    return _fitting(lambda: Session(domain, data=data, task=task, seed=asked.seed, now=asked.now))


async def _resume(asked: ResumeRequest, service: Service) -> Session:
    snapshot = asked.snapshot
    domain = find_domain(service, snapshot.domain)
    require_data(domain, snapshot.data)
    _require_consent(service, snapshot.data)
    await service.prepare(first_of(domain), snapshot.data)
    await _prepare_others(domain, snapshot.task, service)
    return _fitting(lambda: Session.restore(snapshot))


def find_domain(service: Service, name: str) -> Domain:
    """The domain of that name, or those of several names joined by plus signs (Refused: 404)."""
    if "+" in name:
        for part in name.split("+"):
            find_domain(service, part)
        with named():
            return get_domain(name)
    if name not in service.domains:
        with named():
            raise unknown("domain", name, service.domains)
    return service.domains[name]


def require_data(domain: Domain, data: str) -> None:
    """Refuse data that names a path: a client must not make the server open files."""
    if data not in domain.data:
        with named():
            raise unknown(f"data of {domain.name}", data, domain.data)


def _require_consent(service: Service, data: str) -> None:
    """Refuse others' data where calls are approved: their policy means a yes in words."""
    try:
        require_possible(service.settings.consent, data, user=True)
    except BadInput as error:
        raise _misfit(str(error)) from error


@contextmanager
def named() -> Iterator[None]:
    """Answer 404 where a name turns out not to exist."""
    try:
        yield
    except BadInput as error:
        raise Refused(404, "unknown_name", str(error)) from error


async def _prepare_others(domain: Domain, task: Task | None, service: Service) -> None:
    """Load the worlds that the session joins to its first one."""
    _require_home(task, domain)
    with named():
        offered = with_distractors(domain, task)
    if isinstance(offered, JoinedDomain):
        for world in offered.others:
            await service.prepare(find_domain(service, world), "own")


def _require_home(task: Task | None, domain: Domain) -> None:
    if task is None:
        return
    if task.domain != domain.name:
        raise _misfit(f"The task {task.id} belongs to {task.domain}, not to {domain.name}.")
    require_data(domain, task.data)


def _fitting(make: Callable[[], Session]) -> Session:
    """A session from the client's own task or snapshot, whose faults the client has to correct."""
    try:
        return make()
    except InfrastructureError as error:
        raise _misfit(error.message) from error


def _misfit(message: str) -> Refused:
    return Refused(409, "does_not_fit", message)
