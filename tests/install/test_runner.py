"""The test runner itself: what is marked as a group runs in one process, so that it installs and starts things once."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.mark.xdist_group("runner")
@pytest.mark.skipif("PYTEST_XDIST_WORKER" not in os.environ, reason="one process runs everything")
def test_groups_of_tests_stay_in_one_process(request: pytest.FixtureRequest) -> None:
    assert request.node.nodeid.endswith("@runner"), "pytest-xdist does not group with this pytest"


@pytest.mark.turns(3, 1)
@pytest.mark.parametrize("place", range(4))
def test_what_takes_turns_comes_with_one_commit_of_so_many(request: pytest.FixtureRequest, place: int) -> None:
    conftest = request.config.pluginmanager.get_plugin(str(Path(__file__).parents[1] / "conftest.py"))
    assert conftest is not None
    in_turn: Callable[[pytest.Item, int | None], bool] = conftest.in_turn
    assert [in_turn(request.node, turn) for turn in range(3)] == [turn == (place + 1) % 3 for turn in range(3)]
    assert in_turn(request.node, None), "`make test-all` leaves nothing out"
