"""A household's money diary: expenses, limits by category and month, and what comes back every month."""

from functools import partial
from importlib.resources import files
from pathlib import Path

from toolgym.domains.budget import goals, rules, tools
from toolgym.domains.budget.relations import RELATIONS
from toolgym.domains.budget.schema import Base, Household
from toolgym.domains.budget.seed import CLOCKS, NOW, fill
from toolgym.sandbox.kit.domain import Domain, generated, version_2
from toolgym.sandbox.kit.world import ToolSet, rules_in

SPLITS = Path(__file__).with_name("splits")

domain = Domain(
    name="budget",
    title="A household's money diary",
    base=Base,
    tools=ToolSet(tools),
    policy=files(__package__).joinpath("policy.md").read_text(encoding="utf-8"),
    data={"own": generated(fill)} | version_2(fill, partial(fill, seed=90234, first=112), SPLITS / "v2"),
    now=NOW,
    clocks=CLOCKS,
    owner=Household,
    rules=rules_in(rules),
    goals=goals.GOALS,
    things=goals.THINGS,
    conditions=goals.CONDITIONS,
    relations=RELATIONS,
)
