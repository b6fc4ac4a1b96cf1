"""Approvals: the user's yes or no to one call as it is about to be made, where consent is given by call.

Only what is exchanged and recorded. How a user decides is its own business (`toolgym.sandbox.users.approving` for the
scripted one); when it is asked is `toolgym.sandbox.runtime.episode`'s.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Literal, cast, get_args

from sqlalchemy.orm import DeclarativeBase

from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.errors import BadInput, Refusal, unknown
from toolgym.sandbox.kit.message import Frozen, Json, ToolCall
from toolgym.sandbox.kit.table import brief_columns
from toolgym.sandbox.kit.text import Fields, Text
from toolgym.sandbox.kit.tool import Tool, ToolResult
from toolgym.sandbox.kit.view import View
from toolgym.sandbox.runtime.registry import is_own_data
from toolgym.sandbox.runtime.session import Session

Consent = Literal["words", "call"]
"""How a change is agreed to: in words, as the papers have it, or by an approval of the call."""
DECLINED, NOT_ASKED = "declined", "not_asked"
"""Codes of the refusals of a call that the user declined, and of those that stood behind it in the same message."""
NOTE = """
## Consent

Each change is shown to the user by the system before it is made, and the user approves or declines it there; nobody has
to ask for a yes in words. A declined call comes back with the code `declined` and the user's reason.
"""
"""What agents are told beside the policy where consent is given by call."""


class Approval(Frozen):
    """The user's answer to a call.

    Attributes:
        approved: whether the call may be made.
        sentence: what the user says with it; of a yes mostly nothing.
        leaves: the user has had enough: the conversation ends.
    """

    approved: bool
    sentence: Text = ""
    leaves: bool = False


class Shown(Frozen):
    """A call as the user is shown it.

    Attributes:
        tool: its name.
        arguments: as called.
        rows: of the rows that an argument names, the columns by which a person knows them; by the argument's name.
    """

    tool: Text
    arguments: Fields = {}
    rows: dict[str, tuple[Fields, ...]] = {}


class ApprovalRecord(Frozen):
    """One approval of an episode.

    Attributes:
        call: the position in the session's log of the call, made or declined.
        shown: what the user saw.
        approved: the answer.
        sentence: what was said with it.
        by: who answered: the name of the user.
    """

    call: int
    shown: Shown
    approved: bool
    sentence: Text = ""
    by: Text = ""


Approve = Callable[[ToolCall, Shown], Awaitable[Approval]]
"""The method `approve(call, shown)` of a user's player: the answer to a call that is about to be made."""


def shown_call(session: Session, tool: Tool, call: ToolCall) -> Shown | None:
    """What the user is shown of a call; None of one that the tool would not take in any case."""
    try:
        checked = tool.validate(call.arguments)
        resolved = tool.resolved(session.database, checked)
    except Refusal:
        return None
    rows = {tool.inputs[name]: _rows(value, session.database) for name, value in resolved.items()}
    given = call.arguments if isinstance(call.arguments, Mapping) else checked
    return Shown(tool=tool.name, arguments=dict(given), rows={name: found for name, found in rows.items() if found})


def _rows(value: Any, database: Database) -> tuple[dict[str, Json], ...]:
    """The columns by which a person knows a row or several; nothing of what is no row."""
    held = value if isinstance(value, list) else [value]
    models = [getattr(each, "model", None) for each in held]
    return tuple(
        View(row).to_json(database, brief_columns(model))
        for row, model in zip(held, models, strict=True)
        if isinstance(model, type) and issubclass(model, DeclarativeBase)
    )


def with_consent(policy: str, consent: Consent) -> str:
    """A policy with what is said of asking for a yes, where that is done by the call."""
    return policy if consent == "words" else f"{policy.rstrip()}\n{NOTE}"


def require_possible(consent: Consent, data: str, *, user: bool) -> None:
    """Refuse consent by call where a yes means words, or nobody could say it.

    Args:
        consent: the setting.
        data: the body of data that is played.
        user: whether somebody plays the user.

    Raises:
        BadInput: there is no such setting, the data are others', or there is no user.
    """
    if consent not in get_args(Consent):
        raise unknown("consent", str(consent), get_args(Consent))
    if consent == "call" and not is_own_data(data):
        raise BadInput(f"consent=call is for worlds' own data; the policy and the scores of {data} mean words")
    if consent == "call" and not user:
        raise BadInput("consent=call needs a user, whom solo work and programs leave out")


def own_session(session: object) -> Session | None:
    """The session of this process that is driven, directly or through others that wrap it; None of one elsewhere."""
    while (inner := getattr(session, "inner", None)) is not None:
        session = inner
    return session if isinstance(session, Session) else None


def decline(session: object, call: ToolCall, code: str, sentence: str) -> ToolResult:
    """Log a call that is not made, in the session or the one that it wraps."""
    while not hasattr(session, "decline"):
        session = session.inner  # type: ignore[attr-defined]  # what is approved has a session of this process within
    refused: ToolResult = session.decline(call.name, call.arguments, code, sentence)
    return refused


def approver_of(player: object, session: object) -> Approve:
    """Who approves calls in an episode with consent by call.

    Raises:
        BadInput: the user cannot be shown calls, or the session is on another machine or a foreign server's.
    """
    found = getattr(player, "approve", None)
    if found is None:
        raise BadInput(
            "With consent=call the user approves each change, and this user has no method `approve`; take another "
            "user, or consent=words."
        )
    if own_session(session) is None:
        raise BadInput(
            "With consent=call the session is this process's own; leave out --sandbox, or take consent=words."
        )
    return cast(Approve, found)
