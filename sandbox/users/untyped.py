"""The user's side of wishes whose facts have no kinds: the published tasks of version 1 and imported ones.

What is asked for and what actions are called come from the world's vocabulary; a proposal is compared fact by fact.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from toolgym.sandbox.kit.task import Fact, Goal, Task
from toolgym.sandbox.language.dialogue_acts import AgentAct
from toolgym.sandbox.language.nlg_templates import Act, Style, declined, is_detail, phrase
from toolgym.sandbox.language.prefilter import Prefiltered
from toolgym.sandbox.language.questions import asks_openly, is_closed
from toolgym.sandbox.synthesis.value_words import fact_in_words
from toolgym.sandbox.synthesis.world_words import words_of
from toolgym.sandbox.users.action_words import ActionWords
from toolgym.sandbox.users.asking import (
    choices,
    identifies,
    is_about_others,
    is_vague,
    is_which,
    is_yes_or_no,
    likely,
    narrowed,
    prefers,
    repeats,
    the_one,
)
from toolgym.sandbox.users.asking_back import as_asked, may_propose
from toolgym.sandbox.users.asking_words import asks_key
from toolgym.sandbox.users.person import PersonFacts, without_zip
from toolgym.sandbox.users.plain_options import (
    asks_new,
    asks_whether_right,
    begins_with_yes,
    fitting_lines,
    is_apart,
    is_new,
)
from toolgym.sandbox.users.plain_wish import PlainWish, plain_wish_of, with_every_action
from toolgym.sandbox.users.proposal_matching import PlainVerdict, compare_plain
from toolgym.sandbox.users.reaction import Reaction
from toolgym.sandbox.users.told_otherwise import told_instead
from toolgym.sandbox.users.topics import IDENTITY, asks_who, topics_of
from toolgym.sandbox.users.typed_facts import TypedWish, compare_typed, typed
from toolgym.sandbox.users.user_facts import options_of, sentences

_BEST = Prefiltered(r"\b(?:cheapest|earliest|latest|fastest|shortest|first one|first of the|any of)\b")
_STAYS = re.compile(r"\b(?:stays?|remains?|keeps?|continues?|leave|same|unchanged)\b")
"""What nobody confirms who wants a change."""
_OTHER = re.compile(r"\binstead\b|\boffer you\b")
"""What nobody agrees to who wants to know something, or to be handed over."""
_WORD = re.compile(r"[a-z0-9]+")
_SMALL = frozenset(
    "the a an of my from to in on at for with and or is it one card order trip number ending yes no "
    "i me new item that this not more all ordered saved profile by".split()
)
"""Words of a fact that do not tell it from another."""


class UntypedWishes(ActionWords):
    """The facts of a task as one user knows them, told on request.

    Args:
        task: whose facts.
        style: how the user talks.
        rng: draws the wording.
    """

    stepwise = False

    def __init__(self, task: Task, style: Style, rng: Random) -> None:
        self._person = PersonFacts(task, style, rng)
        self._style, self._rng = style, rng
        self._topics, self._world = topics_of(task.domain), words_of(task.domain)
        self._task = task

    def enter(self, goal: Goal) -> None:
        """Make a wish the current one; what was known of earlier ones is not said for it."""
        self._wanted, self._goal = goal, with_every_action(goal)
        self._told = {fact.name for fact in goal.facts if not fact.on_request}
        self._settled: set[str] = set()
        self._wish: PlainWish | None = None
        self._as_typed: TypedWish | None = None
        self._is_read = False
        self._verdict: tuple[AgentAct, tuple[frozenset[str], frozenset[str]], PlainVerdict] | None = None

    def volunteered(self) -> list[str]:
        """What the user says about themself without being asked."""
        return self._person.volunteered()

    def objects(self, heard: AgentAct) -> list[str]:
        """What the user says to a report of something else than its wish; see `Knowledge`."""
        as_typed = self._typed()
        words = told_instead(heard, as_typed.wish) if as_typed is not None else ""
        return [declined([words], self._style, self._rng), self._goal.utterance] if words else []

    def actions(self) -> frozenset[str]:
        """The tools that the wish takes, where it takes several."""
        return frozenset(self._goal.kind.split("+")) if "+" in self._goal.kind else frozenset()

    def names_value(self, text: str) -> bool:
        """Facts without kinds do not tell a value from a row."""
        return False

    def asks(self, heard: AgentAct) -> bool:
        """Whether a message asks for something of the wish."""
        return any(map(self._about, self._asked(heard.asked))) or bool(self._by_options(heard.asked))

    def proposes(self, heard: AgentAct) -> bool:
        """Whether a message that asks for no agreement still says what will be done."""
        if heard.refuses or any(each.act == "ask" and asks_openly(each.text) for each in heard.sentences):
            return False
        verdict = self._compared(heard)
        if not (verdict.named or verdict.told or verdict.wrong):
            return False  # "One moment please." names nothing, though all is told
        if asks_whether_right(heard, verdict):
            return True
        is_right = verdict.fit == "right"
        if any(each.act == "ask" and not is_closed(each.text) for each in heard.sentences):
            return is_right
        return is_right or bool(verdict.asserts and (verdict.named or verdict.wrong))

    def _compared(self, heard: AgentAct) -> PlainVerdict:
        """The message compared with the wish; what is asked of one message several times is found out once."""
        known = frozenset(self._told), frozenset(self._settled)
        if self._verdict is None or self._verdict[0] is not heard or self._verdict[1] != known:
            self._verdict = (heard, known, self._compare(heard, *known))
        return self._verdict[2]

    def _typed(self) -> TypedWish | None:
        if not self._is_read:  # reading a wish takes milliseconds, and many conversations hold no proposal of it
            self._is_read = True
            self._as_typed = typed(self._task, self._wanted)
        return self._as_typed

    def _compare(self, heard: AgentAct, told: frozenset[str], settled: frozenset[str]) -> PlainVerdict:
        if (as_typed := self._typed()) is not None:
            return compare_typed(heard, as_typed, told, settled)
        if self._wish is None:
            self._wish = plain_wish_of(self._task, self._wanted)
        return compare_plain(heard, self._wish, told, settled)

    def consider(self, heard: AgentAct) -> Reaction:
        """Answer a proposal: yes only when it is the wish, whole, and nothing in it that nothing explains."""
        goal = self._goal
        if heard.transfers:
            wanted = goal.outcome == "transferred"
            return Reaction(wanted, [self._word("yes")] if wanted else [self._word("no_offer"), goal.utterance])
        verdict = self._compared(heard)
        if asks_whether_right(heard, verdict):
            return Reaction(False, [self._word("yes_fact")], nearly=True)
        asking = [each.text for each in heard.sentences if each.act == "agree"]
        is_kept = self._changes_options() and all(_STAYS.search(text) for text in asking)
        if asking and is_kept and not (verdict.wrong or verdict.asserts or verdict.beside):
            return Reaction(False, [phrase("as_it_is", self._style, self._rng)])
        if goal.outcome in ("answered", "transferred"):
            if repeats(heard, goal.utterance):
                return Reaction(False, [self._word("yes_fact")])
            unwanted = verdict.asserts or bool(verdict.beside) or _OTHER.search(heard.text) is not None
            return Reaction(False, [self._word("no_offer" if unwanted else "again"), goal.utterance])
        if verdict.fit == "right":
            return Reaction(True, [self._yes(verdict)])
        if verdict.fit == "open":
            self._settled |= {fact.name for fact in verdict.told}
            open_ones = self._fill(verdict.missing) if verdict.missing else [self._word("incomplete")]
            return Reaction(False, open_ones, nearly=True)
        if verdict.fit == "wrong":
            return Reaction(False, self._correct(verdict))
        if verdict.fit in ("added", "other"):
            order = self._order(heard, verdict)
            only_asks = bool(order) and is_detail(verdict.beside)
            no = [] if only_asks else [declined(verdict.beside, self._style, self._rng)]
            return Reaction(False, [*no, goal.utterance], only=order)
        word = self._word("no" if verdict.fit == "denied" else "again")
        return Reaction(False, [word, goal.utterance], nearly=verdict.fit == "unclear")

    def meant(self, heard: AgentAct) -> str:
        """What a message that is not understood may mean, in words already said; see `Knowledge`."""
        verdict = self._compared(heard)
        return self._order(heard, verdict) if verdict.fit in ("unclear", "right") else ""

    def _order(self, heard: AgentAct, verdict: PlainVerdict) -> str:
        """The wish as it was asked for; empty where a message names nothing of it or leaves open what is untold."""
        if not (verdict.named or verdict.told) or not may_propose(heard):
            return ""
        is_untold = any(fact.name not in self._told for fact in verdict.missing)
        return "" if is_untold else as_asked(self._goal.utterance, self.acts)

    def note_asked_back(self) -> None:
        """What a closed question of the user's own has said need not be named again."""
        self._settled |= self._told

    def keeps_to(self, heard: AgentAct) -> bool:
        """Whether a message is the wish, whole and rightly said."""
        return self._compared(heard).fit == "right"

    def _yes(self, verdict: PlainVerdict) -> str:
        """A yes that names the action and one thing that has been said."""
        thing = next((each for each in verdict.named if each.kind == "identifier"), None)
        verb = self._goal.kind.split("_")[0]
        if thing is None or verb not in self._world.verbs(self._goal.kind) or self._style == "terse":
            return self._word("yes")
        nouns = [self._world.nouns.get(column.split(".")[0], "") for column in thing.columns]
        noun = next((each for each in nouns if each and each in self._goal.kind), next(iter(nouns), ""))
        return phrase("yes_order", self._style, self._rng, f"{verb} {noun} {thing.text}".replace("  ", " "))

    def _fill(self, missing: Sequence[Fact]) -> list[str]:
        """What a proposal left open: told where it has been told before, asked where it has not."""
        told = [fact for fact in missing if not fact.on_request or fact.name in self._told]
        asked = [f"And which {fact.name.replace('_', ' ')} would it be?" for fact in missing if fact not in told]
        return [self._word("incomplete"), *self._sentences(told), *asked]

    def _correct(self, verdict: PlainVerdict) -> list[str]:
        facts = dict.fromkeys(fact.name for fact, _ in verdict.wrong if fact is not None and not fact.on_request)
        known = [fact for fact in self._goal.facts if fact.name in facts]
        opening = phrase("no_thing", self._style, self._rng, verdict.wrong[0][1])
        return [opening, *(self._sentences(known) or [self._goal.utterance])]

    def answers(self, heard: AgentAct) -> list[str]:
        """Sentences that answer what is asked: known facts, and what the user does not know. Empty: nothing fits."""
        if picked := self._person.picked(heard):
            return picked
        asked = heard.asked
        self._note_what_is_named(heard)
        known: list[Fact] = []
        unknown: list[str] = []
        for topic in self._asked(asked):
            found = self._about(topic)
            known += [fact for fact in found if fact not in known]
            lacks = not found or (found[0].name != topic and asks_key(asked))
            if lacks and self._topics.by_name[topic].called and topic not in unknown:
                unknown.append(topic)
        for fact in self._facts():
            name = fact.name.replace("_", " ")
            if (
                fact not in known
                and re.search(rf"\b{re.escape(name)}s?\b", asked)
                and (self._is_plain(fact) or " " in name)
            ):
                known = [other for other in known if other.name not in name.split(" ") or is_apart(other, name, asked)]
                known.append(fact)
        if not known and (kept := self._kept(heard)):
            return kept
        known += [fact for fact in self._facts() if is_new(fact) and fact not in known and asks_new(asked)]
        known = known or self._by_options(asked) or self._named_in_question(heard)
        self._told |= {fact.name for fact in known}
        about_me = asked if "address" not in {fact.name for fact in known} else without_zip(asked)
        person = self._person.answers(about_me, quiet=bool(known))
        lacks_now = [self._not_known(topic) for topic in unknown if not person or known]
        replies = [*person, *lacks_now, *self._told_of(heard, known)]
        return replies or self._preference(heard) or self._is_it(heard)

    def _is_it(self, heard: AgentAct) -> list[str]:
        """A yes to "Is that the one?" and to the user's own words: "Only those in stock?"."""
        is_vaguely_asked = is_vague(heard.asked) and identifies(heard.asked) and is_closed(heard.asked)
        is_repeated = repeats(heard, self._goal.utterance)
        verdict = self._compared(heard) if is_repeated or is_vaguely_asked else None
        if verdict is None or verdict.wrong or verdict.beside:
            return []
        words = set(_WORD.findall(" ".join(heard.statements)))
        if not is_repeated and not any(len(self._telling(fact) & words) > 1 for fact in self._facts()):
            return []
        return [self._word("yes_fact")]

    def _note_what_is_named(self, heard: AgentAct) -> None:
        """Remember which row a message names that asks for something: "It is #W1, isn't it?"."""
        if self._goal.outcome != "done" or heard.refuses:
            return
        verdict = self._compared(heard)
        if verdict.fit in ("right", "open", "unclear") and not (verdict.wrong or verdict.beside):
            is_plan = verdict.fit == "right" or (verdict.asserts and verdict.fit == "open")
            self._settled |= {fact.name for fact in verdict.told if is_plan or self._is_row(fact)}

    def guess(self, heard: AgentAct) -> list[str]:
        """One plain fact of the present wish that has not been told."""
        plain = [fact for fact in self._facts() if fact.name not in self._told and fact.kind != "secret"]
        untold = likely(heard.asked, plain)[:1]
        self._told |= {fact.name for fact in untold}
        return self._sentences(untold)

    def asks_withheld(self, heard: AgentAct) -> bool:
        """Whether a message asks for something of the wish that is told on request: "Which size, then?"."""
        return any(fact.on_request for topic in self._asked(heard.asked) for fact in self._about(topic))

    def answers_beside(self, heard: AgentAct) -> list[str]:
        """Who the user is, where that is asked as well."""
        return self.answers(heard) if self.identifies(heard) else []

    def identifies(self, heard: AgentAct) -> bool:
        """Whether a message asks who the user is."""
        return not set(self._topics.in_text(heard.asked)).isdisjoint(IDENTITY)

    def stuck(self) -> list[str]:
        """These wishes have one wording."""
        return []

    def asks_again(self) -> list[str]:
        """These wishes do not say what is to be told."""
        return []

    def _is_row(self, fact: Fact) -> bool:
        """Whether a fact says which thing is meant, and not what becomes of it."""
        return fact.name.endswith("_id") or fact.name in ("items", *self._world.nouns.values())

    def _is_plain(self, fact: Fact) -> bool:
        topic = self._topics.by_name.get(fact.name)
        return topic is None or not topic.asked

    def _asked(self, asked: str) -> list[str]:
        """What is asked for of the wish; who the user is comes on top."""
        topics = [topic for topic in narrowed(asked, self._topics.in_text) if topic not in IDENTITY]
        if is_about_others(asked):
            others = (name for name, topic in self._topics.by_name.items() if topic.is_others)
            topics += [name for name in others if name not in topics and self._about(name)]
        return topics or ([] if asks_who(asked) else list(self._topics.loosely_in(asked)))

    def _about(self, topic: str) -> list[Fact]:
        known = self._topics.by_name.get(topic)
        names = (known.facts if known else ()) or (topic,)
        found = {fact.name: fact for fact in reversed(self._goal.facts) if fact.name in names}
        # of several ways to say one thing the first one known is said
        return next(([found[name]] for name in names if name in found), [])

    def _named_in_question(self, heard: AgentAct) -> list[Fact]:
        """The facts of which a yes-or-no question names a part: "Is it the one from Chicago?"."""
        closed = [each.text for each in heard.sentences if each.act == "ask" and is_yes_or_no(each.text)]
        words = set(_WORD.findall(" ".join(closed)))
        return [fact for fact in self._facts() if self._telling(fact) & words][:1]

    def _facts(self) -> list[Fact]:
        """The facts of the wish but its own question."""
        return [fact for fact in self._goal.facts if fact.name != "question"]

    def _by_options(self, asked: str) -> list[Fact]:
        """The things whose options a question asks for by their names, what is to be had first: "Which size?"."""
        named = [fact for fact in reversed(self._facts()) if any(word in asked for word in options_of(fact))]
        return named[:1] if is_which(asked) else []

    def _kept(self, heard: AgentAct) -> list[str]:
        """A yes to a question whether something stays that nobody wants to change: "Should it keep the legs?"."""
        closed = [each.text for each in heard.sentences if each.act == "ask" and is_closed(each.text)]
        is_asked = bool(closed) and self._changes_options() and all(_STAYS.search(text) for text in closed)
        if not is_asked or self._compared(heard).wrong:
            return []
        return [phrase("as_it_is", self._style, self._rng)]

    def _changes_options(self) -> bool:
        """Whether the wish is a thing with other options, of which those that nobody names stay."""
        return any(map(is_new, self._goal.facts))

    def _told_of(self, heard: AgentAct, facts: Sequence[Fact]) -> list[str]:
        """Facts in sentences, after a yes or a no, or which line of a list it is, where that was asked."""
        said = self._sentences(facts)
        if not said:
            return []
        one = the_one(fitting_lines(heard, [self._telling(fact) for fact in facts]))
        begins = f"{one[0].upper()}{one[1:]}. " if one else self._yes_or_no(heard, facts)
        return [f"{begins}{said[0]}", *said[1:]]

    def _yes_or_no(self, heard: AgentAct, facts: Sequence[Fact]) -> str:
        closed = [each.text for each in heard.sentences if each.act == "ask" and begins_with_yes(each.text)]
        text = " ".join(closed)
        if not closed or heard.proposal or " or " in text or _STAYS.search(text):
            return ""
        if any(wrong in facts for wrong, _ in self._compared(heard).wrong):
            return f"{self._word('no')} "
        words, told = set(_WORD.findall(text)), self._compared(heard).told
        is_named = is_vague(text)  # "I see ABC123, Houston to Dallas. Is it that one?"
        meant = [fact for fact in facts if (is_named and fact in told) or self._telling(fact) & words]
        self._settled |= {fact.name for fact in meant if self._is_row(fact)}  # "they" are from now on those
        is_none = any(self._words(fact).startswith("no ") for fact in meant)  # "Any bags?" "I take no bags."
        return f"{self._word('yes_fact')} " if meant and not is_none else ""

    def _preference(self, heard: AgentAct) -> list[str]:
        """What is said of a choice that no fact decides: the wish's own words for it, or that it does not matter."""
        is_listed = bool(choices(heard))
        if not (is_listed or prefers(heard.asked)):
            return []
        parts = re.split(r"(?<=[.!?])\s+", self._goal.utterance)
        wished = [part for part in parts if _BEST.search(part)]
        new = [] if wished else [fact for fact in self._facts() if is_new(fact)]
        self._told |= {fact.name for fact in new}
        if wished or new or not is_listed:
            return wished or self._sentences(new)
        return [phrase("no_preference", self._style, self._rng, "that")]

    def _telling(self, fact: Fact) -> set[str]:
        said = set(_WORD.findall(self._words(fact).lower())) - _SMALL
        return {word for word in said if not self._world.is_thing(word)}

    def _words(self, fact: Fact) -> str:
        return fact.words or fact_in_words(fact.value)

    def _not_known(self, name: str) -> str:
        topic = self._topics.by_name[name]
        act: Act = "no_preference" if topic.is_preference else "unknown"
        return phrase(act, self._style, self._rng, topic.called)

    def _sentences(self, facts: Sequence[Fact]) -> list[str]:
        return sentences(facts, self._topics, self._style, self._rng)

    def _word(self, act: Act) -> str:
        return phrase(act, self._style, self._rng)
