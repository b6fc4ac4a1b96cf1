"""The user's side of wishes whose facts have no kinds: the published tasks of version 1 and imported ones.

What is asked for and what actions are called come from the world's vocabulary; a proposal is compared fact by fact.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from sandbox.kit.task import Fact, Goal, Task
from sandbox.language.dialogue_acts import AgentAct
from sandbox.language.negation import negated_tokens
from sandbox.language.tokens import tokenize
from sandbox.language.verbs import is_denied, past_forms
from sandbox.users.nlg_templates import Act, Style, phrase
from sandbox.users.proposal_matching import Matcher
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
        self._matcher = Matcher(task.domain)
        self._goals: list[Goal] = []
        self._was_vague = False

    def enter(self, goal: Goal) -> None:
        """Make a wish the current one; the facts of earlier ones stay known."""
        self._goals.insert(0, goal)
        self._was_vague = False

    def volunteered(self) -> list[str]:
        """What the user says about themself without being asked."""
        return self._sentences([fact for fact in self._own if not fact.on_request])

    def done_words(self) -> frozenset[str]:
        """Past forms that report the wish as done."""
        return past_forms(self._world.verbs(self._goals[0].kind))

    def proposes(self, heard: AgentAct) -> bool:
        """Only what asks for agreement is a proposal here."""
        return False

    def consider(self, heard: AgentAct) -> Reaction:
        """Answer a proposal: yes only when it is about the wish and nothing in it contradicts the wish."""
        goal = self._goals[0]
        if heard.transfers and goal.outcome == "transferred":
            return Reaction(True, [self._word("yes")])
        own, others = self._actions(heard)
        if self._is_unwanted(heard, own, others):
            return Reaction(False, [self._word("no_offer"), goal.utterance])
        wrong = self._matcher.contradictions(goal.facts, heard.text)
        if wrong:
            return Reaction(False, [self._word("no"), *self._sentences(wrong)])
        named = self._matcher.names_any(goal.facts, heard.text)
        if not own and not named:
            return Reaction(False, [self._word("again"), goal.utterance])
        if own and not self._was_vague and not self._matcher.names_items(goal.facts, heard.text):
            self._was_vague = True
            return Reaction(False, [self._word("again"), goal.utterance])
        return Reaction(True, [self._word("yes")])

    def _actions(self, heard: AgentAct) -> tuple[bool, list[str]]:
        """Whether the message names the wish's action, and its words for other actions."""
        own, others = False, list[str]()
        for sentence in heard.sentences:
            if sentence.act in ("more", "ask", "refuse"):
                continue
            tokens = tokenize(heard.plain[sentence.start : sentence.end])
            negated = negated_tokens(tokens)
            use = self._world.action(self._goals[0].kind, tokens, negated)
            own = own or (use is not None and not is_denied(sentence.text, use))
            others += self._world.other_actions(self._goals[0].kind, tokens, negated, sentence)
        return own, others

    def _is_unwanted(self, heard: AgentAct, own: bool, others: list[str]) -> bool:
        """Whether a proposal is about another action than the wish."""
        goal = self._goals[0]
        if heard.transfers:
            return True
        if goal.outcome == "answered":
            return own or bool(others)
        return bool(others) if not own else not self._matcher.speaks_of(goal.kind, heard.text)

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
