"""What the wishes of a task ask of an agent's words, and which of its turns belong to which wish."""

from __future__ import annotations

from toolgym.judge.scoring.conversation import Conversation
from toolgym.sandbox.kit.task import Goal, Task


def answers(task: Task) -> tuple[str, ...]:
    """The texts that have to be told, but for those that say that something is refused."""
    refusing = {text for goal in task.every_goal() if goal.outcome == "refused" for text in goal.must_communicate}
    texts = [*task.communicate, *(text for goal in task.every_goal() for text in goal.must_communicate)]
    return tuple(dict.fromkeys(text for text in texts if text not in refusing))


def refusals(task: Task) -> int:
    """How many wishes a right run refuses."""
    return sum(
        goal.outcome == "refused" or (goal.fallback is not None and not goal.calls) for goal in task.every_goal()
    )


def turns_of(goal: Goal, task: Task, conversation: Conversation) -> range:
    """The agent's turns from a wish's words to the next wish's; all turns where the user put it in other words."""
    end = max((event.turn for event in conversation.events), default=-1) + 1
    heard = [(said.turn + 1, said.text.lower()) for said in conversation.words if not said.by_agent]
    begins = next((turn for turn, text in heard if goal.utterance.lower() in text), 0)
    others = [each.utterance.lower() for each in task.every_goal() if each.utterance != goal.utterance]
    ends = next((turn for turn, text in heard if turn > begins and any(each in text for each in others)), end)
    return range(begins, ends)
