"""What tests of training share."""

import os
from collections.abc import Iterator, Mapping

import pytest

from toolgym.training.cpu.preloading import preloading
from toolgym.training.cpu.run import ENVIRONMENT


@pytest.fixture(scope="session")
def preloaded() -> Iterator[Mapping[str, str]]:
    """Environment variables by which verl's processes start with all they import: one of them loads it for all."""
    with preloading(os.environ | ENVIRONMENT) as variables:
        yield variables
