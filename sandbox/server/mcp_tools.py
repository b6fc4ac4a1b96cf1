"""Sessions as an MCP server: tools with annotations and structured output, and the policy in all the ways MCP knows.

Independent of transport: what a request acts on is found by the function given to `build`. A refusal is a tool result
with `is_error`, never a protocol error, so that the agent can read it and go on.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib.metadata import version
from typing import Any

import mcp_types as types
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError
from opentelemetry.trace import ProxyTracerProvider, get_tracer_provider

from toolgym.sandbox.kit.message import Json, Party
from toolgym.sandbox.kit.text import is_plain
from toolgym.sandbox.kit.tool import Failure, Tool, ToolResult, ToolSet
from toolgym.sandbox.runtime.approval import with_consent
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.server.mcp_consent import Approvals

POLICY = "policy"
KEY_META = "toolgym/idempotency-key"
"""Name in a call's `_meta`: a repeated call with the same key is applied once."""
STORAGE_FAILED: dict[str, Json] = {"code": "storage_failed"}
"""The `data` of a JSON-RPC error that says: the server cannot keep the call now, nothing was applied, try again."""
ERROR_META = "toolgym/error"
"""Name in a refused call's `_meta`: the refusal's code and sentence."""

Context = ServerRequestContext[Any, Any]


class World:
    """What a request acts on: one side of one session.

    Args:
        session: the session.
        by: whose tools to show.
        call: makes a call, given name, arguments and idempotency key.
        approvals: shows each change to the client's person first; None where a yes is given in words.
    """

    def __init__(
        self,
        session: Session,
        by: Party,
        call: Callable[[str, dict[str, Json], str | None], Awaitable[ToolResult]],
        approvals: Approvals | None = None,
    ) -> None:
        self._session, self.by, self.call, self.approvals = session, by, call, approvals

    @property
    def tools(self) -> ToolSet:
        """The tools of this side."""
        return self._session.tools_of(self.by)

    @property
    def policy(self) -> str:
        """The rules to follow."""
        session = self._session
        told = session.domain.policy_for(session.data, version=session.database.version)
        return told if self.approvals is None else with_consent(told, "call")

    @property
    def address(self) -> str:
        """The policy's address as a resource."""
        return f"toolgym://{self._session.domain.name}/{POLICY}"


def local_world(session: Session, by: Party, approvals: Approvals | None = None) -> World:
    """A session in this process."""

    async def call(name: str, arguments: dict[str, Json], key: str | None) -> ToolResult:
        return session.call(name, arguments, by=by)

    return World(session, by, call, approvals)


def build(find: Callable[[Context], World]) -> Server[Any]:
    """The server; `find` says what a request acts on."""

    async def list_tools(context: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[describe(tool) for tool in find(context).tools.values()])

    async def call_tool(
        context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        key = (context.meta or {}).get(KEY_META)
        if key is not None and not (isinstance(key, str) and 1 <= len(key) <= 200 and is_plain(key)):
            raise MCPError(types.INVALID_PARAMS, f"_meta.{KEY_META} must be Unicode text of 1 to 200 characters.")
        world = find(context)
        if world.approvals is None:
            return answer(await world.call(params.name, params.arguments or {}, key))
        found = await world.approvals.call(context.session, params)
        return answer(found) if isinstance(found, ToolResult) else found

    async def list_resources(
        context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        about = types.Resource(
            uri=find(context).address, name=POLICY, description="The rules to follow.", mime_type="text/markdown"
        )
        return types.ListResourcesResult(resources=[about])

    async def read_resource(context: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        world = find(context)
        if str(params.uri) != world.address:
            raise MCPError(types.INVALID_PARAMS, f"There is no resource {params.uri}; there is {world.address}.")
        content = types.TextResourceContents(uri=world.address, mime_type="text/markdown", text=world.policy)
        return types.ReadResourceResult(contents=[content])

    async def list_prompts(context: Context, params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=[types.Prompt(name=POLICY, description="The rules to follow.")])

    async def get_prompt(context: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        if params.name != POLICY:
            raise MCPError(types.INVALID_PARAMS, f"There is no prompt {params.name!r}; there is {POLICY!r}.")
        text = types.TextContent(type="text", text=find(context).policy)
        return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=text)])

    async def instruct(ctx: Context, call_next: CallNext) -> HandlerResult:
        approvals = find(ctx).approvals
        if approvals is not None and ctx.request_id is not None:
            approvals.require_possible(ctx.session, _offered(ctx))
        result = await call_next(ctx)
        if ctx.method in {"initialize", "server/discover"} and isinstance(result, dict):
            result["instructions"] = find(ctx).policy
        return result

    server: Server[Any] = Server(
        "toolgym",
        version=version("toolgym"),
        title="toolgym",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )
    if isinstance(get_tracer_provider(), ProxyTracerProvider):
        server.middleware.clear()  # the SDK's tracing: spans that nobody collects take a seventh of a call
    server.middleware.append(instruct)
    return server


def _offered(context: Context) -> types.ClientCapabilities | None:
    """What the client says that it can do."""
    if context.method != "initialize":
        return context.session.client_capabilities
    return types.ClientCapabilities.model_validate((context.params or {}).get("capabilities") or {})


def describe(tool: Tool) -> types.Tool:
    """A tool as MCP lists it; results that are no object are wrapped as `{"result": ...}`, as older protocols ask."""
    output = tool.returns
    if output is not None:
        objects = {option.get("type") == "object" for option in output.get("anyOf", [output])}
        wrapped = {"type": "object", "properties": {"result": output}, "required": ["result"]}
        output = None if len(objects) > 1 else {"type": "object"} | output if True in objects else wrapped
    hints = types.ToolAnnotations(
        read_only_hint=tool.kind != "write",
        destructive_hint=tool.kind == "write",
        idempotent_hint=tool.kind != "write",
        open_world_hint=False,
    )
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.parameters,
        output_schema=output,
        annotations=hints,
    )


def answer(result: ToolResult) -> types.CallToolResult:
    """A result as MCP carries it: the text that an agent reads, and beside it the structured value or refusal.

    A refusal is no structured content: that must always be what the tool's result schema describes, and clients that
    check it would show their user a broken protocol in place of the refusal.
    """
    text: list[types.ContentBlock] = [types.TextContent(type="text", text=result.text)]
    if result.error is not None:
        refusal = {"code": result.error.code, "message": result.error.message}
        return types.CallToolResult(content=text, is_error=True, _meta={ERROR_META: refusal})
    structured: Json = result.value if isinstance(result.value, dict) else {"result": result.value}
    return types.CallToolResult(content=text, structured_content=structured)


def declined(code: str, message: str) -> ToolResult:
    """A refusal that the server makes itself (limits), in the form of a tool's own."""
    return ToolResult(error=Failure(code, message))
