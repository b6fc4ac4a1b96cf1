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
        verbs=("charge",),
        says=(
            "Charge the saved card for {invoice}.",
            "Please take the money for {invoice} from the card that we have.",
            "{invoice} can be charged to the saved card.",
            "Can you charge {invoice} to the customer's saved card?",
            "They want {invoice} charged to their card; please charge it.",
            "Collect {invoice} from the saved card, please.",
            "Use the saved card to settle {invoice}.",
            "I was told on the phone to charge the card for {invoice}.",
            "The customer agrees: charge {invoice} to the card on file.",
            "Please charge what is open on {invoice} to the saved card.",
            "Settle {invoice} with the card that is saved.",
            "Let's get {invoice} paid: charge the saved card.",
        ),
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
        verbs=("refund", "give back"),
        says=(
            "Give back {amount_cents} of {payment}[, because {reason}].",
            "Please refund {amount_cents} of {payment}[; {reason}].",
            "Refund a part of {payment}[, {amount_cents}][: {reason}].",
            "{amount_cents} of {payment} should go back[, since {reason}].",
            "Can you refund {amount_cents} of {payment}?[ It is because {reason}.]",
            "They are to get back {amount_cents} of {payment}[; {reason}].",
            "I promised to give back {amount_cents} of {payment}[, as {reason}].",
            "Send back {amount_cents} of {payment}[. The reason: {reason}].",
            "Return some of {payment}[, namely {amount_cents}][, because {reason}].",
            "I would like to refund a part of {payment}[: {amount_cents}][; {reason}].",
            "Not all of {payment} is ours[: {amount_cents} must go back][, {reason}]. Refund that, please.",
            "Make a refund of {amount_cents} out of {payment}[. I do it because {reason}].",
        ),
        slots=(DOLLARS, AMOUNT, WHY, Slot("note", given=0.0)),
        tells=(Tell("left_cents", near=("left", "remain", "stays")),),
    ),
    Goal(
        refund_payment,
        name="refund_line",
        verbs=("refund", "give back"),
        fixed={"reason": "requested"},
        says=(
            'Give back {amount_cents} of {payment}; the "{line}" was not right, and they asked for it.',
            'They asked for {amount_cents} of {payment} back because of the "{line}". Refund it with a note.',
            'Please refund {amount_cents} of {payment} as requested, and note that it is for the "{line}".',
            'They want {amount_cents} of {payment} back for the "{line}". Make the refund and write down what it is '
            "for.",
            'The "{line}" was not right, so they asked for {amount_cents} of {payment} back. Refund that and note why.',
            'I agreed to a request for {amount_cents} out of {payment}. Refund it; the note should name the "{line}".',
            'As asked by the customer, return {amount_cents} of {payment} for the "{line}", with a note.',
            'Refund {amount_cents} of {payment} at the customer\'s request. It concerns the "{line}"; note that.',
            'The "{line}" went wrong. They asked for {amount_cents} of {payment} back, so refund it with a note on '
            "that.",
            'We were asked to give back {amount_cents} of {payment} for the "{line}"; please refund and note it.',
            'Somebody asked us to return {amount_cents} of {payment} for the "{line}". Do it and put the reason down.',
            'At their request refund {amount_cents} of {payment}, and mention the "{line}" in the note.',
        ),
        slots=(
            DOLLARS,
            Slot("amount_cents", draw=list(range(1_000, 9_000, 250))),
            Slot("note", mentions=("line",)),
        ),
        about=(Slot("line", draw=_a_line),),
        tells=(Tell("left_cents", near=("left", "remain", "stays")),),
        share=0.7,
    ),
    Goal(
        refund_payment,
        name="refund_all",
        verbs=("refund", "give back"),
        says=(
            "Refund {payment} in full[; {reason}].",
            "Please give back everything that is left of {payment}[, because {reason}].",
            "Return all of {payment}[: {reason}].",
            "They are to get back all of {payment}[, as {reason}].",
            "Can you refund {payment} completely?[ The reason is that {reason}.]",
            "All of {payment} has to go back[, since {reason}].",
            "Send back {payment}, the whole of it[; {reason}].",
            "I want {payment} refunded, every cent that is left[, because {reason}].",
            "Whatever is left of {payment} should be refunded[; {reason}].",
            "Make a full refund of {payment}[. I do it because {reason}].",
            "Pay back {payment} entirely[, {reason}].",
            "We cannot keep {payment}[: {reason}]. Refund it in full.",
        ),
        slots=(Slot("payment", says=("I mean {}.",)), WHY, Slot("note", given=0.0)),
        worked_out={"amount_cents": _all_of_it},
        tells=(Tell("amount_cents"),),
    ),
)
