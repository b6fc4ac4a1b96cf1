"""State `recovery`: after a failure other parameters, another tool, or an honest end (section 3.2, 3.4)."""

from __future__ import annotations

from toolgym.sandbox.synthesis.teaching.conversation import Conversation, State

TRIES = 2
"""Recoveries after one message of the user's; then the assistant says that it cannot be done."""
NOTES = {
    "corrected parameters": "The call was refused. Correct its parameters by what the refusal says and try once more.",
    "another tool": "The call was refused again. Use another tool that leads to what the user wants, if there is one.",
    "give up": "It cannot be done. Call nothing more: tell the user what failed and why, and what could be done.",
}
_BY_PARAMETERS = frozenset({"invalid_arguments", "not_found", "tool_error"})
"""Refusals that other parameters may mend."""


async def recovery(talk: Conversation) -> tuple[State, str]:
    """Choose a way, and tell the teacher."""
    talk.recoveries += 1
    codes = {result.error.code for result in talk.results if result.error is not None}
    way = "another tool"
    if talk.recoveries > TRIES:
        way = "give up"
    elif talk.recoveries == 1 and codes & _BY_PARAMETERS:
        way = "corrected parameters"
    talk.note = NOTES[way]
    return "turn", way
