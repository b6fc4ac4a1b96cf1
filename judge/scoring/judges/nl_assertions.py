"""Assertions in natural language about a conversation, judged true or false by a model: what it is asked and answers.

tau2-bench's tasks carry them as `nl_assertions`. An answer that lacks one is no answer. The prompt is our own.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from toolgym.judge.scoring.judges.answer import read_object
from toolgym.judge.scoring.reward import NLAssertions
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.models.constrain import object_of, response_format
from toolgym.sandbox.models.reply import Reply

_SYSTEM = """\
You are given a recorded conversation between a customer and a service agent that works with tools, and numbered \
statements about what the agent did or said. For each statement decide whether the record shows it to be true. A \
statement that the record does not support is false; what the customer says proves nothing about the agent.

Think it through first, between <think> and </think>. After that write one JSON object and nothing else, with one \
entry for every statement in order:
{"statement_1": {"reason": "<one short sentence>", "holds": true}, "statement_2": {...}, ...}"""

_CASE = """\
<conversation>
{conversation}
</conversation>

<statements>
{assertions}
</statements>"""


def of(task: Task) -> tuple[str, ...]:
    """The assertions that a task makes about a right conversation."""
    return tuple(str(text) for text in task.metadata.get("nl_assertions") or ())


def prompt(conversation: str, texts: Sequence[str]) -> list[dict[str, Json]]:
    """What the judge is asked."""
    numbered = "\n".join(f"{number}. {text}" for number, text in enumerate(texts, start=1))
    case = _CASE.format(conversation=conversation, assertions=numbered)
    return [{"role": "system", "content": _SYSTEM}, {"role": "user", "content": case}]


def read(reply: Reply, count: int) -> NLAssertions:
    """A judge's answer, checked.

    Raises:
        BadInput: not the form asked for; the sentence is meant for the judge.
    """
    entries = read_object(reply)
    names = [f"statement_{number}" for number in range(1, count + 1)]
    if sorted(entries) != sorted(names):
        found = ", ".join(entries) or "none"
        raise BadInput(f"The object must have exactly the keys statement_1 to statement_{count}; it has {found}.")
    verdicts = [entries[name] if isinstance(entries[name], dict) else {} for name in names]
    holds = [verdict.get("holds") for verdict in verdicts]
    wrong = [value for value in holds if not isinstance(value, bool)]
    if wrong:
        raise BadInput(f'Every statement has "holds": true or false; found {json.dumps(wrong[0])}.')
    return NLAssertions(tuple(map(bool, holds)), tuple(str(verdict.get("reason") or "") for verdict in verdicts))


def answer_form(count: int) -> dict[str, Json]:
    """The answer's form as OpenAI's `response_format`."""
    verdict = object_of({"reason": {"type": "string", "maxLength": 120}, "holds": {"type": "boolean"}})
    return response_format("statements", object_of({f"statement_{n}": verdict for n in range(1, count + 1)}))
