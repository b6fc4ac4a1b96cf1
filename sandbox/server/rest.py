"""The REST routes beside tool calls: worlds, sessions and their time travel, health and metrics.

Tool calls are answered by `toolgym.sandbox.server.tool_routes`; `toolgym.sandbox.server.openapi` documents them here
among the rest.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Body, Header, Path, Query, Response
from fastapi.responses import JSONResponse, StreamingResponse

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.message import Frozen, Party
from toolgym.sandbox.kit.tool import ToolSet
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.approval import with_consent
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.session import Snapshot
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.server import schemas
from toolgym.sandbox.server.events import Origin
from toolgym.sandbox.server.http_errors import Refused
from toolgym.sandbox.server.long_logs import LongLog, as_json, records
from toolgym.sandbox.server.service import Service
from toolgym.sandbox.server.session_factory import find_domain, named, open_as_asked, require_data

VERIFIED_PIECES = 32
"""So many megabytes of a log the verifier is given at most."""
SessionId = Annotated[str, Path(description="the session's id", max_length=200)]
OpeningKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=16,
        max_length=200,
        description="a retry with the same key gets the same session, so keep it secret",
    ),
]
Name = Annotated[str, Path(description="name of the domain", max_length=200)]
Data = Annotated[str, Query(description="body of data", max_length=200)]


def probes(service: Service) -> APIRouter:
    """Health, readiness and metrics."""
    routes = APIRouter(tags=["server"])

    @routes.get("/healthz", summary="Is the process alive?")
    async def health() -> schemas.HealthReply:
        return schemas.HealthReply(status="ok")

    @routes.get("/readyz", summary="Can it take requests?", responses={503: {"model": schemas.HealthReply}})
    async def ready() -> Response:
        status = service.readiness.ask()
        reply = schemas.HealthReply(status=status)
        return JSONResponse(reply.model_dump(), status_code=200 if status == "ok" else 503)

    @routes.get(
        "/metrics",
        summary="Counters for Prometheus",
        response_class=Response,
        responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
    )
    async def metrics() -> Response:
        page, kind = service.metrics.page()
        return Response(page, media_type=kind)

    return routes


def worlds(service: Service) -> APIRouter:
    """Domains with their tools, policies and tasks."""
    routes = APIRouter(tags=["domains"], responses={404: {"model": schemas.ErrorReply}})

    def find(name: str) -> Domain:
        return find_domain(service, name)

    @routes.get("/domains", summary="List the worlds")
    async def list_domains() -> schemas.DomainsReply:
        return schemas.DomainsReply(domains=tuple(_info(domain) for domain in service.domains.values()))

    @routes.get("/domains/{domain}/tools", summary="List a domain's tools")
    async def list_tools(domain: Name) -> schemas.ToolsReply:
        world = find(domain)
        return schemas.ToolsReply(tools=(*_tools(world.tools, "agent"), *_tools(world.user_tools, "user")))

    @routes.get("/domains/{domain}/policy", summary="Read the rules that the agent must follow")
    async def read_policy(domain: Name, data: Data = "own") -> schemas.PolicyReply:
        require_data(find(domain), data)
        return schemas.PolicyReply(policy=with_consent(find(domain).policy_for(data), service.settings.consent))

    @routes.get("/domains/{domain}/tasks", summary="List the tasks of a split")
    async def list_tasks(
        domain: Name,
        split: Annotated[str, Query(max_length=200)] = "test",
        data: Data | None = None,
        offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
        limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    ) -> schemas.TasksReply:
        world = find(domain)
        require_data(world, data or "own")
        with named():
            tasks = await service.tasks(world, data, split)
        shown = tasks[offset : offset + limit]
        return schemas.TasksReply(
            total=len(tasks),
            tasks=tuple(map(schemas.TaskInfo.of, shown)),
        )

    return routes


def sessions(service: Service) -> APIRouter:
    """Opening, reading, time travel and closing."""
    gone = {"model": schemas.ErrorReply}
    routes = APIRouter(tags=["sessions"])
    of_session = APIRouter(prefix="/sessions/{session_id}", tags=["sessions"], responses={404: gone, 410: gone})
    kept = service.sessions
    verifying = asyncio.Lock()

    @routes.post("/sessions", status_code=201, summary="Open a session", responses={404: gone, 409: gone, 429: gone})
    async def open_session(asked: schemas.Opening, key: OpeningKey = None) -> schemas.SessionInfo:
        session = await open_as_asked(asked, service)
        live = kept.open(session, ttl=asked.ttl, key=key, request=asked.model_dump_json() if key else "")
        return schemas.describe(await service.keep(live))

    @of_session.get("", summary="Look at a session")
    async def read_session(session_id: SessionId) -> schemas.SessionInfo:
        return schemas.describe(kept.current(session_id))

    @of_session.delete("", status_code=204, summary="Close a session")
    async def close_session(session_id: SessionId) -> None:
        kept.close(session_id)
        await service.settle()

    @of_session.get("/tools", summary="List the tools that the session offers, those of joined worlds included")
    async def list_session_tools(session_id: SessionId) -> schemas.ToolsReply:
        session = kept.current(session_id).session
        return schemas.ToolsReply(
            tools=(*_tools(session.tools_of("agent"), "agent"), *_tools(session.tools_of("user"), "user"))
        )

    @of_session.get("/log", summary="Read the calls so far; of an ended session too, for a while")
    async def read_log(session_id: SessionId) -> Response:
        return await _with_log('{"calls":[', kept.log(session_id), "]}")

    @of_session.get("/diff", summary="Read the rows that the session changed", response_model=schemas.DiffReply)
    async def read_diff(session_id: SessionId) -> Response:
        return _json(schemas.DiffReply(rows=tuple(kept.current(session_id).session.diff())))

    @of_session.get("/digest", summary="Read the state's digest")
    async def read_digest(session_id: SessionId) -> schemas.DigestReply:
        return schemas.DigestReply(sha256=kept.current(session_id).session.digest())

    @of_session.get(
        "/snapshot", summary="Take a snapshot, to open a session with elsewhere or later", response_model=Snapshot
    )
    async def take_snapshot(session_id: SessionId) -> Response:
        live = kept.current(session_id)
        head = Snapshot(**vars(Origin.of(live.session)), log=()).model_dump_json()
        return await _with_log(head.removesuffix("]}"), kept.log_of(live), "]}")

    @of_session.post("/fork", status_code=201, summary="Open a copy of a session", responses={429: gone})
    async def fork_session(session_id: SessionId, asked: schemas.ForkRequest = _EMPTY_FORK) -> schemas.SessionInfo:
        return schemas.describe(await service.keep(await kept.fork(session_id, ttl=asked.ttl)))

    @of_session.post("/rollback", summary="Go back to an earlier state", responses={409: gone})
    async def roll_back(session_id: SessionId, asked: schemas.RollbackRequest) -> schemas.SessionInfo:
        return schemas.describe(await service.keep(kept.rollback(session_id, asked.calls)))

    @of_session.post("/verify", summary="Ask whether the session does what its task wants", responses={409: gone})
    async def verify(session_id: SessionId, asked: schemas.VerifyRequest = _EMPTY_VERIFY) -> schemas.VerdictReply:
        live = kept.current(session_id)
        session = live.session
        if session.task is None:
            raise Refused(409, "no_task", "This session was opened without a task, so there is nothing to verify.")
        log, diff = kept.log_of(live), tuple(session.diff())
        async with verifying:  # one log in memory at a time
            trajectory = Trajectory(
                task=session.task,
                messages=asked.messages,
                calls=tuple(await _whole(log)),
                diff=diff,
                termination="user_stop",
            )
            verdict = registry.load("verifiers", "rules")(trajectory)
        return schemas.VerdictReply(passed=verdict.passed(), checks=verdict.to_json())

    routes.include_router(of_session)
    return routes


_EMPTY_FORK = Body(schemas.ForkRequest())
_EMPTY_VERIFY = Body(schemas.VerifyRequest())


def _json(model: Frozen) -> Response:
    return Response(model.model_dump_json(), media_type="application/json")


async def _with_log(head: str, log: LongLog, tail: str) -> Response:
    """An answer with a log in it: in one piece where it is of ordinary length, else as it is read."""
    pieces = log.pieces(as_json)
    first, done = await anext(pieces)
    if done:
        return Response(head + first + tail, media_type="application/json")

    async def parts() -> AsyncIterator[str]:
        yield head + first
        begun = first != ""  # what was rolled back fills pieces too
        async for text, _ in pieces:
            yield "," * (begun and text != "") + text
            begun = begun or text != ""
        yield tail

    return StreamingResponse(parts(), media_type="application/json")


async def _whole(log: LongLog) -> list[CallRecord]:
    """A log as the verifier takes it (Refused: 413 where it is too long to be held in memory)."""
    calls, pieces = list[CallRecord](), 0
    async for some, _ in log.pieces(records):
        pieces += 1
        if pieces > VERIFIED_PIECES:
            raise Refused(413, "log_too_large", f"Logs of more than {VERIFIED_PIECES} MB are not verified here.")
        calls += some
    return calls


def _info(domain: Domain) -> schemas.DomainInfo:
    return schemas.DomainInfo(
        name=domain.name,
        title=domain.title,
        data=tuple(domain.data),
        tools=len(domain.tools),
        user_tools=len(domain.user_tools),
    )


def _tools(tools: ToolSet, by: Party) -> list[schemas.ToolInfo]:
    return [
        schemas.ToolInfo(
            name=tool.name,
            kind=tool.kind,
            by=by,
            description=tool.description,
            parameters=tool.parameters,
            returns=tool.returns,
        )
        for tool in tools.values()
    ]
