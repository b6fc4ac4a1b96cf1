"""What a proposal says beside a wish's own values that changes what is done: closed classes of English words.

A yes needs that all of them are accounted for. Exceptions, further things, other persons, a later day, a rhythm, a
condition, another currency: each class has the words that bring it and the settings in which these words change
nothing, such as "once you confirm". What the user said itself is always accounted for. New settings are a question
asked once too often; a missing one among the bringing words would be a yes too much.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sandbox.language.dialogue_acts import AgentAct
from sandbox.language.mentions import find_mentions
from sandbox.language.prefilter import Prefiltered
from sandbox.users.departure_words import CLASSES, OPPOSITES, STAYS, WordClass
from sandbox.users.proposal_reading import AnyWish
from sandbox.users.rhythms import other_rhythms
from sandbox.users.wish import Wish

_CLAUSE = re.compile(r"[.;:!?\n,()|]+(?!\d)|\s[-–—]+\s|…")
_INNER = re.compile(r"\(([^()]*)\)")
_WORD = re.compile(r"[a-z0-9#][\w'.-]*")
_MY = Prefiltered(r"\bmy\b")
_OPPOSED = tuple((Prefiltered(one), Prefiltered(other)) for one, other in OPPOSITES)
_KEPT = Prefiltered(rf"{STAYS}|\bas (?:before|booked|planned|is)\b")
_SMALL = frozenset(
    "a an the my your our i i'd i'm i'll you we it its is are was be to of on in at for from with by and or but that "
    "this there please something else one more thing can could would want like need me also have has not no put get "
    "make so do does new all as if up about ending ends end account order card line trip".split()
)
"""Words of a wish that say little about it."""


def departures(heard: AgentAct, wish: AnyWish) -> Iterator[str]:
    """The words of a message that would change what is done and that nothing accounts for.

    Args:
        heard: the message, whose values all fit.
        wish: what is wanted.
    """
    own = wish.asked_for
    yield from _opposites(heard, own)
    yield from other_rhythms(heard, wish)
    if not (any(each.brings.search(heard.text) for each in CLASSES) or _EVERY.search(heard.plain)):
        return
    telling = {word for word in _WORD.findall(own) if word not in _SMALL and not wish.world.is_thing(word)}
    yield from _of_all(heard, wish, telling)
    is_ended = _ENDS.search(own) is not None or _ends_of_itself(heard, wish)
    is_on_condition = _WAITS.search(wish.phrasing) is not None
    classes = [
        each
        for each in CLASSES
        if not (each.unless_dated and is_ended)
        and not (each.of_condition and is_on_condition)
        and not (each.of_several and (wish.is_many or wish.quantifiers))
        and not (each.unless_said and re.search(each.unless_said, own))
    ]
    said = _put(wish)
    for sentence in heard.sentences:
        if sentence.act != "more":
            text = _LABEL.sub(r"\1 ", _TILL.sub("until", sentence.text))
            inner = _INNER.findall(text)
            for clause in filter(None, map(str.strip, _CLAUSE.split(" . ".join((_INNER.sub(" ", text), *inner))))):
                yield from _in_clause(clause, classes, said, telling)


def _ends_of_itself(heard: AgentAct, wish: AnyWish) -> bool:
    """Whether the day until which something is said to last is one that the right calls show: a hold's last day."""
    days = (each for each in find_mentions(heard.plain, None, wish.now) if each.kind == "date")
    return isinstance(wish, Wish) and any(
        _UNTIL.search(heard.text[: each.start]) and wish.explains(each) for each in days
    )


def _put(wish: AnyWish) -> str:
    """How such a wish is put, with its own values, by the user and by whom it speaks to."""
    said = (
        f"{wish.phrasing} {wish.asked_for} {wish.kind.replace('_', ' ').replace('certificate', 'certificate voucher')}"
    )
    for slot in wish.slots if isinstance(wish, Wish) else ():
        said = said.replace(f"{{{slot.fact.name}}}", slot.words.lower())
    return f"{said} {_MY.sub('your', said)}"


_LABEL = re.compile(r"^(\W*[a-z][a-z ]{2,30}):(?= )")
"""What a line is about belongs to its clause: "Holding fee: applies each month"."""
_TILL = Prefiltered(r"\btill\b")
_UNTIL = re.compile(r"\b(?:until|till|through) $")
_WAITS = Prefiltered(r"\b(?:if|when|once|as soon as|whenever)\b|\b(?:has|have) (?:risen|fallen|dropped|gone)\b")
_ENDS = Prefiltered(r"\b(?:until|till|through|last(?! \w+ digits| digits)|(?:end|ends|ending)(?! in\b)|stop)\b")
_EVERY = Prefiltered(r"\b([Aa]ll|[Ee]very|[Bb]oth) (?:of )?(?:the |your )?([A-ZÀ-Þ][\w'-]+)")


def _of_all(heard: AgentAct, wish: AnyWish, telling: set[str]) -> Iterator[str]:
    """What is done to each of several things where one was meant: "all Roadmap workshops"."""
    for match in () if wish.is_many else _EVERY.finditer(heard.plain):
        if match.group(2).lower() in telling and match.group(1).lower() not in wish.quantifiers:
            yield match.group()


def _opposites(heard: AgentAct, own: str) -> Iterator[str]:
    for one, other in _OPPOSED:
        if one.search(own) and not other.search(own):
            for clause in _CLAUSE.split(heard.text) if other.search(heard.text) else ():
                rest = other.sub("", clause)
                if (match := other.search(clause)) and not _KEPT.search(rest) and not one.search(clause):
                    yield match.group()


def _in_clause(clause: str, classes: Iterable[WordClass], said: str, telling: set[str]) -> Iterator[str]:
    for each in classes:
        for match in each.brings.finditer(clause):
            is_said = match.group() in said or match.group().replace("your ", "my ") in said
            is_said = is_said or ("default" in match.group() and "default address" in said)
            if is_said or (each.harmless is not None and each.harmless.search(clause)):
                continue
            if each.unless_told and telling & set(_WORD.findall(clause)):
                continue
            yield match.group()
