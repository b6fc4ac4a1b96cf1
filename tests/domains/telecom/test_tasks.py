"""The world's own tasks: sound, different, composed of faults, solved by the gold run and not by idleness."""

import random
from collections import Counter

import pytest

from domains.telecom.faults import FAULTS, Area, most_faults, possible
from domains.telecom.goals import compose
from domains.telecom.tasks import repairs
from sandbox.kit.errors import BadInput
from sandbox.kit.task import Task, write_tasks
from sandbox.runtime.registry import get_domain
from sandbox.runtime.session import Session
from sandbox.synthesis.proof.lint import lint

AREAS: tuple[Area, ...] = ("service", "data", "mms")


def tasks(split: str = "dev") -> list[Task]:
    return list(get_domain("telecom").tasks(split))


def test_the_lint_finds_nothing() -> None:
    report = lint(tasks())
    assert [str(problem) for problem in report.problems] == []
    assert report.idle == []
    assert {family for family, _ in report.counts} == {
        "service",
        "data",
        "mms",
        "handover",
        "account",
        "conditional",
        "question",
    }


def test_no_customer_is_in_two_splits() -> None:
    def customers(split: str) -> set[str]:
        return {str(fact.value) for task in tasks(split) for fact in task.facts if fact.name == "name"}

    assert not customers("dev") & customers("test")
    assert len(tasks("dev")) == 100 and len(tasks("test")) == 115


def test_the_same_seed_gives_the_same_tasks_and_another_one_others() -> None:
    generate = get_domain("telecom").open_data().generate
    assert generate is not None
    assert generate(7, 20, "train") == generate(7, 20, "train")
    assert [task.setup for task in generate(7, 20, "train")] != [task.setup for task in generate(8, 20, "train")]


def test_the_difficulty_is_the_number_of_faults() -> None:
    for task in tasks():
        if task.family in AREAS:
            count = len(task.metadata["faults"])
            assert task.difficulty == ("simple" if count == 1 else "standard" if count <= 3 else "hard"), task.id
    deepest = max(len(task.metadata.get("faults", ())) for task in tasks())
    assert deepest >= 9


@pytest.mark.parametrize("area", AREAS)
@pytest.mark.parametrize("seed", range(5))
def test_any_number_of_faults_is_composed(area: Area, seed: int) -> None:
    for count in range(1, most_faults(area) + 1):
        chosen = compose(random.Random(seed), area, count)
        assert len(chosen) == len({fault.group for fault in chosen}) == count
        assert any(fault.area == area for fault in chosen) and set(chosen) <= set(possible(area))


@pytest.mark.parametrize(("area", "faults"), [("service", 4), ("data", 1), ("mms", 8)])
def test_the_depth_is_a_knob(area: Area, faults: int) -> None:
    drawn = repairs(area, faults, count=8)
    assert {len(task.metadata["faults"]) for task in drawn} == {faults} and {task.family for task in drawn} == {area}
    assert lint(drawn).problems == []


def test_more_faults_than_a_complaint_can_have_are_refused() -> None:
    with pytest.raises(BadInput, match="1 to 4 faults; got 5"):
        repairs("service", 5, count=1)


def test_every_fault_occurs() -> None:
    generate = get_domain("telecom").open_data().generate
    assert generate is not None
    found = Counter(name for task in generate(3, 250, "train") for name in task.metadata.get("faults", ()))
    assert set(found) == {fault.name for fault in FAULTS} | {"sim_locked", "contract_ended"}


def test_every_fault_is_needed_in_a_repair() -> None:
    """Leaving out one gold write leaves the task unsolved: no fault is there for show."""
    domain = get_domain("telecom")
    repairs = [task for task in tasks() if task.assertions][:30]
    for task in repairs:
        for left_out, call in enumerate(task.gold):
            tool = domain.tools.get(call.name) or domain.user_tools[call.name]
            if tool.kind != "write":
                continue
            with Session(domain, task=task) as session:
                for index, step in enumerate(task.gold):
                    if index != left_out:
                        session.call(step.name, step.arguments, by=step.by)
                held = all(session.holds(assertion) for assertion in task.assertions)
            assert not held, f"{task.id} holds without {call.name}"


def test_the_account_must_be_as_a_right_run_leaves_it() -> None:
    task = next(task for task in tasks() if task.assertions)
    customer_id = task.assertions[-1].arguments["customer_id"]
    with Session("telecom", task=task) as session:
        for call in task.gold:
            session.call(call.name, call.arguments, by=call.by)
        assert all(session.holds(assertion) for assertion in task.assertions)
        line_id = session.call("get_customer_by_id", {"customer_id": customer_id}).value["line_ids"][0]
        session.call("refuel_data", {"customer_id": customer_id, "line_id": line_id, "gb_amount": 1})
        assert not session.holds(task.assertions[-1]), "nobody asked for more data"


def test_tasks_come_back_from_a_file(tmp_path) -> None:
    path = tmp_path / "tasks.jsonl"
    write_tasks(path, tasks()[:5])
    data = get_domain("telecom").open_data(f"own:{path}")
    assert list(data.tasks("dev")) == tasks()[:5]
    strangers = tmp_path / "kiosk.jsonl"
    write_tasks(strangers, get_domain("kiosk").tasks("test"))
    with pytest.raises(BadInput, match="not of telecom"):
        get_domain("telecom").open_data(f"own:{strangers}")
