"""What gold calls depend on: known counts of the published tasks, and ids that nobody in a conversation can say."""

from collections import Counter

import pytest

from toolgym.sandbox.kit.task import Fact
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.proof.reachability import _joined, depth, structure, trace

DEPTHS = {
    "retail": {1: 26, 2: 23, 3: 44, 4: 7, 5: 15},
    "airline": {1: 30, 2: 49, 3: 33, 4: 3},
    "telecom": {2: 69, 3: 46},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", DEPTHS)
def test_own_tasks_are_as_deep_as_published_and_nothing_in_them_is_out_of_reach(name: str) -> None:
    domain = get_domain(name)
    seen: Counter[int] = Counter()
    for task in domain.tasks("test", "own"):
        steps = trace(task)
        assert (depth(steps), structure(steps)) == (task.depth, task.structure)
        assert not [step.missing for step in steps if step.missing]
        seen[task.depth] += 1
    assert dict(sorted(seen.items())) == DEPTHS[name]


WRITES = {"retail": (178, 125), "airline": (55, 32)}
"""Gold writes of tau2-bench's tasks, and how many of them need a look-up."""


@pytest.mark.parametrize("name", WRITES)
def test_imported_writes_need_look_ups(name: str) -> None:
    domain = get_domain(name)
    writes = needing = 0
    for task in domain.tasks("base", "tau2"):
        made = [step for step in trace(task) if domain.tools[step.call.name].kind == "write"]
        writes += len(made)
        needing += sum(bool(step.needs) for step in made)
    assert (writes, needing) == WRITES[name]


def test_what_stands_in_a_wishs_facts_alone_is_not_said() -> None:
    """No sort of user is told more than the situation, the wishes and facts about themselves."""
    domain = get_domain("kiosk")
    task = domain.task("kiosk-1")
    known = Fact(name="ticket_id", value="T102")
    secret = task.model_copy(
        update={"gold": task.gold[1:], "goals": (task.goals[0].model_copy(update={"facts": (known,)}),)}
    )
    told = secret.model_copy(update={"facts": (*task.facts, known)})
    assert [step.missing for step in trace(secret)] == [("T102",)]
    assert [step.missing for step in trace(told)] == [()]


@pytest.mark.parametrize(
    ("path", "sources"),
    [
        ("/home/ada/notes/plan.txt", {1}),
        ("/home/ada/notes/list.txt", {0, 1}),
        ("/home/ada/letters/plan.txt", None),
        ("/home/ada/notes/other.txt", None),
        ("other", None),
    ],
)
def test_a_path_that_is_yet_to_be_comes_from_its_folder_and_its_name(path: str, sources: set[int] | None) -> None:
    shown = ['{"name": "list.txt"}', '{"path": "/home/ada/notes"}']
    assert _joined(path, "call it plan.txt", shown) == sources
