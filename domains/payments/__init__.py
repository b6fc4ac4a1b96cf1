"""A small firm's payment console: invoices, refunds, and deliveries of events to shop systems."""

from functools import partial
from importlib.resources import files
from pathlib import Path

from toolgym.domains.payments import goals, rules, tools
from toolgym.domains.payments.relations import RELATIONS
from toolgym.domains.payments.schema import Base, Firm
from toolgym.domains.payments.seed import CLOCKS, NOW, fill
from toolgym.sandbox.kit.domain import Domain, generated, version_2
from toolgym.sandbox.kit.world import ToolSet, rules_in

SPLITS = Path(__file__).with_name("splits")

domain = Domain(
    name="payments",
    title="A small firm's payment console",
    base=Base,
    tools=ToolSet(tools),
    policy=files(__package__).joinpath("policy.md").read_text(encoding="utf-8"),
    data={"own": generated(fill)} | version_2(fill, partial(fill, seed=55302, first=112), SPLITS / "v2"),
    now=NOW,
    clocks=CLOCKS,
    owner=Firm,
    rules=rules_in(rules),
    goals=goals.GOALS,
    things=goals.THINGS,
    conditions=goals.CONDITIONS,
    relations=RELATIONS,
)
