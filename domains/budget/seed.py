"""The diaries' rows: 24 households with their categories, limits, expenses and what comes back every month."""

import random
from calendar import monthrange
from datetime import date, datetime, timedelta
from functools import partial

from toolgym.domains.budget.schema import Bill, Category, Expense, Household, Income, Limit, MonthState
from toolgym.domains.people import FIRST_NAMES, LAST_NAMES
from toolgym.sandbox.kit.database import Database

NOW = datetime(2026, 3, 13, 16, 20)
CLOCKS = (datetime(2026, 3, 2, 9, 10), datetime(2026, 3, 31, 21, 45), datetime(2026, 4, 1, 8, 30))
"""Other moments: early in the month, its last evening, the first morning of the next."""
MONTHS = [f"{2025 + month // 12}-{month % 12 + 1:02d}" for month in range(6, 18)]  # July 2025 to June 2026

_SHOPS = {
    "groceries": ("flexible", 60_000, ("Bell Market", "Corner Bakery", "Green Basket", "Harvest Hall"), (700, 14_000)),
    "eating out": ("flexible", 25_000, ("Olive Table", "Cafe Aurora", "Noodle Bar", "Pier Grill"), (900, 9_500)),
    "clothes": ("flexible", 18_000, ("Linen & Loom", "Kite Shoes", "Second Sleeve"), (1_500, 16_000)),
    "health": ("flexible", 15_000, ("Willow Pharmacy", "Dr. Osei, dentist", "Northside Gym"), (600, 12_000)),
    "house": ("flexible", 22_000, ("Fern Hardware", "Garden Centre Ash", "Brightway Repairs"), (900, 24_000)),
    "petrol": ("fixed", 20_000, ("Pine Street Fuel", "Ring Road Fuel"), (2_800, 7_900)),
    "travel": ("flexible", 30_000, ("Metro Transit", "Coastline Rail", "Summit Outdoor"), (275, 21_000)),
    "leisure": ("flexible", 16_000, ("Harbor Books", "Atlas Cinema", "Petal & Stem"), (500, 9_000)),
    "utilities": ("fixed", 32_000, ("Lumen Energy", "City Water", "Kite Mobile"), (2_500, 14_000)),
    "insurance": ("fixed", 24_000, ("Stonebridge Insurance",), (6_000, 11_000)),
    "holiday fund": ("saving", 20_000, ("Coastal Savings",), (5_000, 15_000)),
    "unknown": ("flexible", 5_000, ("Card payment", "Cash machine"), (1_000, 9_000)),
}  # fmt: skip
_MONTHLY = {
    "leisure": ("Starlight Streaming", "Chess Weekly"), "utilities": ("Lumen Energy", "Kite Mobile"),
    "insurance": ("Stonebridge Insurance",), "health": ("Northside Gym",), "travel": ("Metro Transit",),
    "groceries": ("Vegetable box",), "holiday fund": ("Coastal Savings",),
}  # fmt: skip


def fill(db: Database, seed: int = 90233, first: int = 12) -> None:
    """Write the rows.

    Args:
        db: the empty tables.
        seed: other households with another one.
        first: the number of the first household.
    """
    rng = random.Random(seed)
    people = rng.sample([(first, last) for first in FIRST_NAMES for last in LAST_NAMES], 24)
    for index, name in enumerate(people):
        _household(db, rng, index, f"HH-{first + index}", " ".join(name))


def _household(db: Database, rng: random.Random, index: int, key: str, name: str) -> None:
    me = db.insert(Household, household_id=key, name=name, currency="USD")
    # some have closed February already, some are behind since December: days far back have both sides then
    first_open = {2: "2025-12", 3: "2026-03"}.get(index % 4, "2026-02")
    for month in MONTHS:
        closed = month < first_open
        state = "closed" if closed else "open"
        db.add(MonthState, month_id=f"{me.household_id}/{month}", household=me, month=month, state=state)
        for source in ("salary", "second job")[: 1 + index % 2]:
            cents = rng.randrange(120_000, 420_000)
            _income(db, me, month, cents, source)
    left_out = rng.sample([name for name in _SHOPS if name not in ("unknown", "groceries", "petrol")], 1)
    for category in [each for each in _SHOPS if each not in left_out]:
        _category(db, rng, me, category, index)


def _income(db: Database, me: Household, month: str, cents: int, source: str) -> None:
    key = db.new_id(Income)
    db.add(Income, income_id=key, household=me, month=month, amount_cents=cents, source=source)


def _category(db: Database, rng: random.Random, me: Household, name: str, index: int) -> None:
    kind, usual, *_ = _SHOPS[name]
    row = db.add(Category, household=me, name=name, kind=kind)
    limit = usual + rng.randrange(-40, 51) * 100
    for month in MONTHS[:-1]:
        spent = _expenses(db, rng, row, month, index) if month <= "2026-03" else 0
        # a fixed category is over its limit in February of some households, which therefore cannot be closed yet
        floor = -1_500 if month == "2026-02" and name == "petrol" and index % 4 == 1 else 2_000
        held = max(limit, spent + floor) if kind == "fixed" and floor > 0 else (spent + floor if floor < 0 else limit)
        key = f"{row.category_id}/{month}"
        db.add(Limit, limit_id=key, category=row, month=month, limit_cents=held, carried_cents=0, spent_cents=spent)
    for payee in _MONTHLY.get(name, ()):
        _recurring(db, rng, row, payee)


def _expenses(db: Database, rng: random.Random, row: Category, month: str, index: int) -> int:
    """A month's expenses of a category; how much they come to."""
    *_, shops, (low, high) = _SHOPS[row.name]
    year, number = int(month[:4]), int(month[5:])
    days = 13 if month == "2026-03" else monthrange(year, number)[1]
    count = rng.randrange(1, 4)
    if row.name == "unknown":  # some Februaries have all in its place
        count = 0 if month == "2026-02" and index % 2 == 0 else 1
    total = 0
    for _ in range(count):
        cents = rng.randrange(low, high)
        on = date(year, number, rng.randrange(1, days + 1))
        _expense(db, row, cents, on, rng.choice(shops))
        total += cents
    return total


def _expense(db: Database, row: Category, cents: int, on: date, payee: str) -> None:
    key = db.new_id(Expense)
    db.add(Expense, expense_id=key, category=row, amount_cents=cents, on=on, payee=payee, note="")


def _recurring(db: Database, rng: random.Random, row: Category, payee: str) -> None:
    cents, day = rng.randrange(8, 120) * 100 - 1, NOW.date() + timedelta(days=rng.randrange(2, 40))
    every = rng.choice(("week", "month", "month", "month"))
    key = db.new_id(Bill)
    values = {"amount_cents": cents, "every": every, "next_on": day, "paused": rng.random() < 0.2}
    db.add(Bill, bill_id=key, category=row, payee=payee, **values)


fill_unseen = partial(fill, seed=90234, first=112)
"""Other people and things, in which the stored tasks of dev and test play."""
