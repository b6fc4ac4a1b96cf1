"""What is only a part or a percentage in words: proven from what is shown, and no yes to another part."""

import asyncio
from dataclasses import replace
from functools import cache
from random import Random

import pytest

from toolgym.domains.trading.schema import Instrument, Position
from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.language.consent import is_yes
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import make_user
from toolgym.sandbox.synthesis.generator import Generator
from toolgym.sandbox.synthesis.proof.reachability import trace
from toolgym.sandbox.synthesis.sampler import Sampler

DOMAIN = get_domain("trading")


@cache
def wanted(goal: str, words: str = "") -> Task:
    """A task of a goal that is granted, whose first words hold these."""
    only = replace(DOMAIN, goals=tuple(each for each in DOMAIN.goals if each.name == goal))
    found = (task for task in Generator(only, seed=4).tasks(80) if task.family == "granted")
    return next(task for task in found if words in task.goals[0].utterance)


def answered(task: Task, says: str) -> str:
    async def talk() -> str:
        user = make_user("scripted", {"style": "terse"}).open(task, seed=1)
        messages = [await user.reply([]), Message(role="assistant", content=says)]
        return (await user.reply(messages)).content or ""

    return asyncio.run(talk())


@pytest.mark.parametrize(("goal", "argument"), [("sell_part", "quantity"), ("alert_percent", "price_cents")])
def test_only_what_follows_from_what_is_said_and_shown_is_proven(goal: str, argument: str) -> None:
    task = wanted(goal)
    assert not any(step.missing for step in trace(task))
    *reads, last = task.gold
    assert isinstance(last.arguments, dict)
    other = last.model_copy(update={"arguments": last.arguments | {argument: int(str(last.arguments[argument])) + 1}})
    broken = trace(task.model_copy(update={"gold": (*reads, other)}))
    assert broken[-1].missing == (str(other.arguments[argument]),)  # type: ignore[index]  # a dictionary


def test_a_quarter_is_no_rhythm_and_no_half() -> None:
    task = wanted("sell_part", "a quarter")
    holding = next(fact.words for fact in task.goals[0].facts if fact.name == "position").replace("my", "your")
    assert is_yes(answered(task, f"I would sell a quarter of {holding} at the market. Shall I go ahead?"))
    for part in ("half", "a third", "all"):
        assert not is_yes(answered(task, f"I would sell {part} of {holding} at the market. Shall I go ahead?")), part


def test_all_of_one_thing_is_what_is_wished() -> None:
    task = wanted("sell_stop")
    facts = {fact.name: fact.words for fact in task.goals[0].facts}
    rest = f"with a stop of {facts['price_cents']}, {facts['good_for']}. Shall I go ahead?"
    assert is_yes(answered(task, f"I would sell all your {facts['instrument']} shares {rest}"))


def test_a_stop_for_all_shares_needs_some() -> None:
    """Pairs on both sides of a rule try companies of which nothing is held as well."""
    goal = next(each for each in DOMAIN.goals if each.name == "sell_stop")
    sampler = Sampler(DOMAIN, next(iter(DOMAIN.owner_keys())))
    held = {row.symbol for row in sampler.rows(Position)}
    other = next(row for row in sampler.rows(Instrument) if row.symbol not in held)
    assert goal.worked_out["quantity"](sampler.drawing(Random(1), {"instrument": other})) is None
