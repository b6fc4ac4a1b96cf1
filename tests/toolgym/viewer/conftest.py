"""A folder of runs in every state that a folder can be in, and `toolgym view` of it as a process."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import chromium
from selenium import webdriver
from viewer_process import HOSTILE, Viewer

from toolgym.cli import main


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`good`, `broken` (a torn and a strange line), `newer`, `damaged`, `unscored`, `training`, and a hostile one."""
    root = tmp_path_factory.mktemp("viewed") / "runs"
    good = root / "good"
    assert main(["eval", "ToolRetail-v0", "--agent", "rules", "--tasks", "40", "--out", str(good)]) == 0
    lines = (good / "trajectories.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    _copy(good, root / "sweep" / "broken", [*lines[:3], '{"task": {"id": \n', "[1]\n", *lines[3:]])
    _copy(good, root / "newer", [line.replace('"format_version":3', '"format_version":9') for line in lines[:2]])
    _copy(good, root / "unscored", lines[:12])
    for name in ("scores.jsonl", "summary.json"):
        (root / "unscored" / name).unlink()
    hostile = [line.replace("Hello", HOSTILE).replace("Hi", HOSTILE).replace("impatient", HOSTILE) for line in lines]
    _copy(good, root / HOSTILE, [line.replace('"family":"return"', f'"family":"{HOSTILE}"') for line in hostile])
    (root / "damaged").mkdir()
    (root / "damaged" / "run.json").write_text("{", encoding="utf-8")
    _training(root / "training")
    return root


def _copy(source: Path, target: Path, lines: list[str]) -> None:
    shutil.copytree(source, target)
    (target / "episodes.json").unlink()
    (target / "trajectories.jsonl").write_text("".join(lines), encoding="utf-8")


def _training(folder: Path) -> None:
    """Thirty steps in the form of verl's metrics file, of sixty that are wanted."""
    (folder / "metrics").mkdir(parents=True)
    settings = {"recipe": "tarl", "env": ["retail"], "steps": 60, "model": "tiny"}
    (folder / "run.json").write_text(json.dumps(settings), encoding="utf-8")
    steps = (
        {"critic/rewards/mean": step / 10, "toolgym/acc": step / 60, "actor/entropy": 1 / step} for step in range(1, 31)
    )
    records = (json.dumps({"step": step, "data": data}) for step, data in enumerate(steps, start=1))
    (folder / "metrics" / "000.jsonl").write_text("".join(f"{record}\n" for record in records), encoding="utf-8")


@pytest.fixture(scope="session")
def viewer(runs: Path) -> Iterator[Viewer]:
    with Viewer(runs) as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[webdriver.Chrome]:
    driver = chromium()
    yield driver
    driver.quit()


@pytest.fixture(autouse=True)
def _quiet(request: pytest.FixtureRequest) -> Iterator[None]:
    """What one test's pages complain about, streams that lost their server among it, is not the next one's."""
    yield
    if "browser" in request.fixturenames:
        driver = request.getfixturevalue("browser")
        driver.get("about:blank")
        driver.get_log("browser")
