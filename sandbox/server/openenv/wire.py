"""The messages of OpenEnv's protocol, as this server reads and writes them."""

from __future__ import annotations

import json
import logging
from typing import Annotated, Any, Literal, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    TypeAdapter,
    ValidationError,
    field_validator,
    model_validator,
)

from toolgym.sandbox.kit.errors import BadInput, InfrastructureError, in_words
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.text import Text
from toolgym.sandbox.runtime.approval import Consent
from toolgym.sandbox.server.http_errors import Refused, broken

Code = Literal[
    "INVALID_JSON", "UNKNOWN_TYPE", "VALIDATION_ERROR", "EXECUTION_ERROR", "CAPACITY_REACHED", "SESSION_ERROR"
]
"""The protocol's codes of errors that can happen here."""


Form = TypeVar("Form")
logger = logging.getLogger("toolgym.server")


class WireError(Exception):
    """A message that cannot be answered as asked.

    Attributes:
        code: the protocol's.
        message: one sentence.
    """

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message

    def frame(self) -> dict[str, Json]:
        """The protocol's message for it."""
        return {"type": "error", "data": {"message": self.message, "code": self.code}}


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Call(_Strict):
    """A tool call; OpenAI's nested form is read as well."""

    name: Text = Field(max_length=200)
    arguments: dict[str, Any] | Text = Field(default={}, description="by parameter, or the text of such an object")

    @model_validator(mode="before")
    @classmethod
    def _of_any_form(cls, given: Any) -> Any:
        if isinstance(given, dict) and isinstance(given.get("function"), dict):
            return given["function"]
        return given


class Action(_Strict):
    """What the agent does: words to the user, or tool calls.

    As text alone, `message` may hold the calls: `{"name": ..., "arguments": {...}}` or `<tool_call>` tags.
    """

    model_config = ConfigDict(extra="forbid", title="ToolgymAction", json_schema_extra={"required": ["message"]})

    message: Text = Field(
        default="",
        description='Words to the user; or tool calls as JSON text, {"name": TOOL, "arguments": {...}} or a list of '
        "such objects. May be empty where tool_calls are given.",
    )
    tool_calls: list[Call] = Field(default=[], max_length=1000, description="Tool calls; they are made in order.")
    metadata: dict[str, Any] = Field(default={}, description="Not read.")

    @model_validator(mode="before")
    @classmethod
    def _of_any_form(cls, given: Any) -> Any:
        """MCP's typed action, and a single call as models write it, are tool calls too."""
        if not isinstance(given, dict):
            return given
        if given.get("type") == "call_tool":
            call = {"name": given.get("tool_name"), "arguments": given.get("arguments") or {}}
            return {"tool_calls": [call]}
        if "name" in given and "message" not in given:
            return {"tool_calls": [given]}
        return given

    @field_validator("message", mode="before")
    @classmethod
    def _as_written(cls, given: Any) -> Any:
        """Bridges that read replies as JSON, as verifiers does, make a number of `42` and a list of several calls."""
        return json.dumps(given) if isinstance(given, int | float | list) else given

    @model_validator(mode="after")
    def _says_something(self) -> Action:
        if not self.tool_calls and not self.message.strip():
            raise ValueError("an action needs a message or tool_calls")
        return self


class Observation(_Strict):
    """What the agent sees after an action."""

    model_config = ConfigDict(extra="forbid", title="ToolgymObservation")

    messages: list[dict[str, Any]] = Field(
        description="The new messages in OpenAI's chat format: tool results, or the user's words."
    )
    metadata: dict[str, Any] = Field(
        default={},
        description="At the end: `termination`, `truncated`, `verdict`, and `trajectory`, one line of a run's file.",
    )


class Opening(Observation):
    """What the agent sees after a reset."""

    model_config = ConfigDict(extra="forbid", title="ToolgymOpening")

    task_id: str
    policy: str = Field(description="The rules that the agent must follow.")
    tools: list[dict[str, Any]] = Field(description="The tools in OpenAI's format.")


class State(_Strict):
    """Where an episode stands."""

    model_config = ConfigDict(extra="forbid", title="ToolgymState")

    episode_id: str | None = None
    step_count: int = 0
    world: str
    task_id: str | None = None
    done: bool = False
    termination: str | None = None
    reward: float | None = Field(default=None, description="Of the ended episode.")


class TaskReference(_Strict):
    """A task as the task routes give it; more fields are passed over."""

    model_config = ConfigDict(extra="ignore")

    id: str = Field(max_length=500)


