"""The live page in a real browser: every view of mine, deep links, keys, hostile text, accessibility, long tables."""

import hashlib
import json
import re
from pathlib import Path
from urllib.parse import quote

import pytest
from chromium import check_accessible, complaints, look, needs_browser, until, visit
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from viewer_process import HOSTILE, Viewer

from toolgym.judge.evaluation.folder_lock import mark_running
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


def test_runs_are_a_dashboard_newest_first_with_tags_bars_and_filters(
    browser: webdriver.Chrome, viewer: Viewer, runs: Path
) -> None:
    look(browser, 1920)
    visit(browser, viewer.address)
    cells = "[...document.querySelectorAll('.grid tbody tr:not(.space)')]"
    begun = browser.execute_script(f"return {cells}.map((row) => Date.parse(row.cells[10].textContent) || 0)")
    assert begun == sorted(begun, reverse=True)
    row = f"{cells}.find((row) => row.querySelector('a').textContent === 'good')"
    tags = browser.execute_script(f"return [...{row}.querySelectorAll('.tag')].map((each) => each.textContent)")
    summary = json.loads((runs / "good" / "summary.json").read_text(encoding="utf-8"))
    number = json.loads((runs / "good" / "run.json").read_text(encoding="utf-8"))["made_with"]["user"]
    assert tags == ["own test", f"scripted {number}"]
    words = browser.execute_script(
        f"return [...{row}.querySelectorAll('.meter')].map((each) => each.getAttribute('aria-label'))"
    )
    low, high = summary["clean_interval"]
    assert words[1].startswith(f"{summary['clean']:.3f}; 95 % ") and "; doing nothing 0." in words[1]
    shown = [float(number) for number in re.findall(r"0\.\d\d\b", words[1].split(";")[1])]
    assert shown == pytest.approx([low, high], abs=0.0051)
    assert low < summary["clean"] < high
    choose = (
        "const box = document.getElementById(arguments[0]); box.value = arguments[1];"
        "box.dispatchEvent(new Event('change'))"
    )
    browser.execute_script(choose, "filter-state", "finished")
    until(browser, f"{NAMES}.every((name) => !['training', 'unscored', 'damaged', 'newer'].includes(name))")
    browser.execute_script(choose, "group", "setting")
    until(browser, "location.hash", "#/runs?state=finished&group=setting")
    heading = browser.find_element(By.CSS_SELECTOR, ".grid .group button").text
    assert "3 runs, pass^1 " in heading
    boxes = browser.find_elements(By.CSS_SELECTOR, ".grid td input")
    compare = browser.find_element(By.XPATH, "//button[starts-with(., 'Compare')]")
    boxes[0].click()
    assert compare.text == "Compare 1 chosen" and not compare.is_enabled()
    boxes[1].click()
    compare.click()
    until(browser, "location.hash.startsWith('#/compare?run=') && !!document.getElementById('comparison')")
    look(browser)
    assert complaints(browser) == []


def test_a_list_that_is_sent_again_keeps_its_rows_and_the_focus(browser: webdriver.Chrome, viewer: Viewer) -> None:
    visit(browser, viewer.address)
    browser.execute_script(
        "document.querySelector('.grid tbody a').focus(); window.kept = document.activeElement;"
        "window.told = 0; new EventSource('api/events').onmessage = () => { window.told += 1; }"
    )
    until(browser, "window.told > 0")  # the page has been told the same, by a stream that was opened before
    assert browser.execute_script("return document.activeElement === window.kept && window.kept.isConnected")
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
    legend = "[...document.querySelectorAll('.curves figure:first-child .u-label')].map((each) => each.textContent)"
    assert browser.execute_script(f"return {legend}") == ["step", "reward, each step", "reward"]
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


def test_a_run_is_seen_at_a_glance(browser: webdriver.Chrome, viewer: Viewer, runs: Path) -> None:
    scores = RunFolder(runs / "good").scores()
    failed = {task for (task, _), each in scores.items() if not each["passed"]}
    visit(browser, f"{viewer.address}#/run/good")
    cells = browser.find_elements(By.CSS_SELECTOR, ".map a")
    assert len(cells) == len(scores) and f"failed {len(failed)}" in browser.find_element(By.CLASS_NAME, "legend").text
    red = [each for each in cells if "0 of 1 trial passed" in (each.get_attribute("title") or "")]
    assert {(each.get_attribute("title") or "").partition(":")[0] for each in red} == failed
    words = [
        each.get_attribute("aria-label") or "" for each in browser.find_elements(By.CSS_SELECTOR, ".glance figure svg")
    ]
    assert [each.partition(":")[0] for each in words][:2] == ["episodes by turns", "episodes by calls"]
    assert sum(map(int, re.findall(r"failed (\d+)", words[0]))) == len(failed)
    assert words[-1].startswith("turns scored -1, by what was done: message ")
    red[0].click()
    until(browser, "document.getElementById('result')?.textContent", "failed")
    assert complaints(browser) == []


