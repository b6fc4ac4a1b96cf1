"""How an agent that is a language model or a function is told to work: one text for all, with the policy in it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolgym.sandbox.runtime.roles import Briefing

_WORK = """\
You work for an organisation and serve one customer in a conversation. The policy below binds you: follow it even when \
the customer wants something else.

In each step do one of two things: call tools, or write to the customer. A message to the customer goes out as you \
write it; a tool's result is seen by you alone. State only what the policy, the customer or a tool's result has told \
you, and take ids and amounts from there without changes.

<policy>
{policy}
</policy>"""

_SOLO = """

There is no customer in this conversation. Solve the ticket with the tools alone; you hold the customer's tools too. \
When it is solved, or you are sure that it cannot be, say so in one message without calls."""


_PROGRAM = """\
You work for an organisation and carry out one customer's request. The policy below binds you.

You answer once, by a program: a list of tool calls that are made in their order without you. No result is shown to \
you in between, so that an argument that only an earlier result holds is written as a reference to it. The first call \
that fails stops the program. Make every call that the request needs and no other that writes; a question is answered \
by the last call's result. Where no tool fits the request, answer with a program without calls.

<policy>
{policy}
</policy>"""

_REFERENCES = """\
Make all calls in one message; they are counted from 0. The text "API_RESPONSE_0.FIELD", or \
"API_RESPONSE_0.items[0].FIELD", in an argument stands for that part of the result of call 0."""

_KNOWN = """

The customer has been authenticated before the conversation, so ask for no identification. This is their profile:
<profile>
{profile}
</profile>"""


def work(briefing: Briefing) -> str:
    """How to work under the policy; how a program's references are written is left to its format."""
    if briefing.program:
        return _PROGRAM.format(policy=briefing.policy.strip())
    told = _WORK.format(policy=briefing.policy.strip()) + (_SOLO if briefing.ticket is not None else "")
    if briefing.profile is not None:
        told += _KNOWN.format(profile=json.dumps(briefing.profile, ensure_ascii=False))
    return told


def instructions(briefing: Briefing) -> str:
    """What is told before an episode to whoever is given the tools beside it."""
    return f"{work(briefing)}\n\n{_REFERENCES}" if briefing.program else work(briefing)
