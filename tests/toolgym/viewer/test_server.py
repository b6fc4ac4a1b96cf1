"""What the viewer's server tells of runs in every state, and whom it answers."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from toolgym.cli import main
from toolgym.judge.evaluation.episode_index import read_index
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.judge.scoring.verifier import verify
from toolgym.viewer.server import application

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("viewer")]
HOME = "http://127.0.0.1:8020"


@pytest.fixture(scope="module")
def client(runs: Path) -> TestClient:
    return TestClient(application(runs), base_url=HOME)


def table(client: TestClient, run: str) -> tuple[list[dict[str, Any]], list[str]]:
    found = client.get("/api/episodes", params={"id": run}).json()
    return [dict(zip(found["columns"], row, strict=True)) for row in found["rows"]], found["damaged"]


def test_every_run_is_listed_in_its_state(client: TestClient, runs: Path) -> None:
    rows = {row["id"]: row for row in client.get("/api/runs").json()["runs"]}
    assert {name: row["state"] for name, row in rows.items()} == {
        "good": "finished",
        "sweep/broken": "finished",
        "newer": "other format",
        "unscored": "stopped",
        "damaged": "damaged",
        "training": "stopped",
        "<img src=x onerror=document.title='owned'>": "finished",
    }
    summary = json.loads((runs / "good" / "summary.json").read_text(encoding="utf-8"))
    good = rows["good"]
    assert [good["pass"], good["clean"], good["inert"]] == [
        summary["pass_hat"]["1"],
        summary["clean"],
        summary["inert"],
    ]
    assert [good["low"], good["high"]] == summary["pass_hat_interval"]["1"] and good["toolgym"][0].isdigit()
    assert "run.json is damaged" in rows["damaged"]["problem"] and "format 9" in rows["newer"]["problem"]
    assert (
        rows["training"]["steps"] in (30, 31) and rows["training"]["steps_wanted"] == 60
    )  # a test of the page adds one


def test_the_index_says_what_trajectories_and_scores_say(client: TestClient, runs: Path) -> None:
    folder = RunFolder(runs / "good")
    rows, damaged = table(client, "good")
    assert damaged == [] and len(rows) == 40
    for row, trajectory in zip(rows, folder.trajectories(), strict=True):
        score = folder.scores()[trajectory.task.id, trajectory.trial]
        assert (row["task"], row["family"], row["ending"]) == (
            trajectory.task.id,
            trajectory.task.family,
            trajectory.termination,
        )
        assert (row["passed"], row["scores"]) == (score["passed"], score["turns"])
        assert row["clean"] == verify(trajectory).clean
        assert (row["turns"], row["calls"]) == (len(trajectory.turns()), len(trajectory.calls))
        assert row["refused"] == sum(not call.ok for call in trajectory.calls)
    deviations = json.loads(folder.summary_file.read_text(encoding="utf-8"))["scores"]["deviations"]
    found = [(row["fault"], row["reason"]) for row in rows if row["fault"]]
    assert {(each["tool"], each["reason"]): each["count"] for each in deviations} == {
        each: found.count(each) for each in found
    }


def test_evaluation_writes_the_index_and_a_changed_file_makes_it_anew(runs: Path, tmp_path: Path) -> None:
    folder = RunFolder(runs / "good")
    kept = read_index(folder)
    assert kept is not None and len(kept.rows) == 40 and kept.read == folder.trajectories_file.stat().st_size
    for name in ("episodes.json", "trajectories.jsonl", "scores.jsonl"):
        (tmp_path / name).write_bytes((folder.path / name).read_bytes())
    assert read_index(RunFolder(tmp_path)) is not None  # a copy has other times, and the same files
    with (tmp_path / "scores.jsonl").open("a", encoding="utf-8") as file:
        file.write("\n")
    assert read_index(RunFolder(tmp_path)) is None


def test_lines_that_cannot_be_read_are_named_and_lose_nothing_else(client: TestClient) -> None:
    rows, damaged = table(client, "sweep/broken")
    assert len(rows) == 40
    assert [each.partition(":")[0] for each in damaged] == ["trajectories.jsonl, line 4", "trajectories.jsonl, line 5"]
    last = rows[-1]
    answer = client.get("/api/episode", params={"id": "sweep/broken", "task": last["task"], "trial": 0})
    assert answer.json()["task"] == last["task"] and answer.json()["passed"] == last["passed"]


def test_a_run_without_scores_is_verified_when_it_is_looked_at(client: TestClient, runs: Path) -> None:
    scores = RunFolder(runs / "good").scores()
    for row in table(client, "unscored")[0]:
        assert row["passed"] == scores[row["task"], row["trial"]]["passed"] and row["scores"] is None
    assert not (runs / "unscored" / "episodes.json").exists()


def test_words_are_found_in_records_and_in_reasons(client: TestClient, runs: Path) -> None:
    def find(words: str) -> list[str]:
        found: list[str] = client.get("/api/find", params={"id": "good", "words": words}).json()["found"]
        return found

    called = [
        t.task.id for t in RunFolder(runs / "good").trajectories() if "CANCEL_pending".lower() in t.to_line().lower()
    ]
    assert find("CANCEL_pending") == [f"{task}/0" for task in called] and 0 < len(called) < 40
    reason = next(row["reason"] for row in table(client, "good")[0] if row["reason"])
    assert find(reason) and find("no-such-word") == []


def test_a_damaged_line_of_scores_is_named_and_the_search_goes_on_without_it(runs: Path, tmp_path: Path) -> None:
    for name in ("run.json", "trajectories.jsonl", "scores.jsonl"):
        (tmp_path / name).write_bytes((runs / "good" / name).read_bytes())
    lines = (tmp_path / "scores.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "scores.jsonl").write_text("".join([*lines[:2], '{"task":\n', *lines[3:]]), encoding="utf-8")
    client = TestClient(application(tmp_path), base_url=HOME)
    assert table(client, ".")[1] == ["scores.jsonl, line 3: it is no episode's scores."]
    first = json.loads(lines[0])
    found = client.get("/api/find", params={"id": ".", "words": first["reasons"][0]}).json()["found"]
    assert f"{first['task']}/{first['trial']}" in found


def test_curves_are_those_of_the_training_room(client: TestClient) -> None:
    panels = {
        panel["title"]: panel["lines"]
        for panel in client.get("/api/curves", params={"id": "training"}).json()["panels"]
    }
    assert [line["label"] for line in panels["reward"]] == ["reward"] and {"passed", "entropy"} < {*panels}
    assert panels["reward"][0]["smooth"][15][1] == pytest.approx(1.6)
    assert panels["reward"][0]["points"][:30] == [[step, step / 10] for step in range(1, 31)]


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/api/run?id=nope", "no run"),
        ("/api/run?id=../..", "no run"),
        ("/api/episode?id=good&task=nope&trial=0", "no episode nope"),
        ("/assets/../page.py", "no file"),
        ("/assets/nope.js", "no file"),
        ("/files/good/trajectories.jsonl", "no recording"),
        ("/files/../../etc/passwd.wav", "no recording"),
    ],
)
def test_what_is_not_there_is_said_in_a_sentence(client: TestClient, path: str, words: str) -> None:
    answer = client.get(path.replace("..", "%2e%2e"))
    assert answer.status_code == 404 and words in answer.json()["detail"]


def test_only_this_machine_is_answered_and_writes_must_come_from_the_page(client: TestClient) -> None:
    assert client.get("/", headers={"host": "evil.example"}).status_code == 403
    assert client.get("/", headers={"host": "localhost:8020"}).status_code == 200
    for origin in (None, "http://evil.example", "http://127.0.0.1:9"):
        answer = client.post("/api/runs", headers={} if origin is None else {"origin": origin})
        assert answer.status_code == 403 and "own page" in answer.json()["detail"]
    assert client.post("/api/runs", headers={"origin": HOME}).status_code == 405  # let in, and nothing is written there


@pytest.mark.parametrize("path", ["/files/%00.wav", "/assets/%00.js", f"/files/{'a' * 5000}.wav", "/api/run?id=%00"])
def test_what_is_no_address_is_the_visitor_s_mistake(client: TestClient, path: str) -> None:
    for headers in ({}, {"host": "["}, {"host": "]:80"}):
        assert client.get(path, headers=headers).status_code in (403, 404)
    assert client.post("/api/runs", headers={"origin": "http://["}).status_code == 403


def test_who_shows_the_token_once_is_known_by_a_cookie(runs: Path) -> None:
    client = TestClient(
        application(runs, "a-token-that-is-long"), base_url="http://192.0.2.7:8020", follow_redirects=False
    )
    assert client.get("/api/runs").status_code == 401 and client.get("/?token=a-token-that-is-wrong").status_code == 401
    shown = client.get("/?token=a-token-that-is-long")
    assert shown.status_code == 303 and shown.headers["location"] == "./" and "HttpOnly" in shown.headers["set-cookie"]
    assert client.get("/api/runs").status_code == 200
    client.cookies.clear()
    assert client.get("/api/runs", headers={"authorization": "Bearer a-token-that-is-long"}).status_code == 200


@pytest.mark.parametrize(
    "others", ['a={"x":1}', "foo", "x[1]=2", "expires=1", "a=b c", "a,b=1", "toolgym_view=1; toolgym_view_0=1"]
)
def test_cookies_of_other_programs_on_the_host_lock_nobody_out(runs: Path, others: str) -> None:
    token = "a-token-that-is-long"
    client = TestClient(application(runs, token), base_url="http://192.0.2.7:8020", follow_redirects=False)
    ours = client.get(f"/?token={token}").headers["set-cookie"].partition(";")[0]
    client.cookies.clear()
    assert client.get("/api/tables", headers={"cookie": f"{others}; {ours}"}).status_code == 200
    assert client.get("/api/tables", headers={"cookie": others}).status_code == 401


def test_two_viewers_of_one_host_have_two_cookies_and_no_address_leads_away(runs: Path) -> None:
    names = []
    for token in ("a-token-that-is-long", "another-token-that-is-long"):
        client = TestClient(application(runs, token), base_url="http://192.0.2.7:8020", follow_redirects=False)
        shown = client.get(f"http://192.0.2.7:8020//evil.example/x?token={token}")
        assert shown.headers["location"] == "./x"
        names.append(shown.headers["set-cookie"].partition("=")[0])
    assert names[0] != names[1]


def test_a_run_s_name_is_no_html_in_the_exported_page(client: TestClient) -> None:
    saved = client.get("/api/export", params={"run": ["<img src=x onerror=document.title='owned'>", "good"]})
    assert saved.status_code == 200 and "Episodes of &lt;img" in saved.text and "<img" not in saved.text


DEEP = "[" * 100_000
DAMAGES = {
    "deep-settings": lambda run: (run / "run.json").write_text(DEEP),
    "rather-deep-settings": lambda run: (run / "run.json").write_text(f'{{"env": {"[" * 900}{"]" * 900}}}'),
    "half-a-character": lambda run: (run / "run.json").write_text('{"env": "\\ud800"}'),
    "deep-summary": lambda run: (run / "summary.json").write_text(DEEP),
    "deep-line": lambda run: (run / "trajectories.jsonl").write_text(DEEP + "\n"),
    "deep-scores": lambda run: (run / "scores.jsonl").write_text(DEEP + "\n"),
    "deep-times": lambda run: (run / "times.json").write_text(DEEP),
    "deep-index": lambda run: (run / "episodes.json").write_text(DEEP),
    "deep-metrics": lambda run: ((run / "metrics").mkdir(), (run / "metrics" / "000.jsonl").write_text(DEEP + "\n")),
    **{
        f"{what}-{name}": lambda run, make=make, name=name: ((run / name).unlink(missing_ok=True), make(run / name))
        for what, make in {"pipe": os.mkfifo, "folder": os.mkdir}.items()
        for name in ("run.json", "summary.json", "scores.jsonl", "trajectories.jsonl", "times.json", "episodes.json")
    },
    "bad\udcff\udcfename": lambda run: None,
}


@pytest.fixture(scope="module")
def wrecks(runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole run among damaged ones."""
    root = tmp_path_factory.mktemp("wrecks")
    for name, damage in (DAMAGES | {"whole": lambda run: None}).items():
        shutil.copytree(runs / "good", root / name)
        damage(root / name)
    return root


