"""The MCP door: the SDK's own client, in both protocol eras, needs nothing but a session's address."""

import json
from typing import Any

import httpx2
import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError
from opentelemetry.trace import NoOpTracerProvider
from toolgym_server import Running

from toolgym.sandbox.server.mcp_tools import build

ERAS = ["legacy", "2026-07-28"]
ORDER: dict[str, Any] = {"lines": [{"part_id": "P1", "pieces": 2}], "address": {"city": "Oslo", "tags": []}}
EMPTY: dict[str, Any] = {"lines": [{"part_id": "P1", "pieces": 99}] * 2, "address": {"city": "Oslo", "tags": []}}


def client(server: Running, path: str, era: str, side: str = "") -> Client:
    return Client(f"{server.url}{path}{side}/mcp", mode=era)  # type: ignore[arg-type]


@pytest.mark.parametrize("era", ERAS)
async def test_calls_are_those_of_rest(server: Running, era: str) -> None:
    one, two = server.open(seed=5), server.open(seed=5)
    calls: list[tuple[str, dict[str, Any]]] = [
        ("list_stock", {}),
        ("order_parts", ORDER),
        ("order_parts", EMPTY),
        ("order_parts", {"lines": 1}),
        ("nonsense", {}),
        ("print_catalogue", {"pages": 1}),
        ("print_catalogue", {"pages": 2000}),
    ]
    async with client(server, one, era) as mcp:
        for name, arguments in calls:
            rest = server.request("POST", f"{two}/workshop/{name}", json=arguments).json()
            got = await mcp.call_tool(name, arguments)
            text = got.content[0].text  # type: ignore[union-attr]
            assert got.is_error == (not rest["ok"])
            if rest["ok"]:
                value = rest["value"]
                assert text == (value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
                assert got.structured_content == (value if isinstance(value, dict) else {"result": value})
            else:
                assert got.structured_content is None and got.meta is not None
                assert got.meta["toolgym/error"] == rest["error"]
                assert text == f"Error: {rest['error']['message']} [{rest['error']['code']}]"
    assert server.request("GET", f"{one}/digest").json() == server.request("GET", f"{two}/digest").json()
    logs = [server.request("GET", f"{path}/log").json()["calls"] for path in (one, two)]
    assert [call | {"seconds": 0} for call in logs[0]] == [call | {"seconds": 0} for call in logs[1]]


@pytest.mark.parametrize("era", ERAS)
async def test_tools_policy_and_prompt(server: Running, era: str) -> None:
    async with client(server, server.open(), era) as mcp:
        tools = {tool.name: tool for tool in (await mcp.list_tools()).tools}
        assert len(tools) == 5
        order, stock = tools["order_parts"], tools["list_stock"]
        assert order.annotations is not None and stock.annotations is not None
        assert order.annotations.destructive_hint and not order.annotations.read_only_hint
        assert stock.annotations.read_only_hint and stock.annotations.idempotent_hint
        assert order.input_schema["properties"]["lines"]["items"]["required"] == ["part_id", "pieces"]
        resource = (await mcp.list_resources()).resources[0]
        text = (await mcp.read_resource(str(resource.uri))).contents[0].text  # type: ignore[union-attr]
        assert text == "# Workshop policy\n\nBe careful."
        assert (await mcp.get_prompt("policy")).messages[0].content.text == text  # type: ignore[union-attr]
        with pytest.raises(MCPError, match="no resource"):
            await mcp.read_resource("toolgym://workshop/secrets")


@pytest.mark.parametrize("era", ERAS)
async def test_the_users_side(server: Running, era: str) -> None:
    path = server.open()
    async with client(server, path, era, "/user") as mcp:
        assert {tool.name for tool in (await mcp.list_tools()).tools} == {"switch_lamp", "look_at_lamp"}
        assert (await mcp.call_tool("switch_lamp", {"lit": True})).structured_content == {"result": "done"}
        assert (await mcp.call_tool("list_stock", {})).is_error
    none = server.request("POST", f"{server.open('kiosk')}/user/mcp", json={})
    assert none.status_code == 404 and "the user holds no tools" in none.json()["error"]["message"]


@pytest.mark.parametrize("era", ERAS)
async def test_a_key_in_the_calls_meta_applies_it_once(server: Running, era: str) -> None:
    path = server.open()
    async with client(server, path, era) as mcp:
        key: Any = {"toolgym/idempotency-key": "once"}
        first = await mcp.call_tool("order_parts", ORDER, meta=key)
        second = await mcp.call_tool("order_parts", ORDER, meta=key)
        assert first.structured_content == second.structured_content
        with pytest.raises(MCPError, match="1 to 200 characters"):
            await mcp.call_tool("order_parts", ORDER, meta={"toolgym/idempotency-key": ""})  # type: ignore[arg-type]
    assert len(server.request("GET", f"{path}/log").json()["calls"]) == 1


@pytest.mark.parametrize("era", ERAS)
async def test_what_is_no_refusal_is_a_protocol_error(server: Running, era: str) -> None:
    path = server.open()
    async with client(server, path, era) as mcp:
        with pytest.raises(MCPError, match=r"The tool is broken; nothing was applied\."):
            await mcp.call_tool("drop_everything", {})
        server.request("DELETE", path)
        with pytest.raises(MCPError):
            await mcp.call_tool("list_stock", {})


def test_a_raw_client(server: Running, http: httpx2.Client) -> None:
    path = f"{server.open()}/mcp"
    accept = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25"}
    assert http.get(path, headers=accept).status_code == 405
    call = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "list_stock", "arguments": {}}}
    answer = http.post(path, json=call, headers=accept)
    assert answer.json()["id"] == 7 and answer.json()["result"]["structuredContent"]["P1"] == 100
    for body in ("{", "[]", '{"jsonrpc": "1.0"}', '{"jsonrpc": "2.0", "id": 1, "method": 5}', "[" * 500):
        wrong = http.post(path, content=body, headers=accept | {"content-type": "application/json"})
        assert wrong.status_code == 400, body
    for identifier, told in ((7, 7), ("a", "a"), (True, None), ([], None)):
        wrong = http.post(path, json=call | {"id": identifier, "params": []}, headers=accept).json()
        assert wrong["error"]["code"] == -32600 and wrong["id"] == told
    gone = http.post("/sessions/guess/mcp", json=call, headers=accept)
    assert gone.status_code == 404 and "no such session" in gone.json()["error"]["message"]


