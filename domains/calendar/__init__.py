"""Larkfield: an employee's calendar, what colleagues share of theirs, and the meeting rooms."""

from importlib.resources import files

from domains import directory
from domains.calendar import goals, rules, tools
from domains.calendar.schema import Base, Person
from domains.calendar.seed import CLOCKS, NOW, fill
from sandbox.kit.domain import Dataset, Domain
from sandbox.kit.rule import rules_in
from sandbox.kit.tool import ToolSet

domain = Domain(
    name="calendar",
    title="An employee's calendar",
    base=Base,
    tools=ToolSet(tools),
    policy=files(__package__).joinpath("policy.md").read_text(encoding="utf-8"),
    data={"own": lambda path: Dataset(name="own", fill=fill, tasks=lambda split: [], splits=())},
    now=NOW,
    clocks=CLOCKS,
    owner=Person,
    owners=directory.owners(),
    rules=rules_in(rules),
    goals=goals.GOALS,
    things=goals.THINGS,
    conditions=goals.CONDITIONS,
)
