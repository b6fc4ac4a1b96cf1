"""The words of a reply as the checks compare them: the same letters for the same text, and the words that matter."""

from __future__ import annotations

import re

_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_COMMON = frozenset(
    "a about all also am an and any are as at be been but by can could do does don't for from get give have hello "
    "help hi i i'd i'm in is it it's its just like me my need no not of on one or order out please so some thank "
    "thanks that that's the their them there these they this those to too up want was we what when which who will with "
    "would yes you your".split()
)


def plain(text: str) -> str:
    """Lower case, thousands separators and hyphens between digits removed, blanks and quotes made equal."""
    text = re.sub(r"(?<=\d),(?=\d{3})|(?<=\d)[- ](?=\d{3,})", "", text.lower().replace("’", "'"))
    return re.sub(r"\s+", " ", text)


def telling(text: str) -> list[str]:
    """The words that carry a text's meaning, cut to their first six letters so that inflections match."""
    return [word[:6] for word in dict.fromkeys(_WORD.findall(plain(text))) if word not in _COMMON]
