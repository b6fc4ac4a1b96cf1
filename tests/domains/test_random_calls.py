"""What holds in every declared world after any calls: random ones that can succeed, among a task's right ones."""

import pytest
from world_tasks import DECLARED

from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.proof.fitting_calls import tried

pytestmark = pytest.mark.slow
CALLS = 500


@pytest.mark.parametrize("world", DECLARED)
def test_no_call_leaves_orphans_or_sums_below_zero_and_no_refused_one_anything(world: str) -> None:
    """By hand with 10,000 calls a world, where every tool has to succeed: benchmarks/random_calls.py."""
    domain = get_domain(world)
    found = tried(domain, CALLS)
    assert found.faults == []
    tools = [*domain.tools, *domain.user_tools]
    assert found.succeeded.total() > CALLS / 5
    assert sum(found.succeeded[name] > 0 for name in tools) >= len(tools) * 0.9, found.refused


@pytest.mark.parametrize("world", DECLARED)
def test_no_value_at_the_edge_of_its_type_breaks_a_tool(world: str) -> None:
    """By hand with 16,000 calls a world: benchmarks/random_calls.py --edges 0.3."""
    assert tried(get_domain(world), 100, seed=7, edges=0.4).faults == []
