"""A table of 5,000 episodes: opened from its index, and scrolled without a pause that anybody sees."""

import json
import os
from pathlib import Path

import pytest
from chromium import complaints, look, needs_browser, until, visit
from selenium import webdriver
from viewer_process import Viewer

from toolgym.judge.evaluation.episode_index import build_index, write_index
from toolgym.judge.evaluation.run_folder import RunFolder

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("viewer"), needs_browser]
FRAMES = 150
SCROLL = """
const [frames, done] = arguments, long = [], grid = document.querySelector(".grid");
const note = (list) => long.push(...list.getEntries().map((entry) => entry.duration));
new PerformanceObserver(note).observe({ type: "longtask" });
let frame = 0;
grid.scrollTop = 0;
const step = () => {
  grid.scrollTop += frame < frames / 2 ? 160 : 2000;
  if (++frame < frames) requestAnimationFrame(step);
  else setTimeout(() => done([long, grid.scrollTop, grid.querySelectorAll("tbody tr").length]), 200);
};
requestAnimationFrame(step);
"""


@pytest.fixture(scope="module")
def many(runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """5,000 episodes: the forty of a run, again and again under other trials."""
    folder = RunFolder(tmp_path_factory.mktemp("many") / "long")
    folder.path.mkdir()
    lines = [
        json.loads(line) for line in (runs / "good" / "trajectories.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    scores = [json.loads(line) for line in (runs / "good" / "scores.jsonl").read_text(encoding="utf-8").splitlines()]
    for file, records in ((folder.trajectories_file, lines), (folder.scores_file, scores)):
        with file.open("w", encoding="utf-8") as out:
            for trial in range(125):
                out.writelines(json.dumps(record | {"trial": trial}) + "\n" for record in records)
    for name in ("run.json", "summary.json"):
        (folder.path / name).write_bytes((runs / "good" / name).read_bytes())
    index = build_index(folder)
    assert len(index.rows) == 5000
    write_index(folder, index)
    return folder.path


def thread_seconds(browser: webdriver.Chrome) -> float:
    """Processor time of the page's main thread: what a task takes on a machine that does nothing else."""
    metrics = browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    return next(float(each["value"]) for each in metrics if each["name"] == "ThreadTime")


def test_5000_episodes_open_at_once_and_scroll_smoothly(browser: webdriver.Chrome, many: Path) -> None:
    look(browser)
    with Viewer(many.parent) as viewer:
        visit(browser, f"{viewer.address}#/runs")
        browser.execute_script("location.hash = '#/run/long'")
        opened = until(browser, "document.getElementById('count')?.textContent", "5000 of 5000")
        browser.execute_cdp_cmd("Performance.enable", {})
        tries = []
        for _ in range(3):
            before = thread_seconds(browser)
            long, top, rows = browser.execute_async_script(SCROLL, FRAMES)
            tries.append((len(long), (thread_seconds(browser) - before) / FRAMES))
            if not long:
                break
        assert top > 100_000 and rows < 60  # far down, and the rows above are not in the page
        assert min(frame for _, frame in tries) < 0.02, tries
        if os.getloadavg()[0] < (os.cpu_count() or 1):  # tasks are timed by the clock: others' work counts in
            assert opened < 1.0 and min(count for count, _ in tries) == 0, (opened, tries)
        assert complaints(browser) == []
