"""Which id of a recorded run is which of ours, for things that the conversation itself created.

A booking is HATHAT there and 4KX0QZ here; a later call that names HATHAT means ours. The pairs are learnt from results:
where ours holds an id that the session has generated, the recorded result has its counterpart in the same place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.runtime.session import Session

_WORD = re.compile(r"[^\s,.;:!?\"'()]+")
"""What may be an id in a sentence: `Certificate certificate_3221322 added to user ...`."""


class NewIds:
    """The pairs of one episode.

    Args:
        session: where the calls are executed again.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._ours: dict[str, str] = {}
        self._theirs: dict[str, str] = {}

    def ours(self, arguments: dict[str, Json] | str) -> dict[str, Json] | str:
        """A recorded call's arguments with our ids. Only whole values are ids: a word of a sentence may be anything."""
        if isinstance(arguments, str) or not self._ours:
            return arguments
        found: dict[str, Json] = _with_texts(arguments, lambda text: self._ours.get(text.strip(), text))
        return found

    def theirs(self, value: Json) -> Json:
        """A result of ours with the recorded ids, for comparison."""
        if not self._theirs:
            return value
        return _with_texts(value, lambda text: _WORD.sub(lambda word: self._theirs.get(word[0], word[0]), text))

    def learn(self, there: Json, here: Json) -> None:
        """Pair what a call returned there with what it returned here.

        Args:
            there: the recorded result, JSON text read.
            here: our result.
        """
        new = self._session.new_ids - self._theirs.keys()
        if new and there != here:
            self._pair(there, here, new)

    def _pair(self, there: Json, here: Json, new: frozenset[str]) -> None:
        if isinstance(there, str) and isinstance(here, str):
            words, wanted = _WORD.findall(here), _WORD.findall(there)
            for ours, theirs in zip(words, wanted, strict=True) if len(words) == len(wanted) else ():
                self._note(theirs, ours, new)
        elif isinstance(there, list) and isinstance(here, list):
            for one, other in zip(_without(there, here), _without(here, there), strict=False):
                self._pair(one, other, new)
        elif isinstance(there, Mapping) and isinstance(here, Mapping):
            for name in there.keys() & here.keys():
                self._pair(there[name], here[name], new)
            left = [name for name in there if name not in here]
            for theirs, ours in zip(left, [name for name in here if name in new and name not in there], strict=False):
                self._pair({"key": theirs, "value": there[theirs]}, {"key": ours, "value": here[ours]}, new)

    def _note(self, theirs: str, ours: str, new: frozenset[str]) -> None:
        if ours in new and ours != theirs and theirs not in self._ours and ours not in self._theirs:
            self._ours[theirs], self._theirs[ours] = ours, theirs


def _without(items: list[Any], others: list[Any]) -> list[Any]:
    """The items that the other list does not hold as well: lists may be in another order there."""
    return [item for item in items if item not in others]


def _with_texts(value: Json, change: Callable[[str], str]) -> Any:
    """A value with every text in it changed, keys included."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_with_texts(item, change) for item in value]
    if isinstance(value, Mapping):
        return {change(key): _with_texts(item, change) for key, item in value.items()}
    return value
