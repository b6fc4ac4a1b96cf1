"""Rows of somebody's MCP servers: made, gated on three fresh starts, played again by their recorded users."""

import json
import sys
from pathlib import Path

import pytest
from taught import lines

from toolgym.cli import main
from toolgym.training.recipe import RECORDED, setup

pytestmark = pytest.mark.slow

SERVERS = Path(__file__).parents[3] / "servers"
LIBRARY = f"{sys.executable} {SERVERS / 'library_server.py'}"
PLAIN = ["--irrelevant", "0", "--missing-function", "0", "--distractors", "0"]


def test_rows_of_a_server_train_on_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["synth", "--mcp", LIBRARY, "--count", "2", *PLAIN, "--out", str(tmp_path / "rows")]) == 0
    told = capsys.readouterr().out
    assert "Will be called" in told and "Left alone" in told and "lend" in told
    row = lines(tmp_path / "rows" / "trajectories.jsonl")[0]
    assert row["task"]["domain"].startswith("mcp-") and any(row["task"]["metadata"]["needs"])
    made = setup("prove", [f"data={tmp_path / 'rows'}", "model=x"]).settings
    assert made.servers == tmp_path / "rows" and made.user == RECORDED
    assert made.env == (row["task"]["domain"],) and made.data == f"own:{tmp_path / 'rows' / 'tasks'}"
    listed = json.loads((tmp_path / "rows" / "servers.json").read_text())
    assert listed["servers"][0]["command"][0] == sys.executable and not listed["allow_writes"]


def test_several_servers_are_one_world_and_a_destructive_tool_is_never_called(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    programs = {name: str(SERVERS / f"{name}_server.py") for name in ("library", "odd")}
    given = {name: {"command": sys.executable, "args": [program]} for name, program in programs.items()}
    config = tmp_path / "servers.json"
    config.write_text(json.dumps({"mcpServers": given}))
    command = ["synth", "--mcp-config", str(config), "--allow-writes", "--count", "4", "--out", str(tmp_path / "rows")]
    assert main([*command, "--irrelevant", "0", "--missing-function", "0", "--distractors", "1"]) == 0
    assert "destructive: destroys" in capsys.readouterr().out
    for row in lines(tmp_path / "rows" / "trajectories.jsonl"):
        assert "destroys" not in {call["name"] for call in row["calls"]}
        assert {"lend", "shelves"} & set(row["task"]["tools"])


def test_a_server_that_only_writes_is_told_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["synth", "--mcp", f"{LIBRARY} empty", "--out", str(tmp_path / "rows")]) == 2
    assert "offers no tools" in capsys.readouterr().err
