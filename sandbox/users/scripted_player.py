"""One scripted user in one episode: the agenda of its wishes, and what it says to each message.

Not for what it knows of a wish (`knowledge.Knowledge`), nor for its words (`nlg_templates.py`) and manner.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random

from toolgym.sandbox.kit.message import STOP, Json, Message, ToolCall
from toolgym.sandbox.kit.task import Fact, Goal, Task
from toolgym.sandbox.language.dialogue_acts import AgentAct, parse_act
from toolgym.sandbox.language.nlg_templates import Act
from toolgym.sandbox.language.questions import is_closed, keys_asked
from toolgym.sandbox.language.told import tells_all
from toolgym.sandbox.runtime.approval import Approval, Shown
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import RowChange
from toolgym.sandbox.runtime.user_tool_driver import UserToolDriver, said_before, seen_last, since_heard
from toolgym.sandbox.users.approving import NOT_ASKED_FOR, Wanted, change_in_words
from toolgym.sandbox.users.asking import asks_reason, between_acts, is_bare, leaves_choice, without_further
from toolgym.sandbox.users.follow_up import (
    Agreed,
    asks_more,
    is_at_it,
    is_handed_over,
    is_on_the_way,
    offers_else,
    only_waits,
    says_done,
    says_no,
    says_only_yes,
    says_yes,
    takes_back,
    tries_again,
    wants_yes,
)
from toolgym.sandbox.users.left_out import another_setting, left_out_of, without_left_out
from toolgym.sandbox.users.made_sure import says_it_is_so
from toolgym.sandbox.users.manner import Manner
from toolgym.sandbox.users.mistaken import corrected
from toolgym.sandbox.users.parting import parting, still_open
from toolgym.sandbox.users.refusal_reading import (
    asks_for_second,
    is_in_its_place,
    is_in_place,
    offers_another,
    refuses_wish,
)
from toolgym.sandbox.users.said_again import beside, said_again
from toolgym.sandbox.users.traits import Traits
from toolgym.sandbox.users.unplaced import reply_to
from toolgym.sandbox.users.variety import Variety
from toolgym.sandbox.users.what_is_known import knowledge_of

_MAX_REPLIES = 60
_MAX_INSISTING = 2
_MAX_DECLINED = 2
"""Calls that are declined without a word of the agent's between; after one more the user leaves."""
_MAX_CALLS = 14
"""Calls that one message can make the user do; an episode allows 16 rounds."""


