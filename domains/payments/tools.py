"""What the payment console lets an agent do for the firm whose bookkeeper is signed in."""

from datetime import date
from typing import Annotated, Literal

from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from toolgym.domains.payments.schema import Customer, Event, Firm, Invoice, Line, Payment, Repayment
from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.errors import Refusal
from toolgym.sandbox.kit.reference import NOT_BLANK, Free, PageNumber, Ref, Secret
from toolgym.sandbox.kit.search import contains_text, equals_text
from toolgym.sandbox.kit.tool import tool
from toolgym.sandbox.kit.view import Page, View

Cents = Annotated[int, Field(ge=1, le=5_000_000)]
WRONG_CODES = 3
_OWN = "customer_id IN (SELECT customer_id FROM customers WHERE firm_id = :firm AND instr(lower(name), lower(:name)))"


class NewLine(BaseModel):
    """A position of a new invoice."""

    description: Annotated[str, Field(min_length=2, max_length=80), NOT_BLANK]
    quantity: Annotated[int, Field(ge=1, le=999)]
    unit_cents: Cents


class Charged(TypedDict):
    """What came of a charge."""

    accepted: bool
    tries_left: int
    amount_cents: int
    saved_card_digits: str
    payment_id: str
    state: str


@tool("read")
def search_customers(
    db: Database, text: str | None = None, country: str | None = None, page: PageNumber = 1
) -> Page[Customer]:
    """Search the firm's customers by name.

    Args:
        text: only those whose name or e-mail address holds this.
        country: only those in this country.
        page: ten a page.
    """
    rows = [row for row in db.mine(Customer) if contains_text(row.name, text) or contains_text(row.email, text)]
    here = [row for row in rows if equals_text(row.country, country)]
    return Page(sorted(here, key=lambda row: (row.name, row.customer_id)), page)


@tool("read")
def list_invoices(
    db: Database,
    customer: Ref[Customer] | None = None,
    customer_name: str | None = None,
    state: Literal["draft", "open", "paid", "void"] | None = None,
    overdue: bool | None = None,
    first_day: date | None = None,
    last_day: date | None = None,
    page: PageNumber = 1,
) -> Page[Invoice]:
    """List invoices, those that are due last first.

    Args:
        customer_name: only invoices of customers whose name holds this.
        state: only invoices in this state.
        overdue: only those that are open after their day, or only the others; what is due today is not overdue.
        first_day: the first day on which they are due, included.
        last_day: the last day on which they are due, included.
        page: ten a page.
    """
    rows = db.select(
        Invoice,
        f"{_OWN} AND (:customer IS NULL OR customer_id = :customer) AND (:state IS NULL OR state = :state) "
        "AND due_on BETWEEN :first AND :last AND (:late IS NULL OR (state = 'open' AND due_on < :today) = :late) "
        "ORDER BY due_on DESC, invoice_id DESC",
        firm=db.owner(Firm).firm_id,
        name=(customer_name or "").strip(),
        customer=customer.customer_id if customer else None,
        state=state,
        first=f"{first_day or date.min}",
        last=f"{last_day or date.max}",
        late=overdue,
        today=f"{db.now.date()}",
    )
    return Page(rows, page)


@tool("read")
def get_invoice(db: Database, invoice: Ref[Invoice]) -> View[Invoice]:
    """Get an invoice with its lines, payments and refunds, its memo and how often the customer was reminded."""
    payments = db.find(Payment, invoice_id=invoice.invoice_id)
    refunds = [refund for payment in payments for refund in db.find(Repayment, payment_id=payment.payment_id)]
    return View(
        invoice,
        lines=[View(line) for line in db.find(Line, invoice_id=invoice.invoice_id)],
        payments=[View(payment) for payment in payments],
        refunds=[View(refund) for refund in refunds],
    )


@tool("write")
def create_invoice(
    db: Database,
    customer: Ref[Customer],
    lines: Annotated[list[NewLine], Field(min_length=1, max_length=20)],
    due_on: date,
    memo: Free = "",
) -> View[Invoice]:
    """Write a draft of an invoice; it is payable once it is finalized.

    Args:
        lines: what is invoiced: description, quantity and the price of one in cents of the customer's currency.
        due_on: the day by which it is to be paid.
        memo: a remark for the customer.
    """
    key = db.new_id(Invoice)
    made = db.add(
        Invoice,
        invoice_id=key,
        customer=customer,
        state="draft",
        issued_on=db.now.date(),
        due_on=due_on,
        total_cents=sum(line.quantity * line.unit_cents for line in lines),
        currency=customer.currency,
        memo=memo,
        reminders=0,
    )
    for line in lines:
        db.add(Line, invoice_id=key, **line.model_dump())
    return View(made)


@tool("write")
def finalize_invoice(db: Database, invoice: Ref[Invoice], deliver: Literal["email", "none"]) -> View[Invoice]:
    """Make a draft payable from now on.

    Args:
        deliver: whether the customer gets it by e-mail.
    """
    if invoice.state != "draft":
        raise Refusal("wrong_state", f"Only a draft can be finalized; this invoice is {invoice.state}.")
    done = db.update(invoice, state="open", issued_on=db.now.date())
    tell_shop(db, invoice, "invoice.finalized", invoice.invoice_id)
    return View(done, delivered_by=deliver)


