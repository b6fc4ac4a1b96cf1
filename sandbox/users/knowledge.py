"""What a user knows of its wishes: its answers, its yes, its corrections, from the facts of the present one alone.

Nothing that the task does not hold is ever said; what is told on request is told when it is asked for or got wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from random import Random

from toolgym.sandbox.kit.task import Goal, Task
from toolgym.sandbox.language.dialogue_acts import AgentAct
from toolgym.sandbox.language.mentions import Mention, find_mentions
from toolgym.sandbox.language.nlg_templates import Act, Style, declined, is_detail, phrase
from toolgym.sandbox.language.questions import asks_openly, is_closed
from toolgym.sandbox.language.tokens import tokenize
from toolgym.sandbox.language.verbs import promises
from toolgym.sandbox.synthesis.wording import said_otherwise
from toolgym.sandbox.users.asking import (
    aims,
    between_two,
    choices,
    how_many_asked,
    identifies,
    is_vague,
    is_which,
    is_yes_or_no,
    likely,
    prefers,
    repeats,
    without_purpose,
)
from toolgym.sandbox.users.asking_back import may_propose, order_of
from toolgym.sandbox.users.asking_words import asks_key
from toolgym.sandbox.users.comparison import Comparison
from toolgym.sandbox.users.declared_form import wish_of
from toolgym.sandbox.users.follow_up import begins_before, participle
from toolgym.sandbox.users.made_sure import checks_rightly, makes_sure
from toolgym.sandbox.users.person import PersonFacts
from toolgym.sandbox.users.records import said_of_it
from toolgym.sandbox.users.slot_words import question_for, question_of, sentence_of
from toolgym.sandbox.users.slots import UNASKED, WishSlot, is_alike
from toolgym.sandbox.users.slots_asked import asked_for, besides
from toolgym.sandbox.users.told_otherwise import told_wrongly, without_links
from toolgym.sandbox.users.topics import of_the_wish
from toolgym.sandbox.users.verdict import Verdict
from toolgym.sandbox.users.wish_in_words import confirmation

_FIGURES = ("money", "number", "date", "time", "moment")


@dataclass(frozen=True)
class Reaction:
    """The answer to a proposal.

    Attributes:
        agreed: it is a yes.
        sentences: what is said.
        nearly: nothing of the proposal is wrong, so that whoever goes on to report it has done it.
        only: the wish as somebody else would do it, "cancel order #W1", where a proposal holds more than that; it may
            be asked for in place of the last sentence.
    """

    agreed: bool
    sentences: list[str]
    nearly: bool = False
    only: str = ""


class Knowledge:
    """What one user knows of a task.

    Args:
        task: whose user.
        style: how the user talks.
        rng: draws the wording.

    Attributes:
        stepwise: several steps, each of which the user may be asked for, bring about what it wants in the end.
    """

    stepwise = False

    def __init__(self, task: Task, style: Style, rng: Random) -> None:
        self._task, self._style, self._rng = task, style, rng
        self._person = PersonFacts(task, style, rng)

    def enter(self, goal: Goal) -> None:
        """Make a wish the current one."""
        self._wish = wish_of(self._task, goal)
        self._world, self._kind = self._wish.world, self._wish.kind
        self._settled, self._corrected, self._left_open = set[str](), set[str](), set[str]()
        self._heard: AgentAct | None = None
        self._verdicts: dict[frozenset[str], Verdict] = {}
        self._answered, self._put = set[str](), set[str]()
        self._told = {slot.fact.name for slot in self._wish.slots if not slot.fact.on_request}

    # --- what the wish's action is called ---

    def done_words(self) -> frozenset[str]:
        """Past forms that report the wish as done."""
        return self._world.done_by(self._kind)

    def done_otherwise(self) -> frozenset[str]:
        """Past forms that report something else as done."""
        return self._wish.done_otherwise

    def action_nouns(self) -> frozenset[str]:
        """What the wish's action is called, such as "cancellation"."""
        return self._world.called(self._kind)

    def done_word(self) -> str:
        """How the user says that the wish is fulfilled, such as "cancelled"."""
        return participle(self._world.verbs(self._kind), self._wish.goal.utterance.lower())

    def acts(self, text: str) -> bool:
        """Whether a text names the wish's action."""
        return self._world.action(self._kind, tokenize(text), frozenset()) is not None

    def own_verbs(self) -> frozenset[str]:
        """Forms of the verbs that the wish is put in."""
        return self._world.put_in(self._wish.goal.utterance)

    def actions(self) -> frozenset[str]:
        """The names of the tools that the wish takes, where it takes several; empty where one does it."""
        return frozenset(self._kind.split("+")) if "+" in self._kind else frozenset()

    def reports_of(self, name: str, heard: AgentAct) -> bool:
        """Whether a message reports one of several actions that the wish takes, by its tool's name."""
        return heard.reports(self._world.done_by(name), confirmed=False)

    def is_over(self, heard: AgentAct) -> bool:
        """Whether a message says in other words than the wish's that all is well again, as of a repair."""
        return False

    def names_value(self, text: str) -> bool:
        """Whether a text names what the wish is to bring, such as its amount, and not only which thing it is about."""
        wish = self._wish
        values = [slot for slot in wish.slots if slot.kind in _FIGURES]
        said = find_mentions(text, None, wish.now) if values else ()
        return any(slot.fits(each, wish.person) for each in said for slot in values)

    # --- proposals ---

    def proposes(self, heard: AgentAct) -> bool:
        """Whether a message that asks for no agreement still says what will be done, whole or nearly."""
        if heard.refuses or any(
            each.act == "refuse" or (each.act == "ask" and asks_openly(each.text)) for each in heard.sentences
        ):
            return False
        verdict = self._compared(heard)
        asking = [each.text for each in heard.sentences if each.act == "ask"]
        if asking and all(begins_before(text) for text in asking):
            return False
        if not (verdict.asserts or verdict.named or verdict.wrong):
            return False  # "Let me check that, one moment please." after all has been settled
        if any(not is_closed(text) for text in asking):  # "A red one is $9. Just one, or more?" plans nothing
            return verdict.fit == "right" and verdict.plans
        is_whole = (
            len(self._wish.needed) > 1 and self._is_whole(heard) and (asking or any(map(promises, heard.statements)))
        )
        return bool(verdict.plans and (verdict.named or verdict.wrong)) or (verdict.fit == "right" and bool(is_whole))

    def consider(self, heard: AgentAct) -> Reaction:
        """Answer a proposal: yes unless it contradicts the wish, or leaves open what nobody has said."""
        wish = self._wish
        if heard.transfers:
            wanted = wish.goal.outcome == "transferred"
            return Reaction(wanted, [self._word("yes")] if wanted else [self._word("no_offer"), wish.goal.utterance])
        verdict = self._compared(heard)
        is_read = wish.declared is not None and wish.declared.tool.kind == "read"
        if is_read or wish.goal.outcome in ("answered", "transferred"):
            return self._without_action(heard, verdict)
        if (meant := self._meant_by(heard, verdict)) is not None:
            return Reaction(False, [f"{self._word('yes_fact')} {self._sentence(meant)}"], nearly=True)
        named = {slot.fact.name for slot in verdict.named}
        missing = [slot for slot in verdict.missing if slot.fact.name not in self._left_open]
        if verdict.fit == "open" and missing:
            self._settled |= named
            self._left_open.add(missing[0].fact.name)
            noun = self._world.nouns.get(missing[0].table, "")
            return Reaction(False, [self._word("incomplete"), question_for(missing[0], noun)], nearly=True)
        if verdict.fit in ("right", "open"):
            said = self._yes(verdict)
            self._told |= named
            return Reaction(True, [said])
        self._settled |= named - {slot.fact.name for slot, _ in verdict.wrong} if verdict.fit == "wrong" else set()
        if verdict.fit == "wrong":
            differing = {text for _, text in verdict.wrong}
            is_again = differing <= self._corrected  # whoever says so once more may mean the right thing by it
            self._corrected |= differing
            return Reaction(False, self._correct(verdict.wrong), only=self._order(heard, verdict) if is_again else "")
        if verdict.fit in ("other", "added"):
            order = self._order(heard, verdict)
            no = [] if order and is_detail(verdict.beside) else [declined(verdict.beside, self._style, self._rng)]
            return Reaction(False, [*no, wish.goal.utterance], only=order)
        word: Act = "no" if verdict.fit == "denied" else "again"
        return Reaction(False, [self._word(word), wish.goal.utterance], nearly=verdict.fit == "unclear")

    def objects(self, heard: AgentAct) -> list[str]:
        """What the user says to a report of something else: "line 201-555-0151 is suspended"; else empty."""
        wrong = told_wrongly(without_links(heard), self._wish)
        return self._correct(wrong) if wrong else []

    def _meant_by(self, heard: AgentAct, verdict: Verdict) -> WishSlot | None:
        """What a message only makes sure of, and rightly: "You mean the one of January 29, right?"."""
        if not makes_sure(heard, verdict):
            return None
        self._settled |= {slot.fact.name for slot in verdict.named}
        return verdict.named[0]

    def meant(self, heard: AgentAct) -> str:
        """What a message that is not understood may mean, in words already said: "cancel order #W1".

        Empty where it names nothing of the wish, contradicts it, or leaves open what the user has not told.
        """
        verdict = self._compared(heard)
        may_mean = verdict.fit in ("unclear", "right") or (verdict.fit == "open" and verdict.asserts)
        return self._order(heard, verdict) if may_mean and not makes_sure(heard, verdict) else ""

    def _order(self, heard: AgentAct, verdict: Verdict) -> str:
        """The wish in what was said of it; empty where a message names nothing of it or leaves open what is untold."""
        told = self._told | self._settled
        untold = any(slot.fact.name not in told for slot in verdict.missing)
        if untold or not verdict.named or not may_propose(heard):
            return ""
        self._put = told | {slot.fact.name for slot in verdict.named}
        return order_of(self._wish, self._as_said(verdict, self._put))

    def note_asked_back(self) -> None:
        """What a closed question of the user's own has said need not be named again."""
        self._settled |= self._put

    def names_any(self, heard: AgentAct) -> bool:
        """Whether a message names, rightly, anything that the wish is about."""
        return bool(self._compared(heard).named)

    def keeps_to(self, heard: AgentAct) -> bool:
        """Whether a message is the wish, wholly named and rightly said."""
        return self._is_whole(heard)

    def _is_whole(self, heard: AgentAct) -> bool:
        verdict = self._compared(heard, frozenset(self._settled))
        return verdict.fit == "right" and bool(verdict.named or (verdict.asserts and not self._wish.needed))

    def _compared(self, heard: AgentAct, settled: frozenset[str] | None = None) -> Verdict:
        """The message compared with the wish; what is asked of one message several times is found out once."""
        known = frozenset(self._settled | self._told) if settled is None else settled
        if self._heard is not heard:
            self._heard, self._verdicts = heard, {}
        if known not in self._verdicts:
            self._verdicts[known] = Comparison(heard, self._wish, known).verdict
        return self._verdicts[known]

    # --- questions ---

    def answers(self, heard: AgentAct) -> list[str]:
        """Sentences that answer what is asked; empty when nothing is recognised."""
        asked = without_purpose(heard.asked)
        self._note_what_is_planned(heard)
        slots = self._asked_of_the_wish(asked, heard)
        if not slots and choices(heard):  # a table of variants, and "Which one?"
            slots = [slot for slot in self._wish.slots if slot.kind == "record" and slot.fact.name.startswith("new")]
        rest = self._asks_of_the_rest(asked, slots)
        if rest:
            slots = [slot for slot in slots if slot.kind != "record" or slot.fact.name not in self._told]
        slots = self._of_the_lines(heard, slots)
        begins = [self._yes_or_no(heard, slot) for slot in slots]
        begins = begins if len(set(filter(None, begins))) < 2 else [""] * len(slots)  # partly so: neither yes nor no
        said = [begin + self._sentence(slot) for begin, slot in zip(begins, slots, strict=True)]
        unknown = [slot for slot in slots if slot.kind == "reference" and not slot.says_key]
        if unknown and asks_key(of_the_wish(asked)) and not any(slot.kind == "secret" for slot in slots):
            said.insert(0, phrase("unknown", self._style, self._rng, "the number"))
        said += [self._word("rest")] if rest else []
        names = {slot.fact.name for slot in slots}
        self._told |= names
        self._answered |= names
        self._settled |= {slot.fact.name for slot in slots if slot.table or slot.kind == "choice"}
        found = [*self._person.answers(besides(asked, slots), quiet=bool(slots or rest)), *said]
        return found or self._checked(heard) or self._person.picked(heard) or self._not_known(asked)

    def wants_to_know(self, heard: AgentAct) -> bool:
        """Whether a message asks openly for something of the wish that it does not name itself."""
        if not any(each.act == "ask" and asks_openly(each.text) for each in heard.sentences):
            return False
        named = self._compared(heard, frozenset()).named
        slots = self._asked_of_the_wish(without_purpose(heard.asked), heard)
        return any(slot.kind != "secret" and slot not in named for slot in slots)

    def _asked_of_the_wish(self, asked: str, heard: AgentAct) -> list[WishSlot]:
        return asked_for(of_the_wish(asked), heard, self._wish)

    def _asks_of_the_rest(self, asked: str, slots: Sequence[WishSlot]) -> bool:
        """Whether a request is for an option of which the wish says nothing, as all that it changes has been told."""
        new = [
            slot for slot in self._wish.slots if slot.fact.name in self._answered and slot.fact.name.startswith("new_")
        ]
        is_chosen = is_which(asked) or " or " in asked
        few = len(slots) < how_many_asked(asked) if slots else prefers(asked)  # whoever asks again wants to hear more
        return is_chosen and any(slot.kind == "record" and (few or slot in slots) for slot in new)

    def _of_the_lines(self, heard: AgentAct, slots: list[WishSlot]) -> list[WishSlot]:
        """What the lines to choose from differ in, where all that is asked for has been told: of which day it is."""
        lines = choices(heard)
        if not lines or not slots or any(not slot.table or slot.fact.name not in self._told for slot in slots):
            return slots
        every = find_mentions(heard.plain, self._wish.person.lexicon, self._wish.now)
        listed = [each for each in every if any(start <= each.start < end for start, end in lines)]
        if self._is_another(listed, slots):
            return slots
        return [
            slot for slot in self._wish.slots if not slot.table and any(is_alike(slot, each) for each in listed)
        ] or slots

    def _checked(self, heard: AgentAct) -> list[str]:
        """A yes or a no to a question that only checks something: "Just to be sure: zip 14223?"."""
        if not any(each.act == "ask" and is_closed(each.text) for each in heard.sentences):
            return []
        verdict = self._compared(heard)
        if verdict.wrong:
            return self._correct(verdict.wrong)
        if repeats(heard, self._wish.goal.utterance):
            return [self._word("yes_fact")]
        if not self._names_another(heard, verdict.named) and (meant := self._meant_by(heard, verdict)) is not None:
            return [f"{self._word('yes_fact')} {self._sentence(meant)}"]
        return [self._word("yes_fact")] if self._is_only_known(heard, verdict) else []

    def _names_another(self, heard: AgentAct, slots: Sequence[WishSlot]) -> bool:
        """Whether a message names beside what the user means another thing of the sort: "You have L2. That one?"."""
        return self._is_another(find_mentions(heard.plain, self._wish.person.lexicon, self._wish.now), slots)

    def _is_another(self, mentions: Iterable[Mention], slots: Sequence[WishSlot]) -> bool:
        """Whether one of these mentions is of the sort of one of these slots, and not what it holds."""
        alike = ((slot, each) for each in mentions for slot in slots if is_alike(slot, each))
        return any(not slot.fits(each, self._wish.person) for slot, each in alike)

    def _note_what_is_planned(self, heard: AgentAct) -> None:
        """Remember what a plan names that is told before a last thing is asked for: "I would send it. Your PIN?"."""
        if not heard.refuses and self._wish.needed:
            verdict = self._compared(heard)
            if not (verdict.wrong or verdict.beside):
                self._settled |= {slot.fact.name for slot in verdict.named}

    def guess(self, heard: AgentAct) -> list[str]:
        """One plain fact of the present wish, for a question that cannot be placed; empty when all have been told."""
        untold = {slot.fact.name: slot for slot in self._wish.slots if slot.fact.name not in self._told}
        plain = likely(heard.asked, (slot.fact for slot in untold.values() if slot.kind not in UNASKED))[:1]
        self._told |= {fact.name for fact in plain}
        return [self._sentence(untold[fact.name]) for fact in plain]

    def _not_known(self, asked: str) -> list[str]:
        """What to say to a question about a thing that is no part of the wish."""
        if self._wish.topics is not None:
            named = [self._wish.topics.by_name[name] for name in self._wish.topics.in_text(of_the_wish(asked))]
            lacked = next((topic for topic in named if topic.called), None)
            act: Act = "no_preference" if lacked is not None and lacked.is_preference else "unknown"
            return [phrase(act, self._style, self._rng, lacked.called)] if lacked is not None else []
        said = filter(asked.__contains__, self._world.nouns.values())
        nouns = (noun for noun in said if re.search(rf"\b{noun}s?\b", aims(asked) or asked))  # no label's colour
        thing = None if is_yes_or_no(asked) or between_two(asked) else next(nouns, None)
        return [phrase("unknown", self._style, self._rng, f"the {thing}")] if thing and not is_vague(asked) else []

    def _yes_or_no(self, heard: AgentAct, slot: WishSlot) -> str:
        """What begins the answer to "Is it the one ...?", by what it names; empty where it names nothing or both."""
        if not any(each.act == "ask" and (identifies(each.text) or is_closed(each.text)) for each in heard.sentences):
            return ""
        verdict = self._compared(heard)
        if verdict.wrong or verdict.beside:
            return ""
        right = wrong = bool(heard.proposal)
        is_so = not (self._compared(heard, frozenset()).asserts)
        for sentence in heard.sentences:
            closed = identifies(sentence.text) or (is_so and is_closed(sentence.text))
            if sentence.act == "ask" and not sentence.listed and closed:
                part = heard.plain[sentence.start : sentence.end]
                for mention in find_mentions(part, self._wish.person.lexicon, self._wish.now):
                    fits = slot.fits(mention, self._wish.person)
                    right, wrong = right or fits, wrong or (not fits and is_alike(slot, mention))
        if right == wrong:
            return ""
        return f"{self._word('yes_fact' if right else 'no')} "

    def asks(self, heard: AgentAct) -> bool:
        """Whether a message asks for something of the wish."""
        return bool(heard.asked and self._asked_of_the_wish(heard.asked, heard))

    def asks_withheld(self, heard: AgentAct) -> bool:
        """Whether a message asks for something of the wish that is told on request: "Which size, then?"."""
        asked = self._asked_of_the_wish(without_purpose(heard.asked), heard) if heard.asked else []
        return any(slot.fact.on_request for slot in asked)

    def volunteered(self) -> list[str]:
        """What the user says about themself without being asked."""
        return self._person.volunteered()

    def answers_beside(self, heard: AgentAct) -> list[str]:
        """What is said to a message that the user has done something for with its tools: who the user is, if asked."""
        return self.answers(heard) if self.identifies(heard) else []

    def identifies(self, heard: AgentAct) -> bool:
        """Whether a message asks who the user is."""
        return self._person.is_asked(heard.asked)

    def stuck(self) -> list[str]:
        """What to say when the usual words have been said twice: the wish in another way, or one plain fact of it.

        A flag's fact is its wish ("reply to all"): "the everyone is yes" says nothing more, and sounds like a yes.
        """
        told = [slot for slot in self._wish.slots if slot.fact.name in self._told and slot.kind not in UNASKED]
        plain = [self._sentence(slot) for slot in told if slot.sentences or slot.kind != "flag"]
        return [*said_otherwise(self._wish.domain, self._wish.goal), *plain]

    def asks_again(self) -> list[str]:
        """Questions about what still has to be told."""
        tells = self._wish.declared.tells if self._wish.declared else ()
        return [question_of(tell) for tell in tells]

    # --- yes, no, which ---

    def _yes(self, verdict: Verdict) -> str:
        if self._style == "terse" and self._rng.random() < 0.5:
            return self._word("yes")
        names = {slot.fact.name for slot in verdict.named if self._is_said(slot)} | self._settled
        order = confirmation(self._wish, self._as_said(verdict, names))
        return phrase("yes_order", self._style, self._rng, order) if order else self._word("yes")

    def _is_said(self, slot: WishSlot) -> bool:
        """Whether the words for a slot have been said: a row that is only described has a key that nobody has told."""
        return (
            slot.fact.name in self._told or not slot.table or (self._heard is not None and _has_key(slot, self._heard))
        )

    def _as_said(self, verdict: Verdict, names: Set[str]) -> dict[str, str]:
        """The words of needed slots, those that the user has not told as the agent put them."""
        heard = {name: words for name, words in verdict.said.items() if name not in self._told}
        needed = [slot for slot in self._wish.needed if slot.fact.name in names]
        for slot in needed if self._heard else ():
            if slot.kind == "record" and slot.fact.name not in self._told and self._heard:
                heard[slot.fact.name] = said_of_it(slot.words, self._heard.text)
        return {slot.fact.name: heard.get(slot.fact.name, slot.words) for slot in needed}

    def _correct(self, wrong: Sequence[tuple[WishSlot, str]]) -> list[str]:
        first: list[str] = []
        by_slot: dict[str, tuple[WishSlot, str]] = {}
        for slot, text in wrong:
            by_slot.setdefault(slot.fact.name, (slot, text))
        for slot, text in by_slot.values():
            same = text.casefold() in slot.words.casefold()
            opening = self._word("no") if same else phrase("no_thing", self._style, self._rng, text)
            first += [opening if not first else "", self._sentence(slot)]
            self._told.add(slot.fact.name)
        return [part for part in first if part]

    def _without_action(self, heard: AgentAct, verdict: Verdict) -> Reaction:
        if self._is_only_known(heard, verdict) or repeats(heard, self._wish.goal.utterance):
            return Reaction(False, [self._word("yes_fact")])
        word: Act = "no_offer" if verdict.beside or verdict.asserts else "again"
        return Reaction(False, [self._word(word), self._wish.goal.utterance])

    def _is_only_known(self, heard: AgentAct, verdict: Verdict) -> bool:
        return self._wish.goal.outcome == "answered" and checks_rightly(heard, verdict)

    def _sentence(self, slot: WishSlot) -> str:
        return sentence_of(slot, self._style, self._rng)

    def _word(self, act: Act) -> str:
        return phrase(act, self._style, self._rng)


def _has_key(slot: WishSlot, heard: AgentAct) -> bool:
    return any(key.casefold() in heard.text for key in slot.keys) or slot.words.casefold() in heard.text
