"""Another layout of what tools answer: keys in another order, spread over lines or tight; values stay as they are."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from toolgym.sandbox.kit.message import Json

_LAYOUTS: tuple[dict[str, Any], ...] = ({"indent": 2}, {"indent": 4}, {"indent": "\t"}, {"separators": (",", ":")})


def laid_out(text: str, rng: Random) -> str:
    """A JSON object or list in another layout; any other text as it is."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    if not isinstance(value, dict | list):
        return text
    return json.dumps(_shuffled(value, rng), ensure_ascii=False, **rng.choice(_LAYOUTS))


def _shuffled(value: Json, rng: Random) -> Json:
    if isinstance(value, dict):
        names = rng.sample(sorted(value), len(value))
        return {name: _shuffled(value[name], rng) for name in names}
    return [_shuffled(item, rng) for item in value] if isinstance(value, list) else value
