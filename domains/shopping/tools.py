"""What the shop lets an agent do for the customer who is signed in."""

from datetime import date, timedelta
from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from toolgym.domains.shopping import schema
from toolgym.domains.shopping.schema import (
    CartItem,
    Coupon,
    Customer,
    Product,
    Review,
    SavedItem,
    Variant,
    is_used,
    product_of,
)
from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.errors import Refusal
from toolgym.sandbox.kit.reference import NOT_BLANK, Free, PageNumber, Ref, Reference, Secret
from toolgym.sandbox.kit.search import contains_text, equals_text, given, is_within
from toolgym.sandbox.kit.tool import tool
from toolgym.sandbox.kit.view import Page, View

MOST = 10

"""Of one thing in a cart."""


class Cart(TypedDict):
    """What lies in the cart and what it comes to, without shipping."""

    items: list[View[CartItem]]
    coupon: str | None
    subtotal_cents: int
    discount_cents: int
    total_cents: int


Stars = Annotated[int, Field(ge=1, le=5)]


class Account(TypedDict):
    """The customer, what lies in the cart, and the codes that the shop gives out at present."""

    customer: View[Customer]
    cart_count: int
    offers: list[View[Coupon]]
    today: str


class Described(TypedDict):
    """A product with its variants."""

    product: View[Product]
    items: list[View[Variant]]


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
def get_account(db: Database) -> Account:
    """Get the customer's name, tier, points and store credit, what is in the cart, and the coupon codes there are."""
    me = db.owner(Customer)
    count = sum(line.quantity for line in db.mine(CartItem))
    offers = [View(row) for row in db.find(Coupon)]
    return {"customer": View(me), "cart_count": count, "offers": offers, "today": db.now.date().isoformat()}


@tool("read")
def list_categories(db: Database) -> list[dict[str, str | int]]:
    """List the categories with how many products each has."""
    found = db.query("SELECT category, count(*) FROM products GROUP BY category ORDER BY category")
    return [{"category": str(name), "products": int(count)} for name, count in found]


@tool("read")
def search_products(
    db: Database,
    text: str | None = None,
    category: str | None = None,
    brand: str | None = None,
    min_cents: int | None = None,
    max_cents: int | None = None,
    min_rating: Annotated[float, Field(ge=1, le=5)] | None = None,
    in_stock: bool | None = None,
    sort: Literal["relevance", "price", "rating"] = "relevance",
    page: PageNumber = 1,
) -> Page[Product]:
    """Search what the shop sells. The price of a product is that of its cheapest variant.

    Args:
        text: words, each of which stands in the name, the brand or the category.
        category: only this one.
        brand: only this one.
        min_cents: only what costs at least this.
        max_cents: only what costs at most this.
        min_rating: only what has at least so many stars on average.
        in_stock: true for what is there, false for what is sold out.
        sort: price puts the cheapest first, rating the best; relevance those whose name is just what was looked for.
        page: ten a page.
    """
    words = (text or "").casefold().split()
    there = _in_stock(db) if in_stock is not None else set()
    found = [
        row
        for row in db.find(Product)
        if all(word in f"{row.name} {row.brand} {row.category}".casefold() for word in words)
        and equals_text(row.category, category)
        and equals_text(row.brand, brand)
        and is_within(row.price_cents, min_cents, max_cents)
        and is_within(row.rating, min_rating, None)
        and (in_stock is None or (row.product_id in there) == in_stock)
    ]
    return Page(sorted(found, key=lambda row: _place(row, sort, words)), page)


@tool("read")
def get_product(db: Database, product: Ref[Product], colour: str | None = None, size: str | None = None) -> Described:
    """Get a product with its variants, their prices and how many of each there are.

    Tells also its usual companion, which most customers buy with it, and its successor, if there is a newer model.

    Args:
        colour: only the variants in this colour.
        size: only the variants in this size.
    """
    rows = [
        row
        for row in db.find(Variant, product_id=product.product_id)
        if equals_text(row.colour, colour) and equals_text(row.size, size)
    ]
    return {"product": View(product), "items": [View(row) for row in rows]}


@tool("read")
def list_reviews(db: Database, product: Ref[Product], stars: Stars | None = None, page: PageNumber = 1) -> Page[Review]:
    """List what customers say of a product, the newest first.

    Args:
        stars: only reviews with just so many stars.
        page: ten a page.
    """
    rows = db.find(Review, product_id=product.product_id, **given(stars=stars))
    return Page(sorted(rows, key=lambda row: (row.written_on, row.review_id), reverse=True), page)


@tool("read")
def get_cart(db: Database) -> Cart:
    """Get what lies in the cart, the coupon, and what it comes to without shipping."""
    return cart_of(db)


@tool("write")
def add_to_cart(db: Database, variant: Ref[Variant], quantity: Annotated[int, Field(ge=1, le=MOST)] = 1) -> Cart:
    """Put something into the cart; what lies there already becomes more.

    Args:
        quantity: how many.
    """
    _add(db, variant.variant_id, quantity)
    return cart_of(db)


