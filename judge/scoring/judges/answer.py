"""Reads a judge's answer: one JSON object and nothing else, keys named once."""

from __future__ import annotations

import json

from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.models.reply import Reply


def read_object(reply: Reply) -> dict[str, Json]:
    """The one JSON object that a judge answers with, after its thoughts.

    Raises:
        BadInput: there is none; the sentence is meant for the judge.
    """
    if reply.refused:
        raise BadInput("It is a refusal.")
    if reply.cut:
        raise BadInput("It is cut off at the token limit; think more briefly.")
    body = reply.text.strip()
    if body.startswith("```"):
        body = body.removeprefix("```json").strip("`").strip()
    try:
        value = json.loads(body, object_pairs_hook=_no_doubles)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"After </think> there must be one JSON object and nothing else: {error}.") from None
    if not isinstance(value, dict):
        raise BadInput("After </think> there must be one JSON object and nothing else.")
    return value


def _no_doubles(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key occurs twice")
    return found
