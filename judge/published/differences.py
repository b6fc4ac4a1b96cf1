"""Where a recorded episode is not what playing it again comes to."""

from __future__ import annotations

from collections.abc import Iterator

from toolgym.judge.published.replay import plain_call
from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.runtime.trajectory import Trajectory

CUT = ("time_limit", "max_tokens")
"""Endings that the clock or a model brought about: no replay comes to them."""
_NOTED = ("solo", "unread", "programs", "perturbed", "canary")
"""What of an episode's notes follows from its messages."""


def differences(recorded: Trajectory, again: Trajectory, *, users_notes: bool) -> Iterator[str]:
    """Where the record is not what playing it again comes to, the earliest first."""
    if recorded.task != again.task:
        yield "its task is not the one of that id here"
    if (recorded.seed, recorded.modality) != (again.seed, again.modality):
        yield f"its seed is {recorded.seed}, and the run's settings make it {again.seed}"
    for place, (said, here) in enumerate(zip(recorded.messages, again.messages, strict=False)):
        if said != here:
            yield _other_message(place, said, here)
    if len(recorded.messages) != len(again.messages):
        yield f"it has {len(recorded.messages)} messages, and played again {len(again.messages)}"
    for place, (made, now) in enumerate(zip(recorded.calls, again.calls, strict=False)):
        if plain_call(made) != plain_call(now):
            yield f"call {place} ({now.name}) has another result or other arguments in the record"
    if len(recorded.calls) != len(again.calls):
        yield f"its log holds {len(recorded.calls)} calls, and played again {len(again.calls)}"
    if recorded.diff != again.diff:
        yield "the rows it says were changed are not those that its calls change"
    if recorded.termination != again.termination and recorded.termination not in CUT:
        yield f"it says it ended by {recorded.termination}, and played again by {again.termination}"
    names = (*_NOTED, *(("user",) if users_notes else ()))
    other = [name for name in names if getattr(recorded.info, name) != getattr(again.info, name)]
    if other:
        yield f"what it notes ({', '.join(other)}) is not what playing it again notes"


def _other_message(place: int, said: Message, here: Message) -> str:
    if said.role != here.role:
        return f"message {place} is the {said.role}'s, and played again the {here.role}'s"
    if said.role == "tool":
        return f"message {place}, the result of {here.name}, is not what the tool says"
    whose = {"user": "the scripted user", "assistant": "the scripted agent"}.get(said.role, said.role)
    return f"message {place} is not what {whose} says there"
