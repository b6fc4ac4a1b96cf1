"""The telecom world's own rows: 5 plans, 300 customers with their lines, devices and bills, and one phone.

One seeded generator; the bytes are the same everywhere. Whose the phone is, a task's set-up says.
"""

import random
from dataclasses import asdict, dataclass
from datetime import date, datetime, timedelta
from functools import cache, partial
from typing import Any

from toolgym.domains.people import CITIES, FIRST_NAMES, LAST_NAMES, STREETS
from toolgym.domains.telecom import schema
from toolgym.domains.telecom.phone import DEFAULT_APN
from toolgym.sandbox.kit.database import Database

CUSTOMERS = 300
NOW = datetime(2025, 2, 25, 12, 8)
TODAY = NOW.date()
_AREAS = (201, 212, 303, 312, 404, 415, 503, 512, 602, 617, 702, 713)
_MODELS = ("Aria 5", "Aria 6 Pro", "Borealis X", "Cobalt One", "Delta Fold", "Ember 12", "Fjord Mini", "Halo 7")
_COVERAGE = {"2G": "poor", "3G": "fair", "4G": "good", "5G": "excellent"}


@dataclass(frozen=True)
class Tariff:
    """A plan: its id, name, data limit in gigabytes, price and price per added gigabyte in cents."""

    plan_id: str
    name: str
    data_limit_gb: float
    price_cents: int
    refuel_cents_per_gb: int


TARIFFS = (
    Tariff("P2001", "Pocket", 3.0, 1800, 600),
    Tariff("P2002", "Everyday", 10.0, 3200, 450),
    Tariff("P2003", "Roomy", 25.0, 4900, 300),
    Tariff("P2004", "Household", 60.0, 8900, 250),
    Tariff("P2005", "Endless", 500.0, 7400, 50),
)
_BY_ID = {tariff.plan_id: tariff for tariff in TARIFFS}


@dataclass(frozen=True)
class LineRecord:
    """A line as drawn."""

    line_id: str
    device_id: str
    phone_number: str
    plan_id: str
    status: str
    data_used_gb: float
    roaming_enabled: bool
    contract_end_date: str


@dataclass(frozen=True)
class Person:
    """A customer as drawn, with the lines."""

    customer_id: str
    full_name: str
    date_of_birth: str
    email: str
    address: tuple[str, str, str, str]
    lines: tuple[LineRecord, ...]


@cache
def people(of: str = "telecom") -> tuple[Person, ...]:
    """The customers, the same ones for the same seed."""
    rng = random.Random(f"{of} people")
    numbers = [f"{area}-555-0{number}" for area in _AREAS for number in range(100, 200)]
    rng.shuffle(numbers)
    names = rng.sample([f"{first} {last}" for first in FIRST_NAMES for last in LAST_NAMES], CUSTOMERS)
    ids = rng.sample(range(10_000, 99_999), CUSTOMERS)
    return tuple(_person(rng, name, number, numbers) for name, number in zip(names, ids, strict=True))


def _person(rng: random.Random, name: str, number: int, numbers: list[str]) -> Person:
    city, state, prefix = rng.choice(CITIES)
    street = f"{rng.randint(1, 999)} {rng.choice(STREETS)}"
    count = rng.choices((1, 2, 3), (5, 3, 2))[0]
    return Person(
        customer_id=f"C{number}",
        full_name=name,
        date_of_birth=date(rng.randint(1945, 2005), rng.randint(1, 12), rng.randint(1, 28)).isoformat(),
        email=f"{name.lower().replace(' ', '.')}{number % 100}@example.com",
        address=(street, city, state, f"{prefix}{rng.randint(0, 99):02}"),
        lines=tuple(_line(rng, f"{number}{index}", numbers.pop(), first=index == 1) for index in range(1, count + 1)),
    )


def _line(rng: random.Random, number: str, phone_number: str, *, first: bool) -> LineRecord:
    tariff = rng.choices(TARIFFS, (2, 4, 4, 1, 3))[0]
    status = "Active" if first else rng.choices(("Active", "Suspended", "Pending Activation"), (8, 1, 1))[0]
    return LineRecord(
        line_id=f"L{number}",
        device_id=f"D{number}",
        phone_number=phone_number,
        plan_id=tariff.plan_id,
        status=status,
        data_used_gb=round(rng.uniform(0.1, 0.9) * tariff.data_limit_gb, 1) if status == "Active" else 0.0,
        roaming_enabled=rng.random() < 0.5,
        contract_end_date=(TODAY + timedelta(days=rng.randint(60, 900))).isoformat(),
    )


# --- rows ---


