"""Whether an agent found out who its user is, from the conversation alone. A pure function of a trajectory."""

from __future__ import annotations

import json
from dataclasses import dataclass

from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import Json, Message
from toolgym.sandbox.runtime.preauthenticate import authenticated
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.trajectory import Trajectory


@dataclass(frozen=True)
class Authentication:
    """How an agent fared at finding its user.

    Attributes:
        found: it looked up the user's own record.
        times: how often the user had said the same fact about themselves by then: 1 where nothing was repeated.
    """

    found: bool
    times: int

    @property
    def easy(self) -> bool:
        """Found with at most one repetition of the user's."""
        return self.found and self.times <= 2


def authentication(trajectory: Trajectory) -> Authentication | None:
    """How the agent fared; None where it was told who the user is, or the domain or the task does not say it."""
    if trajectory.info.speech is not None and trajectory.info.speech.auth == "profile":
        return None
    domain = get_domain(trajectory.task.domain)
    try:
        _, profile = authenticated(domain, trajectory.task)
    except BadInput:
        return None
    messages = trajectory.messages
    index = next((index for index, message in enumerate(messages) if _shows(message, profile)), None)
    said = [message.content or "" for message in messages[:index] if message.role == "user"]
    facts = [str(fact.value) for fact in trajectory.task.facts]
    return Authentication(index is not None, max((sum(fact in text for text in said) for fact in facts), default=0))


def _shows(message: Message, profile: Json) -> bool:
    """Whether a tool's result is the profile, or the part of it that the tool gives."""
    if message.role != "tool" or not isinstance(profile, dict):
        return False
    try:
        value = json.loads(message.content or "")
    except ValueError:
        return False
    return isinstance(value, dict) and bool(value) and all(profile.get(key) == part for key, part in value.items())