class ScriptedPlayer:
    """One user in one episode.

    Args:
        task: its wishes and facts.
        traits: how it behaves, in numbers.
        rng: draws its words.
        manner: breaks off, digresses, hesitates.
        driver: decides what it does with tools of its own; None for a user without any.
    """

    def __init__(self, task: Task, traits: Traits, rng: Random, manner: Manner, driver: UserToolDriver | None) -> None:
        self._task = task
        self._traits, self._manner, self._domain = traits, manner, task.domain
        self._variety = Variety(traits.tone, rng)
        self._goals = list(task.goals) or [Goal(kind="ask", utterance=task.scenario, outcome="answered")]
        self._knowledge = knowledge_of(task, traits.tone, rng)
        self._driver = driver
        self._now = (task.now or get_domain(task.domain).now).replace(tzinfo=None)
        self._idle = self._replies = self._place = 0
        self._heard: set[str] = set()
        self._unplaced: list[int] = []
        self._before: tuple[Goal, frozenset[str]] | None = None
        self._leaving = False
        self._wanted: list[Wanted] = []
        self._rows: Sequence[RowChange] | None = None
        self._since: Sequence[RowChange] = ()
        self._declined = 0
        self._odd: set[tuple[str, tuple[Json, ...]]] = set()
        self._noticed: list[int] = []
        self._enter(self._goals.pop(0))

    @property
    def notes(self) -> dict[str, Json] | None:
        """What `info.ScriptedNotes` holds, if anything."""
        return self._traits.noted(self._unplaced, self._noticed)

    async def reply(self, messages: Sequence[Message]) -> Message:
        """The user's next message."""
        if not messages:
            return Message(role="user", content=self._manner.said(self._opening()))
        self._declined = 0
        text, done = since_heard(messages)
        self._place = sum(message.role == "assistant" for message in messages) - 1
        if self._driver is not None and len(done) < _MAX_CALLS:
            calls = self._driver.follow(text, done, said_before(messages))
            if calls:
                return Message(role="user", tool_calls=tuple(calls))
        if self._manner.is_unfinished and not done:
            self._told.append(text)
            return Message(role="user", content=self._manner.rest())
        said = self._reported(text, done) if done else self._respond(text)
        return Message(role="user", content=self._manner.said(said))

    async def approve(self, call: ToolCall, shown: Shown) -> Approval:
        """The answer to a call that is about to be made: yes, unless it is not what is wished.

        A wish that the user takes for settled may still be granted: it may have misheard.
        """
        if self._goal.revised_to is not None:
            return Approval(approved=False, sentence=" ".join(self._replace(self._goal.revised_to, "change")))
        found = [wanted.contradicts(call, shown) for wanted in reversed(self._wanted)]
        if None in found or self._names_odd(shown):
            self._confirmed, self._idle = not self._knowledge.stepwise, 0
            self._declined = 0
            return Approval(approved=True)
        self._idle, self._declined = self._idle + 1, self._declined + 1
        if self._declined > _MAX_DECLINED or self._idle >= self._traits.patience:
            return Approval(approved=False, sentence=self._word("give_up"), leaves=True)
        if self._declined == _MAX_DECLINED:
            return Approval(approved=False, sentence="Please ask me what I want.")
        other = found[0]
        is_said = isinstance(other, Fact) and other.kind not in (None, "secret") and other.words in self._goal.utterance
        named = other.words if is_said and isinstance(other, Fact) else ""
        return Approval(approved=False, sentence=f"No, {named}, please." if named else NOT_ASKED_FOR)

    def _names_odd(self, shown: Shown) -> bool:
        """Whether a call names a row that the user sees changed though it did not ask for it: that may be mended."""
        given = {value for value in shown.arguments.values() if isinstance(value, str)}
        odd = self._wanted[-1].unlike(self._rows or (), self._since)
        return any(given.intersection(map(str, row.key)) for row in odd)

    def see(self, rows: Sequence[RowChange]) -> None:
        """Be told which rows of its own stand changed; before each of its replies, where it sees them at all."""
        self._rows = rows

    # --- the agenda ---

    def _enter(self, goal: Goal) -> None:
        self._goal = goal
        self._wanted.append(Wanted(self._task, goal))
        self._since, self._doubted = self._rows or (), False
        self._told: list[str] = []
        self._confirmed = self._nearly = self._guessed = self._was_meant = False
        self._insisted = 0
        self._asked_back = self._order = ""
        self._knowledge.enter(goal)
        self._due, self._left_out = self._knowledge.actions(), left_out_of(self._domain, goal)

    def _opening(self) -> str:
        self._variety.note(self._goal.utterance)
        return " ".join([self._word("greet"), *self._knowledge.volunteered(), self._goal.utterance])

    def _settle(self, first: list[str]) -> list[str]:
        """The current goal is over: the next one, or the end."""
        self._idle = 0
        first = [*first, *self._notice()]
        self._goals = still_open(self._goal, self._goals, self._told[-1:], self._now)
        if not self._goals:
            further = "" if self._leaving else self._manner.further_wish()
            self._leaving = True
            return [*first, self._word("next"), further] if further else [*first, self._word("thanks"), STOP]
        is_seen = self._rows is not None and self._wanted[-1].stands(self._rows, self._since)
        self._before = None if first or is_seen else (self._goal, self._knowledge.done_words())
        self._enter(self._goals.pop(0))
        return [*first, self._word("next"), self._goal.utterance]

    def _replace(self, goal: Goal, act: Act) -> list[str]:
        self._idle = 0
        self._wanted.pop()  # it is wished no more
        self._enter(goal)
        return [self._word(act), goal.utterance]

    def _respond(self, text: str) -> str:
        right = corrected(self._goal, text)
        if right is not None:
            self._goal = right
            self._knowledge.enter(right)
        asked = () if self._confirmed else self._left_out
        goal, (heard, left_out) = self._goal, without_left_out(parse_act(text), asked)
        self._told.append(text)
        self._replies, self._idle = self._replies + 1, self._idle + 1
        begin = [] if right is None else [self._word("mixed_up")]
        said = [] if left_out and not (heard.asked or heard.proposal or heard.refuses) else self._react(heard)
        said = [*(begin if said else ()), *said]
        said += [self._word(act, about) for act, about in left_out if goal is self._goal]
        fresh = self._variety.fresh
        parts = fresh(said, self._goal.utterance, self._knowledge.stuck) or fresh([self._word("stuck")], "", tuple)
        if STOP not in parts and (not parts or self._idle >= self._traits.patience or self._replies >= _MAX_REPLIES):
            parts = [self._word("give_up"), STOP]
        is_said = goal is self._goal
        return " ".join(said_again(part) if is_said and part == goal.utterance else part for part in parts)

    def _react(self, heard: AgentAct) -> list[str]:
        goal = self._goal
        asked_back, self._asked_back = self._asked_back, ""
        self._was_meant = asked_back in ("meant", "only")
        if self._leaving:
            return self._settle([self._manner.drop()])
        if self._before is not None and takes_back(heard.text, self._before[1]):
            return self._go_back()
        if asked_back and (reaction := self._hear_answer(asked_back, heard)):
            return reaction
        is_plain = not (heard.asked or heard.proposal or heard.refuses or heard.waits)
        if goal.outcome == "answered" and self._is_told() and (goal.must_communicate or is_plain):
            return self._settle([self._word("no_offer")] if heard.proposal else [])
        reported = self._reported_done(heard)
        if seen := self._hear_of_what_is_seen(heard, reported=reported):
            return seen
        if self._confirmed and not reported and tries_again(heard.proposal or heard.asked):
            return [self._word("yes")]
        if not reported and is_at_it(heard):
            return [self._word("wait")]
        if self._refused(heard, reported) and (reaction := self._hear_refusal(heard)):
            return reaction
        if reported:
            return self._hear_report(heard)
        is_handed = goal.outcome == "transferred" and is_handed_over(heard)
        if (heard.transfers or is_handed) and (reaction := self._hear_handover(heard)):
            return reaction
        if only_waits(heard):
            self._nearly = self._nearly or (not self._confirmed and self._knowledge.keeps_to(heard))
            return [self._word("wait")]
        may_plan = not (self._confirmed or goal.outcome == "answered" or between_acts(heard.asked))
        if heard.proposal or (may_plan and self._knowledge.proposes(heard)):
            return self._consider(heard)
        if heard.asked:
            return self._answer(heard)
        return (self._knowledge.objects(heard) if self._confirmed else []) or self._nod(heard)

    def _nod(self, heard: AgentAct) -> list[str]:
        """React to a message that asks nothing and settles nothing."""
        goal = self._goal
        is_so = goal.outcome == "done" and self._knowledge.keeps_to(heard)  # "The mug is in your cart. What's next?"
        if heard.more and (self._confirmed or self._knowledge.stepwise or goal.outcome == "refused" or is_so):
            return self._make_sure("sure_done" if goal.outcome == "done" else "sure_refused")
        if heard.waits or self._knowledge.stepwise:
            return [self._word("wait")]
        if self._confirmed:
            return self._make_sure("sure_done")
        if question := self._ask_meant(heard):
            return question
        if goal.outcome != "answered" and self._idle == 1 and not heard.more and is_on_the_way(heard.text):
            return [self._word("wait")]
        return [self._word("missing" if goal.outcome == "answered" else "again"), goal.utterance]

    # --- what became of the wish ---

    def _is_told(self) -> bool:
        """Whether all that must be told of this wish has been."""
        return tells_all(self._told, self._goal, self._now)

    def _refused(self, heard: AgentAct, reported: bool) -> bool:
        """Whether the message refuses the wish, rather than a thing beside it or after it."""
        said = {"confirmed": self._confirmed, "nearly": self._confirmed or self._nearly, "reported": reported}
        is_second = self._goal.fallback is not None and asks_for_second(heard, self._knowledge)
        return is_second or refuses_wish(heard, self._knowledge, self._goal.outcome, **said)

    def _hear_report(self, heard: AgentAct) -> list[str]:
        if self._due:
            return self._make_sure("sure_all")
        if self._is_told():
            return self._take_leave(heard)
        if self._confirmed and self._goal.outcome == "refused":
            return self._settle([])  # whoever is told that it is done does not ask why it was not
        self._asked_back = "told"
        asking = self._knowledge.asks_again()
        return [self._word("left_open"), *asking] if asking else [self._word("missing"), self._goal.utterance]

    def _take_leave(self, heard: AgentAct) -> list[str]:
        words = parting(heard, self._knowledge, self._goal.outcome)
        return self._settle([self._word(word) for word in words])

    def _reported_done(self, heard: AgentAct) -> bool:
        is_open = wants_yes(heard) or asks_more(heard)
        if self._goal.outcome not in {"done", "refused"} or (not self._confirmed and is_open):
            return False
        knows = self._knowledge
        if knows.is_over(heard):
            return True
        is_so = says_it_is_so(heard, agreed=self._confirmed) and knows.keeps_to(heard)
        agreed = Agreed(self._confirmed, self._nearly or is_so, self._was_meant or is_so, is_so)
        if heard.more and is_so and self._goal.outcome == "done" and not self._due and knows.acts(heard.text):
            return not knows.objects(heard)  # done without a yes
        self._due = frozenset(name for name in self._due if not knows.reports_of(name, heard))
        named = knows.done_words(), knows.done_otherwise(), knows.action_nouns()
        return says_done(heard, named, agreed, knows.acts) and not knows.objects(heard)

    def _hear_of_what_is_seen(self, heard: AgentAct, *, reported: bool) -> list[str]:
        """React to a report as somebody who sees their own rows does; empty where nothing is seen or reported."""
        if self._rows is None or self._goal.outcome != "done" or not self._goal.calls:
            return []
        stands = self._wanted[-1].stands(self._rows, self._since)
        if stands:
            self._due = frozenset()
            asks = heard.proposal or wants_yes(heard)
            knows = self._knowledge
            names_it = knows.acts(heard.text) or knows.keeps_to(heard) or (heard.more and knows.names_any(heard))
            return self._hear_report(heard) if reported or (names_it and not asks) else []
        if reported and stands is False and not self._doubted:
            self._doubted = True
            return ["I don't see it yet."]
        return []

    def _notice(self) -> list[str]:
        """Say once what stands changed beside the wish: what, not what it should be."""
        beside = self._wanted[-1].beside(self._rows or (), self._since)
        new = [row for row in beside if (row.table, row.key) not in self._odd]
        if not new:
            return []
        self._odd |= {(row.table, row.key) for row in new}
        self._noticed.append(self._place)
        return [f"I also see something I didn't ask for: {change_in_words(self._domain, new[0])}."]

    def _go_back(self) -> list[str]:
        """An earlier wish turns out not to have been done."""
        assert self._before is not None
        self._goals.insert(0, self._goal)
        goal, self._before = self._before[0], None
        return self._replace(goal, "not_done")

    def _make_sure(self, question: Act) -> list[str]:
        """Ask what stays open as a closed question."""
        self._asked_back = question
        return [self._word(question, self._knowledge.done_word())]

    def _hear_answer(self, asked: str, heard: AgentAct) -> list[str]:
        """React to the answer to a closed question; empty where it is none."""
        if asked in ("meant", "only"):
            return self._hear_meant(heard, declined=asked == "only")
        if asked == "told":  # "Sorry, I should have said: it is on April 6."
            is_open = heard.asked and not offers_else(heard, self._knowledge.acts)
            return self._take_leave(heard) if self._is_told() and not is_open else []
        agrees = says_yes(heard.text) or (heard.more and not heard.denies)
        if heard.proposal or heard.asked or says_no(heard.text) or not agrees:
            return []
        if asked == "sure_refused":
            return self._settle([self._word("accept")])
        self._due = frozenset()
        return self._hear_report(heard)

    def _hear_refusal(self, heard: AgentAct) -> list[str]:
        """React to "that is not possible"; empty where the message's question matters more."""
        goal = self._goal
        is_other = is_in_its_place(heard, self._knowledge)
        if heard.proposal and goal.outcome != "refused" and not (goal.revised_to or is_other):
            reaction = self._knowledge.consider(heard)
            if reaction.agreed:
                self._idle, self._confirmed = 0, not self._knowledge.stepwise
                return reaction.sentences
        if goal.fallback is not None:
            return self._replace(goal.fallback, "accept")
        if goal.outcome == "transferred":
            return [] if heard.transfers or heard.asked else [self._word("human")]
        is_refused = goal.outcome == "refused"
        declined = [self._word("no_offer")] if offers_another(heard, is_refused=is_refused) else []
        self._insisted += 1
        if (is_refused and self._is_told()) or self._insisted > (1 if is_refused else _MAX_INSISTING):
            return self._settle([*declined, self._word("accept")])
        return [*declined, self._word("insist"), goal.utterance]

    def _hear_handover(self, heard: AgentAct) -> list[str]:
        """React to an offer or an announcement of a person; empty where the message's question matters more."""
        goal = self._goal
        if goal.outcome == "transferred":
            if is_handed_over(heard):
                return self._settle([])
            answers = self._knowledge.answers(heard) if heard.asked else []
            return answers or [self._word("yes" if heard.asked or heard.proposal else "wait")]
        if goal.fallback is not None and goal.fallback.outcome == "transferred":
            return self._replace(goal.fallback, "accept")
        return [] if heard.asked and self._knowledge.answers(heard) else [self._word("no_offer"), goal.utterance]

    # --- proposals and questions ---

    def _consider(self, heard: AgentAct) -> list[str]:
        """Answer a proposal: yes only when nothing in it contradicts the goal."""
        goal = self._goal
        if goal.revised_to is not None:
            return self._replace(goal.revised_to, "change")
        if self._knowledge.wants_to_know(heard):
            return self._answer(heard)
        if leaves_choice(heard.proposal) and not is_bare(heard.proposal):
            return [self._word("again"), goal.utterance]
        if value := another_setting(heard.text, () if self._confirmed else self._left_out):
            return [self._word("no_thing", value), goal.utterance]
        reaction = self._knowledge.consider(heard)
        self._nearly = reaction.nearly
        if not reaction.agreed:
            if is_in_place(heard, self._knowledge):
                return self._hear_refusal(heard)
            answers = self._knowledge.answers(heard) if heard.asked else []
            if (not answers or keys_asked(heard.proposal)) and (question := self._ask_meant(heard, reaction.only)):
                return [*reaction.sentences[: -1 if reaction.only else 0], *question, *answers]
            return beside(reaction.sentences, answers)
        return self._agree(beside(reaction.sentences, self._told_with_yes(heard)))

    def _agree(self, sentences: list[str]) -> list[str]:
        """Say yes, or hesitate first."""
        if not self._confirmed:
            self._idle = 0
            if self._manner.hesitates():
                return [self._manner.hesitation()]
        self._confirmed = not self._knowledge.stepwise
        return sentences

    def _ask_meant(self, heard: AgentAct, only: str = "") -> list[str]:
        """Ask whether what is not understood means the wish, or what is declined in part that alone; never twice."""
        if self._was_meant or self._goal.outcome != "done" or not (order := only or self._knowledge.meant(heard)):
            return []
        self._asked_back, self._order, self._nearly = "only" if only else "meant", order, True
        self._knowledge.note_asked_back()
        return [self._word("sure_only" if only else "sure_meant", order)]

    def _hear_meant(self, heard: AgentAct, *, declined: bool) -> list[str]:
        """Say yes to what a plain yes has explained; empty where more or something else was said."""
        knows = self._knowledge
        is_same = knows.keeps_to(heard) or (not declined and knows.meant(heard) == self._order)
        is_same = is_same and says_yes(heard.text) and not self._reported_done(heard)
        if not (is_same or says_only_yes(heard, declined=declined)):
            return []
        return self._agree(beside([self._word("yes_order", self._order)], self._told_with_yes(heard)))

    def _told_with_yes(self, heard: AgentAct) -> list[str]:
        """What is told with a yes: "Shall I? If so, I need your PIN." asks for more than a yes."""
        return self._knowledge.answers(heard) if heard.asked and not is_closed(heard.asked) else []

    def _answer(self, heard: AgentAct) -> list[str]:
        rest = without_further(heard, has_scope=any(fact.name == "scope" for fact in self._goal.facts))
        if between_acts(rest.asked) and self._goal.outcome == "done" and not asks_reason(rest.asked):
            is_its_own = self._knowledge.acts(rest.asked)
            return [self._word("again" if is_its_own else "no_offer"), self._goal.utterance]
        answers = [*([] if rest is heard else [self._word("only")]), *self._knowledge.answers(rest)]
        if answers and heard.asked not in self._heard:
            self._idle = 0
            self._heard.add(heard.asked)
        return answers or self._not_placed(heard)

    def _not_placed(self, heard: AgentAct) -> list[str]:
        """React to a question that no fact answers: at most one plain fact a wish, none for vagueness."""
        if heard.waits and "?" not in heard.asked:
            return [self._word("wait")]
        if question := self._ask_meant(heard):
            return question
        self._unplaced.append(self._place)
        guess = None if self._guessed else partial(self._knowledge.guess, heard)
        said, guessed = reply_to(heard.asked, self._goal.utterance, self._word, guess)
        self._guessed = self._guessed or guessed
        return said

    def _reported(self, text: str, done: Sequence[tuple[ToolCall, str]]) -> str:
        """What came of the calls, and what else the message asks for."""
        assert self._driver is not None
        heard = parse_act(text)
        self._told.append(text)
        self._replies, self._idle = self._replies + 1, 0
        seen = (self._driver.report(call, result) for call, result in seen_last(done))
        return " ".join([*self._knowledge.answers_beside(heard), *seen])

    def _word(self, act: Act, about: str = "") -> str:
        return self._variety.word(act, about)
