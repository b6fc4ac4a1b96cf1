"""Harbor Bank: a private customer's accounts, cards, payees and payments."""

from functools import partial
from importlib.resources import files
from pathlib import Path

from toolgym.domains.banking import goals, rules, tools
from toolgym.domains.banking.relations import RELATIONS
from toolgym.domains.banking.schema import Base, Customer
from toolgym.domains.banking.seed import CLOCKS, NOW, fill
from toolgym.sandbox.kit.domain import Domain, generated, version_2
from toolgym.sandbox.kit.world import ToolSet, rules_in

SPLITS = Path(__file__).with_name("splits")

domain = Domain(
    name="banking",
    title="A private customer's bank",
    base=Base,
    tools=ToolSet(tools),
    policy=files(__package__).joinpath("policy.md").read_text(encoding="utf-8"),
    data={"own": generated(fill)} | version_2(fill, partial(fill, seed=4072, first=5001), SPLITS / "v2"),
    now=NOW,
    clocks=CLOCKS,
    owner=Customer,
    rules=rules_in(rules),
    goals=goals.GOALS,
    things=goals.THINGS,
    relations=RELATIONS,
    conditions=goals.CONDITIONS,
)
