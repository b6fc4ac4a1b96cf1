"""Which of an agent's messages bring the conversation forward, and why the others do not.

Understood with the same acts as by the user, and held against what came of them: a question by what the answer holds, a
proposal by the yes and the change that follows it, a report by what was done since the last one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from toolgym.judge.scoring.conduct.confirmation import without_wishes
from toolgym.judge.scoring.conduct.scene import Scene, leaves
from toolgym.judge.scoring.conduct.wishes import answers, refusals
from toolgym.judge.scoring.conversation import Called, Event, Said
from toolgym.judge.scoring.judges.lookups import Lookups
from toolgym.sandbox.language.consent import asks_back, is_no, is_yes
from toolgym.sandbox.language.nlg_templates import Act, is_act
from toolgym.sandbox.language.text_match import mentions
from toolgym.sandbox.language.told import tells
from toolgym.sandbox.synthesis.proof.replay import hands_over
from toolgym.sandbox.synthesis.value_words import fact_in_words
from toolgym.sandbox.synthesis.world_words import words_of

_WORD = re.compile(r"[\w#@](?:[\w#@.'-]*\w)?")
_LONG = 3
"""Longer words tell something; so do figures."""
_ASKING = frozenset("shall should would could like want that this what have right here ahead proceed continue".split())
"""Words of a bare question, which may stand in a wish as well."""


class Statements:
    """The agent's messages of an episode, judged one by one.

    Attributes:
        reasons: for the turn of each message, why it brings nothing forward; empty where it does.
    """

    def __init__(self, scene: Scene, lookups: Lookups) -> None:
        self._scene, self._lookups = scene, lookups
        task = scene.task
        self._words = words_of(task.domain)
        self._to_tell = list(answers(task))
        self._to_refuse = refusals(task)
        self._now = (task.now or scene.domain.now).replace(tzinfo=None)
        self._unplaced, self._misjudged = frozenset(_unplaced(scene)), frozenset(_misjudged(scene))
        self._to_change = sum(goal.revised_to is not None for goal in task.every_goal())
        self._open = sum(goal.outcome == "answered" and not goal.must_communicate for goal in task.every_goal())
        self._hand_over = hands_over(task)
        self._heard: list[str] = []
        self._agreed = self._informed = False
        self._unreported = 0
        self.reasons: dict[int, str] = {}
        self._read(scene.conversation.events)

    def _read(self, events: Sequence[Event]) -> None:
        for index, event in enumerate(events):
            if isinstance(event, Called):
                self._note(event)
            elif event.by_agent:
                self.reasons[event.turn] = self._reason(event, events[index + 1 :])
            else:
                self._heard.append(event.text)

    def _note(self, call: Called) -> None:
        if not self._lookups.reasons[call.number]:
            self._informed = True
            self._unreported += call.record.wrote
        if call.record.wrote:
            self._agreed = False

    def _reason(self, said: Said, after: Sequence[Event]) -> str:
        """Why a message brings nothing forward; empty where it does."""
        reply = next((event.text for event in after if isinstance(event, Said)), "")
        calls = [event for event in after if isinstance(event, Called)]
        by_user = [call for call in calls if call.turn == said.turn]
        acts = (self._tells(said), self._reports(said), self._refuses(said), self._proposes(said, reply, calls))
        advances = any(acts) or self._has_done(by_user) or self._asks(said, reply) or self._hands_over(said)
        return "" if advances else _idle(said)

    def _tells(self, said: Said) -> bool:
        """It says something new of what has to be told, after the agent has looked anything up."""
        if not self._to_tell or not said.act.statements:
            return False
        new = [text for text in self._to_tell if self._is_told(text, said)]
        self._to_tell = [text for text in self._to_tell if text not in new]
        return bool(new) and (self._informed or not self._scene.gold.log)

    def _is_told(self, text: str, said: Said) -> bool:
        about = next((goal.utterance for goal in self._scene.task.every_goal() if text in goal.must_communicate), "")
        if mentions(text, said.text):
            return True
        asks = said.act.proposal or said.act.asked
        return not asks and tells([said.text], text, self._now, about=about, rest=self._to_tell)

    def _reports(self, said: Said) -> bool:
        """It says that something was done, and something was since the last time."""
        if self._open and self._informed and said.act.statements and not said.act.asked:
            self._open -= 1
            return True
        sure = not said.act.proposal  # what is to be done next is no report of what was done
        reports = self._unreported and not said.act.refuses and said.act.reports(self._words.done, confirmed=sure)
        if reports or (self._unreported and self._confirms(said, "sure_done", "sure_all")):
            self._unreported = 0
            return True
        return False

    def _refuses(self, said: Said) -> bool:
        refuses = said.act.refuses or self._confirms(said, "sure_refused")
        if not (refuses and self._to_refuse and (self._informed or not self._scene.gold.log)):
            return False
        self._to_refuse -= 1
        return True

    def _proposes(self, said: Said, reply: str, calls: Sequence[Called]) -> bool:
        """It names what will be done, or says yes to the user who asks for it; the user agrees; what is changed next is
        right. One that had to be asked about has earned nothing; one that the user wrongly turned down is right.
        """
        if self._agreed or not reply:
            return False
        if is_yes(reply) and is_yes(without_wishes(reply, self._scene.task)):
            if not (self._names_something(said) or (asks_back(self._last_heard) and is_yes(said.text))):
                return False
            self._agreed = True
            next_write = next((call for call in calls if call.record.wrote and call.record.by == "agent"), None)
            return next_write is None or next_write.number in self._lookups.right
        if self._to_change and (is_no(reply) or self._changes_mind(reply)):
            self._to_change -= 1
            return True
        return said.turn in self._misjudged and self._names_something(said)

    @property
    def _last_heard(self) -> str:
        """What the user said last."""
        return self._heard[-1] if self._heard else ""

    def _confirms(self, said: Said, *asked: Act) -> bool:
        """Whether a message is the yes to the user's own closed question about what became of the wish."""
        return is_yes(said.text) and any(is_act(self._last_heard, act) for act in asked)

    def _names_something(self, said: Said) -> bool:
        words = _words(said.text)
        if any(word[-1].isdigit() or self._words.is_thing(word) for word in words) or words & self._needed - _ASKING:
            return True
        return any(len(_words(sentence.text)) > 2 * _LONG for sentence in said.act.sentences)

    def _changes_mind(self, reply: str) -> bool:
        turned = (goal.revised_to for goal in self._scene.task.every_goal() if goal.revised_to is not None)
        return any(goal.utterance.lower() in reply.lower() for goal in turned)

    def _asks(self, said: Said, reply: str) -> bool:
        """It asks what the user could place, and the answer holds something new that is needed."""
        if not said.act.asked or said.turn in self._unplaced or asks_back(reply):
            return False  # a closed question holds what either side has said
        return bool((_words(reply) & self._needed) - _words("\n".join(self._heard)))

    @cached_property
    def _needed(self) -> frozenset[str]:
        """Words of the wishes' facts, and of all that the needed calls take."""
        task = self._scene.task
        facts = [fact for goal in task.every_goal() for fact in goal.facts]
        needed = self._lookups.needed_values
        facts += [fact for fact in task.facts if not needed.isdisjoint(map(str.lower, leaves(fact.value)))]
        told = [text for fact in facts for text in (fact.words, fact_in_words(fact.value))]
        return frozenset(word for text in (*told, *needed) for word in _words(text))

    def _has_done(self, by_user: Sequence[Called]) -> bool:
        """It brings the user to do something with tools of their own that brings the conversation forward."""
        return any(not self._lookups.reasons[call.number] for call in by_user)

    def _hands_over(self, said: Said) -> bool:
        if not (said.act.transfers and self._hand_over):
            return False
        self._hand_over = False
        return True


