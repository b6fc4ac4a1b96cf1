"""Larkfield: an employee's calendar, what colleagues share of theirs, and the meeting rooms."""

from importlib.resources import files

from domains import directory
from domains.calendar import goals, rules
from domains.calendar.schema import Base, Person
from domains.calendar.seed import CLOCKS, NOW, fill
from domains.calendar.tools import TOOLS
from sandbox.kit.domain import Domain, generated
from sandbox.kit.rule import rules_in

domain = Domain(
    name="calendar",
    title="An employee's calendar",
    base=Base,
    tools=TOOLS,
    policy=files(__package__).joinpath("policy.md").read_text(encoding="utf-8"),
    data={"own": generated(fill)},
    now=NOW,
    clocks=CLOCKS,
    owner=Person,
    owners=directory.owners(),
    rules=rules_in(rules),
    goals=goals.GOALS,
    things=goals.THINGS,
    conditions=goals.CONDITIONS,
)
