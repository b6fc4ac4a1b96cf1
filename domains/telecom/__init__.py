"""The help desk of a mobile network: the agent works in the back office, the user holds the phone."""

from datetime import datetime
from importlib.resources import files

from domains.telecom import tools, user_network, user_services, world
from domains.telecom.phone import settle
from domains.telecom.profile import profile
from domains.telecom.schema import Base
from domains.telecom.tasks import own
from domains.telecom.tau2 import tau2
from domains.telecom.vocabulary import VOCABULARY
from sandbox.kit.domain import Domain
from sandbox.kit.tool import ToolSet

_agents = ToolSet(tools)
_users = ToolSet([*ToolSet(user_network).values(), *ToolSet(user_services).values()])

domain = Domain(
    name="telecom",
    title="The help desk of a mobile network, where the user acts on a phone",
    base=Base,
    tools=_agents,
    user_tools=_users,
    setup_tools=ToolSet([*ToolSet(world).values(), *_agents.values(), *_users.values()]),
    after_write=settle,
    profile=profile,
    policy=files(__package__).joinpath("policy.md").read_text(encoding="utf-8"),
    data={"own": own, "tau2": tau2},
    now=datetime(2025, 2, 25, 12, 8),
    vocabulary=VOCABULARY,
)
