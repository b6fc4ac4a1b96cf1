"""A team's workspace: one member's files and folders, and what is shared in it."""

from functools import partial
from importlib.resources import files
from pathlib import Path

from toolgym.domains import directory
from toolgym.domains.filesystem import goals, rules
from toolgym.domains.filesystem.relations import RELATIONS
from toolgym.domains.filesystem.schema import Base, Person
from toolgym.domains.filesystem.seed import CLOCKS, NOW, fill
from toolgym.domains.filesystem.tools import TOOLS
from toolgym.sandbox.kit.domain import Domain, generated, version_2
from toolgym.sandbox.kit.rule import rules_in

SPLITS = Path(__file__).with_name("splits")

domain = Domain(
    name="filesystem",
    title="A team's workspace",
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
)
