"""The laptop's task family: the cards of the bank's customers, who want one frozen, blocked or made active again.

Wishes, words, rows, tool and rules are those of the world `banking`; the family is compact, because the model is far
too small to read a policy and twenty tools. The customer may leave card or reason unsaid, and a change wants a yes.
Held-out tasks are about other cards; those of the split `untrained` besides leave unsaid what no training task does.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from toolgym.sandbox.kit.goal import Goal as Declared
from toolgym.sandbox.kit.message import Message, ToolCall
from toolgym.sandbox.kit.task import Fact, Goal, Task
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import Briefing

ASKS = {"card": "Which card is it?", "reason": "What is the reason?"}
PROPOSAL = "I will {verb} card {card}, reason: {reason}. Shall I go ahead?"
DONE = "Card {card} is {state}."
FROM = {"freeze_card": ("active",), "block_card": ("active",), "activate_card": ("frozen",)}
"""The wishes, and the states of cards that they are about."""
NOTHING, CARD, REASON = frozenset[str](), frozenset({"card"}), frozenset({"reason"})
UNSAID = {
    "freeze_card": (NOTHING, CARD, REASON, CARD | REASON),
    "block_card": (NOTHING, CARD),
    "activate_card": (NOTHING, CARD),
}
"""What a customer may leave unsaid."""
UNTRAINED = {("freeze_card", CARD | REASON), ("activate_card", CARD)}
"""Compositions of no training task."""
HELD_OUT = 0.3
"""The share of the cards."""
_REASON = re.compile(r"\[(.*?)\]")


@cache
def cards() -> list[tuple[str, str, str]]:
    """The bank's cards: key, owner, state."""
    rows = (
        get_domain("banking")
        .template()
        .reader.execute(
            "SELECT card_id, customer_id, state FROM cards JOIN accounts USING (account_id) ORDER BY card_id"
        )
    )
    return rows.fetchall()


def keys() -> list[str]:
    """The keys of all cards."""
    return [card for card, _, _ in cards()]


def tasks(seed: int = 0) -> list[Task]:
    """A task for every card, wish that fits it, reason, and choice of what the customer leaves unsaid."""
    rng = random.Random(seed)
    held_out = set(rng.sample(keys(), round(HELD_OUT * len(keys()))))
    found: list[Task] = []
    for card, owner, state in cards():
        for goal in (goal for goal in get_domain("banking").goals if state in FROM.get(goal.name, ())):
            for unsaid in UNSAID[goal.name]:
                trained = (goal.name, unsaid) not in UNTRAINED
                split = ("test" if trained else "untrained") if card in held_out else "train" if trained else None
                for reason in _reasons(goal) if split else ():
                    said = rng.choice(list(goal.says))
                    found.append(_task(len(found), goal, said, card, owner, reason, unsaid, str(split)))
    return found


def _reasons(goal: Declared) -> list[str]:
    words = goal.slot("reason").words if goal.name == "freeze_card" else None
    return list(words) if words else [goal.fixed["reason"]]


def _task(
    number: int, goal: Declared, said: str, card: str, owner: str, reason: str, unsaid: frozenset[str], split: str
) -> Task:
    words = (goal.slot("reason").words or {}).get(reason, reason) if goal.name == "freeze_card" else reason
    wish = _REASON.sub("" if "reason" in unsaid else r"\1", said).format(
        card="one of my cards" if "card" in unsaid else f"card {card}", reason=words
    )
    call = ToolCall(name="set_card_state", arguments={"card_id": card, "state": goal.fixed["state"], "reason": reason})
    facts = (
        Fact(name="card", value=card, kind="reference", words=f"card {card}", on_request="card" in unsaid),
        Fact(name="reason", value=reason, kind="choice", words=words, on_request="reason" in unsaid),
    )
    asked = " ".join(f"Asked for it, you say: {fact.words}." for fact in facts if fact.on_request)
    return Task(
        id=f"laptop-{number:04d}",
        domain="banking",
        split=split,
        family=goal.name,
        difficulty="standard" if unsaid else "simple",
        depth=1,
        scenario=f"{wish} {asked}".strip(),
        persona="terse",
        goals=(Goal(kind=goal.name, utterance=wish, facts=facts, calls=(call,)),),
        gold=(call,),
        seed=number,
        owner=owner,
    )


@dataclass(frozen=True)
class Clerk:
    """Does what the customer wants; it is shown the task, as the oracle is.

    Attributes:
        asks: for what was not said; otherwise it knows that without being told, as no model will.
        confirms: says what it is about to do and waits for a yes.
    """

    asks: bool = True
    confirms: bool = True
    privileged = True

    def open(self, briefing: Briefing) -> _Player:
        """Start an episode."""
        assert briefing.task is not None
        return _Player(_steps(briefing.task.goals[0], self))


class _Player:
    def __init__(self, steps: Iterator[Message]) -> None:
        self._steps = steps

    async def act(self, messages: Sequence[Message]) -> Message:
        """The next step."""
        return next(self._steps)


def _steps(goal: Goal, clerk: Clerk) -> Iterator[Message]:
    (call,) = goal.calls
    assert isinstance(call.arguments, dict)
    known = {"verb": goal.kind.removesuffix("_card"), "card": call.arguments["card_id"], **call.arguments}
    for fact in goal.facts:
        if fact.on_request and clerk.asks:
            yield _say(ASKS[fact.name])
    if clerk.confirms:
        yield _say(PROPOSAL.format(**known))
    yield Message(role="assistant", tool_calls=(call,))
    while True:
        yield _say(DONE.format(**known))


def _say(text: str) -> Message:
    return Message(role="assistant", content=text)
