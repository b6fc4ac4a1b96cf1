"""The live page in a real browser: every view of mine, deep links, keys, hostile text, accessibility, long tables."""

import hashlib
import re
from pathlib import Path
from urllib.parse import quote

import pytest
from chromium import check_accessible, complaints, look, needs_browser, until, visit
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from viewer_process import HOSTILE, Viewer

from toolgym.judge.evaluation.run_folder import RunFolder

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("viewer"), needs_browser]
AXE = Path(__file__).parent / "axe"
NAMES = "[...document.querySelectorAll('.grid tbody a')].map((each) => each.textContent)"


def test_the_checker_is_the_one_that_is_named() -> None:
    named = dict(
        re.findall(r"^\| `([^`]+)` \| `([0-9a-f]{64})` \|$", (AXE / "README.md").read_text(encoding="utf-8"), re.M)
    )
    there = {
        each.name: hashlib.sha256(each.read_bytes()).hexdigest() for each in AXE.iterdir() if each.name != "README.md"
    }
    assert there == named


def test_runs_are_sorted_searched_and_opened(browser: webdriver.Chrome, viewer: Viewer) -> None:
    visit(browser, viewer.address)
    rows = [row.text for row in browser.find_elements(By.CSS_SELECTOR, ".grid tbody tr:not(.space)")]
    assert len(rows) == 7 and any("damaged" in row for row in rows) and any("30 of 60" in row for row in rows)
    browser.find_element(By.XPATH, "//thead//button[contains(., 'pass^1')]").click()
    until(browser, "location.hash", "#/runs?sort=-pass")
    assert browser.execute_script(f"return {NAMES}")[-1] in {"damaged", "newer", "training", "unscored"}
    browser.find_element(By.TAG_NAME, "body").send_keys("/")
    browser.switch_to.active_element.send_keys("good")
    until(browser, NAMES, ["good"])
    assert "q=good" in browser.current_url
    browser.find_element(By.LINK_TEXT, "good").click()
    until(browser, "document.getElementById('count')?.textContent", "40 of 40")
    assert "pass^1" in browser.find_element(By.CSS_SELECTOR, ".facts").text
    browser.back()
    until(browser, NAMES, ["good"])  # the search is in the address, and so it is there again
    assert complaints(browser) == []


def test_an_address_holds_filters_groups_and_columns(browser: webdriver.Chrome, viewer: Viewer, runs: Path) -> None:
    scores = RunFolder(runs / "good").scores()
    failed = sorted(task for (task, _), score in scores.items() if not score["passed"])
    visit(browser, f"{viewer.address}#/run/good?result=failed&sort=task&columns=task,turns,reward.tarl&group=family")
    assert sorted(browser.execute_script(f"return {NAMES}")) == failed
    assert browser.find_element(By.ID, "count").text == f"{len(failed)} of 40"
    headings = [each.text.rstrip(" ↑↓") for each in browser.find_elements(By.CSS_SELECTOR, ".grid thead button")]
    assert headings == ["task", "turns", "tarl reward"]
    groups = browser.find_elements(By.CSS_SELECTOR, ".grid .group button")
    assert groups and all("of" in each.text and each.get_attribute("aria-expanded") == "true" for each in groups)
    groups[0].click()
    until(browser, f"{NAMES}.length < {len(failed)}")
    browser.execute_script(
        "const all = document.getElementById('filter-result'); all.value = ''; all.dispatchEvent(new Event('change'))"
    )
    until(browser, "document.getElementById('count').textContent", "40 of 40")
    assert "result=" not in browser.current_url
    assert complaints(browser) == []


def test_keys_lead_from_failure_to_failure(browser: webdriver.Chrome, viewer: Viewer, runs: Path) -> None:
    order = [
        (t.task.id, RunFolder(runs / "good").scores()[t.task.id, 0]["passed"])
        for t in RunFolder(runs / "good").trajectories()
    ]
    failed = [task for task, passed in order if not passed]
    visit(browser, f"{viewer.address}#/run/good")
    focused = "document.activeElement.textContent"
    for key, wanted in (
        ("n", failed[0]),
        ("n", failed[1]),
        ("p", failed[0]),
        ("k", order[order.index((failed[0], False)) - 1][0]),
    ):
        browser.find_element(By.TAG_NAME, "body").send_keys(key)
        until(browser, focused, wanted)
    browser.switch_to.active_element.send_keys("?")
    until(browser, "document.getElementById('help').open")
    shown = browser.find_element(By.ID, "help").text
    assert "next failure" in shown and "go to the search" in shown
    browser.switch_to.active_element.send_keys(Keys.ESCAPE)
    until(browser, "document.getElementById('help').open", False)
    assert complaints(browser) == []


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("#/nowhere", "There is no page #/nowhere"),
        ("#/run/nope", "nope"),
        ("#/run/good/episode/nope/0", "no episode nope"),
        ("#/run/%E0%A4%A", "There is no page"),
    ],
)
def test_an_unknown_address_says_so(browser: webdriver.Chrome, viewer: Viewer, place: str, words: str) -> None:
    visit(browser, f"{viewer.address}{place}")
    assert words in browser.find_element(By.CSS_SELECTOR, "[role=alert]").text
    complaints(browser)  # the browser notes a 404 of its own accord


