"""What a task's user knows of its wishes, whole ones or such as are fulfilled step by step."""

from __future__ import annotations

from random import Random

from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.language.nlg_templates import Style
from toolgym.sandbox.users.knowledge import Knowledge
from toolgym.sandbox.users.stepwise import StepwiseKnowledge, is_stepwise


def knowledge_of(task: Task, style: Style, rng: Random) -> Knowledge:
    """What the user of a task knows.

    Args:
        task: whose user.
        style: how the user talks.
        rng: draws the wording.
    """
    has_steps = any(is_stepwise(task, goal) for goal in task.goals)
    return (StepwiseKnowledge if has_steps else Knowledge)(task, style, rng)
