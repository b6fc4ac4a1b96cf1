"""DepthBench, TIER's benchmark of requests by depth: read from a checkout of its repository, run by its own tools.

Not a world of this gym: rows, tools and answers are the authors', and nothing of them is here. A world is made for the
checkout that is named, `depthbench:CHECKOUT`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from toolgym.domains.depthbench.checkout import Checkout
from toolgym.domains.depthbench.process import ToolProcess
from toolgym.domains.depthbench.situation import Base, fill, situate
from toolgym.domains.depthbench.tasks import SPLITS, tasks_of
from toolgym.domains.depthbench.tools import tools_of
from toolgym.sandbox.kit.domain import Dataset, Domain
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.tool import ToolSet

_POLICY = (
    "Answer the request with the tools, by results of theirs alone. Where they cannot answer it, or the request leaves "
    "out what they need, make no call."
)


def domain(path: str) -> Domain:
    """The benchmark of a checkout.

    Raises:
        BadInput: there is no checkout, or not all of the benchmark is in it; the sentence says what is missing.
    """
    checkout = Checkout.read(path)
    name = f"depthbench:{checkout.folder}"
    process, by_split = ToolProcess(checkout.folder), tasks_of(checkout, name)

    def tasks(split: str) -> Sequence[Task]:
        process.check()  # who asks for tasks wants to play them
        return by_split[split]

    dataset = Dataset(name=name, fill=fill, tasks=tasks, splits=SPLITS, policy=_POLICY)
    return Domain(
        name=name,
        title="DepthBench, TIER's requests by depth",
        base=Base,
        tools=ToolSet(tools_of(checkout, process)),
        setup_tools=ToolSet([situate]),
        policy=_POLICY,
        data={"depthbench": lambda _: dataset},
        now=datetime(2026, 1, 1, 12, 0),
    )
