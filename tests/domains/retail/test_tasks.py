"""The retail tasks as a specification: sizes, splits, families, difficulties, truth, and that they can be solved."""

import asyncio
import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from domains.retail.customer_sampler import world
from domains.retail.tasks import FAMILIES, GENERATOR
from judge.scoring.verifier import verify
from sandbox.kit.errors import BadInput
from sandbox.kit.task import Goal, Task, read_tasks, write_tasks
from sandbox.runtime.episode import Episode, run_episode
from sandbox.runtime.registry import get_domain
from sandbox.runtime.roles import make_agent, make_user
from sandbox.runtime.session import Session
from sandbox.runtime.trajectory import Trajectory
from sandbox.synthesis.proof.lint import lint
from sandbox.synthesis.task_generator import SIZES

RETAIL = get_domain("retail")
generate = GENERATOR.generate
SPLITS = {split: list(RETAIL.tasks(split)) for split in SIZES}
TASKS = [task for tasks in SPLITS.values() for task in tasks]
SMALL = [*SPLITS["dev"], *SPLITS["test"]]


def customer(task: Task) -> str:
    """The user id that signing in returns."""
    with Session(RETAIL) as session:
        return str(session.call(task.gold[0].name, task.gold[0].arguments).value)


def fact(goal: Goal, name: str) -> Any:
    return next((fact.value for fact in goal.facts if fact.name == name), None)


def of_family(family: str) -> list[Task]:
    return [task for task in TASKS if task.family == family]


# --- the whole ---


def test_sizes_and_ids() -> None:
    assert {split: len(tasks) for split, tasks in SPLITS.items()} == {"train": 2000, "dev": 100, "test": 115}
    assert len({task.id for task in TASKS}) == len(TASKS)
    assert all(task.split == split for split, tasks in SPLITS.items() for task in tasks)


def test_every_task_is_proven_sound() -> None:
    report = lint(TASKS)
    assert [str(problem) for problem in report.problems] == []
    assert report.idle == []


def test_no_customer_is_in_two_splits() -> None:
    people = {split: {customer(task) for task in tasks} for split, tasks in SPLITS.items()}
    assert not people["train"] & people["dev"]
    assert not people["train"] & people["test"]
    assert not people["dev"] & people["test"]
    assert len(people["train"]) > 200


@pytest.mark.parametrize("split", SIZES)
def test_families_and_difficulties_are_balanced(split: str) -> None:
    tasks = SPLITS[split]
    total = sum(sum(family.shares) for family in FAMILIES.values())
    for name, family in FAMILIES.items():
        for difficulty, share in zip(("simple", "standard", "hard"), family.shares, strict=True):
            count = sum(task.family == name and task.difficulty == difficulty for task in tasks)
            assert abs(count - len(tasks) * share / total) < 1, (name, difficulty)


# --- generation ---

_DIGEST = """
import hashlib
from domains.retail.tasks import GENERATOR
text = "".join(task.model_dump_json() for task in GENERATOR.generate(7, 80, "dev"))
print(hashlib.sha256(text.encode()).hexdigest())
"""


def test_generation_gives_the_same_bytes_in_every_process() -> None:
    digests = set()
    for seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": seed}
        run = subprocess.run(
            [sys.executable, "-c", _DIGEST], env=environment, capture_output=True, text=True, check=True
        )
        digests.add(run.stdout)
    assert len(digests) == 1


def test_a_seed_decides_and_a_count_is_kept() -> None:
    first, again, other = generate(7, 30, "dev"), generate(7, 30, "dev"), generate(8, 30, "dev")
    assert first == again
    assert [task.goals for task in first] != [task.goals for task in other]
    assert len(generate(7, 1, "test")) == 1


def test_tasks_of_another_seed_are_sound_too() -> None:
    assert lint(generate(99, 200, "test")).problems == []


def test_a_population_can_be_exhausted() -> None:
    only = {name: family for name, family in FAMILIES.items() if name == "modify_payment"}
    with pytest.raises(BadInput, match="tasks of the family modify_payment after"):
        replace(GENERATOR, families=only).generate(1, 3000, "test")


def test_tasks_survive_a_file(tmp_path: Path) -> None:
    file = tmp_path / "tasks.jsonl"
    tasks = generate(5, 20, "dev")
    write_tasks(file, tasks)
    assert read_tasks(file) == tasks
    data = RETAIL.open_data(f"own:{file}")
    assert data.splits == ("dev",)
    assert list(data.tasks("dev")) == tasks
    assert RETAIL.task(tasks[3].id, f"own:{file}") == tasks[3]


