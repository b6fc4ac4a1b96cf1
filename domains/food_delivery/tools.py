"""What the delivery service lets an agent do for a customer."""

from datetime import date, datetime, timedelta
from typing import Annotated, Any, Literal

from pydantic import Field

from toolgym.domains.food_delivery import schema
from toolgym.domains.food_delivery.schema import (
    Address,
    BasketLine,
    Customer,
    Dish,
    Option,
    Order,
    OrderLine,
    Restaurant,
)
from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.errors import Refusal
from toolgym.sandbox.kit.reference import Free, PageNumber, Ref, Secret
from toolgym.sandbox.kit.search import contains_text, equals_text, given, is_within
from toolgym.sandbox.kit.tool import tool
from toolgym.sandbox.kit.view import Page, View

Quantity = Annotated[int, Field(ge=1, le=12)]
Stars = Annotated[int, Field(ge=1, le=5)]
Allergen = Literal["nuts", "gluten", "milk", "egg", "fish"]
State = Literal["placed", "cooking", "on_the_way", "delivered", "cancelled"]
Kind = Literal["missing", "wrong", "cold", "late"]
Basket = dict[str, list[View[BasketLine]] | View[Restaurant] | str | int | None]
SHARES = {"missing": 100, "wrong": 100, "cold": 50, "late": 20}
"""What a complaint brings, in percent of what it is about."""


@tool("read")
def get_account(db: Database) -> dict[str, View[Customer] | list[View[schema.Wallet]]]:
    """Get the customer's credit, membership and allergies, the ways to pay, and the present moment."""
    methods = [View(row) for row in db.mine(schema.Wallet)]
    return {"customer": View(db.owner(Customer), now=db.now), "methods": methods}


@tool("read")
def list_addresses(db: Database, label: str | None = None) -> Page[Address]:
    """List the customer's addresses.

    Args:
        label: only those whose label holds this.
    """
    return Page([row for row in db.mine(Address) if contains_text(row.label, label)])


@tool("read")
def search_restaurants(
    db: Database,
    address: Ref[Address] | None = None,
    text: str | None = None,
    cuisine: str | None = None,
    open_now: bool = False,
    max_minutes: Annotated[int, Field(ge=10, le=90)] | None = None,
    min_rating: Annotated[float, Field(ge=1, le=5)] | None = None,
    max_fee_cents: int | None = None,
    page: PageNumber = 1,
) -> Page[Restaurant]:
    """Search restaurants, those with the lowest delivery fee first.

    Args:
        address: only those that deliver there.
        text: only those whose name holds this.
        cuisine: only those with this cuisine.
        open_now: only those that are open.
        max_minutes: only those that need at most so many minutes.
        min_rating: only those with at least so many stars.
        max_fee_cents: only those that ask for at most this fee.
        page: ten a page.
    """
    rows = [
        row
        for row in db.find(Restaurant)
        if (address is None or address.zone in row.zones.split())
        and contains_text(row.name, text)
        and equals_text(row.cuisine, cuisine)
        and (not open_now or row.opens <= f"{db.now:%H:%M}" < row.closes)
        and is_within(row.minutes, None, max_minutes)
        and is_within(row.rating, min_rating, None)
        and is_within(row.fee_cents, None, max_fee_cents)
    ]
    return Page(sorted(rows, key=lambda row: (row.fee_cents, row.restaurant_id)), page)


@tool("read")
def get_restaurant(db: Database, restaurant: Ref[Restaurant]) -> View[Restaurant]:
    """Get a restaurant's hours, minimum, fee and the zones that it delivers to."""
    return View(restaurant)


@tool("read")
def get_menu(
    db: Database,
    restaurant: Ref[Restaurant],
    section: str | None = None,
    text: str | None = None,
    vegan: bool | None = None,
    without: Allergen | None = None,
) -> list[View[Dish]]:
    """List a restaurant's dishes with their prices.

    Args:
        section: only this section of the menu.
        text: only dishes whose name holds this.
        vegan: only vegan dishes, or only others.
        without: only dishes without this allergen.
    """
    rows = db.find(Dish, restaurant_id=restaurant.restaurant_id, **given(vegan=vegan))
    kept = [row for row in rows if equals_text(row.section, section) and contains_text(row.dish_name, text)]
    return [View(row) for row in kept if without is None or without not in row.allergens.split()]