def test_messages_are_traced_where_traces_are_collected(monkeypatch: pytest.MonkeyPatch) -> None:
    def middleware() -> int:
        return len(build(lambda context: None).middleware)  # type: ignore[arg-type,return-value]

    untraced = middleware()
    monkeypatch.setattr("toolgym.sandbox.server.mcp_tools.get_tracer_provider", NoOpTracerProvider)
    assert middleware() == untraced + 1


def test_what_the_transport_itself_answers(server: Running, http: httpx2.Client) -> None:
    path = f"{server.open()}/mcp"
    call = {"jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": {"name": "list_stock", "arguments": {}}}
    told = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "x"}}
    envelope = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
    envelope["io.modelcontextprotocol/clientCapabilities"] = {}  # type: ignore[assignment]
    stateless = call | {"params": {"name": "list_stock", "arguments": {}, "_meta": envelope}}
    old = [("content-type", "application/json"), ("accept", "application/json")]
    new = [*old, ("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", "list_stock")]

    def answer(body: object, headers: list[tuple[str, str]]) -> tuple[int, int | None]:
        got = http.post(path, content=json.dumps(body), headers=headers)
        return got.status_code, got.json().get("error", {}).get("code") if got.content else None

    assert answer(call, old) == (200, None)
    assert answer(stateless, new) == (200, None)
    assert answer(call, [*old[:1], ("accept", "text/html"), ("accept", "application/*;q=0.1")]) == (200, None)
    assert answer(call, [("content-type", "text/plain"), *old[1:]]) == (415, -32600)
    assert answer(call, [*old[:1], ("accept", "text/event-stream")]) == (406, -32600)
    assert answer([call], old) == answer([stateless], new) == (400, -32600)
    assert answer(told, old) == answer(told, new) == (202, None)
    assert answer({"jsonrpc": "2.0", "id": 1, "result": {}}, old) == (202, None)
    assert answer({"jsonrpc": "2.0", "id": 1, "result": {}}, new) == (400, -32600)
    assert answer(told, [*old, ("mcp-protocol-version", "1999-01-01")]) == (400, -32022)
    assert answer(call, new) == (400, -32602)  # it says less than a stateless request must
    assert answer(stateless, new[:-1]) == (400, -32020)
    assert answer(stateless, [*new, ("mcp-name", "list_stock")]) == (400, -32020)
    assert answer(call | {"method": "tools/destroy"}, old) == (200, -32601)
    assert answer(call | {"params": {"name": 7}}, old) == (200, -32602)
    nowhere = [*new[:-2], ("mcp-method", "tools/destroy")]
    assert answer(stateless | {"method": "tools/destroy"}, nowhere) == (404, -32601)
