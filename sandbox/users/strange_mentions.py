"""What a mention contradicts that nothing of the wish explains, where it says something of what will be done.

Another row, figure or day than the wish's; what is only told for information, or as where something is from, is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolgym.sandbox.language.mentions import Mention
from toolgym.sandbox.language.prefilter import Prefiltered
from toolgym.sandbox.language.roles import Role
from toolgym.sandbox.language.said import same_value
from toolgym.sandbox.language.tokens import squash
from toolgym.sandbox.users.checks.own_words import ADDRESS_OF
from toolgym.sandbox.users.figures import is_of_a_word
from toolgym.sandbox.users.lexicon import CHOICE
from toolgym.sandbox.users.proposal_reading import Line
from toolgym.sandbox.users.slots import WishSlot, is_alike, is_amount
from toolgym.sandbox.users.verdict import Verdict
from toolgym.sandbox.users.wish import Wish

_ROUND_MONEY = re.compile(r"(?:[^.;,|\n]|[.,](?=\d))*")
_MEANING_LITTLE = frozenset(("date", "time", "money", "number", "count", "term", "identifier", "phone", "email"))
_DUTY = Prefiltered(r"[^.!?]{0,60}\b(?:be asked|be told|have to|has to|needs? to|must)\b")
_FILE = re.compile(r"\w\.\w")
_HEARS = re.compile(r" (?:will be|would be|gets?|is) (?:told|informed|notified)\b")
FIGURES = ("date", "time", "money", "duration")
"""Kinds of mentions that say a day, an hour, an amount or a length in figures."""
_TELLS = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|cannot|currently|presently|costs?|takes?|refund\w*|see|found|checked|"
    r"located|"
    r"business|within|total|price|balance|fee|charge|difference|left|available|limit|need\w*|after|before|bill|"
    r"statement|"
    r"results?|mean\w*|ends?|remain\w*|stays?|start\w*|began|born|placed|booked|until|bought|paid|made|reference|"
    r"stands?|current|allowance|covers?|asks?|sits|takes|asking|today|so far|"
    r"comes?|with you|arriv\w*|deliver\w*|expected|lapses?|expires?)\b|'s\b|'ve\b"
)
"""What tells what is and has been, or what comes of it, with figures of its own."""
_NAMING = ("identifier", "term", "phone", "email")
_PART = re.compile(r" (?:out )?of (?:the |your |this )?(?:invoice|bill|payment|order|debt)")


def contradict(
    mention: Mention, line: Line, role: Role | None, wish: Wish, verdict: Verdict, named: dict[str, WishSlot]
) -> None:
    """Note a mention that nothing of the wish explains, where it says something of what will be done."""
    if (mention.kind not in _MEANING_LITTLE and mention.kind != "duration") or is_of_a_word(mention, line, wish):
        return
    if mention.columns and all(column.startswith(CHOICE) for column in mention.columns):
        return  # a choice that the wish does not make
    if mention.role == "not":
        return  # what it is expressly not: "the one of March 7, not of March 1"
    slots = [slot for slot in wish.slots if is_alike(slot, mention)]
    pointed = role is not None and any(role in slot.roles for slot in slots)
    pointed = pointed or (mention.kind == "time" and any(slot.fact.name in named for slot in slots))
    if mention.kind == "term" and _DUTY.search(line.sentence.text, mention.end - line.sentence.start):
        return
    is_hinted = line.hinting and (mention.kind in _NAMING or not _TELLS.search(clause_around(mention, line)))
    is_figure = mention.kind in FIGURES and not _TELLS.search(line.sentence.text)
    if not (line.acting or pointed or is_hinted or is_figure):
        return
    if mention.kind in _NAMING:
        if not mention.columns and mention.kind not in ("identifier", "term"):
            slots = [slot for slot in wish.slots if mention.kind == "phone" and wish.has_phone(slot)]
            verdict.wrong += [(slot, mention.text) for slot in slots[:1]]
            return
        if mention.kind == "term" and not _is_a_name(mention, line, role, wish):
            return
        if _is_source(mention, line, wish):
            return
        if mention.kind == "identifier" and (
            _is_called_otherwise(mention, line, wish, slots) or _is_part_of_words(mention, wish)
        ):
            return
        aimed = [slot for slot in slots if not slot.clashes(role)] or slots
        if aimed:
            verdict.wrong.append((aimed[0], mention.text))
        elif mention.kind == "identifier" or any(wish.person.named(column, mention.text) for column in mention.columns):
            after = line.sentence.text[mention.end - line.sentence.start :]
            if _HEARS.match(after) and wish.has_seen(mention.text):
                return  # a guest of the event that is called off
            verdict.beside.append(mention.text)  # another row; an option of things that nobody speaks of is none
    elif slots and not (is_amount(mention) and _is_beside(mention, line, wish)):
        verdict.wrong.append((slots[0], mention.text))
    elif mention.kind == "money" and not slots and _PART.match(line.sentence.text, mention.end - line.sentence.start):
        verdict.beside.append(mention.text)  # "charge $1,000 of the invoice"
    elif mention.kind == "date" and not slots and not same_value("date", mention.value, wish.now.date()):
        verdict.beside.append(mention.text)


def _is_source(mention: Mention, line: Line, wish: Wish) -> bool:
    """Whether a row only says which address is meant: "the address used for order #W1"."""
    has_address = any(isinstance(slot.fact.value, dict) and "address1" in slot.fact.value for slot in wish.slots)
    return has_address and ADDRESS_OF.search(line.sentence.text[: mention.start - line.sentence.start]) is not None


def clause_around(mention: Mention, line: Line) -> str:
    """The words around a mention between two stops."""
    text, offset = line.sentence.text, mention.start - line.sentence.start
    start = max(text.rfind(sign, 0, offset) for sign in ",;(:") + 1
    ends = [end for sign in (", ", ";", ")", ". ") if (end := text.find(sign, offset + len(mention.text))) >= 0]
    return text[start : min(ends, default=len(text))]


def _is_called_otherwise(mention: Mention, line: Line, wish: Wish, slots: Sequence[WishSlot]) -> bool:
    """Whether the word before a key of this form says that it is of something else: "flight GYM040"."""
    before = next(
        (token.low for token in reversed(line.tokens) if token.end <= mention.start and token.kind == "word"), ""
    )
    own = {word for slot in slots for word in wish.world.nouns.get(slot.table, "").split(" ")}
    is_known = any((slot.table, str(mention.value)) in wish.person.rows for slot in slots)
    return bool(slots) and not is_known and before not in own and wish.world.is_thing(before)


def _is_part_of_words(mention: Mention, wish: Wish) -> bool:
    """Whether figures are a group of a longer code that the user has said."""
    figures = squash(mention.text)
    return len(figures) > 5 and any(figures in squash(slot.words) for slot in wish.slots)


def _is_a_name(mention: Mention, line: Line, role: Role | None, wish: Wish) -> bool:
    """Whether a word of the world is meant as a name: "bills" is one in "Bills" and in "the bills account"."""
    is_sided = role is not None and not (mention.role is None and wish.world.is_thing(mention.text.casefold()))
    if is_sided or " " in mention.text or line.label_end or any(map(str.isdigit, mention.text)):
        return True
    capital = mention.text[0].isupper() and mention.start > line.tokens[0].start
    beside = [token.low for token in line.tokens if mention.end <= token.start <= mention.end + 1]
    before = [token.low for token in line.tokens if token.end in (mention.start, mention.start - 1)]
    is_called = _FILE.search(mention.text) is not None or any(_is_sort(word, mention, wish) for word in before)
    return capital or is_called or any(wish.world.is_thing(word) for word in beside)


def _is_sort(word: str, mention: Mention, wish: Wish) -> bool:
    """Whether a word is another column's value of the rows that a name is of: "the folder reports"."""
    tables = {column.split(".")[0] for column in mention.columns if "." in column}
    sorts = [f"{table}.{column}" for table in tables for column in wish.person.spoken.get(table, ())]
    return any(wish.person.named(column, word) for column in sorts if column not in mention.columns)


def _is_beside(mention: Mention, line: Line, wish: Wish) -> bool:
    """Whether an amount is told for information: a balance, a limit, what will be left."""
    offset = mention.start - line.sentence.start
    start = max(line.sentence.text.rfind(sign, 0, offset) for sign in ",;(") + 1
    match = _ROUND_MONEY.match(line.sentence.text, start)
    clause = match.group() if match else ""
    slots = {part for slot in wish.slots for part in slot.fact.name.split("_")}
    return any(word in wish.world.money - slots for word in re.findall(r"[a-z]+", clause))
