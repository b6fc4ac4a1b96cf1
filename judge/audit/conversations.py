"""Whether each goal of a world can be talked through: a scripted user wants it, and an agent that asks, names and acts.

Both ways to consent are played. For authors: `toolgym check WORLD` ends with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from toolgym.judge.evaluation.run import unspoken
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.author_errors import place_of
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.goal import Goal
from toolgym.sandbox.kit.task import Task, write_tasks
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.synthesis.assembly import assembled
from toolgym.sandbox.synthesis.proof.prove import prove
from toolgym.sandbox.synthesis.sampler import Sampler
from toolgym.sandbox.synthesis.wish import drawn

TASKS = 3
"""Of each goal; one that is settled is enough."""
PEOPLE = 24
"""Who are tried for these."""
ADVICE = "the user speaks and understands by the goal's `verbs`, and by `says` and `words` of its slots"


def unsettled(domain: Domain, agent: str = "demonstrator") -> Iterator[str]:
    """The goals of which no conversation comes to a good end, with the last words of one.

    Args:
        domain: the world; nothing is said of one that is not installed, whose tasks nothing could play.
        agent: who talks to the user.
    """
    if not domain.goals or domain.name not in registry.names("domains"):
        return
    goals = {goal.name: goal for goal in domain.goals if goal.against is None}
    tasks = [task for goal in goals.values() for task in _tasks(domain, goal)]
    with TemporaryDirectory() as folder:
        file = Path(folder) / "tasks.jsonl"
        write_tasks(file, tasks)
        settings = {"env": domain.name, "data": f"own:{file}", "split": "train", "agent": agent}
        for consent in ("words", "call") if tasks else ():
            played = unspoken(EvalSettings.model_validate(settings | {"consent": consent}))
            settled = {each.task.goals[0].kind for each in played if verify(each).passed()}
            failed = {each.task.goals[0].kind: each for each in played}
            for name in failed.keys() - settled:
                yield (
                    f"{place_of(goals[name].at)}goal {name}: no conversation with `consent={consent}` settles it "
                    f"({', '.join(verify(failed[name]).failing())}); {_last_words(failed[name])}; {ADVICE}."
                )


def _tasks(domain: Domain, goal: Goal) -> Iterator[Task]:
    """Some proven tasks of a goal that can be granted, of which a part is told when asked."""
    keys = list(islice(domain.owner_keys() or [None], PEOPLE))
    found = 0
    for number, key in enumerate(keys):
        sampler, rng = Sampler(domain, key), Random(number)
        wish = drawn(sampler, goal, rng, "withheld")
        if wish is not None:
            name = f"{domain.name}-{goal.name}-{number}"
            task = assembled(sampler, [wish], rng, name, "train", "withheld", "granted")
            if not list(prove(task)):
                found += 1
                yield task
        sampler.session.close()
        if found == TASKS:
            return


def _last_words(trajectory: Trajectory) -> str:
    """How a conversation ended."""
    said = [message for message in trajectory.messages if message.content and message.role in ("assistant", "user")]
    return " and ".join(
        f"the {'agent' if each.role == 'assistant' else 'user'} said {each.content!r}" for each in said[-2:]
    )
