"""What several goals draw."""

from __future__ import annotations

from toolgym.domains.people import FIRST_NAMES, LAST_NAMES
from toolgym.domains.retail_chain.schema import Associate, Hold, Store
from toolgym.sandbox.kit.goal import Draw, Slot


def own_store(draw: Draw) -> Store:
    """The store of whom the session serves."""
    me: Associate = draw.person
    return draw.database.get_one(Store, me.store_id)


def customer(draw: Draw) -> str:
    """A customer: now and then one who has holds already."""
    known = [row.customer for row in draw.rows(Hold)]
    if known and draw.rng.random() < 0.4:
        return draw.rng.choice(known)
    return f"{draw.rng.choice(FIRST_NAMES)} {draw.rng.choice(LAST_NAMES)}"


def digits(draw: Draw) -> str:
    """The last digits of that customer's phone."""
    known = [row.phone_last4 for row in draw.rows(Hold) if row.customer == draw.values["customer"]]
    return known[0] if known else f"{draw.rng.randrange(10_000):04d}"


SKU = Slot("sku", says=("I mean {}.", "It is {}."))
CUSTOMER = Slot("customer", draw=customer, says=("For {}.", "{}."))
DIGITS = Slot("phone_last4", withheld=0.5, draw=digits, says=("{}.", "The last four are {}."))
TRANSFER = Slot("transfer", says=("I mean {}.", "It is {}."))
