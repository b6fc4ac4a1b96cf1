"""What the bank's app lets an agent do for the customer who is signed in."""

from datetime import date, timedelta
from typing import Annotated, Literal

from pydantic import Field

from toolgym.domains.banking import schema
from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.errors import Refusal
from toolgym.sandbox.kit.reference import NOT_BLANK, Free, PageNumber, Ref, Secret
from toolgym.sandbox.kit.search import contains_text, given, is_within
from toolgym.sandbox.kit.tool import tool
from toolgym.sandbox.kit.view import Page, View


@tool("read")
def get_profile(db: Database) -> View[schema.Customer]:
    """Get the customer's name and contact, the daily limit, what is left of it, and whether the PIN was verified."""
    return View(db.owner(schema.Customer), today=db.now.date().isoformat())


@tool("write", confirm=False)
def verify_pin(db: Database, pin: Secret) -> dict[str, bool | int]:
    """Check the customer's PIN, which opens payments for this session; three wrong ones lock it.

    Args:
        pin: as the customer says it.
    """
    me = db.owner(schema.Customer)
    if me.failed_pins >= schema.WRONG_PINS:
        raise Refusal("locked", "The session is locked after three wrong PINs.")
    accepted = pin.strip() == me.pin
    failed = 0 if accepted else me.failed_pins + 1
    db.update(me, pin_verified=accepted or (me.pin_verified and failed < schema.WRONG_PINS), failed_pins=failed)
    return {"accepted": accepted, "tries_left": schema.WRONG_PINS - failed}


@tool("read")
def list_accounts(
    db: Database, kind: Literal["checking", "savings", "credit"] | None = None, nickname: str | None = None
) -> Page[schema.Account]:
    """List the customer's accounts by nickname, kind and last digits.

    Args:
        kind: only accounts of this kind.
        nickname: only accounts whose nickname holds this.
    """
    return Page([row for row in db.mine(schema.Account, **given(kind=kind)) if contains_text(row.nickname, nickname)])


@tool("read")
def get_account(db: Database, account: Ref[schema.Account]) -> View[schema.Account]:
    """Get an account's balance, available amount, IBAN, status and overdraft."""
    return View(account)


@tool("read")
def list_transactions(
    db: Database,
    account: Ref[schema.Account],
    first_day: date | None = None,
    last_day: date | None = None,
    text: str | None = None,
    min_cents: int | None = None,
    max_cents: int | None = None,
    page: PageNumber = 1,
) -> Page[schema.Transaction]:
    """List an account's transactions, newest first; negative amounts went out.

    Args:
        first_day: the first day to list, included.
        last_day: the last day to list, included.
        text: only those whose merchant or reference holds this.
        min_cents: only amounts of at least this, without their sign.
        max_cents: only amounts of at most this, without their sign.
        page: ten a page.
    """
    rows = [
        row
        for row in db.find(schema.Transaction, account_id=account.account_id)
        if is_within(row.booked_on, first_day, last_day)
        and (contains_text(row.merchant, text) or contains_text(row.reference, text))
        and is_within(abs(row.amount_cents), min_cents, max_cents)
    ]
    return Page(sorted(rows, key=lambda row: (row.booked_on, row.transaction_id), reverse=True), page)


@tool("read")
def get_transaction(db: Database, transaction: Ref[schema.Transaction]) -> View[schema.Transaction]:
    """Get a transaction's merchant, counterparty, card, status and the last day on which it can be disputed."""
    return View(transaction)


@tool("read")
def list_payees(db: Database, name: str | None = None) -> Page[schema.Payee]:
    """List the saved payees with their bank and when each was added.

    Args:
        name: only those whose name holds this.
    """
    return Page([row for row in db.mine(schema.Payee) if contains_text(row.name, name)])


@tool("write")
def add_payee(
    db: Database,
    name: Annotated[str, Field(min_length=2, max_length=70), NOT_BLANK],
    iban: Annotated[str, Field(pattern=r"^[A-Z]{2}\d{2}[A-Z0-9]{8,30}$")],
) -> View[schema.Payee]:
    """Save a payee.

    Args:
        name: of the person or company.
        iban: without blanks.
    """
    if db.mine(schema.Payee, iban=iban):
        raise Refusal("no_change", "A payee with this IBAN is saved already.")
    made = db.add(schema.Payee, name=name, iban=iban, bank=iban[4:8], added_at=db.now)
    return View(made)


@tool("write")
def transfer_between_own_accounts(
    db: Database,
    source: Ref[schema.Account],
    target: Ref[schema.Account],
    amount_cents: Annotated[int, Field(ge=1, le=5_000_000)],
) -> dict[str, View[schema.Account]]:
    """Move money between two of the customer's own accounts, at once.

    Args:
        amount_cents: how much.
    """
    if source.account_id == target.account_id:
        raise Refusal("invalid_argument", "Source and target are the same account.")
    return {"source": View(_book(db, source, -amount_cents)), "target": View(_book(db, target, amount_cents))}


