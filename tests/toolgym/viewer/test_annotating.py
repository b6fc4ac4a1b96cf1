"""Scores that people give to turns: kept whatever happens, blind until given, compared with judges and one another."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from toolgym.cli import main
from toolgym.judge.annotation import file
from toolgym.judge.annotation.record import Annotation
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.viewer.server import application

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("viewer")]
HOME = "http://127.0.0.1:8020"
ORIGIN = {"origin": HOME}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = tmp_path_factory.mktemp("played") / "kiosk"
    assert main(["eval", "kiosk", "--agent", "rules", "--trials", "5", "--out", str(run)]) == 0
    return run


@pytest.fixture
def client(played: Path, tmp_path: Path) -> TestClient:
    shutil.copytree(played, tmp_path / "runs" / "kiosk")
    return TestClient(application(tmp_path / "runs"), base_url=HOME)


def folder(tmp_path: Path) -> RunFolder:
    return RunFolder(tmp_path / "runs" / "kiosk")


def state(client: TestClient, **wanted: Any) -> dict[str, Any]:
    answer = client.get("/api/annotations", params={"id": "kiosk", **wanted})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def give(client: TestClient, name: str, place: list[Any], said: int | None, **more: Any) -> Any:
    task, trial, turn = place[:3]
    body = {"id": "kiosk", "annotator": name, "task": task, "trial": trial, "turn": turn, "score": said} | more
    return client.post("/api/annotations", json=body, headers=ORIGIN)


def test_nothing_that_others_say_is_sent_before_all_asked_turns_are_scored(client: TestClient, tmp_path: Path) -> None:
    turns = state(client, annotator="Ada")["turns"]
    task = turns[0][0]
    own = [each for each in turns if each[:2] == [task, 0]]
    asked = {"id": "kiosk", "annotator": "Ada", "task": task, "trial": 0}
    assert give(client, "Bob", own[0], -1, reason="Bob's own reason").status_code == 200
    shown = client.get("/api/annotations/episode", params=asked).json()
    assert shown["told"] is None and shown["talk"]["messages"]
    hidden = {"scores": None, "reasons": [], "violations": []}
    assert {name: shown["talk"][name] for name in hidden} == hidden
    assert not {"passed", "why", "verdict", "rewards", "clean", "recorded"} & {*shown["talk"]}
    assert "Bob" not in json.dumps(shown)
    for each in own[:-1]:
        assert give(client, "Ada", each, 1).json() == {"told": None}
    told = give(client, "Ada", own[-1], 0).json()["told"]
    score = folder(tmp_path).scores()[task, 0]
    assert [told["judges"]["rules"][str(turn)][0] for turn in range(len(own))] == score["turns"]
    assert told["people"] == {"Bob": {"0": [-1, "Bob's own reason"]}} and told["passed"] == score["passed"]
    give(client, "Ada", own[0], 0)
    entries = file.read(folder(tmp_path).path).entries
    assert [entry.blind for entry in entries] == [True] * (1 + len(own)) + [False]


def test_the_last_score_counts_the_history_stays_and_a_score_is_taken_back(client: TestClient, tmp_path: Path) -> None:
    place = state(client, annotator="Ada")["turns"][0]
    for score, reason in ((1, ""), (0, " late "), (None, "")):
        assert give(client, "  Ada ", place, score, reason=reason).status_code == 200
        wanted = [score, reason.strip()] if score is not None else [None, ""]
        assert state(client, annotator="Ada")["turns"][0][3:] == [*wanted, False]
    lines = (folder(tmp_path).path / file.NAME).read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["score"] for line in lines] == [1, 0, None]


def test_a_score_of_a_record_that_changed_is_noticed(client: TestClient, tmp_path: Path) -> None:
    first, second = state(client, annotator="Ada")["turns"][:2]
    give(client, "Ada", first, 1), give(client, "Ada", second, 1)
    run = folder(tmp_path)
    record = json.loads(run.trajectories_file.read_text(encoding="utf-8").splitlines()[0])
    at = next(number for number, each in enumerate(record["messages"]) if each["role"] == "assistant")
    record["messages"][at]["content"] = "Something else."
    others = run.trajectories_file.read_text(encoding="utf-8").splitlines()[1:]
    run.trajectories_file.write_text("\n".join([json.dumps(record), *others]) + "\n", encoding="utf-8")
    turns = state(client, annotator="Ada")["turns"]
    assert [each[3:] for each in turns[:2]] == [[None, "", True], [1, "", False]]
    found = client.get("/api/annotations/agreement", params={"id": "kiosk"}).json()
    assert [(one["turns"], one["changed"]) for one in found["people"]] == [(2, 1)]
    assert found["pairs"][0]["agreement"]["turns"] == 1


def test_draws_are_the_same_for_everybody_and_larger_samples_hold_smaller_ones(client: TestClient) -> None:
    every = [each[:3] for each in state(client, annotator="Ada")["turns"]]
    small, again, large = (
        [each[:3] for each in state(client, annotator=name, draw="sample", count=count)["turns"]]
        for name, count in (("Ada", 8), ("Bob", 8), ("Ada", 20))
    )
    assert small == again and 8 <= len(small) < len(large) < len(every)
    assert [place for place in every if place in large] == large and [each for each in large if each in small] == small
    episodes = {tuple(place[:2]) for place in small}
    assert [place for place in every if tuple(place[:2]) in episodes] == small
    assert state(client, annotator="Ada", draw="disagreed")["turns"] == []
    rules = client.get("/api/annotations/episode", params={"id": "kiosk", "task": every[0][0], "trial": 0})
    assert rules.json()["told"] is None
    give(client, "Bob", every[0], -1)  # the rule judge gives an agent that is right no -1
    assert [each[:3] for each in state(client, annotator="Ada", draw="disagreed")["turns"]] == [every[0]]
    assert state(client, annotator="Bob", draw="disagreed")["turns"] == []


def test_what_cannot_be_kept_is_refused_in_a_sentence(client: TestClient, tmp_path: Path) -> None:
    place = state(client, annotator="Ada")["turns"][0]
    for change, words in (
        ({"annotator": "  "}, "is no annotator's name"),
        ({"annotator": ""}, "needs the name"),
        ({"annotator": "x" * 61}, "1 to 60"),
        ({"turn": 99}, "there is no turn 99"),
        ({"task": "nope"}, "no episode nope"),
        ({"id": "nope"}, "no run"),
        ({"score": 2}, "score"),
        ({"reason": "x" * 2001}, "reason"),
    ):
        answer = give(client, "Ada", place, 1, **change)
        assert 400 <= answer.status_code < 500 and words in answer.json()["detail"], change
    body = {"id": "kiosk", "annotator": "Ada", "task": place[0], "trial": 0, "turn": 0, "score": 1}
    for origin in ({}, {"origin": "http://evil.example"}):
        assert client.post("/api/annotations", json=body, headers=origin).status_code == 403
    assert not (folder(tmp_path).path / file.NAME).exists()


WRITER = """
import sys
from pathlib import Path
from toolgym.judge.annotation import file
from toolgym.judge.annotation.record import Annotation
for turn in range(100):
    said = {"run": "r", "task": "t", "trial": 0, "turn": turn, "annotator": sys.argv[2], "score": 1, "digest": "0"}
    file.add(Path(sys.argv[1]), [Annotation.model_validate(said)])
