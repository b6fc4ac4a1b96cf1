"""A chain of clothing stores: stock in all of them, holds for customers, transfers between stores."""

from importlib.resources import files
from pathlib import Path

from toolgym.domains.retail_chain import goals, rules, tools
from toolgym.domains.retail_chain.relations import RELATIONS
from toolgym.domains.retail_chain.schema import Associate, Base
from toolgym.domains.retail_chain.seed import CLOCKS, NOW, fill, fill_unseen
from toolgym.sandbox.kit.domain import Domain, generated, version_2
from toolgym.sandbox.kit.world import ToolSet, rules_in

SPLITS = Path(__file__).with_name("splits")

domain = Domain(
    name="retail_chain",
    title="A chain of clothing stores",
    base=Base,
    tools=ToolSet(tools),
    policy=files(__package__).joinpath("policy.md").read_text(encoding="utf-8"),
    data={"own": generated(fill)} | version_2(fill, fill_unseen, SPLITS / "v2"),
    now=NOW,
    clocks=CLOCKS,
    owner=Associate,
    rules=rules_in(rules),
    goals=goals.GOALS,
    things=goals.THINGS,
    conditions=goals.CONDITIONS,
    relations=RELATIONS,
)
