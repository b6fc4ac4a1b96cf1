"""The service desk of an online shop: 500 customers, 50 product types, 1,000 orders, 16 tools."""

from datetime import datetime
from importlib.resources import files

from domains.calculator import calculate
from domains.retail import tools
from domains.retail.profile import profile
from domains.retail.schema import Base
from domains.retail.tasks import own
from domains.retail.tau2 import tau2
from domains.retail.vocabulary import VOCABULARY
from sandbox.kit.domain import Domain
from sandbox.kit.tool import ToolSet

domain = Domain(
    name="retail",
    title="The service desk of an online shop",
    base=Base,
    tools=ToolSet([calculate, *ToolSet(tools).values()]),
    policy=files(__package__).joinpath("policy.md").read_text(encoding="utf-8"),
    data={"own": own, "tau2": tau2},
    now=datetime(2026, 3, 5, 15, 0),
    profile=profile,
    vocabulary=VOCABULARY,
)
