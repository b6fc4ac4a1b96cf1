"""Scoring turns in a real browser: by keys, as two people in two windows, with the server away, in every size."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import check_accessible, complaints, look, needs_browser, until, visit
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from viewer_process import HOSTILE, Viewer

from toolgym.cli import main
from toolgym.judge.annotation import file
from toolgym.judge.annotation.record import Annotation
from toolgym.judge.evaluation.run_folder import RunFolder

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("viewer"), needs_browser]
SAID = "document.getElementById('said').textContent"
HERE = "document.querySelector('.turn.here')?.id"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = tmp_path_factory.mktemp("played") / "kiosk"
    assert main(["eval", "kiosk", "--agent", "rules", "--trials", "2", "--out", str(run)]) == 0
    return run


@pytest.fixture(scope="module")
def viewer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Viewer]:
    with Viewer(tmp_path_factory.mktemp("runs")) as running:
        yield running


@pytest.fixture
def run(played: Path, viewer: Viewer) -> RunFolder:
    """A run of each test's own."""
    folder = viewer.folder / f"kiosk{len(list(viewer.folder.iterdir()))}"
    shutil.copytree(played, folder)
    return RunFolder(folder)


def key(browser: webdriver.Chrome, *keys: str) -> None:
    for each in keys:
        browser.find_element(By.TAG_NAME, "body").send_keys(each)


def scored(browser: webdriver.Chrome, *keys: str) -> None:
    """Press keys of scores, each once what came before it has been said."""
    for each in keys:
        before = browser.execute_script(f"return {SAID}")
        place = browser.execute_script("return location.hash")
        key(browser, each)
        until(browser, f"{SAID} !== {json.dumps(before)} && location.hash !== {json.dumps(place)}")


def test_turns_are_scored_by_keys_with_reasons_and_taken_back(
    browser: webdriver.Chrome, viewer: Viewer, run: RunFolder
) -> None:
    visit(browser, f"{viewer.address}#/run/{run.path.name}")
    browser.find_element(By.LINK_TEXT, "annotate").click()
    until(browser, "document.getElementById('name') === document.activeElement")
    browser.switch_to.active_element.send_keys("Ada" + Keys.ENTER)
    until(browser, HERE, "turn-0")
    turns = run.trajectories()[0].turns()
    assert browser.find_element(By.ID, "progress").text.startswith("0 of ")
    assert "judge rules" not in browser.find_element(By.TAG_NAME, "main").text
    scored(browser, "1")
    key(browser, "r")
    browser.switch_to.active_element.send_keys("It asks for nothing - 1 or 0." + Keys.ENTER)  # no key while one writes
    scored(browser, "0", "-")
    assert browser.execute_script(f"return {HERE}") == "turn-3" and "Turn 2 has −1 already" in browser.page_source
    key(browser, "u")
    until(browser, SAID, "The score of turn 2 is taken back.")
    assert browser.execute_script(f"return {HERE}") == "turn-2"
    for pressed, wanted in (
        ("k", "turn-1"),
        (Keys.ARROW_LEFT, "turn-0"),
        (Keys.ARROW_RIGHT, "turn-1"),
        ("j", "turn-2"),
    ):
        key(browser, pressed)
        until(browser, HERE, wanted)
    key(browser, "s")
    until(browser, HERE, "turn-3")
    assert f"at={run.trajectories()[0].task.id}%2F0%2F3" in browser.current_url
    said = file.read(run.path).entries
    assert [(each.turn, each.score, each.reason) for each in said] == [
        (0, 1, ""),
        (1, 0, "It asks for nothing - 1 or 0."),
        (2, -1, ""),
        (2, None, ""),
    ]
    scored(browser, *"1" * (len(turns) - 3))
    until(browser, f"{SAID}.includes('the others say')", False)  # turn 2 was skipped, so the conversation is not over
    browser.refresh()
    until(browser, "document.querySelector('.turn.here .own')?.textContent", "score this turn")
    visit(browser, f"{viewer.address}#/run/{run.path.name}/annotate?at={run.trajectories()[0].task.id}/0/2")
    until(browser, HERE, "turn-2")
    scored(browser, "1")
    until(browser, "document.querySelector('.told table') !== null")
    table = browser.find_element(By.CSS_SELECTOR, ".told").text
    assert "judge rules" in table and "differs" in table and "passed" in table
    assert complaints(browser) == []


