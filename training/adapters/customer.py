"""The customer as a tool, for trainers that know no user turn: what the agent says goes through `talk_to_customer`.

A model that is trained so plays another game than one that talks: its scores compare with none of an evaluation.
"""

from __future__ import annotations

from typing import Any

from toolgym.sandbox.kit.errors import BadInput, InfrastructureError
from toolgym.sandbox.kit.message import STOP
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.approval import Consent
from toolgym.sandbox.runtime.briefing import briefing
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.training.adapters.rollout import Rollout, as_action

TALK = "talk_to_customer"
TALK_TOOL: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": TALK,
        "description": "Say something to the customer and hear what they answer.",
        "parameters": {
            "type": "object",
            "properties": {"message": {"type": "string", "description": "your words, as the customer hears them."}},
            "required": ["message"],
        },
    },
}

LEFT = "[The customer has ended the conversation.]"
_BROKEN = "[The environment has failed. This conversation does not count.]"
_WORK = """\
You work for an organisation and serve one customer in a conversation. The policy below binds you: follow it even when \
the customer wants something else.

Everything you do is a tool call. What you want to say to the customer goes through the tool talk_to_customer, whose \
result is their answer; the result of every other tool is seen by you alone. State only what the policy, the customer \
or a tool's result has told you, and take ids and amounts from there without changes. When the customer has ended the \
conversation, write one last word without a tool call; whatever you write without a tool call ends your work.

<policy>
{policy}
</policy>"""


def told(task: Task, consent: Consent = "words") -> str:
    """The system message of a task."""
    return _WORK.format(policy=briefing(get_domain(task.domain), task, consent=consent).policy.strip())


def offered(world: str) -> list[dict[str, Any]]:
    """The world's tools and the customer's, in OpenAI's form.

    Raises:
        BadInput: one of the world's own tools has the name of the customer's.
    """
    domain = get_domain(world)
    if TALK in domain.tools:
        raise BadInput(f"{world} has a tool named {TALK}, which is the customer's here; rename it.")
    return [*domain.tools.to_openai(), TALK_TOOL]


class CustomerRollout(Rollout):
    """An episode in which the customer is called like a tool. Infrastructure failures are kept for `scored`."""

    def __init__(self, world: str, **settings: Any) -> None:
        super().__init__(world, action_format="openai", **settings)
        self._made_with = {"world": world, **settings}

    def opening(self, task: str, seed: int) -> str:
        """Begin a task's episode; the customer's first words."""
        try:
            return _words(self.open(task, seed)["messages"])
        except InfrastructureError:
            return _BROKEN

    def call(self, name: str, arguments: dict[str, Any]) -> str:
        """What a tool answers, the customer's among them."""
        if self.over:
            return _BROKEN if self.fault is not None else LEFT
        if name == TALK and not isinstance(arguments.get("message"), str):
            return f"Error: {TALK} takes a text, message. [bad_arguments]"
        action = as_action(arguments["message"]) if name == TALK else as_action(None, [(name, arguments)])
        try:
            heard = _words(self.play(action))
        except InfrastructureError:
            return _BROKEN
        return heard if not self.over else f"{heard}\n{LEFT}".strip()


def _words(messages: list[dict[str, Any]]) -> str:
    """New messages as one text, without the token by which the user ends the conversation."""
    return "\n".join((message.get("content") or "").replace(STOP, "").strip() for message in messages)
