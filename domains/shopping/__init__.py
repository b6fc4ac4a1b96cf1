"""Fernhall: an online shop with carts, coupons, quotes for shipping, orders, returns and reviews."""

from importlib.resources import files

from domains.shopping import goals, rules
from domains.shopping.relations import RELATIONS
from domains.shopping.schema import Base, Customer
from domains.shopping.seed import CLOCKS, NOW, fill
from domains.shopping.tools import TOOLS
from sandbox.kit.domain import Domain, generated
from sandbox.kit.rule import rules_in

domain = Domain(
    name="shopping",
    title="An online shop",
    base=Base,
    tools=TOOLS,
    policy=files(__package__).joinpath("policy.md").read_text(encoding="utf-8"),
    data={"own": generated(fill)},
    now=NOW,
    clocks=CLOCKS,
    owner=Customer,
    rules=rules_in(rules),
    goals=goals.GOALS,
    things=goals.THINGS,
    conditions=goals.CONDITIONS,
    relations=RELATIONS,
)
