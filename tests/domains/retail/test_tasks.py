"""Drawn retail tasks against a second writing of the shop's policy, and the customers of the splits."""

import asyncio
import json
import os
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.task import Goal, Task, read_tasks, write_tasks
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import make_agent, make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.synthesis.generator import Generator
from toolgym.sandbox.synthesis.proof.lint import lint

pytestmark = pytest.mark.slow

RETAIL = get_domain("retail")


@cache
def drawn() -> list[Task]:
    return list(Generator(RETAIL, seed=99, split="test").tasks(200))


@cache
def look(name: str, **arguments: str) -> Any:
    with Session(RETAIL) as session:
        return session.call(name, arguments).value


def customer(task: Task) -> str:
    """The user id that signing in returns."""
    return str(task.owner or look(task.gold[0].name, **task.gold[0].arguments))


def fact(goal: Goal, name: str) -> Any:
    return next((fact.value for fact in goal.facts if fact.name == name), None)


# --- splits ---


def test_sizes_of_the_published_splits() -> None:
    sizes = {split: len(RETAIL.tasks(split, "own")) for split in RETAIL.open_data().splits}
    assert sizes == {"train": 2000, "dev": 100, "test": 115}


def test_no_customer_is_in_two_splits_published_or_drawn() -> None:
    people = {split: set(Generator(RETAIL, split=split).people) for split in ("train", "dev", "test")}
    assert not people["train"] & people["dev"] | people["train"] & people["test"] | people["dev"] & people["test"]
    assert len(people["train"]) > 200
    for split in ("dev", "test"):
        assert {customer(task) for task in RETAIL.tasks(split, "own")} <= people[split]


# --- drawn tasks ---


def test_drawn_tasks_are_sound_and_nobody_idle_passes() -> None:
    report = lint(drawn())
    assert (len(drawn()), report.problems, report.idle) == (200, [], [])


_DIGEST = """
import hashlib
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.generator import Generator
text = "".join(task.model_dump_json() for task in Generator(get_domain("retail"), 7, "dev").tasks(20))
print(hashlib.sha256(text.encode()).hexdigest())
"""


def test_drawing_gives_the_same_bytes_in_every_process() -> None:
    digests = set()
    for seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": seed}
        run = subprocess.run(
            [sys.executable, "-c", _DIGEST], env=environment, capture_output=True, text=True, check=True
        )
        digests.add(run.stdout)
    assert len(digests) == 1


def test_tasks_survive_a_file(tmp_path: Path) -> None:
    file = tmp_path / "tasks.jsonl"
    tasks = drawn()[:20]
    write_tasks(file, tasks)
    assert read_tasks(file) == tasks
    data = RETAIL.open_data(f"own:{file}")
    assert data.splits == ("test",)
    assert list(data.tasks("test")) == tasks
    assert RETAIL.task(tasks[3].id, f"own:{file}") == tasks[3]


def test_files_of_something_else_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "tasks.jsonl"
    write_tasks(file, get_domain("kiosk").tasks("train"))
    with pytest.raises(BadInput, match="holds tasks of kiosk"):
        RETAIL.open_data(f"own:{file}")
    file.write_text('{"id": 3}\n', encoding="utf-8")
    with pytest.raises(BadInput, match="line 1 is not a task"):
        RETAIL.open_data(f"own:{file}")


def test_texts_are_finished() -> None:
    for task in drawn():
        for text in (task.scenario, *(goal.utterance for goal in task.every_goal())):
            assert not {"{", "[", "|"} & set(text) and "  " not in text and ".." not in text, (task.id, text)
            assert text[0].isupper() and text[-1] in '.?"', (task.id, text)


def test_words_vary() -> None:
    openings = Counter(" ".join(task.goals[0].utterance.split()[:3]) for task in drawn())
    assert len(openings) > 60


# --- truth: what is said to be impossible is, and the rest is not; the policy written a second time ---


def why_not(goal: Goal, user_id: str) -> str | None:
    """Why the policy forbids a wish or the shop cannot grant it; None when nothing stands in the way."""
    order = look("get_order_details", order_id=fact(goal, "order"))
    if order["user_id"] != user_id:
        return "of another customer"
    if goal.outcome == "answered" or not goal.kind.endswith(("order", "items", "payment", "address")):
        return None
    if order["status"] != ("delivered" if "delivered" in goal.kind else "pending"):
        return "in the wrong state"
    if fact(goal, "reason") not in (None, "no longer needed", "ordered by mistake"):
        return "for another reason"
    return _unavailable(goal, order) or _unpayable(goal, order, user_id)


