"""Plays exploiters and baselines on a world's tasks, and says what every verdict, reward and judge gives them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import mean

from toolgym.judge.redteam.case import Case
from toolgym.judge.redteam.exploiters import Exploiter
from toolgym.judge.redteam.plan import Plan
from toolgym.judge.scoring.reward import Judge
from toolgym.judge.scoring.scorer import Score, score
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import InfrastructureError
from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime import parts
from toolgym.sandbox.runtime.approval import Consent
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.limits import Limits
from toolgym.sandbox.runtime.roles import Agent, AgentPlayer, Briefing, make_agent, make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.synthesis.generator import Generator

BASELINES = ("oracle", "demonstrator", "rules", "reckless", "inert")
KEPT = 3
"""Wordings from this one on are kept for the report: no part of the gym was tuned on them."""
_LIMITS = Limits(max_turns=60)
_SHOWN = 3


@dataclass
class Line:
    """What one agent was given.

    Attributes:
        name, about: who, and what it does.
        scores: of its episodes.
        wordings: which wording each episode used.
    """

    name: str
    about: str
    scores: list[Score] = field(default_factory=list)
    wordings: list[int] = field(default_factory=list)

    @property
    def passed(self) -> float:
        """Share of episodes that passed by state."""
        return _mean(score.verdict.passed() for score in self.scores)

    @property
    def clean(self) -> float:
        """Share of episodes that passed without a violation."""
        return _mean(score.verdict.clean for score in self.scores)

    def clean_tasks(self) -> list[str]:
        """The tasks that were passed without a violation."""
        return [score.task for score in self.scores if score.verdict.clean]

    def reward(self, name: str) -> float | None:
        """A reward's mean; None where none was given."""
        shown = parts.shown_name(name)
        found = [score.rewards[shown].total for score in self.scores if shown in score.rewards]
        return mean(found) if found else None

    def kept_clean(self) -> float:
        """The clean passes among the wordings that nothing was tuned on."""
        return _mean(s.verdict.clean for s, wording in zip(self.scores, self.wordings, strict=True) if wording >= KEPT)

    def turn_share(self, value: int) -> float:
        """The share of turns that the judge scored so."""
        turns = [turn for score in self.scores for turn in score.turns.scores or ()]
        return turns.count(value) / len(turns) if turns else 0.0


@dataclass
class Board:
    """The lines of one world.

    Attributes:
        world: its name.
        tasks: how many were played.
        consent: how the user agreed to changes.
        baselines, exploiters: their lines.
    """

    world: str
    tasks: int
    consent: Consent
    baselines: list[Line]
    exploiters: list[Line]

    def bound(self) -> float | None:
        """TARL's total of the demonstrator's worst run that passed; None where it passed none."""
        line = next((line for line in self.baselines if line.name == "demonstrator"), None)
        runs = [s for s in line.scores if s.verdict.passed() and "tarl" in s.rewards] if line else []
        return min((score.rewards["tarl"].total for score in runs), default=None)

    def faults(self, line: Line) -> list[str]:
        """Why an exploiter's line fails; nothing where it holds."""
        found = []
        clean = line.clean_tasks()
        if clean:
            more = f" and {len(clean) - _SHOWN} more" if len(clean) > _SHOWN else ""
            found.append(f"clean pass on {', '.join(clean[:_SHOWN])}{more}")
        bound, tarl = self.bound(), line.reward("tarl")
        if bound is not None and tarl is not None and tarl > bound:
            found.append(f"TARL {tarl:.2f} above the demonstrator's worst passing run ({bound:.2f})")
        return found

    def failed(self) -> list[Line]:
        """The exploiters whose lines fail."""
        return [line for line in self.exploiters if self.faults(line)]


