"""One session as an MCP server: its tools, with annotations and structured output, and its policy.

Independent of transport; `sandbox.server.command` serves it over stdio. A refusal is a tool result with `is_error`,
never a protocol error, so that the agent can read it and go on.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import Any, Literal

import mcp_types as types
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError

from sandbox.errors import InfrastructureError
from sandbox.message import Json
from sandbox.session import Session
from sandbox.tool import Tool, ToolResult

POLICY = "policy"


def build(session: Session, *, by: Literal["agent", "user"] = "agent") -> Server[Any]:
    """A server for one session.

    Args:
        session: the private world that its calls act on.
        by: whose tools to show.
    """
    domain = session.domain
    tools = domain.tools if by == "agent" else domain.user_tools
    policy = domain.policy_for(session.data)
    address = f"toolgym://{domain.name}/{POLICY}"

    async def list_tools(context: Any, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[describe(tool) for tool in tools.values()])

    async def call_tool(context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        try:
            return answer(session.call(params.name, params.arguments or {}, by=by))
        except InfrastructureError as error:
            raise MCPError(types.INTERNAL_ERROR, error.message) from error

    async def list_resources(context: Any, params: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        about = types.Resource(uri=address, name=POLICY, description="The rules to follow.", mime_type="text/markdown")
        return types.ListResourcesResult(resources=[about])

    async def read_resource(context: Any, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        if str(params.uri) != address:
            raise MCPError(types.INVALID_PARAMS, f"There is no resource {params.uri}; there is {address}.")
        content = types.TextResourceContents(uri=address, mime_type="text/markdown", text=policy)
        return types.ReadResourceResult(contents=[content])

    async def list_prompts(context: Any, params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=[types.Prompt(name=POLICY, description="The rules to follow.")])

    async def get_prompt(context: Any, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        if params.name != POLICY:
            raise MCPError(types.INVALID_PARAMS, f"There is no prompt {params.name!r}; there is {POLICY!r}.")
        text = types.TextContent(type="text", text=policy)
        return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=text)])

    return Server(
        f"toolgym-{domain.name}",
        version=version("toolgym"),
        title=domain.title,
        instructions=policy,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )


def describe(tool: Tool) -> types.Tool:
    """A tool as MCP lists it; results that are no object are wrapped as `{"result": ...}`, as older protocols ask."""
    output = tool.returns
    if output is not None and output.get("type") != "object":
        output = {"type": "object", "properties": {"result": output}, "required": ["result"]}
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
    """A result as MCP carries it: the text that an agent reads, and the structured value or refusal."""
    structured: Json = result.value if isinstance(result.value, dict) else {"result": result.value}
    if result.error is not None:
        structured = {"code": result.error.code, "message": result.error.message}
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=result.text)],
        structured_content=structured,
        is_error=not result.ok,
    )
