"""What comes again and again."""

from __future__ import annotations

from datetime import date, timedelta

from toolgym.domains.budget.goals.draws import cents
from toolgym.domains.budget.tools import update_recurring
from toolgym.sandbox.kit.goal import Draw, Goal, Slot


def _later(draw: Draw) -> date:
    return draw.now.date() + timedelta(days=draw.rng.randrange(3, 45))


BILL = Slot("bill", says=("I mean {}.", "It is {}."))

BILLS = (
    Goal(update_recurring, name="pause", fixed={"paused": True}, slots=(BILL,), where=lambda bill: not bill.row.paused),
    Goal(update_recurring, name="resume", fixed={"paused": False}, slots=(BILL,), where=lambda bill: bill.row.paused),
    Goal(
        update_recurring,
        name="reprice",
        slots=(BILL, Slot("amount_cents", withheld=0.4, draw=cents(700, 14_000), says=("{}.", "It is {}."))),
        where=lambda bill, amount_cents: bill.row.amount_cents != amount_cents,
    ),
    Goal(
        update_recurring,
        name="postpone",
        slots=(BILL, Slot("next_on", withheld=0.4, draw=_later, says=("On {}.", "{}."))),
        where=lambda bill, next_on: bill.row.next_on != next_on,
    ),
)
