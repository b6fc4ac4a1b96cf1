"""Whether what an agent proposes is the wish: action, things and sides are compared, and what does not fit is named.

Fails closed: a yes needs the wish's own action, each slot named rightly, and nothing beside it. Everything else is a
correction, a question or a no.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from sandbox.language.dialogue_acts import AgentAct
from sandbox.language.inflection import forms
from sandbox.language.mentions import Mention, find_mentions
from sandbox.language.roles import Role
from sandbox.language.verbs import says_little
from sandbox.users.additions import additions
from sandbox.users.departures import departures
from sandbox.users.lexicon import CHOICE
from sandbox.users.proposal_reading import Line, Reading, is_untouched, read
from sandbox.users.records import is_told
from sandbox.users.slots import WishSlot
from sandbox.users.wish import Wish

Fit = Literal["right", "open", "wrong", "other", "added", "denied", "unclear"]

_OWN = re.compile(r"\b(?:my|your|the) ")
_ROUND_MONEY = re.compile(r"[^.;,|\n]*")
_COMMON = frozenset("this that all one none it any other yes no".split())
_PARTING = frozenset("and to from into onto or with for instead".split())
_MEANING_LITTLE = frozenset(("date", "time", "money", "number", "count", "term", "identifier", "phone", "email"))
_DUTY = re.compile(r"[^.!?]{0,60}\b(?:be asked|be told|have to|has to|needs? to|must)\b")
_FILE = re.compile(r"\w\.\w")
_NAMING = ("identifier", "term", "phone", "email")


@dataclass
class Verdict:
    """What came of comparing.

    Attributes:
        fit: right; open (slots are not named); wrong (slots are contradicted); other (another action); added (more
            than was wanted); denied (it says that it will not be done); unclear (no action of the wish's).
        named: slots that it names rightly.
        wrong: slots that it contradicts, each with the words that do.
        missing: needed slots that it leaves open.
        beside: the words for what is not wanted.
        asserts: it names the wish's action as something to come.
        vague: it promises something in words that could be any action.
        said: by slots of plain values how the message puts them.
    """

    fit: Fit
    named: list[WishSlot] = field(default_factory=list)
    wrong: list[tuple[WishSlot, str]] = field(default_factory=list)
    missing: list[WishSlot] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    asserts: bool = False
    vague: bool = False
    said: dict[str, str] = field(default_factory=dict)


def compare(heard: AgentAct, wish: Wish, settled: frozenset[str] = frozenset()) -> Verdict:
    """Compare a message with a wish.

    Args:
        heard: the message.
        wish: what is wanted.
        settled: names of slots that an earlier proposal named rightly.
    """
    verdict = Verdict("right")
    reading = read(heard, wish)
    for slot in wish.slots:
        slot.partial.clear()
    named: dict[str, WishSlot] = {}
    _place_all(heard, reading.lines, wish, verdict, named)
    for slot in wish.slots:
        if slot.is_wholly_named():
            named[slot.fact.name] = slot
        _look(slot, heard.text, wish, named)
    verdict.beside += [*reading.beside, *additions(reading.lines, wish, heard.plain)]
    verdict.named = list(named.values())
    if any(slot.is_fixed and _is_state_of(slot, wish) for slot in verdict.named):
        reading.own, reading.near = True, []  # "set the card back to active"
    verdict.asserts = reading.own
    open_slots = [slot for slot in wish.needed if slot.fact.name not in named and slot.fact.name not in settled]
    verdict.missing = [slot for slot in open_slots if not wish.implies(verdict.named, slot)]
    verdict.fit = _fit(verdict, reading, len(wish.needed))
    if verdict.fit == "right" and (further := list(departures(heard, wish))):
        verdict.fit, verdict.beside = "added", further
    return verdict


def _place_all(
    heard: AgentAct, lines: Sequence[Line], wish: Wish, verdict: Verdict, named: dict[str, WishSlot]
) -> None:
    """Put each mention of the lines into the slot that it names."""
    before: Mention | None = None
    for mention in find_mentions(heard.plain, wish.person.lexicon, wish.now):
        line = next((line for line in lines if line.sentence.start <= mention.start < line.sentence.end), None)
        if line is not None:
            verdict.vague = verdict.vague or (not line.sentence.listed and says_little(line.tokens))
            is_label = mention.start < line.sentence.start + line.label_end
            is_label = is_label and (not _is_row(mention) or _is_a_slots_name(mention, wish))
            if not is_label and not _ends_span(before, mention, wish):
                _place(mention, line, wish, verdict, named)
        before = mention


def _is_row(mention: Mention) -> bool:
    """Whether a label is itself a row's name: "Training call: daily, until April 9"."""
    return mention.kind in ("term", "identifier") and any("." in each or each[:1].isupper() for each in mention.columns)


def _is_a_slots_name(mention: Mention, wish: Wish) -> bool:
    """Whether a label is what a slot is called, though somewhere it is a value too: "Month: February"."""
    return mention.text.casefold() in {slot.fact.name.replace("_", " ") for slot in wish.slots}


def _is_state_of(slot: WishSlot, wish: Wish) -> bool:
    """Whether a fixed choice is what the action's verb brings about: "active" of "activate"."""
    value = str(slot.fact.value)
    return any(value in forms(verb) or verb.startswith(value[:5]) for verb in wish.world.verbs(wish.kind))


def _fit(verdict: Verdict, reading: Reading, needed: int) -> Fit:
    if reading.denied:
        return "denied"
    if verdict.wrong:
        return "wrong"
    own = verdict.asserts
    has_value = any(slot.kind != "reference" for slot in verdict.named)
    is_whole = not verdict.missing and has_value
    if verdict.beside or reading.is_other(own, is_whole):
        return "added" if own else "other"
    if not own and (verdict.missing or (verdict.vague and not has_value) or (needed < 2 and not is_whole)):
        return "unclear"
    return "open" if verdict.missing else "right"


def _place(mention: Mention, line: Line, wish: Wish, verdict: Verdict, named: dict[str, WishSlot]) -> None:
    """Put a mention into the slot that it names, or note what it contradicts."""
    role = line.label or mention.role or _carried(mention, line)
    line.before = (mention, role)
    fitting = [slot for slot in wish.slots if slot.fits(mention, wish.person)]
    if fitting and is_untouched(mention, line):
        verdict.wrong += [(slot, mention.text) for slot in fitting if slot.kind == "reference"]
        return
    if mention.negated or mention.role in ("instead_of", "not"):
        verdict.wrong += [(slot, mention.text) for slot in fitting if _is_whole(slot, mention, wish)]
        return
    chosen = [(slot, slot.is_chosen(mention, wish.person)) for slot in wish.slots]
    if any(right is not None for _, right in chosen) and not fitting:
        _choose(chosen, mention, line, wish.phrasing, verdict, named)
        return
    label = line.sentence.text[: line.label_end]
    if mention.kind == "date":  # "to March 25 at 10 am", where only the hour is the wished one
        other = [slot for slot in wish.slots if slot.kind == "moment" and slot not in fitting]
        moved = role == "to" and not (fitting and _lasts_until(mention, line, label))
        verdict.wrong += [(slot, mention.text) for slot in other if moved or slot.fact.name in label]
    called = label.strip("-*:| ").casefold()  # "Person: Anika Koh", by which a side is told that has this name
    labelled = [slot for slot in wish.slots if slot.twins and slot.table and slot.fact.name == called]
    if labelled and fitting and not any(slot in labelled for slot in fitting):  # "Folder: the file list.txt"
        verdict.wrong += [(slot, mention.text) for slot in labelled]
        return
    unclear = [slot for slot in fitting if slot.roles and role not in slot.roles and slot.fact.name != called]
    sided = [slot for slot in fitting if not slot.clashes(role) and slot not in unclear]
    if fitting and all(slot.clashes(role) for slot in fitting):
        verdict.wrong += [(slot, mention.text) for slot in fitting]
    for slot in sided:
        if slot.kind != "reference":
            before = verdict.said.get(slot.fact.name)
            verdict.said[slot.fact.name] = f"{before}, {mention.text}" if before else mention.text
            named[slot.fact.name] = slot
        elif all(other.kind == "reference" for other in sided):
            slot.partial.append(slot.rows(mention, wish.person))
    if not fitting and not wish.explains(mention):
        _contradict(mention, line, role, wish, verdict, named)


def _lasts_until(mention: Mention, line: Line, label: str) -> bool:
    """Whether a day is the last one of something: "until April 29"."""
    before = label or line.sentence.text[: mention.start - line.sentence.start]
    return before.rstrip("*:| ").casefold().endswith(("until", "till"))


def _ends_span(before: Mention | None, mention: Mention, wish: Wish) -> bool:
    """Whether a time only says when what begins at the wished one is over: "12 noon to 12:30" for half an hour."""
    if before is None or mention.kind != "time" or before.kind != "time" or mention.role != "to":
        return False
    lasts = (mention.value.hour - before.value.hour) * 60 + mention.value.minute - before.value.minute
    begins = any(slot.kind in ("moment", "time") and slot.fits(before, wish.person) for slot in wish.slots)
    lengths = [slot.fact.value for slot in wish.slots if slot.kind == "duration"]
    return begins and lasts > 0 and (not lengths or lasts in lengths)


def _carried(mention: Mention, line: Line) -> Role | None:
    """The side of what is named in several words: "from your checking account that ends in 5897"."""
    if line.before is None or (not mention.columns and mention.kind not in ("number", "identifier")):
        return None
    first, role = line.before
    between = [token.low for token in line.tokens if first.end <= token.start < mention.start]
    return role if len(between) <= 6 and not _PARTING & set(between) else None


def _is_whole(slot: WishSlot, mention: Mention, wish: Wish) -> bool:
    return slot.kind != "reference" or slot.rows(mention, wish.person) <= set(slot.keys)


def _choose(
    chosen: list[tuple[WishSlot, bool | None]],
    mention: Mention,
    line: Line,
    phrasing: str,
    verdict: Verdict,
    named: dict[str, WishSlot],
) -> None:
    """A word for one of several choices, right or wrong."""
    right = [slot for slot, found in chosen if found]
    named.update({slot.fact.name: slot for slot in right})
    if mention.text.casefold() in _COMMON and not line.label_end:
        return
    if not right and line.acting and not re.search(rf"\b{re.escape(mention.text.casefold())}\b", phrasing):
        verdict.wrong += [(slot, mention.text) for slot, found in chosen if found is False]


def _contradict(
    mention: Mention, line: Line, role: Role | None, wish: Wish, verdict: Verdict, named: dict[str, WishSlot]
) -> None:
    """Note a mention that nothing of the wish explains, where it says something of what will be done."""
    if mention.kind not in _MEANING_LITTLE and mention.kind != "duration":
        return
    if mention.columns and all(column.startswith(CHOICE) for column in mention.columns):
        return  # a choice that the wish does not make
    slots = [slot for slot in wish.slots if is_alike(slot, mention)]
    pointed = role is not None and any(role in slot.roles for slot in slots)
    pointed = pointed or (mention.kind == "time" and any(slot.fact.name in named for slot in slots))
    if mention.kind == "term" and _DUTY.search(line.sentence.text, mention.end - line.sentence.start):
        return
    if not (line.acting or pointed):
        return
    if mention.kind in _NAMING:
        if not mention.columns and mention.kind not in ("identifier", "term"):
            slots = [slot for slot in wish.slots if mention.kind == "phone" and wish.has_phone(slot)]
            verdict.wrong += [(slot, mention.text) for slot in slots[:1]]
            return
        if mention.kind == "term" and not _is_a_name(mention, line, role, wish):
            return
        aimed = [slot for slot in slots if not slot.clashes(role)] or slots
        if aimed:
            verdict.wrong.append((aimed[0], mention.text))
        elif mention.kind == "identifier" or any(wish.person.named(column, mention.text) for column in mention.columns):
            verdict.beside.append(mention.text)  # another row; an option of things that nobody speaks of is none
    elif slots and not (mention.kind == "money" and _is_beside(mention, line, wish)):
        verdict.wrong.append((slots[0], mention.text))
    elif mention.kind == "date" and not slots and wish.is_later(mention):
        verdict.beside.append(mention.text)


def is_alike(slot: WishSlot, mention: Mention) -> bool:
    """Whether a mention is of the sort that a slot holds: a row of its table, an amount, a day."""
    if mention.columns:
        return any(column.split(".")[0] == slot.table for column in mention.columns)
    kinds: dict[str, tuple[str, ...]] = {
        "money": ("money",), "date": ("date", "moment"), "time": ("time", "moment"), "duration": ("duration",),
        "count": ("number",), "number": ("number",),
    }  # fmt: skip
    return slot.kind in kinds.get(mention.kind, ()) and slot.may_count(mention)


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


def _look(slot: WishSlot, text: str, wish: Wish, named: dict[str, WishSlot]) -> None:
    """Find what is no typed mention: a text, a record, a yes or no, or the user's very words."""
    if slot.kind == "flag":
        if bool(slot.fact.value) is False or any(part in text for part in slot.fact.name.split("_")):
            named[slot.fact.name] = slot
    elif slot.twins or (slot.kind in ("money", "number", "duration", "date", "time") and " " not in slot.words):
        return
    elif _OWN.sub("", slot.words.casefold()) in _OWN.sub("", text) or (
        slot.kind in ("text", "record") and is_told(slot.fact.value, slot.words, text, wish.person.labels)
    ):
        named[slot.fact.name] = slot
