"""Which call of the log a call in the conversation is: not every call that was written reached the session."""

from __future__ import annotations

from collections.abc import Iterator

from toolgym.sandbox.runtime.trajectory import Trajectory

Place = tuple[int, int]
"""A message's position, and a call's among those of the message."""
_TOO_MANY = "[too_many_calls]"


def call_places(trajectory: Trajectory) -> dict[Place, int]:
    """For every call in the messages that reached the session its position in `trajectory.calls`."""
    made = dict(zip(_made(trajectory), range(len(trajectory.calls)), strict=False))
    left = range(len(made), len(trajectory.calls))
    if left:  # infrastructure failed amid a message's calls, so that their results were not told
        at = max((at for at, message in enumerate(trajectory.messages) if message.tool_calls), default=None)
        calls = () if at is None else trajectory.messages[at].tool_calls
        free = [(at, place) for place in range(len(calls)) if at is not None and (at, place) not in made]
        made |= dict(zip(free, left, strict=False))
    return made


def _made(trajectory: Trajectory) -> Iterator[Place]:
    """The places of calls whose results the conversation shows, in the order of the log."""
    places: dict[str, Place] = {}
    attempts = iter(trajectory.info.programs)
    unread, rest = set(trajectory.info.unread), 0
    for at, message in enumerate(trajectory.messages):
        places |= {call.id: (at, place) for place, call in enumerate(message.tool_calls)}
        if message.role == "assistant" and trajectory.by_program:
            attempt = next(attempts, None)
            rest = 0 if attempt is None or at in unread else attempt.results
        if message.role != "tool" or message.tool_call_id not in places:
            continue
        if trajectory.by_program:
            if rest:
                yield places[message.tool_call_id]
            rest = max(0, rest - 1)
        elif not (message.content or "").endswith(_TOO_MANY):
            yield places[message.tool_call_id]
