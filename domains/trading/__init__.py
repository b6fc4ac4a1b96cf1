"""A private investor's brokerage account: quotes, orders, positions and price alerts."""

from functools import partial
from importlib.resources import files
from pathlib import Path

from toolgym.domains.trading import goals, rules, tools
from toolgym.domains.trading.relations import RELATIONS
from toolgym.domains.trading.schema import Base, Investor
from toolgym.domains.trading.seed import CLOCKS, NOW, fill
from toolgym.sandbox.kit.domain import Domain, generated, version_2
from toolgym.sandbox.kit.world import ToolSet, rules_in

SPLITS = Path(__file__).with_name("splits")
UNSEEN = partial(fill, seed=90413, first=112, other=True)

domain = Domain(
    name="trading",
    title="A private investor's brokerage account",
    base=Base,
    tools=ToolSet(tools),
    policy=files(__package__).joinpath("policy.md").read_text(encoding="utf-8"),
    data={"own": generated(fill)} | version_2(fill, UNSEEN, SPLITS / "v2"),
    now=NOW,
    clocks=CLOCKS,
    owner=Investor,
    rules=rules_in(rules),
    goals=goals.GOALS,
    things=goals.THINGS,
    conditions=goals.CONDITIONS,
    relations=RELATIONS,
)
