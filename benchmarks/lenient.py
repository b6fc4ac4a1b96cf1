"""What a lenient user would agree to: every proposal that no typed thing and no other action contradicts.

    python benchmarks/lenient.py [--held-out] [--rows N]

Today's user agrees to what it understands as its wish, whole and with nothing beside it. This measures the other way
round on the bank's proposals: a yes unless the message says that another value, row or choice than the wished one, or
another of the world's actions, is what will be done. What it tells of how things are, of prices, reasons and side
issues contradicts nothing, and what has been named before need not be named again. Of the held-out part only counts are
printed.
"""

from __future__ import annotations

import argparse
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache
from random import Random

from bank_rows import FOLDER, HELD_OUT, PARTS, Bank
from rich.console import Console
from rich.progress import track
from rich.table import Table

from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.language.antonyms import opposed_to, words_in
from toolgym.sandbox.language.dialogue_acts import AgentAct, Sentence, parse_act
from toolgym.sandbox.language.inflection import forms
from toolgym.sandbox.language.mentions import Mention, find_mentions
from toolgym.sandbox.language.negation import negated_tokens
from toolgym.sandbox.language.questions import is_closed
from toolgym.sandbox.language.roles import Role
from toolgym.sandbox.language.tokens import Token, singular, tokenize
from toolgym.sandbox.language.verbs import Use, is_denied, is_the_listeners, promises
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.wording import is_typed
from toolgym.sandbox.users.comparison import Comparison, read_again
from toolgym.sandbox.users.lexicon import CHOICE
from toolgym.sandbox.users.records import STATES, is_told, leaves, other_address, other_unit
from toolgym.sandbox.users.slots import WishSlot, is_alike, role_in, root
from toolgym.sandbox.users.typed_facts import typed
from toolgym.sandbox.users.verdict import Fit, Verdict
from toolgym.sandbox.users.wish import Wish, wish_of
from toolgym.sandbox.users.world_terms import terms_of