def test_files_of_something_else_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "tasks.jsonl"
    write_tasks(file, get_domain("kiosk").tasks("train"))
    with pytest.raises(BadInput, match="holds tasks of kiosk"):
        RETAIL.open_data(f"own:{file}")
    file.write_text('{"id": 3}\n', encoding="utf-8")
    with pytest.raises(BadInput, match="line 1 is not a task"):
        RETAIL.open_data(f"own:{file}")


# --- difficulties ---


def test_simple_tasks_state_one_wish_plainly() -> None:
    for task in TASKS:
        if task.difficulty == "simple":
            assert len(task.goals) == 1
            assert task.goals[0].final is task.goals[0]
            held = [fact for goal in task.goals for fact in (*task.facts, *goal.facts) if fact.on_request]
            assert held == [], task.id


def test_standard_tasks_withhold_something() -> None:
    for task in TASKS:
        if task.difficulty == "standard":
            assert any(fact.on_request for fact in task.facts)
            for goal in task.every_goal():
                number = next((fact for fact in goal.facts if fact.name == "order_id"), None)
                assert number is None or number.on_request or "placed" in goal.utterance, task.id


def test_hard_tasks_give_no_order_number_of_the_customer() -> None:
    for task in TASKS:
        if task.difficulty == "hard":
            goals = [[goal.utterance, [fact.model_dump() for fact in goal.facts]] for goal in task.every_goal()]
            told = task.scenario + json.dumps(goals)
            assert not [number for number in world().users[customer(task)]["orders"] if number in told], task.id


def test_difficulty_shows_in_depth() -> None:
    depths = {level: [t.depth for t in TASKS if t.difficulty == level] for level in ("simple", "standard", "hard")}
    means = {level: sum(values) / len(values) for level, values in depths.items()}
    assert means["simple"] < means["hard"]
    assert means["standard"] < means["hard"]


# --- words ---


def test_texts_are_finished() -> None:
    for task in TASKS:
        for text in (task.scenario, *(goal.utterance for goal in task.every_goal())):
            assert "{" not in text and "  " not in text and ".." not in text, (task.id, text)
            assert text[0].isupper() and text[-1] in ".?", (task.id, text)
        assert task.scenario.startswith("You are ")


def test_scenarios_speak_to_the_customer() -> None:
    for task in TASKS:
        assert not {"I", "my", "me", "mine"} & set(task.scenario.replace(",", " ").replace(":", " ").split()), task.id


def test_scenarios_hold_what_the_scripted_user_knows() -> None:
    told = {"first_name", "last_name", "email", "zip", "order_id", "payment"}
    for task in TASKS:
        facts = [*task.facts, *(fact for goal in task.every_goal() for fact in goal.facts)]
        for known in facts:
            assert known.name not in told or known.value in task.scenario, (task.id, known)
            assert known.name != "address" or known.value["address1"] in task.scenario, (task.id, known)


@pytest.mark.parametrize("family", FAMILIES)
def test_words_vary(family: str) -> None:
    openings = Counter(" ".join(task.goals[0].utterance.split()[:3]) for task in of_family(family))
    assert len(openings) >= 3
    assert openings.most_common(1)[0][1] < 0.7 * sum(openings.values())


# --- truth: what is said to be impossible is, and the rest is not ---


def why_not(goal: Goal, user_id: str) -> str | None:
    """Why the policy forbids a wish or the shop cannot grant it; None when nothing stands in the way."""
    number = fact(goal, "order_id") or _found(goal, user_id)
    order = world().orders[number]
    needed = "delivered" if goal.kind.startswith(("return", "exchange")) else "pending"
    if order["user_id"] != user_id:
        return "of another customer"
    if order["status"] != needed:
        return "in the wrong state"
    if fact(goal, "reason") not in (None, "no longer needed", "ordered by mistake"):
        return "for another reason"
    for old, new in zip(fact(goal, "items") or (), fact(goal, "new_items") or (), strict=False):
        if old["product_id"] != new["product_id"]:
            return "for another product"
        if not world().products[new["product_id"]]["variants"][new["item_id"]]["available"]:
            return "out of stock"
    return _unpayable(goal, order)


