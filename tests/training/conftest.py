"""What tests of training share."""

import os
from collections.abc import Iterator, Mapping

import pytest
from preloaded_python import preloading

from toolgym.training.cpu.run import ENVIRONMENT


@pytest.fixture(scope="session")
def preloaded() -> Iterator[Mapping[str, str]]:
    """Environment variables by which verl's processes start with all they import: one of them loads it for all.

    None where the system is not Linux: there each process imports for itself.
    """
    if not hasattr(os, "pidfd_open"):
        yield {}
        return
    with preloading(os.environ | ENVIRONMENT) as variables:
        yield variables
