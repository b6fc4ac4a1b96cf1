"""What travels over REST: the shapes that the OpenAPI document shows, and how results and errors are written.

A result has one form through every door: `{"ok": true, "value": ...}` or `{"ok": false, "error": {"code", "message"}}`.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import BeforeValidator, Discriminator, Field, StringConstraints, Tag
from pydantic_core import PydanticCustomError

from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import Frozen, Json, Message, Party
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.tool import Failure
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.session import RowChange, Snapshot
from toolgym.sandbox.server.events import Done
from toolgym.sandbox.server.http_errors import Refused
from toolgym.sandbox.server.sessions import ResidentSession

_decode = json.JSONDecoder(parse_constant=lambda name: _no_such_value(name)).decode


def _no_truth(value: Json) -> Json:
    """Refuse true and false, which Python takes for numbers."""
    if isinstance(value, bool):
        raise PydanticCustomError("number", "Input should be a number")
    return value


# bounds stand inside, beside the type that they bound: on `X | None` the OpenAPI document cannot say them
Seed = Annotated[int, Field(ge=-(2**53), le=2**53), BeforeValidator(_no_truth)]
Lifetime = Annotated[float, Field(gt=0, le=604_800), BeforeValidator(_no_truth)]
Text = Annotated[str, StringConstraints(max_length=100_000)]
STATUS_OF_REFUSAL = {"invalid_arguments": 422, "unknown_tool": 404}
"""HTTP status by code; every other refusal is 409, a conflict with the state of the world."""


class Problem(Frozen):
    """A refusal: a stable code and a sentence that says what to do."""

    code: str
    message: str


class ErrorReply(Frozen):
    """Why nothing was done."""

    ok: Literal[False] = False
    error: Problem


class OpenRequest(Frozen):
    """The world to open a session in."""

    domain: str = Field(description="name of the domain")
    data: str | None = Field(None, description="body of data; the task's, or else `own`, by default")
    task: Text | Task | None = Field(None, description="id of a task, or a whole task")
    seed: Seed | None = Field(None, description="seeds the ids that the session generates")
    now: datetime | None = Field(None, description="the frozen clock; the domain's by default")
    ttl: Lifetime | None = Field(None, description="seconds until the session ends")


class ResumeRequest(Frozen):
    """The snapshot to go on from, taken on this server or another."""

    snapshot: Snapshot
    ttl: Lifetime | None = Field(None, description="seconds until the session ends")


def _kind_of_opening(given: object) -> str:
    has_snapshot = "snapshot" in given if isinstance(given, dict) else isinstance(given, ResumeRequest)
    return "resume" if has_snapshot else "open"


Opening = Annotated[
    Annotated[OpenRequest, Tag("open")] | Annotated[ResumeRequest, Tag("resume")], Discriminator(_kind_of_opening)
]
"""The body of `POST /sessions`."""


class ForkRequest(Frozen):
    """How long the copy lives."""

    ttl: Lifetime | None = Field(default=None, description="seconds until the copy ends")


class RollbackRequest(Frozen):
    """Where to go back to."""

    calls: int = Field(ge=0, le=2**31, description="keep the first so many calls of the log, forget the later ones")


class CallRequest(Frozen):
    """A tool call by name, for programs whose tool names come from a model."""

    name: str = Field(description="the tool; an unknown one is a refused call, logged as such")
    arguments: dict[str, Json] | str = Field({}, description="by name, or a model's text that should be such an object")
    by: Party = Field("agent", description="whose tool set to use")


class VerifyRequest(Frozen):
    """The conversation, where the task says what must be communicated."""

    messages: tuple[Message, ...] = Field(default=(), description="what was said, in order")


class SessionInfo(Frozen):
    """An open session."""

    id: str
    domain: str
    data: str
    task: str | None = Field(description="the task's id")
    seed: int
    now: datetime = Field(description="the frozen clock of the world")
    calls: int = Field(description="length of the log")
    created: datetime
    expires: datetime
    mcp_path: str = Field(description="address of the agent's MCP endpoint on this server")
    tools: tuple[str, ...] | None = Field(
        None, description="names of the agent's tools, where its task offers others than the domain; null: all of it"
    )
    user_mcp_path: str | None = Field(description="address of the user's MCP endpoint, where users hold tools")


class DigestReply(Frozen):
    """The whole state in one number: equal digests mean equal states."""

    sha256: str


class LogReply(Frozen):
    """The calls so far."""

    calls: tuple[CallRecord, ...]


class DiffReply(Frozen):
    """The rows that differ from the session's start."""

    rows: tuple[RowChange, ...]


