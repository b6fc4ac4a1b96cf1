"""The people of Larkfield and of its clients, and how far apart their clocks are: common to the office worlds.

160 people, known by their e-mail addresses. Planted: 6 first names that two or three colleagues bear, 2 full names
borne by two, 3 addresses unlike the name, one person with the address of a former company, 9 colleagues in other zones.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from functools import cache

from sqlalchemy.orm import DeclarativeBase, Mapped

from toolgym.domains.people import FIRST_NAMES, LAST_NAMES
from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.table import key

HOME = "America/New_York"
_ZONES = {"Boston": HOME, "Austin": "America/Chicago", "London": "Europe/London", "Singapore": "Asia/Singapore"}
_ABROAD = ("London", "Austin", "London", "Singapore", "London", "Austin", "Singapore", "London", "Austin")
"""Where the last colleague of each team works; all others work in Boston."""
_TEAMS = (
    ("Platform", "Engineering", "engineer"), ("Data", "Engineering", "data analyst"), ("Design", "Product", "designer"),
    ("Research", "Product", "researcher"), ("Enterprise", "Sales", "account manager"),
    ("Partners", "Sales", "partner manager"), ("Finance", "Operations", "controller"),
    ("Talent", "Operations", "recruiter"), ("Brand", "Marketing", "editor"),
)  # fmt: skip
SEED, UNSEEN = 160, 161
"""Of the usual people, and of those whom no training task knows."""
_PLACES = (0, 3, 5, 8, 11, 15, 18, 24, 26, 31, 32, 38, 45, 58)
_PLANTED = {
    SEED: (
        "Mira Tan", "Samira Das", "Leon Weber", "Hugo Keller", "Priya Desai", "Clara Novak", "Hugo Lindqvist",
        "Priya Kapoor", "Victor Mendez", "Clara Novak", "Hugo Osei", "Samira Haddad", "Leon Weber", "Victor Olsen",
    ),
    UNSEEN: (
        "Nora Lund", "Eleonora Diaz", "Theo Fischer", "Marcus Klein", "Selma Ortega", "Julian Petrov", "Marcus Greene",
        "Selma Khan", "Rafael Torres", "Julian Petrov", "Marcus Adeyemi", "Eleonora Walsh", "Theo Fischer",
        "Rafael Quinn",
    ),
}  # fmt: skip
_OLD_NAMES = {10: "Ramos", 22: "Holt", 53: "Vega"}
"""Colleagues whose addresses still carry another last name."""
_COMPANIES = (
    "Brandt Fontaine Ashgrove Bluewater Cobalt Danforth Eastwick Fairmont Glenmore Halcyon Ironbridge Juniper "
    "Kestrel Lindenhof Marlowe Northgate Oakhurst Pinnacle Quayside Redfern Sterling Thornbury Umbra Westlake"
).split()
_TEAM_SIZE = 7


class PersonColumns:
    """The columns of a world's table of people."""

    email: Mapped[str] = key("mira.tan@larkfield.example")
    name: Mapped[str]
    title: Mapped[str]
    department: Mapped[str | None]
    team: Mapped[str | None]
    manager: Mapped[str | None]
    phone: Mapped[str]
    office: Mapped[str | None]
    zone: Mapped[str]
    company: Mapped[str]


@dataclass(frozen=True)
class Entry:
    """One person."""

    email: str
    name: str
    title: str
    department: str | None
    team: str | None
    manager: str | None
    phone: str
    office: str | None
    zone: str
    company: str


@cache
def people(seed: int = SEED) -> tuple[Entry, ...]:
    """Everybody: 64 colleagues, team by team with the lead first, then four people of each client."""
    rng = random.Random(seed)
    colleagues = _colleagues(rng, dict(zip(_PLACES, _PLANTED[seed], strict=True)))
    return (*colleagues, *_clients(rng, {entry.name for entry in colleagues}))


@cache
def colleagues(seed: int = SEED) -> tuple[Entry, ...]:
    """Those who work at Larkfield."""
    return tuple(entry for entry in people(seed) if entry.company == "Larkfield")