def _unplaced(scene: Scene) -> Iterator[int]:
    """The turns with questions of which the user notes that it could not place them."""
    spoken = [turn.index for turn in scene.trajectory.turns() if not (turn.action.tool_calls or turn.unread)]
    noted = getattr(scene.trajectory.info.user, "unplaced", ())
    return (spoken[number] for number in noted if number < len(spoken))


def _misjudged(scene: Scene) -> Iterator[int]:
    """The turns whose right proposal the user turned down, as its own checks found: the no decides nothing of them."""
    roles = [message.role for message in scene.trajectory.messages]
    replies = [roles[:place].count("assistant") - 1 for place, role in enumerate(roles) if role == "user"]
    sent = getattr(scene.trajectory.info.user, "sent", ())
    return (replies[each.message] for each in sent if each.fault == "wrong_no" and each.message < len(replies))


def _words(text: str) -> set[str]:
    """The words of a text that tell something, in lower case."""
    words = _WORD.findall(text.lower())
    return {word for word in words if len(word) > _LONG or any(sign.isdigit() for sign in word)}


def _idle(said: Said) -> str:
    """What a message did that came to nothing."""
    act = said.act
    if act.proposal:
        return "The proposal named nothing, was not agreed to, or had been agreed to already."
    if act.asked:
        return "The question brought nothing that was needed and not said before."
    if act.refuses:
        return "What it refuses was not to be refused, had been refused, or had not been looked up."
    return "The message brought the conversation no further."
