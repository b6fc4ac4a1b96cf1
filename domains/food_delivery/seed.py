"""The rows: 24 customers with baskets and orders, 90 restaurants with their menus; both sides of every rule."""

import random
from datetime import datetime, timedelta
from functools import partial

from toolgym.domains.food_delivery.schema import (
    Address,
    BasketLine,
    Customer,
    Dish,
    Option,
    Order,
    OrderLine,
    Promo,
    Restaurant,
    Wallet,
)
from toolgym.domains.people import FIRST_NAMES, LAST_NAMES, STREETS
from toolgym.sandbox.kit.database import Database

NOW = datetime(2026, 3, 13, 16, 20)
ZONES = ("north", "harbour", "centre", "park", "hill", "south")
CUISINES = {
    "italian": ("Margherita", "Lasagne", "Tomato bruschetta", "Carbonara", "Minestrone", "Tiramisu"),
    "thai": ("Green curry", "Spring rolls", "Pad thai", "Papaya salad", "Coconut soup", "Mango rice"),
    "indian": ("Lentil curry", "Samosas", "Butter chicken", "Spinach paneer", "Garlic naan", "Mango lassi"),
    "japanese": ("Salmon maki", "Miso soup", "Tofu ramen", "Gyoza", "Seaweed salad", "Mochi"),
    "mexican": ("Bean burrito", "Chicken tacos", "Guacamole", "Quesadilla", "Corn soup", "Churros"),
    "greek": ("Falafel plate", "Moussaka", "Greek salad", "Gyros", "Lemon soup", "Baklava"),
}
_NAMES = "Lotus Olive Lantern Pepper Garden River Mill Anchor Saffron Maple Cedar Harbour Comet Willow Basil".split()
_PLACES = ("Kitchen", "House", "Corner", "Table", "Room", "Grill")
_VEGAN = (
    "Tomato bruschetta, Minestrone, Papaya salad, Lentil curry, Samosas, Seaweed salad, Tofu ramen, Bean burrito, "
    "Guacamole, Corn soup, Falafel plate, Lemon soup, Coconut soup, Mango rice"
).split(", ")
_ALLERGENS = ("nuts", "gluten", "milk", "egg", "fish")
_HOURS = (("11:00", "22:00"), ("10:30", "23:00"), ("12:00", "16:40"), ("12:00", "16:39"), ("17:00", "23:30"),
          ("11:30", "21:00"))  # fmt: skip
_LIFE = ("placed", "cooking", "on_the_way", "delivered", "delivered", "delivered", "delivered", "cancelled")
_AGO, _DELAY = (30, 60, 119, 120, 121, 400), (-5, 0, 10, 14, 15, 25)
"""Minutes since a delivery, and by how much it was late: both sides of what may be complained about."""


def fill(db: Database, seed: int = 55107, first: int = 101) -> None:
    """Write the rows.

    Args:
        db: the empty tables.
        seed: other customers, menus and orders with another one.
        first: the number of the first customer.
    """
    rng = random.Random(seed)
    for number, code in enumerate(("TASTY10", "SPRING15", "FEAST20", "WINTER25", "FRIDAY12", "HELLO30")):
        until = NOW.date() + timedelta(days=(9, 0, 30, -1, 5, -20)[number])
        percent, least = int(code[-2:]), (1500, 2000, 4000, 1000, 2500, 1500)[number]
        db.insert(Promo, code=code, percent=percent, min_cents=least, until=until)
    menus = [_restaurant(db, rng, number) for number in range(90)]
    people = rng.sample([f"{given} {family}" for given in FIRST_NAMES for family in LAST_NAMES], 24)
    for number, name in enumerate(people):
        _customer(db, rng, menus, name, number, f"FC-{first + number}")


