"""The airline tasks as a specification: sizes, splits, families, difficulties, truth, and that they can be solved."""

import asyncio
import hashlib
import json
import os
import re
import subprocess
import sys
from collections import Counter
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import gymnasium
import pytest

import toolgym  # noqa: F401  # makes the ids known
from domains.airline.reservation_rules import Record, day_words, direct, journeys, place_words, statuses, world
from domains.airline.seed import ALLOWANCE, NOW
from domains.airline.tasks import FAMILIES, GENERATOR
from judge.scoring.verifier import verify
from sandbox.kit.errors import BadInput
from sandbox.kit.message import Message
from sandbox.kit.task import Goal, Task, read_tasks, write_tasks
from sandbox.runtime.episode import Episode, run_episode
from sandbox.runtime.registry import get_domain
from sandbox.runtime.roles import make_agent, make_user
from sandbox.runtime.session import Session
from sandbox.runtime.trajectory import Trajectory
from sandbox.synthesis.proof.lint import lint
from sandbox.synthesis.task_generator import SIZES

AIRLINE = get_domain("airline")


def small() -> list[Task]:
    return [*AIRLINE.tasks("dev"), *AIRLINE.tasks("test")]


@cache
def every_task() -> list[Task]:
    return [*AIRLINE.tasks("train"), *small()]


def customer(task: Task) -> str:
    return next(str(fact.value) for fact in task.facts if fact.name == "user_id")


def fact(goal: Goal, name: str) -> Any:
    return next((fact.value for fact in goal.facts if fact.name == name), None)


def of_family(family: str) -> list[Task]:
    return [task for task in every_task() if task.family == family]


# --- the whole ---


def test_sizes_and_ids() -> None:
    sizes = Counter(task.split for task in every_task())
    assert sizes == SIZES == {"train": 2000, "dev": 100, "test": 115}
    assert len({task.id for task in every_task()}) == len(every_task())


def test_tasks_are_proven_sound() -> None:
    """Every third training task, to save time; `toolgym tasks lint airline` proves all."""
    report = lint([*small(), *AIRLINE.tasks("train")[::3]])
    assert [str(problem) for problem in report.problems] == []
    assert report.idle == []


def test_no_customer_is_in_two_splits() -> None:
    people = {split: {customer(task) for task in AIRLINE.tasks(split)} for split in SIZES}
    assert not people["train"] & (people["dev"] | people["test"])
    assert not people["dev"] & people["test"]
    assert len(people["train"]) > 200


@pytest.mark.parametrize("split", SIZES)
def test_families_and_difficulties_are_balanced(split: str) -> None:
    tasks = AIRLINE.tasks(split)
    total = sum(sum(family.shares) for family in FAMILIES.values())
    for name, family in FAMILIES.items():
        for difficulty, share in zip(("simple", "standard", "hard"), family.shares, strict=True):
            count = sum(task.family == name and task.difficulty == difficulty for task in tasks)
            assert abs(count - len(tasks) * share / total) < 1, (name, difficulty)


_DIGEST = """
import hashlib
from domains.airline.tasks import GENERATOR
text = "".join(task.model_dump_json() for task in GENERATOR.generate(7, 30, "dev"))
print(hashlib.sha256(text.encode()).hexdigest())
"""