_LABEL = re.compile(r"^[\s*_`\"•-]*([a-z][a-z /_-]{0,40}?)[*_`\"]*\s*[:=|]")
"""What a line of a list is about."""
_FORMER = re.compile(
    r"\b(?:old|now|today|current(?:ly)?|present(?:ly)?|before|previous(?:ly)?|so far|existing|original)\b"
)
"""The label of what is so until now."""
_ASIDES = tuple(
    re.compile(pattern)
    for pattern in (
        r"\([^()]*\b(?:is|are|was|were|has|had|currently|now|today|so far|previously|until now|old|worth|"
        r"costs?)\b[^()]*\)",
        r"\b(?:currently|at present|presently|right now|so far|until now|previously|originally|formerly|as of now)\b"
        r"[^,;.?!()\n]*",
        r"\b(?:instead of|rather than|in place of|as opposed to|unlike)\b[^,;.?!()\n]*",
        r"\b(?:so that|as you|in case|unless|once|after|until it|while|if (?!that|this)\w+ (?!ok)\w+)\b[^,;.?!()\n]*",
        r"\b(?:leaving|keeping)\b[^;.?!()\n]*",
    )
)
"""What says why, on which condition, or how things are beside what will be done."""
_RELATIVE = re.compile(
    r"\b(?:which|that|who|where)(?:'s|'re)? (?:you|is|are|was|were|has|had|have|it|they|currently|costs?|comes?|"
    r"leaves?|arrives?|we|i|the|your)\b[^,;.?!()\n]*"
)
"""What tells of a thing which one it is."""
_IS = re.compile(
    r"\b(?:is|are|was|were|has|have|had|costs?|shows?|found|see|contains?|stands?|ends?|holds?|belongs?|expires?|runs?|starts?|"
    r"leaves?|arrives?|includes?|comes?|went|paid|placed|booked|there's)\b|'(?:s|re|ve)\b"
)
"""What tells how things are."""
_WILL = re.compile(
    r"\b(?:will|would|shall|going to|about to|to be|becomes?|gets?|goes|i'm [a-z]+ing|we're [a-z]+ing|new)\b|"
    r"'(?:ll|d)\b|→|->"
)
"""What tells what will be."""
_ALL = re.compile(r"\b(?:all|both|each of|every)\b(?: [a-z]+){1,4}")
_TAIL = re.compile(r"\d{4}$")
_THING = re.compile(r"\b[A-Z]\w+ (?:[a-z]{4,}(?=\W|$)|[A-Z][a-z]+)")
_PERSON = re.compile(r"\b[A-ZÀ-Þ][a-zà-ÿ'-]+ [A-ZÀ-Þ][a-zà-ÿ'-]+\b")
_BEGINS = re.compile(
    r"\W*(?:(?:so|then|and|ok|okay|to confirm|just to confirm|plan|next|first|to recap|in short)\W+)*([a-z]+)\b"
)
"""The first word that a sentence says something with."""
_WILL_NOT = re.compile(r"\b(?:i|we)(?: will not|'ll not| won't| would not| wouldn't)\b(?! be able)")
_FEE = re.compile(r"\b(?:fees?|surcharge|penalty|handling|deposit)\b")
_ROUGHLY = re.compile(r"\b(?:about|around|roughly|some|approximately|estimated|nearly|almost|circa)\b[^.;,]{0,15}$")
_PIECES = 20
"""Pieces at most of which one is priced."""
_COUNTED = {"count": "number"}
_PARTS = re.compile(r"\b(?:and|to|from|into|onto|or|with|for|instead)\b|[,;.]")
_SHORT = 3
_COMMON = frozenset(("yes", "no", "this", "that", "all", "one", "none", "any", "other", "day"))
_SMALL = frozenset("the a an my your our from to for of in on at by with and or is it mr ms mrs dr".split())
_OF_COURSE = frozenset(
    form for verb in "pay charge use refund credit settle cover bill put set".split() for form in forms(verb)
)
"""What is done with the money or the thing beside most actions, and is none of its own."""
_STAYS = re.compile(r"\b(?:stays?|remains?|keeps?|unchanged|untouched|as (?:it|they) (?:is|are)|nothing else)\b")
_OF_MONEY = re.compile(
    r"\b(?:fees?|costs?|costing|priced?|charg(?:e|ed|es|ing)|totals?|totall?ing|refund(?:ed|s|ing)?|balance|difference|worth|"
    r"tax|shipping|postage|commission|comes? (?:back )?to|pays?|paid|paying|gives?|get|credit(?:ed)?|bill(?:ed)?|value|"
    r"subtotal|makes|takes|covers|remaining|rest|other)\b(?: [a-z]+){0,3}\W*$"
)
_MONEY_AFTER = re.compile(
    r"\W*(?:[a-z]+ )?(?:fees?|total|refund|difference|commission|back|surcharge|extra|more|less|cheaper|in all|"
    r"altogether|is|was|certificate|gift|insurance)\b"
)
"""What an amount is said of that nobody has to wish."""


@dataclass(slots=True)
class Clause:
    """A sentence that says what will be done.

    Attributes:
        asides: the parts of it, in characters of the message, that say something else.
        relative: those that tell which thing is meant.
        use: where it names the wish's action.
        label: the side of a pair that begins it.
    """

    sentence: Sentence
    asides: tuple[tuple[int, int], ...]
    relative: tuple[tuple[int, int], ...]
    use: Use | None = None
    label: Role | None = None

    def is_beside(self, mention: Mention) -> bool:
        """Whether a mention stands in one of the asides."""
        return any(start <= mention.start < end for start, end in self.asides)


