"""Other people's requests without a fitting tool: both files' forms, told apart in the card, playable in training."""

import json
from pathlib import Path

import pytest
from taught import lines

from toolgym.cli import main
from toolgym.sandbox.kit.task import read_tasks
from toolgym.sandbox.runtime import foreign_domain
from toolgym.sandbox.runtime.trajectory import read_trajectories
from toolgym.sandbox.synthesis.teaching import abstentions
from toolgym.training.loop.sessions import _foreign
from toolgym.training.recipe import RECORDED, setup

STATIONS = {
    "name": "stations.near",
    "description": "Finds charging stations.",
    "parameters": {
        "type": "dict",
        "properties": {
            "region": {"type": "str, optional", "description": "a region", "default": "us"},
            "kinds": {"type": "List[str]"},
        },
    },
    "required": ["region"],
}
TIDES = {"name": "tides", "description": "Tides of a port.", "parameters": {"port": {"type": "str"}}}


def when2call(path: Path, count: int) -> Path:
    """As `train/when2call_train_sft.jsonl` has it, beside rows of no use: no tools, a call, a question, a repeat."""
    rows = [_when2call(f"What is trending in town {number}?", [json.dumps(STATIONS)]) for number in range(count)]
    rows += [rows[0], _when2call("Hello?", []), _when2call("Near me?", [STATIONS], "<TOOLCALL>[]</TOOLCALL>")]
    rows += [_when2call("And here?", [STATIONS], "Where are you?")]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def _when2call(asked: str, tools: list, said: str = "Apologies, I cannot look up trends.") -> dict:
    messages = [{"role": "user", "content": asked}, {"role": "assistant", "content": said}]
    return {"tools": tools, "messages": messages}


def xlam(path: Path, count: int) -> Path:
    """As xLAM-Irrelevance's JSON file has it: lists as text, no words of an assistant."""
    rows = [
        {"id": number, "query": f"Bake {number} loaves.", "tools": json.dumps([TIDES, STATIONS]), "answers": "[]"}
        for number in range(count)
    ]
    path.write_text(
        json.dumps([*rows, {**rows[0], "query": "High tide?", "answers": '[{"name": "tides"}]'}]), encoding="utf-8"
    )
    return path


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    files = [str(when2call(folder / "when2call.jsonl", 12)), str(xlam(folder / "xlam.json", 8))]
    knobs = ["--irrelevant", "0.5", "--missing-function", "0", "--distractors", "0"]
    command = ["synth", "kiosk", "--count", "20", *knobs, "--abstentions", *files, "--out", str(folder / "rows")]
    assert main(command) == 0
    return folder / "rows"


def test_both_files_stand_for_our_own_requests_in_the_papers_shares(made: Path) -> None:
    card = json.loads((made / "card.json").read_text())
    assert card["rows by origin"] == {"When2Call": 7, "made here": 10, "xLAM-Irrelevance": 3}
    assert card["rows by family"] == {"chain": 10, "irrelevant": 10}
    assert "| xLAM-Irrelevance | 3 |" in (made / "card.md").read_text()
    assert {row["origin"] for row in lines(made / "hub" / "data" / "train.jsonl")} >= {"When2Call", "made here"}


def test_their_schemas_are_json_schema_and_the_assistant_calls_nothing(made: Path) -> None:
    foreign_domain.take_up(made)
    rows = [row for row in read_trajectories(made / "trajectories.jsonl") if "origin" in row.task.metadata]
    assert len(rows) == 10 and not any(row.calls or row.task.gold for row in rows)
    listed = json.loads((made / "world.json").read_text())["worlds"]
    tools = {tool["name"]: tool["parameters"] for world in listed for tool in world["tools"]}
    assert tools["stations.near"]["properties"]["region"]["type"] == "string"
    assert tools["stations.near"]["properties"]["kinds"]["type"] == "array"
    assert tools["stations.near"]["required"] == ["region"] and tools["tides"]["properties"] == {
        "port": {"type": "string"}
    }


def test_training_plays_them_with_tools_behind_which_nothing_runs(made: Path) -> None:
    settings = setup("prove", [f"data={made}", "model=x"]).settings
    assert settings.user == RECORDED and settings.servers == made and "kiosk" in settings.env
    world = next(name for name in settings.env if name.startswith("mcp-"))
    task = read_tasks(made / "tasks" / f"{world}.jsonl")[0]
    session = _foreign(str(made), task)
    refused = session.call(task.tools[0], {})
    assert refused.error is not None and refused.error.code == "not_available" and len(session.log) == 1


def test_a_test_of_when2calls_and_another_file_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mcq = tmp_path / "mcq.jsonl"
    mcq.write_text(json.dumps({"uuid": "1", "correct_answer": "direct", "question": "?", "tools": []}))
    other = tmp_path / "other.json"
    other.write_text('[{"text": "x"}]')
    for file, said in (
        (mcq, "is a test of When2Call's"),
        (other, "neither of When2Call"),
        (tmp_path, "cannot be read"),
    ):
        assert main(["synth", "kiosk", "--abstentions", str(file), "--out", str(tmp_path / "rows")]) == 2
        told = capsys.readouterr().err
        assert said in told and told.count("\n") == 1
    few = str(xlam(tmp_path / "few.json", 2))
    assert (
        main(
            [
                "synth",
                "kiosk",
                "--irrelevant",
                "1",
                "--missing-function",
                "0",
                "--abstentions",
                few,
                "--out",
                str(tmp_path / "rows"),
            ]
        )
        == 2
    )
    assert "28 requests of xLAM-Irrelevance are needed, and its file holds 2" in capsys.readouterr().err


def test_the_same_seed_draws_the_same_requests(tmp_path: Path) -> None:
    found = abstentions.read(when2call(tmp_path / "rows.jsonl", 30))
    assert found.origin == "When2Call" and len(found.found) == 30
    draws = [[made.trajectory.task.scenario for made in abstentions.rows(found, 5, seed)[1]] for seed in (0, 0, 1)]
    assert draws[0] == draws[1] != draws[2]
