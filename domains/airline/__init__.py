"""The service desk of an airline: 500 customers, 300 flights over 30 days, 2,000 reservations, 15 tools."""

from toolgym.domains.airline import rules, tools
from toolgym.domains.airline.schema import User
from toolgym.domains.airline.tau2 import tau2
from toolgym.domains.airline.vocabulary import VOCABULARY
from toolgym.domains.calculator import calculate
from toolgym.sandbox.kit.world import Domain, Handover, Identity, ToolSet

domain = Domain.of(
    __name__,
    title="The service desk of an airline",
    tools=ToolSet([calculate, tools]),
    data={"tau2": tau2},
    vocabulary=VOCABULARY,
    identity=Identity(User, found_by=(tools.get_user_details,), shown_by=tools.get_user_details),
    handover=Handover(
        tools.transfer_to_human_agents,
        "when a request can neither be handled with your tools nor be declined under this policy",
        rules=(rules.not_begun,),
    ),
)
