"""Splits by depth: what is chosen is even over shapes, information and interaction, and proven."""

from collections import Counter
from itertools import islice

import pytest

from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.proof.prove import prove
from toolgym.sandbox.synthesis.strata import by_depth

pytestmark = pytest.mark.slow


def test_every_depth_has_its_tasks_of_all_shapes() -> None:
    tasks = list(by_depth(get_domain("banking"), seed=2, each=2))
    assert [task.id for task in tasks[:3]] == [
        *(f"banking-v2-depth-0-0{n}" for n in range(2)),
        "banking-v2-depth-1-00",
    ]
    assert {task.split for task in tasks} == {"depth"}
    counts = Counter(task.depth for task in tasks)
    assert max(counts) >= 4 and all(counts[depth] == 2 for depth in range(4))
    assert {task.structure for task in tasks if task.depth == 2} <= {"chain", "funnel", "mixed"}
    assert {task.information for task in tasks if task.depth == 0} <= {"complete", "described", "withheld"}
    assert {task.interaction for task in tasks} == {"dialogue", "program"}
    assert not [problem for task in tasks for problem in prove(task)]


def test_the_same_seed_draws_the_same_split() -> None:
    one, other = (list(islice(by_depth(get_domain("budget"), seed=4, each=1), 3)) for _ in range(2))
    assert one == other and len(one) == 3
