"""Whether what an agent proposes is the wish: action, things and sides are compared, and what does not fit is named.

Fails closed: a yes needs the wish's own action, each slot named rightly, and nothing beside it. Everything else is a
correction, a question or a no.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from sandbox.kit.message import Json
from sandbox.language.dialogue_acts import AgentAct, Sentence
from sandbox.language.mentions import Mention, find_mentions
from sandbox.language.negation import negated_tokens
from sandbox.language.roles import Role
from sandbox.language.tokens import Token, singular, tokenize
from sandbox.language.verbs import is_denied, promises, says_little
from sandbox.users.lexicon import CHOICE
from sandbox.users.slots import WishSlot, role_in
from sandbox.users.wish import Wish

Fit = Literal["right", "open", "wrong", "other", "added", "denied", "unclear"]

_LABEL = re.compile(r"^[\s*_`\"]*([a-z][a-z /_-]{0,40}?)[*_`\"]*\s*(?::|\|)")
_ALL = re.compile(
    r"\b(all|every|both|each|entire|whole|everything)\b(?:[ -](?:of|the|your|my|other|else|single|one))*[ -]?([a-z]+)?"
)
_NOT_ALL = re.compile(r"\bnot (?:the |your |for |cancel )?$")
_FEE = re.compile(r"\b(?:fees?|surcharges?|service charges?|penalt(?:y|ies)|commissions?|extra charges?)\b")
_NO_FEE = re.compile(
    r"\b(?:no|without|zero|waiv\w+|free of|any|\$0(?:\.00)?)(?: \w+){0,2} (?:fees?|surcharges?|charges?|penalt\w+|"
    r"commissions?)|"
    r"(?:fees?|charges?)\W+(?:none|no\b|\$?0(?:\.00)?\b|(?:is|are|will be) waived|does|don't|do not|won't)"
)
_WILL_NOT = re.compile(r"\b(?:i|we)(?: will not|'ll not| won't| would not| wouldn't)\b(?! be able)")
_OWN = re.compile(r"\b(?:my|your|the) ")
_ROUND_MONEY = re.compile(r"[^.;,|\n]*")
_COMMON = frozenset("this that all one none it any other yes no".split())
_PARTING = frozenset("and to from into onto or with for instead".split())
_MEANING_LITTLE = frozenset(("date", "time", "money", "number", "count", "term", "identifier"))


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
    """

    fit: Fit
    named: list[WishSlot] = field(default_factory=list)
    wrong: list[tuple[WishSlot, str]] = field(default_factory=list)
    missing: list[WishSlot] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    asserts: bool = False
    vague: bool = False


@dataclass(slots=True)
class _Line:
    """A sentence that says something of what will be done."""

    sentence: Sentence
    tokens: list[Token]
    negated: frozenset[int]
    label: Role | None
    label_end: int
    acting: bool = False
    before: tuple[Mention, Role | None] | None = None


def compare(heard: AgentAct, wish: Wish, settled: frozenset[str] = frozenset()) -> Verdict:
    """Compare a message with a wish.

    Args:
        heard: the message.
        wish: what is wanted.
        settled: names of slots that an earlier proposal named rightly.
    """
    verdict = Verdict("right")
    lines, own, denied = _read(heard, wish, verdict)
    verdict.asserts = own
    mentions = find_mentions(heard.plain, wish.person.lexicon, wish.now)
    for slot in wish.slots:
        slot.partial.clear()
    named: dict[str, WishSlot] = {}
    for mention in mentions:
        line = next((line for line in lines if line.sentence.start <= mention.start < line.sentence.end), None)
        if line is not None and not line.sentence.listed and says_little(line.tokens):
            verdict.vague = True
        if line is not None and mention.start >= line.sentence.start + line.label_end:
            _place(mention, line, wish, verdict, named)
    for slot in wish.slots:
        if slot.partial and frozenset.intersection(*slot.partial) <= set(slot.keys):
            named[slot.fact.name] = slot
        _look(slot, heard.text, named)
    _look_beside(lines, wish, verdict)
    verdict.named = list(named.values())
    verdict.missing = [slot for slot in wish.needed if slot.fact.name not in named and slot.fact.name not in settled]
    verdict.fit = _fit(verdict, own, denied, len(wish.needed))
    return verdict