def _swaps(goal: Goal, order: dict[str, Any]) -> list[tuple[dict[str, Any], str]]:
    old = {item["item_id"]: item for item in order["items"]}
    ids, new = (fact(goal, name) or {} for name in ("items", "new_items"))
    return [(old[a], b) for a, b in zip(ids.get("item_ids", ()), new.get("new_item_ids", ()), strict=False)]


def _unavailable(goal: Goal, order: dict[str, Any]) -> str | None:
    for old, new in _swaps(goal, order):
        variants = look("get_product_details", product_id=old["product_id"])["variants"]
        if new not in variants:
            return "for another product"
        if not variants[new]["available"]:
            return "out of stock"
    return None


def _unpayable(goal: Goal, order: dict[str, Any], user_id: str) -> str | None:
    methods = look("get_user_details", user_id=user_id)["payment_methods"]
    method, first = methods.get(fact(goal, "payment_method")), order["payment_history"][0]
    if method is None:
        return None
    if (
        goal.kind.startswith("return")
        and method["source"] != "gift_card"
        and method["id"] != first["payment_method_id"]
    ):
        return "refunded elsewhere"
    more = sum(look("get_item_details", item_id=new)["price"] - old["price"] for old, new in _swaps(goal, order))
    due = first["amount"] if goal.kind.endswith("payment") else round(more, 2)
    return "not covered" if method.get("balance", due) < due else None


def test_forbidden_wishes_are_forbidden_and_wishes_to_be_done_are_possible() -> None:
    reasons: Counter[str] = Counter()
    done = 0
    for seed in (1, 2, 3):
        for task in drawn() if seed == 1 else Generator(RETAIL, seed, "train").tasks(120):
            for goal in (goal for goal in task.every_goal() if fact(goal, "order")):
                reason = why_not(goal, customer(task))
                if goal.outcome == "refused":
                    assert reason is not None, (task.id, goal.utterance)
                    assert len(goal.must_communicate) == 2 or goal.fallback
                    reasons[reason] += 1
                elif goal is task.goals[0] and len(task.goals) == 1 and goal.outcome == "done":
                    assert reason is None, (task.id, goal.utterance, reason)
                    done += 1
    assert done > 60
    assert set(reasons) == {
        "of another customer",
        "in the wrong state",
        "for another reason",
        "for another product",
        "out of stock",
        "refunded elsewhere",
        "not covered",
    }


def test_a_human_is_wanted_for_what_no_tool_does() -> None:
    handed = [task for task in drawn() if task.goals[-1].outcome == "transferred"]
    assert len(handed) > 5
    for task in handed:
        assert task.gold[-1].name == "transfer_to_human_agents"
        assert fact(task.goals[-1], "matter")[1:] in task.goals[-1].utterance


# --- playing them ---


def play(task: Task, agent: str) -> Trajectory:
    with Session(RETAIL, task=task) as session:
        episode = Episode(RETAIL, task, session, make_user("scripted"))
        return asyncio.run(run_episode(episode, make_agent(agent)))


def test_the_oracle_solves_every_drawn_task_with_the_scripted_user_and_an_inert_agent_none() -> None:
    assert [task.id for task in drawn() if not verify(play(task, "oracle")).passed()] == []
    assert [task.id for task in drawn() if verify(play(task, "inert")).passed()] == []


def test_the_rules_agent_does_nothing_but_what_was_wished() -> None:
    """The user agrees to nothing wrong: what the honest baseline writes is in the gold calls, but for rare guesses."""
    wrong = []
    for task in (*RETAIL.tasks("dev", "own"), *RETAIL.tasks("test", "own"))[::2]:
        gold = {json.dumps([call.name, call.arguments.get("order_id")]) for call in task.gold}
        written = (record for record in play(task, "rules").calls if record.wrote)
        wrong += [task.id for r in written if json.dumps([r.name, r.arguments.get("order_id")]) not in gold]
    assert len(wrong) <= 1, wrong