def test_groups_count_all_their_episodes_whatever_is_filtered(
    browser: webdriver.Chrome, viewer: Viewer, runs: Path
) -> None:
    scores = RunFolder(runs / "good").scores()
    texts = "return [...document.querySelectorAll('.grid .group button')].map((each) => each.textContent)"
    look(browser, 1400, 2400)
    visit(browser, f"{viewer.address}#/run/good?group=family")
    whole = browser.execute_script(texts)
    assert whole and not any("shown" in each for each in whole)
    visit(browser, f"{viewer.address}#/run/good?group=family&result=failed")
    filtered = [each.partition("; ") for each in browser.execute_script(texts)]
    assert {counted for counted, _, _ in filtered} <= {*whole}
    assert sum(int(shown.split()[0]) for _, _, shown in filtered) == sum(not each["passed"] for each in scores.values())
    look(browser)


def test_an_episode_fits_a_telephone_and_its_ids_stay_whole(
    browser: webdriver.Chrome, viewer: Viewer, runs: Path
) -> None:
    look(browser, 390)
    task = exchanged(runs)[0]
    visit(browser, f"{viewer.address}#/run/good/episode/{task}/0")
    browser.execute_script(  # as where a rule was broken
        "const tag = document.createElement('span'); tag.className = 'tag bad'; "
        "tag.textContent = 'acted without the user having confirmed'; document.querySelector('.turnhead').append(tag)"
    )
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 390
    turn = "document.querySelector('.turnhead a').getClientRects().length"
    assert browser.execute_script(f"return {turn}") == 1
    look(browser)
    cells = "[...document.querySelectorAll('.rows td')].filter((each) => /^\\d{8,10}$/.test(each.textContent))"
    cut = (
        f"{cells}.filter((each) => {{ const range = document.createRange(); range.selectNodeContents(each); "
        "return range.getClientRects().length > 1; }).length"
    )
    seen = 0
    for each in exchanged(runs):
        visit(browser, f"{viewer.address}#/run/good/episode/{each}/0")
        seen += browser.execute_script(f"return {cells}.length")
        assert browser.execute_script(f"return {cut}") == 0, each
    assert seen
    assert complaints(browser) == []


def exchanged(runs: Path) -> list[str]:
    """Two tasks whose gold puts ids of items into rows."""
    kept = [each.task for each in RunFolder(runs / "good").trajectories()]
    return [task.id for task in kept if any("item_ids" in call.arguments_text() for call in task.gold)][:2]


def test_episodes_beside_one_another_are_within_the_page_and_pictures_of_a_size(
    browser: webdriver.Chrome, viewer: Viewer, runs: Path
) -> None:
    task = next(iter(RunFolder(runs / "good").scores()))[0]
    names = [f"{quote(run, safe='')}/{task}/0" for run in ("good", "sweep/broken")]
    pair = "&".join(f"episode={quote(name, safe='')}" for name in names)
    visit(browser, f"{viewer.address}#/compare?{pair}")
    until(browser, "!!document.getElementById('aligned')")
    assert (
        browser.execute_script(
            # as where calls differ
            "const row = document.querySelector('#aligned tbody tr'); row.className = 'differs';"
            "return getComputedStyle(row).whiteSpace"
        )
        == "normal"
    )
    visit(browser, f"{viewer.address}#/run/good/summary")
    letters = (
        "[...document.querySelectorAll('figure svg')]"
        ".map((each) => each.getBoundingClientRect().width / each.viewBox.baseVal.width)"
    )
    for width in (620, 1900):
        look(browser, width)
        assert max(browser.execute_script(f"return {letters}")) <= 1.21
    look(browser)
    assert complaints(browser) == []


def test_a_running_evaluation_shows_no_interval_that_there_is_not(
    browser: webdriver.Chrome, viewer: Viewer, runs: Path
) -> None:
    class Owner:
        pass

    owner = Owner()
    mark_running(owner, runs / "unscored")
    visit(browser, f"{viewer.address}#/run/unscored")
    facts = browser.find_element(By.CSS_SELECTOR, ".facts").text
    assert facts.startswith("live") and "pass^1" in facts and "95 %" not in facts
    del owner
    assert complaints(browser) == []


def test_typing_asks_once_and_what_is_asked_anew_is_broken_off(browser: webdriver.Chrome, viewer: Viewer) -> None:
    visit(browser, f"{viewer.address}#/run/good")
    asked = "performance.getEntriesByType('resource').filter((each) => each.name.includes('/api/find')).length"
    browser.execute_script("performance.clearResourceTimings()")
    browser.find_element(By.ID, "search").send_keys("cancel_pending")
    until(browser, f"{asked} > 0 && document.getElementById('count').textContent !== '40 of 40'")
    assert browser.execute_script(f"return {asked}") <= 3
    assert "q=cancel_pending" in browser.current_url and complaints(browser) == []


def test_a_whole_run_prints(browser: webdriver.Chrome, viewer: Viewer) -> None:
    visit(browser, f"{viewer.address}#/run/good")
    assert len(browser.execute_script(f"return {NAMES}")) < 40
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    browser.execute_script("dispatchEvent(new Event('beforeprint'))")
    assert len(browser.execute_script(f"return {NAMES}")) == 40
    hidden = "document.querySelector('.grid').scrollHeight - document.querySelector('.grid').clientHeight"
    assert browser.execute_script(f"return {hidden}") <= 1
    assert not browser.find_element(By.TAG_NAME, "header").is_displayed()
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    browser.execute_script("dispatchEvent(new Event('afterprint'))")
    until(browser, f"{NAMES}.length < 40")
    assert complaints(browser) == []


PLACES = (
    "#/runs",
    "#/runs?group=setting&state=finished",
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
