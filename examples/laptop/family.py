"""The laptop's task family: cancelling one of retail's orders, when the customer says which and why or must be asked.

A compact family, because the model is far too small to read a policy and sixteen tools: the gold is the one write, and
the demonstrator shows what to ask and what to call. Held-out tasks are other combinations of order, reason and what the
customer leaves unsaid.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from toolgym.sandbox.kit.message import Message, ToolCall
from toolgym.sandbox.kit.task import Fact, Goal, Task
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import Briefing

ASK_ORDER = "Which order is it?"
ASK_REASON = "What is the reason?"
DONE = "Order {order} is cancelled."
WISHES = ("Please cancel {order}.", "I want to cancel {order}.", "I need {order} cancelled.")
REASONS = {
    "no longer needed": ("I no longer need it.", "I don't need it any more."),
    "ordered by mistake": ("I ordered it by mistake.", "I placed it by mistake."),
}
HIDDEN: tuple[frozenset[str], ...] = tuple(map(frozenset, ((), ("order_id",), ("reason",), ("order_id", "reason"))))
ORDERS = 150
SPLITS = {"train": 0.6, "dev": 0.15, "test": 0.25}


def orders() -> list[str]:
    """The family's pending orders of the retail world."""
    rows = (
        get_domain("retail")
        .template()
        .reader.execute("SELECT order_id FROM orders WHERE status = 'pending' ORDER BY order_id LIMIT ?", (ORDERS,))
    )
    return [order for (order,) in rows]


def tasks(seed: int = 0) -> list[Task]:
    """A task for every order, reason, and choice of what the customer leaves unsaid, in random splits."""
    rng = random.Random(seed)
    kinds = [(order, reason, hidden) for order in orders() for reason in REASONS for hidden in HIDDEN]
    splits = rng.choices(list(SPLITS), list(SPLITS.values()), k=len(kinds))
    return [_task(number, *kind, split, rng) for number, (kind, split) in enumerate(zip(kinds, splits, strict=True))]


def _task(number: int, order: str, reason: str, hidden: frozenset[str], split: str, rng: random.Random) -> Task:
    wish = rng.choice(WISHES).format(order="an order of mine" if "order_id" in hidden else f"order {order}")
    why = "" if "reason" in hidden else f" {rng.choice(REASONS[reason])}"
    call = ToolCall(name="cancel_pending_order", arguments={"order_id": order, "reason": reason})
    known = {"order_id": order, "reason": reason}
    unsaid = " ".join(f"Asked for it, you say: {known[name]}." for name in known if name in hidden)
    facts = tuple(Fact(name=name, value=value, on_request=name in hidden) for name, value in known.items())
    return Task(
        id=f"laptop-{number:03d}",
        domain="retail",
        split=split,
        family="cancel",
        difficulty="standard" if hidden else "simple",
        depth=1,
        scenario=f"{wish}{why} {unsaid}".strip(),
        persona="terse",
        goals=(Goal(kind=call.name, utterance=wish + why, facts=facts, calls=(call,)),),
        gold=(call,),
        seed=number,
    )


class Demonstrator:
    """Asks for what was not said, cancels, and says so; it is shown the task, as the oracle is, which never asks."""

    privileged = True

    def open(self, briefing: Briefing) -> _Player:
        """Start an episode."""
        assert briefing.task is not None
        return _Player(briefing.task)


class _Player:
    def __init__(self, task: Task) -> None:
        self._steps = _steps(task.goals[0])

    async def act(self, messages: Sequence[Message]) -> Message:
        """The next step."""
        return next(self._steps)


def _steps(goal: Goal) -> Iterator[Message]:
    hidden = {fact.name for fact in goal.facts if fact.on_request}
    order = next(fact.value for fact in goal.facts if fact.name == "order_id")
    if "order_id" in hidden:
        yield _say(ASK_ORDER)
    if "reason" in hidden:
        yield _say(ASK_REASON)
    yield Message(role="assistant", tool_calls=goal.calls)
    while True:
        yield _say(DONE.format(order=order))


def _say(text: str) -> Message:
    return Message(role="assistant", content=text)
