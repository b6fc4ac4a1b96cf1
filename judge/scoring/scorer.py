"""Scores a run's trajectories with a judge and rewards, and keeps them in scores.jsonl: one line per trajectory.

Everything here is computed from the recorded trajectories, so it can be done again at any time.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any, cast

from toolgym.judge.evaluation.run_folder import Key, RunFolder, write_lines
from toolgym.judge.scoring.functions import FunctionJudge, reward_of
from toolgym.judge.scoring.judges import nl_assertions
from toolgym.judge.scoring.judges.answer_cache import KeptAnswers, asks_a_model
from toolgym.judge.scoring.reward import Judge, NLAssertions, RewardResult, TurnScores
from toolgym.judge.scoring.verifier import Basis, Verdict, verify
from toolgym.sandbox.kit.author_errors import broken
from toolgym.sandbox.kit.errors import InfrastructureError, ToolgymError
from toolgym.sandbox.runtime import parts
from toolgym.sandbox.runtime.trajectory import Trajectory

REWARDS = ("outcome", "tarl", "toolrl", "prove", "tier")


@dataclass(frozen=True, slots=True)
class Score:
    """What one trajectory was given.

    Attributes:
        task, trial: which trajectory.
        verdict: the verifier's.
        turns: the judge's scores.
        rewards: by name, of a file without its folder; a reward that needs turn scores is absent where there are none.
        nl_assertions: what the judge says of the task's assertions in natural language; None where the task makes none.
    """

    task: str
    trial: int
    verdict: Verdict
    turns: TurnScores
    rewards: dict[str, RewardResult]
    nl_assertions: NLAssertions | None = None

    def to_json(self, basis: Basis) -> dict[str, Any]:
        """The line of scores.jsonl."""
        stated: dict[str, Any] = {} if self.nl_assertions is None else {"nl_assertions": asdict(self.nl_assertions)}
        broken = [violation.to_json() for violation in self.verdict.violations]
        return (
            stated
            | ({"violations": broken} if broken else {})
            | ({"told": False} if self.verdict.told is False else {})
            | {
                "task": self.task,
                "trial": self.trial,
                "passed": self.verdict.passed(basis),
                "verdict": self.verdict.to_json(),
                "judge": self.turns.source,
                "turns": None if self.turns.scores is None else list(self.turns.scores),
                "reasons": list(self.turns.reasons),
                "rewards": {
                    name: {"total": result.total, "components": result.components, "turns": result.turns}
                    for name, result in self.rewards.items()
                },
            }
        )


def make_judge(name: str, options: Mapping[str, Any] | None = None) -> Judge:
    """The judge that a name stands for (see `parts.find`), made with its options (BadInput names a wrong one)."""
    return cast(Judge, parts.make("judges", name, options or {}, Judge, FunctionJudge))


async def score(trajectory: Trajectory, judge: Judge, rewards: Sequence[str] = REWARDS) -> Score:
    """Judge one trajectory and compute its rewards.

    Raises:
        ConfigurationError: the judge or a reward is broken, with the place in its author's files.
    """
    verdict = verify(trajectory)
    try:
        with _authored(f"The judge {type(judge).__name__}", type(judge)):
            turns = await judge.score(trajectory)
    except InfrastructureError as error:
        turns = TurnScores(None, (error.message,), "unreachable judge")
    found: dict[str, RewardResult] = {}
    for name in rewards:
        if name == "tarl" and turns.scores is None:
            continue
        reward = reward_of(name)
        with _authored(f"The reward {name!r}", reward):
            found[parts.shown_name(name)] = reward(trajectory, verdict=verdict, scores=turns)
    stated = await _check(trajectory, judge) if nl_assertions.of(trajectory.task) else None
    return Score(trajectory.task.id, trajectory.trial, verdict, turns, found, stated)


@contextmanager
def _authored(what: str, code: object) -> Iterator[None]:
    """A crash of a plugged-in judge or reward is a sentence with its author's file and line."""
    try:
        yield
    except ToolgymError:
        raise
    except Exception as error:  # the boundary of an author's code
        raise broken(what, getattr(code, "__module__", ""), error) from error


async def _check(trajectory: Trajectory, judge: Judge) -> NLAssertions:
    """What the judge says of the task's assertions; only judges with a language model can."""
    check = getattr(judge, "check", None)
    if check is None:
        return NLAssertions(None, ("not judged: it takes a judge with a language model (--judge llm)",))
    try:
        return cast(NLAssertions, await check(trajectory))
    except InfrastructureError as error:
        return NLAssertions(None, (error.message,))


def score_run(
    folder: RunFolder,
    judge: Judge,
    progress: Callable[[int, int], None],
    *,
    rewards: Sequence[str] = REWARDS,
    basis: Basis = "state",
    concurrency: int = 16,
) -> list[Score]:
    """Score every trajectory of a run and write scores.jsonl, in the run's order.

    A model's answers are kept in judge-answers.jsonl until all of them are in scores.jsonl.
    """
    trajectories = folder.trajectories()
    answers = KeptAnswers(folder.answers_file)
    asked = answers.judge(judge) if asks_a_model(judge) else judge
    gate = asyncio.Semaphore(concurrency)
    done = 0

    async def one(trajectory: Trajectory) -> Score:
        nonlocal done
        async with gate:
            result = await score(trajectory, asked, rewards)
        done += 1
        progress(done, len(trajectories))
        return result

    async def every() -> list[Score]:
        return list(await asyncio.gather(*(one(trajectory) for trajectory in trajectories)))

    scores = asyncio.run(every())
    write_lines(folder.scores_file, (json.dumps(item.to_json(basis), ensure_ascii=False) for item in scores))
    if all(item.turns.scores is not None for item in scores):
        answers.drop()
    return scores


def turn_scores(folder: RunFolder) -> dict[Key, TurnScores]:
    """What a run's judge said of its turns, by task and trial; nothing where it has not been judged."""
    if not folder.scores_file.is_file():
        return {}
    found: dict[Key, TurnScores] = {}
    for item in map(json.loads, folder.scores_file.read_text(encoding="utf-8").splitlines()):
        scores = None if item["turns"] is None else tuple(item["turns"])
        found[item["task"], item["trial"]] = TurnScores(scores, tuple(item["reasons"]), item["judge"])
    return found
