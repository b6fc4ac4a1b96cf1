"""Larkfield's mail: an employee's mailbox with threads, labels, files, drafts and an automatic reply."""

from functools import partial
from importlib.resources import files
from pathlib import Path

from toolgym.domains import directory
from toolgym.domains.email import goals, rules, tools
from toolgym.domains.email.relations import RELATIONS
from toolgym.domains.email.schema import Base, Person
from toolgym.domains.email.seed import CLOCKS, NOW, fill
from toolgym.sandbox.kit.domain import Domain, generated, version_2
from toolgym.sandbox.kit.world import ToolSet, rules_in

SPLITS = Path(__file__).with_name("splits")

domain = Domain(
    name="email",
    title="An employee's mailbox",
    base=Base,
    tools=ToolSet(tools),
    policy=files(__package__).joinpath("policy.md").read_text(encoding="utf-8"),
    data={"own": generated(fill)} | version_2(fill, partial(fill, people=directory.UNSEEN), SPLITS / "v2"),
    now=NOW,
    clocks=CLOCKS,
    owner=Person,
    owners={"own": directory.owners(), "unseen": directory.owners(directory.UNSEEN)},
    rules=rules_in(rules),
    goals=goals.GOALS,
    things=goals.THINGS,
    conditions=goals.CONDITIONS,
    relations=RELATIONS,
)
