"""Whether a proposal fits a wish whose facts are plain text: names, days, counts, choices, items, addresses, payment.

What an agent names must be explained by the wish, its rows or the right call; each fact that a proposal has to name is
looked for in the form that it has. A contradiction is claimed only where the proposal speaks of the matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.task import Fact
from toolgym.sandbox.language.dialogue_acts import AgentAct
from toolgym.sandbox.language.mentions import Mention, find_mentions
from toolgym.sandbox.language.prefilter import Prefiltered
from toolgym.sandbox.language.units import same_unit
from toolgym.sandbox.synthesis.value_words import fact_in_words
from toolgym.sandbox.users.checks import BESIDE, CHANGED
from toolgym.sandbox.users.checks.own_words import TITLES
from toolgym.sandbox.users.checks.proposal import Proposal
from toolgym.sandbox.users.plain_items import tells_items
from toolgym.sandbox.users.plain_wish import PlainWish, is_more
from toolgym.sandbox.users.proposal_reading import Line, Reading, is_untouched
from toolgym.sandbox.users.records import STATES, is_denied, is_told, other_unit
from toolgym.sandbox.users.second_reading import to_the_point

_FOUR = re.compile(
    r"(?:\bend(?:s|ing)?(?: in| with| on)?|\bcards?(?: number)?|\baccount|\bon|\bin|[…*•.x]{2,}|…|•)[ (]*(?:number )?"
    r"[…*•x]*(\d{4})\b(?![-/])"
)
_REFUND = Prefiltered(
    r"\b(?:refund\w*|original(?:ly)?|previous(?:ly)?|old|before|instead of|rather than|from)\b[^.;,]*$"
)
_BILLED = re.compile(r"\b(?:billed|charged|invoiced|due|on (?:your|the) bill)\b[^.;]{0,20}$")
LEFT_OUT = frozenset(("payment", "insurance"))
"""Facts that an agent that has been told them may leave out."""
_BACK = Prefiltered(r"\b(?:back|return|inbound|way home|both|round)\b")
_REASON = Prefiltered(
    r"\b(?:with|under|for|as|noted|recorded|reason) [\"'(]*(?P<before>[^.;,\n\"'()]+?)[\"')]* (?:as|for) (?:the|"
    r"your) reason|"
    r"\b(?:reasons?(?: on file)?(?: would be| is| of| as|:| given| [\"'(])|"
    r"because(?: of)?|due to|on account of) ?[:'\"(]*(?P<after>[^.;,\n]+)"
)
_LABELLED = re.compile(r"(?: codes?| no\.?| numbers?)?\W{0,3}\d|\W{0,2}:")
_HEALTH = re.compile(r"\b(?:health|medical|illness)\b")
_UNWELL = re.compile(r"\b(?:broke|broken|leg|arm|ill|sick|hospital|surgery|doctor|hurt|injur\w+|accident|fever|flu)\b")
_STEM = re.compile(r"[a-z]{4,}")
_FOR = Prefiltered(r"\bfor (\d)\b(?! (?:days?|weeks?|months?|%|percent|dollars))")
_DIGIT = re.compile(r"\d")
_ZIP = re.compile(r"(?<![\w#-])\d{5}(?![\w-])")
_STATE = re.compile(r", ([a-z]{2}),? \d{5}")
_STATE_NAME = re.compile(r", ([a-z]+(?: [a-z]+)?),? \d{5}")
_CITY = re.compile(r",? ([a-z][a-z .'-]+), ?[a-z]{2},? \d{5}")
_STREET = re.compile(r"\b\d+ (?:\w+ ){1,3}\w+")
_FREE = Prefiltered(
    r"\b(?:free|no (?:extra )?(?:cost|charge)|at no|without charge|included|\$0|0 (?:are|is|of them)|none)\b"
)
_NAMES = re.compile(
    r"\b(?!(?:So|And|For|With|On|In|The|Your|New|Now|Put|Add|Replace|Book|"
    r"Swap) )([A-ZÀ-Þ][a-zà-ÿ]+) ([A-ZÀ-Þ][a-zà-ÿ]+)\b"
)
_CALLED = {"bag": ("bag", "luggage")}  # what else a thing is called that is not wanted
_EVERYONE = re.compile(
    r"\b(?:all of you|the (?:two|three|four|five) of you|(?:two|three|four|five|\d) [a-z]+ers|everyone)\b"
)
_DENIED = (
    r"\b(?:un{stem}|(?:no|without|not|none|declin\w+) (?:[a-z]+ )?{stem})|\b{stem}\w*[\W|]{{0,6}}(?:is |"
    r"are )?(?:no|none|not|"
    r"declin\w+)\b"
)


@dataclass
class PlainVerdict:
    """What came of comparing.

    Attributes:
        fit: right; open (facts are not named); wrong; other (another action); added; denied; unclear.
        wrong: the words that nothing explains or a fact contradicts, each with the fact that it touches, if one.
        missing: facts that it leaves open.
        told: facts that it tells.
        beside: the words for what is not wanted.
        named: names and keys of the wish that it says.
        asserts: it names the wish's action.
    """

    fit: str = "right"
    wrong: list[tuple[Fact | None, str]] = field(default_factory=list)
    missing: list[Fact] = field(default_factory=list)
    told: list[Fact] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    named: list[Mention] = field(default_factory=list)
    asserts: bool = False


def compare_plain(
    heard: AgentAct, wish: PlainWish, told: frozenset[str] = frozenset(), settled: frozenset[str] = frozenset()
) -> PlainVerdict:
    """Compare a message with a wish whose facts are plain text.

    Args:
        heard: the message.
        wish: what is wanted.
        told: names of facts that the user has said.
        settled: names of those that the agent has named before, which nobody has to say again.
    """
    found = PlainVerdict()
    proposal = Proposal(heard, wish)
    reading = proposal.reading
    found.asserts = reading.own
    seen: list[Mention] = []
    for mention in proposal.mentions:
        line = next((line for line in reading.lines if line.sentence.start <= mention.start < line.sentence.end), None)
        if line is not None:
            seen.append(mention)
            _place(mention, line, wish, found)
    text = " ".join(line.sentence.text for line in reading.lines)
    plain = " ".join(map(proposal.written, reading.lines))
    found.wrong += _wrong_choices(wish, text)
    found.wrong += _wrong_persons(wish, plain)
    for fact in wish.goal.facts:
        said = _tells(fact, wish, text, seen)
        if isinstance(said, str):
            found.wrong.append((fact, said))
        elif said:
            found.told.append(fact)
        elif (
            said is False
            and fact.name not in settled
            and (fact.name not in LEFT_OUT or (fact.on_request and fact.name not in told))
        ):
            found.missing.append(fact)
    found.beside += reading.beside
    if not found.beside and (words := BESIDE.first_found(proposal, wish)):
        found.beside.append(words)
    if not wish.may_be(heard.text):
        found.beside.append("that")
    found.fit = _fit(found, reading, wish, text, told)
    if found.fit in ("wrong", "added", "other"):
        brief = to_the_point(heard, wish, [words for _, words in found.wrong], found.beside)
        again = compare_plain(brief, wish, told, settled) if brief else found
        return again if again.fit == "right" else found
    if found.fit == "right" and (words := CHANGED.first_found(proposal, wish)):
        found.fit, found.beside = "added", [words]
    return found


def _fit(found: PlainVerdict, reading: Reading, wish: PlainWish, text: str, told: frozenset[str]) -> str:
    if reading.denied:
        return "denied"
    if found.wrong:
        return "wrong"
    values = [fact for fact in wish.needed() if not _is_reference(fact, wish)]
    is_whole = not found.missing and any(fact in values for fact in found.told)  # "Anything else?" leaves nothing open
    if found.beside or reading.is_other(reading.own, is_whole):
        return "added" if reading.own else "other"
    if not reading.own and not is_whole and not (reading.told and wish.is_spoken_of(text, found.named)):
        return "unclear"
    if not values and not wish.is_spoken_of(text, found.named):
        return "unclear"
    if not found.named and not values and any(fact.name not in told for fact in wish.needed()):
        return "open"
    return "open" if found.missing else "right"


def _is_reference(fact: Fact, wish: PlainWish) -> bool:
    """Whether a fact says which row is meant."""
    is_plain = isinstance(fact.value, str) and "payment" not in fact.name
    is_row = fact.name.endswith("_id") or (fact.name in wish.world.nouns.values() and fact is not wish.persons)
    return is_plain and is_row


def _place(mention: Mention, line: Line, wish: PlainWish, found: PlainVerdict) -> None:
    """Note what a mention names of the wish, or that nothing explains it."""
    if mention.kind == "date":
        is_left = wish.explains(mention) and is_untouched(mention, line)
        if is_left and mention.value.first != wish.now.date() and not any(f.name == "date" for f in wish.goal.facts):
            found.wrong.append((None, mention.text))  # one of the flights that all are to be changed
        elif wish.dated and not wish.explains(mention) and not _is_billed(mention, line):
            found.wrong.append((wish.fact_like(mention), mention.text))
    elif mention.kind in ("identifier", "term", "phone"):
        if mention.kind == "phone" and wish.phones:
            if wish.explains(mention):
                found.named.append(mention)
            else:
                found.wrong.append((wish.fact_like(mention), mention.text))
        if not mention.columns:
            return
        if wish.explains(mention):
            if mention.kind == "identifier" and is_untouched(mention, line):
                found.wrong.append((wish.fact_like(mention), mention.text))
            _direct(mention, line, wish, found)
        elif not wish.columns.isdisjoint(mention.columns) and _is_meant(mention, line):
            found.wrong.append((wish.fact_like(mention), mention.text))
    elif mention.kind == "count" and mention.unit in wish.counts:
        right = wish.counts[mention.unit] | wish.figures
        if mention.value not in right and not mention.negated:
            found.wrong.append((wish.fact_like(mention), mention.text))


def _is_billed(mention: Mention, line: Line) -> bool:
    """Whether a time says when something is to be paid: "billed next month"."""
    return _BILLED.search(line.sentence.text[: mention.start - line.sentence.start]) is not None


def _is_meant(mention: Mention, line: Line) -> bool:
    """Whether a name is meant as one: written with a capital, and no label such as "zip 14233"."""
    if mention.kind != "term":
        return True
    if _LABELLED.match(line.sentence.text, mention.end - line.sentence.start):
        return False
    return mention.text[0].isupper() or mention.text.islower()


def _direct(mention: Mention, line: Line, wish: PlainWish, found: PlainVerdict) -> None:
    """A name on the other side of "from ... to ..." than the user has said is wrong."""
    opposite = {"from": "to", "to": "from"}.get(mention.role or "")
    text = mention.text.casefold()
    if mention.role == "instead_of" and wish.persons is not None and text in str(wish.persons.value).casefold():
        found.wrong.append((wish.persons, f"instead of {mention.text}"))  # who is to travel, and not whose place it is
        return
    own, other = f"{mention.role} {text}", f"{opposite} {text}"
    if opposite and other in wish.phrasing and own not in wish.phrasing and not _BACK.search(line.sentence.text):
        found.wrong.append((None, f"{mention.role} {mention.text}"))
    else:
        found.named.append(mention)


def _of_name(wish: PlainWish, name: str) -> Fact | None:
    return next((fact for fact in wish.goal.facts if fact.name == name), None)


# --- choices and persons ---


def _wrong_choices(wish: PlainWish, text: str) -> Iterator[tuple[Fact | None, str]]:
    """Values of a choice that are not the right one."""
    for name, (chosen, values) in wish.choices.items():
        fact = _of_name(wish, name)
        if set(values) == {"yes", "no"}:
            stem = name[:6]
            denied = None
            if stem in text:
                denied = re.search(_DENIED.format(stem=stem), text) is not None
            if denied is not None and denied == (chosen == "yes"):
                yield fact, f"{'no ' if denied else ''}{name}"
            continue
        rest = text
        for value in sorted(values, key=len, reverse=True):
            words = re.compile(rf"\b{re.escape(value).replace('_', '[ _-]')}\b")
            for match in words.finditer(rest):
                if value != chosen and not _REFUND.search(rest[: match.start()]):
                    yield fact, match.group()
            rest = words.sub(lambda match: " " * len(match.group()), rest)


def _wrong_persons(wish: PlainWish, plain: str) -> Iterator[tuple[Fact | None, str]]:
    """Persons whom nothing explains, where the wish is about persons."""
    fact = wish.persons
    if fact is None:
        return
    for match in _NAMES.finditer(plain):
        first, last = (word.casefold() for word in match.groups())
        if first in TITLES or last in TITLES:
            continue
        known = first in wish.texts or first in wish.phrasing, last in wish.texts or last in wish.phrasing
        if known != (True, True) and (any(known) or fact.name in plain[: match.start()].lower()):
            yield fact, match.group()


# --- facts ---


def _tells(fact: Fact, wish: PlainWish, text: str, mentions: Sequence[Mention]) -> bool | str | None:
    """Whether a text tells a fact: yes, no, or the words that contradict it; None where it need not be told."""
    value, name = fact.value, fact.name
    if isinstance(value, Mapping) and "address1" in value:
        unit = other_unit(value, text)
        return unit or is_told(value, fact_in_words(value), text, ()) or _other_address(value, text)
    if isinstance(value, list):
        items = [cast("dict[str, Json]", item) for item in value if isinstance(item, Mapping)]
        return tells_items(name, items, wish, text)
    words = str(value).casefold()
    if name in ("reason", "complaint"):
        return _tells_reason(words, wish, text) if name == "reason" else None
    if name == "payment" or "payment" in name:
        return _tells_payment(words, wish, text)
    if name in wish.choices:
        return wish.choices[name][0].replace("_", " ") in text or is_denied(name, text) is not None or name[:6] in text
    if fact is wish.persons:
        return _tells_persons(words, text) or _tells_how_many(wish.counts.get(name, set()), text)
    parts = find_mentions(str(value), wish.terms.lexicon, wish.now)
    dates = [part.value.first for part in parts if part.kind == "date"]
    if name == "date" and dates:
        return any(mention.kind == "date" and mention.value.first in dates for mention in mentions)
    counts = [part for part in parts if part.kind in ("count", "number")]
    if counts and not _is_reference(fact, wish):
        return _tells_number(fact, counts[0], wish, mentions, text)
    if words.startswith("no "):
        noun = words.split(" ")[-1].removesuffix("s")
        return any(each in text for each in _CALLED.get(noun, (noun,)))
    return None


def _tells_number(
    fact: Fact, count: Mention, wish: PlainWish, mentions: Sequence[Mention], text: str
) -> bool | str | None:
    right = {count.value} | ({*wish.figures} if is_more(fact) else set())
    unit = str(fact.value).split(" ")[-1].casefold() if count.kind == "number" else count.unit
    # a bare "1" is the one of "1 GB" only where that is spoken of
    is_spoken_of = any(part in text for part in (unit, *fact.name.split("_")) if part)
    for mention in mentions:
        if mention.kind in ("count", "number") and same_unit(mention.unit) in (same_unit(count.unit), unit, ""):
            after = text[max(text.find(mention.text.casefold()), 0) + len(mention.text) :][:20]
            near = _DIGIT.split(after)[0]
            if mention.value in right and (mention.unit or is_spoken_of):
                return True
            if unit and unit in near:
                return mention.text
    return (
        unit == "gb"
        and re.search(rf"\b(?:{'both' if count.value == 2 else 'one|a|another'}) (?:more )?(?:gb|gig)", text)
        is not None
    )


def _tells_persons(words: str, text: str) -> bool:
    """Whether all persons are named, or counted."""
    named = re.split(r" and |, ", words.split(", saved")[0].split(", who")[0].split(", born")[0])
    firsts = [name.split(" ")[0] for name in named if name and not name.startswith(("me", "my"))]
    return all(first in text for first in firsts) or _EVERYONE.search(text) is not None


def _tells_how_many(right: set[int], text: str) -> bool:
    """Whether it is for as many as the right call lists."""
    return any(figure.isdigit() and int(figure) in right for figure in _FOR.findall(text))


def _tells_reason(words: str, wish: PlainWish, text: str) -> str | None:
    """A stated reason that has nothing in common with the user's; reasons need not be told."""
    match = _REASON.search(text)
    if match is None or "reason" in wish.choices:
        return None
    stated = match["before"] or match["after"]
    own = {stem[:4] for stem in _STEM.findall(f"{words} {wish.phrasing}")}
    said = {stem[:4] for stem in _STEM.findall(stated)}
    is_sort = (
        _HEALTH.search(stated) is not None and _UNWELL.search(words) is not None
    )  # "health reasons" of a broken leg
    return stated.strip() if said and not said & own and not is_sort else None


