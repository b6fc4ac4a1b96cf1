"""Proves a task: it can be solved, and nothing but solving it passes. docs/tasks.md lists the proofs.

Each is played and not guessed: gold calls run in real sessions, an idle agent passes when the verifier would say so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toolgym.sandbox.kit.errors import BadInput, InfrastructureError
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.distractors import domain_of_task
from toolgym.sandbox.synthesis.proof.facts import untrue_facts
from toolgym.sandbox.synthesis.proof.goals import unmet_goals
from toolgym.sandbox.synthesis.proof.idle import passes_idle
from toolgym.sandbox.synthesis.proof.necessity import needless_writes
from toolgym.sandbox.synthesis.proof.programmed import not_programmed
from toolgym.sandbox.synthesis.proof.reachability import Step, depth, structure, trace
from toolgym.sandbox.synthesis.proof.replay import gold_of, hands_over
from toolgym.sandbox.synthesis.proof.words import given_away

NO_TOOL = ("irrelevant", "hidden_tool")
"""Families in which no offered tool fits: doing nothing, and saying so, is right."""


def prove(task: Task) -> list[str]:
    """What is wrong with a task that the engine made, as sentences; empty when it is proven.

    More than is asked of the published tasks: that every gold write is needed is true of most of them only.
    """
    return problems_of(task) or needless_writes(task)


def problems_of(task: Task) -> list[str]:
    """What is wrong with one task, as sentences; empty when it is sound."""
    try:
        steps = trace(task)
    except InfrastructureError as error:
        return [f"its world cannot be prepared or played: {error.message}"]
    return [
        *_strange(task),
        *_refused(task),
        *_unreachable(steps),
        *_shape(task, steps),
        *unmet_goals(task),
        *given_away(task),
        *untrue_facts(task),
        *_too_easy(task),
        *(not_programmed(task) if task.interaction == "program" else ()),
    ]


def _strange(task: Task) -> Iterator[str]:
    try:
        domain_of_task(task)
    except BadInput as error:
        yield f"a distractor cannot be offered: {error}"


def _refused(task: Task) -> Iterator[str]:
    for record in gold_of(task).log:
        if not record.ok:
            yield f"the gold call {record.name} is refused: {record.message}"


def _unreachable(steps: Sequence[Step]) -> Iterator[str]:
    for name, value in ((step.call.name, value) for step in steps for value in step.missing):
        yield f"the gold call {name} uses {value!r}, which neither the user says nor an earlier call returns."


def _shape(task: Task, steps: Sequence[Step]) -> Iterator[str]:
    longest, shape = depth(steps), structure(steps)
    if task.depth != longest:
        yield f"its depth is given as {task.depth}, but its longest chain of calls has {longest}."
    if task.structure != shape:
        yield f"its structure is given as {task.structure!r}, but its calls are {shape!r}."


def _too_easy(task: Task) -> Iterator[str]:
    if not (task.assertions or task.communicate or gold_of(task).diff or hands_over(task)):
        yield "nothing has to be written, said or handed over, so an agent that does nothing passes."
    elif (task.gold or task.family not in NO_TOOL) and passes_idle(task):
        yield "an agent that looks nothing up passes."
