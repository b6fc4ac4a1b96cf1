"""The user's side of wishes whose facts have no kinds: the published tasks of version 1 and imported ones.

What is asked for and what actions are called come from the world's vocabulary; a proposal is compared fact by fact.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from sandbox.kit.task import Fact, Goal, Task
from sandbox.language.dialogue_acts import AgentAct
from sandbox.language.questions import is_closed
from sandbox.language.verbs import past_forms
from sandbox.users.nlg_templates import Act, Style, phrase
from sandbox.users.plain_wish import PlainWish
from sandbox.users.proposal_matching import PlainVerdict, compare_plain
from sandbox.users.reaction import Reaction
from sandbox.users.topics import IDENTITY, asks_who, topics_of
from sandbox.users.user_facts import sentences
from sandbox.users.world_words import words_of


class UntypedWishes:
    """The facts of a task as one user knows them, told on request.

    Args:
        task: whose facts.
        style: how the user talks.
        rng: draws the wording.
    """

    def __init__(self, task: Task, style: Style, rng: Random) -> None:
        self._own = task.facts
        self._style: Style = style
        self._rng = rng
        self._topics, self._world = topics_of(task.domain), words_of(task.domain)
        self._task = task
        self._goals: list[Goal] = []

    def enter(self, goal: Goal) -> None:
        """Make a wish the current one; the facts of earlier ones stay known."""
        self._goals.insert(0, goal)
        self._wish = PlainWish(self._task, goal)

    def volunteered(self) -> list[str]:
        """What the user says about themself without being asked."""
        return self._sentences([fact for fact in self._own if not fact.on_request])

    def done_words(self) -> frozenset[str]:
        """Past forms that report the wish as done."""
        return past_forms(self._world.verbs(self._goals[0].kind))

    def done_otherwise(self) -> frozenset[str]:
        """Past forms that report something else as done."""
        return self._world.done_otherwise(self._goals[0].kind)

    def proposes(self, heard: AgentAct) -> bool:
        """Whether a message that asks for no agreement still says what will be done."""
        if heard.refuses or any(each.act == "ask" and not is_closed(each.text) for each in heard.sentences):
            return False
        verdict = compare_plain(heard, self._wish)
        return verdict.fit == "right" or bool(verdict.asserts and (verdict.named or verdict.wrong))

    def consider(self, heard: AgentAct) -> Reaction:
        """Answer a proposal: yes only when it is the wish, whole, and nothing in it that nothing explains."""
        goal = self._goals[0]
        if heard.transfers:
            wanted = goal.outcome == "transferred"
            return Reaction(wanted, [self._word("yes")] if wanted else [self._word("no_offer"), goal.utterance])
        verdict = compare_plain(heard, self._wish)
        if goal.outcome in ("answered", "transferred"):
            unwanted = verdict.asserts or bool(verdict.beside)
            return Reaction(False, [self._word("no_offer" if unwanted else "again"), goal.utterance])
        if verdict.fit == "right":
            return Reaction(True, [self._yes(verdict)])
        if verdict.fit == "open":
            return Reaction(False, self._fill(verdict.missing) if verdict.missing else [self._word("incomplete")])
        if verdict.fit == "wrong":
            return Reaction(False, self._correct(verdict))
        if verdict.fit in ("added", "other"):
            words = next(iter(verdict.beside), "")
            opening = phrase("no_thing", self._style, self._rng, words) if " " in words else self._word("no_offer")
            return Reaction(False, [opening, goal.utterance])
        return Reaction(False, [self._word("no" if verdict.fit == "denied" else "again"), goal.utterance])

    def _yes(self, verdict: PlainVerdict) -> str:
        """A yes that names the action and one thing that has been said."""
        thing = next((each for each in verdict.named if each.kind == "identifier"), None)
        verb = self._goals[0].kind.split("_")[0]
        if thing is None or verb not in self._world.verbs(self._goals[0].kind) or self._style == "terse":
            return self._word("yes")
        noun = self._world.nouns.get((thing.column or "").split(".")[0], "")
        return phrase("yes_order", self._style, self._rng, f"{verb} {noun} {thing.text}".replace("  ", " "))

    def _fill(self, missing: Sequence[Fact]) -> list[str]:
        """What a proposal left open: told where it has been told before, asked where it has not."""
        told = [fact for fact in missing if not fact.on_request]
        asked = [f"And which {fact.name.replace('_', ' ')} would it be?" for fact in missing if fact.on_request]
        return [self._word("incomplete"), *self._sentences(told), *asked]

    def _correct(self, verdict: PlainVerdict) -> list[str]:
        facts = dict.fromkeys(fact.name for fact, _ in verdict.wrong if fact is not None and not fact.on_request)
        known = [fact for fact in self._goals[0].facts if fact.name in facts]
        opening = phrase("no_thing", self._style, self._rng, verdict.wrong[0][1])
        return [opening, *(self._sentences(known) or [self._goals[0].utterance])]

    def answers(self, heard: AgentAct) -> list[str]:
        """Sentences that answer what is asked: known facts, and what the user does not know. Empty: nothing fits."""
        known: list[Fact] = []
        unknown: list[str] = []
        for topic in self._asked(heard):
            found = self._about(topic)
            known += [fact for fact in found if fact not in known]
            if not found and self._topics.by_name[topic].called:
                unknown.append(topic)
        for fact in self._facts():
            if self._is_plain(fact) and fact not in known and fact.name.replace("_", " ") in heard.asked:
                known.append(fact)
        return [self._not_known(topic) for topic in unknown] + self._sentences(known)

    def identifies(self, heard: AgentAct) -> bool:
        """Whether a message asks who the user is."""
        return bool(set(self._topics.in_text(heard.asked)) & set(IDENTITY))

    def stuck(self) -> list[str]:
        """These wishes have one wording."""
        return []

    def asks_again(self) -> list[str]:
        """These wishes do not say what is to be told."""
        return []

    def _is_plain(self, fact: Fact) -> bool:
        topic = self._topics.by_name.get(fact.name)
        return topic is None or not topic.asked

    def _asked(self, heard: AgentAct) -> list[str]:
        topics = list(self._topics.in_text(heard.asked))
        if asks_who(heard.asked) and not any(topic in IDENTITY for topic in topics):
            topics += next(([topic] for topic in ("email", "user_id") if self._about(topic)), ["name", "zip"])
        if "address" in topics and "zip" in topics and self._about("address"):
            topics.remove("zip")  # the address holds its own
        return topics

    def _about(self, topic: str) -> list[Fact]:
        names = self._topics.by_name[topic].facts or (topic,)
        found: dict[str, Fact] = {}
        for fact in self._facts():
            if fact.name in names:
                found.setdefault(fact.name, fact)
        # of several ways to say one thing the first is said; a name has parts
        return [found[names[0]]] if names[0] in found else list(found.values())

    def _facts(self) -> list[Fact]:
        """Own facts, then the wishes' from the present one backwards, each name once."""
        own, rest = (self._goals[0].facts, self._goals[1:]) if self._goals else ((), [])
        found: dict[str, Fact] = {}
        for fact in (*own, *self._own, *(fact for goal in rest for fact in goal.facts)):
            found.setdefault(fact.name, fact)
        return list(found.values())

    def _not_known(self, name: str) -> str:
        topic = self._topics.by_name[name]
        act: Act = "no_preference" if topic.is_preference else "unknown"
        return phrase(act, self._style, self._rng, topic.called)

    def _sentences(self, facts: Sequence[Fact]) -> list[str]:
        return sentences(facts, self._topics, self._style, self._rng)

    def _word(self, act: Act) -> str:
        return phrase(act, self._style, self._rng)
