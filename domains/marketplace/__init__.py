"""A second-hand marketplace: bids, offers, listings and sales of a private person."""

from importlib.resources import files
from pathlib import Path

from toolgym.domains.marketplace import goals, rules, tools
from toolgym.domains.marketplace.relations import RELATIONS
from toolgym.domains.marketplace.schema import Base, Member
from toolgym.domains.marketplace.seed import CLOCKS, FIRST, NOW, OWNERS, UNSEEN_FIRST, fill, fill_unseen
from toolgym.sandbox.kit.domain import Domain, generated, version_2
from toolgym.sandbox.kit.world import ToolSet, rules_in

SPLITS = Path(__file__).with_name("splits")

domain = Domain(
    name="marketplace",
    title="A second-hand marketplace",
    base=Base,
    tools=ToolSet(tools),
    policy=files(__package__).joinpath("policy.md").read_text(encoding="utf-8"),
    data={"own": generated(fill)} | version_2(fill, fill_unseen, SPLITS / "v2"),
    now=NOW,
    clocks=CLOCKS,
    owner=Member,
    owners={
        "own": [f"mb-{FIRST + number}" for number in range(OWNERS)],
        "unseen": [f"mb-{UNSEEN_FIRST + number}" for number in range(OWNERS)],
    },
    rules=rules_in(rules),
    goals=goals.GOALS,
    things=goals.THINGS,
    conditions=goals.CONDITIONS,
    relations=RELATIONS,
)