def _restaurant(db: Database, rng: random.Random, number: int) -> tuple[Restaurant, list[Dish]]:
    cuisine = list(CUISINES)[number % 6]
    name = f"{_NAMES[number % 15]} {_PLACES[number // 15]}" if number < 88 else f"{_NAMES[0]} {_PLACES[number - 88]}"
    opens, closes = _HOURS[rng.choice((0, 0, 1, 1, 2, 3, 4, 5))]
    place = db.add(
        Restaurant,
        name=name,
        cuisine=cuisine,
        zones=" ".join(sorted(rng.sample(ZONES, 3))),
        opens=opens,
        closes=closes,
        min_cents=rng.choice((1000, 1500, 2000, 2500)),
        fee_cents=150 + 10 * rng.randrange(40),
        minutes=rng.randrange(20, 65),
        rating=rng.randrange(30, 50) / 10,
    )
    dishes = []
    for place_in, dish in enumerate(CUISINES[cuisine]):
        for size in ("", "Large "):
            made = db.add(
                Dish,
                restaurant=place,
                dish_name=f"{size}{dish.lower()}" if size else dish,
                section="starters" if place_in in (2, 4) else "desserts" if place_in == 5 else "mains",
                price_cents=rng.randrange(40, 150) * 10 + (300 if size else 0),
                allergens=" ".join(sorted(rng.sample(_ALLERGENS, rng.choice((0, 1, 1, 2))))),
                vegan=dish in _VEGAN,
                sold_out=rng.random() < 0.12,
            )
            dishes.append(made)
            for extra in rng.sample(("extra sauce", "rice", "chilli", "lemon"), rng.randrange(3)):
                db.add(Option, dish=made, name=extra, price_cents=rng.randrange(5, 20) * 10)
    return place, dishes


def _customer(
    db: Database, rng: random.Random, menus: list[tuple[Restaurant, list[Dish]]], name: str, number: int, key: str
) -> None:
    allergies = " ".join(rng.sample(_ALLERGENS, number % 3))
    credit, member = 250 * (number % 5), number % 4 == 1
    me = db.insert(
        Customer, customer_id=key, name=name, member=member, credit_cents=credit, allergies=allergies, promo=None
    )
    zones = rng.sample(ZONES, 3)
    homes = []
    for label, zone in zip(("flat", "office", "parents' house"), zones, strict=True):
        street = f"{rng.randrange(2, 180)} {rng.choice(STREETS)}"
        homes.append(db.add(Address, customer=me, label=label, street=street, zone=zone))
    ways = []
    for kind in ("card", "wallet", "card")[: 2 + number % 2]:
        digits, code = f"{rng.randrange(10_000):04d}", f"{rng.randrange(1_000):03d}"
        ways.append(db.add(Wallet, customer=me, kind=kind, last_four=digits, code=code))
    if number % 4 != 3:
        near = [each for each in menus if zones[number % 2] in each[0].zones.split()]
        _, dishes = rng.choice(near)
        for dish in rng.sample([row for row in dishes if not row.sold_out], 1 + number % 3):
            more = {"each_cents": dish.price_cents, "extras": "", "request": ""}
            db.add(BasketLine, customer=me, dish=dish, quantity=rng.choice((1, 1, 2, 3)), **more)
    for past in range(11):
        _order(db, rng, me, rng.choice(menus), rng.choice(homes), rng.choice(ways), past + number)


def _order(
    db: Database,
    rng: random.Random,
    me: Customer,
    menu: tuple[Restaurant, list[Dish]],
    home: Address,
    way: Wallet,
    number: int,
) -> None:
    place, dishes = menu
    state = _LIFE[number % len(_LIFE)]
    arrived = NOW - timedelta(minutes=rng.choice(_AGO) if number % 3 else rng.randrange(1, 20) * 1440 + 100)
    due = arrived - timedelta(minutes=rng.choice(_DELAY))
    if state in ("placed", "cooking", "on_the_way"):
        due = NOW + timedelta(minutes={"placed": 45, "cooking": 25, "on_the_way": 8}[state] + number)
    chosen = [(dish, rng.choice((1, 1, 2))) for dish in rng.sample(dishes, rng.choice((1, 2, 3)))]
    made = db.add(
        Order,
        customer=me,
        restaurant=place,
        address=home,
        method=way,
        state=state,
        placed_at=due - timedelta(minutes=place.minutes + 5),
        due_at=due,
        arrived_at=arrived if state == "delivered" else None,
        total_cents=sum(dish.price_cents * count for dish, count in chosen) + place.fee_cents,
        tip_cents=0,
        courier=rng.choice(FIRST_NAMES) if state in ("on_the_way", "delivered") else None,
        note="",
        food_stars=None,
        courier_stars=None,
    )
    for dish, count in chosen:
        db.add(OrderLine, order=made, dish=dish, quantity=count, price_cents=dish.price_cents * count)


fill_unseen = partial(fill, seed=55108, first=201)
"""Other customers, menus and orders, in which the stored tasks of dev and test play."""