"""


def entry(name: str, turn: int, score: int = 1) -> Annotation:
    return Annotation.model_validate(
        {"run": "r", "task": "t", "trial": 0, "turn": turn, "annotator": name, "score": score, "digest": "0"}
    )


def test_writers_at_the_same_time_and_a_crash_lose_nothing(tmp_path: Path) -> None:
    names = ("Ada", "Bob", "Ada Two")
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), name]) for name in names]
    assert [writer.wait(600) for writer in writers] == [0, 0, 0]
    found = file.read(tmp_path)
    assert found.problems == () and len(found.entries) == 300
    assert len(file.latest(found.entries)) == 100 and all(
        len(said) == 3 for said in file.latest(found.entries).values()
    )
    with (tmp_path / file.NAME).open("ab") as torn:
        torn.write(b'{"format": 1, "run": "r", "ta')  # the process was killed while it wrote
    file.add(tmp_path, [entry("Cleo", 5, -1)])
    found = file.read(tmp_path)
    assert len(found.entries) == 301 and found.entries[-1].annotator == "Cleo"
    assert found.problems == ("annotations.jsonl, line 301 is no annotation: it is not JSON.",)
    with (tmp_path / file.NAME).open("ab") as newer:
        newer.write(b'{"format": 9}\n{"format": 1, "score": 7}\n')
    problems = file.read(tmp_path).problems
    assert "format 9, which a newer toolgym wrote" in problems[1] and "run: is missing" in problems[2]
