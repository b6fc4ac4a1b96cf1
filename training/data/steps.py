"""Trajectories taken apart into single steps: the history as the prompt, the next step as the gold.

ToolRL (section 3.1 and appendix A) trains on steps: instructions and tools in the system message, everything that was
said and observed so far in one user message, and the gold step is what the reward compares with. Thoughts are left
out of the gold, because only calls and their arguments are scored.
"""

from __future__ import annotations

from collections.abc import Iterable

from toolgym.sandbox.agents.llm import system_prompt
from toolgym.sandbox.formats import Format, get_format
from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.runtime.briefing import briefing
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.training.data.rows import Row, row

_HISTORY = "What has happened so far in this conversation:\n\n{history}\n\nWrite the next step."


def step_rows(trajectories: Iterable[Trajectory], format_name: str) -> list[Row]:
    """A row for every step of the agent, with all that came before it."""
    text_format, found = get_format(format_name), []
    for trajectory in trajectories:
        task = trajectory.task
        brief = briefing(get_domain(task.domain), task, program=trajectory.by_program, consent=trajectory.consent)
        told = system_prompt(brief, text_format)
        for index, message in enumerate(trajectory.messages):
            if message.role == "assistant":
                asked = _HISTORY.format(history=history(trajectory.messages[:index], text_format))
                prompt = [{"role": "system", "content": told}, {"role": "user", "content": asked}]
                gold = text_format.render(_without_thoughts(message))
                found.append(row("step", prompt, ability=task.domain, truth=gold, task=task, text_format=format_name))
    return found


def history(messages: Iterable[Message], text_format: Format) -> str:
    """The messages so far, one after another, the user's marked as such."""
    parts = []
    for message in messages:
        text = text_format.render(_without_thoughts(message))
        parts.append(f"<user>{text}</user>" if message.role == "user" else text)
    return "\n".join(parts)


def _without_thoughts(message: Message) -> Message:
    return message.model_copy(update={"reasoning": None})
