"""The retail world's rows: 500 customers, 50 product types, 600 variants, 1,000 orders, from one seeded generator."""

import itertools
import random
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial

from toolgym.domains import people
from toolgym.domains.retail import catalogue, schema
from toolgym.sandbox.kit.database import Database

NOW = datetime(2026, 3, 5, 15, 0)
USERS = 500
ORDERS = 1000
VARIANTS_PER_PRODUCT = 12
STATUSES = ("pending", "delivered", "processed", "cancelled")
STATUS_WEIGHTS = (43, 37, 10, 10)
BRANDS = ("visa", "mastercard", "amex")
REASONS = ("no longer needed", "ordered by mistake")


def fill(db: Database, seed: int = 20260301) -> None:
    """Write all rows, the same ones for the same seed."""
    rng = random.Random(seed)
    variants = _shop(db, rng)
    methods = _customers(db, rng)
    _orders(db, rng, variants, methods)


def _digits(rng: random.Random, length: int, taken: set[str], prefix: str = "") -> str:
    while True:
        text = prefix + str(rng.randrange(10 ** (length - 1), 10**length))
        if text not in taken:
            taken.add(text)
            return text


def _shop(db: Database, rng: random.Random) -> list[schema.Variant]:
    taken: set[str] = set()
    variants = []
    for name, options, low, high in catalogue.products():
        product_id = _digits(rng, 10, taken)
        db.insert(schema.Product, product_id=product_id, name=name)
        choices = list(itertools.product(*(values for _, values in options)))
        for position, choice in enumerate(sorted(rng.sample(choices, min(VARIANTS_PER_PRODUCT, len(choices))))):
            variants.append(
                db.insert(
                    schema.Variant,
                    item_id=_digits(rng, 10, taken),
                    product_id=product_id,
                    position=position,
                    options={option: value for (option, _), value in zip(options, choice, strict=True)},
                    available=rng.random() < 0.68,
                    price_cents=rng.randrange(low * 100, high * 100 + 1),
                )
            )
    return variants


def _address(db: Database, rng: random.Random, owner_id: str) -> None:
    city, state, prefix = rng.choice(people.CITIES)
    second = rng.choice(("", f"Apt {rng.randrange(1, 60)}", f"Suite {rng.randrange(100, 999)}"))
    db.insert(
        schema.Address,
        owner_id=owner_id,
        address1=f"{rng.randrange(10, 990)} {rng.choice(people.STREETS)}",
        address2=second,
        city=city,
        state=state,
        country="USA",
        zip=f"{prefix}{rng.randrange(100):02}",
    )


def _customers(db: Database, rng: random.Random) -> dict[str, list[schema.PaymentMethod]]:
    taken: set[str] = set()
    methods = {}
    pairs = [(first, last) for first in people.FIRST_NAMES for last in people.LAST_NAMES]
    for first, last in rng.sample(pairs, USERS):
        stem = f"{first}_{last}".lower()
        user_id = _digits(rng, 4, taken, f"{stem}_")
        email = f"{first}.{last}{rng.randrange(10, 9999)}@{rng.choice(people.MAIL_DOMAINS)}".lower()
        db.insert(schema.User, user_id=user_id, first_name=first, last_name=last, email=email)
        _address(db, rng, user_id)
        sources = rng.sample(("credit_card", "gift_card", "paypal", "credit_card"), rng.choice((1, 2, 2, 3)))
        methods[user_id] = [_method(db, rng, taken, user_id, index, kind) for index, kind in enumerate(sources)]
    return methods


def _method(
    db: Database, rng: random.Random, taken: set[str], user_id: str, position: int, source: str
) -> schema.PaymentMethod:
    card = source == "credit_card"
    return db.insert(
        schema.PaymentMethod,
        payment_method_id=_digits(rng, 7, taken, f"{source}_"),
        user_id=user_id,
        position=position,
        source=source,
        brand=rng.choice(BRANDS) if card else None,
        last_four=f"{rng.randrange(10000):04}" if card else None,
        balance_cents=rng.randrange(0, 30001) if source == "gift_card" else None,
    )


def _orders(
    db: Database,
    rng: random.Random,
    variants: Sequence[schema.Variant],
    methods: Mapping[str, Sequence[schema.PaymentMethod]],
) -> None:
    taken: set[str] = set()
    placed = dict.fromkeys(methods, 0)
    owners = rng.choices(list(methods), k=ORDERS)
    for user_id in owners:
        order_id = _digits(rng, 7, taken, "#W")
        status = rng.choices(STATUSES, STATUS_WEIGHTS)[0]
        method = rng.choice(methods[user_id])
        db.insert(
            schema.Order,
            order_id=order_id,
            user_id=user_id,
            position=placed[user_id],
            status=status,
            cancel_reason=rng.choice(REASONS) if status == "cancelled" else None,
        )
        placed[user_id] += 1
        _ship_to(db, rng, order_id, user_id)
        items = rng.sample(variants, rng.choices((1, 2, 3, 4, 5), (20, 25, 25, 18, 12))[0])
        if rng.random() < 0.02:
            items.append(items[0])  # two pieces of the same item
        _contents(db, rng, order_id, status, items, method)


def _ship_to(db: Database, rng: random.Random, order_id: str, user_id: str) -> None:
    if rng.random() < 0.2:
        _address(db, rng, order_id)
        return
    home = db.get_one(schema.Address, user_id)
    lines = {name: getattr(home, name) for name in ("address1", "address2", "city", "state", "country", "zip")}
    db.insert(schema.Address, owner_id=order_id, **lines)


def _contents(
    db: Database,
    rng: random.Random,
    order_id: str,
    status: str,
    items: Sequence[schema.Variant],
    method: schema.PaymentMethod,
) -> None:
    total = 0
    for position, variant in enumerate(items):
        price = variant.price_cents * rng.choice((100, 100, 100, 95, 103)) // 100  # prices have moved since
        db.add(schema.OrderItem, order_id=order_id, position=position, item=variant, price_cents=price)
        total += price
    history = ("payment", "refund") if status == "cancelled" else ("payment",)
    for position, kind in enumerate(history):
        db.add(
            schema.Payment,
            order_id=order_id,
            position=position,
            transaction_type=kind,
            amount_cents=total,
            payment_method=method,
        )
    if status in {"processed", "delivered"}:
        tracking = [str(rng.randrange(10**11, 10**12))]
        ids = [variant.item_id for variant in items]
        db.insert(schema.Fulfillment, order_id=order_id, position=0, tracking_ids=tracking, item_ids=ids)


fill_unseen = partial(fill, seed=20260302)
"""Other people and things, in which the stored tasks of dev and test play."""
