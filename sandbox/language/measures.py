"""Whether a value is told of what was asked for: of now and not of before, of what is used or what is left, as the
result and not as what it is made of.

What is looked at is the clause around the value; English only, and of no world.
"""

from __future__ import annotations

import re

from toolgym.sandbox.language.mentions import Mention

_PARTS = re.compile(r"[,;!?\n]|\.(?:\s|$)|\bbut\b|\b(?:and|so) (?:now|then|it's|it is)\b")
_EARLIER = re.compile(
    r"\bbefore (?:i|you|we|the|that|this|it|your|my|any|[a-z]+ing)\b|\b(?:previously|originally|formerly|earlier|"
    r"at first|back then|at that time|until now|so far it was|initially|once was|had been)\b|"
    r"\bfirst (?:read|thought|saw|said)\b|"
    r"\b(?:had|was|were|stood)\b.*\b(?:at the end of|last (?:week|month|year|time)|yesterday)\b"
)
"""What says that a value is one of another moment."""
_PAST = re.compile(r"\b(?:before|previous\w*|original\w*|former\w*|earlier|initial\w*|old|yesterday|so far)\b")
"""What a question holds that is about an earlier moment itself."""
_OPPOSITES = (
    (r"\b(?:used|spent|consumed|usage|went)\b", r"\b(?:left|remain\w*|available|unused|still have|to go)\b"),
    (
        r"\b(?:overdrawn|overdue|in the red|in debt|owed?|owing|missing|short)\b",
        r"\b(?:available|spend|balance|left|have)\b",
    ),
)
"""What one amount of a thing is called and what the other one is."""
_LIMIT = re.compile(
    r"(?<!remaining )\b(?:limit|maximum|max|cap|ceiling|minimum|allowance|budget|deposit|threshold|"
    r"reserve)\b(?: \w+){0,3}? (?:is|was|of|at|are|:) [$€£]?$"
)
"""An amount that is none of what there is: "your own maximum is $31.66"."""
_ASKS_LIMIT = re.compile(
    r"\b(?:limit|max\w*|cap|ceiling|min\w*|allow\w*|budget|deposit|threshold|reserve|most|least)\b"
)
_REDUCED = re.compile(
    r"^[^.;\n]{0,12}?\b(?:minus|less|plus|reduced by)\b[^.;\n]*\d[^.;\n]*(?:\bmakes?\b|\bthus\b|\bso\b|=|\bleav\w+\b|"
    r"\bcomes? to\b|\btotals?\b|\bgives\b)[^.;\n]*\d"
)
"""After a value: what is taken from it or added to it before the result is told."""
_SOUGHT = re.compile(
    r"[^.!?\n]*(?:\blet me (?:check|look|search|find|see)\b|\bstill (?:searching|looking|checking|waiting|finding)\b|"
    r"\bhave(?:n't| not) (?:yet )?(?:computed|found|looked|worked|checked|calculated)\b|\b(?:isn't|is not) shown\b|"
    r"\bfor you it's (?:different|another)\b)"
)
"""After a value, in its sentence: that the answer is still being looked for."""
_HAPPENED = re.compile(
    r"\b(?:booked|made|charged|posted|placed|dated|happened|entered|bought|ordered)\b(?: \w+)?(?: on)? $"
)
_ASKS_UNTIL = re.compile(r"\b(?:until|till|deadline|latest|how long|by when|last day|expir\w+)\b")


def is_of_another(text: str, mention: Mention, about: str, near: tuple[str, ...]) -> bool:
    """Whether a value is said to be another one of the thing than was asked for.

    Args:
        text: what was said.
        mention: the value in it.
        about: the question or the wish.
        near: words of which one belongs to the value.
    """
    low, asked = text.lower().replace("’", "'"), f"{about.lower()} {' '.join(near).lower()}"
    starts = [found.end() for found in _PARTS.finditer(low, 0, mention.start)]
    ends = _PARTS.search(low, mention.end)
    before, after = low[starts[-1] if starts else 0 : mention.start], low[mention.end :]
    clause = f"{before}{low[mention.start : ends.start() if ends else len(low)]}"
    if mention.kind in ("date", "time") and _SOUGHT.match(after):
        return True
    if mention.kind == "date":
        return _HAPPENED.search(before) is not None and _ASKS_UNTIL.search(asked) is not None
    if mention.kind == "time":
        return False
    if _EARLIER.search(clause) and not _PAST.search(asked):
        return True
    if _SOUGHT.match(after) or _REDUCED.match(after) or (_LIMIT.search(before) and not _ASKS_LIMIT.search(asked)):
        return True
    return any(_is_opposite(clause, asked, one, other) for one, other in _OPPOSITES) or _is_opposite(
        clause, asked, _OPPOSITES[0][1], _OPPOSITES[0][0]
    )


def _is_opposite(clause: str, asked: str, said: str, wanted: str) -> bool:
    """Whether a clause tells what is one way of a thing, where the other way was asked for."""
    is_said = re.search(said, clause) is not None and re.search(wanted, clause) is None
    return is_said and re.search(wanted, asked) is not None and re.search(said, asked) is None
