"""The help desk of a mobile network: the agent works in the back office, the user holds the phone."""

from datetime import datetime
from functools import partial
from importlib.resources import files
from pathlib import Path

from toolgym.domains.telecom import goals, rules, tools, user_network, user_services, world
from toolgym.domains.telecom.phone import settle
from toolgym.domains.telecom.profile import profile
from toolgym.domains.telecom.schema import Base
from toolgym.domains.telecom.seed import fill
from toolgym.domains.telecom.tau2 import tau2
from toolgym.domains.telecom.troubles import TROUBLES
from toolgym.domains.telecom.vocabulary import VOCABULARY
from toolgym.sandbox.kit.domain import Domain, published, version_2
from toolgym.sandbox.kit.world import Handover, ToolSet, rules_in

SPLITS = Path(__file__).with_name("splits")


domain = Domain(
    name="telecom",
    title="The help desk of a mobile network, where the user acts on a phone",
    base=Base,
    tools=ToolSet(tools),
    user_tools=ToolSet([user_network, user_services]),
    setup_tools=ToolSet([world, tools, user_network, user_services]),
    after_write=settle,
    profile=profile,
    vocabulary=VOCABULARY,
    policy=files(__package__).joinpath("policy.md").read_text(encoding="utf-8"),
    data={"own": published(fill, SPLITS / "v1"), "tau2": tau2}
    | version_2(fill, partial(fill, of="telecom, unseen"), SPLITS / "v2"),
    now=datetime(2025, 2, 25, 12, 8),
    rules=rules_in(rules),
    goals=goals.GOALS,
    things=goals.THINGS,
    relations=goals.RELATIONS,
    troubles=TROUBLES,
    identity=goals.IDENTITY,
    handover=Handover(
        tools.transfer_to_human_agents,
        when="when the problem cannot be solved with your tools and the customer's phone, before anything is changed",
        rules=[rules.contract_runs],
    ),
)
