"""Fernhall: an online shop with carts, coupons, quotes for shipping, orders, returns and reviews."""

from functools import partial
from importlib.resources import files
from pathlib import Path

from toolgym.domains.shopping import goals, rules
from toolgym.domains.shopping.assortment import UNSEEN
from toolgym.domains.shopping.relations import RELATIONS
from toolgym.domains.shopping.schema import Base, Customer
from toolgym.domains.shopping.seed import CLOCKS, NOW, fill
from toolgym.domains.shopping.tools import TOOLS
from toolgym.sandbox.kit.domain import Domain, generated, version_2
from toolgym.sandbox.kit.rule import rules_in

SPLITS = Path(__file__).with_name("splits")

domain = Domain(
    name="shopping",
    title="An online shop",
    base=Base,
    tools=TOOLS,
    policy=files(__package__).joinpath("policy.md").read_text(encoding="utf-8"),
    data={"own": generated(fill)} | version_2(fill, partial(fill, seed=70232, first=2908, shop=UNSEEN), SPLITS / "v2"),
    now=NOW,
    clocks=CLOCKS,
    owner=Customer,
    rules=rules_in(rules),
    goals=goals.GOALS,
    things=goals.THINGS,
    conditions=goals.CONDITIONS,
    relations=RELATIONS,
)
