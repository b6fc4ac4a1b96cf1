"""A run that is being written to, in the page: an episode shows within a second, and the file is not read again."""

import shutil
import time
from pathlib import Path

import pytest
from chromium import complaints, needs_browser, until, visit
from forks import Command
from selenium import webdriver
from selenium.webdriver.common.by import By
from viewer_process import Viewer

from toolgym.judge.evaluation.folder_lock import is_running
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.sandbox.runtime.trajectory import Fault

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("viewer"), needs_browser]
COUNT = "document.getElementById('count')?.textContent"
STRIP = "document.querySelector('.live')?.textContent"


def bytes_read(process: int) -> int:
    """What a process has asked to read since it began, from whatever place."""
    return int(Path(f"/proc/{process}/io").read_text(encoding="ascii").split()[1])


def test_an_episode_is_shown_within_a_second_and_nothing_is_read_again(
    browser: webdriver.Chrome, runs: Path, tmp_path: Path
) -> None:
    played = RunFolder(runs / "good").trajectories()
    many = [each.model_copy(update={"trial": trial}) for trial in range(10) for each in played]
    folder = RunFolder(tmp_path / "runs" / "now")
    folder.open({"env": "retail", "agent": "rules"}, wanted={(each.task.id, each.trial) for each in many})
    for trajectory in many[:-6]:
        folder.add(trajectory)
    size = folder.trajectories_file.stat().st_size
    with Viewer(tmp_path / "runs") as viewer:
        visit(browser, f"{viewer.address}#/run/now?sort=task")
        until(browser, COUNT, "394 of 394")
        until(browser, f"{STRIP}?.includes('of 394 judged')")
        before, waited = bytes_read(viewer.process.pid), list[float]()
        for number, trajectory in enumerate(many[-6:-1], start=395):
            folder.add(trajectory)
            waited.append(until(browser, COUNT, f"{number} of {number}"))
        assert min(waited) < 1.0, "what else the machine does may hold up most of them"
        assert bytes_read(viewer.process.pid) - before < size / 3
        assert "running" in browser.execute_script(f"return {STRIP}")
        assert f"{number} of 400 episodes" in browser.execute_script(f"return {STRIP}")
        failed = many[-1].model_copy(
            update={"termination": "infrastructure_error", "fault": Fault(boundary="model", message="<b>no answer</b>")}
        )
        folder.add(failed)
        until(browser, f"{STRIP}.includes('1 infrastructure failure')")
        assert "<b>no answer</b>" in browser.execute_script(f"return {STRIP}")
        with folder.trajectories_file.open("a", encoding="utf-8") as file:
            file.write('{"half": ')
            file.flush()
            time.sleep(0.7)
            assert browser.execute_script(f"return {COUNT}") == "399 of 399"
        shutil.rmtree(folder.path)
        until(browser, "document.querySelector('[role=alert]')?.textContent.includes('no longer there')")
        assert browser.execute_script(f"return {COUNT}") == "399 of 399"
    complaints(browser)  # the process is gone, and the browser says so


def test_the_same_page_shows_a_real_run_from_its_beginning_to_its_scores(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    folder = RunFolder(tmp_path / "runs" / "real")
    (tmp_path / "runs").mkdir()
    with Viewer(tmp_path / "runs") as viewer:
        visit(browser, viewer.address)
        assert "no run here yet" in browser.find_element(By.TAG_NAME, "main").text
        command = [
            "eval",
            "ToolRetail-v0",
            "--agent",
            "rules",
            "--tasks",
            "40",
            "--trials",
            "4",
            "--out",
            str(folder.path),
        ]
        playing = Command(command)
        until(browser, "document.querySelector('.grid tbody a')?.textContent", "real")
        assert is_running(folder.path)
        visit(browser, f"{viewer.address}#/run/real")
        until(browser, f"{STRIP}?.includes('running')")
        until(browser, COUNT, "160 of 160")
        until(browser, "document.querySelector('.facts')?.textContent.startsWith('finished, clean pass')")
        assert playing.wait(600) == 0
        until(browser, "document.querySelector('.live').hidden")
        assert not is_running(folder.path)
        row = browser.find_element(By.CSS_SELECTOR, ".grid tbody tr:not(.space)")
        assert row.find_elements(By.CSS_SELECTOR, ".ticks[aria-label*='1']")  # turn scores came with the judge's
        assert complaints(browser) == []