def _unpayable(goal: Goal, order: dict[str, Any]) -> str | None:
    method = {"PayPal": "paypal", "gift card": "gift_card"}.get(fact(goal, "payment") or "", "credit_card")
    paid = order["payment_history"][0]["payment_method_id"]
    if goal.kind.startswith("return") and method != "gift_card" and not _is(paid, fact(goal, "payment"), order):
        return "refunded elsewhere"
    if goal.kind.endswith("payment") and method == "gift_card":
        cards = [m for m in world().users[order["user_id"]]["payment_methods"].values() if "balance" in m]
        if max(card["balance"] for card in cards) < order["payment_history"][0]["amount"]:
            return "not covered"
    return None


def _is(identifier: str, words: str | None, order: dict[str, Any]) -> bool:
    method = world().users[order["user_id"]]["payment_methods"][identifier]
    four = method.get("last_four", "none")
    return words in (None, "PayPal" if method["source"] == "paypal" else f"credit card ending in {four}")


def _found(goal: Goal, user_id: str) -> str:
    """The one order that the customer's description fits."""
    mark = fact(goal, "order").removeprefix("the one ")
    orders = [world().orders[number] for number in world().users[user_id]["orders"]]
    fitting = [
        order["order_id"]
        for order in orders
        if any(mark == f"with the {item['name']}" for item in order["items"])
        or mark == f"that cost me ${order['payment_history'][0]['amount']:.2f}"
        or mark in (f"that goes to {order['address']['city']}", f"that went to {order['address']['city']}")
    ]
    assert len(fitting) == 1, (goal.utterance, mark, fitting)
    return str(fitting[0])


def test_forbidden_wishes_are_forbidden() -> None:
    reasons = Counter()
    for task in of_family("forbidden"):
        reason = why_not(task.goals[0], customer(task))
        assert reason is not None, (task.id, task.goals[0].utterance)
        reasons[reason] += 1
        assert len(task.communicate) == 2
    assert set(reasons) == {
        "of another customer",
        "in the wrong state",
        "for another reason",
        "for another product",
        "out of stock",
        "refunded elsewhere",
        "not covered",
    }


def test_conditions_hold_or_not_and_the_gold_calls_follow() -> None:
    possible = Counter(bool(task.goals[0].calls) for task in of_family("conditional"))
    assert min(possible[True], possible[False]) > 0.2 * sum(possible.values())
    for task in of_family("conditional"):
        goal = task.goals[0]
        assert goal.fallback is not None
        assert (why_not(goal, customer(task)) is None) == bool(goal.calls), task.id
        assert goal.final is (goal if goal.calls else goal.fallback)
        assert [call for call in task.gold if call in goal.final.calls] == list(goal.final.calls)


def test_changes_of_mind_end_in_the_second_wish_about_the_same_order() -> None:
    for task in of_family("change_of_mind"):
        goal = task.goals[0]
        assert goal.revised_to is not None
        assert goal.calls == ()
        number = fact(goal, "order_id") or _found(goal, customer(task))
        assert [call.arguments["order_id"] for call in goal.revised_to.calls] == [number]
        assert all(call in task.gold for call in goal.revised_to.calls)


def test_wishes_to_be_done_are_possible() -> None:
    for task in SMALL:
        for goal in (goal.final for goal in task.goals):
            if goal.outcome == "done" and (fact(goal, "order_id") or fact(goal, "order")):
                assert why_not(goal, customer(task)) is None, (task.id, goal.utterance)


def test_humans_are_wanted_for_what_no_tool_does() -> None:
    for task in of_family("human"):
        assert task.gold[-1].name == "transfer_to_human_agents"
        assert fact(task.goals[0], "matter")[1:] in task.goals[0].utterance


# --- playing them ---


def play(task: Task, agent: str) -> Trajectory:
    with Session(RETAIL, task=task) as session:
        episode = Episode(RETAIL, task, session, make_user("scripted"))
        return asyncio.run(run_episode(episode, make_agent(agent)))


def test_the_oracle_solves_every_task_with_the_scripted_user() -> None:
    assert [task.id for task in SMALL if not verify(play(task, "oracle")).passed()] == []


def test_an_inert_agent_solves_none() -> None:
    assert [task.id for task in SMALL if verify(play(task, "inert")).passed()] == []


def test_the_rules_agent_does_nothing_but_what_was_wished() -> None:
    """The user agrees to nothing wrong: what the honest baseline writes is in the gold calls, but for rare guesses."""
    wrong = []
    for task in SMALL:
        gold = {json.dumps([call.name, call.arguments.get("order_id")]) for call in task.gold}
        written = (record for record in play(task, "rules").calls if record.wrote)
        wrong += [task.id for r in written if json.dumps([r.name, r.arguments.get("order_id")]) not in gold]
    assert len(wrong) <= 1, wrong
