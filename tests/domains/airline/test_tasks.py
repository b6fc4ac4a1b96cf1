"""Airline tasks as a specification: what is drawn is true and can be solved, judged by a second writing of the policy.

The published splits are held in `tests/domains/test_published.py`.
"""

import asyncio
from collections import Counter
from datetime import date, datetime, timedelta
from functools import cache
from random import Random
from typing import Any

import gymnasium
import pytest
from airline_rows import Record, direct, journeys, statuses, world

import toolgym  # noqa: F401  # makes the ids known
from toolgym.domains.airline.rules import is_recent
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.rule import Rule
from toolgym.sandbox.kit.task import Goal, Task
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import make_agent, make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.generator import Generator
from toolgym.sandbox.synthesis.proof.lint import lint
from toolgym.sandbox.synthesis.sampler import Sampler
from toolgym.sandbox.synthesis.wording import said_otherwise

pytestmark = pytest.mark.slow

AIRLINE = get_domain("airline")
NOW = datetime(2024, 5, 15, 15, 0)
FREE_BAGS = {"regular": (0, 1, 2), "silver": (1, 2, 3), "gold": (2, 3, 4)}
CABINS = ("basic_economy", "economy", "business")
HEALTH_OR_WEATHER = ("ill", "leg", "doctor", "hospital", "hurricane", "storm", "storms")


@cache
def drawn() -> list[Task]:
    return list(Generator(AIRLINE, seed=21).tasks(400))


def customer(task: Task) -> Record:
    return world().users[str(task.owner)]


def fact(goal: Goal, name: str) -> Any:
    return next((fact.value for fact in goal.facts if fact.name == name), None)


def trip_of(goal: Goal) -> Record:
    return world().reservations[str(fact(goal, "reservation"))]


def done(name: str) -> list[tuple[Task, Goal, Record]]:
    """What is to be done with a tool: the task, the wish and the arguments."""
    final = ((task, goal.final) for task in drawn() for goal in task.goals)
    return [
        (task, goal, call.arguments)
        for task, goal in final
        for call in goal.calls
        if call.name == name and isinstance(call.arguments, dict)
    ]


def refused(kind: str) -> list[tuple[Task, Goal]]:
    wishes = ((task, goal) for task in drawn() for goal in task.every_goal())
    return [(task, goal) for task, goal in wishes if goal.kind == kind and goal.outcome == "refused"]


def test_drawn_tasks_are_proven_sound_and_nobody_idle_passes() -> None:
    report = lint(drawn()[:80])
    assert [str(problem) for problem in report.problems] == []
    assert report.idle == []


def test_every_goal_is_drawn() -> None:
    kinds = {goal.kind for task in drawn() for goal in task.every_goal()}
    assert {goal.name for goal in AIRLINE.goals} <= kinds


@pytest.mark.parametrize("rule", AIRLINE.rules, ids=lambda rule: rule.name)
def test_every_rule_has_a_wish_that_breaks_it(rule: Rule) -> None:
    goals = [goal for goal in AIRLINE.goals if rule.applies(goal.tool) and goal.against in (None, rule)]
    people = (Sampler(AIRLINE, owner) for owner in AIRLINE.owner_keys())
    found = (sampler.forbidden(goal, rule, Random(3)) for sampler in people for goal in goals)
    assert next(wish for wish in found if wish is not None)


def test_texts_are_finished() -> None:
    for task in drawn():
        for text in (task.scenario, *(goal.utterance for goal in task.every_goal())):
            assert not {"{", "}", "[", "]", "|"} & set(text), (task.id, text)
            assert "  " not in text and ".." not in text and " ," not in text, (task.id, text)
            assert text[0].isupper() and text[-1] in '.?"', (task.id, text)


def test_wishes_said_again_are_finished() -> None:
    """Parts of a sentence that can be said otherwise are said one way when the user says the wish again."""
    said = [text for task in drawn() for goal in task.goals for text in said_otherwise(task.domain, goal)]
    assert any("will travel" in text for text in said)
    assert not [text for text in said if set(text) & set("[]{}|")]


def test_words_vary() -> None:
    said: dict[str, list[str]] = {}
    for task in drawn():
        for goal in task.every_goal():
            said.setdefault(goal.kind, []).append(" ".join(goal.utterance.split()[:3]))
    assert min(len(set(openings)) for openings in said.values() if len(openings) >= 10) >= 3
    assert min(len(goal.says) for goal in AIRLINE.goals) >= 6


# --- truth: what is said to be impossible is, and the rest is not ---


