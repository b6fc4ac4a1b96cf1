"""How long a right run is: the turns that an episode must have room for, and sums that nobody needs a tool for."""

from __future__ import annotations

import re

from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.synthesis.proof.reachability import shaped, trace

CALCULATE = "calculate"
"""The tool of several worlds that works out a sum."""
IN_THE_HEAD = 10
"""Two numbers up to this one are added and taken away without a tool, and so is what a factor of 0 leaves."""
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def turns_of(task: Task) -> int:
    """The most turns that an agent takes that asks for one thing at a time, looks up, proposes each change and reports.

    Measured on 240 conversations of seven worlds: the demonstrator took none more, and at most five fewer.
    """
    wishes = list(task.every_goal())
    held = {(fact.name, str(fact.value)) for goal in wishes for fact in (*goal.facts, *task.facts) if fact.on_request}
    proposals = sum(bool(goal.final.calls) for goal in task.goals)
    return len(task.gold) + len(wishes) + proposals + len(held)


def without_idle_sums(task: Task) -> Task:
    """The task without gold calls for sums that are done in the head, where all that is used is known without them."""
    for call in [call for call in task.gold if call.name == CALCULATE and _is_in_the_head(call)]:
        fewer = task.model_copy(update={"gold": tuple(each for each in task.gold if each is not call)})
        if not any(step.missing for step in trace(fewer)):
            task = shaped(fewer)
    return task


def _is_in_the_head(call: ToolCall) -> bool:
    expression = str(call.arguments.get("expression", "")) if isinstance(call.arguments, dict) else ""
    numbers = [float(number) for number in _NUMBER.findall(expression)]
    is_easy = 0 in numbers if "*" in expression else max(numbers, default=0) <= IN_THE_HEAD
    return len(numbers) <= 2 and is_easy
