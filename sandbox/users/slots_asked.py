"""Which slots of a wish an agent's question is for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import Any

from sqlalchemy.orm import DeclarativeBase

from toolgym.sandbox.kit.goal import Goal
from toolgym.sandbox.language.dialogue_acts import AgentAct
from toolgym.sandbox.language.mentions import find_mentions
from toolgym.sandbox.language.tokens import singular
from toolgym.sandbox.users.asking import (
    asks_reason,
    is_vague,
    is_which,
    is_yes_or_no,
    names_one,
    narrowed,
    parts_asking,
    parts_of,
)
from toolgym.sandbox.users.asking_words import FROM, TO, WHICH, WHICH_ROW
from toolgym.sandbox.users.slots import WishSlot, is_alike
from toolgym.sandbox.users.wish import Wish

_HEAD = re.compile(
    r"\b(?:which|what|whose)(?: (?:of|one of)(?: the| your| these| those)?)? (?P<noun>(?:[a-z]+ ){0,2}?[a-z]+)"
    r"(?= (?!of\b)[a-z']+(?: |\?|$)|[?,:;.]|$)"
)
_OPTION = re.compile(r"[(,] ?([a-z][a-z ]*): ")
_WHEN = re.compile(r"\W*(?:and )?(?:(?:from|since|until|by|on) )?(?:when|which (?:day|date)|what (?:day|date))\b")
_HOW = re.compile(r"\bhow (?:should|shall|would|do|can)\b")
"""Asks for a manner, which is no thing's name: "How should I sort costs.txt?"."""
_WHO = re.compile(r"\bwhom?\b(?! (?:am|do|are) (?:i|you|we)\b)|\bwho's\b|\bwhose\b")
_SOMEBODY = re.compile(r"[A-ZÀ-Þ][a-zà-ÿ'-]+(?: |$)|\S+@\S+$")
"""What begins with a name, or is an address."""
_WORD = re.compile(r"[a-z]{2,}")
_SMALL = frozenset(
    "a about again all an and any are as at be by can do does for from get give go had has have how i id if in is it "
    "its key last least me most my need no not of on one or other out please shall she should so such than that the "
    "their them then there they this to today until up us was we what when where which who whom whose why will with "
    "word would yes you your want like mean exactly name text number first day time date kind only those both "
    "each".split()
)
"""Words that speak of anything."""


def asked_for(asked: str, heard: AgentAct, wish: Wish) -> list[WishSlot]:
    """The slots of a wish that a request, in lower case, asks for."""
    usual = [slot for slot in wish.slots if slot.kind != "free"]
    asked = asked.replace(" from you ", " ")
    by_name = partial(_called, usual=usual, wish=wish)
    further = (partial(_of_the_sort, usual=usual, wish=wish), partial(_described, usual=usual, wish=wish))
    # beside a proposal the wish's words stand for the proposal, and ask for nothing
    found = narrowed(asked, by_name) if heard.proposal else narrowed(asked, by_name, *further)
    if not found and (which := WHICH.search(asked)):
        mentions = find_mentions(heard.plain, wish.person.lexicon, wish.now)
        named = [each for each in mentions if which["name"] and which["name"] in each.text.lower().split()]
        mentions = mentions if not which["name"] else tuple(named)
        tables = {column.split(".")[0] for mention in mentions for column in mention.columns}
        found = [slot for slot in usual if slot.table in tables and slot.table]
        fitting = [slot for slot in found if any(slot.fits(each, wish.person) for each in mentions)]
        found = fitting or found
    if not found and not (is_vague(asked) or _HOW.search(asked)):
        found = _named_in_question(heard, usual, wish)
    for part in parts_of(asked):
        if " or " in part and (chosen := _chosen_between(part, usual, wish)):
            beside = {id(slot) for slot in usual if slot.asked.search(part)} if not is_which(part) else set()
            found = [*chosen, *(slot for slot in found if id(slot) not in beside and slot not in chosen)]
    if reason := [slot for slot in found if "reason" in slot.fact.name and asks_reason(asked)]:
        found = [slot for slot in found if slot in reason or not slot.table or is_which(asked)]
    pairs = [slot for slot in found if slot.twins]
    if len(pairs) > 1:
        side = "from" if FROM.search(asked) else "to" if TO.search(asked) else None
        if side and not (FROM.search(asked) and TO.search(asked)):
            found = [slot for slot in found if not slot.twins or side in slot.roles]
    return found


def besides(asked: str, slots: Sequence[WishSlot]) -> str:
    """A request without the words that ask for these slots and may ask for the person as well: "In whose name?"."""
    taken = [word for word in ("name", "code") if any(slot.asked.search(word) for slot in slots)]
    return (
        re.sub(rf"(?<!your )(?<!full )(?<!first )(?<!last )\b(?:{'|'.join(taken)})s?\b", " ", asked) if taken else asked
    )


def _called(part: str, usual: Sequence[WishSlot], wish: Wish) -> list[WishSlot]:
    """The slots that a question names: by the noun of "which ...", or in words for such slots."""
    by_topic = (
        [slot for name in wish.topics.in_text(part) for slot in _first_of(name, usual, wish)] if wish.topics else []
    )
    plain = [
        slot
        for slot in usual
        if wish.topics is None
        or not wish.topics.says_how(slot.called)
        or ("_" in slot.called and slot.called.replace("_", " ") in part)
    ]
    whole = [slot for slot in usual if "_" in slot.called and slot.called.replace("_", " ") in part]
    by_topic = [slot for slot in by_topic if not any(slot.called in each.called for each in whole)]
    found = [*whole, *by_topic] or _headed(part, plain) or [slot for slot in plain if slot.asked.search(part)]
    by_option = [slot for slot in reversed(usual) if any(word in part for word in ("option", *_options_of(slot)))]
    is_open = is_which(part) or "option" in part
    return [*found, *(slot for slot in by_option[:1] if is_open and _options_of(slot) and slot not in found)]


