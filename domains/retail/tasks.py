"""The retail world's own tasks: any number, drawn from a seed, in families and difficulties, with their gold calls.

Facts of a task (who the user is): `first_name`, `last_name`, and `email` or `zip`. Facts of a goal: `order_id`, or
`order` (what a customer without the number knows it by); `items` and `new_items` (lists of {name, options, item_id,
product_id}); `reason`; `payment` (in words); `address` (the six fields); `question`; `matter` (for a human).

Difficulty follows TARL's three forms of an instruction (section 4 and appendix A): simple (one wish, everything stated
at once, with the order number), standard (the number and some facts are told when asked), hard (no number is known,
orders are described; often several wishes, conditions and changes of mind). docs/tasks.md describes the families.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domains.drawing import Drawing, Family, once, one
from domains.retail import limits, questions, twists, wishes
from domains.retail.cases import Case, Record, world
from domains.retail.seed import fill
from domains.retail.wording import WITHHELD
from domains.wishes import Wish, call
from domains.wording import listed
from sandbox.message import ToolCall
from sandbox.task import Fact, Goal, Task

PERSONAS = ("terse", "chatty", "polite", "impatient")
FAMILIES: dict[str, Family[Case]] = {
    "cancel": Family(one(wishes.cancel), (3, 2, 2)),
    "return": Family(one(wishes.send_back), (3, 2, 3)),
    "exchange": Family(one(wishes.exchange), (3, 3, 3)),
    "modify_items": Family(one(wishes.modify_items), (3, 3, 3)),
    "modify_payment": Family(one(wishes.modify_payment), (2, 2, 1)),
    "modify_address": Family(one(wishes.modify_address), (2, 2, 1)),
    "profile": Family(one(wishes.move_house), (1, 2, 1)),
    "information": Family(one(questions.ask), (5, 4, 4)),
    "forbidden": Family(one(limits.forbidden), (5, 4, 4)),
    "human": Family(one(limits.human), (2, 1, 1)),
    "conditional": Family(one(twists.conditional), (0, 4, 5)),
    "change_of_mind": Family(one(twists.change_of_mind), (0, 2, 4)),
    "several": Family(twists.several, (0, 4, 5)),
}


def _customers() -> list[Record]:
    return [user for user in world().users.values() if user["orders"]]


# --- assembling ---


def _assemble(case: Case, chosen: Sequence[Wish], family: str, identifier: str, split: str) -> Task:
    facts, known, sign_in = _identity(case)
    goals = tuple(wish.goal for wish in chosen)
    gold = [sign_in]
    for wish in chosen:
        gold += [*wish.reads, *wish.goal.final.calls]
    return Task(
        id=identifier,
        domain="retail",
        split=split,
        family=family,
        difficulty=case.difficulty,
        scenario=" ".join([known, *(wish.want for wish in chosen), *_manner(case, facts, goals)]),
        persona=case.rng.choice(PERSONAS),
        facts=facts,
        goals=goals,
        gold=once(gold),
        communicate=tuple(dict.fromkeys(text for goal in goals for text in goal.final.tell)),
        seed=case.rng.getrandbits(31),
    )


def _identity(case: Case) -> tuple[tuple[Fact, ...], str, ToolCall]:
    """Who the user is: known by e-mail, or by name and zip code."""
    user, late = case.user, case.difficulty != "simple"
    first, last = user["name"]["first_name"], user["name"]["last_name"]
    facts = [Fact(name="first_name", value=first, withheld=late), Fact(name="last_name", value=last, withheld=late)]
    if case.rng.random() < 0.5:
        facts.append(Fact(name="email", value=user["email"], withheld=late))
        known = f"You are {first} {last}; your e-mail address is {user['email']}."
        return tuple(facts), known, call("find_user_id_by_email", email=user["email"])
    code = user["address"]["zip"]
    facts.append(Fact(name="zip", value=code, withheld=late))
    known = f"You are {first} {last}; your zip code is {code}. You do not remember your e-mail address."
    return tuple(facts), known, call("find_user_id_by_name_zip", first_name=first, last_name=last, zip=code)


def _manner(case: Case, facts: Sequence[Fact], goals: Sequence[Goal]) -> Iterator[str]:
    """How the user goes about it, for whoever plays them: what comes first, what only when asked, what is unknown."""
    if case.difficulty == "simple":
        yield "You say all of this, and who you are, in your first message."
        return
    held = [WITHHELD[fact.name] for fact in _all_facts(goals) if fact.withheld and fact.name in WITHHELD]
    who = ["who you are"] if any(fact.withheld for fact in facts) else []
    yield f"You mention {listed(dict.fromkeys([*who, *held]))} only when you are asked."
    numbers = list(dict.fromkeys(str(fact.value) for fact in _all_facts(goals) if fact.name == "order_id"))
    if len(numbers) == 1:
        yield f"The order number is {numbers[0]}."
    elif numbers:
        yield f"The order numbers are {listed(numbers)}, in the order of your wishes."
    elif any(fact.name == "order" for fact in _all_facts(goals)):
        yield "You have no order number at hand; the agent has to find the order in your account."
    if len(goals) > 1:
        yield "You raise your wishes one after the other, the next once the one before is settled."


def _all_facts(goals: Sequence[Goal]) -> Iterator[Fact]:
    for goal in goals:
        yield from goal.facts
        yield from _all_facts([following for following in (goal.otherwise, goal.instead) if following is not None])


DRAWING = Drawing("retail", fill, FAMILIES, _customers, Case, _assemble)
own = DRAWING.data
