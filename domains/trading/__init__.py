"""A private investor's brokerage account: quotes, orders, positions and price alerts."""

from functools import partial
from importlib.resources import files
from pathlib import Path

from domains.trading import goals, rules, tools
from domains.trading.relations import RELATIONS
from domains.trading.schema import Base, Investor
from domains.trading.seed import CLOCKS, NOW, fill
from sandbox.kit.domain import Domain, generated, version_2
from sandbox.kit.rule import rules_in
from sandbox.kit.tool import ToolSet

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