def _fit(verdict: Verdict, own: bool, denied: bool, needed: int) -> Fit:
    if denied:
        return "denied"
    if verdict.wrong:
        return "wrong"
    if verdict.beside:
        return "added" if own else "other"
    if not own and (verdict.missing or verdict.vague or needed < 2):
        return "unclear"
    return "open" if verdict.missing else "right"


def _read(heard: AgentAct, wish: Wish, verdict: Verdict) -> tuple[list[_Line], bool, bool]:
    """The lines that count, whether one names the wish's action, and whether one says that it will not be done."""
    tokens = tokenize(heard.plain)
    negated = negated_tokens(tokens)
    lines: list[_Line] = []
    own = denied = False
    for sentence in heard.sentences:
        if sentence.act == "more" or (sentence.act == "ask" and not promises(sentence.text)):
            continue
        inside = [index for index, token in enumerate(tokens) if sentence.start <= token.start < sentence.end]
        if not inside:
            continue
        first = inside[0]
        part = tokens[first : inside[-1] + 1]
        not_said = frozenset(index - first for index in inside if index in negated)
        use = wish.world.action(wish.kind, part, not_said)
        if use is not None and is_denied(sentence.text, use):
            denied = True
            continue
        if sentence.act == "refuse":
            denied = denied or _WILL_NOT.search(sentence.text) is not None
            continue
        label = _LABEL.match(sentence.text) if sentence.listed else None
        others = wish.world.other_actions(wish.kind, part, not_said, sentence)
        others = [word for word in others if word.lower() not in wish.own_words]
        verdict.beside += others
        own = own or use is not None
        acting = use is not None or bool(others) or label is not None or promises(sentence.text)
        role = role_in(label.group(1)) if label else None
        lines.append(_Line(sentence, part, not_said, role, label.end(1) if label else 0, acting))
    return lines, own, denied


def _place(mention: Mention, line: _Line, wish: Wish, verdict: Verdict, named: dict[str, WishSlot]) -> None:
    """Put a mention into the slot that it names, or note what it contradicts."""
    role = line.label or mention.role or _carried(mention, line)
    line.before = (mention, role)
    fitting = [slot for slot in wish.slots if slot.fits(mention, wish.person)]
    if mention.negated or mention.role in ("instead_of", "not"):
        verdict.wrong += [(slot, mention.text) for slot in fitting if _is_whole(slot, mention, wish)]
        return
    chosen = [(slot, slot.is_chosen(mention, wish.person)) for slot in wish.slots]
    if any(right is not None for _, right in chosen) and not fitting:
        _choose(chosen, mention, line, wish.phrasing, verdict, named)
        return
    sided = [slot for slot in fitting if not slot.clashes(role) and (not slot.roles or role in slot.roles)]
    if fitting and all(slot.clashes(role) for slot in fitting):
        verdict.wrong += [(slot, mention.text) for slot in fitting]
    for slot in sided:
        if slot.kind != "reference":
            named[slot.fact.name] = slot
        elif all(other.kind == "reference" for other in sided):
            slot.partial.append(slot.rows(mention, wish.person))
    if not fitting and not wish.explains(mention):
        _contradict(mention, line, role, wish, verdict)


def _carried(mention: Mention, line: _Line) -> Role | None:
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
    line: _Line,
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


def _contradict(mention: Mention, line: _Line, role: Role | None, wish: Wish, verdict: Verdict) -> None:
    """Note a mention that nothing of the wish explains, where it says something of what will be done."""
    if mention.kind not in _MEANING_LITTLE and mention.kind != "duration":
        return
    if mention.columns and all(column.startswith(CHOICE) for column in mention.columns):
        return  # a choice that the wish does not make
    slots = [slot for slot in wish.slots if _is_alike(slot, mention)]
    pointed = role is not None and any(role in slot.roles for slot in slots)
    if not (line.acting or pointed):
        return
    if mention.kind in ("identifier", "term"):
        if mention.kind == "term" and not _is_a_name(mention, line, role, wish):
            return
        aimed = [slot for slot in slots if not slot.clashes(role)] or slots
        if aimed:
            verdict.wrong.append((aimed[0], mention.text))
        else:
            verdict.beside.append(mention.text)
    elif slots and not (mention.kind == "money" and _is_beside(mention, line, wish)):
        verdict.wrong.append((slots[0], mention.text))
    elif mention.kind == "date" and not slots and wish.is_later(mention):
        verdict.beside.append(mention.text)


