"""A conversation that may be selected, with what gates ask of it: verdict, scores, and whom it serves."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from toolgym.judge.evaluation.run_folder import Key, RunFolder
from toolgym.judge.interop.opened import OpenedRun
from toolgym.judge.scoring.verifier import Basis, Verdict, verify
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.table import key_column
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.info import ScriptedNotes, UserChecks
from toolgym.sandbox.runtime.preauthenticate import authenticated
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.trajectory import Trajectory


@dataclass(frozen=True)
class Candidate:
    """One conversation of a run.

    Attributes:
        run: the run's name.
        trajectory: the conversation.
        basis: what success compares.
        score: its line of scores.jsonl; empty where the run has none.
    """

    run: str
    trajectory: Trajectory
    basis: Basis
    score: Mapping[str, Any]

    @property
    def task(self) -> Task:
        """What it is about."""
        return self.trajectory.task

    @property
    def name(self) -> str:
        """How it is told from all others, in every run."""
        return f"{self.task.domain} {self.task.data} {self.task.id} {self.trajectory.trial} {self.run}"

    @cached_property
    def verdict(self) -> Verdict:
        """The verifier's."""
        return verify(self.trajectory)

    @property
    def passed(self) -> bool:
        """Success on the run's basis."""
        return self.verdict.passed(self.basis)

    @property
    def clean(self) -> bool:
        """Success without a broken rule."""
        return self.passed and self.verdict.well_conducted

    @property
    def user_fault(self) -> str | None:
        """What the simulated user did wrong; None where nothing is noted."""
        notes = self.trajectory.info.user
        if isinstance(notes, UserChecks) and notes.uncorrected:
            return "a reply of the user's was played with a fault"
        if isinstance(notes, ScriptedNotes) and notes.unplaced:
            return "the user did not understand a question"
        return None

    @property
    def rule(self) -> tuple[str, str] | None:
        """The rule at whose edge a task of a pair stands, and on which side; None elsewhere."""
        rule = self.task.metadata.get("rule")
        return (str(rule), self.task.family) if rule is not None and "pair" in self.task.metadata else None

    @cached_property
    def person(self) -> str:
        """Whom the task serves, among those of all worlds; the task itself where it does not say."""
        key = person_key(self.task)
        whose = f"task {self.task.id}" if key is None else str(key)
        return f"{self.task.domain} {self.task.data} {whose}"

    @property
    def knows_person(self) -> bool:
        """Whether the task says whom it serves."""
        return not self.person.endswith(f"task {self.task.id}")


def person_key(task: Task) -> Any:
    """The key of the task's person: the session's owner, or whom its facts identify at a desk."""
    if task.owner is not None:
        return task.owner
    domain = get_domain(task.domain)
    try:
        profile = authenticated(domain, task)[1]
    except BadInput:
        return None
    names = [key_column(domain.identity.table)] if domain.identity is not None else ["user_id", "customer_id"]
    return next((profile[name] for name in names if isinstance(profile, dict) and name in profile), None)


def candidates(runs: Sequence[OpenedRun]) -> Iterator[Candidate]:
    """The finished conversations of runs, in their order (infrastructure failures are none).

    Raises:
        BadInput: a run holds one twice.
    """
    for run in runs:
        scores = _scores(run)
        seen: set[str] = set()
        for trajectory in run.trajectories:
            if trajectory.termination == "infrastructure_error":
                continue
            score = scores.get((trajectory.task.id, trajectory.trial), {})
            found = Candidate(run.name, trajectory, run.settings.get("basis", "state"), score)
            if found.name in seen:
                raise BadInput(f"{run.path} holds trial {trajectory.trial} of {trajectory.task.id} twice.")
            seen.add(found.name)
            yield found


def _scores(run: OpenedRun) -> dict[Key, dict[str, Any]]:
    file = RunFolder(run.path).scores_file
    if not file.is_file():
        return {}
    lines = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return {(line["task"], line["trial"]): line for line in lines}
