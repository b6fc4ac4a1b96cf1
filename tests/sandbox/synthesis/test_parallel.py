"""Tasks are the same wherever they are drawn."""

import os
import sys
from collections.abc import Iterator

import pytest
import ray
from ray.cluster_utils import Cluster
from ray_nodes import inside

from toolgym.sandbox.runtime.cluster import Lost, joined, spread
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.generator import Generator

pytestmark = [pytest.mark.slow, pytest.mark.turns(3, 1), pytest.mark.xdist_group("ray")]


class Dying:
    """A worker that one of its jobs kills."""

    async def work(self, job: int) -> int:
        if job == 3:
            os._exit(1)
        return job * job


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with inside(2) as made:
        yield made


def test_a_cluster_draws_what_one_process_draws(cluster: Cluster) -> None:
    def drawn(**how: object) -> list[str]:
        return [task.model_dump_json() for task in Generator(get_domain("banking"), 5).tasks(50, **how)]

    here = drawn()
    assert drawn(engine="ray") == here == drawn(workers=2)


def test_a_job_that_kills_every_worker_is_lost_and_the_others_are_done(cluster: Cluster) -> None:
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])  # the cluster's processes do not find this file
    with joined():
        found = dict(spread(Dying, (), range(8), at_once=2))
    assert isinstance(found.pop(3), Lost)
    assert found == {job: job * job for job in range(8) if job != 3}
