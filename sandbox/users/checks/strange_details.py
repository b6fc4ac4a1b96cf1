"""Details of a proposal that nothing of the wish holds and no typed mention shows: tails of numbers, quotes, names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolgym.sandbox.language.prefilter import Prefiltered
from toolgym.sandbox.users.checks.own_words import FREE, TITLES, is_accounted, is_akin
from toolgym.sandbox.users.checks.proposal import Proposal
from toolgym.sandbox.users.checks.skipping import only_where
from toolgym.sandbox.users.choices_said import is_chosen_so
from toolgym.sandbox.users.former import is_left_behind
from toolgym.sandbox.users.left_out import left_out_of
from toolgym.sandbox.users.lexicon import CHOICE
from toolgym.sandbox.users.records import is_told
from toolgym.sandbox.users.slots import is_alike
from toolgym.sandbox.users.wish import Wish

_TAIL = re.compile(
    r"(?:\b(?:end(?:s|ing)?(?: in| with| on)?|last (?:four|4)(?: digits)?(?: are| is| being)?|card(?: number)?|amex|"
    r"visa|mastercard)|[•*…]{2,})[ :(]*(\d{4})\b(?![-/.,]\d)"
)
_QUOTE = re.compile(r"[\"“]([^\"“”\n]{2,80})[\"”]")
_FIGURE = re.compile(r"(?<![\w.])\d+(?![\w.]\w)")
_WHOSE = re.compile(r"(?<=[a-z,;:] )([A-ZÀ-Þ][a-zà-ÿ]+)'s (?=[a-z])")
_SIZED = re.compile(r"\b([a-z]{4,}) (?:\d{1,3}|[A-Z])\b")
_IN_PLACE = Prefiltered(r"\bin (?:the )?([A-ZÀ-Þ][A-Za-zà-ÿ]+)\b")
_FIRST_NAME = re.compile(r"[A-ZÀ-Þ][a-zà-ÿ]+")
_MIDDLE_NAME = re.compile(r"(?<=[a-z,] )([A-ZÀ-Þ][a-zà-ÿ]+)\b")
_CONSENT = Prefiltered(r"\b(?:yes|no|ok|okay|confirm(?:ed)?|go|proceed|y|n|agree|approve)\b")
_WORD = re.compile(r"[a-z][a-z'-]+")
_FILE = Prefiltered(r"(?<![\w@./-])[\w-]+\.(?:txt|docx?|xlsx?|pdf|csv|zip|md|png|jpe?g|pptx?)\b")


def tails(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """Last figures of a card or number that the wish does not have."""
    for match in _TAIL.finditer(proposal.text):
        is_former = match.group(1) in wish.held.former_ends or (not wish.settles and wish.has_seen(match.group(1)))
        if is_former and is_left_behind(proposal.text, match.start(), match.end()):
            continue
        if match.group(1) not in wish.known and not re.fullmatch(r"(?:19|20)\d\d", match.group(1)):
            yield match.group()


@only_where(_FILE)
def files(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """Names of files that neither the wish nor its rows have, nor its right calls, as what comes out of an archive."""
    for name in _FILE.findall(proposal.text):
        is_known = re.search(rf"(?<![\w-]){re.escape(name)}", wish.known) is not None
        if not is_known and not any(path.casefold().endswith(f"/{name}") for path in wish.given):
            yield name


def receivers(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """Addresses to which nothing is to go: "forward it to" whoever wrote it."""
    for mention in proposal.values if wish.receivers else ():
        is_strange = mention.kind == "email" and mention.role != "from" and str(mention.value) not in wish.receivers
        if is_strange and any(each.sentence.start <= mention.start < each.sentence.end for each in proposal.acting):
            yield mention.text


@only_where(_IN_PLACE)
def places(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """Another place or country than the one by which the user tells one thing from its like: "in the UK"."""
    own = _IN_PLACE.findall(wish.goal.utterance)
    said = _IN_PLACE.findall(proposal.plain) if own else []
    if not said or any(place in said for place in own):
        return
    known = set(_WORD.findall(wish.known))
    for place in map(str.casefold, said):
        is_short = len(place) < len("usa") and any(word.startswith(place) for word in known)
        if place not in known and place not in FREE and place not in TITLES and not is_short:
            yield f"in {place}"


def sizes(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """A letter or figure after a label of the wished variant that neither the wish nor its rows have: "size L"."""
    labels = {label for slot in wish.slots if slot.kind == "record" for label in _SIZED.findall(slot.words)} - {"with"}
    for label in labels:
        for match in re.finditer(rf"\b{re.escape(label)} (\d{{1,3}}|[a-z])\b(?!')", proposal.text):
            if not re.search(rf"\b{match.group(1)}\b", wish.known):
                yield match.group()


def owners(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """A strange owner in what is to be written: "Anna's leave"."""
    for line in proposal.lines if any(slot.kind == "text" for slot in wish.slots) else ():
        names = _WHOSE.finditer(proposal.written(line))
        yield from (each.group() for each in names if each.group(1).casefold() not in wish.known)


def other_persons(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """A strange first name where the one that is to be written is not said: "congratulates Oscar"."""
    names = [slot.words for slot in wish.slots if slot.kind == "text" and _FIRST_NAME.fullmatch(slot.words)]
    for name in (each for each in names if each.casefold() not in proposal.text):
        for line in proposal.lines:
            for match in _MIDDLE_NAME.finditer(proposal.written(line)):
                word = match.group(1).casefold()
                if word not in FREE | TITLES and not re.search(rf"\b{re.escape(word)}\b", wish.known) and word != name:
                    yield match.group(1)


def quotes(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """What is quoted and has a word that the wish does not have."""
    for match in (found for line in proposal.lines for found in _QUOTE.finditer(proposal.written(line))):
        said = match.group(1).casefold()
        bare, words = said.strip(" .,;"), [word for word in _WORD.findall(said) if word not in FREE]
        is_known = all(is_accounted(word, wish) or is_akin(word, wish) for word in words)
        is_known = is_known and all(re.search(rf"\b{each}\b", wish.known) for each in _FIGURE.findall(said) if words)
        is_known = is_known or bare in wish.known or _is_choice(bare, wish) or bare in wish.met.split(" . ")
        if not is_known and not _CONSENT.search(said):
            yield match.group()


def _is_choice(said: str, wish: Wish) -> bool:
    """Whether words stand for a value of a choice of the wish, which is compared elsewhere."""
    choices = [slot for slot in wish.slots if slot.kind == "choice"]
    return any((slot.fact.name, said) in wish.person.choices or is_chosen_so(slot, said) for slot in choices)


def half_quoted(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """A draft of a text that says one thing of those which it is to say, and not the others."""
    texts = [slot for slot in wish.slots if slot.kind == "text"]
    for value in wish.given if len(texts) > 1 else ():
        inside = [slot for slot in texts if slot.words.casefold() in value.casefold()]
        for match in _QUOTE.finditer(proposal.text) if len(inside) > 1 else ():
            told = [is_told(slot.fact.value, slot.words, match.group(1), wish.person.labels) for slot in inside]
            if any(told) and not all(told):
                yield match.group()


_OF_A_CARD = Prefiltered(r"\b(?:card|certificate) (?:of|worth|over) $")
_ONTO = re.compile(r"\b(?:to|into|in)(?: an?| the)? $")
_ALONE = Prefiltered(
    r"(?<!not )\b(?:[Oo]nly|[Jj]ust) (?:for )?(?:(?P<own>your own [a-z]+)|(?P<name>[A-ZÀ-Þ][a-zà-ÿ]+))\b"
)


def other_sorts(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """Another way to pay than the wish's, of which the person has none: "your credit card" where it is PayPal."""
    said = " ".join(slot.words for slot in wish.slots if "payment" in slot.fact.name).casefold()
    is_open = not said or re.search(r"\bcard (?:ending|that ends)", said)
    for match in () if is_open else wish.world.choices.finditer(proposal.text):
        if match.group() in said or any(each.start <= match.start() < each.end for each in proposal.named):
            continue
        line = next((each for each in proposal.lines if match.start() < each.sentence.end), None)
        if line is not None and not is_left_behind(
            line.sentence.text, match.start() - line.sentence.start, match.end() - line.sentence.start
        ):
            yield match.group()


