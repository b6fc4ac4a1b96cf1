"""tau2-bench's airline tasks in our world: every gold run replays, and nothing of the data is lost on the way."""

import asyncio
import shutil
from pathlib import Path

import pytest

from toolgym.domains import tau2_files
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import make_agent, make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.synthesis.proof.replay import gold_of

AIRLINE = get_domain("airline")
TASKS = AIRLINE.tasks("base", "tau2")


def play(task: Task, agent: str) -> Trajectory:
    with Session(AIRLINE, task=task) as session:
        episode = Episode(AIRLINE, task, session, make_user("scripted"))
        return asyncio.run(run_episode(episode, make_agent(agent)))


def test_every_gold_call_succeeds() -> None:
    refused = [(task.id, record.name, record.error) for task in TASKS for record in gold_of(task).log if not record.ok]
    assert refused == []


def test_the_oracle_passes_all_fifty() -> None:
    verdicts = [verify(play(task, "oracle")) for task in TASKS]
    assert len(verdicts) == 50
    assert all(verdict.passed("state") and verdict.passed("writes") for verdict in verdicts)


def test_gold_runs_are_the_same_again_and_replay_to_the_same_bytes() -> None:
    for task in TASKS:
        with Session(AIRLINE, task=task) as straight, Session(AIRLINE, task=task) as replayed:
            for call in task.gold:
                straight.call(call.name, call.arguments)
            assert tuple(straight.diff()) == gold_of(task).diff
            assert replayed.replay(straight.log) == [] and replayed.diff() == straight.diff()


def test_splits() -> None:
    ids = {split: {task.id for task in AIRLINE.tasks(split, "tau2")} for split in ("train", "test", "base")}
    assert {split: len(found) for split, found in ids.items()} == {"train": 30, "test": 20, "base": 50}
    assert not ids["train"] & ids["test"]


def test_what_must_be_said_and_the_assertions_are_kept() -> None:
    assert sum(bool(task.communicate) for task in TASKS) == 6
    assert sum("nl_assertions" in task.metadata for task in TASKS) == 50
    assert sum(not gold_of(task).diff and not task.communicate for task in TASKS) >= 18


def test_the_rows_are_those_of_the_files() -> None:
    raw = tau2_files.read_json(tau2_files.folder("airline", None) / "db.json")
    with Session(AIRLINE, data="tau2") as session:
        for user_id, user in raw["users"].items():
            view = session.call("get_user_details", {"user_id": user_id}).value
            assert view == user
        for reservation_id, reservation in raw["reservations"].items():
            assert session.call("get_reservation_details", {"reservation_id": reservation_id}).value == reservation
        for number, flight in list(raw["flights"].items())[::20]:
            for date, day in flight["dates"].items():
                search = {"origin": flight["origin"], "destination": flight["destination"], "date": date}
                shown = {view["flight_number"]: view for view in session.call("search_direct_flight", search).value}
                assert (number in shown) == (day["status"] == "available")
                assert number not in shown or shown[number]["available_seats"] == day["available_seats"]
                assert number not in shown or shown[number]["prices"] == day["prices"]


@pytest.mark.slow
def test_a_checkout_serves_as_well(tmp_path: Path) -> None:
    shutil.copytree(tau2_files.folder("airline", None), tmp_path / "data/tau2/domains/airline")
    data = f"tau2:{tmp_path}"
    assert len(AIRLINE.tasks("base", data)) == 50
    assert AIRLINE.template(data).content == AIRLINE.template("tau2").content
