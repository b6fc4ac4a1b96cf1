"""The service desk of an airline: 500 customers, 300 flights over 30 days, 2,000 reservations, 15 tools."""

from importlib.resources import files

from domains.airline import tools
from domains.airline.schema import Base
from domains.airline.seed import NOW
from domains.airline.tasks import own
from domains.airline.tau2 import tau2
from domains.airline.vocabulary import VOCABULARY
from domains.calculator import calculate
from sandbox.kit.domain import Domain
from sandbox.kit.tool import ToolSet

domain = Domain(
    name="airline",
    title="The service desk of an airline",
    base=Base,
    tools=ToolSet([calculate, *ToolSet(tools).values()]),
    policy=files(__package__).joinpath("policy.md").read_text(encoding="utf-8"),
    data={"own": own, "tau2": tau2},
    now=NOW,
    vocabulary=VOCABULARY,
)
