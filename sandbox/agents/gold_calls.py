"""A task's gold calls as they fall due: what a wish needs, in order, for agents that are shown the task."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import cast

from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.kit.task import Goal, Task
from toolgym.sandbox.kit.tool import ToolSet
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.user_tool_driver import UserToolDriver


class GoldCalls:
    """What remains of a task's gold calls.

    Args:
        task: whose.
    """

    def __init__(self, task: Task) -> None:
        self._task = task
        self.rest = list(task.gold)

    @cached_property
    def _tools(self) -> ToolSet:
        """Of the task's world; an agent that works alone does without, as it must where the world is not installed."""
        return get_domain(self._task.domain).tools

    def needed(self, goal: Goal) -> int:
        """How many of the remaining calls lead up to a wish's last one."""
        wanted = [_content(call) for call in goal.calls]
        return max((index + 1 for index, call in enumerate(self.rest) if _content(call) in wanted), default=0)

    def reads(self, is_due: Callable[[ToolCall], bool]) -> int:
        """How many of the next calls only look something up and are due."""
        count = 0
        for call in self.rest:
            if call.name not in self._tools or self._tools[call.name].kind == "write" or self._ends(call):
                break
            if not is_due(call):
                break
            count += 1
        return count

    def take(self, count: int, *, ending: bool = False) -> list[ToolCall]:
        """The next calls; those that end the episode only when it is time for them."""
        due, self.rest = self.rest[:count], self.rest[count:]
        held = [] if ending else [call for call in due if self._ends(call)]
        self.rest = held + self.rest
        return [call for call in due if call not in held]

    def asked_of_user(self, calls: Sequence[ToolCall]) -> str:
        """The sentences with which an agent asks the user for calls of the user's own tools."""
        driver = cast(UserToolDriver, registry.load("user_tool_drivers", self._task.domain))
        return " ".join(driver.ask(call) for call in calls)

    def _ends(self, call: ToolCall) -> bool:
        return call.by == "agent" and call.name in self._tools and self._tools[call.name].ends_episode


def _content(call: ToolCall) -> tuple[str, str]:
    return call.name, call.arguments_text()
