"""`toolgym mcp` with the SDK's own client, in both protocol eras, gives what a session in process gives."""

import json
import random
import subprocess
from typing import Any

import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError

from toolgym.cli import main
from toolgym.sandbox.remote.mcp_manager import TOOLGYM
from toolgym.sandbox.runtime.registry import names
from toolgym.sandbox.runtime.session import Session

ERAS = ["legacy", "2026-07-28"]
pytestmark = pytest.mark.slow


def server(*flags: str) -> StdioServerParameters:
    return StdioServerParameters(command=TOOLGYM[0], args=[*TOOLGYM[1:], "mcp", *flags])


def random_calls(count: int) -> list[tuple[str, dict[str, Any]]]:
    rng = random.Random(3)
    tickets, people = [f"T{n}" for n in range(99, 126)], ["Ada Moreau", "Greta Olsen", ""]
    made: list[tuple[str, dict[str, Any]]] = []
    for _ in range(count):
        name = rng.choice(["list_free_seats", "find_tickets", "reserve_ticket", "release_ticket", "nonsense"])
        both = {"ticket_id": rng.choice(tickets), "holder": rng.choice(people)}
        given = {
            "list_free_seats": {"evening": rng.choice(["Friday", "Monday"])},
            "find_tickets": {"holder": "Ada Moreau"},
        }
        made.append((name, given.get(name, both)))
    return made


@pytest.mark.parametrize("era", ERAS)
async def test_the_same_calls_give_the_same_results(era: str) -> None:
    with Session("kiosk") as session:
        async with Client(server("kiosk"), mode=era) as client:  # type: ignore[arg-type]
            for name, arguments in random_calls(80):
                expected = session.call(name, arguments)
                got = await client.call_tool(name, arguments)
                assert got.content[0].text == expected.text  # type: ignore[union-attr]
                assert got.is_error == (not expected.ok)
                if expected.error is not None:
                    assert got.structured_content is None and got.meta is not None
                    assert got.meta["toolgym/error"]["code"] == expected.error.code
                else:
                    value = expected.value if isinstance(expected.value, dict) else {"result": expected.value}
                    assert json.dumps(got.structured_content) == json.dumps(value)


@pytest.mark.parametrize("era", ERAS)
async def test_tools_policy_and_prompt(era: str) -> None:
    async with Client(server("retail"), mode=era) as client:  # type: ignore[arg-type]
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert len(tools) == 16
        cancel, look = tools["cancel_pending_order"], tools["get_order_details"]
        assert cancel.annotations is not None and cancel.annotations.destructive_hint
        assert look.annotations is not None and look.annotations.read_only_hint
        assert look.output_schema is not None and "payment_history" in look.output_schema["properties"]
        resource = (await client.list_resources()).resources[0]
        text = (await client.read_resource(str(resource.uri))).contents[0].text  # type: ignore[union-attr]
        assert text.startswith("# Retail service policy")
        assert (await client.get_prompt("policy")).messages[0].content.text == text  # type: ignore[union-attr]
        with pytest.raises(MCPError, match="no prompt 'other'"):
            await client.get_prompt("other")


async def test_two_processes_are_two_worlds() -> None:
    async with Client(server("kiosk")) as one, Client(server("kiosk")) as two:
        await one.call_tool("reserve_ticket", {"ticket_id": "T102", "holder": "Greta Olsen"})
        held = await two.call_tool("find_tickets", {"holder": "Greta Olsen"})
        assert held.structured_content == {"result": []}


def test_every_line_that_asks_is_answered() -> None:
    """Lines that are no JSON to the SDK: half of a surrogate pair, thousands of levels, garbage."""
    call = '"method": "tools/call", "params": {"name": "find_tickets", "arguments": {"id": 9, "holder": %s}}'
    lines = [
        '{"jsonrpc": "2.0", "id": 1, "method": "ping"}',
        '{"jsonrpc": "2.0", "id": 5, ' + call % r'"\ud800"' + "}",
        "{" + call % ("[" * 5000 + "]" * 5000) + ', "jsonrpc": "2.0", "id": "six"}',
        "garbage",
        "",
        r'{"jsonrpc": "2.0", "method": "notifications/odd", "params": {"a": "\ud800"}}',
        r'{"id": "\ud800", "jsonrpc": "2.0", "method": "ping"}',
        '{"jsonrpc": "2.0", "id": 7, "method": "ping"}',
    ]
    command = [server().command, *server("kiosk").args]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write("\n".join(lines) + "\n")
        process.stdin.flush()
        answers = [json.loads(process.stdout.readline()) for _ in range(6)]
        process.stdin.close()
    codes = [(answer["id"], answer.get("error", {}).get("code")) for answer in answers]
    expected = [("six", -32700), (1, None), (5, -32700), (7, None), (None, -32700), (None, -32700)]
    assert sorted(codes, key=str) == sorted(expected, key=str)
    assert process.returncode == 0


def configuration(capsys: pytest.CaptureFixture[str], *flags: str) -> dict[str, Any]:
    assert main(["mcp", *flags, "--config"]) == 0
    return dict(json.loads(capsys.readouterr().out)["mcpServers"])


async def test_the_printed_configuration_starts_the_server(capsys: pytest.CaptureFixture[str]) -> None:
    entry = configuration(capsys, "kiosk", "--seed", "3")["kiosk"]
    async with Client(StdioServerParameters(command=entry["command"], args=entry["args"])) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == set(Session("kiosk").domain.tools)


def test_the_configuration_names_every_world_without_one_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert set(configuration(capsys)) == set(names("domains"))


def test_a_world_must_be_named_to_be_served(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp"]) == 2 and "Name the world to serve: airline, banking" in capsys.readouterr().err
