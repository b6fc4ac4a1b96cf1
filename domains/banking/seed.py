"""The bank's rows: 24 customers with accounts, cards, payees and transactions, edges on both sides."""

import random
from datetime import date, datetime, timedelta
from functools import partial

from toolgym.domains.banking.schema import Account, Card, Customer, Payee, Payment, StandingOrder, Transaction
from toolgym.domains.people import FIRST_NAMES, LAST_NAMES
from toolgym.sandbox.kit.database import Database

NOW = datetime(2026, 3, 13, 16, 20)
CLOCKS = (
    datetime(2026, 3, 12, 10, 5),
    datetime(2026, 3, 12, 16, 59),
    datetime(2026, 3, 12, 17, 0),
    datetime(2026, 3, 14, 11, 30),
)
"""Other moments: a morning, the last minute before the cut-off, the first after it, a Saturday."""

_NICKNAMES = {
    "checking": ("Everyday", "Household", "Joint", "Bills"),
    "savings": ("Savings", "Holiday fund", "Rainy day", "House deposit"),
    "credit": ("Credit line", "Travel credit"),
}
_SHOPS = {
    "Bell Market": (1_200, 14_000), "Corner Bakery": (350, 2_400), "Pine Street Garage": (1_500, 42_000),
    "Lumen Energy": (5_500, 16_000), "Northside Gym": (2_900, 5_900), "Petal & Stem": (1_800, 9_500),
    "Harbor Books": (900, 7_500), "Cafe Aurora": (400, 3_100), "Metro Transit": (275, 8_800),
    "Olive Table": (1_900, 12_500), "Kite Mobile": (2_500, 6_900), "Willow Pharmacy": (600, 6_400),
    "Summit Outdoor": (2_200, 31_000), "Fern Hardware": (800, 15_500), "Atlas Cinema": (1_100, 4_600),
}  # fmt: skip
_COMPANIES = ("Ridgeway Rentals", "Bluebird Daycare", "Stonebridge Insurance", "Clearwater Plumbing", "Maple Catering")
_BANKS = ("HRBR", "FNTR", "COVE", "PLSD", "OAKS")
_FOR = ("rent", "lessons", "concert tickets", "shared dinner", "invoice", "")


def fill(db: Database, seed: int = 4071, first: int = 4001) -> None:
    """Write the rows, the same ones for the same seed; customers' numbers begin at `first`."""
    rng = random.Random(seed)
    people = rng.sample([(first, last) for first in FIRST_NAMES for last in LAST_NAMES], 24)
    for index, (name, last) in enumerate(people):
        _customer(db, rng, index, first + index, f"{name} {last}")


def _customer(db: Database, rng: random.Random, index: int, number: int, name: str) -> None:
    limit = rng.choice((250_000, 500_000, 500_000, 800_000))
    customer = db.insert(
        Customer,
        customer_id=f"C-{number}",
        name=name,
        email=f"{name.lower().replace(' ', '.')}@post.example",
        phone=f"555-01{index:02d}",
        pin=f"{rng.randrange(10_000):04d}",
        daily_limit_cents=limit,
        failed_pins=0,
        pin_verified=False,
    )
    accounts = [
        _account(db, rng, customer, kind) for kind in ("checking", "checking", "savings", "credit")[: 3 + index % 2]
    ]
    if index % 3 == 0:  # two accounts of one name: one more question tells them apart
        accounts.append(_account(db, rng, customer, "savings", nickname=accounts[2].nickname))
    if index % 4 == 1:
        accounts.append(_account(db, rng, customer, "savings", status="dormant"))
    payees = _payees(db, rng, customer)
    spending = [account for account in accounts if account.kind != "savings"]
    for number, account in enumerate(spending):
        cards = [
            _card(db, rng, account, state)
            for state in (("active", "frozen", "blocked")[(index + number) % 3], "active")
        ]
        _transactions(db, rng, account, cards)
    _outgoing(db, rng, accounts[0], payees)


