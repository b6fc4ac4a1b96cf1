"""Builds a run's two files: training rows of every kind that its schedule uses, and validation rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.task import Difficulty, Task
from toolgym.sandbox.runtime.approval import require_possible
from toolgym.sandbox.runtime.registry import data_of, domain_of
from toolgym.training.data.demonstrations import from_runs, played
from toolgym.training.data.filtering import keep_varying
from toolgym.training.data.kinds import Kind
from toolgym.training.data.maths import math_rows
from toolgym.training.data.prompts import Longest, require_fit
from toolgym.training.data.released_steps import RELEASED, released_rows
from toolgym.training.data.rows import Row, dialogue_rows, write_rows
from toolgym.training.data.schedule import Schedule
from toolgym.training.data.steps import step_rows
from toolgym.training.settings import TrainSettings


def schedule_of(settings: TrainSettings) -> Schedule:
    """The order of a run's rows."""
    return Schedule(
        settings.mix, settings.batch, settings.steps, settings.warmup_steps, settings.seed, settings.filter_groups
    )


@dataclass(frozen=True)
class Built:
    """What was built.

    Attributes:
        train, val: how many rows each file has.
        longest: the longest prompt of both.
    """

    train: int
    val: int
    longest: Longest


def build(settings: TrainSettings, train: Path, val: Path) -> Built:
    """Write both files.

    Raises:
        BadInput: a split, family or file that is not there, or a prompt that does not fit.
    """
    rows, validation = train_rows(settings), val_rows(settings)
    found = require_fit([*rows, *validation], settings.model, settings.prompt_tokens)
    write_rows(train, rows)
    write_rows(val, validation)
    return Built(len(rows), len(validation), found)


def train_rows(settings: TrainSettings) -> list[Row]:
    """The training rows, kind by kind."""
    tasks = train_tasks(settings)
    found: list[Row] = []
    for kind in sorted(schedule_of(settings).kinds()):
        found += _rows(kind, settings, tasks)
    return found


def val_rows(settings: TrainSettings) -> list[Row]:
    """The validation rows: dialogue, spoken too where training is, programs where those are trained."""
    tasks, full = val_tasks(settings), settings.briefing == "full"
    kinds: list[Kind] = [kind for kind in ("text", "speech", "program") if kind in settings.mix]
    return [
        row
        for kind in kinds or ["text"]
        for row in dialogue_rows(kind, tasks, settings.format, full=full, consent=settings.consent)
    ]


def train_tasks(settings: TrainSettings) -> list[Task]:
    """The tasks to train on, the pilot's constant ones left out."""
    tasks = _tasks(settings, settings.split, settings.tasks)
    return keep_varying(tasks, settings.pilot, settings.reward) if settings.pilot is not None else tasks


def val_tasks(settings: TrainSettings) -> list[Task]:
    """The tasks to validate on."""
    return _tasks(settings, settings.val_split, settings.val_tasks)


def _tasks(settings: TrainSettings, split: str, count: int | None) -> list[Task]:
    every: list[Task] = []
    for env in settings.env:
        data = data_of(env, settings.data)
        require_possible(settings.consent, data, user=not {"program", "step"} & set(settings.mix))
        tasks = list(domain_of(env, data).tasks(split, data))
        fitting = [task for task in tasks if not settings.families or task.family in settings.families]
        if not fitting:
            families = ", ".join(sorted({task.family for task in tasks}))
            raise BadInput(f"No task of {env}'s split {split} is of these families; there are: {families}.")
        if set(settings.mix) - {"program", "math"} and any(task.returns is not None for task in fitting):
            raise BadInput(f"The requests of {env} are answered by programs alone; set mix=program.")
        if "program" in settings.mix and not all(task.ticket for task in fitting):
            raise BadInput(
                f"The tasks of {env} ({data}) have no request that a program answers; draw some with `toolgym "
                f"tasks generate {env} --interaction program --out FILE` and name them with data=own:FILE."
            )
        every += fitting[:count]
    return every


def _rows(kind: Kind, settings: TrainSettings, tasks: Sequence[Task]) -> list[Row]:
    if kind == "math":
        return math_rows(settings.math, settings.math_problems, seed=settings.seed)
    if kind == "step":
        return _step_rows(settings, tasks)
    if kind == "warmup":
        tasks = simplified(settings, tasks)
    return dialogue_rows(kind, tasks, settings.format, full=settings.briefing == "full", consent=settings.consent)


def _step_rows(settings: TrainSettings, tasks: Sequence[Task]) -> list[Row]:
    """Single steps: of a file in ToolRL's released form, of a run, or of what the oracle does on these tasks."""
    source = settings.steps_from
    if source is not None and source.suffix in RELEASED:
        return released_rows(source)
    learnt = from_runs([source]) if source is not None else played(tasks, seed=settings.seed)
    return step_rows(learnt, settings.format)


def simplified(settings: TrainSettings, tasks: Sequence[Task], wanted: Difficulty = "simple") -> list[Task]:
    """The simplified tasks (TARL appendix A: instructions that say plainly what to do).

    Raises:
        BadInput: there is none to warm up on.
    """
    found = [task for task in tasks if task.difficulty == wanted]
    if not found:
        raise BadInput(
            f"warmup_steps needs simplified tasks, and none of {', '.join(settings.env)}'s is; set warmup_steps=0."
        )
    return found