def why_no_cancellation(trip: Record, reason: str) -> str | None:
    """Why the policy forbids a cancellation."""
    states = statuses(trip)
    if {"flying", "landed"} & set(states):
        return "begun"
    young = NOW - datetime.fromisoformat(trip["created_at"]) <= timedelta(hours=24)
    covered = trip["insurance"] == "yes" and any(word in reason.split() for word in HEALTH_OR_WEATHER)
    return None if young or covered or "cancelled" in states or trip["cabin"] == "business" else "no ground"


def test_cancellations_are_allowed_where_they_are_to_be_done_and_nowhere_else() -> None:
    for task, goal, given in done("cancel_reservation"):
        trip = world().reservations[given["reservation_id"]]
        assert trip["user_id"] == task.owner
        assert why_no_cancellation(trip, fact(goal, "reason") or "") is None, task.id
    grounds: Counter[str] = Counter()
    for task, goal in refused("cancel_reservation"):
        trip = trip_of(goal)
        strange = trip["user_id"] != task.owner
        assert strange or why_no_cancellation(trip, fact(goal, "reason")) == "no ground", task.id
        grounds["strange" if strange else "own"] += 1
    assert len(done("cancel_reservation")) > 20 and set(grounds) == {"own", "strange"}
    for task in drawn():
        if task.goals[0].kind == "cancel_reservation" and task.goals[0].outcome == "transferred":
            assert why_no_cancellation(trip_of(task.goals[0]), "") == "begun", task.id
            assert task.gold[-1].name == "transfer_to_human_agents"


def test_the_24th_hour_is_within_24_hours() -> None:
    booked = NOW - timedelta(hours=24)
    assert is_recent(booked.isoformat(), NOW)
    assert not is_recent((booked - timedelta(seconds=1)).isoformat(), NOW)


def test_flights_and_cabins_are_changed_where_they_may_be() -> None:
    """No basic economy, no flown flight with another cabin, the same ends, the days in order, paid by a card."""
    for task, _, given in done("update_reservation_flights"):
        trip, new = world().reservations[given["reservation_id"]], given["flights"]
        if given["cabin"] == trip["cabin"]:
            assert trip["cabin"] != "basic_economy", task.id
        assert not {"flying", "landed"} & set(statuses(trip)), task.id
        ends = [world().flights[leg["flight_number"]] for leg in new]
        assert (ends[0][0], ends[-1][1]) == (trip["flights"][0]["origin"], trip["flights"][-1]["destination"])
        days = [leg["date"] for leg in new]
        assert days == sorted(days) and all(day >= "2024-05-15" for day in days), task.id
        assert not given["payment_id"].startswith("certificate")
    for task, goal in refused("change_flights"):
        trip, pays = trip_of(goal), str(fact(goal, "payment"))
        reasons = (trip["user_id"] != task.owner, trip["cabin"] == "basic_economy", pays.startswith("certificate"))
        assert sum(reasons) == 1, task.id


def test_moved_flights_are_the_ones_meant() -> None:
    """One flight fits, or the cheapest or the first of the day was asked for."""
    moved = [entry for entry in done("update_reservation_flights") if entry[1].kind == "change_flights"]
    assert len(moved) > 5
    for task, goal, given in moved:
        trip = trip_of(goal)
        old = {(leg["flight_number"], leg["date"]) for leg in trip["flights"]}
        (new,) = [leg for leg in given["flights"] if (leg["flight_number"], leg["date"]) not in old]
        way = journeys(trip)[-1 if fact(goal, "way") == "the return flight" else 0]
        ends = (way[0]["origin"], way[-1]["destination"])
        offers = direct(*ends, fact(goal, "date"), trip["cabin"], len(trip["passengers"]))
        pick = fact(goal, "pick") or ""
        if "cheapest" in pick:
            offers = [min(offers, key=lambda offer: offer.price)]
        elif "first of the day" in pick:
            offers = [min(offers, key=lambda offer: offer.departure)]
        assert [offer.number for offer in offers] == [new["flight_number"]], task.id


def test_bags_follow_the_allowance() -> None:
    paid: Counter[bool] = Counter()
    for task, goal, given in [*done("book_reservation"), *done("update_reservation_baggages")]:
        if "reservation_id" in given:
            trip = world().reservations[given["reservation_id"]]
            cabin, count, before = trip["cabin"], len(trip["passengers"]), trip["nonfree_baggages"]
            assert given["total_baggages"] == trip["total_baggages"] + fact(goal, "bags"), task.id
        else:
            cabin, count, before = given["cabin"], len(given["passengers"]), 0
        free = FREE_BAGS[customer(task)["membership"]][CABINS.index(cabin)] * count
        assert given["nonfree_baggages"] == max(before, given["total_baggages"] - free), task.id
        paid[given["nonfree_baggages"] > before] += 1
    assert min(paid.values()) > 3