@tool("read")
def get_dish(db: Database, dish: Ref[Dish]) -> dict[str, View[Dish] | list[View[Option]]]:
    """Get a dish's allergens, whether it is sold out, and what may be added."""
    more = {"allergens": dish.allergens, "sold_out": dish.sold_out, "restaurant_id": dish.restaurant_id}
    return {"dish": View(dish, **more), "options": [View(row) for row in db.find(Option, dish_id=dish.dish_id)]}


@tool("read")
def get_basket(db: Database) -> Basket:
    """Get what is in the basket, from which restaurant, and what it comes to."""
    return _basket(db)


@tool("write")
def add_to_basket(
    db: Database,
    dish: Ref[Dish],
    quantity: Quantity = 1,
    options: list[Ref[Option]] = [],  # noqa: B006  # never written
    request: Free = "",
) -> Basket:
    """Put a dish into the basket, which holds dishes of one restaurant.

    Args:
        quantity: how many.
        options: what is added to each.
        request: what the kitchen should mind.
    """
    if any(option.dish_id != dish.dish_id for option in options):
        raise Refusal("invalid_argument", "That is an option of another dish.")
    each = dish.price_cents + sum(option.price_cents for option in options)
    extras = ", ".join(option.name for option in options)
    db.add(BasketLine, dish=dish, quantity=quantity, each_cents=each, extras=extras, request=request)
    return _basket(db)


@tool("write")
def change_basket_line(db: Database, line: Ref[BasketLine], quantity: Annotated[int, Field(ge=0, le=12)]) -> Basket:
    """Change how many of a dish are in the basket.

    Args:
        quantity: how many; 0 takes it out.
    """
    if quantity == line.quantity:
        raise Refusal("no_change", "The basket holds that many already.")
    if quantity:
        db.update(line, quantity=quantity)
    else:
        db.delete(line)
    return _basket(db)


@tool("write")
def clear_basket(db: Database) -> dict[str, int]:
    """Take everything out of the basket."""
    lines = db.mine(BasketLine)
    if not lines:
        raise Refusal("no_change", "The basket is empty.")
    for line in lines:
        db.delete(line)
    db.update(db.owner(Customer), promo=None)
    return {"removed": len(lines)}


@tool("write")
def apply_promo(db: Database, code: Ref[schema.Promo]) -> Basket:
    """Take a promotion's discount off the basket; it replaces another one."""
    if db.owner(Customer).promo == code.code:
        raise Refusal("no_change", "This code is applied already.")
    db.update(db.owner(Customer), promo=code.code)
    return _basket(db)


@tool("write")
def place_order(
    db: Database,
    address: Ref[Address],
    method: Ref[schema.Wallet],
    card_code: Secret | None = None,
    deliver_at: datetime | None = None,
    tip_cents: Annotated[int, Field(ge=0, le=5000)] = 0,
    note: Free = "",
) -> View[Order]:
    """Order what is in the basket.

    Args:
        card_code: of a card, as the customer says it.
        deliver_at: when it is wanted; as soon as possible without it.
        tip_cents: for the courier.
        note: what the courier should mind.
    """
    basket: dict[str, Any] = _basket(db)
    if not basket["items"]:
        raise Refusal("wrong_state", "The basket is empty.")
    if method.kind == "card" and (card_code or "").strip() != method.code:
        raise Refusal("wrong_code", "A card is charged with its right code only.")
    place = db.get_one(Restaurant, db.get_one(Dish, db.mine(BasketLine)[0].dish_id).restaurant_id)
    due = deliver_at or db.now + timedelta(minutes=place.minutes)
    values = {"state": "placed", "placed_at": db.now, "due_at": due, "tip_cents": tip_cents, "note": note}
    total = basket["total_cents"] + tip_cents
    made = db.add(Order, restaurant=place, address=address, method=method, total_cents=total, **values)
    for line in db.mine(BasketLine):
        price = line.quantity * line.each_cents
        db.add(OrderLine, order=made, dish_id=line.dish_id, quantity=line.quantity, price_cents=price)
        db.delete(line)
    db.update(db.owner(Customer), promo=None)
    return View(made)


