"""What is true to say of a wish: what an agent sees that looks up all that it needs, and what is the user's own.

For comparing alone; the user never says what its facts do not hold.
"""

from __future__ import annotations

from typing import cast

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.task import Goal, Task
from toolgym.sandbox.language.mentions import Mention
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.users.lexicon import CHOICE
from toolgym.sandbox.users.once_a_wish import once_a_wish
from toolgym.sandbox.users.outcome import is_said
from toolgym.sandbox.users.plain_wish import PlainWish
from toolgym.sandbox.users.proposal_reading import AnyWish
from toolgym.sandbox.users.wish import Wish


def is_true(mention: Mention, wish: AnyWish) -> bool:
    """Whether a mention is of something that is so: the wish's own, what is looked up for it, what it comes to."""
    return _is_true_of_plain(mention, wish) if isinstance(wish, PlainWish) else _is_true_of(mention, wish)


def _is_true_of_plain(mention: Mention, wish: PlainWish) -> bool:
    said = mention.text.casefold()
    return wish.explains(mention) or any(
        is_said(mention, column, value) or str(value).casefold() == said for column, value in wish.seen
    )


def _is_true_of(mention: Mention, wish: Wish) -> bool:
    if mention.kind == "money" and abs(int(mention.value)) in wish.outcome.amounts | wish.costs:
        return True
    is_own = any(slot.fits(mention, wish.person) for slot in wish.slots)
    if is_own or wish.explains(mention) or wish.shows(mention) or wish.has_seen(mention.text):
        return True
    return any(map(wish.has_seen, _chosen(mention, wish))) or mention.text.casefold() in _of_the_owner(
        wish.task, wish.goal
    )


def _chosen(mention: Mention, wish: Wish) -> list[str]:
    """The values of choices for which a word stands: "for 90 days"."""
    names = (column.removeprefix(CHOICE) for column in mention.columns)
    found = (wish.person.choices.get((name, mention.text.casefold())) for name in names)
    return [value for value in found if value]


@once_a_wish
def _of_the_owner(task: Task, goal: Goal) -> frozenset[str]:
    """What the user's own row holds, and the rows that it names, such as the store that somebody works in."""
    domain = get_domain(task.domain)
    table = domain.owner or (domain.identity.table if domain.identity else None)
    if table is None or task.owner is None:
        return frozenset()
    database = domain.database(task.data, now=task.now or domain.now, seed=0, task=task)
    mine = database.get(table, task.owner)
    rows = [mine] if mine is not None else []
    for key in table.__table__.foreign_keys:
        model = next((each for each in domain.models if each.__table__ is key.column.table), None)
        value = getattr(mine, key.parent.name, None)
        named = database.get(model, value) if model is not None and value is not None else None
        rows += [named] if named is not None else []
    return frozenset(str(value).casefold() for row in rows for value in cast("tuple[Json, ...]", row))
