"""Whether what an agent proposes contradicts a wish: yes unless another thing, value or action is what will be done.

Compared are typed mentions alone (keys, names, options, amounts, days, times, counts), in the clauses that say what
will be done, with their side where the wish has two of a sort, and the world's other actions. What a message tells of
how things are, of prices, reasons, conditions and alternatives contradicts nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache

from toolgym.sandbox.language.antonyms import opposed_to, words_in
from toolgym.sandbox.language.dialogue_acts import AgentAct, Sentence
from toolgym.sandbox.language.inflection import forms
from toolgym.sandbox.language.mentions import Mention, find_mentions
from toolgym.sandbox.language.negation import negated_tokens
from toolgym.sandbox.language.questions import is_closed
from toolgym.sandbox.language.roles import Role
from toolgym.sandbox.language.tokens import Token, singular, tokenize
from toolgym.sandbox.language.verb_lists import DOING
from toolgym.sandbox.language.verbs import Use, Weight, is_denied, is_the_listeners, promises
from toolgym.sandbox.users.lexicon import CHOICE
from toolgym.sandbox.users.records import STATES, is_told, other_address, other_unit
from toolgym.sandbox.users.slots import WishSlot, is_alike, role_in, root
from toolgym.sandbox.users.verdict import Fit, Verdict
from toolgym.sandbox.users.wish import Wish
from toolgym.sandbox.users.wish_terms import (
    declared_elsewhere,
    is_of_the_wish,
    is_strange_name,
    last_words,
    named_in,
    other_option,
)

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
        r"\b(?:so that(?!'s)|as you|in case|unless|once|after (?:that|it|this|you|i|we)|"
        r"until it|while|if (?!that|this)\w+ (?!ok)\w+)\b[^,;.?!()\n]*",
        r"\b(?:leaving|keeping)\b[^;.?!()\n]*",
        r"\b(?:old|former|previous|present|existing)(?: [a-z-]+){1,2} ?\([^()]*\)",
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
    r"\b(?:will|would|shall|going to|about to|to be|becomes?|gets?|goes|"
    r"(?:i|we) (?!see|saw|f[io]u?nd|have|had|was|were|am|are|can|could|do|did|know|need|think|"
    r"understand|looked|checked|notice|show|hold)[a-z]+|i'm [a-z]+ing|we're [a-z]+ing|new)\b|"
    r"'(?:ll|d)\b|→|->"
)
"""What tells what will be."""
_ALL = re.compile(r"\b(?:all|both|each of|every)\b(?: [a-z]+){1,4}")
_HALF_PAST = re.compile(r"\bhalf (?:past|an hour|hour)\b")
_NOUN_OF = re.compile(r"\b(?:a|an|the) ([a-z]+) (?:of|for|on)\b")
_BECOMES = re.compile(r"\b(?:as|to|to be|becomes?)\W+$")
_PASSIVE = re.compile(r"\b(?:will|would) be [a-z]+(?:ed|en|n|t)\b")
_TAIL = re.compile(r"\d{4}$")
_LOOKING = re.compile(
    r"\b(?:(?:shall|should|may|can|could) (?:i|we)|(?:want|like) me to) "
    r"(?:look|check|search|see|find|try|suggest|tell|list|show)\b"
)
_QUOTED = re.compile(r'["“]([^"”\n]{2,40})["”]')
SIDES = ("from", "to")
_THING = re.compile(r"\b[A-Z]\w+ (?:[a-z]{4,}(?=\W|$)|[A-Z][a-z]+)")
_PERSON = re.compile(r"\b[A-ZÀ-Þ][a-zà-ÿ'-]+ [A-ZÀ-Þ][a-zà-ÿ'-]+\b")
_BEGINS = re.compile(
    r"\W*(?:(?:so|then|and|ok|okay|to confirm|just to confirm|plan|next|first|to recap|in short)\W+)*([a-z]+)\b"
)
"""The first word that a sentence says something with."""
_WILL_NOT = re.compile(r"\b(?:i|we)(?: will not|'ll not| won't| would not| wouldn't)\b(?! be able)")
_FEE = re.compile(
    r"\b(?:(?:service|booking|extra|additional|late|processing|admin) charges?|"
    r"fees?|surcharge|penalty|handling|deposit)\b"
)
_COUNTED = {"count": "number"}
_PARTS = re.compile(r"\b(?:and|to|from|into|onto|or|with|for|instead)\b|[,;.]")
_COMMON = frozenset(("yes", "no", "this", "that", "all", "one", "none", "any", "other", "day"))
_SMALL = frozenset("the a an my your our from to for of in on at by with and or is it mr ms mrs dr".split())
_OF_COURSE = frozenset(
    form for verb in "pay charge use refund credit settle cover bill put set".split() for form in forms(verb)
)
"""What is done with the money or the thing beside most actions, and is none of its own."""
_ANY_ACT = frozenset(
    form
    for verb in "update change modify adjust process apply arrange draw make do save submit confirm complete "
    "finalize activate put plan set".split()
    for form in forms(verb)
)
"""What may be said of any action."""
_CHANGING = frozenset(("change", "update", "set"))
_BECOMING = frozenset(form for verb in ("replace", "raise", "increase", "lower", "reduce") for form in forms(verb))
"""What may be said of a change to another value: "I'd raise the quantity to 18"."""
_STAYS = re.compile(r"\b(?:stays?|remains?|keeps?|unchanged|untouched|as (?:it|they) (?:is|are)|nothing else)\b")
_OF_MONEY = re.compile(
    r"\b(?:fees?|costs?|costing|priced?|charg(?:e|ed|es|ing)|totals?|totall?ing|refund(?:ed|s|ing)?|balance|difference|worth|"
    r"tax|shipping|postage|commission|comes? (?:back )?to|pays?|paid|paying|gives?|get|credit(?:ed)?|bill(?:ed)?|value|"
    r"subtotal|makes|takes|covers|remaining|rest|other)\b(?: [a-z]+){0,3}\W*$"
)
_MONEY_AFTER = re.compile(
    r"\W*(?!or )(?:[a-z]+ )?(?:fees?|total|refund|difference|commission|back|surcharge|extra|more|less|cheaper|in all|"
    r"altogether|is|was|certificate|gift|insurance)\b"
)
"""What an amount is said of that nobody has to wish."""


_EVERYTHING = re.compile(r"\beverything (?:that )?you(?:'ve| have)\b|\ball of it, for every\b|\bfor every person\b")
"""What is more than any one wish."""


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


class Comparison:
    """A message compared with a wish.

    Args:
        heard: the message.
        wish: what is wanted.
        settled: names of slots that either side has named before, so that a proposal need not.
        is_report: the message tells what has been done.

    Attributes:
        mentions: the typed things in it.
        verdict: what came of it.
    """

    def __init__(
        self, heard: AgentAct, wish: Wish, settled: frozenset[str] = frozenset(), *, is_report: bool = False
    ) -> None:
        self._heard, self._wish, self._is_report = heard, wish, is_report
        self.settled, self.verdict = settled, Verdict("right")
        self.mentions = find_mentions(heard.plain, wish.person.lexicon, wish.now)
        self._named: dict[str, WishSlot] = {}
        self._others: list[tuple[str, Weight]] = []
        self._before: tuple[Mention, Role | None] | None = None
        self._beside: list[Mention] = []
        self._chosen: list[tuple[WishSlot, str]] = []
        self._unfit: list[tuple[Mention, Clause]] = []
        self._is_denied = False
        self.clauses = self._plan()
        for mention in self.mentions:
            self._place(mention)
        for slot in wish.slots:
            if slot.is_wholly_named(self.verdict.rows.get(slot.fact.name, ())) or self._is_in_words(slot):
                self._named[slot.fact.name] = slot
        self.verdict.wrong += [(slot, words) for slot, words in self._chosen if slot.fact.name not in self._named]
        for mention, clause in self._unfit:
            self.verdict.wrong += [(slot, mention.text) for slot in self._contradicted(mention, clause)]
        self._amounts = list(self._fees())
        for slot in wish.slots if self._heard.proposal else ():
            if slot.table and not self.verdict.rows.get(slot.fact.name) and slot.fact.name not in self._named:
                rows = [each for each in self._beside if self._may_be_row(slot, each)]
                self.verdict.wrong += [(slot, each.text) for each in rows if not wish.explains(each)][:1]
        self.verdict.wrong += [
            *self._other_records(),
            *self._turned(),
            *self._other_texts(),
            *self._other_means(),
            *self._only_some(),
            *self._other_things(),
        ]
        self.verdict.named = list(self._named.values())
        uses = [clause.use for clause in self.clauses if clause.use is not None]
        self._acts = any(use.form not in ("past", "noun") for use in uses)
        self.verdict.plans = any(clause.use is not None and self._is_plan(clause) for clause in self.clauses)
        self.verdict.asserts = any(use.form != "past" or is_report for use in uses)
        self.verdict.missing = [
            slot for slot in wish.needed if slot.fact.name not in self._named.keys() | settled and self._is_open(slot)
        ]
        self.verdict.fit = self._fit()

    # --- what will be done ---

    @cached_property
    def _may_plan(self) -> bool:
        """Whether a message asks for agreement or promises something, so that its sentences say what will be done."""
        return bool(self._heard.proposal) or any(
            promises(each.text) or (each.act == "ask" and is_closed(each.text)) for each in self._heard.sentences
        )

    def _plan(self) -> list[Clause]:
        tokens = tokenize(self._heard.plain)
        negated, starts = negated_tokens(tokens), [token.start for token in tokens]
        parts = []
        for sentence in self._heard.sentences:
            first, end = bisect_left(starts, sentence.start), bisect_left(starts, sentence.end)
            inside = frozenset(index - first for index in negated if first <= index < end)
            if tokens[first:end]:
                parts.append((sentence, tokens[first:end], inside))
        found = [clause for each in parts if (clause := self._clause(*each)) is not None]
        if self._heard.proposal and not any(self._names_anything(clause.sentence) for clause in found):
            # "Isaac's draft goes out on April 9. Shall I?": what is told is what is asked leave for
            self._others = []
            found = [clause for each in parts if (clause := self._clause(*each, is_meant=True)) is not None]
        return found

    def _names_anything(self, sentence: Sentence) -> bool:
        return any(sentence.start <= mention.start < sentence.end for mention in self.mentions)

    def _clause(
        self, sentence: Sentence, part: list[Token], negated: frozenset[int], *, is_meant: bool = False
    ) -> Clause | None:
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
        if sentence.act == "refuse" and not (promises(text) or _PASSIVE.search(text)):
            return None
        begins = _BEGINS.match(text)
        is_order = begins is not None and begins[1] in wish.world.bases
        says_state = _IS.search(text) is not None and not (promises(text) or _WILL.search(text) or is_order)
        if sentence.act == "tell" and not self._is_report and not is_meant and (says_state or not self._may_plan):
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
    ) -> Iterator[tuple[str, Weight]]:
        wish = self._wish
        nouns = (word for word in _NOUN_OF.findall(sentence.text) if word in declared_elsewhere(wish))
        yield from ((word, "firm") for word in nouns if word not in wish.known and not wish.world.is_thing(word))
        own = wish.own_words | wish.world.akin(wish.kind)
        any_act = _ANY_ACT if own.isdisjoint(_CHANGING) else _ANY_ACT | _BECOMING
        roots = frozenset(map(root, own))
        elsewhere = declared_elsewhere(wish)
        for word in wish.world.other_actions(wish.kind, part, negated, sentence):
            low = word.text.lower()
            is_state = _told_of(low).search(sentence.text) is not None
            is_own = low in own or root(low) in roots or low in _OF_COURSE or low in any_act
            if not (is_own or is_state or _of_money(low).search(sentence.text)):
                yield word.text, "firm" if low in elsewhere and word.weight != "loose" else word.weight

    def _is_plan(self, clause: Clause) -> bool:
        """Whether a clause asks for leave or promises, rather than tells what is so."""
        text, begins = clause.sentence.text, _BEGINS.match(clause.sentence.text)
        is_order = begins is not None and begins[1] in self._wish.world.bases
        return clause.sentence.act in ("agree", "ask") or promises(text) or is_order

    # --- what is named and what contradicts ---

    def _place(self, mention: Mention) -> None:
        wish, verdict = self._wish, self.verdict
        clause = self._clause_of(mention)
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
        if is_denied and is_planned and any(is_right for _, is_right in chosen):
            verdict.wrong += [(slot, mention.text) for slot, is_right in chosen if is_right and slot.kind == "choice"]
            return
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
        elif self._is_other_end(mention):
            self._others.append((mention.text, "firm"))
        else:
            self._unfit.append((mention, clause))

    def _is_other_end(self, mention: Mention) -> bool:
        """Whether a mention is another value of what the wish's action decides by itself: "mark it as shipped"."""
        wish = self._wish
        fixed = wish.declared.fixed if wish.declared is not None else {}
        names = [column.removeprefix(CHOICE) for column in mention.columns if column.startswith(CHOICE)]
        before = self._heard.text[: mention.start]
        ends = [wish.person.choices.get((name, str(mention.value).casefold())) for name in names if name in fixed]
        is_end = _BECOMES.search(before) is not None and bool(ends)
        return is_end and not any(end == str(fixed[name]) for end, name in zip(ends, names, strict=False))

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
        own = " ".join(slot.words.casefold() for slot, is_right in chosen if is_right is not None)
        if word in _COMMON or word in self._wish.asked_for.replace(own, " "):
            return
        wrong = [slot for slot, is_right in chosen if is_right is False and slot.fact.name not in self._named]
        self._chosen += [(slot, mention.text) for slot in wrong]

    def _contradicted(self, mention: Mention, clause: Clause) -> list[WishSlot]:
        """The slots of its sort that a mention has otherwise, which nothing of the wish explains."""
        wish, text = self._wish, clause.sentence.text
        at = mention.start - clause.sentence.start
        is_tail = mention.kind == "identifier"
        is_from = mention.role == "from" and not any("from" in slot.roles for slot in wish.slots)
        if self._is_told(mention) or (is_from and not (mention.columns or is_tail)):
            return []
        alike = [slot for slot in wish.slots if not slot.table and (is_alike(slot, mention) or _lasts(slot, mention))]
        if mention.kind == "money":
            before, after = text[max(at - 40, 0) : at], text[at + len(mention.text) :]
            said = _OF_MONEY.search(before)
            is_price = said is not None and said.group().split()[0] not in wish.own_words
            if (is_price or _MONEY_AFTER.match(after)) and not any(slot.asked.search(before) for slot in alike):
                return []  # a price
        if alike:
            return [slot for slot in alike if not self._is_right(slot, mention)]
        if self._goes_elsewhere(mention):
            return [slot for slot in wish.slots if slot.table][:1]
        if wish.explains(mention):
            return []
        is_plan = self._is_plan(clause)  # "Your Visa has expired, so shall I charge your Amex?" names the one to come
        told = [slot for slot in wish.slots if slot.fact.name not in self._named or (slot.table and is_plan)]
        told = [slot for slot in told if slot.fact.name != "condition" and self._tells(slot, mention)]
        return [slot for slot in told if not self._is_beside_own(slot, mention, clause)]

    def _goes_elsewhere(self, mention: Mention) -> bool:
        """Whether an address of somebody else than the right calls' is where something is sent."""
        receivers = self._wish.receivers
        return bool(receivers) and "@" in mention.text and mention.role == "to" and mention.text not in receivers

    def _fees(self) -> Iterator[str]:
        """Fees that nothing of the wish comes to, wherever they are told: "There's a fee of $20 for this."."""
        for mention in self.mentions:
            around = self._heard.text[max(mention.start - 30, 0) : mention.end + 20]
            if mention.kind == "money" and not mention.negated and _FEE.search(around):
                yield from () if self._is_known(mention) else (mention.text,)

    def _is_beside_own(self, slot: WishSlot, mention: Mention, clause: Clause) -> bool:
        """Whether a row is named in the same sentence as the wished one as what is left for it."""
        for own in self.mentions:
            inside = clause.sentence.start <= own.start < clause.sentence.end
            if inside and set(own.columns) & set(mention.columns) and slot.fits(own, self._wish.person):
                return mention.negated or (mention.role != own.role and mention.role in ("from", "not", "instead_of"))
        return False

    def _may_be_row(self, slot: WishSlot, mention: Mention) -> bool:
        """Whether a mention is a name of a slot's rows, or of what the user calls its row by."""
        own = {column for each in named_in(self._wish).get(slot.fact.name, ()) for column in each.columns}
        return is_alike(slot, mention) or any(not column.startswith(CHOICE) for column in own & set(mention.columns))

    def _tells(self, slot: WishSlot, mention: Mention) -> bool:
        """Whether a mention can say which row a slot refers to: a row's name, last figures, an address."""
        if slot.table and any(map(str.isdigit, mention.text)) and _shape(mention.text) in map(_shape, slot.keys):
            return True
        if mention.columns and slot.table:
            return self._may_be_row(slot, mention)
        if slot.table and mention.kind in ("number", "identifier", "phone") and _TAIL.search(mention.text):
            return not self._heard.plain[: mention.start][-1:].isalnum()  # no "8236" of "e6dd8236"
        if slot.table and mention.kind == "email":
            return any("@" in key for key in slot.keys)
        sort = _sort(mention)
        own = [each for each in named_in(self._wish).get(slot.fact.name, ()) if _sort(each) == sort]
        said = {str(each.value) for each in self.mentions}
        return not all(str(each.value) in said for each in own)

    def _is_told(self, mention: Mention) -> bool:
        """Whether the user has said it, the right calls are given it or bring it."""
        wish = self._wish
        return (
            is_of_the_wish(wish, mention)
            or wish.is_given(mention)
            or bool(wish.outcome.columns_of(mention, changed=True))
        )

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

    def _turned(self) -> Iterator[tuple[WishSlot, str]]:
        """Things of two parts that are named the other way round: "from Boston to Philadelphia"."""
        for slot in self._wish.slots:
            own = [each for each in named_in(self._wish).get(slot.fact.name, ()) if each.columns and not slot.table]
            sides = {str(each.value): each for each in own if each.role in SIDES}
            for mention in self.mentions if len(sides) > 1 else ():
                side = sides[str(mention.value)].role if str(mention.value) in sides else mention.role
                is_right = any(each.value == mention.value and each.role == side for each in self.mentions)
                if mention.role in SIDES and not is_right and self._is_planned(mention):
                    yield slot, f"{mention.role} {mention.text}"

    def _other_texts(self) -> Iterator[tuple[WishSlot, str]]:
        """Names in quotation marks where the wish gives a thing another name: 'a new label "Garage"'."""
        slots = [slot for slot in self._wish.slots if slot.kind == "text" and slot.fact.name not in self._named]
        known = self._wish.known
        for clause in self.clauses if slots else ():
            quoted = _QUOTED.findall(self._heard.plain[clause.sentence.start : clause.sentence.end])
            yield from ((slots[0], words) for words in quoted if words.casefold() not in known)

    def _other_means(self) -> Iterator[tuple[WishSlot, str]]:
        """Another one of the world's exclusive choices, such as a way to pay: "refunded to a gift card"."""
        choices = self._wish.world.choices
        for slot in self._wish.slots:
            own = choices.findall(slot.words.casefold()) if "payment" in slot.fact.name else []
            said = (
                [word for clause in self.clauses for word in choices.findall(self._without_asides(clause))]
                if own
                else []
            )
            if said and len(own) == 1 and not any(_letters(each) == _letters(own[0]) for each in said):
                yield slot, said[0]

    def _only_some(self) -> Iterator[tuple[WishSlot, str]]:
        """Some of several things alone: "return the Desk Lamp" where the shoes are to go back as well."""
        text = " ".join(clause.sentence.text for clause in self.clauses)
        for slot in self._wish.slots:
            things = slot.fact.value if slot.kind == "record" and isinstance(slot.fact.value, list) else []
            names = [str(each["name"]) for each in things if isinstance(each, Mapping) and "name" in each]
            said = [name for name in names if name.casefold().rsplit(" ", 1)[-1].removesuffix("s") in text]
            if said and len(said) < len(names):
                yield slot, f"only the {said[0]}"

    def _other_things(self) -> Iterator[tuple[WishSlot, str]]:
        """Things of the sort of those that the wish is for, and none of them: the sandals of the same order."""
        own = named_in(self._wish)
        wished = {each.value for some in own.values() for each in some}
        for slot in self._wish.slots if self._heard.proposal else ():
            names = {name for each in own.get(slot.fact.name, ()) for name in each.columns if name.endswith(".name")}
            for mention in self.mentions if slot.kind == "record" else ():
                clause = self._clause_of(mention)
                if clause is None or clause.use is None or clause.is_beside(mention) or mention.negated:
                    continue
                is_which = any(start <= mention.start < end for start, end in clause.relative)
                is_another = names & set(mention.columns) and mention.value not in wished
                if is_another and not is_which and not _STAYS.search(clause.sentence.text):
                    yield slot, mention.text

    def _clause_of(self, mention: Mention) -> Clause | None:
        """The clause that a mention stands in, if it says what will be done."""
        return next((c for c in self.clauses if c.sentence.start <= mention.start < c.sentence.end), None)

    def _is_planned(self, mention: Mention) -> bool:
        clause = self._clause_of(mention)
        return clause is not None and not clause.is_beside(mention)

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
        if "reason" in slot.fact.name or (slot.kind in ("choice", "text", "record", "flag") and self.verdict.named):
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
        if (
            self._wish.topics is not None
            and self.clauses
            and not self._wish.may_be(self._heard.text)
            and verdict.asserts
        ):
            return "other"
        strange = () if self._acts else ("near",) if len(verdict.named) > 1 else ("near", "loose")
        others = [word for word, weight in self._others if weight in ("firm", *strange)]
        verdict.beside += others or self._amounts or self._more_than_one or self._opposites or self._other_names
        if verdict.beside:
            return "added" if verdict.asserts else "other"
        if not verdict.named:
            whole = _EVERYTHING.search(self._heard.text)
            act = whole[0] if whole else "" if verdict.asserts else self._other_act()
            if act:
                verdict.beside = [act]
                return "other"
        if not (verdict.asserts or self._heard.proposal or verdict.named) or self._looks_first:
            return "unclear"
        return "open" if verdict.missing else "right"

    def _other_act(self) -> str:
        """What a proposal that names nothing of the wish would do or take beside it: another act, an amount."""
        wish = self._wish
        own = wish.own_words | wish.world.akin(wish.kind) | _ANY_ACT | _OF_COURSE
        acts = [word for word in re.findall(r"[a-z]+", self._heard.text) if word in DOING and word not in own]
        strange = (each for each in self.mentions if each.kind == "money" and not self._is_known(each))
        return next(iter([*acts, *(each.text for each in strange)]), "")

    def _is_known(self, amount: Mention) -> bool:
        """Whether an amount is of the wish, of what it costs, or stands in what it is about."""
        wish = self._wish
        return is_of_the_wish(wish, amount) or amount.value in wish.costs or wish.shows(amount)

    def _without_asides(self, clause: Clause) -> str:
        text, start = clause.sentence.text, clause.sentence.start
        for first, end in sorted((*clause.asides, *clause.relative), reverse=True):
            text = f"{text[: first - start]} {text[end - start :]}"
        return _HALF_PAST.sub(" ", text)

    @cached_property
    def _looks_first(self) -> bool:
        """Whether all that is asked leave for is to look something up: "Shall we look for a larger one?"."""
        return not self.verdict.asserts and _LOOKING.search(self._heard.proposal) is not None

    @cached_property
    def _more_than_one(self) -> list[str]:
        """More things than the one that is wished: "all your open transfers"."""
        wish = self._wish
        singles = wish.singles | (wish.called if wish.singles else frozenset())
        for clause in self.clauses if not wish.quantifiers else ():
            for found in _ALL.finditer(clause.sentence.text):
                is_every = found.group().startswith("every")
                for word in found.group().split():
                    one = singular(word)
                    if one in singles and (is_every or word != one):
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
                is_known = low in wish.known or low in STATES.values() or low in ("united states",)
                if found.start() and not is_known and is_strange_name(wish, found.group()):
                    return [found.group()]
        return []

    @cached_property
    def _opposites(self) -> list[str]:
        """Words that turn the wish round: "lower" where it says "raise"."""
        opposed = opposed_to(self._wish.asked_for)
        for clause in self.clauses:
            said = words_in(self._without_asides(clause))
            for word in sorted((opposed.keys() & said) - self._wish.own_words):
                if said.isdisjoint(opposed[word]):
                    return [word.replace("-", " ")]
        return []