def fill(db: Database, of: str = "telecom") -> None:
    """Write the rows, the same ones for the same seed."""
    rng = random.Random(f"{of} rows")
    for tariff in TARIFFS:
        db.insert(schema.Plan, **asdict(tariff))
    for position, person in enumerate(people(of)):
        _insert_person(db, rng, person, position)
    _insert_phone(db)


def _insert_person(db: Database, rng: random.Random, person: Person, position: int) -> None:
    db.insert(
        schema.Customer,
        position=position,
        phone_number=person.lines[0].phone_number,
        account_status="Active",
        created_at=f"{date(rng.randint(2015, 2024), rng.randint(1, 12), rng.randint(1, 28))}T10:00:00",
        goodwill_cents=rng.choice((0, 0, 0, 1000, 2500)),
        **_fields(person, "address", "lines"),
        **dict(zip(("street", "city", "state", "zip_code"), person.address, strict=True)),
    )
    db.add(
        schema.PaymentMethod,
        customer=person,
        position=0,
        method_type=rng.choice(("Credit Card", "Debit Card", "PayPal")),
        last_four=f"{rng.randint(0, 9999):04}",
        expiration_date=f"{rng.randint(1, 12):02}/{rng.randint(2026, 2030)}",
    )
    for index, line in enumerate(person.lines):
        _insert_line(db, rng, person, line, index)
    for index, (start, status) in enumerate(((date(2024, 12, 1), "Paid"), (date(2025, 2, 1), _february(rng)))):
        _insert_bill(db, person, start, status, index)


def _fields(record: Person | LineRecord, *without: str) -> dict[str, Any]:
    return {name: value for name, value in vars(record).items() if name not in without}


def _february(rng: random.Random) -> str:
    return rng.choices(("Issued", "Paid"), (3, 2))[0]


def _insert_line(db: Database, rng: random.Random, person: Person, line: LineRecord, index: int) -> None:
    db.insert(
        schema.Device,
        device_id=line.device_id,
        device_type="phone",
        model_name=rng.choice(_MODELS),
        imei=f"{rng.randint(10**14, 10**15 - 1)}",
        is_esim_capable=rng.random() < 0.7,
        activated=line.status != "Pending Activation",
        activation_date=f"2024-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}T12:00:00",
    )
    db.add(
        schema.Line,
        customer=person,
        position=index,
        data_refueling_gb=0.0,
        **_fields(line),
        last_plan_change_date=f"2024-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}",
        suspension_start_date="2025-02-10" if line.status == "Suspended" else None,
    )


def _insert_bill(db: Database, person: Person, start: date, status: str, index: int) -> None:
    charged = [line for line in person.lines if line.status != "Pending Activation"]
    bill_id = f"B{person.customer_id[1:]}{start.month:02}"
    end = (start + timedelta(days=32)).replace(day=1) - timedelta(days=1)
    db.add(
        schema.Bill,
        bill_id=bill_id,
        customer=person,
        position=index,
        period_start=start.isoformat(),
        period_end=end.isoformat(),
        issue_date=(start + timedelta(days=4)).isoformat(),
        due_date=(start + timedelta(days=32)).isoformat(),
        total_cents=sum(_BY_ID[line.plan_id].price_cents for line in charged),
        status=status,
    )
    for position, line in enumerate(charged):
        plan = _BY_ID[line.plan_id]
        db.insert(
            schema.BillItem,
            bill_id=bill_id,
            position=position,
            description=f"{plan.name}, line {line.phone_number}",
            amount_cents=plan.price_cents,
            date=start.isoformat(),
            item_type="Plan Charge",
        )


def _insert_phone(db: Database) -> None:
    db.insert(
        schema.Phone,
        phone_id=schema.PHONE,
        abroad=False,
        battery=80,
        sim="active",
        sim_seated=True,
        airplane_mode=False,
        network_status="connected",
        network_type="5G",
        signal="excellent",
        network_mode="4g_5g_preferred",
        data_on=True,
        roaming_on=False,
        data_saver=False,
        **DEFAULT_APN,
        wifi_on=False,
        wifi_signal="none",
        wifi_calling=False,
        mms_over_wifi=False,
        vpn_on=False,
        vpn_connected=False,
    )
    db.insert(schema.App, app_name="messaging", position=0, sms=True, storage=True, phone=True, network=False)
    db.insert(schema.App, app_name="browser", position=1, sms=False, storage=True, phone=False, network=True)
    for technology, signal in _COVERAGE.items():
        db.insert(schema.Coverage, technology=technology, signal=signal)


fill_unseen = partial(fill, of="telecom, unseen")
"""Other people and things, in which the stored tasks of dev and test play."""