def other_choices(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """A choice of another action than the wish's that changes its row: "and the seat goes down to economy"."""
    chosen = [each for each in proposal.named if all(column.startswith(CHOICE) for column in each.columns)]
    chosen = [each for each in chosen if _ONTO.search(proposal.text[: each.start])]
    if not chosen:
        return
    own = {name for name, _ in wish.arguments} | {slot.fact.name for slot in wish.slots}
    rows = [wish.person.rows.get((slot.table, key), {}) for slot in wish.slots if slot.table for key in slot.keys]
    for mention in chosen:
        names = [column.removeprefix(CHOICE) for column in mention.columns]
        for row in rows if own.isdisjoint(names) else ():
            value = {wish.person.choices.get((name, mention.text.casefold())) for name in names if name in row}
            if value - {None} and value.isdisjoint(str(row[name]) for name in names if name in row):
                yield mention.text


def other_settings(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """Another setting than the usual one, of which the wish says nothing: a label "in green"."""
    for part in left_out_of(wish.domain, wish.goal):
        for value in part.others:
            if value in proposal.text and value not in wish.phrasing and re.search(rf"\b{value}\b", proposal.text):
                yield value


@only_where(_ALONE)
def alone(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """One of several people where the wish is about all of them: "I'd move only Oscar Quinn"."""
    for match in _ALONE.finditer(proposal.plain) if not any(slot.kind == "record" for slot in wish.slots) else ():
        name = (match["name"] or "").casefold()
        is_mentioned = any(each.start <= match.start("name") < each.end for each in (*proposal.named, *proposal.values))
        is_person = not is_mentioned and re.search(rf"\b{name}\b", wish.known) is not None
        if match["own"] or (name and is_person and name not in wish.asked_for):
            yield match.group()


@only_where(_OF_A_CARD)
def other_cards(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """A card or certificate worth something else than the wish's: "your gift card of $187"."""
    said = " ".join(slot.words for slot in wish.slots if "payment" in slot.fact.name)
    for each in proposal.sums if said else ():
        if _OF_A_CARD.search(proposal.text[: each.start]) and each.text not in said:
            yield each.text


def other_days(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """Another day than the row's where the wish changes none: "on June 3 rather than June 2"."""
    for each in (each for each in proposal.mentions if each.kind == "date" and each.role == "instead_of"):
        if wish.referred(each) and not any(is_alike(slot, each) for slot in wish.slots):
            yield f"instead of {each.text}"