@tool("write")
def void_invoice(
    db: Database, invoice: Ref[Invoice], reason: Literal["duplicate", "wrong_amount", "not_ordered"]
) -> View[Invoice]:
    """Make a draft or an open invoice void, for good.

    Args:
        reason: why.
    """
    if invoice.state == "void":
        raise Refusal("no_change", "The invoice is void already.")
    done = db.update(invoice, state="void", void_reason=reason)
    tell_shop(db, invoice, "invoice.voided", invoice.invoice_id)
    return View(done)


@tool("write")
def charge_saved_card(db: Database, invoice: Ref[Invoice], card_code: Secret) -> Charged:
    """Take the whole open amount of an invoice from the customer's saved card; three wrong codes lock the card.

    Args:
        card_code: the card's code, as the bookkeeper says it.
    """
    customer = db.get_one(Customer, invoice.customer_id)
    if invoice.state != "open":
        raise Refusal("wrong_state", f"Only an open invoice can be charged; this one is {invoice.state}.")
    if customer.wrong_codes >= WRONG_CODES:
        raise Refusal("locked", "The card is locked after three wrong codes.")
    accepted, digits = card_code.strip() == customer.card_code, customer.saved_card_digits or ""
    wrong = 0 if accepted else customer.wrong_codes + 1
    if wrong != customer.wrong_codes:
        db.update(customer, wrong_codes=wrong)
    answer: Charged = {
        "accepted": accepted,
        "tries_left": WRONG_CODES - wrong,
        "amount_cents": 0,
        "saved_card_digits": digits,
        "payment_id": "",
        "state": "open",
    }
    if not accepted:
        return answer
    cents, key = View(invoice).bound(db).row.open_cents, db.new_id(Payment)
    today, none = db.now.date(), {"refunded_cents": 0, "fraud_reported_on": None}
    values = {"amount_cents": cents, "paid_on": today, "method": "card"} | none
    db.add(Payment, payment_id=key, invoice=invoice, **values)
    db.update(invoice, state="paid")
    tell_shop(db, invoice, "invoice.paid", invoice.invoice_id)
    return {**answer, "amount_cents": cents, "payment_id": key, "state": "paid"}


@tool("write")
def refund_payment(
    db: Database,
    payment: Ref[Payment],
    amount_cents: Cents,
    reason: Literal["requested", "duplicate", "fraud"],
    note: Free = "",
) -> View[Repayment]:
    """Give money back to where a payment came from.

    Args:
        amount_cents: how much.
        reason: why.
        note: the line of the invoice that it is about, and what was wrong with it, if that was said.
    """
    key, state = db.new_id(Repayment), "done" if payment.method == "card" else "pending"
    values = {"amount_cents": amount_cents, "reason": reason, "state": state, "note": note}
    made = db.add(Repayment, refund_id=key, payment=payment, **values)
    after = db.update(payment, refunded_cents=payment.refunded_cents + amount_cents)
    tell_shop(db, db.get_one(Invoice, payment.invoice_id), "refund.created", key)
    return View(made, left_cents=after.amount_cents - after.refunded_cents)


@tool("read")
def list_events(
    db: Database,
    event_type: Literal["invoice.finalized", "invoice.paid", "invoice.voided", "refund.created"] | None = None,
    delivery: Literal["pending", "delivered", "failed"] | None = None,
    subject: str | None = None,
    customer_name: str | None = None,
    page: PageNumber = 1,
) -> Page[Event]:
    """List what the shop system was told, newest first.

    Args:
        event_type: only events of this type.
        delivery: only those that arrived, or failed, or are on their way.
        subject: only those about the invoice or the refund with this key.
        customer_name: only those about customers whose name holds this.
        page: ten a page.
    """
    rows = db.select(
        Event,
        f"invoice_id IN (SELECT invoice_id FROM invoices WHERE {_OWN}) "
        "AND (:type IS NULL OR event_type = :type) AND (:delivery IS NULL OR delivery = :delivery) "
        "AND (:subject IS NULL OR subject = :subject) ORDER BY created_at DESC, event_id DESC",
        firm=db.owner(Firm).firm_id,
        name=(customer_name or "").strip(),
        type=event_type,
        delivery=delivery,
        subject=subject and subject.strip().upper(),
    )
    return Page(rows, page)


@tool("write")
def resend_event(db: Database, event: Ref[Event]) -> View[Event]:
    """Deliver a failed event once more."""
    if event.delivery != "failed":
        raise Refusal("wrong_state", f"Only a failed event is delivered again; this one is {event.delivery}.")
    customer = db.get_one(Customer, db.get_one(Invoice, event.invoice_id).customer_id)
    attempts = event.attempts + 1
    arrived = attempts > customer.flaky
    return View(db.update(event, attempts=attempts, delivery="delivered" if arrived else "failed"))


def tell_shop(db: Database, invoice: Invoice, event_type: str, subject: str) -> None:
    """Deliver a new event about an invoice at once, as far as the customer's shop system takes it."""
    arrived = db.get_one(Customer, invoice.customer_id).flaky == 0
    db.add(
        Event,
        invoice=invoice,
        event_type=event_type,
        subject=subject,
        created_at=db.now,
        delivery="delivered" if arrived else "failed",
        attempts=1,
    )
