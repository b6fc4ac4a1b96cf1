"""Servers that the tests of one process share."""

from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from toolgym_server import Running


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One worker, no token."""
    with Running(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture(scope="session")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Two workers."""
    with Running(tmp_path_factory.mktemp("pair"), "--workers", "2") as running:
        yield running


@pytest.fixture
def http(server: Running) -> Iterator[httpx2.Client]:
    """A client of the shared server."""
    with server.client() as client:
        yield client


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A place for a server of one's own."""
    return tmp_path