def test_generation_gives_the_same_bytes_in_every_process() -> None:
    text = "".join(task.model_dump_json() for task in GENERATOR.generate(7, 30, "dev"))
    environment = os.environ | {"PYTHONHASHSEED": "1"}
    run = subprocess.run([sys.executable, "-c", _DIGEST], env=environment, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == hashlib.sha256(text.encode()).hexdigest()


def test_another_seed_gives_other_sound_tasks(tmp_path: Path) -> None:
    tasks = GENERATOR.generate(99, 60, "test")
    assert lint(tasks).problems == []
    assert not {task.model_dump_json(exclude={"id"}) for task in tasks} & {
        task.model_dump_json(exclude={"id"}) for task in AIRLINE.tasks("test")
    }
    write_tasks(tmp_path / "tasks.jsonl", tasks)
    assert read_tasks(tmp_path / "tasks.jsonl") == list(AIRLINE.tasks("test", f"own:{tmp_path / 'tasks.jsonl'}"))


def test_another_worlds_tasks_are_refused(tmp_path: Path) -> None:
    write_tasks(tmp_path / "tasks.jsonl", get_domain("kiosk").tasks("train"))
    with pytest.raises(BadInput, match="holds tasks of kiosk"):
        AIRLINE.open_data(f"own:{tmp_path / 'tasks.jsonl'}")


# --- difficulties and words ---


def test_difficulties_tell_more_or_less() -> None:
    for task in every_task():
        facts = [*task.facts, *(fact for goal in task.every_goal() for fact in goal.facts)]
        if task.difficulty == "simple":
            assert len(task.goals) == 1 and not any(fact.on_request for fact in facts), task.id
        else:
            assert any(fact.on_request for fact in task.facts), task.id
        if task.difficulty == "hard":
            told = task.scenario + json.dumps([[goal.utterance, *map(str, goal.facts)] for goal in task.every_goal()])
            assert not [code for code in world().users[customer(task)]["reservations"] if code in told], task.id


def test_difficulty_shows_in_depth() -> None:
    depths = {
        level: [t.depth for t in every_task() if t.difficulty == level] for level in ("simple", "standard", "hard")
    }
    means = {level: sum(values) / len(values) for level, values in depths.items()}
    assert max(means["simple"], means["standard"]) < means["hard"]


def test_texts_are_finished() -> None:
    for task in every_task():
        for text in (task.scenario, *(goal.utterance for goal in task.every_goal())):
            assert "{" not in text and "  " not in text and ".." not in text, (task.id, text)
            assert text[0].isupper() and text[-1] in ".?", (task.id, text)


def test_scenarios_speak_to_the_customer() -> None:
    for task in every_task():
        words = set(task.scenario.replace(",", " ").replace(":", " ").replace(".", " ").split())
        assert not {"I", "my", "me", "mine", "My"} & words, (task.id, task.scenario)


def test_scenarios_hold_what_the_scripted_user_knows() -> None:
    named = {"first_name", "last_name", "user_id", "reservation_id", "date", "return_date", "cabin"}
    for task in every_task():
        for known in (*task.facts, *(fact for goal in task.every_goal() for fact in goal.facts)):
            assert known.name not in named or str(known.value) in task.scenario, (task.id, known)


@pytest.mark.parametrize("family", FAMILIES)
def test_words_vary(family: str) -> None:
    openings = Counter(" ".join(task.goals[0].utterance.split()[:3]) for task in of_family(family))
    assert len(openings) >= 3
    assert openings.most_common(1)[0][1] < 0.7 * sum(openings.values())


# --- truth: what is said to be impossible is, and the rest is not, judged by the policy written a second time ---

HEALTH_OR_WEATHER = ("ill", "leg", "doctor", "hospital", "hurricane", "storm", "storms")


def trip_of(goal: Goal, user_id: str) -> Record:
    """The reservation a goal is about: by number, or the one that its description fits."""
    code = fact(goal, "reservation_id")
    if code:
        return dict(world().reservations[code])
    words = fact(goal, "reservation")
    fitting = []
    for owned in world().users[user_id]["reservations"]:
        trip = world().reservations[owned]
        route = f"the trip from {place_words(trip['origin'])} to {place_words(trip['destination'])}"
        if words in (route, f"{route} on {day_words(trip['flights'][0]['date'])}"):
            fitting.append(trip)
    assert len(fitting) == 1, (words, fitting)
    return dict(fitting[0])


def why_no_cancellation(trip: Record, reason: str) -> str | None:
    """Why the policy forbids a cancellation."""
    states = statuses(trip)
    if {"flying", "landed"} & set(states):
        return "begun"
    young = NOW - datetime.fromisoformat(trip["created_at"]) <= timedelta(hours=24)
    covered = trip["insurance"] == "yes" and any(word in reason.split() for word in HEALTH_OR_WEATHER)
    return None if young or covered or "cancelled" in states or trip["cabin"] == "business" else "no ground"


def test_cancellations_are_allowed_where_they_are_to_be_done() -> None:
    grounds: Counter[str] = Counter()
    for task in every_task():
        for goal in task.every_goal():
            for call in goal.calls:
                if call.name == "cancel_reservation":
                    trip = world().reservations[call.arguments["reservation_id"]]
                    assert trip["user_id"] == customer(task)
                    assert why_no_cancellation(trip, fact(goal, "reason")) is None, task.id
                    grounds["business" if trip["cabin"] == "business" else "other"] += 1
    assert min(grounds.values()) > 100


def test_conditions_hold_or_not_and_the_gold_calls_follow() -> None:
    possible: Counter[bool] = Counter()
    for task in of_family("conditional"):
        goal = task.goals[0]
        assert goal.fallback is not None
        assert goal.final is (goal if goal.calls else goal.fallback)
        assert [call for call in task.gold if call in goal.final.calls] == list(goal.final.calls)
        possible[bool(goal.calls)] += 1
        if goal.kind == "cancel_reservation":
            refusal = why_no_cancellation(trip_of(goal, customer(task)), fact(goal, "reason"))
            assert (refusal is None) == bool(goal.calls), task.id
        if goal.kind == "update_reservation_flights":
            basic = trip_of(goal, customer(task))["cabin"] == "basic_economy"
            assert basic != bool(goal.calls), task.id
        if goal.kind == "book_reservation":
            booked = goal.fallback.calls[0].arguments
            day, route = fact(goal, "date"), (booked["origin"], booked["destination"])
            assert direct(*route, day, booked["cabin"], len(booked["passengers"])) == [], task.id
    assert min(possible[True], possible[False]) > 0.15 * sum(possible.values())


def test_flights_are_changed_where_they_may_be() -> None:
    """No basic economy, no flown flight with another cabin, the same ends, and the days in order."""
    for task in every_task():
        for call in (call for goal in task.goals for call in goal.final.calls):
            if call.name != "update_reservation_flights":
                continue
            trip, new = world().reservations[call.arguments["reservation_id"]], call.arguments["flights"]
            if call.arguments["cabin"] == trip["cabin"]:
                assert trip["cabin"] != "basic_economy", task.id
            assert not {"flying", "landed"} & set(statuses(trip)), task.id
            ends = [world().flights[leg["flight_number"]] for leg in new]
            assert (ends[0][0], ends[-1][1]) == (trip["flights"][0]["origin"], trip["flights"][-1]["destination"])
            days = [leg["date"] for leg in new]
            assert days == sorted(days) and all(day >= "2024-05-15" for day in days), task.id


def test_bags_follow_the_allowance() -> None:
    paid: Counter[bool] = Counter()
    for task in every_task():
        membership = world().users[customer(task)]["membership"]
        for call in (call for goal in task.goals for call in goal.final.calls):
            given = call.arguments
            if call.name == "book_reservation":
                cabin, count, before = given["cabin"], len(given["passengers"]), 0
            elif call.name == "update_reservation_baggages":
                trip = world().reservations[given["reservation_id"]]
                cabin, count, before = trip["cabin"], len(trip["passengers"]), trip["nonfree_baggages"]
            else:
                continue
            free = ALLOWANCE[membership][cabin] * count
            assert given["nonfree_baggages"] == max(before, given["total_baggages"] - free), task.id
            paid[given["nonfree_baggages"] > before] += 1
    assert min(paid.values()) > 40


def test_compensation_goes_to_those_entitled_and_is_the_right_amount() -> None:
    amounts: Counter[int] = Counter()
    for task in of_family("compensation"):
        goal = task.goals[0]
        trip, user = trip_of(goal, customer(task)), world().users[customer(task)]
        assert user["membership"] != "regular" or trip["insurance"] == "yes" or trip["cabin"] == "business", task.id
        rate = 50 if goal.kind == "cancel_reservation" else 100
        assert ("delayed" if rate == 50 else "cancelled") in statuses(trip), task.id
        assert goal.calls[-1].arguments["amount"] == rate * len(trip["passengers"])
        amounts[rate] += 1
    assert min(amounts[50], amounts[100]) >= 10, amounts


def test_forbidden_wishes_are_forbidden() -> None:
    kinds: Counter[str] = Counter()
    for task in of_family("forbidden"):
        goal, user_id = task.goals[0], customer(task)
        trip = trip_of(goal, user_id)
        assert len(task.communicate) == 2
        if trip["user_id"] != user_id:
            kinds["of a stranger"] += 1
        elif goal.kind == "cancel_reservation" and fact(goal, "reason"):
            assert why_no_cancellation(trip, fact(goal, "reason")) == "no ground", task.id
            kinds["no ground"] += 1
        elif goal.kind == "send_certificate" and fact(goal, "complaint") is None:
            entitled = world().users[user_id]["membership"] != "regular" or trip["insurance"] == "yes"
            assert not entitled and trip["cabin"] != "business" and "cancelled" in statuses(trip), task.id
            kinds["not entitled"] += 1
        elif fact(goal, "date"):
            assert trip["cabin"] == "basic_economy", task.id
            kinds["basic economy"] += 1
        elif goal.kind == "update_reservation_baggages":
            assert trip["total_baggages"] > 0
            kinds["fewer bags"] += 1
        elif "insur" in goal.utterance:
            assert trip["insurance"] == "no", task.id
            kinds["late insurance"] += 1
        else:
            kinds[goal.kind] += 1
    assert len(kinds) >= 9, kinds


def test_each_forbidden_sort_is_drawn_often_enough() -> None:
    reasons = Counter(task.communicate[1] for task in of_family("forbidden"))
    assert len(reasons) >= 12 and min(reasons.values()) >= 5, reasons


def test_humans_are_wanted_for_what_no_tool_does() -> None:
    for task in of_family("human"):
        assert task.gold[-1].name == "transfer_to_human_agents"
        if "cancel" in task.goals[0].utterance:
            assert why_no_cancellation(trip_of(task.goals[0], customer(task)), "") == "begun", task.id


def test_moved_flights_are_the_ones_meant() -> None:
    """One flight fits, or the cheapest or the first of the day was asked for."""
    for task in of_family("flights"):
        goal = task.goals[0]
        trip, given = trip_of(goal, customer(task)), goal.calls[0].arguments
        day = fact(goal, "date")
        old = {(leg["flight_number"], leg["date"]) for leg in trip["flights"]}
        (moved,) = [leg for leg in given["flights"] if (leg["flight_number"], leg["date"]) not in old]
        way = next(
            way
            for way in journeys(trip)
            if (way[0]["origin"], way[-1]["destination"]) == world().flights[moved["flight_number"]][:2]
        )
        offers = direct(way[0]["origin"], way[-1]["destination"], day, trip["cabin"], len(trip["passengers"]))
        if "cheapest" in goal.utterance:
            offers = [min(offers, key=lambda offer: offer.price)]
        elif "first of the day" in goal.utterance:
            offers = [min(offers, key=lambda offer: offer.departure)]
        assert [offer.number for offer in offers] == [moved["flight_number"]], task.id


# --- playing them ---


def play(task: Task, agent: str) -> Trajectory:
    with Session(AIRLINE, task=task) as session:
        episode = Episode(AIRLINE, task, session, make_user("scripted"))
        return asyncio.run(run_episode(episode, make_agent(agent)))


def test_the_oracle_solves_every_task_with_the_scripted_user() -> None:
    assert [task.id for task in small() if not verify(play(task, "oracle")).passed()] == []


def test_an_inert_agent_solves_none() -> None:
    assert [task.id for task in small() if verify(play(task, "inert")).passed()] == []


def test_the_rules_agent_serves_most_customers_by_talking_to_them() -> None:
    """Every fact that a task needs can be had by asking the scripted user, and what is written was wished."""
    passed, wrong = 0, []
    for task in small():
        trajectory = play(task, "rules")
        passed += verify(trajectory).passed()
        gold = [(call.name, call.arguments) for call in task.gold]
        wrong += [
            task.id
            for r in trajectory.calls
            if r.wrote and r.name == "cancel_reservation" and (r.name, r.arguments) not in gold
        ]
    assert wrong == []
    assert passed > 0.9 * len(small())


def test_the_rules_agent_hands_over_what_no_rule_knows() -> None:
    task = of_family("human")[0].model_copy(update={"goals": (Goal(kind="ask", utterance="Do you like poetry?"),)})
    assert play(task, "rules").calls[-1].name == "transfer_to_human_agents"


async def _talk(task: Task, *agent: str) -> list[str]:
    """What the scripted user says to these messages of an agent."""
    user = make_user("scripted").open(task, seed=1)
    messages: list[Message] = []
    said = []
    for text in ("", *agent):
        messages += [Message(role="assistant", content=text)] if text else []
        messages.append(await user.reply(messages))
        said.append(messages[-1].content or "")
    return said


def test_the_scripted_user_tells_the_number_and_agrees_to_the_right_proposal_alone() -> None:
    task = next(
        task
        for task in of_family("cancel")
        if task.difficulty == "standard"
        and not task.communicate
        and all(fact.on_request for fact in task.goals[0].facts)
        and re.search(r"[0-9][A-Z]", task.scenario)
    )
    code = fact(task.goals[0], "reservation_id")
    number, reason, wrong, right = asyncio.run(
        _talk(
            task,
            "Could you give me your user id and the reservation number, please?",
            "What is the reason for the cancellation?",
            "Shall I cancel reservation Q2W3E4 and refund you?",
            f"Shall I cancel reservation {code} and refund you?",
        )
    )[1:]
    assert code in number and customer(task) in number
    assert fact(task.goals[0], "reason") in reason
    assert wrong.startswith("No") and right.startswith("Yes")


def test_the_environment_is_found_by_its_id() -> None:
    environment = gymnasium.make("ToolAirline-v0")
    observation, _ = environment.reset(seed=3)
    assert environment.observation_space.contains(observation)
    environment.close()
