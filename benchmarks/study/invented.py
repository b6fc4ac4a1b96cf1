"""Made-up ways to name a thing, for demonstrations of programs alone: no task has them.

Each wish is trained with some of the real ways and tested with another. A small model that met a wish in two ways ties
what it asks for to those two. So a part of the demonstrations names its thing otherwise: by a key of no world, by a
column that no table has, or through a place that is looked for first; the last call stays as it was but for its key.
"""

from __future__ import annotations

import random
import re

from toolgym.sandbox.kit.task import Task
from toolgym.training.sft import Chat

KEYS = ("Q-", "Z-", "W-", "no-", "X-", "ref-")
COLUMNS = ("colour", "label", "number", "code", "mark", "tag", "batch", "group")
PLACES = ("folder", "drawer", "branch", "box", "list", "shelf", "page", "row")
_KEY = re.compile(r"(?P<column>(?P<noun>[a-z]+)_id)=(?:'[^']*'|API_RESPONSE_\d+\.items\[0\]\.[a-z_]+)")
_CALLS = re.compile(r'(?<=\[")(.*)(?="\])')


def elsewhere(chat: Chat, task: Task, rng: random.Random) -> Chat:
    """The same wish about a thing that is named in a made-up way; the chat as it is, where its request names none.

    Args:
        chat: world, request and program, as the model is shown them.
        task: what is asked for.
        rng: draws.
    """
    world, request, program = (message["content"] for message in chat)
    named = [fact.words for goal in task.goals for fact in goal.facts if fact.kind == "reference"]
    last = _CALLS.search(program)[0].split('", "')[-1]  # type: ignore[index]  # every program of the oracle has calls
    key = _KEY.search(last)
    if key is None or not named or named[0] not in request:
        return chat
    words, before, found = _way(key["noun"], key["column"], rng)
    calls = '", "'.join([*before, last.replace(key[0], f"{key['column']}={found}")])
    contents = (world, request.replace(named[0], words), _CALLS.sub(lambda _: calls, program))
    return [{**message, "content": content} for message, content in zip(chat, contents, strict=True)]


def _way(noun: str, column: str, rng: random.Random) -> tuple[str, list[str], str]:
    """The words for a thing, the calls that find it, and its key."""
    number = "".join(rng.choice("0123456789") for _ in range(rng.choice((3, 4, 5))))
    steps = rng.randrange(3)
    if steps == 0:
        key = rng.choice(KEYS) + number
        return f"{noun} {key}", [], f"'{key}'"
    by = rng.choice(COLUMNS)
    if steps == 1:
        words = f"{rng.choice(('my', 'the'))} {noun} with the {by} {number}"
        return words, [f"list_{noun}s({by}='{number}')"], f"API_RESPONSE_0.items[0].{column}"
    place = rng.choice(PLACES)
    words = f"{rng.choice(('my', 'the'))} {noun} in the {place} with the {by} {number}"
    calls = [f"list_{place}s({by}='{number}')", f"list_{noun}s({place}_id=API_RESPONSE_0.items[0].{place}_id)"]
    return words, calls, f"API_RESPONSE_1.items[0].{column}"