def _account(
    db: Database,
    rng: random.Random,
    customer: Customer,
    kind: str,
    *,
    nickname: str | None = None,
    status: str = "open",
) -> Account:
    used = {account.nickname for account in db.find(Account, customer_id=customer.customer_id)}
    name = nickname or rng.choice([word for word in _NICKNAMES[kind] if word not in used])
    overdraft = rng.choice((0, 50_000)) if kind == "checking" else 0
    balance = rng.randrange(20_000, 900_000)
    return db.add(
        Account,
        customer=customer,
        nickname=name,
        kind=kind,
        iban=_iban(rng, "HRBR"),
        balance_cents=balance,
        available_cents=balance + overdraft,
        overdraft_cents=overdraft,
        status=status,
    )


def _payees(db: Database, rng: random.Random, customer: Customer) -> list[Payee]:
    first = rng.sample(FIRST_NAMES, 5)
    names = [*(f"{name} {rng.choice(LAST_NAMES)}" for name in first), *rng.sample(_COMPANIES, 2)]
    # the last one is added so lately that the rule on new payees has both sides at every clock
    ages = [timedelta(days=rng.randrange(20, 700)) for _ in names[:-2]] + [timedelta(hours=24), timedelta(hours=3)]
    added = []
    for name, age in zip(names, ages, strict=True):
        moment = (NOW - age).replace(second=0, microsecond=0)
        bank = rng.choice(_BANKS)
        added.append(db.add(Payee, customer=customer, name=name, iban=_iban(rng, bank), bank=bank, added_at=moment))
    return added


def _card(db: Database, rng: random.Random, account: Account, state: str) -> Card:
    kind = "credit" if account.kind == "credit" else "debit"
    digits = f"{rng.randrange(1000, 9999)}"
    return db.add(Card, account=account, last_four=digits, kind=kind, state=state)


def _transactions(db: Database, rng: random.Random, account: Account, cards: list[Card]) -> None:
    today = NOW.date()
    # the dispute window ends after 60 days: some at the last allowed and some at the first refused day of each clock
    days = [57, 58, 59, 60, 61, 62, 63, *(rng.randrange(0, 120) for _ in range(43))]
    for age in sorted(days, reverse=True):
        shop = rng.choice(list(_SHOPS))
        low, high = _SHOPS[shop]
        _transaction(db, rng, account, cards, shop, -rng.randrange(low, high), today - timedelta(days=age))


def _transaction(
    db: Database, rng: random.Random, account: Account, cards: list[Card], shop: str, amount: int, day: date
) -> None:
    db.add(
        Transaction,
        account=account,
        card_id=rng.choice(cards).card_id,
        booked_on=day,
        amount_cents=amount,
        merchant=shop,
        counterparty_iban=_iban(random.Random(shop), "SHOP"),
        status="pending" if day == NOW.date() else "booked",
        reference=f"card payment {shop}",
    )


def _outgoing(db: Database, rng: random.Random, account: Account, payees: list[Payee]) -> None:
    today = NOW.date()
    for payee in payees[:4]:
        db.add(
            Payment,
            account=account,
            payee=payee,
            amount_cents=rng.randrange(20, 900) * 100,
            execute_on=today + timedelta(days=rng.randrange(2, 30)),
            made_on=today - timedelta(days=rng.randrange(3, 20)),
            state="scheduled",
            reference=rng.choice(_FOR),
        )
    for payee in payees[2:4]:
        db.add(
            StandingOrder,
            account=account,
            payee=payee,
            amount_cents=rng.randrange(10, 200) * 100,
            every=rng.choice(("week", "month")),
            next_on=today + timedelta(days=rng.randrange(2, 28)),
            last_on=None,
        )


def _iban(rng: random.Random, bank: str) -> str:
    return f"GB{rng.randrange(10, 99)}{bank}{rng.randrange(10**13, 10**14)}"


fill_unseen = partial(fill, seed=4072, first=5001)
"""Other people and things, in which the stored tasks of dev and test play."""
