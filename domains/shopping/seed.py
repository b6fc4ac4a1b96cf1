"""The shop's rows: what it sells and what is said of it, and 24 customers with carts, lists and orders.

Planted are both sides of each edge: the last piece, carts at a coupon's minimum and a cent below it, orders on the last
day of their return period and a day later, cards in their last month and a month later.
"""

import random
from datetime import date, datetime, timedelta
from functools import partial
from itertools import pairwise

from toolgym.domains.people import CITIES, FIRST_NAMES, LAST_NAMES, STREETS
from toolgym.domains.shopping import schema
from toolgym.domains.shopping.assortment import BLAMED, COLOURS, OWN, PRAISED, SIZES, SORTS, UNSEEN, Assortment, Sort
from toolgym.sandbox.kit.database import Database

NOW = datetime(2026, 3, 13, 16, 20)
CLOCKS = (datetime(2026, 3, 12, 9, 5), datetime(2026, 3, 14, 20, 40))
_TODAY = NOW.date()
_PER_SORT = 10
_PLANTED = (6_000, 5_999, 10_000, 9_999, 3_000, 2_999, 5_000, 4_999)
"""Prices at a coupon's minimum or where shipping is free, and a cent below."""
_LABELS = ("home", "office", "cabin", "studio")
_CARDS = ("Visa", "Mastercard", "Amex")


def fill(db: Database, seed: int = 70231, first: int = 1908, shop: Assortment = OWN) -> None:
    """Write the rows.

    Args:
        db: the empty tables.
        seed: other people and other things with another one.
        first: the number of the first customer.
        shop: names of what is sold.
    """
    rng = random.Random(seed)
    for code, percent, least, category, until in shop.coupons:
        day = date.fromisoformat(until)
        db.insert(schema.Coupon, code=code, percent=percent, min_cents=least, category=category, until=day)
    variants = _products(db, rng, shop)
    _link(db, random.Random(seed))
    people = rng.sample([(first, last) for first in FIRST_NAMES for last in LAST_NAMES], 24)
    for index, name in enumerate(people):
        _customer(db, rng, index, f"u-{first + index}", " ".join(name), variants, shop.coupons[9][0])


# --- what is sold ---


def _products(db: Database, rng: random.Random, shop: Assortment) -> list[list[schema.Variant]]:
    """The variants by product."""
    found, planted = [], list(_PLANTED)
    for name, sort in SORTS.items():
        models = rng.sample(shop.models, _PER_SORT - 1)
        for model in [*models, f"{models[0]} Light"]:  # two that are easily taken for each other
            cents = rng.randrange(*sort.prices) * 100 + rng.choice((0, 50, 95, 99))
            if not sort.colours and planted:
                cents = planted.pop(0)
            found.append(_product(db, rng, f"{model} {name}", rng.choice(shop.brands), sort, cents))
    return found


def _link(db: Database, rng: random.Random) -> None:
    """What is often bought with what, each thing with another one; and of each sort, what came after what."""
    products = db.find(schema.Product)
    ring = rng.sample(products, len(products))
    for one, other in zip(ring, [*ring[1:], ring[0]], strict=True):
        db.update(one, bought_with_id=other.product_id)
    for sort in SORTS:
        line = [row for row in products if row.name.endswith(f" {sort}")]
        line = rng.sample(line, len(line))
        for one, other in pairwise(line):
            db.update(one, successor_id=other.product_id)


def _product(db: Database, rng: random.Random, name: str, brand: str, sort: Sort, cents: int) -> list[schema.Variant]:
    key = db.new_id(schema.Product)
    stars = [rng.choice((1, 3, 4, 4, 5, 5) if rng.random() < 0.7 else (4, 5, 5)) for _ in range(rng.randrange(3, 9))]
    db.insert(
        schema.Product,
        product_id=key,
        name=name,
        brand=brand,
        category=sort.category,
        price_cents=cents,
        rating=round(sum(stars) / len(stars), 1),
        final_sale=rng.random() < 0.12,
    )
    faults = rng.sample(sorted(BLAMED[sort.category]), 2)
    for each in stars:
        text = f"{BLAMED[sort.category][rng.choice(faults)]}." if each < 3 else rng.choice(PRAISED)
        _review(db, key, None, each, text, rng.randrange(2, 400))
    colours = rng.sample(COLOURS, sort.colours) if sort.colours else [""]
    sizes = SIZES if sort.sized else ("",)
    variants = []
    for number, (colour, size) in enumerate(((colour, size) for colour in colours for size in sizes), start=1):
        more = rng.choice((0, 0, 300)) if number > 1 else 0
        stock = rng.choice((0, 1, 2, 3, 4, 5, 6, 7, 8, 14, 25, 40))
        values = {"name": name, "colour": colour, "size": size, "price_cents": cents + more, "stock": stock}
        variants.append(db.insert(schema.Variant, variant_id=f"{key}-{number}", product_id=key, **values))
    return variants