def _is_alike(slot: WishSlot, mention: Mention) -> bool:
    if mention.columns:
        return any(column.split(".")[0] == slot.table for column in mention.columns)
    kinds: dict[str, tuple[str, ...]] = {
        "money": ("money",), "date": ("date", "moment"), "time": ("time", "moment"), "duration": ("duration",),
        "count": ("number",), "number": ("number",),
    }  # fmt: skip
    return slot.kind in kinds.get(mention.kind, ())


def _is_a_name(mention: Mention, line: _Line, role: Role | None, wish: Wish) -> bool:
    """Whether a word of the world is meant as a name: "bills" is one in "Bills" and in "the bills account"."""
    if role is not None or " " in mention.text or line.label_end:
        return True
    capital = mention.text[0].isupper() and mention.start > line.tokens[0].start
    beside = [token.low for token in line.tokens if mention.end <= token.start <= mention.end + 1]
    return capital or any(wish.world.is_thing(word) for word in beside)


def _is_beside(mention: Mention, line: _Line, wish: Wish) -> bool:
    """Whether an amount is told for information: a balance, a limit, what will be left."""
    offset = mention.start - line.sentence.start
    start = max(line.sentence.text.rfind(sign, 0, offset) for sign in ",;(") + 1
    match = _ROUND_MONEY.match(line.sentence.text, start)
    clause = match.group() if match else ""
    slots = {part for slot in wish.slots for part in slot.fact.name.split("_")}
    return any(word in wish.world.money - slots for word in re.findall(r"[a-z]+", clause))


def _look(slot: WishSlot, text: str, named: dict[str, WishSlot]) -> None:
    """Find what is no typed mention: a text, a record, a yes or no, or the user's very words."""
    if slot.kind == "flag":
        if bool(slot.fact.value) is False or any(part in text for part in slot.fact.name.split("_")):
            named[slot.fact.name] = slot
    elif slot.twins or (slot.kind in ("money", "number", "duration", "date", "time") and " " not in slot.words):
        return
    elif _OWN.sub("", slot.words.casefold()) in _OWN.sub("", text) or (
        slot.kind in ("text", "record") and all(part.casefold() in text for part in _parts(slot.fact.value))
    ):
        named[slot.fact.name] = slot


def _parts(value: Json) -> Sequence[str]:
    if isinstance(value, dict):
        return [part for inner in value.values() for part in _parts(inner)]
    if isinstance(value, list):
        return [part for inner in value for part in _parts(inner)]
    return [str(value)] if value not in (None, "") else []


def _look_beside(lines: Sequence[_Line], wish: Wish, verdict: Verdict) -> None:
    """Note what comes on top: "all your accounts", a fee, another sort of thing."""
    for line in lines:
        text = line.sentence.text
        if line.acting:
            for match in _ALL.finditer(text):
                usual = match.group(1) in wish.quantifiers and ("your" not in match.group() or wish.is_many)
                usual = usual and not ("your" in match.group() and singular(match.group(2) or "") in wish.singles)
                if usual or _NOT_ALL.search(text[: match.start()]):
                    continue
                word = match.group(2) or ""
                if (
                    match.group(1) == "everything"
                    or wish.world.is_thing(word)
                    or word in ("money", "balance", "amount")
                ):
                    verdict.beside.append(match.group().strip())
        if _FEE.search(text) and not _NO_FEE.search(text) and "fee" not in wish.world.money:
            verdict.beside.append("a fee")
        if line.acting:
            verdict.beside += [noun for noun in wish.strangers if re.search(rf"\b{noun}s?\b", text)]