@tool("write")
def send_payment(
    db: Database,
    source: Ref[schema.Account],
    payee: Ref[schema.Payee],
    amount_cents: Annotated[int, Field(ge=1, le=2_000_000)],
    execute_on: date,
    reference: Annotated[str, Field(max_length=140)] = "",
) -> View[schema.Payment]:
    """Send money to a saved payee, today or on a later day.

    Args:
        amount_cents: how much.
        execute_on: the day on which the money leaves; today at the earliest.
        reference: what the payee reads.
    """
    today = db.now.date()
    if not today <= execute_on <= today + timedelta(days=365):
        raise Refusal("invalid_argument", "A payment is executed today or on a day within one year.")
    now = execute_on == today
    if now:
        _book(db, source, -amount_cents)
    made = db.add(
        schema.Payment,
        account=source,
        payee=payee,
        amount_cents=amount_cents,
        execute_on=execute_on,
        made_on=today,
        state="executed" if now else "scheduled",
        reference=reference,
    )
    return View(made)


@tool("read")
def list_outgoing(
    db: Database,
    kind: Literal["scheduled", "standing"],
    account: Ref[schema.Account] | None = None,
    payee_name: str | None = None,
    payee: Ref[schema.Payee] | None = None,
) -> Page[schema.Payment] | Page[schema.StandingOrder]:
    """List what will go out: scheduled payments or standing orders, the next ones first.

    Args:
        kind: which of the two.
        payee_name: only those to payees whose name holds this.
    """
    payees = {
        row.payee_id for row in db.mine(schema.Payee) if contains_text(row.name, payee_name) and payee in (None, row)
    }
    own = given(account_id=account and account.account_id)
    if kind == "standing":
        orders = [row for row in db.mine(schema.StandingOrder, **own) if row.payee_id in payees]
        return Page(sorted(orders, key=lambda row: (row.next_on, row.standing_order_id)))
    payments = [row for row in db.mine(schema.Payment, state="scheduled", **own) if row.payee_id in payees]
    return Page(sorted(payments, key=lambda row: (row.execute_on, row.payment_id)))


@tool("write")
def cancel_payment(db: Database, payment: Ref[schema.Payment]) -> View[schema.Payment]:
    """Cancel a scheduled payment."""
    if payment.state != "scheduled":
        raise Refusal("wrong_state", f"Only a scheduled payment can be cancelled; this one is {payment.state}.")
    return View(db.update(payment, state="cancelled"))


@tool("write")
def create_standing_order(
    db: Database,
    source: Ref[schema.Account],
    payee: Ref[schema.Payee],
    amount_cents: Annotated[int, Field(ge=1, le=500_000)],
    every: Literal["week", "month"],
    first_on: date,
    last_on: date | None = None,
) -> View[schema.StandingOrder]:
    """Set up a payment that repeats.

    Args:
        amount_cents: how much each time.
        every: how often it is executed.
        first_on: the first day of execution, tomorrow at the earliest.
        last_on: the last day on which it may be executed; without one it runs until it is ended.
    """
    if first_on <= db.now.date() or (last_on is not None and last_on < first_on):
        raise Refusal("invalid_argument", "It begins tomorrow at the earliest and ends on or after its first day.")
    made = db.add(
        schema.StandingOrder,
        account=source,
        payee=payee,
        amount_cents=amount_cents,
        every=every,
        next_on=first_on,
        last_on=last_on,
    )
    return View(made)


@tool("write")
def end_standing_order(
    db: Database, standing_order: Ref[schema.StandingOrder], last_on: date
) -> View[schema.StandingOrder]:
    """Let a standing order end.

    Args:
        last_on: the last day on which it may still be executed; today at the earliest.
    """
    if last_on < db.now.date():
        raise Refusal("invalid_argument", "The last day is today at the earliest.")
    if standing_order.last_on == last_on:
        raise Refusal("no_change", f"It ends on {last_on} already.")
    if standing_order.last_on is not None and standing_order.last_on < last_on:
        raise Refusal("wrong_state", f"It ends on {standing_order.last_on}; it can end sooner, not later.")
    return View(db.update(standing_order, last_on=last_on))


@tool("read")
def list_cards(
    db: Database, last_four: str | None = None, account: Ref[schema.Account] | None = None
) -> Page[schema.Card]:
    """List the customer's cards with their last four digits, state and account.

    Args:
        last_four: only the card that ends in these digits.
    """
    return Page(db.mine(schema.Card, **given(last_four=last_four, account_id=account and account.account_id)))


@tool("write")
def set_card_state(
    db: Database,
    card: Ref[schema.Card],
    state: Literal["active", "frozen", "blocked"],
    reason: Literal["lost", "stolen", "precaution", "found"],
) -> View[schema.Card]:
    """Freeze a card, make it active again, or block it for good.

    Args:
        state: a frozen card can be made active again, a blocked one never.
        reason: why.
    """
    if card.state == state:
        raise Refusal("no_change", f"The card is {state} already.")
    return View(db.update(card, state=state), reason=reason)


@tool("write")
def dispute_transaction(
    db: Database,
    transaction: Ref[schema.Transaction],
    reason: Literal["not_mine", "twice", "wrong_amount", "not_received"],
    statement: Free,
) -> View[schema.Transaction]:
    """Dispute a booked transaction.

    Args:
        reason: what is wrong with it.
        statement: the case in a sentence or two: merchant, day and what is wrong.
    """
    if transaction.status == "disputed":
        raise Refusal("no_change", "It is disputed already.")
    if transaction.status != "booked":
        raise Refusal("wrong_state", f"Only a booked transaction can be disputed; this one is {transaction.status}.")
    return View(db.update(transaction, status="disputed", dispute_reason=reason, statement=statement))


def _book(db: Database, account: schema.Account, change_cents: int) -> schema.Account:
    balance, available = account.balance_cents + change_cents, account.available_cents + change_cents
    return db.update(account, balance_cents=balance, available_cents=available)