def test_what_cannot_be_read_is_said_beside_what_can(browser: webdriver.Chrome, viewer: Viewer) -> None:
    visit(browser, f"{viewer.address}#/run/{quote('sweep/broken', safe='')}")
    alert = browser.find_element(By.CSS_SELECTOR, "[role=alert]").text
    assert "line 4" in alert and "line 5" in alert and browser.find_element(By.ID, "count").text == "40 of 40"
    for run, words in (("damaged", "run.json is damaged"), ("newer", "format 9")):
        visit(browser, f"{viewer.address}#/run/{run}")
        assert words in browser.find_element(By.CSS_SELECTOR, "[role=alert]").text
    assert complaints(browser) == []


def test_text_in_data_is_never_html(browser: webdriver.Chrome, viewer: Viewer) -> None:
    name = quote(HOSTILE, safe="")
    visit(browser, f"{viewer.address}#/runs")
    assert HOSTILE in browser.execute_script(f"return {NAMES}")
    for place in (
        f"#/run/{name}",
        f"#/run/{name}?group=family",
        f"#/run/{name}/summary",
        f"#/run/{name}/episode/retail-test-0-0000/0",
    ):
        visit(browser, f"{viewer.address}{place}")
        assert "onerror" in browser.find_element(By.TAG_NAME, "main").text
        assert browser.find_elements(By.CSS_SELECTOR, "main img") == [] and "owned" not in browser.title.split("·")[1]
    assert complaints(browser) == []


def test_a_training_has_its_curves(browser: webdriver.Chrome, viewer: Viewer, runs: Path) -> None:
    visit(browser, f"{viewer.address}#/run/training")
    until(browser, "document.querySelectorAll('.curves .u-over').length", 3)
    labels = [each.get_attribute("aria-label") for each in browser.find_elements(By.CSS_SELECTOR, ".curves figure")]
    assert labels[0] == "reward, 1 line: reward 3.000 at step 30"
    with (runs / "training" / "metrics" / "000.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"step": 31, "data": {"critic/rewards/mean": 7.5, "toolgym/acc": 0.5, "actor/entropy": 0.1}}\n')
    until(
        browser,
        "document.querySelector('.curves figure')?.getAttribute('aria-label')",
        "reward, 1 line: reward 7.500 at step 31",
    )
    assert complaints(browser) == []


def test_filters_fold_away_on_a_narrow_page(browser: webdriver.Chrome, viewer: Viewer) -> None:
    shown = "document.getElementById('filter-result').offsetParent !== null"
    look(browser)
    visit(browser, f"{viewer.address}#/run/good?result=failed")
    assert (
        browser.execute_script(f"return {shown}") and not browser.find_element(By.CLASS_NAME, "unfold").is_displayed()
    )
    look(browser, 400)
    until(browser, shown, False)
    unfold = browser.find_element(By.CLASS_NAME, "unfold")
    assert (unfold.text, unfold.get_attribute("aria-expanded")) == ("filters (1 set)", "false")
    unfold.click()
    until(browser, shown)
    assert unfold.get_attribute("aria-expanded") == "true"
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 400
    look(browser)
    assert complaints(browser) == []


def test_nothing_moves_for_those_who_ask_for_it(browser: webdriver.Chrome, viewer: Viewer) -> None:
    """What moves anywhere: every style with an animation or a transition, and scrolling."""
    moving = """
      const all = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).filter((rule) => rule.selectorText);
      const named = all.filter(({ style }) => style.animation || style.transition).map((rule) => rule.selectorText);
      const box = document.body.appendChild(document.createElement("i"));
      const moves = named.filter((name) => {
        box.className = name.replaceAll(".", " ");
        const style = getComputedStyle(box);
        return style.animationName !== "none" || !["0s", ""].includes(style.transitionDuration);
      });
      box.remove();
      return [named.length, moves.length, getComputedStyle(document.documentElement).scrollBehavior];
    """
    features = [{"name": "prefers-reduced-motion", "value": "no-preference"}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    visit(browser, f"{viewer.address}#/run/good")
    named, moves, _ = browser.execute_script(moving)
    assert named == moves > 0  # the test sees what moves
    features[0]["value"] = "reduce"
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    assert browser.execute_script(moving) == [named, 0, "auto"]
    look(browser)
    assert complaints(browser) == []


PLACES = (
    "#/runs",
    "#/run/good",
    "#/run/good?group=violation",
    "#/run/good/summary",
    "#/run/training",
    "#/run/damaged",
    "#/tables",
    "#/world/kiosk?tab=graph",
    "#/nope",
)


@pytest.mark.parametrize(("width", "dark"), [(1400, False), (400, True)])
def test_nothing_violates_level_a_or_aa_and_nothing_overflows(
    browser: webdriver.Chrome, viewer: Viewer, width: int, dark: bool
) -> None:
    look(browser, width, dark=dark)
    for place in PLACES:
        visit(browser, f"{viewer.address}{place}")
        check_accessible(browser, place)
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width, place
    look(browser)
    complaints(browser)