def _kind_of_task(given: object) -> str:
    if isinstance(given, Task) or (isinstance(given, dict) and "gold" in given):
        return "whole"
    return "reference" if isinstance(given, dict | TaskReference) else "id"


AnyTask = Annotated[
    Annotated[str, Tag("id")] | Annotated[TaskReference, Tag("reference")] | Annotated[Task, Tag("whole")],
    Discriminator(_kind_of_task),
]
"""The task routes leave out a task's gold calls, and with them what would be known of it."""


class Reset(_Strict):
    """What a reset may ask for."""

    seed: int | None = Field(default=None, ge=0, lt=2**63, description="Seeds the choice of task, and the user.")
    episode_id: Text | None = Field(default=None, max_length=255)
    task: AnyTask | None = Field(
        default=None, description="A task's id, a task of the task routes, or a whole one, such as a drawn task."
    )
    split: str | None = Field(default=None, max_length=100, description="Where a task is drawn from.")
    index: int | None = Field(default=None, ge=0, description="The task's place in the split.")
    data: str | None = Field(
        default=None, max_length=100, description="The body of data; the world's newest by default."
    )
    max_turns: int = Field(default=30, ge=1, le=1000, description="Agent steps until the episode is cut.")
    consent: Consent = Field(
        default="words",
        description="How the user agrees to changes: in `words`, or by approving each `call` before it is made.",
    )

    @model_validator(mode="after")
    def _names_one_task(self) -> Reset:
        if self.task is not None and (self.split is not None or self.index is not None):
            raise ValueError("name a task, or a split with or without an index, not both")
        return self


class ResetMessage(_Strict):
    """Begin an episode."""

    type: Literal["reset"]
    data: Reset = Reset()


class StepMessage(_Strict):
    """An action."""

    type: Literal["step"]
    data: dict[str, Any]


class StateMessage(_Strict):
    """Where does the episode stand?"""

    type: Literal["state"]


class CloseMessage(_Strict):
    """Goodbye."""

    type: Literal["close"]


class McpMessage(_Strict):
    """JSON-RPC on the socket's own environment."""

    type: Literal["mcp"]
    data: dict[str, Any]


Incoming = ResetMessage | StepMessage | StateMessage | CloseMessage | McpMessage
_INCOMING: TypeAdapter[Incoming] = TypeAdapter(Annotated[Incoming, Field(discriminator="type")])
TYPES = ("reset", "step", "state", "mcp", "close")


def read(text: str) -> Incoming:
    """A client's message.

    Raises:
        WireError: it is none.
    """
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise WireError("INVALID_JSON", f"The message is not valid JSON: {error}.") from None
    if not isinstance(given, dict) or given.get("type") not in TYPES:
        raise WireError("UNKNOWN_TYPE", f"A message is an object whose type is one of {', '.join(TYPES)}.")
    return validated(_INCOMING, given)


def action_of(given: dict[str, Any]) -> Action:
    """An action as a client sent it.

    Raises:
        WireError: it is none.
    """
    return validated(TypeAdapter(Action), given)


def validated(form: TypeAdapter[Form], given: Any) -> Form:
    """What was given, in its form.

    Raises:
        WireError: it does not fit.
    """
    try:
        return form.validate_python(given)
    except ValidationError as error:
        raise WireError("VALIDATION_ERROR", explained(error)) from None


def explained(error: ValidationError) -> str:
    """The first problems in words."""
    problems = [f"{'.'.join(str(part) for part in each['loc'])}: {in_words(each)}" for each in error.errors()[:3]]
    return "The message does not fit: " + "; ".join(problem.removeprefix(": ") for problem in problems) + "."


def told(error: Exception) -> WireError:
    """What a client is told about an error; unexpected ones are logged and not told."""
    match error:
        case WireError():
            return error
        case Refused(code="too_many_sessions"):
            return WireError("CAPACITY_REACHED", error.message)
        case Refused(status=410 | 429 | 503):
            return WireError("SESSION_ERROR", error.message)
        case BadInput():
            return WireError("VALIDATION_ERROR", str(error))
        case InfrastructureError():
            return WireError("EXECUTION_ERROR", broken(error))
    logger.error("a message failed", exc_info=error)
    return WireError("EXECUTION_ERROR", "The server failed.")


def observed(observation: Observation, reward: float | None, *, done: bool) -> dict[str, Json]:
    """The protocol's message for an observation."""
    data: dict[str, Json] = {"observation": observation.model_dump(mode="json"), "reward": reward, "done": done}
    if observation.metadata:
        data["metadata"] = observation.metadata
    return {"type": "observation", "data": data}
