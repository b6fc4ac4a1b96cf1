"""Whether the reason that a proposal gives, if it gives one, can be the user's: they have a word in common."""

from __future__ import annotations

import re

from toolgym.sandbox.language.prefilter import Prefiltered

_GIVEN = Prefiltered(
    r"\b(?:because(?: of)?|(?<!\w )cause|since|due to|owing to|on account of|reason|given that|"
    r"not(?:e|ed|ing) (?:down )?that|on the grounds?|"
    r"as (?!you (?:asked|wish|want|request|said|like)|request|discuss|agree|before|follow|soon|well|it is|they are)"
    r"(?:you|it|an?|the \w+|[a-z]+ed)|[:,–-] ?you(?: have|'ve| had| never| no| did| do|r| are|'re|rself)?)\b"
    r"(?P<what>[^.;\n|]*)"
)
_WORD = re.compile(r"[a-z]{3,}")
_WEAK = frozenset(
    "the and for you your yours have has had was were are been not never did does don didn doesn longer with that this "
    "from they them its just any more anymore say said would will which who".split()
)
_STEM = 4
_MEANING = {"erro": "mist", "acci": "mist", "inad": "mist", "unin": "mist", "wron": "mist"}
"""Stems that mean what another one does: "placed in error" is "by mistake"."""


def may_be_reason(text: str, own: str) -> bool:
    """Whether a text in lower case gives no reason, or one with a word of the user's own.

    Args:
        text: what was said.
        own: the reason in the user's words.
    """
    given = [match["what"] for match in _GIVEN.finditer(text) if match["what"].strip()]
    return not given or any(_stems(each) & _stems(own.lower()) for each in given)


def _stems(text: str) -> frozenset[str]:
    return frozenset(_MEANING.get(word[:_STEM], word[:_STEM]) for word in _WORD.findall(text) if word not in _WEAK)