class LenientComparison:
    """A message compared with a wish.

    Args:
        heard: the message.
        wish: what is wanted.
        known: names of slots that either side has named before, so that a proposal need not.
        is_report: the message tells what has been done.

    Attributes:
        mentions: the typed things in it.
        verdict: what came of it.
    """

    def __init__(
        self, heard: AgentAct, wish: Wish, known: frozenset[str] = frozenset(), *, is_report: bool = False
    ) -> None:
        self._heard, self._wish, self._is_report = heard, wish, is_report
        self.known, self.verdict = known, Verdict("right")
        self.mentions = find_mentions(heard.plain, wish.person.lexicon, wish.now)
        self._named: dict[str, WishSlot] = {}
        self._others: list[tuple[str, bool]] = []
        self._before: tuple[Mention, Role | None] | None = None
        self._beside: list[Mention] = []
        self._amounts: list[str] = []
        self._chosen: list[tuple[WishSlot, str]] = []
        self._unfit: list[tuple[Mention, Clause]] = []
        self._is_denied = False
        self.clauses = list(self._plan())
        for mention in self.mentions:
            self._place(mention)
        for slot in wish.slots:
            if slot.is_wholly_named(self.verdict.rows.get(slot.fact.name, ())) or self._is_in_words(slot):
                self._named[slot.fact.name] = slot
        self.verdict.wrong += [(slot, words) for slot, words in self._chosen if slot.fact.name not in self._named]
        for mention, clause in self._unfit:
            self.verdict.wrong += [(slot, mention.text) for slot in self._contradicted(mention, clause)]
        self._amounts += self._fees()
        for slot in wish.slots if self._heard.proposal else ():
            if slot.table and not self.verdict.rows.get(slot.fact.name) and slot.fact.name not in self._named:
                rows = [each for each in self._beside if each.columns and is_alike(slot, each)]
                self.verdict.wrong += [(slot, each.text) for each in rows if not wish.explains(each)][:1]
        self.verdict.wrong += self._other_records()
        self.verdict.named = list(self._named.values())
        uses = [clause.use for clause in self.clauses if clause.use is not None]
        self._acts = any(use.form not in ("past", "noun") for use in uses)
        self.verdict.asserts = any(use.form != "past" or is_report for use in uses)
        self.verdict.missing = [
            slot for slot in wish.needed if slot.fact.name not in self._named.keys() | known and self._is_open(slot)
        ]
        self.verdict.fit = self._fit()

    # --- what will be done ---

    @cached_property
    def _may_plan(self) -> bool:
        """Whether a message asks for agreement or promises something, so that its sentences say what will be done."""
        return bool(self._heard.proposal) or any(
            promises(each.text) or (each.act == "ask" and is_closed(each.text)) for each in self._heard.sentences
        )

    def _plan(self) -> Iterator[Clause]:
        tokens = tokenize(self._heard.plain)
        negated, starts = negated_tokens(tokens), [token.start for token in tokens]
        for sentence in self._heard.sentences:
            first, end = bisect_left(starts, sentence.start), bisect_left(starts, sentence.end)
            part = tokens[first:end]
            inside = frozenset(index - first for index in negated if first <= index < end)
            if part and (clause := self._clause(sentence, part, inside)) is not None:
                yield clause

    def _clause(self, sentence: Sentence, part: list[Token], negated: frozenset[int]) -> Clause | None:
        wish, text = self._wish, sentence.text
        use = wish.world.action(wish.kind, part, negated)
        if use is not None and sentence.act == "agree" and is_the_listeners(part, use):
            use = None
        label = _LABEL.match(text)
        is_former = label is not None and _FORMER.search(label[1]) is not None
        if sentence.act == "more" or is_former or (sentence.act == "ask" and not is_closed(text)):
            return None
        if use is not None and is_denied(text, use):
            self._is_denied |= (promises(text) or _WILL_NOT.search(text) is not None) and not _STAYS.search(text)
            return None
        if sentence.act == "refuse" and not promises(text):
            return None
        begins = _BEGINS.match(text)
        is_order = begins is not None and begins[1] in wish.world.bases
        says_state = _IS.search(text) is not None and not (promises(text) or _WILL.search(text) or is_order)
        if sentence.act == "tell" and not self._is_report and (says_state or not self._may_plan):
            return None
        asides = tuple(
            (sentence.start + found.start(), sentence.start + found.end())
            for pattern in _ASIDES
            for found in pattern.finditer(text)
        )
        if not self._is_report:
            self._others += self._other_actions(sentence, part, negated)
        relative = tuple(
            (sentence.start + found.start(), sentence.start + found.end()) for found in _RELATIVE.finditer(text)
        )
        return Clause(sentence, asides, relative, use, role_in(label[1]) if label else None)

    def _other_actions(
        self, sentence: Sentence, part: list[Token], negated: frozenset[int]
    ) -> Iterator[tuple[str, bool]]:
        wish = self._wish
        own = wish.own_words | wish.world.akin(wish.kind)
        roots = frozenset(map(root, own))
        elsewhere = declared_elsewhere(wish)
        for word in wish.world.other_actions(wish.kind, part, negated, sentence):
            low = word.text.lower()
            is_state = re.search(rf"\b(?:is|are|was|were|been|'s|already|not) {low}\b", sentence.text) is not None
            is_own = low in own or root(low) in roots or low in _OF_COURSE
            if not (is_own or is_state) and (word.weight != "loose" or low in elsewhere):
                yield word.text, low in elsewhere and word.weight == "firm"

    # --- what is named and what contradicts ---

    def _place(self, mention: Mention) -> None:
        wish, verdict = self._wish, self.verdict
        clause = next((c for c in self.clauses if c.sentence.start <= mention.start < c.sentence.end), None)
        role = (clause.label if clause else None) or mention.role or self._carried(mention)
        self._before = (mention, role)
        fitting = [slot for slot in wish.slots if slot.fits(mention, wish.person)]
        sided = [slot for slot in fitting if not slot.clashes(role)]
        is_which = clause is not None and any(start <= mention.start < end for start, end in clause.relative)
        is_choice = bool(mention.columns) and all(column.startswith(CHOICE) for column in mention.columns)
        is_which = is_which and not is_choice
        is_planned = clause is not None and not clause.is_beside(mention) and not is_which
        is_denied = mention.negated or mention.role in ("not", "instead_of")
        if is_planned and fitting and (is_denied or not sided):
            verdict.wrong += [(slot, mention.text) for slot in fitting if not is_denied or slot.kind != "reference"]
            return
        for slot in sided:
            if slot.kind == "reference":
                verdict.rows.setdefault(slot.fact.name, []).append(slot.rows(mention, wish.person))
            else:
                verdict.said[slot.fact.name] = mention.text
                self._named[slot.fact.name] = slot
        chosen = [(slot, slot.is_chosen(mention, wish.person)) for slot in wish.slots]
        self._named |= {slot.fact.name: slot for slot, is_right in chosen if is_right}
        if mention.text.casefold() in wish.world.sorts and mention.kind == "term" and not is_choice:
            return  # "the lists folder"
        if fitting or is_denied or (clause is not None and _STAYS.search(clause.sentence.text)):
            return
        if clause is not None and is_which and not mention.columns:
            self._unfit.append((mention, clause))
            return
        if clause is None or not is_planned:
            self._beside.append(mention)
            return
        if any(is_right is not None for _, is_right in chosen):
            self._choose(mention, clause, chosen)
        else:
            self._unfit.append((mention, clause))

    def _carried(self, mention: Mention) -> Role | None:
        """The side of what is named in several words: "from your checking account that ends in 5897"."""
        if self._before is None or mention.kind not in ("number", "identifier", "term"):
            return None
        first, role = self._before
        between = self._heard.text[first.end : mention.start]
        return role if len(between) < 25 and not _PARTS.search(between) else None

    def _choose(self, mention: Mention, clause: Clause, chosen: Sequence[tuple[WishSlot, bool | None]]) -> None:
        if any(is_right for _, is_right in chosen):
            return
        word = mention.text.casefold()
        if word in _COMMON or word in self._wish.asked_for:
            return
        wrong = [slot for slot, is_right in chosen if is_right is False and slot.fact.name not in self._named]
        self._chosen += [(slot, mention.text) for slot in wrong]

    def _contradicted(self, mention: Mention, clause: Clause) -> list[WishSlot]:
        """The slots of its sort that a mention has otherwise, which nothing of the wish explains."""
        wish, text = self._wish, clause.sentence.text
        at = mention.start - clause.sentence.start
        is_tail = mention.kind == "identifier"
        if self._is_told(mention) or (mention.role == "from" and not (mention.columns or is_tail)):
            return []
        alike = [slot for slot in wish.slots if not slot.table and (is_alike(slot, mention) or _lasts(slot, mention))]
        if mention.kind == "money":
            before, after = text[max(at - 40, 0) : at], text[at + len(mention.text) :]
            is_priced = _OF_MONEY.search(before) or _MONEY_AFTER.match(after)
            if is_priced and not any(slot.asked.search(before) for slot in alike):
                return self._strange_amount(mention)
            if not alike:
                return self._strange_amount(mention)
        if alike:
            return [slot for slot in alike if not self._is_right(slot, mention)]
        if wish.explains(mention):
            return []
        told = [slot for slot in wish.slots if slot.table or slot.fact.name not in self._named]
        told = [slot for slot in told if self._tells(slot, mention)]
        return [slot for slot in told if not self._is_beside_own(slot, mention, clause)]

    def _strange_amount(self, mention: Mention) -> list[WishSlot]:
        """Nothing, once an amount that nothing of the wish comes to is noted: "for a handling fee of $15"."""
        if not self._is_known_amount(mention):
            self._amounts.append(mention.text)
        return []

    def _is_known_amount(self, mention: Mention) -> bool:
        """Whether an amount is shown on the way, for a piece or for all, or only estimated."""
        wish, cents = self._wish, abs(int(mention.value))
        is_rough = _ROUGHLY.search(self._heard.text[: mention.start]) is not None
        is_each = any(cents and each % cents == 0 and each // cents < _PIECES for each in wish.outcome.amounts - {0})
        return is_rough or is_each or is_said(wish, mention) or wish.shows(mention)

    def _fees(self) -> Iterator[str]:
        """Fees that nothing of the wish comes to, wherever they are told: "There's a fee of $20 for this."."""
        for mention in self.mentions:
            around = self._heard.text[max(mention.start - 30, 0) : mention.end + 20]
            if mention.kind == "money" and not mention.negated and _FEE.search(around):
                wish = self._wish
                yield from () if is_said(wish, mention) or wish.shows(mention) else (mention.text,)

    def _is_beside_own(self, slot: WishSlot, mention: Mention, clause: Clause) -> bool:
        """Whether a row is named in the same sentence as the wished one as what is left for it."""
        for own in self.mentions:
            inside = clause.sentence.start <= own.start < clause.sentence.end
            if inside and set(own.columns) & set(mention.columns) and slot.fits(own, self._wish.person):
                return mention.role in ("from", "not", "instead_of") or mention.negated
        return False

    def _tells(self, slot: WishSlot, mention: Mention) -> bool:
        """Whether a mention can say which row a slot refers to: a row's name, last figures, an address."""
        if mention.columns and slot.table:
            return is_alike(slot, mention)
        if slot.table and mention.kind in ("number", "identifier", "phone") and _TAIL.search(mention.text):
            return not self._heard.plain[: mention.start][-1:].isalnum()  # no "8236" of "e6dd8236"
        if slot.table and mention.kind == "email":
            return any("@" in key for key in slot.keys)
        sort = _sort(mention)
        own = [each for each in named_in(self._wish).get(slot.fact.name, ()) if _sort(each) == sort]
        said = {str(each.value) for each in self.mentions}
        return bool(own) and not any(str(each.value) in said for each in own)

    def _is_told(self, mention: Mention) -> bool:
        """Whether the user has said it, the right calls are given it or bring it."""
        wish = self._wish
        return is_said(wish, mention) or wish.is_given(mention) or bool(wish.outcome.columns_of(mention, changed=True))

    def _is_right(self, slot: WishSlot, mention: Mention) -> bool:
        """Whether a message has a slot rightly by another mention of this kind, so that this one is none of it."""
        fitting = [each for each in self.mentions if slot.fits(each, self._wish.person)]
        is_right = any(each.kind == mention.kind or slot.kind != "moment" for each in fitting)
        is_from = any(each.role == "from" for each in fitting)
        return is_right and not (mention.role == "to" and is_from and mention.kind in ("money", "date", "number"))

    def _other_records(self) -> Iterator[tuple[WishSlot, str]]:
        """Things of several parts that are another one in one of them: an address, a thing with options."""
        own = " ".join(clause.sentence.text for clause in self.clauses)
        for slot in self._wish.slots:
            value = slot.fact.value
            if isinstance(value, dict) and "address1" in value:
                words = (other_unit if slot.fact.name in self._named else other_address)(value, own)
            elif slot.fact.name.startswith("new") and slot.kind == "record":
                words = other_option(self._wish, own)
            else:
                continue
            if words:
                yield slot, words

    def _is_in_words(self, slot: WishSlot) -> bool:
        """Whether a message says what no typed mention holds: the user's very words, a text, a record, a yes or no."""
        text = self._heard.text
        if slot.kind == "flag":
            return bool(slot.fact.value) is False or any(part in text for part in slot.fact.name.split("_"))
        if slot.twins:
            return False
        is_read = slot.kind == "choice" and any(f"{CHOICE}{slot.fact.name}" in each.columns for each in self.mentions)
        if len(slot.words) > 3 and not is_read and slot.words.casefold() in text:
            return True
        is_plain = slot.kind in ("text", "record")
        return is_plain and is_told(slot.fact.value, slot.words, text, self._wish.person.labels)

    def _is_open(self, slot: WishSlot) -> bool:
        """Whether a message says nothing of what a slot is, by a thing of its sort or in words that may be it."""
        if slot.kind in ("choice", "text", "record", "flag") and self.verdict.named:
            return False
        is_touched = slot.asked.search(self._heard.text) or any(is_alike(slot, each) for each in self.mentions)
        return not is_touched and not self._wish.held.implies(self.verdict.named, slot)

    # --- what came of it ---

    def _fit(self) -> Fit:
        verdict = self.verdict
        if self._is_denied and not verdict.asserts:
            return "denied"
        if verdict.wrong:
            return "wrong"
        others = [word for word, is_declared in self._others if is_declared or not self._acts]
        verdict.beside += others or self._amounts or self._more_than_one or self._opposites or self._other_names
        if verdict.beside:
            return "added" if verdict.asserts else "other"
        if not (verdict.asserts or verdict.named or self._heard.proposal):
            return "unclear"
        return "open" if verdict.missing else "right"

    @cached_property
    def _more_than_one(self) -> list[str]:
        """More things than the one that is wished: "all your open transfers"."""
        wish = self._wish
        nouns = {noun.rsplit(" ", 1)[-1] for noun in wish.world.nouns.values()}
        for clause in self.clauses if not wish.quantifiers else ():
            for found in _ALL.finditer(clause.sentence.text):
                is_every = found.group().startswith("every")
                for word in found.group().split():
                    one = singular(word)
                    if one in nouns and (is_every or word != one) and (one in wish.singles or one not in wish.known):
                        return [found.group()]
        return []

    @cached_property
    def _other_names(self) -> list[str]:
        """A name that is no part of the wish: "Kei Nakamura" for "Mei Nakamura", a guest whom nobody has asked for."""
        wish, plain = self._wish, self._heard.plain
        for slot in wish.slots:
            for name in _THING.findall(slot.words) if slot.table else ():
                one, other = name.split()
                found = re.search(rf"\b(?:{one} ([A-Za-z][a-z]+)|([A-Z][a-z]+) {other})\b", plain)
                if name in plain or found is None:
                    continue
                word = found[1] or found[2]
                is_other = word in last_words(wish) if found[1] else word.casefold() not in _SMALL
                if is_other and word.casefold() not in slot.words.casefold():
                    return [found.group()]
        for clause in self.clauses if wish.names_people else ():
            part = plain[clause.sentence.start : clause.sentence.end]
            for found in _PERSON.finditer(part):
                low = found.group().casefold()
                is_known = low in wish.known or low in STATES.values()
                if found.start() and not is_known and is_strange_name(wish, found.group()):
                    return [found.group()]
        return []

    @cached_property
    def _opposites(self) -> list[str]:
        """Words that turn the wish round: "lower" where it says "raise"."""
        opposed = opposed_to(self._wish.asked_for)
        for clause in self.clauses:
            said = words_in(clause.sentence.text)
            for word in sorted(opposed.keys() & said):
                if said.isdisjoint(opposed[word]):
                    return [word.replace("-", " ")]
        return []


def _lasts(slot: WishSlot, mention: Mention) -> bool:
    """Whether a mention is how long something takes, and so is a choice: "30 days" for "90 days"."""
    may_be = slot.kind == "choice" and mention.kind == "duration"
    return may_be and any(each.kind == "duration" for each in find_mentions(slot.words, None, datetime.min))


def _sort(mention: Mention) -> tuple[str, ...]:
    """What sort of thing a mention is: its kind, or the columns that hold it."""
    is_figure = mention.kind == "identifier" or not mention.columns
    return (_COUNTED.get(mention.kind, mention.kind),) if is_figure else mention.columns


# --- what the wish and its world say ---


@lru_cache(maxsize=512)
def _said(wish: Wish) -> frozenset[tuple[str, str]]:
    words = " ".join((wish.goal.utterance, *(slot.words for slot in wish.slots)))
    return frozenset((each.kind, str(each.value)) for each in find_mentions(words, wish.person.lexicon, wish.now))


def is_said(wish: Wish, mention: Mention) -> bool:
    """Whether the user says such a thing of its wish."""
    return (mention.kind, str(mention.value)) in _said(wish)


@lru_cache(maxsize=512)
def named_in(wish: Wish) -> Mapping[str, Sequence[Mention]]:
    """By slots that refer to rows or hold several things, what the user's words for them name."""
    several = [slot for slot in wish.slots if slot.table or slot.kind in ("record", "text")]
    return {slot.fact.name: find_mentions(slot.words, wish.person.lexicon, wish.now) for slot in several}


@lru_cache(maxsize=512)
def last_words(wish: Wish) -> frozenset[str]:
    """The last words of the rows' names: the "mixer" of "Thornby mixer"."""
    return frozenset(text.rsplit(" ", 1)[-1] for _, text in wish.person.holders if " " in text)


def is_strange_name(wish: Wish, name: str) -> bool:
    """Whether a name is of somebody whom neither the wish nor its rows know."""
    own = {word for text in (wish.known, wish.met, " ".join(wish.own_keys).casefold()) for word in text.split()}
    return not any(word.casefold() in own for word in name.split())


@lru_cache(maxsize=512)
def declared_elsewhere(wish: Wish) -> frozenset[str]:
    """Forms of the verbs that the world's other goals declare."""
    goals = get_domain(wish.domain).goals
    others = [goal for goal in goals if goal.name != wish.kind and goal.tool.kind == "write"]
    verbs = {verb for goal in others for verb in (*goal.verbs, goal.tool.name.split("_")[0])}
    return frozenset(form for verb in verbs - wish.world.verbs(wish.kind) for form in forms(verb))


@lru_cache(maxsize=512)
def _options(wish: Wish) -> tuple[Sequence[Mapping[str, str]], frozenset[str]]:
    """The options of the things that are to come, and the values of those that they replace."""
    terms = terms_of(wish.domain, wish.task.data)
    new = [leaf for slot in wish.slots if slot.fact.name.startswith("new") for leaf in leaves(slot.fact.value)]
    held = {leaf for slot in wish.slots for leaf in leaves(slot.fact.value)} - set(new)
    old = {value.casefold() for each in held for value in terms.options.get(each, {}).values()}
    return [terms.options[each] for each in new if each in terms.options], frozenset(old)


def other_option(wish: Wish, text: str) -> str:
    """An option that a text in lower case names and the new things do not have, nor those that they replace."""
    new, old = _options(wish)
    every = terms_of(wish.domain, wish.task.data).options.values()
    for label in dict.fromkeys(label for each in new for label in each):
        wanted = {each[label].casefold() for each in new if label in each}
        if not any(value in text for value in wanted):
            values = {options[label].casefold() for options in every if label in options}
            for value in sorted(values - old - wanted):
                if len(value) > _SHORT and re.search(rf"(?<![\w-]){re.escape(value)}(?![\w-])", text):
                    return value
    return ""


# --- the table ---


def wish_for(task: Task) -> Wish | None:
    """The present wish of a task as its world declares it; None where no declared goal can say it."""
    goal = task.goals[0]
    if is_typed(task):
        return wish_of(task, goal)
    found = typed(task, goal)
    return found.wish if found is not None else None


def counted(parts: Sequence[str], name: str, limit: int) -> tuple[int, int, int]:
    """The rows of a file that have a declared wish, and how many of them each user agrees to at once."""
    rows = [(found, row) for part in parts for found in [Bank(FOLDER, part)] for row in found.rows(name)]
    Random(7).shuffle(rows)
    of = today = lenient = 0
    for found, row in track(rows[:limit] if limit else rows, description=name):
        task = found.task(row)
        wish = wish_for(task) if task.goals[0].revised_to is None and "after" not in row else None
        if wish is None:
            continue
        heard = parse_act(row["says"])
        told = frozenset(slot.fact.name for slot in wish.slots if not slot.fact.on_request)
        of += 1
        today += read_again(heard, wish, Comparison(heard, wish)).fit == "right"
        lenient += LenientComparison(heard, wish, told).verdict.fit == "right"
    return of, today, lenient


def main() -> None:
    """Print how many right and wrong proposals either way of reading agrees to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--held-out", action="store_true", help="the parts that are only counted")
    parser.add_argument("--rows", type=int, default=0, help="rows of a file at most, drawn by lot (default: all)")
    asked = parser.parse_args()
    table = Table("proposals", "rows", "today", "lenient")
    for name in ("confirmations", "wrong_proposals"):
        of, today, lenient = counted(HELD_OUT if asked.held_out else PARTS, name, asked.rows)
        table.add_row(name, str(of), f"{today / of:.3f} agreed", f"{lenient / of:.3f} agreed")
    Console().print(table)


if __name__ == "__main__":
    main()
