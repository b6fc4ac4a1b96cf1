"""Which of several choices is meant: told by a figure and a unit, by what the words mean, by a line of a list."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from toolgym.sandbox.language.dialogue_acts import AgentAct
from toolgym.sandbox.language.mentions import Mention, find_mentions
from toolgym.sandbox.users.asking import choices, the_one
from toolgym.sandbox.users.slots import WishSlot, root

if TYPE_CHECKING:
    from toolgym.sandbox.users.wish import Wish

_NO_LONGER = re.compile(r"\bno longer ([a-z]+)|\b(?:no|not|never|without)\b|n't\b")
_LETTERS = re.compile(r"[a-z]{3,}")
_DENYING = re.compile(r"\b(?:no|not|non|without|never|only|just)\b|n't\b")
_LASTS = re.compile(r"\b(\d+) (day|week|month|hour)s?\b")
_SAME_CHOICE = tuple(
    (re.compile(one), re.compile(other))
    for one, other in (
        (
            r"\b(?:just for |only )?today\b",
            r"\b(?:tonight|for the day|day order|today(?:'s)? (?:close|only)|until the close)\b",
        ),
        (r"\bprecaution\b", r"\b(?:to be|on the|be) (?:on the )?safe\b|\bsafe side\b|\bprecaution"),
        (
            r"\b(?:amount|sum|price) is wrong\b",
            r"\b(?:wrong|incorrect|mistaken|different) (?:amount|sum|price|figure|total)\b|\b(?:amount|sum|"
            r"price|figure|"
            r"total)\b[^.;,]*\b(?:wrong|incorrect|off|not right|isn't right|doesn't (?:match|add up))\b",
        ),
        (r"\bthought better\b|\bchanged my mind\b", r"\bchang(?:e|ed|ing) (?:of |my |your |their )?mind\b"),
        (
            r"\bback on the card\b",
            r"\b(?:card|way|method) (?:that )?(?:you|was|it was) (?:originally )?(?:paid|used|bought)\b|"
            r"\boriginal (?:card|payment|method)\b|\b(?:back )?(?:on|to) (?:the|your) card\b",
        ),
        (
            r"\b(?:newest|most recent|latest)\b",
            r"\b(?:newest|most recent|latest|youngest|last (?:one )?(?:placed|entered|added|opened))\b",
        ),
        (
            r"\boldest\b",
            r"\b(?:oldest|earliest|first (?:one )?placed)\b|\b(?:open|there|waiting|standing)(?: for)?(?: the)? "
            r"longest\b|"
            r"\blongest[- ](?:open|standing|waiting)\b",
        ),
        (r"\b(?:weakest|worst)\b", r"\b(?:weakest|poorest|worst|lowest)(?:[ -](?:perform|do|return)\w*)?\b"),
        (
            r"\b(?:strongest|best)\b",
            r"\b(?:strongest|top|best|highest)(?:[ -](?:perform|do|return)\w*)\b|\bstrongest\b",
        ),
        (r"\bwrong (?:thing|item|one|product)\b", r"\bwrong (?:thing|item|one|product|article)\b"),
        (r"\b(?:billed|charged|booked|paid) twice\b", r"\b(?:duplicate|twice|double)\b"),
        (r"\bstolen\b|\bthief\b|\bfraud\b", r"\b(?:fraud\w*|stolen|theft|thief|stole)\b"),
        (
            r"\bfound\b|\bat home all along\b|\bturned up\b",
            r"\b(?:found|turned up|showed up|back in your hands|at home)\b",
        ),
        (r"\bdamaged\b|\bbroken\b", r"\b(?:damaged?|broken|faulty|defective|cracked)\b"),
        (
            r"\bdoes(?: not|n't) fit\b|\btoo (?:small|big|large)\b",
            r"\b(?:does(?: not|n't) fit|wrong size|too (?:small|big|large|tight))\b",
        ),
        (r"\bthey asked\b|\bsomebody asked\b|\brequested\b", r"\b(?:request\w*|asked for|asked us)\b"),
    )
)
"""What a choice is told by, where its own words are not said."""
_MAIL = r"(?:e-?mail(?:s|ed|ing)?|mail(?:s|ed|ing)?|sen(?:d|ds|t|ding))"
NO_MAIL = re.compile(
    rf"(?:\b(?:no|not|without|never|nobody|nothing|none)\b|n't\b)(?: (?!only\b)[a-z]+){{0,2}} {_MAIL}\b"
    r"(?: (?:anything|it) by e-?mail)?|\bdeliver(?:y|ed)?\W{1,4}none\b|\be-?mail\W{1,4}(?:no|none|off)\b"
)
"""What says that no mail goes out."""
BY_MAIL = re.compile(
    r"\b(?:(?:by|via|per|through|as an) e-?mail|(?:e-?mail|mail)(?:ed|ing)? (?:it|them|the|that|this|to|out|right)|"
    r"(?:be|is|gets?|and|then) (?:e-?)?mail(?:ed)?|e-?mails? (?:goes|go|leaves?)|delivery\W{1,4}e-?mail)\b"
)
"""What says that mail goes out."""
_WITHOUT_MAIL, _WITH_MAIL = re.compile(r"\b(?:without|no)\b[^.;,]*\be-?mail\b"), re.compile(r"\bby e-?mail\b")
_FUNCTION = frozenset("the they for because was were are our our have has had that this you your not been and".split())


def is_chosen_so(slot: WishSlot, text: str) -> bool:
    """Whether a choice is told by its figure and unit, "90d", or by what its words mean, "as the customer asked"."""
    words = slot.words.casefold()
    otherwise, meant = _meanings(words)
    if any(each.search(text) for each in otherwise):
        return True
    if _WITHOUT_MAIL.search(words):
        return NO_MAIL.search(text) is not None
    if _WITH_MAIL.fullmatch(words):
        return NO_MAIL.search(text) is None and BY_MAIL.search(text) is not None
    if (lasts := _LASTS.search(words)) is not None:
        return re.search(rf"\b{lasts[1]}[ -]?{lasts[2][0]}(?:ays?|eeks?|onths?|ours?)?\b", text) is not None
    return bool(meant) and meant <= {root(word) for word in _LETTERS.findall(text)}


@lru_cache(maxsize=1024)
def _meanings(words: str) -> tuple[Sequence[re.Pattern[str]], frozenset[str]]:
    """By what else a choice in these words is told, and the beginnings of words that tell it together; none for few."""
    otherwise = [other for one, other in _SAME_CHOICE if one.search(words)]
    is_told = len(words.split()) > 2 and not _DENYING.search(words)
    meant = (root(word) for word in _LETTERS.findall(words) if word not in _FUNCTION)
    return otherwise, frozenset(meant if is_told else ())


def line_meant(heard: AgentAct, slot: WishSlot, wish: Wish) -> str:
    """Which line of a list is meant, such as "The second one. ", where just one names what the slot refers to."""
    lines = choices(heard) if slot.kind == "reference" else ()
    wanted, person = frozenset(slot.keys), wish.person
    fitting = []
    for place, (start, end) in enumerate(lines):
        mentions = find_mentions(heard.plain[start:end], person.lexicon, wish.now)
        rows = [found for mention in mentions if (found := slot.rows(mention, person))]
        if rows and frozenset.intersection(*rows) <= wanted and any(found & wanted for found in rows):
            fitting.append(place)
    one = the_one(fitting)
    return f"{one[0].upper()}{one[1:]}. " if one else ""


_ANSWERED_NO = re.compile(
    r"[\W_]{0,4}(?:is |are |was |has been )?(?:no|none|not|declined|waived|skipped|off|excluded)\b(?! \d)"
)


def is_answered(mention: Mention, sentence: str, start: int) -> str:
    """What a word for a choice is answered with right after it: "travel insurance: no"; empty where it is not.

    Args:
        mention: the word.
        sentence: in which it stands, in lower case.
        start: where the sentence begins in the message.
    """
    return "no" if _ANSWERED_NO.match(sentence, mention.end - start) else ""


def is_own_denial(before: str, wish: Wish) -> bool:
    """Whether what is denied before a mention is what the user denies: "as no longer needed it means ..."."""
    last = [each.group(1) for each in _NO_LONGER.finditer(before)][-1:]
    return any(word and f"no longer {root(word)}" in wish.asked_for for word in last)