def test_two_windows_and_a_server_that_was_away_lose_nothing(
    browser: webdriver.Chrome, viewer: Viewer, run: RunFolder
) -> None:
    first = browser.current_window_handle
    visit(browser, f"{viewer.address}#/run/{run.path.name}/annotate?annotator=Ada")
    until(browser, HERE, "turn-0")
    browser.switch_to.new_window("window")
    visit(browser, f"{viewer.address}#/run/{run.path.name}/annotate?annotator=Bob")
    until(browser, HERE, "turn-0")
    for _ in range(2):
        scored(browser, "0")
        other = browser.current_window_handle
        browser.switch_to.window(first)
        scored(browser, "1")
        browser.switch_to.window(other)
    browser.close()
    browser.switch_to.window(first)
    given = file.latest(file.read(run.path).entries)
    assert [sorted((name, each.score) for name, each in said.items()) for said in given.values()] == [
        [("Ada", 1), ("Bob", 0)]
    ] * 2
    browser.execute_script("window.asked = window.fetch; window.fetch = () => Promise.reject(new Error('away'))")
    key(browser, "-")
    until(browser, "document.querySelector('[role=alert]')?.textContent.startsWith('1 score not saved yet')")
    assert len(file.read(run.path).entries) == 4
    browser.execute_script("window.fetch = window.asked")
    until(browser, "document.querySelector('[role=alert]') === null")
    assert [(each.turn, each.score) for each in file.read(run.path).entries[4:]] == [(2, -1)]
    task = run.trajectories()[0].task.id
    left = {"id": run.path.name, "annotator": "Ada", "task": task, "trial": 0, "turn": 3, "score": 0, "reason": "left"}
    kept = f"localStorage.setItem('annotations {run.path.name} 0.5', arguments[0])"  # a window was closed meanwhile
    browser.execute_script(kept, json.dumps([left]))
    visit(browser, f"{viewer.address}#/run/{run.path.name}/annotate?annotator=Ada&at={task}/0/3")
    until(browser, "document.querySelector('.turn.here .own')?.textContent", "you: 0")
    assert (
        file.read(run.path).entries[-1].reason == "left"
        and browser.execute_script("return Object.keys(localStorage).filter((each) => each.startsWith('annotations'))")
        == []
    )
    complaints(browser)


def fill(run: RunFolder) -> None:
    """What two people said of every turn: Ada as the judge, Bob otherwise at each third one, with hostile words."""
    from toolgym.judge.annotation.record import digest_of

    entries = []
    for trajectory in run.trajectories():
        given = run.scores()[trajectory.task.id, trajectory.trial]["turns"]
        for turn, score in zip(trajectory.turns(), given, strict=True):
            said = {"run": "kiosk", "task": trajectory.task.id, "trial": trajectory.trial, "turn": turn.index}
            for name, value in (("Ada", score), (HOSTILE, (0 if score else 1) if turn.index % 3 == 0 else score)):
                entries.append(said | {"annotator": name, "score": value, "reason": HOSTILE, "digest": digest_of(turn)})
    file.add(run.path, [Annotation.model_validate(each) for each in entries])


def test_agreement_says_who_agrees_with_whom_and_leads_to_what_differs(
    browser: webdriver.Chrome, viewer: Viewer, run: RunFolder
) -> None:
    fill(run)
    look(browser)
    visit(browser, f"{viewer.address}#/run/{run.path.name}/agreement")
    cards = {each.text.split("\n")[0]: each.text for each in browser.find_elements(By.CSS_SELECTOR, ".pair")}
    assert [*cards] == [f"{HOSTILE} and Ada", f"{HOSTILE} and judge rules", "Ada and judge rules"]
    turns = sum(len(each.turns()) for each in run.trajectories())
    apart = sum((len(each.turns()) + 2) // 3 for each in run.trajectories())
    assert "equal scores\n100.0 %" in cards["Ada and judge rules"]
    assert f"equal scores\n{100 * (turns - apart) / turns:.1f} %" in cards[f"{HOSTILE} and Ada"]
    assert len(browser.find_elements(By.CSS_SELECTOR, ".apart > li")) == apart
    choice = "const all = document.getElementById('between'); all.value = arguments[0]; "
    browser.execute_script(f"{choice} all.dispatchEvent(new Event('change'))", "Ada and judge rules")
    until(browser, "document.querySelectorAll('.apart > li').length", 0)
    browser.back()
    visit(browser, f"{viewer.address}#/run/{run.path.name}/agreement?annotator=Cleo")
    assert browser.find_elements(By.CSS_SELECTOR, ".apart > li") == []
    assert f"{apart} turns more are hidden, as Cleo has not scored them yet" in browser.page_source
    browser.find_element(By.LINK_TEXT, "Show all").click()
    until(browser, "document.querySelectorAll('.apart > li').length", apart)
    browser.find_element(By.CSS_SELECTOR, ".apart a").click()
    until(browser, "document.querySelector('.episode .turn.here') !== null")
    assert browser.find_elements(By.CSS_SELECTOR, "main img") == [] and "owned" not in browser.title
    assert complaints(browser) == []


@pytest.mark.parametrize(("width", "dark"), [(1400, False), (400, True)])
def test_nothing_violates_level_a_or_aa_and_nothing_overflows(
    browser: webdriver.Chrome, viewer: Viewer, run: RunFolder, width: int, dark: bool
) -> None:
    fill(run)
    look(browser, width, dark=dark)
    for place, ready in (
        ("annotate", "document.getElementById('name') !== null || document.querySelector('.turn.here') !== null"),
        ("annotate?annotator=Ada&draw=sample&count=4", "document.querySelector('.told table') !== null"),
        ("annotate?annotator=Cleo", "document.querySelector('.turn.here') !== null"),
        ("agreement", "document.querySelectorAll('.pair').length === 3"),
    ):
        visit(browser, f"{viewer.address}#/run/{run.path.name}/{place}")
        until(browser, ready)
        browser.execute_script("scrollTo(0, document.body.scrollHeight)")  # where the panel at the edge covers nothing
        check_accessible(browser, place)
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width, place
    look(browser)
    complaints(browser)
