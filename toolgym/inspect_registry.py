"""What Inspect finds of toolgym (its entry point): a task for every installed world, the solver and the scorers.

`inspect eval toolgym/retail --model ...`; docs/inspect.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from inspect_ai import Epochs, Task, task
from inspect_ai._util.error import PrerequisiteError
from inspect_ai._util.package import get_installed_package_name
from inspect_ai.model import get_model
from inspect_ai.scorer import Score, Scorer, Target, accuracy, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from toolgym.judge.interop.inspect import scoring, tau2
from toolgym.judge.interop.inspect.dataset import dataset_of
from toolgym.judge.interop.inspect.episode import MODEL, Sample
from toolgym.judge.interop.inspect.model import InspectClient
from toolgym.judge.interop.inspect.record import kept_trajectory, kept_turns
from toolgym.judge.scoring.judges.llm import LLMJudge
from toolgym.judge.scoring.reward import Judge, TurnScores
from toolgym.judge.scoring.scorer import make_judge
from toolgym.judge.scoring.verifier import Basis, Verdict, verify
from toolgym.sandbox.formats import get_format
from toolgym.sandbox.kit.errors import BadInput, ToolgymError
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.approval import Consent, require_possible
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import make_user

NATIVE, SCRIPTED = "native", "scripted"


@contextmanager
def _in_words() -> Iterator[None]:
    """A user's mistake as Inspect tells its own: one sentence, no traceback."""
    try:
        yield
    except ToolgymError as error:
        raise PrerequisiteError(str(error)) from None


_PREFIX = "" if get_installed_package_name(_in_words) else "toolgym/"
"""Inspect puts the package's name before ours, but not where Python runs in a checkout, whose metadata it misreads."""


@solver(name=f"{_PREFIX}agent")
def agent(
    name: str = MODEL,
    format: str = NATIVE,
    user: str | None = None,
    max_turns: int = 30,
    seed: int = 0,
    consent: Consent = "words",
) -> Solver:
    """Plays a task's conversation with the simulated user: of toolgym's worlds, or of tau2 in inspect_evals.

    Args:
        name: who plays the agent: `model` for Inspect's, or an agent of toolgym such as oracle, rules, demonstrator.
        format: how the model writes calls: `native`, or a text format such as hermes.
        user: who plays the user: scripted (the default), `llm` (Inspect's model role `user`) or an installed one; on
            tau2 that benchmark's own user by default.
        max_turns: agent steps per conversation.
        seed: seeds everything random of toolgym's.
        consent: `words`, or `call`: our user approves each change of our worlds before it is made.
    """
    with _in_words():
        if name != MODEL:
            registry.load("agents", name)
        if format != NATIVE:
            get_format(format)
        registry.load("users", user or SCRIPTED)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if tau2.is_sample(state):
            require_possible(consent, "tau2", user=True)
            await tau2.Conversation(state, name, format, make_user(user) if user else None, seed).play(generate)
        elif "world" in state.metadata:
            await Sample(state, name, format, user or SCRIPTED, consent).play(max_turns, seed)
        else:
            raise BadInput("`toolgym/agent` plays the tasks of toolgym, and tau2 of inspect_evals; this is neither.")
        return state

    return solve


@scorer(metrics=[accuracy(), stderr()], name=f"{_PREFIX}passed")
def passed(judge: str = "rules", basis: Basis = "state") -> Scorer:
    """Whether the conversation did what its task wanted, with a judge's scores of its turns.

    Args:
        judge: who scores the turns: rules, `llm` (Inspect's model role `grader`) or an installed one.
        basis: what the verdict compares with gold: state or writes.
    """
    with _in_words():
        registry.load("judges", judge)

    async def score(state: TaskState, target: Target) -> Score | None:
        verdict = _verdict(state)
        return None if verdict is None else scoring.passed(verdict, await _turns(state, verdict, judge), basis)

    return score


@scorer(metrics=[accuracy(), stderr()], name=f"{_PREFIX}clean_pass")
def clean_pass() -> Scorer:
    """Whether the conversation passed, told all that had to be told and broke no rule."""

    async def score(state: TaskState, target: Target) -> Score | None:
        verdict = _verdict(state)
        return None if verdict is None else scoring.clean_pass(verdict)

    return score


def _verdict(state: TaskState) -> Verdict | None:
    """The verdict on a sample's conversation; None where broken infrastructure left nothing to judge."""
    trajectory = kept_trajectory(state.store, f"sample {state.sample_id}")
    if trajectory is None:
        raise BadInput("toolgym's scorers read what its solver `toolgym/agent` has played; this sample holds nothing.")
    return None if trajectory.fault is not None else verify(trajectory)


async def _turns(state: TaskState, verdict: Verdict, judge: str) -> TurnScores:
    kept = kept_turns(state.store)
    if kept is not None:
        return kept
    asked: Judge = LLMJudge(InspectClient(get_model(role="grader"), "judge")) if judge == "llm" else make_judge(judge)
    return await asked.score(verdict.trajectory)


def _task_of(world: str) -> Callable[..., Task]:
    def conversations(
        data: str | None = None,
        split: str = "test",
        trials: int = 1,
        user: str = SCRIPTED,
        format: str = NATIVE,
        judge: str = "rules",
        max_turns: int = 30,
        seed: int = 0,
        consent: Consent = "words",
    ) -> Task:
        with _in_words():
            domain = get_domain(world)
            data = data or domain.newest_data
            require_possible(consent, data, user=True)
            dataset = dataset_of(domain, data, split)
        reducers = ["mean", *(f"pass_k_{k}" for k in range(2, trials + 1))]
        return Task(
            dataset=dataset,
            solver=agent(user=user, format=format, max_turns=max_turns, seed=seed, consent=consent),
            scorer=[passed(judge), clean_pass()],
            epochs=Epochs(trials, reducers),
            fail_on_error=0.5,
        )

    registered: Callable[..., Task] = task(name=f"{_PREFIX}{world}")(conversations)
    return registered


TASKS: dict[str, Any] = {world: _task_of(world) for world in registry.names("domains")}
"""Inspect's task of every installed world, by the world's name."""