@cache
def owners(seed: int = SEED) -> tuple[str, ...]:
    """The addresses of the 24 colleagues whom sessions serve; all work in Boston."""
    return tuple(colleagues(seed)[team * _TEAM_SIZE + member].email for team in range(8) for member in range(3))


def fill_people(db: Database, table: type[DeclarativeBase], seed: int = SEED) -> None:
    """Write everybody into a world's table."""
    for entry in people(seed):
        db.insert(table, **asdict(entry))


def hours_ahead(zone: str, day: date) -> int:
    """How many hours a zone's clocks are ahead of New York's on a day.

    Summer time is from the second Sunday of March to the first of November in the USA, from the last Sunday of March
    to the last of October in Britain, and never in Singapore.
    """
    summer = _sunday(day.year, 3, 2) <= day < _sunday(day.year, 11, 1)
    if zone == "Europe/London":
        return 5 - summer + (_last_sunday(day.year, 3) <= day < _last_sunday(day.year, 10))
    return {HOME: 0, "America/Chicago": -1, "Asia/Singapore": 13 - summer}[zone]


def _sunday(year: int, month: int, which: int) -> date:
    first = date(year, month, 1)
    return first + timedelta(days=(6 - first.weekday()) % 7 + 7 * (which - 1))


def _last_sunday(year: int, month: int) -> date:
    last = date(year, month, 31)  # of March or October
    return last - timedelta(days=(last.weekday() + 1) % 7)


def _colleagues(rng: random.Random, fixed: Mapping[int, str]) -> list[Entry]:
    planted = {part for name in fixed.values() for part in name.split()}
    firsts = rng.sample([name for name in FIRST_NAMES if name not in planted], 64)
    lasts = rng.sample([name for name in LAST_NAMES if name not in planted | set(_OLD_NAMES.values())], 64)
    found: list[Entry] = []
    for index in range(64):
        number = min(index // _TEAM_SIZE, len(_TEAMS) - 1)
        member = index - number * _TEAM_SIZE
        team, department, work = _TEAMS[number]
        name = fixed.get(index, f"{firsts[index]} {lasts[index]}")
        office = _ABROAD[number] if member == _TEAM_SIZE - 1 else "Boston"
        found.append(
            Entry(
                email=_address(index, name, found),
                name=name,
                title=f"Head of {team}" if member == 0 else f"{'Senior ' if member < 3 else ''}{work}".capitalize(),
                department=department,
                team=team,
                manager=_manager(found, number, member),
                phone=f"555-{100 + index:04d}",
                office=office,
                zone=_ZONES[office],
                company="Larkfield",
            )
        )
    return found


def _address(index: int, name: str, before: list[Entry]) -> str:
    first, last = name.lower().split()
    last = _OLD_NAMES.get(index, last).lower()
    twins = sum(entry.name == name for entry in before)
    return f"{first}.{last}{twins + 1 if twins else ''}@larkfield.example"


def _manager(before: list[Entry], team: int, member: int) -> str | None:
    """The head of the team; the first team's head leads the house."""
    if member:
        return before[team * _TEAM_SIZE].email
    return before[0].email if team else None


def _clients(rng: random.Random, taken: set[str]) -> list[Entry]:
    names = [f"{first} {last}" for first in FIRST_NAMES for last in LAST_NAMES if f"{first} {last}" not in taken]
    found: list[Entry] = []
    for index, name in enumerate(rng.sample(names, 4 * len(_COMPANIES))):
        company = _COMPANIES[index // 4]
        host = _COMPANIES[0] if index == 5 else company  # who has moved and kept the old address
        found.append(
            Entry(
                email=f"{name.lower().replace(' ', '.')}@{host.lower()}.example",
                name=name,
                title=("Buyer", "Head of operations", "Engineer", "Office manager")[index % 4],
                department=None,
                team=None,
                manager=None,
                phone=f"555-{200 + index:04d}",
                office=None,
                zone=HOME,
                company=company,
            )
        )
    return found