def _review(db: Database, product: str, customer: str | None, stars: int, text: str, ago: int) -> None:
    key, day = db.new_id(schema.Review), _TODAY - timedelta(days=ago)
    values = {"product_id": product, "customer_id": customer, "stars": stars, "text": text, "written_on": day}
    db.insert(schema.Review, review_id=key, **values)


# --- who shops ---


def _customer(
    db: Database, rng: random.Random, index: int, key: str, name: str, variants: list[list[schema.Variant]], coupon: str
) -> None:
    plus = index % 3 == 0
    me = db.insert(
        schema.Customer,
        customer_id=key,
        name=name,
        email=f"{name.lower().replace(' ', '.')}@post.example",
        tier="plus" if plus else "basic",
        points=rng.randrange(20, 900),
        credit_cents=(0, 500, 1_250, 2_000, 4_000, 15_000)[index % 6],
        coupon_code=None,
    )
    addresses = [_address(db, rng, key, label) for label in _LABELS[: 2 + index % 3]]
    methods = [_method(db, rng, key, place, index) for place in range(2 + index % 2)]
    products = rng.sample(variants, len(variants))
    orders = _orders(rng, index, plus)
    for order in orders:
        _order(db, rng, me, order, rng.choice(addresses), rng.choice(methods), products)
    _cart(db, rng, index, key, products, variants)
    if index % 6 in (0, 1):
        db.update(me, coupon_code=coupon)  # the one with the lowest minimum
    for place in range(3 + index % 3):
        _saved(db, rng, key, rng.choice(products.pop()), place + index)


def _address(db: Database, rng: random.Random, customer: str, label: str) -> str:
    city, _, prefix = rng.choice(CITIES)
    street = f"{rng.randrange(3, 990)} {rng.choice(STREETS)}"
    key, code = db.new_id(schema.Address), f"{prefix}{rng.randrange(100):02d}"
    db.insert(schema.Address, address_id=key, customer_id=customer, label=label, street=street, city=city, zip=code)
    return key


