"""What bookkeepers want done with invoices: written, sent, corrected, taken back."""

from __future__ import annotations

from typing import Any

from toolgym.domains.payments.goals.draws import DESCRIPTION, DUE, QUANTITY, UNIT, due_day, lines_of
from toolgym.domains.payments.schema import Customer, Invoice
from toolgym.domains.payments.tools import create_invoice, finalize_invoice, get_invoice, list_invoices, void_invoice
from toolgym.sandbox.kit.goal import Draw, Goal, Made, Slot, Tell


def _one_line(draw: Draw) -> list[dict[str, Any]]:
    values = draw.values
    return [{name: values[name] for name in ("description", "quantity", "unit_cents")}]


def _sent(draw: Draw) -> Any:
    return [(finalize_invoice, {"invoice": Made("invoice_id"), "deliver": "email"})]


def _in_dollars(customer: Any) -> bool:
    return bool(customer.row.currency == "USD")  # people say amounts in dollars


def _twins(draw: Draw) -> list[Invoice]:
    """The open invoices of the customer that have the lines of another one, the older one first."""
    key = draw.values["customer"].customer_id
    rows = [row for row in draw.rows(Invoice) if row.customer_id == key and row.state == "open"]
    shapes = [[(line.description, line.quantity, line.unit_cents) for line in lines_of(draw, row)] for row in rows]
    found = [row for row, shape in zip(rows, shapes, strict=True) if shapes.count(shape) == 2]
    return sorted(found, key=lambda row: (row.issued_on, row.invoice_id))


def _later_twin(draw: Draw) -> Invoice | None:
    found = _twins(draw)
    return found[1] if len(found) == 2 and found[0].issued_on < found[1].issued_on else None


def _looks_for_twins(draw: Draw) -> list[Any]:
    listed = (list_invoices, {"customer": draw.values["customer"], "state": "open"})
    return [listed, *((get_invoice, {"invoice": row}) for row in _twins(draw))]


def _right_price(draw: Draw) -> int | None:
    """Another price, where the invoice has one line, is in dollars and nothing of it is paid."""
    row: Invoice = draw.values["wrong"]
    lines = lines_of(draw, row)
    if len(lines) != 1 or row.currency != "USD" or draw.view(row).paid_cents:
        return None
    return lines[0].unit_cents + draw.rng.choice((-1_100, -550, 450, 1_000, 2_000))


def _corrected(draw: Draw) -> list[dict[str, Any]]:
    """The wrong invoice's only line at the right price."""
    (line,) = lines_of(draw, draw.values["wrong"])
    return [{"description": line.description, "quantity": line.quantity, "unit_cents": draw.values["unit_cents"]}]


def _seen_wrong(draw: Draw) -> list[Any]:
    return [(get_invoice, {"invoice": draw.values["wrong"]})]


def _sent_in_its_place(draw: Draw) -> Any:
    return [*_sent(draw), (void_invoice, {"invoice": draw.values["wrong"], "reason": "wrong_amount"})]


INVOICE = Slot("invoice", says=("I mean {}.", "It is {}."))
NEW = (Slot("customer", says=("For {}.", "{}."), where=_in_dollars), DUE, Slot("memo", given=0.0))
REASON = {
    "duplicate": "it was billed twice",
    "wrong_amount": "the amount is wrong",
    "not_ordered": "it was never ordered",
}

