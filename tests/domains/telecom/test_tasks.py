"""The published tasks are sound; drawn ones are composed of every fault, in sets that splits do not share."""

from functools import cache
from random import Random

import pytest

from toolgym.domains.telecom.rules import contract_runs, nothing_overdue
from toolgym.domains.telecom.troubles import TROUBLES
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.rule import known
from toolgym.sandbox.kit.task import Task, write_tasks
from toolgym.sandbox.kit.trouble import Trouble
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.generator import Generator
from toolgym.sandbox.synthesis.proof.lint import lint
from toolgym.sandbox.synthesis.sampler import Sampler
from toolgym.sandbox.synthesis.trouble import composed, troubled


def tasks(split: str = "dev") -> list[Task]:
    return list(get_domain("telecom").tasks(split, "own"))


@cache
def drawn(split: str, count: int) -> list[Task]:
    return list(Generator(get_domain("telecom"), 3, split).tasks(count))


@pytest.mark.slow
def test_the_lint_finds_nothing() -> None:
    for found in (tasks(), drawn("train", 100)):
        report = lint(found)
        assert [str(problem) for problem in report.problems] == []
        assert report.idle == []


def test_no_customer_is_in_two_splits() -> None:
    def customers(split: str) -> set[str]:
        return {str(fact.value) for task in tasks(split) for fact in task.facts if fact.name == "name"}

    assert not customers("dev") & customers("test")
    assert len(tasks("dev")) == 100 and len(tasks("test")) == 115


@pytest.mark.slow
def test_splits_share_neither_sets_of_faults_nor_complaints() -> None:
    shared: set[str] = set()
    for split in ("train", "test"):
        repairs = [task for task in drawn(split, 100) if task.assertions and task.family != "payment"]
        words = {task.goals[0].utterance for task in repairs}
        faults = {" ".join(sorted(task.metadata["faults"])) for task in repairs}
        assert not (words | faults) & shared
        assert len(words) > 0.8 * len(repairs)
        shared |= words | faults


def test_the_difficulty_of_a_repair_is_the_number_of_faults() -> None:
    for task in (*tasks(), *drawn("train", 100)):
        count = len(task.metadata.get("faults", ()))
        if task.assertions:
            assert task.difficulty == ("simple" if count == 1 else "standard" if count <= 3 else "hard"), task.id


@pytest.mark.parametrize("trouble", TROUBLES, ids=lambda trouble: trouble.name)
def test_any_number_of_faults_is_composed(trouble: Trouble) -> None:
    for count in range(1, trouble.most + 1):
        chosen = composed(trouble, Random(count), count)
        assert len(chosen) == len({fault.group for fault in chosen}) == count
        assert set(chosen) & set(trouble.own) and set(chosen) <= set(trouble.faults)


def test_every_fault_is_drawn_and_breaks_the_rules_that_it_names() -> None:
    domain = get_domain("telecom")
    for person in domain.owner_keys()[:3]:
        sampler = Sampler(domain, person)
        seen = {name for seed in range(150) for name in faults_of(sampler, seed)}
        expected = {fault.name for trouble in TROUBLES for fault in trouble.faults}
        assert seen | {"open_bill"} == expected | {"open_bill"}


def faults_of(sampler: Sampler, seed: int) -> tuple[str, ...]:
    found = troubled(sampler, Random(seed), lambda text: True)
    if found is None or found[0].prepared is None:
        return ()
    prepared, values = found[0].prepared, found[0].arguments
    with Session("telecom", task=sampler.task(setup=prepared.setup)) as session:
        line = session.database.get(type(values["line"]).model, values["line"].line_id)
        about = {"line": line, "customer": values["customer"]}
        for rule, name in ((contract_runs, "contract_ended"), (nothing_overdue, "overdue_bill")):
            broken = not rule.allows(known(session.database, rule, about))
            assert broken == (
                name in prepared.faults or (rule is nothing_overdue and "contract_ended" in prepared.faults)
            )
    return prepared.faults


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
