"""The test runner itself: what is marked as a group runs in one process, so that it installs and starts things once."""

import os

import pytest


@pytest.mark.xdist_group("runner")
@pytest.mark.skipif("PYTEST_XDIST_WORKER" not in os.environ, reason="one process runs everything")
def test_groups_of_tests_stay_in_one_process(request: pytest.FixtureRequest) -> None:
    assert request.node.nodeid.endswith("@runner"), "pytest-xdist does not group with this pytest"