INVOICES = (
    Goal(
        create_invoice,
        name="draft",
        verbs=("prepare", "draw up"),
        says=(
            'Please draft an invoice for {customer}: {quantity} "{description}" at {unit_cents} each[, due on '
            "{due_on}].",
            'Prepare a draft for {customer}[, due on {due_on}]. It is {quantity} "{description}", {unit_cents} each.',
            'I need the draft of an invoice for {customer}[, payable by {due_on}]: "{description}", {quantity}, at '
            "{unit_cents} each.",
            'Can you draw up a draft for {customer}? It has one line, {quantity} "{description}" at {unit_cents}[, and '
            "is due on {due_on}].",
            'Put "{description}" on a draft for {customer}, {quantity} at {unit_cents} each[, due on {due_on}].',
            'Start a draft invoice for {customer} with {quantity} "{description}" at {unit_cents} each[; make it due '
            "on "
            "{due_on}].",
            '{customer} will get an invoice soon. Draft it, please: {quantity} "{description}", {unit_cents} each[, '
            "due "
            "on {due_on}].",
            'Set up a draft[ due on {due_on}] for {customer}: "{description}", {quantity}, {unit_cents} each.',
            'Write a draft to {customer} for {quantity} "{description}" at {unit_cents} each[, to be paid by '
            "{due_on}].",
            'Just a draft for now: {customer}, {quantity} "{description}" at {unit_cents} each[, due on {due_on}].',
            'We have to invoice {customer} later. Prepare the draft with {quantity} "{description}" at {unit_cents} '
            "each[ and {due_on} as the due date].",
            'Enter a draft for {customer}[, due on {due_on}], with "{description}" in it, {quantity} at {unit_cents} '
            "each.",
        ),
        slots=NEW,
        about=(DESCRIPTION, QUANTITY, UNIT),
        worked_out={"lines": _one_line},
        tells=(Tell("invoice_id", kind="text"), Tell("total_cents", near=("total", "come", "amount"))),
    ),
    Goal(
        create_invoice,
        name="bill",
        verbs=("issue", "create"),
        says=(
            'Please invoice {customer} for {quantity} "{description}" at {unit_cents} each[, due on {due_on}], and '
            "send it "
            "by e-mail.",
            'Bill {customer} and e-mail it: {quantity} "{description}" at {unit_cents} each[, due on {due_on}].',
            '{customer} has to be invoiced by e-mail today[, due on {due_on}]: "{description}", {quantity} at '
            "{unit_cents}.",
            'Write {customer} an invoice for {quantity} "{description}", {unit_cents} each[, payable by {due_on}], '
            "and mail "
            "it out.",
            'Send {customer} a new invoice by e-mail[, due on {due_on}]. It is for {quantity} "{description}" at '
            "{unit_cents} each.",
            'Can you make out an invoice to {customer} for {quantity} "{description}" at {unit_cents}[, due on '
            "{due_on}], "
            "and e-mail it?",
            'We have delivered to {customer}: {quantity} "{description}", {unit_cents} each. Please bill that by '
            "e-mail[, "
            "due on {due_on}].",
            'I want an invoice to go out to {customer} by e-mail[, due on {due_on}]: {quantity} "{description}" at '
            "{unit_cents} each.",
            'Bill {customer} {unit_cents} each for "{description}", {quantity}: write the invoice[, due on '
            "{due_on},] and "
            "e-mail it.",
            'New invoice for {customer}, by e-mail, please: "{description}", {quantity}, {unit_cents} each[; due on '
            "{due_on}].",
            'Could you bill {customer} by e-mail[ with {due_on} as the due date]? It is {quantity} "{description}" at '
            "{unit_cents}.",
            "Make out an invoice to {customer} and e-mail it right away[; due on {due_on}]. One line: {quantity} "
            '"{description}" '
            "at {unit_cents} each.",
        ),
        slots=NEW,
        about=(DESCRIPTION, QUANTITY, UNIT),
        worked_out={"lines": _one_line},
        also=_sent,
        tells=(Tell("invoice_id", kind="text"), Tell("total_cents", near=("total", "come", "amount"))),
    ),
    Goal(
        finalize_invoice,
        name="finalize",
        verbs=("finalize",),
        says=(
            "Finalize {invoice}[ and send it {deliver}].",
            "{invoice} can go out[ {deliver}].",
            "Please make {invoice} final[, {deliver}].",
            "Send out {invoice}[ {deliver}], please.",
            "{invoice} is fine as it is; finalize it[ {deliver}].",
            "Can you finalize {invoice}[ {deliver}]?",
            "I have checked {invoice}; it can be finalized[ {deliver}].",
            "Turn {invoice} into a real invoice[, {deliver}].",
            "Time to finalize {invoice}[, {deliver}, please].",
            "Let's have {invoice} finalized[ {deliver}].",
            "Would you finalize {invoice} for me[, {deliver}]?",
            "{invoice} has waited long enough. Finalize it[ {deliver}].",
        ),
        slots=(
            INVOICE,
            Slot(
                "deliver",
                withheld=0.5,
                words={"email": "by e-mail", "none": "without any e-mail"},
                says=("{}, please.", "{}."),
            ),
        ),
        tells=(Tell("due_on"),),
        where=lambda invoice: invoice.row.state == "draft",
    ),
    Goal(
        void_invoice,
        name="void",
        verbs=("void",),
        says=(
            "Please void {invoice}[; {reason}].",
            "{invoice} has to be made void[, because {reason}].",
            "Take back {invoice}[: {reason}].",
            "Can you void {invoice}?[ The reason is that {reason}.]",
            "I want {invoice} voided[, as {reason}].",
            "We should never have written {invoice}[; {reason}]. Void it, please.",
            "There is a problem with {invoice}[: {reason}]. Make it void.",
            "{invoice} is no good[, {reason}]; please void it.",
            "Void {invoice} for me, please[. The thing is that {reason}].",
            "Would you void {invoice}[? I ask because {reason}].",
            "Nobody has to pay {invoice} any more[, since {reason}]; void it.",
            "Get rid of {invoice}[; {reason}], I want it void.",
        ),
        slots=(INVOICE, Slot("reason", withheld=0.5, words=REASON, says=("{}.", "Because {}."))),
        tells=(Tell("invoice_id", kind="text"),),
        where=lambda invoice: invoice.row.state != "void",
    ),
    Goal(
        void_invoice,
        name="void_duplicate",
        verbs=("void",),
        fixed={"reason": "duplicate"},
        says=(
            "We billed {customer} twice for the same thing. Void the later invoice.",
            "{customer} has two open invoices for the same thing; please void the newer one.",
            "There are two equal open invoices for {customer}. The later one has to be void.",
            "{customer} complains about being billed twice. Take the second one back.",
            "Somebody entered the invoice for {customer} twice; void the second.",
            "Please look for the invoice that {customer} got twice and void the later one.",
            "I think that we invoiced {customer} double. Void the more recent of the two.",
            "One of the open invoices for {customer} is a duplicate. Make the newer one void.",
            "{customer} should pay once, not twice: void the later duplicate.",
            "Two of the open invoices for {customer} are the same. Please void the one that we wrote last.",
            "Can you void the duplicate that went to {customer}? The older one stays.",
            "Keep the first of the two equal invoices for {customer} and void the other.",
        ),
        about=(Slot("customer", of=Customer, reads=_looks_for_twins),),
        worked_out={"invoice": _later_twin},
        tells=(Tell("invoice_id", kind="text"),),
    ),
    Goal(
        create_invoice,
        name="correct",
        verbs=("correct", "replace"),
        says=(
            "The price on {wrong} is wrong, it should be {unit_cents} each. Send a right one by e-mail, due on "
            "{due_on}, "
            "and void the old one.",
            "Please replace {wrong}: the same at {unit_cents} each, due on {due_on}, sent by e-mail; the old one is "
            "void.",
            "Correct {wrong}, at {unit_cents} each: a new invoice by e-mail, due on {due_on}, and void the wrong one.",
            "{wrong} should say {unit_cents} each. Void it and e-mail a corrected one that is due on {due_on}.",
            "We got the price of {wrong} wrong. Make it {unit_cents} each on a new one, e-mail that, due on {due_on}, "
            "and "
            "void the wrong one.",
            "Can you e-mail a corrected invoice in place of {wrong}? {unit_cents} each, due on {due_on}. The old one "
            "has "
            "to be void.",
            "{unit_cents} each is right for {wrong}. Write a new one, due on {due_on}, e-mail it, and make the old one "
            "void.",
            "Swap {wrong} for one with {unit_cents} as the price of each, due on {due_on} and sent by e-mail; void "
            "the old.",
            "Void {wrong}, since each should be {unit_cents}, and e-mail the same with that price, due on {due_on}.",
            "I mixed up the price on {wrong}; it is {unit_cents} each. E-mail a right one for {due_on} and void the "
            "wrong one.",
            "Make {wrong} right: {unit_cents} each, due on {due_on}, by e-mail. What is wrong becomes void.",
            "Instead of {wrong} there should be one at {unit_cents} each that is due on {due_on}. E-mail it and void "
            "the "
            "first.",
        ),
        slots=(Slot("due_on", draw=due_day), Slot("memo", given=0.0)),
        about=(
            Slot("wrong", of=Invoice, reads=_seen_wrong, where=lambda row: row.row.state == "open"),
            Slot("unit_cents", draw=_right_price),
        ),
        worked_out={
            "customer": lambda draw: draw.database.get(Customer, draw.values["wrong"].customer_id),
            "lines": _corrected,
        },
        also=_sent_in_its_place,
        tells=(Tell("invoice_id", kind="text"), Tell("total_cents", near=("total", "come", "amount"))),
        share=0.7,
    ),
)