def _shape(key: str) -> str:
    return re.sub(r"\d", "0", key)


def _letters(words: str) -> str:
    return re.sub(r"[^a-z]", "", words.casefold())


def _lasts(slot: WishSlot, mention: Mention) -> bool:
    """Whether a mention is how long something takes, and so is a choice: "30 days" for "90 days"."""
    may_be = slot.kind == "choice" and mention.kind == "duration"
    return may_be and any(each.kind == "duration" for each in find_mentions(slot.words, None, datetime.min))


def _sort(mention: Mention) -> tuple[str, ...]:
    """What sort of thing a mention is: its kind, or the columns that hold it."""
    is_figure = mention.kind == "identifier" or not mention.columns
    return (_COUNTED.get(mention.kind, mention.kind), mention.unit) if is_figure else mention.columns


@lru_cache(maxsize=1024)
def _told_of(word: str) -> re.Pattern[str]:
    """Finds a verb where it tells how things are or what others may do: "they can accept or decline"."""
    return re.compile(
        rf"\b(?:is|are|was|were|been|'s|already|not|until you|(?<!i )can|(?<!i )may|(?<!i )could|or) {word}\b"
    )


@lru_cache(maxsize=1024)
def _of_money(word: str) -> re.Pattern[str]:
    """Finds a verb where it is only what is done with money: "send the difference back"."""
    return re.compile(rf"\b{word}\b (?:[a-z]+ ){{0,2}}(?:[$€£]|difference|refund|money|amount)")
