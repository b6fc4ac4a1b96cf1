"""The human user: sees the scenario and the agent's words, types, and can always leave."""

import asyncio
import io

import pytest
from rich.console import Console

from toolgym.sandbox.kit.message import STOP, Message
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import make_user


def play(monkeypatch: pytest.MonkeyPatch, typed: str, *agent: str) -> tuple[list[str], str]:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    console = Console(file=io.StringIO(), width=100)

    async def run() -> list[str]:
        player = make_user("human", {"console": console}).open(get_domain("kiosk").tasks("train")[0], seed=0)
        said = [(await player.reply([])).content or ""]
        for line in agent:
            said.append((await player.reply([Message(role="assistant", content=line)])).content or "")
        return said

    said = asyncio.run(run())
    assert isinstance(console.file, io.StringIO)
    return said, console.file.getvalue()


def test_shows_the_scenario_and_passes_lines_on(monkeypatch: pytest.MonkeyPatch) -> None:
    said, shown = play(monkeypatch, "Hello\n\n  A2 please \n", "Which [seat]?")
    assert said == ["Hello", "A2 please"]
    assert "seat A2 on Friday" in shown and "Greta Olsen" in shown and "Which [seat]?" in shown


@pytest.mark.parametrize("typed", ["/quit\n", "", "\n"])
def test_quitting_ends_politely(monkeypatch: pytest.MonkeyPatch, typed: str) -> None:
    said, _ = play(monkeypatch, typed)
    assert said[0].endswith(STOP) and "goodbye" in said[0]


def test_a_person_calls_the_users_own_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = ("/tools", "/call toggle_data nonsense", '/call check_app_status {"app_name": "browser"}', "It is on.")
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(typed)))
    console = Console(file=io.StringIO(), width=100)
    domain = get_domain("telecom")

    async def run() -> list[Message]:
        user = make_user("human", {"console": console})
        player = user.open(domain.tasks("dev", "own")[0], seed=0, tools=domain.user_tools.to_openai())
        first = await player.reply([])
        result = Message(role="tool", name="check_app_status", tool_call_id="1", content="storage: yes")
        return [first, await player.reply([first, result])]

    called, said = asyncio.run(run())
    assert [(call.name, call.arguments, call.by) for call in called.tool_calls] == [
        ("check_app_status", {"app_name": "browser"}, "user")
    ]
    assert said.content == "It is on."
    assert isinstance(console.file, io.StringIO)
    shown = console.file.getvalue()
    assert "toggle_airplane_mode()" in shown and "JSON object" in shown and "check_app_status: storage: yes" in shown