def _method(db: Database, rng: random.Random, customer: str, place: int, index: int) -> str:
    key, last_month = db.new_id(schema.Card), f"{rng.randrange(2027, 2031)}-{rng.randrange(1, 13):02d}"
    if place == 1:
        last_month = ("2026-02", "2026-03", last_month)[index // 3 % 3]
    db.insert(
        schema.Card,
        method_id=key,
        customer_id=customer,
        kind=_CARDS[(index + place) % 3],
        last_four=f"{rng.randrange(1000, 10000)}",
        expires=last_month,
        security_code=f"{rng.randrange(100, 1000)}",
        failed_codes=0,
    )
    return key


def _cart(
    db: Database,
    rng: random.Random,
    index: int,
    customer: str,
    products: list[list[schema.Variant]],
    variants: list[list[schema.Variant]],
) -> None:
    """Nothing for a third; a planted price for some; something that was sold meanwhile for others."""
    if index % 3 == 2:
        return
    by_price = {each[0].price_cents: each[0] for each in variants if not each[0].colour}
    chosen = [rng.choice(products.pop()) for _ in range(rng.randrange(2, 5))]
    if index % 2:
        chosen = [by_price[_PLANTED[index // 6 * 2 + (index % 6 > 1)]]]
    for place, variant in enumerate(chosen):
        there = db.get_one(schema.Variant, variant.variant_id)
        short = index in (4, 10, 16) and place == 0
        if short or there.stock < 3:
            db.update(there, stock=1 if short else 3 + index % 5)
        quantity = 2 if short else rng.choice((1, 1, 1, 2)) if index % 2 == 0 else 1
        key = db.new_id(schema.CartItem)
        db.add(schema.CartItem, line_id=key, customer_id=customer, variant=variant, quantity=quantity)


def _saved(db: Database, rng: random.Random, customer: str, variant: schema.Variant, place: int) -> None:
    """One of a list of four has become cheaper."""
    then = variant.price_cents + (rng.choice((300, 500, 1_000)) if place % 4 == 0 else rng.choice((0, 0, -200)))
    key = db.new_id(schema.SavedItem)
    db.add(schema.SavedItem, saved_id=key, customer_id=customer, variant=variant, old_price_cents=then)


# --- what was bought ---


def _orders(rng: random.Random, index: int, plus: bool) -> list[tuple[str, int, int | None]]:
    """State, days since it was placed and days since it was delivered, the oldest order first."""
    edge = schema.RETURN_DAYS["plus" if plus else "basic"]
    late, last = edge + 1 + index % 2, edge - index // 2 % 2  # of some a day later, of some on the last day
    delivered = sorted({late, last, *rng.sample((5, 9, 15, 22, 38, 47, 55, 70, 95, 130), 4)}, reverse=True)
    found: list[tuple[str, int, int | None]] = [("delivered", ago + 3 + (ago + index) % 3, ago) for ago in delivered]
    found[-2] = ("returning", *found[-2][1:])
    found += [("cancelled", 12, None), ("shipped", 6 - index % 2, None)]
    return [*found, *(("placed", ago, None) for ago in ((2, 3) if index % 2 else (2,)))]


def _order(
    db: Database,
    rng: random.Random,
    me: schema.Customer,
    order: tuple[str, int, int | None],
    address: str,
    method: str,
    products: list[list[schema.Variant]],
) -> None:
    state, ago, delivered = order
    placed = _TODAY - timedelta(days=ago)
    lines = [(rng.choice(products.pop()), rng.choice((1, 1, 1, 2))) for _ in range(rng.choice((1, 2, 2, 3, 4)))]
    cents = sum(variant.price_cents * quantity for variant, quantity in lines)
    shipping = 0 if cents >= 5_000 else 595
    credit = rng.choice((0, 0, 0, 500))
    codes = [row.code for row in db.find(schema.Coupon) if row.category is None]
    key = db.new_id(schema.Order)
    db.add(
        schema.Order,
        order_id=key,
        customer=me,
        address_id=address,
        method_id=method,
        coupon_code=codes[0]
        if ago > 60 and state == "delivered" and not db.find(schema.Order, customer_id=me.customer_id)
        else None,
        state=state,
        placed_on=placed,
        speed="standard",
        arrives_on=placed + timedelta(days=6),
        delivered_on=None if delivered is None else _TODAY - timedelta(days=delivered),
        shipping_cents=shipping,
        credit_cents=credit,
        total_cents=cents + shipping,
        main_item=lines[0][0].name,
        items_count=len(lines),
        gift_note="",
        cancel_reason="changed_mind" if state == "cancelled" else None,
    )
    for number, (variant, quantity) in enumerate(lines, start=1):
        _line(db, key, number, variant, quantity, is_back=state == "returning" and number == 1)
    if delivered is not None and rng.random() < 0.5:
        _review(db, lines[0][0].product_id, me.customer_id, rng.choice((3, 4, 5)), rng.choice(PRAISED), delivered - 1)


def _line(db: Database, order: str, number: int, variant: schema.Variant, quantity: int, *, is_back: bool) -> None:
    product = db.get_one(schema.Product, variant.product_id)
    db.add(
        schema.OrderedItem,
        line_id=f"{order}-{number}",
        order_id=order,
        variant=variant,
        product=variant,
        name=variant.name,
        colour=variant.colour,
        size=variant.size,
        final_sale=product.final_sale,
        quantity=quantity,
        paid_cents=variant.price_cents * quantity,
        state="returning" if is_back else "bought",
        return_reason="damaged" if is_back else None,
        refund_to="original" if is_back else None,
        comment="",
    )


fill_unseen = partial(fill, seed=70232, first=2908, shop=UNSEEN)
"""Other people and things, in which the stored tasks of dev and test play."""