def _options_of(slot: WishSlot) -> list[str]:
    """What the options of the things that a slot holds are called: "color" of "the Lamp (color: black, ...)"."""
    return _OPTION.findall(slot.words) if slot.kind == "record" else []


def _first_of(topic: str, usual: Sequence[WishSlot], wish: Wish) -> list[WishSlot]:
    """Of several facts that say one thing the first one known."""
    names = (wish.topics.by_name[topic].facts if wish.topics else ()) or (topic,)
    found = {slot.called: slot for slot in reversed(usual)}
    return next(([found[name]] for name in names if name in found), [])


def _headed(part: str, usual: Sequence[WishSlot]) -> list[WishSlot]:
    """The slots that are called by the noun of "which ...", the last word of it first: "which shipping speed"."""
    found: list[WishSlot] = []
    for match in _HEAD.finditer(part):
        words = [singular(word) for word in _WORD.findall(match["noun"])]
        named = ([slot for slot in usual if word in _name_of(slot)] for word in reversed(words))
        first = next(filter(None, named), [])
        if not first:
            return []
        most = max(len(_name_of(slot).intersection(words)) for slot in first)  # "which new items" are not the items
        found += [slot for slot in first if slot not in found and len(_name_of(slot).intersection(words)) == most]
    rest = _HEAD.sub(" ", part)
    return [*found, *(slot for slot in usual if slot not in found and slot.asked.search(rest))] if found else []


def _name_of(slot: WishSlot) -> set[str]:
    return {singular(word) for word in slot.fact.name.split("_")}


def _of_the_sort(part: str, usual: Sequence[WishSlot], wish: Wish) -> list[WishSlot]:
    """The slots whose words hold an answer to "when" or "who", where nothing is asked for by its name."""
    if _WHEN.search(part):
        kinds = ("date", "time", "moment")
        return [slot for slot in usual if any(each.kind in kinds for each in find_mentions(slot.words, None, wish.now))]
    named = [slot for slot in usual if slot.kind in ("reference", "record", "text") and _SOMEBODY.match(slot.words)]
    return named if _WHO.search(part) else []


def _described(part: str, usual: Sequence[WishSlot], wish: Wish) -> list[WishSlot]:
    """The slot of which a question holds most words: the user's own, those of its row's columns or its parameter."""
    if _HOW.search(part):
        return []
    words = {singular(word) for word in _WORD.findall(part)} - _SMALL
    plain = [slot for slot in usual if slot.kind not in ("choice", "flag", "secret") and slot.fact.name != "reason"]
    shared = [(len(words & _terms(slot, wish)), slot) for slot in plain]
    most = max((count for count, _ in shared), default=0)
    best = [slot for count, slot in shared if count == most]
    if most < 2 and is_yes_or_no(part):
        return []  # "Have you been a customer of ours for long?"
    return best if most and (len(best) == 1 or not any(slot.fact.on_request for slot in best)) else []


def _terms(slot: WishSlot, wish: Wish) -> frozenset[str]:
    """The plain words that speak of a slot, in the singular."""
    declared = wish.declared
    table = declared.tables.get(slot.fact.name) if declared else None
    return _declared_terms(declared, slot.fact.name, table) | _plain(slot.words)


@cache
def _declared_terms(declared: Goal | None, name: str, table: type[DeclarativeBase] | None) -> frozenset[str]:
    if declared is None:
        return frozenset()
    columns = " ".join(table.__table__.columns.keys()).replace("_", " ") if table is not None else ""
    properties: Mapping[str, Any] = declared.tool.parameters["properties"]
    wires = [declared.tool.inputs.get(each, each) for each in (declared.slot(name).fills or (name,))]
    about = " ".join(str(properties.get(wire, {}).get("description", "")).split("such as")[0] for wire in wires)
    return _plain(f"{columns} {about}")


def _plain(text: str) -> frozenset[str]:
    return frozenset(singular(word) for word in re.findall(r"(?<![\w.-])[a-z]{2,}", text)) - _SMALL


def _chosen_between(asked: str, usual: list[WishSlot], wish: Wish) -> list[WishSlot]:
    """The slots whose choices a question names: "Was it lost or stolen?"."""
    person = wish.person
    mentions = find_mentions(asked, person.lexicon, wish.now)
    return [slot for slot in usual if any(slot.is_chosen(each, person) is not None for each in mentions)]


def _named_in_question(heard: AgentAct, usual: list[WishSlot], wish: Wish) -> list[WishSlot]:
    """The slots whose sort of value a question names: "the 0111 one or the 0154 one?"; "which meeting's room?"."""
    person = wish.person
    asked = [each for each in heard.sentences if each.act == "ask"]
    every = find_mentions(heard.plain, person.lexicon, wish.now)
    spans = [span for part in asked for span in parts_asking(part)]
    mentions = [each for each in every if any(start <= each.start < end for start, end in spans)]
    told = " ".join(each.text for each in heard.sentences if each.act == "tell")
    unnamed = [slot for slot in usual if not any(key.casefold() in told for key in slot.keys)]
    found = [slot for slot in unnamed if any(slot.fits(each, person) or is_alike(slot, each) for each in mentions)]
    references = [slot for slot in usual if slot.table]
    nouns = wish.world.nouns
    others = [noun for table, noun in nouns.items() if not any(slot.table == table for slot in references)]
    if not found and WHICH_ROW.search(heard.asked) and len(references) == 1 and not names_one(heard.asked, others):
        return references
    return found
