"""Tasks drawn from the calendar's goals: every goal can be granted, every rule can be met, and how things are said."""

import random
from datetime import datetime, timedelta
from functools import cache

import pytest

from toolgym.domains.calendar import domain
from toolgym.domains.calendar.goals.composed import NEW_SERIES, PLAN, SWAP_GUEST
from toolgym.sandbox.kit.goal import Goal
from toolgym.sandbox.kit.rule import Rule
from toolgym.sandbox.kit.task import Information, Task
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.generator import assembled
from toolgym.sandbox.synthesis.proof.prove import prove
from toolgym.sandbox.synthesis.proof.replay import gold_of
from toolgym.sandbox.synthesis.sampler import Sampler
from toolgym.sandbox.synthesis.wish import drawn

GOALS = {goal.name: goal for goal in domain.goals}


@cache
def sampler(number: int) -> Sampler:
    moments = (domain.now, *domain.clocks)
    return Sampler(domain, domain.owner_keys()[number], moments[number % len(moments)])


def proven(goal: Goal, information: Information, breaking: Rule | None = None) -> Task | None:
    """The first of some draws that becomes a proven task."""
    for seed in range(12):
        rng, person = random.Random(seed), sampler(seed % 6)
        wish = drawn(person, goal, rng, information, breaking=breaking)
        if wish is not None:
            family = "forbidden" if breaking else "granted"
            task = assembled(person, [wish], rng, "t", "train", information, family)
            if not prove(task):
                return task
    return None


@pytest.mark.parametrize("information", ["complete", "withheld", "described"])
@pytest.mark.parametrize("name", GOALS)
def test_every_goal_can_be_granted(name: str, information: Information) -> None:
    task = proven(GOALS[name], information)
    assert task is not None
    with Session(domain, task=task) as session:
        results = [session.call(call.name, call.arguments) for call in task.gold]
    assert all(result.ok for result in results)


@pytest.mark.parametrize("rule", domain.rules, ids=lambda rule: rule.name)
def test_every_rule_can_be_met(rule: Rule) -> None:
    found = [task for goal in domain.goals if rule.applies(goal.tool) and (task := proven(goal, "described", rule))]
    assert found
    assert all(task.goals[0].outcome == "refused" for task in found)


def test_who_moves_an_event_in_a_room_has_looked_at_the_room_on_the_new_day() -> None:
    rule = next(rule for rule in domain.rules if rule.name == "room_free")
    task = proven(GOALS["move"], "described", rule)
    assert task is not None
    assert [call.name for call in task.gold] == ["list_events", "get_event", "get_room_schedule"]
    assert task.depth == 3


def test_several_people_are_one_thing_to_a_person() -> None:
    rng, person = random.Random(3), sampler(0)
    for _ in range(40):
        wish = drawn(person, GOALS["invite"], rng, "described")
        fact = wish and next(fact for fact in wish.wish.facts if fact.name == "people")
        if fact and len(fact.value) == 2:
            assert fact.words.count(" and ") == 1
            assert person.owner not in fact.value
            return
    pytest.fail("no wish named two people")


def test_text_that_an_agent_composes_is_left_open_and_the_rest_is_not() -> None:
    for name, column in (("cancel", "events.cancel_message"), ("decline", "attendees.comment")):
        task = proven(GOALS[name], "complete")
        assert task is not None and task.free == (column,)
    quiet = proven(GOALS["cancel_quietly"], "complete")
    assert quiet is not None and quiet.free == ()


def test_whoever_asks_for_their_own_free_time_is_looked_up_first() -> None:
    task = proven(GOALS["longest_free"], "described")
    assert task is not None
    assert [call.name for call in task.gold] == ["get_now", "get_free_busy"]
    assert task.owner is not None and str(task.owner) not in task.scenario


def test_a_planned_meeting_begins_at_the_first_time_that_all_share() -> None:
    task = proven(PLAN, "complete")
    assert task is not None
    with Session(domain, task=task) as session:
        results = {call.name: session.call(call.name, call.arguments).value for call in task.gold}
    made, shown = results["invite_people"], results["get_free_busy"]
    busy = [(span["start"], span["end"]) for each in shown for span in each["busy"]]
    hours = [(span["start"], span["end"]) for each in shown for span in each["working_hours"]]
    start, length = datetime.fromisoformat(made["start"]), timedelta(minutes=made["minutes"])

    def is_free(begin: datetime) -> bool:
        first, last = begin.isoformat(timespec="minutes"), (begin + length).isoformat(timespec="minutes")
        return all(end <= first or last <= taken for taken, end in busy) and all(
            opens <= first and last <= closes for opens, closes in hours
        )

    earlier = [start - timedelta(minutes=step) for step in range(5, 600, 5)]
    assert len(shown) > 2 and is_free(start) and not any(map(is_free, earlier))
    assert task.communicate and {guest["email"] for guest in made["attendees"]} == {each["email"] for each in shown[1:]}


def test_what_is_composed_takes_several_writes_of_which_each_is_needed() -> None:
    series = proven(NEW_SERIES, "described")
    assert series is not None
    assert [call.name for call in series.goals[0].calls] == [
        "create_event", "invite_people", "set_recurrence",
    ]  # fmt: skip
    rows = {row.table for row in gold_of(series).diff}
    assert rows == {"attendees", "events", "series"}
    wishes = (drawn(sampler(place % 6), SWAP_GUEST, random.Random(place), "complete") for place in range(60))
    assert {len(wish.wish.calls) for wish in wishes if wish is not None} >= {2, 4}
