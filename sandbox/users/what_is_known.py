"""What a task's user knows of its wishes: by typed facts of declared goals, or by facts that are plain text."""

from __future__ import annotations

from random import Random

from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.language.nlg_templates import Style
from toolgym.sandbox.synthesis.wording import is_typed
from toolgym.sandbox.users.declared import DeclaredWishes
from toolgym.sandbox.users.reaction import Knowledge
from toolgym.sandbox.users.stepwise import StepwiseWishes, is_stepwise
from toolgym.sandbox.users.untyped import UntypedWishes


def is_prose(task: Task) -> bool:
    """Whether prose says what the user wants and withholds, and the goals only sum it up: another benchmark's tasks."""
    return not task.is_own or any(fact.name == "known_info" for fact in task.facts)


def knowledge_of(task: Task, style: Style, rng: Random) -> Knowledge:
    """What the user of a task knows.

    Args:
        task: whose user.
        style: how the user talks.
        rng: draws the wording.
    """
    if is_typed(task):
        return DeclaredWishes(task, style, rng)
    has_steps = any(is_stepwise(task, goal) for goal in task.goals)
    return (StepwiseWishes if has_steps else UntypedWishes)(task, style, rng)