def _tells_payment(words: str, wish: PlainWish, text: str) -> bool | str:
    """Ways to pay: named by sort or by their last figures, and no others but the ones paid with before."""
    fours = [four for four in _FOUR.findall(text) if not re.search(r"\b(?:19|20)\d\d\b", four)]
    wanted = wish.pay.findall(words) if wish.pay else []
    spoken = list(wish.pay.finditer(text)) if wish.pay else []
    own_fours = re.findall(r"\b\d{4}\b", words)
    for four in fours:
        if four not in own_fours and not any(each.endswith(four) for each in wish.texts):
            return str(four)
        if own_fours and four not in own_fours and not _REFUND.search(text[: text.find(four)]):
            return str(four)
    for each in wanted:
        if re.search(
            rf"\b(?:keep|keeping|save|saving|spare|sparing|leave|leaving) (?:your|the) {re.escape(each)}", text
        ):
            return f"not {each}"
    plain = {_sort(each) for each in wanted}
    for match in spoken:
        if _sort(match.group()) not in plain and not _REFUND.search(text[: match.start()]):
            return str(match.group())
    return bool(spoken or fours) or _FREE.search(text) is not None


def _sort(text: str) -> str:
    return re.sub(r"[ _-]", "", text.casefold())


def _other_address(address: Mapping[str, Json], text: str) -> bool | str:
    codes = [code for code in _ZIP.findall(text) if code != str(address.get("zip", ""))]
    streets = [each for each in _STREET.findall(text) if each not in str(address.get("address1", "")).casefold()]
    own = str(address.get("address1", "")).casefold()
    if codes or (own not in text and streets):
        return str((codes or streets)[0]).strip()
    city = str(address.get("city", "")).casefold()
    states = [name for name in _STATE_NAME.findall(text) if name in STATES.values()]
    wrong = [name for name in states if name != STATES.get(str(address.get("state", "")).casefold()) and name != city]
    if own in text and wrong:
        return str(wrong[0])
    others = [name for name in _CITY.findall(text) if city and not name.strip().endswith((city, own.split(" ", 1)[-1]))]
    if own in text and others:
        return str(others[0]).strip()
    others = _STATE.findall(text)
    if own in text and any(other != str(address.get("state", "")).casefold() for other in others):
        return str(next(other.upper() for other in others if other != str(address.get("state", "")).casefold()))
    return own in text
