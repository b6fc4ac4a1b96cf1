"""The human user: sees the scenario and the agent's words, types, and can always leave."""

import asyncio
import io

import pytest
from rich.console import Console

from sandbox.domain import get_domain
from sandbox.message import STOP, Message
from sandbox.roles import make_user


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
