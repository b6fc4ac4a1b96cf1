"""A training that runs, as the page shows it: rates, time left, last validation, warnings, what was lost."""

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from chromium import complaints, needs_browser, until, visit
from fastapi.testclient import TestClient
from selenium import webdriver
from viewer_process import Viewer

from toolgym.training import reward_gaming
from toolgym.training.run_lock import locked
from toolgym.viewer.server import application

STRIP = "document.querySelector('.live')?.textContent"
VERL = """\
actor:
  total_training_steps: -1
trainer:
  balance_batch: true
  total_training_steps: 20
  v1:
    toolgym:
      goodhart: warn
      goodhart_validations: 2
critic:
  total_training_steps: 7
"""
"""As verl's configuration says what may change when a training is resumed."""


def training(folder: Path, steps: int = 12) -> Path:
    """Steps of four seconds, every fourth with two more of validation; of its 4 * 8 episodes each lost one."""
    (folder / "metrics").mkdir(parents=True)
    (folder / "checkpoints").mkdir()
    settings = {"recipe": "tarl", "env": ["retail"], "batch": 4, "group": 8}
    (folder / "run.json").write_text(json.dumps(settings), encoding="utf-8")
    (folder / "verl.yaml").write_text(VERL, encoding="utf-8")
    for step in range(1, steps + 1):
        add(folder, step)
    return folder


def add(folder: Path, step: int, **more: float) -> None:
    data: dict[str, float] = {"critic/rewards/mean": step / 10, "timing_s/step": 4.0, "toolgym/failed": 1}
    if step % 4 == 0:
        clean = 0.9 - step / 40
        point = reward_gaming.Point(step, step / 10, clean)
        alarm = reward_gaming.alarm(reward_gaming.record(folder / "checkpoints", point), 2)
        data |= {
            "timing_s/testing": 2.0,
            "toolgym/val/toolgym/retail/pass^1": 0.5,
            "toolgym/goodhart": float(alarm is not None),
        }
        data |= {"toolgym/held_out/toolgym/retail/clean": clean, "toolgym/held_out/toolgym/retail/exploit": 0.25}
    with (folder / "metrics" / "000.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps({"step": step, "data": data | more}) + "\n")


def asked(folder: Path) -> dict[str, Any]:
    client = TestClient(application(folder.parent), base_url="http://127.0.0.1")
    found: dict[str, Any] = client.get("/api/curves", params={"id": folder.name}).json()["progress"]
    return found


def test_what_the_files_say_is_what_the_page_is_told(tmp_path: Path) -> None:
    folder = training(tmp_path / "now")
    log = "INFO begun\n(AgentLoop pid=7) Task kiosk-4, attempt 2: it took more than 5 s (a call) (session)\nTask x\n"
    log += (
        "Traceback (most recent call last):\n"
        + 2 * "(Loop pid=7) toolgym.sandbox.kit.errors.BadInput: The user needs a model.\n"
    )
    (folder / "train.log").write_text(log, encoding="utf-8")
    now = asked(folder)
    assert (now["live"], now["step"], now["wanted"], now["left_seconds"]) == (False, 12, 20, None)
    assert now["step_seconds"] == pytest.approx(4.6)  # of the last ten, three had a validation
    assert now["episodes_a_second"] == pytest.approx(31 / now["step_seconds"])
    assert now["validation"] == {
        "step": 12,
        "sources": [{"source": "retail", "pass^1": 0.5, "clean": pytest.approx(0.6), "exploit": 0.25}],
    }
    assert now["lost"] == 12
    assert now["last_lost"] == [{"task": "kiosk-4", "message": "it took more than 5 s (a call)", "boundary": "session"}]
    assert now["warnings"] == [reward_gaming.alarm(reward_gaming.history(folder / "checkpoints"), 2)]
    assert now["errors"] == ["BadInput: The user needs a model."]
    with locked(folder):
        stepped = time.time() - 3
        os.utime(folder / "metrics" / "000.jsonl", (0, stepped))
        now = asked(folder)
    assert now["errors"] == [] and now["live"]
    passed = 8 * now["step_seconds"] - now["left_seconds"]
    assert 2.9 < passed < time.time() - stepped + 0.1, "the seconds since the last step are no longer to come"


def test_a_training_without_a_step_and_one_with_damaged_metrics(tmp_path: Path) -> None:
    now = asked(training(tmp_path / "begun", steps=0))
    assert now["step"] is None and now["step_seconds"] is None and now["validation"] is None and now["warnings"] == []
    (tmp_path / "begun" / "metrics" / "000.jsonl").write_text("3\n", encoding="utf-8")
    client = TestClient(application(tmp_path), base_url="http://127.0.0.1")
    answer = client.get("/api/curves", params={"id": "begun"})
    assert answer.status_code == 404 and "The metrics of begun are damaged" in answer.json()["detail"]


@pytest.mark.slow
@pytest.mark.xdist_group("viewer")
@needs_browser
def test_a_training_is_followed_step_by_step(browser: webdriver.Chrome, tmp_path: Path) -> None:
    folder = training(tmp_path / "runs" / "now", steps=7)
    with Viewer(folder.parent) as viewer:
        with locked(folder):
            visit(browser, f"{viewer.address}#/run/now")
            until(browser, f"{STRIP}?.includes('running step 7 of 20')")
            assert "4.3 s a step" in browser.execute_script(f"return {STRIP}")
            assert "Last validation, at step 4: retail pass^1 0.500" in browser.execute_script(f"return {STRIP}")
            assert not browser.execute_script("return document.querySelector('[role=alert]')")
            for step in range(8, 13):
                add(folder, step)
            until(browser, f"{STRIP}?.includes('running step 12 of 20')")
            until(browser, "document.querySelector('[role=alert]')?.textContent.includes('the reward may be gamed')")
            assert "12 episodes lost to infrastructure" in browser.execute_script(f"return {STRIP}")
        until(browser, f"{STRIP}?.startsWith('stopped step 12 of 20')")
    complaints(browser)  # the process is gone, and the browser says so
