"""Whether a text names the items that a wish without typed facts is about, and of new ones what is new."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import cast

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.users.plain_wish import PlainWish
from toolgym.sandbox.users.records import is_denied


def tells_items(name: str, items: list[dict[str, Json]], wish: PlainWish, text: str) -> bool | str | None:
    """Whether items are named, each; of new ones their changed options, and none that they do not have."""
    if name != "new_items":
        has_new = len(items) == 1 and any(fact.name == "new_items" for fact in wish.goal.facts)
        return all(_mentions(item, text) for item in items) or (None if has_new else False)
    old: Json = next((fact.value for fact in wish.goal.facts if fact.name == "items"), [])
    olds = [cast("dict[str, Json]", item) for item in old if isinstance(item, Mapping)] if isinstance(old, list) else []
    told = True
    for index, item in enumerate(items):
        if str(item.get("item_id", "")) in text and item.get("item_id"):
            continue
        changed = _changed(olds[index] if index < len(olds) else {}, item)
        for label, value in changed.items():
            if value in ("yes", "no"):
                denied = is_denied(label, text)
                if denied is not None and denied != (value == "no"):
                    return f"{'no ' if denied else ''}{label}"
                told = told and denied is not None
            else:
                told = told and re.search(rf"(?<![\w.]){re.escape(value)}(?![\w.]*\w)", text) is not None
    return told


def _changed(old: Mapping[str, Json], new: Mapping[str, Json]) -> dict[str, str]:
    before, after = _options(old), _options(new)
    return {label: value for label, value in after.items() if before.get(label) != value}


def _options(item: Mapping[str, Json]) -> dict[str, str]:
    held = cast("dict[str, Json]", item.get("options") or {})
    return {str(label).casefold(): str(value).casefold() for label, value in held.items()}


def _mentions(item: Mapping[str, Json], text: str) -> bool:
    name, identifier = str(item.get("name", "")).casefold(), str(item.get("item_id") or "")
    return bool(name and name.split(" ")[-1].removesuffix("s") in text) or bool(identifier and identifier in text)
