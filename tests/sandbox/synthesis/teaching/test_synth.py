"""`toolgym synth`: rows that replay, their card, the same ones again from the recorded replies or after a kill."""

import json
import resource
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
from forks import Command
from taught import endpoint, lines, timeless

from toolgym.cli import main
from toolgym.sandbox.kit.task import read_tasks
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import read_trajectories

COUNT = 6


class Taught(NamedTuple):
    out: Path
    url: str


def arguments(out: Path, url: str | None = None, count: int = COUNT) -> list[str]:
    teacher = ["--teacher", "teacher", "--teacher-base-url", url, "--model-retries", "2"] if url else []
    plain = ["--irrelevant", "0", "--distractors", "0"]
    return ["synth", "kiosk", "--count", str(count), "--out", str(out), *plain, *teacher]


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> Taught:
    """A finished run, whose endpoint is gone."""
    out = tmp_path_factory.mktemp("taught") / "rows"
    with endpoint() as server:
        assert main(arguments(out, server.url)) == 0
        return Taught(out, server.url)


def test_every_row_replays_and_knows_its_steps_edges(taught: Taught) -> None:
    tasks = read_tasks(taught.out / "tasks" / "kiosk.jsonl")
    assert len(tasks) == COUNT
    for task in tasks:
        with Session("kiosk", task=task) as session:
            assert all(session.call(call.name, call.arguments).ok for call in task.gold)
        assert len(task.metadata["needs"]) == len(task.gold)
    assert any(needs for task in tasks for needs in task.metadata["needs"])


def test_each_transition_is_in_the_record(taught: Taught) -> None:
    for row in read_trajectories(taught.out / "trajectories.jsonl"):
        steps = row.info.model_dump()["synthesis"]["transitions"]
        assert steps[0]["state"] == "query" and steps[-1]["following"] == "end"
        assert all(one["following"] == other["state"] for one, other in pairwise(steps))
        assert steps[-1]["messages"] == len(row.messages)


def test_the_card_counts_what_the_files_hold(taught: Taught) -> None:
    card, made = json.loads((taught.out / "card.json").read_text()), lines(taught.out / "conversations.jsonl")
    assert card["rows"] == COUNT and card["conversations"] == len(made)
    assert sum(card["thrown out"].values()) == len(made) - COUNT
    assert card["coverage by world"]["kiosk"]["tools"] == 4
    assert f"# {COUNT} rows" in (taught.out / "card.md").read_text()
    learnt = lines(taught.out / "messages.jsonl")
    assert {message.get("weight") for each in learnt for message in each["messages"]} == {None, 1}


def test_the_recorded_replies_give_the_same_rows_without_a_teacher(taught: Taught, tmp_path: Path) -> None:
    recorded = ["--cache", str(taught.out / "replies.sqlite")]
    assert main([*arguments(tmp_path, taught.url), *recorded]) == 0
    assert timeless(tmp_path) == timeless(taught.out)


@pytest.mark.slow
def test_a_run_goes_on_after_a_kill_without_a_row_lost_or_doubled(taught: Taught, tmp_path: Path) -> None:
    file = tmp_path / "conversations.jsonl"
    with endpoint(delay=0.05) as server:
        work = Command(arguments(tmp_path, server.url))
        while not file.is_file() or file.read_bytes().count(b"\n") < 3:
            assert work.poll() is None
            time.sleep(0.02)
        work.send_signal(signal.SIGKILL)
        work.wait()
        with file.open("a", encoding="utf-8") as torn:
            torn.write('{"number": 99, "cau')
        assert main(arguments(tmp_path, server.url)) == 0
    assert timeless(tmp_path) == timeless(taught.out)


@pytest.mark.slow
def test_the_papers_set_is_made_smaller_in_the_same_shares(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolgym.commands.synth.PROVE", ("payments",))
    assert main(["synth", "prove-13k", "--count", "27", "--out", str(tmp_path)]) == 0
    families = Counter(each["task"]["family"] for each in lines(tmp_path / "trajectories.jsonl"))
    assert families == {"chain": 22, "missing_function": 3, "irrelevant": 2}  # of 10,895, 1,500 and 1,122


def test_a_higher_count_adds_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments(tmp_path, count=3)) == 0
    first = (tmp_path / "conversations.jsonl").read_text()
    assert main(arguments(tmp_path, count=5)) == 0
    assert (tmp_path / "conversations.jsonl").read_text().startswith(first)
    assert "2 rows in" in capsys.readouterr().out