def test_bookings_are_the_trips_that_were_asked_for_and_paid_as_the_policy_says() -> None:
    for task, goal, given in done("book_reservation"):
        trip, which, legs = fact(goal, "trip"), fact(goal, "which"), given["flights"]
        assert {leg["date"] for leg in legs} >= set(trip["days"]) and len(trip["days"]) in (1, 2)
        assert given["flight_type"] == ("round_trip" if len(trip["days"]) == 2 else "one_way")
        assert len(legs) == len(trip["days"]) * (2 if which["stops"] else 1), task.id
        if not which["stops"] and "cheapest" in which["pick"]:
            first = direct(given["origin"], given["destination"], trip["days"][0], given["cabin"], 1)
            price = next(seat.price for seat in first if seat.number == legs[0]["flight_number"])
            roomy = direct(
                given["origin"], given["destination"], trip["days"][0], given["cabin"], len(given["passengers"])
            )
            assert price == min(seat.price for seat in roomy), task.id
        sorts = Counter(share["payment_id"].rpartition("_")[0] for share in given["payment_methods"])
        assert sorts["certificate"] < 2 and sorts["credit_card"] < 2 and sorts["gift_card"] < 4
        assert customer(task)["dob"] in {person["dob"] for person in given["passengers"]}
    for task, goal in refused("book_reservation"):
        assert sum(entry["source"] == "certificate" for entry in fact(goal, "payment")) > 1, task.id


def test_compensation_goes_to_those_entitled_and_is_the_right_amount() -> None:
    for task, goal, given in done("send_certificate"):
        trip, user = trip_of(goal), customer(task)
        assert user["membership"] != "regular" or trip["insurance"] == "yes" or trip["cabin"] == "business", task.id
        rate = 50 if goal.kind == "cancel_delayed" else 100
        assert ("delayed" if rate == 50 else "cancelled") in statuses(trip), task.id
        assert given["amount"] == rate * len(trip["passengers"])
    for task, goal in refused("compensation"):
        trip, user = trip_of(goal), customer(task)
        assert user["membership"] == "regular" and trip["insurance"] == "no" and trip["cabin"] != "business", task.id
    for _, goal in refused("complain"):
        assert "cancelled" not in statuses(trip_of(goal))


def test_other_forbidden_wishes_are_forbidden() -> None:
    for _, goal in refused("insure"):
        assert trip_of(goal)["insurance"] == "no"
    for _, goal in refused("remove_bags"):
        assert trip_of(goal)["total_baggages"] > 0
    for task, goal in refused("add_bags"):
        strange = trip_of(goal)["user_id"] != task.owner
        assert strange or str(fact(goal, "payment")).startswith("certificate"), task.id


def test_answers_are_true() -> None:
    for task in drawn():
        for goal in (goal for goal in task.goals if goal.outcome == "answered"):
            if goal.kind == "ask_paid":
                paid = sum(payment["amount"] for payment in trip_of(goal)["payment_history"])
                assert goal.must_communicate == (str(paid),), task.id
            elif goal.kind == "ask_free_bags":
                trip = trip_of(goal)
                free = FREE_BAGS[customer(task)["membership"]][CABINS.index(trip["cabin"])]
                assert goal.must_communicate == (str(free * len(trip["passengers"])),), task.id


# --- playing them ---


def play(task: Task, agent: str) -> bool:
    with Session(AIRLINE, task=task) as session:
        episode = Episode(AIRLINE, task, session, make_user("scripted"))
        return verify(asyncio.run(run_episode(episode, make_agent(agent)))).passed()


@pytest.mark.parametrize(("agent", "passed"), [("oracle", 60), ("inert", 0)])
def test_drawn_tasks_are_played(agent: str, passed: int) -> None:
    assert sum(play(task, agent) for task in drawn()[:60]) == passed


def test_a_day_is_said_as_people_say_it() -> None:
    for _, goal, _ in done("book_reservation"):
        for day in fact(goal, "trip")["days"]:
            assert f"{date.fromisoformat(day):%B} {int(day[-2:])}" in goal.utterance


def test_the_environment_is_found_by_its_id() -> None:
    environment = gymnasium.make("ToolAirline-v0")
    observation, _ = environment.reset(seed=3)
    assert environment.observation_space.contains(observation)
    environment.close()
