"""Consent by call over MCP: each change is shown to the client's person by elicitation before it is made.

An MCP session has no user of ours, so the client must have one. On a connection that began with a handshake the client
is sent a request; without one the call is answered by a question, and comes again with the answer.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Awaitable, Callable

import anyio
import mcp_types as types
from mcp.server.elicitation import render_elicitation_schema
from mcp.server.session import ServerSession
from mcp.shared.exceptions import MCPError
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic import BaseModel, Field, ValidationError

from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.kit.text import escaped
from toolgym.sandbox.kit.tool import Failure, ToolResult
from toolgym.sandbox.runtime.approval import DECLINED, Shown, shown_call
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.server.events import call_digest

SECONDS = 600.0
"""What a person may take to answer on a connection; then the call is not made."""
_KEY = "approval"
_NEEDED = (
    "This session runs with consent=call and shows each change to a person: connect with a client that offers "
    + ("elicitation by forms, or start the server without --consent call.")
)
_ROUNDS = (
    "This session runs with consent=call, and over HTTP nothing can be asked between requests: connect with a client "
    + ("of protocol 2026-07-28, whose calls are answered by a question, or over stdio: toolgym mcp --consent call.")
)
Make = Callable[[ToolCall, Failure | None, str | None], Awaitable[ToolResult]]
"""Makes a call, or records why it is not made; with the same key it is done once and answered as before."""


class Answer(BaseModel):
    """What the person fills in."""

    approve: bool = Field(description="whether the call may be made")
    reason: str = Field("", description="what is wrong with it, for the agent")


class Approvals:
    """The approvals of one session. What was asked is known by the question itself, so any process may get the answer.

    Args:
        session: whose calls are shown.
        make: makes them.
        connected: whether clients that begin with a handshake can be sent a request.
        seconds: what a person may take on a connection.
    """

    def __init__(self, session: Session, make: Make, *, connected: bool, seconds: float = SECONDS) -> None:
        self._session, self._make, self._connected, self._seconds = session, make, connected, seconds

    async def call(
        self, client: ServerSession, params: types.CallToolRequestParams
    ) -> ToolResult | types.InputRequiredResult:
        """Make a call of the agent's once the person has agreed, or at once where that is not needed.

        Raises:
            MCPError: what is sent belongs to no question that was asked.
        """
        call = ToolCall(name=params.name, arguments=params.arguments or {})
        if params.request_state is not None:
            return await self._answered(call, params)
        tool = self._session.tools_of("agent").get(call.name)
        shown = shown_call(self._session, tool, call) if tool is not None and tool.confirm else None
        if shown is None:
            return await self._make(call, None, None)
        form = _form(shown)
        if client.protocol_version in HANDSHAKE_PROTOCOL_VERSIONS:
            return await self._make(call, self._objection(await self._reply(client, form)), None)
        state = f"{secrets.token_urlsafe(12)}.{_digest(call)}"
        return types.InputRequiredResult(input_requests={_KEY: types.ElicitRequest(params=form)}, request_state=state)

    def require_possible(self, client: ServerSession, offered: types.ClientCapabilities | None) -> None:
        """Refuse a client that cannot ask its person.

        Raises:
            MCPError: it offers no elicitation, or by addresses only; or it would have to be asked on a connection.
        """
        if not self._connected and client.protocol_version in HANDSHAKE_PROTOCOL_VERSIONS:
            raise MCPError(types.MISSING_REQUIRED_CLIENT_CAPABILITY, _ROUNDS)
        elicitation = offered.elicitation if offered is not None else None
        if elicitation is None or (elicitation.form is None and elicitation.url is not None):
            raise MCPError(types.MISSING_REQUIRED_CLIENT_CAPABILITY, _NEEDED)

    async def _reply(self, client: ServerSession, form: types.ElicitRequestFormParams) -> types.ElicitResult | None:
        """The person's answer; None where there is none in time."""
        with anyio.move_on_after(self._seconds):
            return await client.elicit_form(form.message, form.requested_schema)
        return None

    async def _answered(self, call: ToolCall, params: types.CallToolRequestParams) -> ToolResult:
        """The result of a call that comes back with the answer; one that comes twice is made once."""
        state, reply = params.request_state or "", (params.input_responses or {}).get(_KEY)
        if state.rpartition(".")[2] != _digest(call) or not isinstance(reply, types.ElicitResult):
            raise MCPError(types.INVALID_PARAMS, "This answers no question about this call; make the call anew.")
        return await self._make(call, self._objection(reply), f"{_KEY} {state}")

    def _objection(self, reply: types.ElicitResult | None) -> Failure | None:
        """Why a call is not made: it is after a yes in so many words, and after nothing else."""
        if reply is None:
            return Failure(DECLINED, f"The user has not answered in {self._seconds:g} s; the call was not made.")
        if reply.action != "accept":
            return Failure(DECLINED, "The user said no.")
        try:
            answer = Answer.model_validate(reply.content)
        except ValidationError:
            return Failure(DECLINED, "The user's answer could not be read; the call was not made.")
        if answer.approve:
            return None
        return Failure(DECLINED, escaped(answer.reason).strip() or "The user said no.")


def approvals_here(session: Session, seconds: float = SECONDS) -> Approvals:
    """The approvals of a session in this process, over a connection."""
    made: dict[str, ToolResult] = {}

    async def make(call: ToolCall, objection: Failure | None, key: str | None) -> ToolResult:
        if key is not None and key in made:
            return made[key]
        if objection is None:
            result = session.call(call.name, call.arguments)
        else:
            result = session.decline(call.name, call.arguments, objection.code, objection.message)
        if key is not None:
            made[key] = result
        return result

    return Approvals(session, make, connected=True, seconds=seconds)


def _digest(call: ToolCall) -> str:
    return call_digest(call.name, call.arguments, "agent")


def _form(shown: Shown) -> types.ElicitRequestFormParams:
    told = {"arguments": shown.arguments} | ({"rows": shown.rows} if shown.rows else {})
    message = f"{shown.tool} is about to be called. Do you approve?\n{json.dumps(told, indent=2, ensure_ascii=False)}"
    return types.ElicitRequestFormParams(message=message, requested_schema=render_elicitation_schema(Answer))
