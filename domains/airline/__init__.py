"""The service desk of an airline: 500 customers, 300 flights over 30 days, 2,000 reservations, 15 tools."""

from functools import partial
from importlib.resources import files
from pathlib import Path

from toolgym.domains.airline import goals, rules, tools
from toolgym.domains.airline.schema import Base, User
from toolgym.domains.airline.seed import NOW, fill
from toolgym.domains.airline.tau2 import tau2
from toolgym.domains.airline.vocabulary import VOCABULARY
from toolgym.domains.calculator import calculate
from toolgym.sandbox.kit.domain import Domain, published, version_2
from toolgym.sandbox.kit.world import Handover, Identity, ToolSet, rules_in

SPLITS = Path(__file__).with_name("splits")

domain = Domain(
    name="airline",
    title="The service desk of an airline",
    base=Base,
    tools=ToolSet([calculate, tools]),
    policy=files(__package__).joinpath("policy.md").read_text(encoding="utf-8"),
    data={"own": published(fill, SPLITS / "v1"), "tau2": tau2}
    | version_2(fill, partial(fill, seed=20240516), SPLITS / "v2"),
    now=NOW,
    vocabulary=VOCABULARY,
    rules=rules_in(rules),
    goals=goals.GOALS,
    things=goals.THINGS,
    relations=goals.RELATIONS,
    conditions=goals.CONDITIONS,
    identity=Identity(User, found_by=(tools.get_user_details,), shown_by=tools.get_user_details),
    handover=Handover(
        tools.transfer_to_human_agents,
        "when a request can neither be handled with your tools nor be declined under this policy",
        rules=(rules.not_begun,),
    ),
)
