"""A Ray cluster on this machine, with the patience for its nodes that a busy machine needs."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import ray
from ray._private import services
from ray.cluster_utils import Cluster

_SECONDS = 600
_get_node = services.get_node


def _patiently(*asked: Any) -> Any:
    until = time.monotonic() + _SECONDS
    while time.monotonic() < until:
        try:
            return _get_node(*asked)
        except RuntimeError:  # it has not come up yet; Ray's own patience is 30 s
            time.sleep(0.1)
    return _get_node(*asked)


@contextmanager
def nodes(*cpus: int) -> Iterator[Cluster]:
    """A cluster of nodes with so many processors each; the first one is its head."""
    with patch.object(services, "get_node", _patiently):
        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": cpus[0], "include_dashboard": False})
        try:
            for further in cpus[1:]:
                cluster.add_node(num_cpus=further)
            yield cluster
        finally:
            cluster.shutdown()


@contextmanager
def inside(*cpus: int) -> Iterator[Cluster]:
    """The same, with this process in it."""
    with nodes(*cpus) as cluster:
        ray.init(address=cluster.address, log_to_driver=False)
        try:
            yield cluster
        finally:
            ray.shutdown()
