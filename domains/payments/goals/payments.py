"""What bookkeepers want done with money: taken from a card, given back."""

from __future__ import annotations

from toolgym.domains.payments.schema import Customer, Line
from toolgym.domains.payments.tools import charge_saved_card, refund_payment
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell

REASONS = {"requested": "they asked for it", "duplicate": "they paid twice", "fraud": "the card was used by a thief"}


def _code(draw: Draw) -> str:
    customer = draw.database.get_one(Customer, draw.values["invoice"].customer_id)
    return customer.card_code


def _all_of_it(draw: Draw) -> int | None:
    payment = draw.values["payment"]
    return payment.amount_cents - payment.refunded_cents or None


def _a_line(draw: Draw) -> str | None:
    lines = draw.database.find(Line, invoice_id=draw.values["payment"].invoice_id)
    return draw.rng.choice(lines).description if len(lines) > 1 else None


DOLLARS = Slot("payment", says=("I mean {}.",), where=lambda row: row.row.currency == "USD")
WHY = Slot("reason", withheld=0.5, words=REASONS, says=("Because {}.", "{}."))
AMOUNT = Slot("amount_cents", withheld=0.3, draw=list(range(2_000, 12_000, 500)), says=("{}.", "It is {}."))

PAYMENTS = (
    Goal(
        charge_saved_card,
        name="charge",
        slots=(
            Slot("invoice", says=("I mean {}.", "It is {}.")),
            Slot("card_code", withheld=1.0, draw=_code, says=("{}.", "The code is {}.")),
        ),
        tells=(Tell("saved_card_digits", kind="text"), Tell("amount_cents")),
        where=lambda invoice: invoice.row.state == "open",
    ),
    Goal(
        refund_payment,
        name="refund_part",
        slots=(DOLLARS, AMOUNT, WHY, Slot("note", given=0.0)),
        tells=(Tell("left_cents", near=("left", "remain", "stays")),),
    ),
    Goal(
        refund_payment,
        name="refund_line",
        fixed={"reason": "requested"},
        slots=(DOLLARS, Slot("amount_cents", draw=list(range(1_000, 9_000, 250))), Slot("note", mentions=("line",))),
        about=(Slot("line", draw=_a_line),),
        tells=(Tell("left_cents", near=("left", "remain", "stays")),),
        share=0.7,
    ),
    Goal(
        refund_payment,
        name="refund_all",
        slots=(Slot("payment", says=("I mean {}.",)), WHY, Slot("note", given=0.0)),
        worked_out={"amount_cents": _all_of_it},
        tells=(Tell("amount_cents"),),
    ),
)
