"""What a negation reaches: in "that is not 100 but 120" the 100 is denied and the 120 said.

A scope begins after the negator and ends with the clause. Not a parser: a word list with the ends that English gives.
"""

from __future__ import annotations

from toolgym.sandbox.language.tokens import Token, low_at, words_at

_NEGATORS = frozenset("no not cannot cant dont isnt never without neither nor except".split())
_HARMLESS = (
    "only", "just", "until", "more", "less", "later", "earlier", "sure", "yet", "necessarily", "to mention", "at all",
    "a problem", "exceed", "exceeding", "attend", "attending", "be attending", "be coming", "be joining", "join",
    "coming", "come", "mean",
)  # fmt: skip
"""After a negator these deny nothing of what follows: "not only 100", "not later than Friday"."""
_ENDS = frozenset("\n . ; : ! ? , – — -> → (".split(" ")) | frozenset(
    "but because since so that which who instead than exceed over above below under i we they he she unless and "
    "although if".split()
)
"""Where a clause ends. A comma does ("you need not worry, it costs $100"), "or" does not ("not Monday or
Tuesday"), and neither does a pronoun that may be an object. A bound is told all the same ("not more than $100")."""
_REACH = 12
"""Tokens at most; a longer scope is a clause whose end was missed."""
_NOUN_REACH = 3
""" "No" denies its own noun phrase: "no fee applies to the $100"."""
_SAYING = frozenset("say says said saying".split())
_WRONG = frozenset("wrong incorrect false mistaken".split())
_IS = frozenset("is was are were isn't wasn't aren't".split())
_PASSIVE = frozenset("is are was were gets get".split())
_NOT_NOUNS = frozenset("later more less earlier one , . problem worries doubt".split())
_SAME = ("right", "correct", "the right", "the correct", "what", "it")


def negated_tokens(tokens: list[Token]) -> frozenset[int]:
    """The tokens inside the scope of a negation."""
    found: set[int] = set()
    for index, token in enumerate(tokens):
        if token.low not in _NEGATORS and not token.low.endswith("n't"):
            continue
        for position in range(index + 1, min(index + 1 + _reach(tokens, index), len(tokens))):
            if tokens[position].low in _ENDS:
                break
            found.add(position)
    return frozenset(found)


def denied_after(tokens: list[Token], end: int) -> bool:
    """Whether what ends here is called wrong right after: "100 is wrong", "that amount is not right"."""
    if low_at(tokens, end) not in _IS:
        return False
    after = low_at(tokens, end + 1)
    negative = low_at(tokens, end).endswith("n't") or after == "not"
    start = end + 1 + (after == "not")
    return after in _WRONG or (negative and words_at(tokens, start, *_SAME) > start)


def _reach(tokens: list[Token], index: int) -> int:
    if tokens[index].low == "no":
        return _no(tokens, index)
    if (
        "or" in (low_at(tokens, index - 1), low_at(tokens, index - 2))
        or low_at(tokens, index - 1) in ("why", "if")
        or words_at(tokens, index + 1, *_HARMLESS) > index + 1
    ):
        return 0
    return _REACH


def _no(tokens: list[Token], index: int) -> int:
    """What a "no" reaches: its noun in "no fee", all after "no longer", nothing in "no later than"."""
    if low_at(tokens, index + 1) == "to" and low_at(tokens, index - 1) in _SAYING:
        return 0  # "you'd say no to the offer" is about that offer
    if low_at(tokens, index + 1) == "longer":
        return _REACH
    for step in (2, 3, 4):
        if low_at(tokens, index + step) in _PASSIVE and low_at(tokens, index + 1) not in _NOT_NOUNS:
            return step + 1  # "no monthly fee is added"
    return 0 if low_at(tokens, index + 1) in ("later", "more", "less", "earlier", "one") else _NOUN_REACH
