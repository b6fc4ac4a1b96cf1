"""Checking out, and what comes after: orders, cancellations, returns and reviews."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from toolgym.domains.shopping import schema
from toolgym.domains.shopping.tools.cart import cart_of, cost_of, discounts
from toolgym.domains.shopping.tools.catalogue import Stars
from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.errors import Refusal
from toolgym.sandbox.kit.reference import NOT_BLANK, Free, PageNumber, Ref, Reference, Secret
from toolgym.sandbox.kit.search import contains_text, given, is_within
from toolgym.sandbox.kit.tool import tool
from toolgym.sandbox.kit.view import Page, View

FREE_FROM_CENTS = 5_000
WRONG_CODES = 3
SEND_BACK_DAYS = 14
SPEEDS = {"standard": (595, 4), "express": (1_295, 2), "overnight": (2_495, 1)}
"""What each way to send costs in cents, and how many working days it takes."""

ReturnReason = Literal["damaged", "wrong_item", "does_not_fit", "changed_mind"]
Quote = Annotated[
    schema.ShippingOption,
    Reference(message="There is no shipping option {key}; a quote is void once the cart changes: ask for a new one."),
]


class Quoted(TypedDict):
    """The ways to send what is in the cart."""

    items: list[View[schema.ShippingOption]]


class WholeOrder(TypedDict):
    """An order with all that was bought."""

    order: View[schema.Order]
    items: list[View[schema.OrderedItem]]


@tool("read")
def list_addresses(db: Database, label: str | None = None) -> list[View[schema.Address]]:
    """List the addresses that the customer has saved.

    Args:
        label: only those whose label holds this.
    """
    return [View(row) for row in db.mine(schema.Address) if contains_text(row.label, label)]


@tool("write")
def add_address(
    db: Database,
    label: Annotated[str, Field(min_length=2, max_length=40), NOT_BLANK],
    street: Annotated[str, Field(min_length=3, max_length=80), NOT_BLANK],
    city: Annotated[str, Field(min_length=2, max_length=40), NOT_BLANK],
    zip: Annotated[str, Field(pattern=r"^\d{5}$")],
) -> View[schema.Address]:
    """Save an address.

    Args:
        label: what the customer calls it.
        street: with the number.
        city: without the state.
        zip: five digits.
    """
    if any(row.label.casefold() == label.casefold() for row in db.mine(schema.Address)):
        raise Refusal("conflict", f"There is an address called {label} already; give the new one another label.")
    me, key = db.owner(schema.Customer), db.new_id(schema.Address)
    values = {"label": label, "street": street, "city": city, "zip": zip}
    return View(db.insert(schema.Address, address_id=key, customer_id=me.customer_id, **values))


@tool("read")
def list_payment_methods(
    db: Database, last_four: str | None = None, kind: Literal["Visa", "Mastercard", "Amex"] | None = None
) -> list[View[schema.Card]]:
    """List the customer's cards with kind, last four digits and the last month in which each is valid.

    Args:
        last_four: only the card that ends in these digits.
        kind: only cards of this kind.
    """
    return [
        View(row) for row in db.mine(schema.Card) if last_four in (None, row.last_four) and kind in (None, row.kind)
    ]


@tool("neutral")
def quote_shipping(db: Database, address: Ref[schema.Address]) -> Quoted:
    """Get the ways to send what is in the cart to an address, with price and day of arrival.

    Standard shipping is free from 50 dollars on, counted after the coupon. A quote is void once the cart changes.
    """
    total = cart_of(db)["total_cents"]
    if not db.mine(schema.CartItem):
        raise Refusal("empty_cart", "There is nothing in the cart.")
    for old in db.mine(schema.ShippingOption, address_id=address.address_id):
        db.delete(old)
    made = []
    for number, (speed, (cents, days)) in enumerate(SPEEDS.items(), start=1):
        price = 0 if speed == "standard" and total >= FREE_FROM_CENTS else cents
        values = {"speed": speed, "price_cents": price, "arrives_on": _working_days(db.now.date(), days)}
        key = f"sh-{address.address_id.removeprefix('ad-')}{number}"
        made.append(db.insert(schema.ShippingOption, option_id=key, address_id=address.address_id, **values))
    return {"items": [View(row) for row in made]}


@tool("write")
def checkout(
    db: Database,
    address: Ref[schema.Address],
    shipping: Quote,
    method: Ref[schema.Card],
    security_code: Secret | None = None,
    use_credit: bool = False,
    gift_note: Free = "",
) -> View[schema.Order] | dict[str, bool | int]:
    """Order what is in the cart, which is empty then. A wrong security code orders nothing and tells the tries left.

    Args:
        shipping: out of the quote for this address.
        security_code: that of the card, as the customer says it; needed where the store credit does not pay all.
        use_credit: true to pay with the store credit as far as it reaches.
        gift_note: what is written on the card in the parcel.
    """
    me, lines, off = db.owner(schema.Customer), db.mine(schema.CartItem), discounts(db)
    if shipping.address_id != address.address_id:
        raise Refusal("quote_address", "This shipping option was quoted for another address.")
    total = cart_of(db)["total_cents"] + shipping.price_cents
    credit = min(me.credit_cents, total) if use_credit else 0
    if credit < total and not _is_code(db, method, security_code):
        return {"accepted": False, "tries_left": WRONG_CODES - method.failed_codes - 1}
    order = db.insert(
        schema.Order,
        order_id=db.new_id(schema.Order),
        customer_id=me.customer_id,
        address_id=address.address_id,
        method_id=method.method_id,
        coupon_code=me.coupon_code if off else None,
        state="placed",
        placed_on=db.now.date(),
        speed=shipping.speed,
        arrives_on=shipping.arrives_on,
        delivered_on=None,
        shipping_cents=shipping.price_cents,
        credit_cents=credit,
        total_cents=total,
        main_item=db.get_one(schema.Variant, lines[0].variant_id).name,
        items_count=len(lines),
        gift_note=gift_note,
    )
    for number, line in enumerate(lines, start=1):
        _sell(db, order, number, line, cost_of(db, line) - off.get(line.line_id, 0))
    points = me.points + total // 100
    db.update(me, coupon_code=None, credit_cents=me.credit_cents - credit, points=points)
    return View(order)


@tool("read")
def list_orders(
    db: Database,
    state: Literal["placed", "shipped", "delivered", "cancelled", "returning"] | None = None,
    first_day: date | None = None,
    last_day: date | None = None,
    text: str | None = None,
    page: PageNumber = 1,
) -> Page[schema.Order]:
    """List the customer's orders, the newest first, each with the first thing on it.

    Args:
        state: only orders in this state.
        first_day: the first day on which they were placed, included.
        last_day: the last day on which they were placed, included.
        text: only orders with something whose name holds this.
        page: ten a page.
    """
    holding = db.query(
        "SELECT DISTINCT order_id FROM orders JOIN order_lines USING (order_id) "
        "WHERE customer_id = :customer AND instr(lower(name), :text)",
        customer=db.owner(schema.Customer).customer_id,
        text=(text or "").strip().lower(),
    )
    found = {str(key) for (key,) in holding}
    rows = [
        row
        for row in db.mine(schema.Order, **given(state=state))
        if row.order_id in found and is_within(row.placed_on, first_day, last_day)
    ]
    return Page(sorted(rows, key=lambda row: (row.placed_on, row.order_id), reverse=True), page)


@tool("read")
def get_order(db: Database, order: Ref[schema.Order]) -> WholeOrder:
    """Get an order: all that was bought, the address, when it comes or came, and until when it can be sent back."""
    lines = db.find(schema.OrderedItem, order_id=order.order_id)
    return {"order": View(order), "items": [View(line) for line in lines]}


@tool("write")
def cancel_order(
    db: Database, order: Ref[schema.Order], reason: Literal["changed_mind", "found_cheaper", "too_slow"]
) -> View[schema.Order]:
    """Cancel an order that has not been shipped. The money goes back the way it came.

    Args:
        reason: why.
    """
    me = db.owner(schema.Customer)
    for line in db.find(schema.OrderedItem, order_id=order.order_id):
        variant = db.get_one(schema.Variant, line.variant_id)
        db.update(variant, stock=variant.stock + line.quantity)
    points = max(me.points - order.total_cents // 100, 0)
    db.update(me, credit_cents=me.credit_cents + order.credit_cents, points=points)
    made = db.update(order, state="cancelled", cancel_reason=reason)
    return View(made, refund_cents=order.total_cents - order.credit_cents)


@tool("write")
def request_return(
    db: Database,
    line: Ref[schema.OrderedItem],
    reason: ReturnReason,
    refund_to: Literal["original", "credit"],
    comment: Free = "",
) -> View[schema.OrderedItem]:
    """Send something back. The money is paid once it has arrived; the deadline for sending it is 14 days.

    Args:
        reason: why.
        refund_to: original for the card that paid, credit for the store credit.
        comment: what else the shop should know.
    """
    if line.state != "bought":
        raise Refusal("no_change", "This is being sent back already.")
    made = db.update(line, state="returning", return_reason=reason, refund_to=refund_to, comment=comment)
    order = db.get_one(schema.Order, line.order_id)
    db.update(order, state="returning")
    deadline = db.now.date() + timedelta(days=SEND_BACK_DAYS)
    return View(made, refund_cents=line.paid_cents, deadline=deadline)


@tool("write")
def write_review(db: Database, product: Ref[schema.Product], stars: Stars, text: Free) -> View[schema.Review]:
    """Publish what the customer says of a product.

    Args:
        stars: 1 for poor to 5 for excellent.
        text: what is good and what is not, in a sentence or two.
    """
    me, key = db.owner(schema.Customer), db.new_id(schema.Review)
    values = {"stars": stars, "text": text, "written_on": db.now.date()}
    return View(
        db.insert(schema.Review, review_id=key, product_id=product.product_id, customer_id=me.customer_id, **values)
    )


def _is_code(db: Database, method: schema.Card, given: str | None) -> bool:
    """Whether it is the card's security code; a wrong one is counted."""
    if method.failed_codes >= WRONG_CODES:
        raise Refusal("locked", "The card is locked after three wrong security codes; use another one.")
    if given is None:
        raise Refusal("code_needed", "The card is charged, so its security code is needed.")
    right = given.strip() == method.security_code
    if not right or method.failed_codes:
        db.update(method, failed_codes=0 if right else method.failed_codes + 1)
    return right


def _sell(db: Database, order: schema.Order, number: int, line: schema.CartItem, paid_cents: int) -> None:
    """Put a line of the cart onto an order."""
    variant, product = db.get_one(schema.Variant, line.variant_id), schema.product_of(db, line.variant_id)
    db.insert(
        schema.OrderedItem,
        line_id=f"{order.order_id}-{number}",
        order_id=order.order_id,
        variant_id=variant.variant_id,
        product_id=product.product_id,
        name=variant.name,
        colour=variant.colour,
        size=variant.size,
        final_sale=product.final_sale,
        quantity=line.quantity,
        paid_cents=paid_cents,
        state="bought",
        comment="",
    )
    db.update(variant, stock=variant.stock - line.quantity)
    db.delete(line)


def _working_days(day: date, count: int) -> date:
    """The day so many working days later."""
    while count:
        day += timedelta(days=1)
        count -= day.weekday() < 5
    return day
