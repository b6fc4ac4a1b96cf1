"""A recorded run that goes on with what it has created: a booking that it changes, a certificate that it pays with."""

import json
from pathlib import Path
from typing import Any

import pytest

from toolgym.cli import main
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.judge.interop.new_ids import NewIds
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session

AIRLINE = get_domain("airline")
TASK = AIRLINE.task("20", "tau2")
BOOKING: dict[str, Any] = next(call.arguments for call in TASK.gold if call.name == "book_reservation")  # type: ignore[assignment]
ANYBODY = BOOKING["user_id"]
ELSEWHERE = 4711
"""Seeds the session that stands for the other benchmark: the same tools, other ids."""


def entry(calls: Any, task: Any = TASK) -> dict[str, Any]:
    """A tau-bench entry of calls played elsewhere; `calls` yields name and arguments and is sent each result."""
    traj: list[dict[str, Any]] = [{"role": "user", "content": "Hello"}]
    with Session(AIRLINE, task=task, seed=ELSEWHERE) as session:
        wanted = next(calls)
        while wanted is not None:
            name, arguments = wanted
            function = {"name": name, "arguments": json.dumps(arguments)}
            traj.append({"role": "assistant", "content": None, "tool_calls": [{"id": "c", "function": function}]})
            result = session.call(name, arguments)
            assert result.ok, result.text
            traj.append({"role": "tool", "tool_call_id": "c", "name": name, "content": result.text})
            wanted = calls.send(result.value)
    traj.append({"role": "user", "content": "###STOP###"})
    gold = [{"name": call.name, "kwargs": call.arguments} for call in task.gold]
    about = {"user_id": ANYBODY, "actions": gold, "instruction": task.scenario, "outputs": []}
    return {"task_id": int(task.id), "reward": 1.0, "info": {"task": about}, "traj": traj, "trial": 0}


def imported(tmp_path: Path, recorded: dict[str, Any]) -> tuple[RunFolder, dict[str, Any]]:
    path = tmp_path / "runs.json"
    path.write_text(json.dumps([recorded]), encoding="utf-8")
    folder = RunFolder(tmp_path / "run")
    assert main(["import", str(path), "--env", "airline", "--out", str(folder.path)]) == 0
    (line,) = (folder.path / "comparison.jsonl").read_text(encoding="utf-8").splitlines()
    return folder, json.loads(line)


def test_a_booking_that_is_changed_later(tmp_path: Path) -> None:
    def calls() -> Any:
        booked = yield "book_reservation", BOOKING | {"total_baggages": 0}
        number = booked["reservation_id"]
        payment = BOOKING["payment_methods"][-1]["payment_id"]
        bags = {"total_baggages": 3, "nonfree_baggages": 0, "payment_id": payment}
        yield "update_reservation_baggages", {"reservation_id": number, **bags}
        yield "get_reservation_details", {"reservation_id": number}
        yield "get_user_details", {"user_id": ANYBODY}
        yield None

    folder, line = imported(tmp_path, entry(calls()))
    assert (line["by_their_rule"], line["ours"], line["reasons"]) == (1.0, True, [])
    assert line["differing_calls"] == line["differing_results"] == 0
    (trajectory,) = folder.trajectories()
    said = [message.tool_calls[0].arguments for message in trajectory.messages if message.tool_calls]
    made = [record.arguments for record in trajectory.calls]
    assert isinstance(said[1], dict) and isinstance(made[1], dict)
    assert said[1]["reservation_id"] != made[1]["reservation_id"], "messages stay as recorded"


def test_a_certificate_that_pays_and_a_booking_that_is_cancelled(tmp_path: Path) -> None:
    def calls() -> Any:
        text = yield "send_certificate", {"user_id": ANYBODY, "amount": 250}
        certificate = text.split()[1]
        yield "get_user_details", {"user_id": ANYBODY}
        payments = [{"payment_id": certificate, "amount": 250}, BOOKING["payment_methods"][-1]]
        first = yield "book_reservation", BOOKING | {"payment_methods": payments}
        second = yield "book_reservation", BOOKING
        yield "cancel_reservation", {"reservation_id": second["reservation_id"]}
        yield "cancel_reservation", {"reservation_id": first["reservation_id"]}
        yield None

    folder, line = imported(tmp_path, entry(calls()))
    assert line["differing_calls"] == line["differing_results"] == 0
    assert all(record.ok for record in folder.trajectories()[0].calls)


def test_only_what_this_session_has_made_is_paired() -> None:
    with Session(AIRLINE, task=TASK) as session:
        ids = NewIds(session)
        ids.learn({"reservation_id": "OTHER1"}, {"reservation_id": "EHGLP3"})
        assert ids.ours({"reservation_id": "OTHER1"}) == {"reservation_id": "OTHER1"}
        ours = session.call("book_reservation", BOOKING).value["reservation_id"]
        ids.learn("Booked as HATHAT.", f"Booked as {ours}.")
        ids.learn({"reservations": ["AAAAAA", "HATHAT"]}, {"reservations": [ours, "AAAAAA"]})
        ids.learn({"id": "HATHAU"}, {"id": ours})
    assert ids.ours({"ids": ["HATHAT", "HATHAU"], "summary": "HATHAT is theirs"}) == {
        "ids": [ours, "HATHAU"],
        "summary": "HATHAT is theirs",
    }
    assert ids.ours("HATHAT") == "HATHAT"
    assert ids.theirs({ours: f"{ours}, please"}) == {"HATHAT": "HATHAT, please"}


@pytest.mark.parametrize("there", [[1, 2], {"a": None}, "three words here", None, 7])
def test_results_of_another_form_teach_nothing(there: Any) -> None:
    with Session(AIRLINE, task=TASK) as session:
        ids = NewIds(session)
        ids.learn(there, session.call("book_reservation", BOOKING).value)
        assert ids.theirs({"x": next(iter(session.new_ids))}) == {"x": next(iter(session.new_ids))}
