"""The help desk of a mobile network: the agent works in the back office, the user holds the phone."""

from toolgym.domains.telecom import goals, rules, tools, user_network, user_services, world
from toolgym.domains.telecom.phone import settle
from toolgym.domains.telecom.profile import profile
from toolgym.domains.telecom.tau2 import tau2
from toolgym.domains.telecom.troubles import TROUBLES
from toolgym.domains.telecom.vocabulary import VOCABULARY
from toolgym.sandbox.kit.world import Domain, Handover, ToolSet

domain = Domain.of(
    __name__,
    title="The help desk of a mobile network, where the user acts on a phone",
    user_tools=ToolSet([user_network, user_services]),
    setup_tools=ToolSet([world, tools, user_network, user_services]),
    after_write=settle,
    profile=profile,
    vocabulary=VOCABULARY,
    data={"tau2": tau2},
    troubles=TROUBLES,
    identity=goals.IDENTITY,
    handover=Handover(
        tools.transfer_to_human_agents,
        when="when the problem cannot be solved with your tools and the customer's phone, before anything is changed",
        rules=[rules.contract_runs],
    ),
)
