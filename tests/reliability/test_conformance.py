"""Four doors, one meaning: the same 1,000 random call sequences in process, over REST and over MCP (HTTP and stdio).

Results are compared byte by byte, and the whole state at the end by its digest.
"""

import asyncio
import os
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path

import interfaces
import pytest
import workshop_domain
from call_sequences import Plan, make_plans
from sandbox_server import SandboxServer

from toolgym.sandbox.runtime.registry import get_domain

ERAS = ("legacy", "2026-07-28")
NOT_CALLED = ("print_catalogue", "wait_for_glue", "drop_everything")
"""Tools of the test world that are wordy, slow or broken on purpose."""
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("conformance")]


@pytest.fixture(scope="module")
def variables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What a server process needs to know the test world."""
    site = tmp_path_factory.mktemp("site")
    workshop_domain.install(site)
    here = Path(__file__).parents[1] / "servers"
    return {"PYTHONPATH": os.pathsep.join([str(site), str(here), str(here.parents[1])])}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, variables: dict[str, str]) -> Iterator[SandboxServer]:
    with SandboxServer(tmp_path_factory.mktemp("data") / "store", environment=variables) as running:
        yield running


@pytest.fixture(scope="module")
def plans() -> list[Plan]:
    worlds = [(get_domain("retail"), 4), (get_domain("kiosk"), 2), (workshop_domain.domain, 2)]
    return make_plans(worlds, sequences=125, seed=20, without=NOT_CALLED)


@pytest.fixture(scope="module")
def expected(plans: list[Plan]) -> list[tuple[list[bytes], str]]:
    return [interfaces.play_in_process(plan) for plan in plans]


def test_the_sequences_are_a_fair_sample(plans: list[Plan], expected: list[tuple[list[bytes], str]]) -> None:
    assert sum(len(plan.sequences) for plan in plans) == 1000
    results = [result for session, _ in expected for result in session]
    fine = sum(result.startswith(b'{"ok": true') for result in results)
    assert 0.25 < fine / len(results) < 0.9
    called = Counter(call.name for plan in plans for call in plan.calls())
    tools = {name for plan in plans for name in plan.domain.tools if name not in NOT_CALLED}
    assert tools <= called.keys() and any(name not in tools for name in called)
    assert len({digest for _, digest in expected}) >= 7, "most sessions have written something of their own"


@pytest.mark.parametrize("play", [interfaces.play_rest, interfaces.play_document])
def test_rest(
    server: SandboxServer,
    plans: list[Plan],
    expected: list[tuple[list[bytes], str]],
    play: Callable[[str, Plan], tuple[list[bytes], str]],
) -> None:
    for plan, wanted in zip(plans, expected, strict=True):
        require_same(plan, play(server.url, plan), wanted)


@pytest.mark.parametrize("era", ERAS)
async def test_mcp_over_http(
    server: SandboxServer, plans: list[Plan], expected: list[tuple[list[bytes], str]], era: str
) -> None:
    for plan, wanted in zip(plans, expected, strict=True):
        require_same(plan, await interfaces.play_mcp(server.url, plan, era), wanted)


async def test_mcp_over_stdio(
    plans: list[Plan], expected: list[tuple[list[bytes], str]], variables: dict[str, str]
) -> None:
    for plan, (results, _), era in zip(plans[::2], expected[::2], cycle(ERAS)):  # a process is started for each
        agents = [result for call, result in zip(plan.calls(), results, strict=True) if call.by == "agent"]
        got = await asyncio.wait_for(interfaces.play_stdio(plan, era, variables), 600)
        assert got == agents


def require_same(plan: Plan, got: tuple[list[bytes], str], wanted: tuple[list[bytes], str]) -> None:
    for call, mine, theirs in zip(plan.calls(), wanted[0], got[0], strict=True):
        assert theirs == mine, call
    assert got[1] == wanted[1], "the states differ at the end"
