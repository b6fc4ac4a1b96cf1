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
        slots=NEW,
        about=(DESCRIPTION, QUANTITY, UNIT),
        worked_out={"lines": _one_line},
        tells=(Tell("invoice_id", kind="text"), Tell("total_cents", near=("total", "come", "amount"))),
    ),
    Goal(
        create_invoice,
        name="bill",
        slots=NEW,
        about=(DESCRIPTION, QUANTITY, UNIT),
        worked_out={"lines": _one_line},
        also=_sent,
        tells=(Tell("invoice_id", kind="text"), Tell("total_cents", near=("total", "come", "amount"))),
    ),
    Goal(
        finalize_invoice,
        name="finalize",
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
        slots=(INVOICE, Slot("reason", withheld=0.5, words=REASON, says=("{}.", "Because {}."))),
        tells=(Tell("invoice_id", kind="text"),),
        where=lambda invoice: invoice.row.state != "void",
    ),
    Goal(
        void_invoice,
        name="void_duplicate",
        fixed={"reason": "duplicate"},
        about=(Slot("customer", of=Customer, reads=_looks_for_twins),),
        worked_out={"invoice": _later_twin},
        tells=(Tell("invoice_id", kind="text"),),
    ),
    Goal(
        create_invoice,
        name="correct",
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