class VerdictReply(Frozen):
    """What the verifier found; see docs/evaluation.md."""

    passed: bool
    checks: dict[str, bool | None]


class ToolInfo(Frozen):
    """A tool."""

    name: str
    kind: Literal["read", "write", "neutral"]
    by: Party
    description: str
    parameters: dict[str, Json]
    returns: dict[str, Json] | None


class DomainInfo(Frozen):
    """A world."""

    name: str
    title: str
    data: tuple[str, ...]
    tools: int
    user_tools: int


class DomainsReply(Frozen):
    """The worlds that this server has."""

    domains: tuple[DomainInfo, ...]


class ToolsReply(Frozen):
    """A domain's tools."""

    tools: tuple[ToolInfo, ...]


class PolicyReply(Frozen):
    """The rules that the agent must follow, in Markdown."""

    policy: str


class TaskInfo(Frozen):
    """A task as far as a client may know it: not what a right run does."""

    id: str
    split: str
    family: str
    difficulty: str
    depth: int
    structure: str
    scenario: str
    ticket: str | None

    @classmethod
    def of(cls, task: Task) -> TaskInfo:
        """What a client may know of a task."""
        return cls(**{name: getattr(task, name) for name in cls.model_fields})


class TasksReply(Frozen):
    """Some tasks of a split, and how many it has."""

    total: int
    tasks: tuple[TaskInfo, ...]


class HealthReply(Frozen):
    """The server's state."""

    status: Literal["ok", "stopping", "storage", "damaged"]


def describe(live: ResidentSession) -> SessionInfo:
    """A session as its client sees it."""
    session, row = live.session, live.row
    path = f"/sessions/{row.id}"
    return SessionInfo(
        id=row.id,
        domain=session.domain.name,
        data=session.data,
        task=session.task.id if session.task else None,
        seed=session.seed,
        now=session.now,
        calls=len(session.log),
        created=datetime.fromtimestamp(row.created, UTC),
        expires=datetime.fromtimestamp(row.expires, UTC),
        mcp_path=f"{path}/mcp",
        tools=tuple(session.tools_of("agent")) if session.task and _offers_others(session.task) else None,
        user_mcp_path=f"{path}/user/mcp" if session.domain.user_tools else None,
    )


def _offers_others(task: Task) -> bool:
    return task.tools is not None or bool(task.distractors)


def result_bytes(done: Done) -> tuple[int, bytes]:
    """A call's outcome as HTTP status and body."""
    error = done.result.error
    if error is None:
        return 200, b'{"ok": true, "value": ' + done.value.encode() + b"}"
    return STATUS_OF_REFUSAL.get(error.code, 409), failure_bytes(error)


def failure_bytes(error: Failure | Refused) -> bytes:
    """A refusal as a body."""
    message = {"code": error.code, "message": error.message}
    return json.dumps({"ok": False, "error": message}, ensure_ascii=False).encode("utf-8", "replace")


def parse_call(body: bytes) -> tuple[str, dict[str, Json] | str, Party]:
    """What a `CallRequest` says: name, arguments and whose; by hand, because it is on the path of every call.

    Raises:
        Refused: the body is not of that shape.
    """
    given = parse_json(body)
    if not isinstance(given, dict) or not isinstance(given.get("name"), str):
        raise Refused(422, "invalid_request", 'The body must be an object such as {"name": "...", "arguments": {}}.')
    arguments, by = given.get("arguments", {}), given.get("by", "agent")
    if not isinstance(arguments, dict | str) or by not in ("agent", "user") or given.keys() - CallRequest.model_fields:
        raise Refused(
            422,
            "invalid_request",
            "A call has name, arguments (an object or text) and by (agent or user), nothing else.",
        )
    return given["name"], arguments, by


def parse_arguments(body: bytes) -> dict[str, Json] | str:
    """The body of a tool's own path: its arguments; anything else than an object is passed on as text to be refused."""
    try:
        given = _decode(body.decode())
    except (ValueError, RecursionError):
        given = None
    return given if isinstance(given, dict) else body.decode()


def _no_such_value(name: str) -> Json:
    raise ValueError(f"JSON has no {name}")


def parse_json(body: bytes) -> Json:
    """The body as JSON (Refused where it is none)."""
    try:
        return _decode(body.decode())
    except (ValueError, RecursionError):
        raise Refused(400, "invalid_json", "The body is not valid JSON.") from None


def refused_by(error: BadInput) -> Refused:
    """A client's mistake found deeper down, as the server says it."""
    return error if isinstance(error, Refused) else Refused(422, "invalid_request", str(error))
