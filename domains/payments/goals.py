"""What bookkeepers want of the console, and how they speak of what is in it."""

from datetime import date, timedelta
from typing import Any

from toolgym.domains.payments.schema import Customer, Event, Invoice, Line, Payment
from toolgym.domains.payments.seed import GOODS
from toolgym.domains.payments.tools import (
    charge_saved_card,
    create_invoice,
    finalize_invoice,
    get_invoice,
    list_events,
    list_invoices,
    refund_payment,
    resend_event,
    search_customers,
    void_invoice,
)
from toolgym.sandbox.kit.goal import Condition, Draw, Goal, Made, Slot, Tell, Thing


def due_day(draw: Draw) -> date:
    """A day on which something may be due: now and then just too early or too late."""
    return draw.now.date() + timedelta(days=draw.rng.choice((0, 1, 7, 14, 14, 21, 30, 30, 45, 60, 90, 91)))


def _price(draw: Draw) -> int:
    """About what such a thing costs."""
    return dict(GOODS)[draw.values["description"]] + draw.rng.choice((-450, 0, 0, 500, 550, 1_000))


def lines_of(draw: Draw, invoice: Invoice) -> list[Line]:
    """An invoice's lines."""
    return draw.database.find(Line, invoice_id=invoice.invoice_id)


DESCRIPTION = Slot("description", draw=[text for text, _ in GOODS])


QUANTITY = Slot("quantity", draw=(2, 2, 3, 4, 5, 8, 12), say=lambda count, drawn=None: f"{count} times")


UNIT = Slot("unit_cents", draw=_price)


DUE = Slot("due_on", withheld=0.5, draw=due_day, says=("On {}.", "It is due on {}.", "By {}."))


def _failed(draw: Draw) -> list[Event]:
    """The failed events about the customer, the newest first; none where the name is another customer's as well."""
    customer = draw.values["customer"]
    if [row.name for row in draw.rows(Customer)].count(customer.name) > 1:
        return []
    own = {row.invoice_id for row in draw.rows(Invoice) if row.customer_id == customer.customer_id}
    found = [row for row in draw.rows(Event) if row.invoice_id in own and row.delivery == "failed"]
    return sorted(found, key=lambda row: (row.created_at, row.event_id), reverse=True)


def _first(draw: Draw) -> Event | None:
    found = _failed(draw)
    return found[0] if 1 < len(found) < 5 and all(row.attempts < 5 for row in found) else None


def _listed(draw: Draw) -> list[Any]:
    return [(list_events, {"delivery": "failed", "customer_name": draw.values["customer"].name})]


DELIVERIES = (
    Goal(
        resend_event,
        name="resend",
        slots=(Slot("event", says=("I mean {}.", "It is {}.")),),
        tells=(Tell("delivery", kind="text"), Tell("attempts_left", kind="number", near=("attempt", "left", "more"))),
        where=lambda event: event.row.delivery == "failed",
    ),
    Goal(
        resend_event,
        name="resend_all",
        about=(Slot("customer", of=Customer, reads=_listed),),
        worked_out={"event": _first},
        also=lambda draw: [(resend_event, {"event": row}) for row in _failed(draw)[1:]],
        share=0.7,
    ),
)


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


def _weeks_ago(draw: Draw) -> date:
    return draw.now.date() - timedelta(days=draw.rng.choice((7, 10, 14, 15, 20, 21, 28)))


def _name(draw: Draw) -> str | None:
    names = [row.name for row in draw.rows(Customer)]
    name = draw.rng.choice(names)
    return name if names.count(name) == 1 else None


def _keys(result: Any) -> list[str] | None:
    return [item["invoice_id"] for item in result["items"]] if 0 < result["total"] <= 5 else None


def _open_sum(result: Any) -> int | None:
    return sum(item["open_cents"] for item in result["items"]) if 0 < result["total"] <= 10 else None


def _paid_on(result: Any) -> str | None:
    return result["payments"][0]["paid_on"] if len(result["payments"]) == 1 else None


NAME = Slot("customer_name", draw=_name)


QUESTIONS = (
    Goal(
        list_invoices,
        name="ask_overdue",
        fixed={"overdue": True},
        slots=(Slot("last_day", draw=_weeks_ago),),
        tells=(Tell("items", kind="text", value=_keys),),
    ),
    Goal(
        list_invoices,
        name="ask_owed",
        fixed={"state": "open"},
        slots=(NAME,),
        tells=(Tell("items", kind="money", value=_open_sum),),
    ),
    Goal(
        get_invoice,
        name="ask_paid_on",
        slots=(Slot("invoice", where=lambda row: row.row.state == "paid"),),
        tells=(Tell("payments", kind="date", value=_paid_on),),
    ),
    Goal(
        search_customers,
        name="ask_email",
        slots=(Slot("text", draw=_name),),
        tells=(
            Tell("email", kind="text", value=lambda found: found["items"][0]["email"] if found["total"] == 1 else None),
        ),
        share=0.5,
    ),
    Goal(
        list_events,
        name="ask_failed",
        fixed={"delivery": "failed"},
        slots=(NAME,),
        tells=(Tell("total", kind="number", value=lambda found: found["total"] or None, near=("event", "failed")),),
        share=0.5,
    ),
)


THINGS = (
    Thing(Customer, has_known_key=False),
    Thing(Invoice, says_key=True),
    Thing(Payment, found_by=(list_invoices, get_invoice), has_known_key=False),
    Thing(Event),
)


CONDITIONS = (
    Condition(
        Invoice,
        "reminders",
        "if {value} or more reminders have gone out for {it}",
        get_invoice,
        more="has had more reminders",
        less="has had fewer reminders",
    ),
)


GOALS = (*INVOICES, *PAYMENTS, *DELIVERIES, *QUESTIONS)
