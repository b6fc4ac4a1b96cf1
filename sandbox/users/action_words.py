"""What a wish's action is called in its world: the verbs that ask for it, report it or report something else."""

from __future__ import annotations

from toolgym.sandbox.kit.task import Goal
from toolgym.sandbox.language.dialogue_acts import AgentAct
from toolgym.sandbox.language.tokens import tokenize
from toolgym.sandbox.synthesis.world_words import WorldWords
from toolgym.sandbox.users.follow_up import participle


class ActionWords:
    """The words for the action of the present wish; whoever enters a wish sets `_goal` and `_world`."""

    _goal: Goal
    _world: WorldWords

    def done_words(self) -> frozenset[str]:
        """Past forms that report the wish as done."""
        return self._world.done_by(self._goal.kind)

    def done_otherwise(self) -> frozenset[str]:
        """Past forms that report something else as done."""
        return self._world.done_otherwise(self._goal.kind)

    def action_nouns(self) -> frozenset[str]:
        """What the wish's action is called."""
        return self._world.called(self._goal.kind)

    def done_word(self) -> str:
        """How the user says that the wish is fulfilled."""
        return participle(self._world.verbs(self._goal.kind), self._goal.utterance.lower())

    def acts(self, text: str) -> bool:
        """Whether a text names the wish's action."""
        return self._world.action(self._goal.kind, tokenize(text), frozenset()) is not None

    def own_verbs(self) -> frozenset[str]:
        """Forms of the verbs that the wish is put in."""
        return self._world.put_in(self._goal.utterance)

    def reports_of(self, name: str, heard: AgentAct) -> bool:
        """Whether a message reports one of the wish's actions."""
        return heard.reports(self._world.done_by(name), confirmed=False)
