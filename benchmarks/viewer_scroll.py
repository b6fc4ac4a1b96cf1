"""How smoothly the viewer's table of episodes scrolls: long tasks and processor time while a script scrolls it.

    python benchmarks/viewer_scroll.py            5,000 episodes, in Chromium with chromedriver

A long task is one that keeps the page's thread for over 50 ms by the clock (PerformanceObserver, `longtask`); on a
machine with other work the clock counts that work in, so the processor time of the page's thread stands beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from selenium import webdriver
from selenium.webdriver.support.ui import WebDriverWait

from toolgym.judge.evaluation.episode_index import build_index, write_index
from toolgym.judge.evaluation.run_folder import RunFolder

TASKS = 40
FRAMES = 300
SCROLL = """
const [frames, done] = arguments, long = [], grid = document.querySelector(".grid");
const note = (list) => long.push(...list.getEntries().map((entry) => Math.round(entry.duration)));
const observer = new PerformanceObserver(note);
observer.observe({ type: "longtask" });
let frame = 0;
grid.scrollTop = 0;
const step = () => {
  const down = frame < frames / 2 ? 160 : 2000; // rows pass by, then pages
  grid.scrollTop += frame % 50 === 49 ? -20000 : down;
  if (++frame < frames) requestAnimationFrame(step);
  else setTimeout(() => { observer.disconnect(); done(long); }, 300);
};
requestAnimationFrame(step);
"""


def main() -> None:
    """Make the run, scroll it, print a line for each try."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=5000)
    parser.add_argument("--tries", type=int, default=5)
    arguments = parser.parse_args()
    with TemporaryDirectory(prefix="toolgym-scroll-") as place:
        folder = made(Path(place), arguments.episodes)
        browser = chromium()
        try:
            with subprocess.Popen(
                [sys.executable, "-m", "toolgym", "view", str(folder.path.parent), "--port", "0"],
                stdout=subprocess.PIPE,
                text=True,
            ) as viewer:
                assert viewer.stdout is not None
                address = next(word for word in viewer.stdout.readline().split() if word.startswith("http"))
                measure(browser, f"{address}#/run/long", arguments.episodes, arguments.tries)
                viewer.terminate()
        finally:
            browser.quit()


def made(place: Path, episodes: int) -> RunFolder:
    """A run of so many episodes: those of forty tasks, again and again under other trials."""
    command = ["eval", "ToolRetail-v0", "--agent", "rules", "--tasks", str(TASKS), "--out", str(place / "short")]
    subprocess.run([sys.executable, "-m", "toolgym", *command], check=True, stdout=subprocess.DEVNULL)
    short, folder = RunFolder(place / "short"), RunFolder(place / "runs" / "long")
    folder.path.mkdir(parents=True)
    for source, target in (
        (short.trajectories_file, folder.trajectories_file),
        (short.scores_file, folder.scores_file),
    ):
        records = [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines()]
        with target.open("w", encoding="utf-8") as out:
            for trial in range(episodes // TASKS):
                out.writelines(json.dumps(record | {"trial": trial}) + "\n" for record in records)
    for name in ("run.json", "summary.json"):
        shutil.copy(short.path / name, folder.path / name)
    write_index(folder, build_index(folder))
    return folder


def chromium() -> webdriver.Chrome:
    """Headless, 1400 pixels wide."""
    options = webdriver.ChromeOptions()
    for flag in ("headless", "no-sandbox", "disable-gpu", "window-size=1400,1000"):
        options.add_argument(f"--{flag}")
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))


def measure(browser: webdriver.Chrome, address: str, episodes: int, tries: int) -> None:
    """Open the table and scroll it so many times."""
    browser.set_script_timeout(120)
    started = time.perf_counter()
    browser.get(address)
    count = "return document.getElementById('count')?.textContent"
    WebDriverWait(browser, 60, poll_frequency=0.02).until(
        lambda b: b.execute_script(count) == f"{episodes} of {episodes}"
    )
    print(f"opened in {time.perf_counter() - started:.2f} s")
    browser.execute_cdp_cmd("Performance.enable", {})
    for number in range(tries):
        before = thread_seconds(browser)
        long: list[int] = browser.execute_async_script(SCROLL, FRAMES)
        used = 1000 * (thread_seconds(browser) - before) / FRAMES
        print(
            f"scroll {number + 1}: {len(long)} tasks over 50 ms {sorted(long, reverse=True)[:5]}, {used:.1f} ms of "
            f"processor time a frame, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
        )


def thread_seconds(browser: webdriver.Chrome) -> float:
    """Processor time of the page's main thread."""
    metrics: list[dict[str, Any]] = browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    return next(float(each["value"]) for each in metrics if each["name"] == "ThreadTime")


if __name__ == "__main__":
    main()
