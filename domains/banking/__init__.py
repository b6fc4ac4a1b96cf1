"""Harbor Bank: a private customer's accounts, cards, payees and payments."""

from importlib.resources import files

from domains.banking import goals, rules, tools
from domains.banking.schema import Base, Customer
from domains.banking.seed import CLOCKS, NOW, fill
from sandbox.kit.domain import Domain, generated
from sandbox.kit.rule import rules_in
from sandbox.kit.tool import ToolSet

domain = Domain(
    name="banking",
    title="A private customer's bank",
    base=Base,
    tools=ToolSet(tools),
    policy=files(__package__).joinpath("policy.md").read_text(encoding="utf-8"),
    data={"own": generated(fill)},
    now=NOW,
    clocks=CLOCKS,
    owner=Customer,
    rules=rules_in(rules),
    goals=goals.GOALS,
    things=goals.THINGS,
    conditions=goals.CONDITIONS,
)
