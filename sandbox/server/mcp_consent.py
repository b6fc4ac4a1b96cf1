"""Consent by call over MCP: each change is shown to the client's person by elicitation before it is made.

An MCP session has no user of ours, so the client must have one. On a connection that began with a handshake the client
is sent a request; without one the call is answered by a question, and comes again with the answer.
"""

from __future__ import annotations

import json
import secrets

import anyio
import mcp_types as types
from mcp.server.elicitation import render_elicitation_schema
from mcp.server.session import ServerSession
from mcp.shared.exceptions import MCPError
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic import BaseModel, Field, ValidationError

from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.kit.text import escaped
from toolgym.sandbox.kit.tool import ToolResult
from toolgym.sandbox.runtime.approval import DECLINED, Shown, shown_call
from toolgym.sandbox.runtime.session import Session

SECONDS = 600.0
"""What a person may take to answer on a connection; then the call is not made."""
_KEY = "approval"
_NEEDED = (
    "This session runs with consent=call and shows each change to a person: connect with a client that offers "
    + ("elicitation by forms, or start the server without --consent call.")
)


class Answer(BaseModel):
    """What the person fills in."""

    approve: bool = Field(description="whether the call may be made")
    reason: str = Field("", description="what is wrong with it, for the agent")


class Approvals:
    """The approvals of one session in this process.

    Args:
        session: whose calls are shown.
        seconds: what a person may take on a connection.
    """

    def __init__(self, session: Session, seconds: float = SECONDS) -> None:
        self._session, self._seconds = session, seconds
        self._asked: dict[str, ToolCall] = {}
        self._made: dict[str, ToolResult] = {}

    async def call(
        self, client: ServerSession, params: types.CallToolRequestParams
    ) -> ToolResult | types.InputRequiredResult:
        """Make a call of the agent's once the person has agreed, or at once where that is not needed.

        Raises:
            MCPError: what is sent belongs to no question that was asked.
        """
        call = ToolCall(name=params.name, arguments=params.arguments or {})
        if params.request_state is not None:
            return self._answered(call, params)
        tool = self._session.tools_of("agent").get(call.name)
        shown = shown_call(self._session, tool, call) if tool is not None and tool.confirm else None
        if shown is None:
            return self._session.call(call.name, call.arguments)
        form = _form(shown)
        if client.protocol_version in HANDSHAKE_PROTOCOL_VERSIONS:
            return self._decided(call, await self._reply(client, form))
        state = secrets.token_urlsafe(12)
        self._asked[state] = call
        return types.InputRequiredResult(input_requests={_KEY: types.ElicitRequest(params=form)}, request_state=state)

    async def _reply(self, client: ServerSession, form: types.ElicitRequestFormParams) -> types.ElicitResult | None:
        """The person's answer; None where there is none in time."""
        with anyio.move_on_after(self._seconds):
            return await client.elicit_form(form.message, form.requested_schema)
        return None

    def _answered(self, call: ToolCall, params: types.CallToolRequestParams) -> ToolResult:
        """The result of a call that comes back with the answer; one that comes twice is made once."""
        state, reply = params.request_state or "", (params.input_responses or {}).get(_KEY)
        if state in self._made:
            return self._made[state]
        if self._asked.get(state) != call or not isinstance(reply, types.ElicitResult):
            raise MCPError(types.INVALID_PARAMS, "This answers no question about this call; make the call anew.")
        del self._asked[state]
        result = self._made[state] = self._decided(call, reply)
        return result

    def _decided(self, call: ToolCall, reply: types.ElicitResult | None) -> ToolResult:
        """What came of a call: it is made after a yes in so many words, and after nothing else."""
        if reply is None:
            return self._declined(call, f"The user has not answered in {self._seconds:g} s; the call was not made.")
        if reply.action != "accept":
            return self._declined(call, "The user said no.")
        try:
            answer = Answer.model_validate(reply.content)
        except ValidationError:
            return self._declined(call, "The user's answer could not be read; the call was not made.")
        if not answer.approve:
            return self._declined(call, escaped(answer.reason).strip() or "The user said no.")
        return self._session.call(call.name, call.arguments)

    def _declined(self, call: ToolCall, sentence: str) -> ToolResult:
        return self._session.decline(call.name, call.arguments, DECLINED, sentence)


def require_elicitation(offered: types.ClientCapabilities | None) -> None:
    """Refuse a client that cannot ask its person.

    Raises:
        MCPError: it offers no elicitation, or by addresses only.
    """
    elicitation = offered.elicitation if offered is not None else None
    if elicitation is None or (elicitation.form is None and elicitation.url is not None):
        raise MCPError(types.MISSING_REQUIRED_CLIENT_CAPABILITY, _NEEDED)


def _form(shown: Shown) -> types.ElicitRequestFormParams:
    told = {"arguments": shown.arguments} | ({"rows": shown.rows} if shown.rows else {})
    message = f"{shown.tool} is about to be called. Do you approve?\n{json.dumps(told, indent=2, ensure_ascii=False)}"
    return types.ElicitRequestFormParams(message=message, requested_schema=render_elicitation_schema(Answer))
