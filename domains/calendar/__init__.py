"""Larkfield: an employee's calendar, what colleagues share of theirs, and the meeting rooms."""

from functools import partial
from importlib.resources import files
from pathlib import Path

from toolgym.domains import directory
from toolgym.domains.calendar import goals, rules
from toolgym.domains.calendar.relations import RELATIONS
from toolgym.domains.calendar.schema import Base, Person
from toolgym.domains.calendar.seed import CLOCKS, NOW, fill
from toolgym.domains.calendar.tools import TOOLS
from toolgym.sandbox.kit.domain import Domain, generated, version_2
from toolgym.sandbox.kit.rule import rules_in

SPLITS = Path(__file__).with_name("splits")

domain = Domain(
    name="calendar",
    title="An employee's calendar",
    base=Base,
    tools=TOOLS,
    policy=files(__package__).joinpath("policy.md").read_text(encoding="utf-8"),
    data={"own": generated(fill)} | version_2(fill, partial(fill, people=directory.UNSEEN), SPLITS / "v2"),
    now=NOW,
    clocks=CLOCKS,
    owner=Person,
    owners={"own": directory.owners(), "unseen": directory.owners(directory.UNSEEN)},
    rules=rules_in(rules),
    goals=goals.GOALS,
    things=goals.THINGS,
    relations=RELATIONS,
    conditions=goals.CONDITIONS,
)