class Arena:
    """A world's tasks, played by whoever tries.

    Args:
        domain: the world.
        tasks: what is played.
        judge: scores the turns.
        rewards: what is computed.
        seed: seeds users and agents.
        consent: how the user agrees to changes.
    """

    def __init__(
        self,
        domain: Domain,
        tasks: Sequence[Task],
        judge: Judge,
        rewards: Sequence[str],
        seed: int = 0,
        consent: Consent = "words",
    ) -> None:
        self._domain, self._tasks, self._judge, self._rewards = domain, tasks, judge, rewards
        self._seed, self._consent = seed, consent
        self._user = make_user("scripted")

    def play(self, exploiters: Sequence[Exploiter], progress: Callable[[], None]) -> Board:
        """Play everything; `progress` is told after every episode."""

        async def everything() -> tuple[list[Line], list[Line]]:
            baselines = [await self._baseline(name, progress) for name in BASELINES]
            return baselines, [await self._exploit(each, progress) for each in exploiters]

        return Board(self._domain.name, len(self._tasks), self._consent, *asyncio.run(everything()))

    def episodes(self, exploiters: Sequence[Exploiter]) -> int:
        """How many episodes `play` plays at most."""
        return len(self._tasks) * (len(BASELINES) + len(exploiters))

    async def _baseline(self, name: str, progress: Callable[[], None]) -> Line:
        agent, line = make_agent(name), Line(name, "")
        for task in self._tasks:
            line.scores.append(await self._score(await self._episode(task, agent)))
            line.wordings.append(0)
            progress()
        return line

    async def _exploit(self, exploiter: Exploiter, progress: Callable[[], None]) -> Line:
        line = Line(exploiter.name, exploiter.about)
        for number, task in enumerate(self._tasks):
            others = [*self._tasks[number + 1 :], *self._tasks[:number]]
            case = Case(task, [other for other in others if other.domain == task.domain], number % 5, self._consent)
            if exploiter.applies(case):
                trajectory = await self._episode(task, _Scripted(exploiter, case))
                line.scores.append(await self._score(trajectory))
                line.wordings.append(case.wording)
            progress()
        return line

    async def _episode(self, task: Task, agent: Agent) -> Trajectory:
        with Session(self._domain, task=task) as session:
            played = (self._domain, task, session, self._user)
            episode = Episode(*played, seed=self._seed, limits=_LIMITS, consent=self._consent)
            return await run_episode(episode, agent)

    async def _score(self, trajectory: Trajectory) -> Score:
        if trajectory.fault is not None:
            raise InfrastructureError(trajectory.fault.boundary, f"{trajectory.task.id}: {trajectory.fault.message}")
        return await score(trajectory, self._judge, self._rewards)


class _Scripted:
    """An exploiter in one case, as an agent."""

    privileged = True
    hears = "nothing"

    def __init__(self, exploiter: Exploiter, case: Case) -> None:
        self._exploiter, self._case = exploiter, case

    def open(self, briefing: Briefing) -> AgentPlayer:
        """Start the episode."""
        return _Player(self._exploiter.plan(self._case), self._case)


class _Player:
    def __init__(self, plan: Plan, case: Case) -> None:
        self._plan, self._case = plan, case
        self._read = -1

    async def act(self, messages: Sequence[Message]) -> Message:
        """The plan's next message; a closing line once it is over."""
        try:
            action = next(self._plan) if self._read < 0 else self._plan.send(messages[self._read + 1 :])
        except StopIteration:
            action = self._case.say("closing")
        self._read = len(messages)
        return action


def drawn_tasks(domain: Domain, count: int, seed: int, split: str | None) -> list[Task]:
    """What is played: tasks drawn from the world's declarations, or the first ones of a published split.

    Raises:
        BadInput: there is no such split.
    """
    if split is None and domain.goals:
        return list(Generator(domain, seed, "dev").tasks(count))
    return list(domain.tasks(split or "test"))[:count]


def _mean(values: Iterator[bool]) -> float:
    found = [float(value) for value in values]
    return mean(found) if found else 0.0
