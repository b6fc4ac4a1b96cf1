"""Step 3, the state machine: runs the states until the end and records every transition.

query -> turn -> execution -> turn ...       calls that succeed, in part or in whole
              -> execution -> recovery -> turn    calls that are refused
              -> response -> continuation -> query (follow-up) | turn (clarification) | end
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from toolgym.sandbox.synthesis.teaching.continuation import continuation
from toolgym.sandbox.synthesis.teaching.conversation import Conversation, State, Transition
from toolgym.sandbox.synthesis.teaching.execution import execution
from toolgym.sandbox.synthesis.teaching.query import query
from toolgym.sandbox.synthesis.teaching.recovery import recovery
from toolgym.sandbox.synthesis.teaching.response import response
from toolgym.sandbox.synthesis.teaching.turn import turn

STATES: dict[State, Callable[[Conversation], Awaitable[tuple[State, str]]]] = {
    "query": query,
    "turn": turn,
    "execution": execution,
    "recovery": recovery,
    "response": response,
    "continuation": continuation,
}


async def lead(talk: Conversation) -> None:
    """Lead a conversation from its first words to its end.

    Raises:
        InfrastructureError: the teacher gives no answer, or the tools are gone.
        OutOfBudget: the teacher may not be asked any more.
    """
    state: State = "query"
    while state != "end":
        following, outcome = await STATES[state](talk)
        talk.transitions.append(
            Transition(state=state, outcome=outcome, following=following, messages=len(talk.messages))
        )
        state = following
