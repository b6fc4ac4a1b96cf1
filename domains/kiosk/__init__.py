"""The kiosk: the smallest complete domain, for tutorials, tests and quick experiments."""

from datetime import datetime
from importlib.resources import files

from toolgym.domains.kiosk import tools
from toolgym.domains.kiosk.schema import Base
from toolgym.domains.kiosk.tasks import own
from toolgym.domains.kiosk.vocabulary import VOCABULARY
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.tool import ToolSet

domain = Domain(
    name="kiosk",
    title="The ticket kiosk of a small theatre",
    base=Base,
    tools=ToolSet(tools),
    policy=files(__package__).joinpath("policy.md").read_text(encoding="utf-8"),
    data={"own": own},
    now=datetime(2026, 3, 5, 12, 0),
    vocabulary=VOCABULARY,
)
