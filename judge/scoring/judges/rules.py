"""The rule judge: turn scores without a model, from the record alone. The offline default.

A turn gets 1 when it advances the case: a look-up that is needed, a question whose answer is needed, a proposal that
the user agrees to and that is right, a right change, a right report, answer, refusal or handover. It gets 0 when it
idles, repeats or comes to nothing. At most one turn gets -1: the worst deviation (TARL section 3.2 asks an LLM for the
same three classes); further violations stay in the verdict's list.

A turn all of whose calls the user declined gets 0: TARL's -1 is for what makes success impossible, and after a no the
agent may ask and go on. It is a turn nonetheless, and one of the T among which TARL shares out 5.
"""

from __future__ import annotations

from random import Random

from toolgym.judge.scoring.conduct.scene import Scene, scene_of
from toolgym.judge.scoring.conversation import Called
from toolgym.judge.scoring.judges.deviation import deviation
from toolgym.judge.scoring.judges.lookups import Lookups
from toolgym.judge.scoring.judges.statements import Statements
from toolgym.judge.scoring.reward import TurnScores
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.runtime.trajectory import Trajectory, Turn


class RulesJudge:
    """Scores turns by rules; deterministic.

    Args:
        shuffled: the same scores stand at turns drawn at random, by the conversation itself: a control that tells what
            their places are worth to learning.
    """

    def __init__(self, shuffled: bool = False) -> None:
        self._shuffled = shuffled

    async def score(self, trajectory: Trajectory) -> TurnScores:
        """One score and reason per turn."""
        found = judge(trajectory)
        return _shuffled(found, trajectory) if self._shuffled and found.scores is not None else found


def _shuffled(found: TurnScores, trajectory: Trajectory) -> TurnScores:
    scores = list(found.scores or ())
    Random("".join(message.model_dump_json() for message in trajectory.messages)).shuffle(scores)
    return TurnScores(tuple(scores), ("The turns' scores were shuffled.",) * len(scores), "rules, shuffled")


def judge(trajectory: Trajectory) -> TurnScores:
    """One score and reason per turn; not judged where infrastructure cut the episode."""
    if trajectory.termination == "infrastructure_error":
        return TurnScores(None, ("The episode was cut by an infrastructure failure.",), "rules")
    scene = scene_of(trajectory)
    worst = deviation(scene, verify(trajectory))
    reasons = _idle_turns(scene)
    scores = [0 if reason else 1 for reason in reasons]
    if worst is not None:
        scores[worst.turn], reasons[worst.turn] = -1, worst.reason
    return TurnScores(tuple(scores), tuple(reasons), "rules")


def _idle_turns(scene: Scene) -> list[str]:
    """For each turn, why it does not advance the case; empty where it does."""
    lookups = Lookups(scene)
    statements = Statements(scene, lookups)
    calls: dict[int, list[Called]] = {}
    for call in scene.conversation.calls:
        calls.setdefault(call.turn, []).append(call)
    return [_idle(turn, calls.get(turn.index, []), lookups, statements) for turn in scene.trajectory.turns()]


def _idle(turn: Turn, calls: list[Called], lookups: Lookups, statements: Statements) -> str:
    if turn.unread:
        return "The message could not be read."
    if not turn.action.tool_calls:
        return statements.reasons.get(turn.index, "The message was empty.")
    fault = next((lookups.reasons[call.number] for call in calls if call.number in lookups.faults), "")
    reasons = [lookups.reasons[call.number] for call in calls]
    return fault or ("" if "" in reasons else next(iter(reasons), "The calls were not carried out."))
