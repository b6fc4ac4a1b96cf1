"""What may be spent, and the end of a month."""

from __future__ import annotations

from datetime import timedelta

from toolgym.domains.budget import tools
from toolgym.domains.budget.goals.draws import cents, in_words, seen_in_month
from toolgym.domains.budget.schema import month_of
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell


def _limit_month(draw: Draw) -> str:
    first = draw.now.date().replace(day=1)
    return month_of(draw.rng.choice((first, first + timedelta(days=32), first - timedelta(days=40))))


def _closing(draw: Draw) -> str:
    this = draw.now.date().replace(day=1)
    return month_of(draw.rng.choice((this, this - timedelta(days=1), this - timedelta(days=1))))


LIMITS = (
    Goal(
        tools.set_limit,
        name="set_limit",
        slots=(
            Slot("category"),
            Slot("month", draw=_limit_month, say=in_words),
            Slot("limit_cents", withheld=0.3, draw=cents(9_000, 70_000), says=("{}.", "To {}.")),
        ),
    ),
    Goal(
        tools.move_limit,
        name="shift",
        slots=(
            Slot("source", withheld=0.4, says=("From {}.", "Take it from {}.")),
            Slot("target"),
            Slot("amount_cents", withheld=0.3, draw=cents(1_500, 20_000), says=("{}.", "Move {}.")),
        ),
        tells=(Tell("target.left_cents", near=("left",)),),
        where=lambda source, target: source.row.category_id != target.row.category_id,
    ),
)

CLOSING = (
    Goal(
        tools.close_month,
        name="close",
        slots=(Slot("month", draw=_closing, say=in_words, reads=seen_in_month),),
        tells=(Tell("carried_cents", near=("carried", "carry", "over")),),
    ),
)
