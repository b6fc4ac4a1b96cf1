"""Numbers in their roles: a number is right only for what it is said of, such as "2 missing" and "7 received"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from sandbox.language.dialogue_acts import AgentAct
from sandbox.language.numbers import spell
from sandbox.users.call_terms import call_terms
from sandbox.users.wish import Wish

_SPELT = {spell(number): number for number in range(1, 21)}
_NUMBER = rf"\d+|{'|'.join(sorted(_SPELT, key=len, reverse=True))}"
_BETWEEN = r"(?: (?:pieces?|units?|items?|of (?:them|these)|is|are|was|were|as|being|marked|still|went))"
_OF = re.compile(rf"(?<!\$)\b(?P<number>{_NUMBER}) (?:out )?of (?:the |your |all |my )*(?P<all>{_NUMBER})\b(?![.,]\d)")


def misplaced(heard: AgentAct, wish: Wish) -> Iterator[str]:
    """Numbers that a proposal says of something else than the wish does."""
    terms, text = call_terms(wish), heard.text
    for word, right in terms.roles:
        for match in _in_role(word).finditer(text) if word in text else ():
            if _value(match["before"] or match["after"]) not in right:
                yield match.group()
    for thing, quantity in terms.pieces:
        for match in re.finditer(rf"\b(?P<number>{_NUMBER}) {re.escape(thing)}s?\b", text):
            if _value(match["number"]) != quantity:
                yield match.group()
    for match in _OF.finditer(text) if " of " in text else ():
        if _value(match["all"]) in terms.numbers and _value(match["number"]) not in terms.numbers:
            yield match.group()


@cache
def _in_role(word: str) -> re.Pattern[str]:
    """A number right before or after the word for its role: "2 pieces are missing", "received: 7"."""
    return re.compile(
        rf"(?<![\w.$-])(?P<before>{_NUMBER}){_BETWEEN}* {re.escape(word)}\w*|"
        rf"\b{re.escape(word)}\w*(?: (?:is|are|only|just|all))*[:=]? (?P<after>{_NUMBER})\b"
        r"(?! (?:missing|short))(?![.,]\d)"
    )


def _value(number: str) -> int:
    return int(number) if number.isdigit() else _SPELT[number]
