"""Tools of other worlds that a task offers beside its world's own: live ones, so that a write there is damage."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import BadInput, unknown
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.tool import Tool
from toolgym.sandbox.runtime.joined import JoinedDomain, join_tools
from toolgym.sandbox.runtime.registry import get_domain, is_benchmark


def domain_of_task(task: Task) -> Domain:
    """A task's domain, with its distractors."""
    return with_distractors(get_domain(task.domain), task)


def with_distractors(domain: Domain, task: Task | None) -> Domain:
    """A domain as a task offers it: the domain itself where the task has no distractors.

    Raises:
        BadInput: a distractor is no tool of another installed world.
    """
    if task is None or not task.distractors:
        return domain
    home = domain.first if isinstance(domain, JoinedDomain) and domain.of_task else domain
    return _joined(home, task.distractors)


@lru_cache(maxsize=4096)
def _joined(domain: Domain, distractors: Sequence[str]) -> Domain:
    return join_tools(domain, [_found(domain, name) for name in dict.fromkeys(distractors)])


def _found(domain: Domain, distractor: str) -> tuple[Domain, Tool]:
    world, _, name = distractor.partition(".")
    if not name or "+" in world or world in domain.name.split("+"):
        raise BadInput(
            f"A distractor is a tool of another world than {domain.name}, as world.tool; got {distractor!r}."
        )
    if is_benchmark(world):  # it is read from a folder, and a client's task must not make a server open one
        raise BadInput(f"The tools of {world} are offered in its own tasks alone; got the distractor {distractor!r}.")
    other = get_domain(world)
    if name not in other.tools:
        raise unknown(f"tool of {world}", name, other.tools)
    return other, other.tools[name]