def test_damaged_runs_are_told_in_a_sentence_and_hide_no_other(wrecks: Path) -> None:
    client = TestClient(application(wrecks), base_url=HOME, raise_server_exceptions=False)
    rows = {row["id"]: row for row in client.get("/api/runs").json()["runs"]}
    assert len(rows) == len(DAMAGES) + 1 and rows["whole"]["state"] == "finished" and rows["whole"]["problem"] is None
    told = {name for name, row in rows.items() if row["problem"]}
    assert told >= {name for name in rows if name.startswith(("pipe", "folder", "bad", "half", "rather", "deep-s"))} - {
        "deep-scores"
    }
    for path in ("/api/tables", "/api/table?id=by_depth"):
        assert client.get(path).status_code in (200, 404)
    one = {"task": "nope", "trial": 0}
    for name in rows:
        for path in ("run", "episodes", "episode", "prompt", "record", "find", "curves", "comparison", "annotations"):
            asked = {"id": [name, "whole"] if path == "comparison" else name, "words": "a", "draw": "all"} | one
            answer = client.get(f"/api/{path}", params=asked)
            assert answer.status_code in (200, 404, 422), (name, path, answer.text)


def test_the_page_may_load_nothing_but_its_own(client: TestClient) -> None:
    answer = client.get("/")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "connect-src 'self'" in policy
    scripts = next(part for part in policy.split("; ") if part.startswith("script-src"))
    assert "unsafe" not in scripts and "data:" not in scripts
    assert "http://" not in answer.text and "https://" not in answer.text


def test_a_folder_that_is_not_there_and_a_short_token_are_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["view", str(tmp_path / "nope")]) == 2
    assert "no folder" in capsys.readouterr().err
    assert main(["view", str(tmp_path), "--token", "short"]) == 2
    assert "at least 16" in capsys.readouterr().err
    assert main(["view", str(tmp_path), "--port", "99999"]) == 2
    assert "port 99999" in capsys.readouterr().err
