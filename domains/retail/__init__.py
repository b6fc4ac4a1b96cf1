"""The service desk of an online shop: 500 customers, 50 product types, 1,000 orders, 16 tools."""

from toolgym.domains.calculator import calculate
from toolgym.domains.retail import goals, tools
from toolgym.domains.retail.tau2 import tau2
from toolgym.domains.retail.vocabulary import VOCABULARY
from toolgym.sandbox.kit.world import Domain, Handover, ToolSet

domain = Domain.of(
    __name__,
    title="The service desk of an online shop",
    tools=ToolSet([calculate, tools]),
    data={"tau2": tau2},
    vocabulary=VOCABULARY,
    identity=goals.IDENTITY,
    handover=Handover(
        tools.transfer_to_human_agents,
        when="when the customer asks for a person, or for what none of your tools does and no rule forbids",
    ),
)