@pytest.fixture
def little_room() -> Iterator[Callable[[], None]]:
    """No file may become longer than 40 kB, what a full disk does to a writer, until room is made."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, hard))
    make_room = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (soft, hard))
    yield make_room
    make_room()


@pytest.mark.parametrize("by", ["rules", "a model"])
def test_a_full_disk_is_told_in_a_sentence_and_the_same_command_goes_on(
    by: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], little_room: Callable[[], None]
) -> None:
    with endpoint() as server:
        command = arguments(tmp_path / "rows", server.url if by == "a model" else None, count=8)
        assert main(command) == 2
        told = capsys.readouterr().err
        assert "cannot be written: " in told and "the same command" in told and told.count("\n") == 1
        little_room()
        assert main(command) == 0
    assert len(lines(tmp_path / "rows" / "trajectories.jsonl")) == 8
    numbers = [each["number"] for each in lines(tmp_path / "rows" / "conversations.jsonl")]
    assert numbers == list(range(len(numbers)))


def test_another_seed_is_another_run_and_the_default_one_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments(tmp_path, count=1)) == 0
    assert main([*arguments(tmp_path, count=1), "--seed", "9"]) == 2
    assert "(seed: 0, now 9)" in capsys.readouterr().err


def test_a_yes_before_a_change_is_consent_when_the_rows_are_judged(tmp_path: Path) -> None:
    assert main(["synth", "banking", "--count", "12", "--distractors", "0", "--out", str(tmp_path)]) == 0
    assert main(["judge", str(tmp_path)]) == 0
    rows = list(read_trajectories(tmp_path / "trajectories.jsonl"))
    assert any(call.wrote for row in rows for call in row.calls)
    assert not any(
        found["kind"] == "unconfirmed_write"
        for score in lines(tmp_path / "scores.jsonl")
        for found in score.get("violations", ())
    )


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["kiosk"], "Name a folder: --out DIR"),
        (["--out", "x"], "Make rows of one thing"),
        (["kiosk", "--mcp", "npx some-server", "--out", "x"], "Make rows of one thing"),
        (["kisk", "--out", "x"], "did you mean 'kiosk'"),
        (["kiosk", "--irrelevant", "2", "--out", "x"], "must be from 0 to 1"),
        (["kiosk", "--teacher", "m", "--out", "x"], "give --teacher-base-url URL"),
        (["kiosk", "--teacher", "m", "--max-usd", "1", "--out", "x"], "needs the price of 'm'"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(
    given: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    assert main(["synth", *given]) == 2
    told = capsys.readouterr().err
    assert said in told and told.count("\n") == 1


def test_a_teacher_that_refuses_the_key_leaves_what_was_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with endpoint() as server:
        assert main(arguments(tmp_path, server.url, count=2)) == 0
        server.misbehave("teacher", *["401"] * 50)
        assert main(arguments(tmp_path, server.url, count=20)) == 2  # more than the first run may have begun
    told = capsys.readouterr().err
    kept = len(lines(tmp_path / "trajectories.jsonl"))  # replies that were under way before may make one more
    assert "refuses the key" in told and f"{kept} rows are kept" in told and kept >= 2


def test_a_limit_ends_a_run_and_a_dry_run_begins_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with endpoint() as server:
        limited = [*arguments(tmp_path / "rows", server.url), "--max-teacher-calls", "20", "--concurrency", "1"]
        assert main(limited) == 2
        assert "Stopped at the limit" in capsys.readouterr().err and len(server.requests) == 20
        assert main([*arguments(tmp_path / "dry", server.url), "--dry-run", "--price", "teacher=1/2"]) == 0
        told = capsys.readouterr().out
        assert "reserve_ticket" in told and "$" in told and len(server.requests) == 20
    assert not (tmp_path / "dry").exists()


def test_the_recorded_user_plays_a_row_again(taught: Taught, capsys: pytest.CaptureFixture[str]) -> None:
    user = "toolgym.sandbox.synthesis.teaching.user:RecordedUser"
    tasks = f"own:{taught.out / 'tasks'}"
    played = ["eval", "kiosk", "--data", tasks, "--split", "dev", "--agent", "inert", "--user", user]
    assert main([*played, "--out", str(taught.out / "played")]) == 0
    said = [message["content"] for message in lines(taught.out / "played" / "trajectories.jsonl")[0]["messages"]]
    task = next(task for task in read_tasks(taught.out / "tasks" / "kiosk.jsonl") if task.split == "dev")
    assert said[0] == task.metadata["user_turns"][0]