@tool("write")
def set_cart_quantity(db: Database, line: Ref[CartItem], quantity: Annotated[int, Field(ge=0, le=MOST)]) -> Cart:
    """Change how many of something lie in the cart.

    Args:
        quantity: how many instead; 0 takes it out.
    """
    if quantity == line.quantity:
        raise Refusal("no_change", f"There are {quantity} in the cart already.")
    if quantity:
        db.update(line, quantity=quantity)
    else:
        db.delete(line)
    return cart_of(db)


@tool("write")
def save_for_later(db: Database, line: Ref[CartItem]) -> Cart:
    """Take something out of the cart and keep it on the list."""
    if not db.mine(SavedItem, variant_id=line.variant_id):
        db.add(SavedItem, customer=line, variant=line, old_price_cents=db.get_one(Variant, line.variant_id).price_cents)
    db.delete(line)
    return cart_of(db)


@tool("read")
def list_saved(db: Database, name: str | None = None) -> list[View[SavedItem]]:
    """List what the customer wants to remember, with its price when it was saved and now.

    Args:
        name: only what has this in its name.
    """
    return [View(row) for row in db.mine(SavedItem) if contains_text(db.get_one(Variant, row.variant_id).name, name)]


@tool("write")
def move_to_cart(db: Database, saved: Ref[SavedItem]) -> Cart:
    """Take something off the list and put one of it into the cart."""
    _add(db, saved.variant_id, 1)
    db.delete(saved)
    return cart_of(db)


@tool("write")
def apply_coupon(db: Database, code: Ref[Coupon]) -> Cart:
    """Use a coupon code for what is in the cart, in place of another one."""
    me = db.owner(Customer)
    if me.coupon_code == code.code:
        raise Refusal("no_change", "This code is applied already.")
    db.update(me, coupon_code=code.code)
    return cart_of(db)


@tool("write")
def remove_coupon(db: Database) -> Cart:
    """Use no coupon code for what is in the cart."""
    me = db.owner(Customer)
    if me.coupon_code is None:
        raise Refusal("no_change", "No code is applied.")
    db.update(me, coupon_code=None)
    return cart_of(db)


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
    _me, key = db.owner(schema.Customer), db.new_id(schema.Address)
    values = {"label": label, "street": street, "city": city, "zip": zip}
    return View(db.add(schema.Address, address_id=key, **values))


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
        made.append(db.add(schema.ShippingOption, option_id=key, address=address, **values))
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
    order = db.add(
        schema.Order,
        address=address,
        method=method,
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
    return View(db.add(schema.Review, review_id=key, product=product, customer=me, **values))


def cart_of(db: Database) -> Cart:
    """The cart as tools show it."""
    lines, off = db.mine(CartItem), discounts(db)
    subtotal, discount = sum(cost_of(db, line) for line in lines), sum(off.values())
    return {
        "items": [View(line) for line in lines],
        "coupon": db.owner(Customer).coupon_code,
        "subtotal_cents": subtotal,
        "discount_cents": discount,
        "total_cents": subtotal - discount,
    }


def cost_of(db: Database, line: CartItem) -> int:
    """What a line costs before any coupon, in cents."""
    return db.get_one(Variant, line.variant_id).price_cents * line.quantity


def discounts(db: Database) -> dict[str, int]:
    """What the applied coupon takes off each line, in cents; nothing while it does not hold."""
    code = db.owner(Customer).coupon_code
    coupon = db.get(Coupon, code) if code is not None else None
    if coupon is None or db.now.date() > coupon.until or is_used(db, coupon.code):
        return {}
    lines = [line for line in db.mine(CartItem) if coupon.category in (None, product_of(db, line.variant_id).category)]
    costs = {line.line_id: cost_of(db, line) for line in lines}
    if sum(costs.values()) < coupon.min_cents:
        return {}
    return {key: cents * coupon.percent // 100 for key, cents in costs.items()}


def _add(db: Database, variant_id: str, quantity: int) -> None:
    db.owner(Customer)
    there = db.mine(CartItem, variant_id=variant_id)
    if there and there[0].quantity + quantity > MOST:
        raise Refusal("too_many", f"At most {MOST} of one thing lie in the cart; there are {there[0].quantity}.")
    if there:
        db.update(there[0], quantity=there[0].quantity + quantity)
        return
    key = db.new_id(CartItem)
    db.add(CartItem, line_id=key, variant_id=variant_id, quantity=quantity)


def _in_stock(db: Database) -> set[str]:
    return {str(key) for (key,) in db.query("SELECT DISTINCT product_id FROM variants WHERE stock > 0")}


def _place(row: Product, sort: str, words: list[str]) -> tuple[float, str]:
    if sort == "price":
        return row.price_cents, row.product_id
    if sort == "rating":
        return -row.rating, row.product_id
    return len(set(row.name.casefold().split()) - set(words)), row.product_id


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
    db.add(
        schema.OrderedItem,
        line_id=f"{order.order_id}-{number}",
        order=order,
        variant=variant,
        product=product,
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
