"""The service desk of an online shop: 500 customers, 50 product types, 1,000 orders, 16 tools."""

from datetime import datetime
from functools import partial
from importlib.resources import files
from pathlib import Path

from toolgym.domains.calculator import calculate
from toolgym.domains.retail import goals, rules, tools
from toolgym.domains.retail.goals import draws
from toolgym.domains.retail.schema import Base
from toolgym.domains.retail.seed import fill
from toolgym.domains.retail.tau2 import tau2
from toolgym.domains.retail.vocabulary import VOCABULARY
from toolgym.sandbox.kit.domain import Domain, published, version_2
from toolgym.sandbox.kit.world import Handover, ToolSet, rules_in

SPLITS = Path(__file__).with_name("splits")

domain = Domain(
    name="retail",
    title="The service desk of an online shop",
    base=Base,
    tools=ToolSet([calculate, tools]),
    policy=files(__package__).joinpath("policy.md").read_text(encoding="utf-8"),
    data={"own": published(fill, SPLITS / "v1"), "tau2": tau2}
    | version_2(fill, partial(fill, seed=20260302), SPLITS / "v2"),
    now=datetime(2026, 3, 5, 15, 0),
    vocabulary=VOCABULARY,
    rules=rules_in(rules),
    goals=goals.GOALS,
    things=draws.THINGS,
    relations=draws.RELATIONS,
    conditions=draws.CONDITIONS,
    identity=draws.IDENTITY,
    handover=Handover(
        tools.transfer_to_human_agents,
        when="when the customer asks for a person, or for what none of your tools does and no rule forbids",
    ),
)