@tool("read")
def list_orders(
    db: Database,
    state: State | None = None,
    text: str | None = None,
    first_day: date | None = None,
    last_day: date | None = None,
    page: PageNumber = 1,
) -> Page[Order]:
    """List the customer's orders, newest first.

    Args:
        state: only those in this state.
        text: only those from restaurants whose name holds this.
        first_day: the first day to list, included.
        last_day: the last day to list, included.
        page: ten a page.
    """
    rows = [
        row
        for row in db.mine(Order, **given(state=state))
        if is_within(row.placed_at.date(), first_day, last_day)
        and contains_text(db.get_one(Restaurant, row.restaurant_id).name, text)
    ]
    return Page(sorted(rows, key=lambda row: (row.placed_at, row.order_id), reverse=True), page)


@tool("read")
def track_order(db: Database, order: Ref[Order]) -> dict[str, View[Order] | list[View[OrderLine]]]:
    """Get an order's state, courier, the minutes left and its dishes."""
    return {"order": View(order), "items": [View(row) for row in db.find(OrderLine, order_id=order.order_id)]}


@tool("write")
def cancel_order(db: Database, order: Ref[Order]) -> View[Order]:
    """Cancel an order; what was paid is given back."""
    return View(db.update(order, state="cancelled"), refund_cents=order.total_cents)


@tool("write")
def report_problem(
    db: Database,
    order: Ref[Order],
    lines: Annotated[list[Ref[OrderLine]], Field(min_length=1, max_length=20)],
    kind: Kind,
    want: Literal["refund", "credit"],
    details: Free,
) -> View[schema.Complaint]:
    """Complain about dishes of an order that was delivered.

    Args:
        lines: the dishes that it is about.
        kind: what was wrong.
        want: money back, or credit for later.
        details: what happened.
    """
    if any(line.order_id != order.order_id for line in lines):
        raise Refusal("invalid_argument", "That is a dish of another order.")
    if db.find(schema.Complaint, order_id=order.order_id):
        raise Refusal("no_change", "There is a complaint about this order already.")
    amount = sum(line.price_cents for line in dict.fromkeys(lines)) * SHARES[kind] // 100
    if want == "credit":
        me = db.owner(Customer)
        db.update(me, credit_cents=me.credit_cents + amount)
    made = db.add(schema.Complaint, order=order, kind=kind, want=want, details=details, amount_cents=amount)
    return View(made)


@tool("write")
def rate_order(db: Database, order: Ref[Order], food: Stars, courier: Stars, comment: Free = "") -> View[Order]:
    """Rate an order once it was delivered.

    Args:
        food: stars for the food.
        courier: stars for the courier.
        comment: what others read.
    """
    if order.food_stars is not None:
        raise Refusal("no_change", "This order was rated already.")
    return View(db.update(order, food_stars=food, courier_stars=courier))


def _basket(db: Database) -> Basket:
    """What is in the basket, and what it comes to."""
    me, lines = db.owner(Customer), db.mine(BasketLine)
    place = db.get_one(Restaurant, db.get_one(Dish, lines[0].dish_id).restaurant_id) if lines else None
    food = sum(line.quantity * line.each_cents for line in lines)
    promo = None if me.promo is None else db.get(schema.Promo, me.promo)
    off = 0 if promo is None else food * promo.percent // 100
    fee = 0 if place is None or me.member else place.fee_cents
    sums = {"food_cents": food, "discount_cents": off, "fee_cents": fee, "total_cents": food - off + fee}
    return {
        "items": [View(line) for line in lines],
        "restaurant": None if place is None else View(place),
        "promo": me.promo,
        **sums,
    }
