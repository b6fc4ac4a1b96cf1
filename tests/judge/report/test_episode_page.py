"""One episode, and several beside one another, in a real browser: rows are the session's, states have addresses."""

import base64
import gzip
import json
import math
import shutil
import socket
import struct
import threading
import time
import urllib.request
import wave
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
import uvicorn
from chromium import COLOURS, LEVELS, check_accessible, chromium, needs_browser
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select, WebDriverWait

from toolgym.cli import main
from toolgym.judge.comparison.board import compare
from toolgym.judge.comparison.runs import side
from toolgym.judge.evaluation.run_folder import RunFolder, write_lines
from toolgym.judge.interop.opened import run_of
from toolgym.judge.report.graphs import call_graph
from toolgym.sandbox.runtime.info import Info, SpeechRecord, UtteranceRecord
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Fault, Trajectory
from toolgym.viewer.server import application

pytestmark = [pytest.mark.slow, needs_browser]
TABS = ("database", "scores", "prompt", "graph", "raw")
PLANTED = "<script>window.planted = 1</script><img src=x onerror='window.planted = 1'>"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("runs")
    for agent in ("rules", "random"):
        assert main(["eval", "ToolRetail-v0", "--agent", agent, "--tasks", "30", "--out", str(root / agent)]) == 0
    shutil.copytree(root / "rules", root / "again")
    _plant(root)
    _speak(root)
    return root


def _plant(root: Path) -> None:
    """Runs with what a page must bear: HTML in texts and arguments, a reward of somebody else, a world of nobody."""
    shutil.copytree(root / "rules", root / "planted")
    folder = RunFolder(root / "planted")
    first, *rest = folder.trajectories()
    said = first.messages[0].model_copy(update={"content": PLANTED})
    task = first.task.model_copy(update={"scenario": PLANTED})
    strange = rest[0].model_copy(update={"task": rest[0].task.model_copy(update={"domain": "atlantis"})})
    changed = [first.model_copy(update={"task": task, "messages": (said, *first.messages[1:])}), strange, *rest[1:]]
    write_lines(folder.trajectories_file, (trajectory.to_line() for trajectory in changed))
    lines = [json.loads(line) for line in folder.scores_file.read_text().splitlines()]
    lines[0]["rewards"]["mine"] = {"total": -0.5, "components": {"tact": -0.75, "speed": 0.25}, "turns": None}
    lines[0]["reasons"][0] = PLANTED
    write_lines(folder.scores_file, map(json.dumps, lines))


def _speak(root: Path) -> None:
    """A run with a recording and a transcript that misses an id."""
    folder = RunFolder(root / "spoken")
    shutil.copytree(root / "rules", folder.path)
    first, *_ = folder.trajectories()
    (folder.path / "audio").mkdir()
    with wave.open(str(folder.path / "audio" / "one.wav"), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16_000)
        loud = (int(20_000 * math.sin(n / 20) * (n / 16_000)) for n in range(16_000))
        file.writeframes(b"".join(struct.pack("<h", sample) for sample in loud))
    said = first.messages[0].model_copy(update={"audio": "audio/one.wav"})
    known = UtteranceRecord(
        audio="audio/one.wav", seconds=1.0, spoken="my order one", heard="my odor one", missed=("W1",)
    )
    spoken = Info(speech=SpeechRecord(tts="espeak", asr="own", utterances=(known,)))
    changed = first.model_copy(update={"messages": (said, *first.messages[1:]), "info": spoken, "modality": "speech"})
    write_lines(folder.trajectories_file, [changed.to_line()])


@pytest.fixture(scope="module")
def server(runs: Path) -> Iterator[str]:
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(application(runs), log_level="error")
    serving = uvicorn.Server(config)
    thread = threading.Thread(target=serving.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
    serving.should_exit = True
    thread.join(600)


@pytest.fixture(scope="module")
def browser() -> Iterator[webdriver.Chrome]:
    driver = chromium()
    yield driver
    driver.quit()


@pytest.fixture(autouse=True)
def _nothing_complains(browser: webdriver.Chrome) -> Iterator[None]:
    yield
    bad = [entry for entry in browser.get_log("browser") if entry["level"] in {"SEVERE", "WARNING"}]
    # what is not there is answered with 404, which the browser notes
    assert [entry for entry in bad if "404" not in entry["message"]] == []


def visit(browser: webdriver.Chrome, base: str, address: str) -> None:
    browser.get("about:blank")
    browser.get(f"{base}#{address}")
    ready(browser)


def ready(browser: webdriver.Chrome) -> None:
    WebDriverWait(browser, 600).until(lambda b: b.find_element(By.TAG_NAME, "body").get_attribute("data-ready"))
    WebDriverWait(browser, 600).until(lambda b: not b.find_elements(By.CSS_SELECTOR, "[aria-busy=true]"))


def address(run: str, trajectory: Trajectory, query: str = "") -> str:
    return f"/run/{run}/episode/{quote(trajectory.task.id)}/{trajectory.trial}{query}"


def press(browser: webdriver.Chrome, key: str) -> None:
    browser.find_element(By.TAG_NAME, "body").send_keys(key)


def shown(value: Any) -> str:
    return (
        "–" if value is None else json.dumps(value).replace(", ", ",") if isinstance(value, dict | list) else str(value)
    )


def cells(table: WebElement) -> dict[str, list[list[str]]]:
    """A table of rows: by the name of each row, the texts of its cells' lines."""
    found: dict[str, list[list[str]]] = {}
    for body in table.find_elements(By.TAG_NAME, "tbody"):
        name, *lines = body.find_elements(By.TAG_NAME, "tr")
        title = name.find_element(By.TAG_NAME, "th").text.split("\n")[0]
        found[title] = [[cell.text for cell in line.find_elements(By.CSS_SELECTOR, "th, td")] for line in lines]
    return found


def writing(runs: Path, run: str = "rules") -> tuple[Trajectory, int]:
    """An episode with a call that changes rows, and that call's number."""
    for trajectory in RunFolder(runs / run).trajectories():
        for number, record in enumerate(trajectory.calls):
            if record.wrote:
                return trajectory, number
    raise AssertionError("no episode wrote")


def test_a_changed_cell_is_the_sessions_own_diff(browser: webdriver.Chrome, server: str, runs: Path) -> None:
    trajectory, number = writing(runs)
    with Session("retail", task=trajectory.task) as session:
        for record in trajectory.calls[:number]:
            session.call(record.name, record.arguments, by=record.by)
        assert session.diff() == []
        record = trajectory.calls[number]
        session.call(record.name, record.arguments, by=record.by)
        diff = session.diff()
    visit(browser, server, address("rules", trajectory, f"?call={number}"))
    table = browser.find_element(By.CSS_SELECTOR, ".ofcall table")
    found = {
        name.split(" ", 2)[0] + " " + key: lines for name, lines in cells(table).items() for key in [_key(name, diff)]
    }
    assert len(found) == len(diff)
    for row in diff:
        before, after = row.before or {}, row.after or {}
        lines = found[f"{row.table} {', '.join(map(str, row.key))}"]
        expected = [
            [name, shown(before.get(name)), shown(after.get(name))]
            for name in {**before, **after}
            if before.get(name) != after.get(name)
        ]
        assert [line[:3] for line in lines] == expected
    assert browser.find_element(By.CSS_SELECTOR, f"#call-{number}.picked").is_displayed()


def _key(name: str, diff: list[Any]) -> str:
    """The key in a row's name, which tags may follow."""
    keys = [", ".join(map(str, row.key)) for row in diff if name.startswith(f"{row.table} ")]
    return max((key for key in keys if f" {key}" in name), key=len)


def test_every_tab_has_an_address_and_its_content(browser: webdriver.Chrome, server: str, runs: Path) -> None:
    trajectory, _ = writing(runs)
    score = RunFolder(runs / "rules").scores()[trajectory.task.id, 0]
    for tab in TABS:
        visit(browser, server, address("rules", trajectory, f"?tab={tab}"))
        panels = [each for each in browser.find_elements(By.CSS_SELECTOR, "[role=tabpanel]") if each.is_displayed()]
        assert [panel.get_attribute("id") for panel in panels] == [f"panel-{tab}"]
        text = panels[0].text
        if tab == "scores":
            bars = panels[0].find_elements(By.CSS_SELECTOR, ".reward")
            assert len(bars) == len(score["rewards"]) > 3 and "Verdict" in text
        elif tab == "prompt":
            assert "Retail service policy" in text and "cancel_pending_order" in text and "ToolRetail-v0" in text
        elif tab == "graph":
            edges = panels[0].find_elements(By.CSS_SELECTOR, "figure:first-child .edge")
            drawn = [[int(edge.get_attribute(f"data-{end}") or -1) for end in ("from", "to")] for edge in edges]
            assert drawn == call_graph(trajectory.task, trajectory)["edges"]
        elif tab == "raw":
            raw = json.loads(panels[0].find_element(By.TAG_NAME, "pre").get_attribute("textContent") or "")
            assert raw["trajectory"] == json.loads(trajectory.to_line()) and raw["score"] == score
        else:
            assert "as it should be" in text
    browser.find_element(By.ID, "tab-scores").click()
    assert "tab=scores" in browser.current_url


def test_the_scrubber_and_the_keys_move_what_is_shown(browser: webdriver.Chrome, server: str, runs: Path) -> None:
    trajectory, number = writing(runs)
    visit(browser, server, address("rules", trajectory, f"?call={number - 1}"))
    panel = browser.find_element(By.ID, "panel-database")
    assert f"After call {number - 1}" in panel.text and "still due" in panel.text
    press(browser, "]")
    assert f"call={number}" in browser.current_url and f"What call {number} changed" in panel.text
    press(browser, "[")
    assert f"call={number - 1}" in browser.current_url
    browser.execute_script(
        "const s = document.getElementById('scrubber'); s.value = 0; s.dispatchEvent(new Event('input'))"
    )
    assert "call=-1" in browser.current_url and "Before the first call" in panel.text
    press(browser, "j")
    assert "turn=0" in browser.current_url
    press(browser, "j")
    press(browser, "k")
    assert browser.find_element(By.CSS_SELECTOR, ".turn.here").get_attribute("id") == "turn-0"
    press(browser, "2")
    assert browser.find_element(By.ID, "panel-scores").is_displayed() and "turn=0" in browser.current_url
    browser.find_element(By.ID, f"call-{number}").find_element(By.TAG_NAME, "button").click()
    assert f"call={number}" in browser.current_url


def test_the_next_failure_is_the_next_in_the_run(browser: webdriver.Chrome, server: str, runs: Path) -> None:
    folder = RunFolder(runs / "random")
    scores = folder.scores()
    every = folder.trajectories()
    failed = [place for place, each in enumerate(every) if not scores[each.task.id, each.trial]["passed"]]
    visit(browser, server, address("random", every[failed[0]]))
    press(browser, "n")
    WebDriverWait(browser, 600).until(lambda b: every[failed[1]].task.id in b.current_url)
    ready(browser)
    why = browser.find_element(By.ID, "why").text
    assert why.startswith("Failed") and browser.find_element(By.ID, "result").text == "failed"
    press(browser, "p")
    WebDriverWait(browser, 600).until(lambda b: every[failed[0]].task.id in b.current_url)
    ready(browser)
    press(browser, "p")
    WebDriverWait(browser, 600).until(lambda b: "No earlier episode" in b.find_element(By.ID, "notice").text)


def test_what_an_address_names_in_vain_is_said(browser: webdriver.Chrome, server: str, runs: Path) -> None:
    trajectory, _ = writing(runs)
    visit(browser, server, address("rules", trajectory, "?turn=99&call=77&tab=nothing"))
    notice = browser.find_element(By.ID, "notice").text
    assert "no turn 99" in notice and "no call 77" in notice and "no tab nothing" in notice
    assert browser.find_element(By.ID, "panel-database").is_displayed()
    visit(browser, server, f"/compare?episode=rules/{trajectory.task.id}/0&episode=rules/retail-test-0-0009/0")
    assert "Episodes of one task are compared" in browser.find_element(By.CSS_SELECTOR, "[role=alert]").text


def test_text_in_data_is_never_html(browser: webdriver.Chrome, server: str, runs: Path) -> None:
    trajectory = RunFolder(runs / "planted").trajectories()[0]
    for tab in TABS:
        visit(browser, server, address("planted", trajectory, f"?tab={tab}"))
        assert browser.execute_script("return window.planted") is None
        said = browser.find_element(By.CSS_SELECTOR, ".conversation .say.user").text
        assert PLANTED in said and PLANTED in browser.find_element(By.CSS_SELECTOR, ".situation").text
        assert not browser.find_elements(By.CSS_SELECTOR, "main img, main script")


def test_a_reward_of_somebody_else_is_drawn_with_its_parts(browser: webdriver.Chrome, server: str, runs: Path) -> None:
    trajectory = RunFolder(runs / "planted").trajectories()[0]
    visit(browser, server, address("planted", trajectory, "?tab=scores"))
    mine = browser.find_element(By.ID, "reward-mine")
    assert [row.text.split() for row in mine.find_elements(By.TAG_NAME, "tr")] == [
        ["total", "-0.500"],
        ["tact", "-0.750"],
        ["speed", "0.250"],
    ]
    widths = [float(bar.get_attribute("width") or 0) for bar in mine.find_elements(By.CSS_SELECTOR, ".plus, .minus")]
    assert widths == pytest.approx([98 * 0.5 / 0.75, 98, 98 * 0.25 / 0.75])  # of 100, a margin of 1 on both sides


def test_a_world_that_is_not_installed_shows_what_was_recorded(
    browser: webdriver.Chrome, server: str, runs: Path
) -> None:
    trajectory = RunFolder(runs / "planted").trajectories()[1]
    for tab in TABS:
        visit(browser, server, address("planted", trajectory, f"?tab={tab}"))
        text = browser.find_element(By.ID, f"panel-{tab}").text
        assert "atlantis" in text
    visit(browser, server, address("planted", trajectory))
    assert "Why cannot be worked out here" in browser.find_element(By.ID, "why").text
    recorded = cells(browser.find_element(By.CSS_SELECTOR, "#panel-database table"))
    assert len(recorded) == len(trajectory.diff) > 0


def test_an_episode_that_broke_is_opened_from_the_list_of_failures(
    browser: webdriver.Chrome, server: str, runs: Path
) -> None:
    trajectory, number = writing(runs)
    fault = Fault(boundary="model", message="The endpoint is gone.")
    folder = RunFolder(runs / "again")
    folder.add(trajectory.model_copy(update={"trial": 7, "termination": "infrastructure_error", "fault": fault}))
    visit(browser, server, "/run/again/summary")
    browser.find_element(By.LINK_TEXT, trajectory.task.id).click()
    WebDriverWait(browser, 600).until(lambda b: b.find_elements(By.ID, "why"))
    assert "the model failed. The endpoint is gone." in browser.find_element(By.ID, "why").text
    assert browser.find_element(By.ID, "result").text == "left out"
    visit(browser, server, f"/run/again/episode/{trajectory.task.id}/7?call={number}")
    assert f"What call {number} changed" in browser.find_element(By.ID, "panel-database").text


def test_a_recording_has_its_waveform_and_what_was_heard(browser: webdriver.Chrome, server: str, runs: Path) -> None:
    trajectory = RunFolder(runs / "spoken").trajectories()[0]
    visit(browser, server, address("spoken", trajectory))
    box = browser.find_element(By.CSS_SELECTOR, ".recording")
    assert "spoken: my order one" in box.text and "heard: my odor one missed: W1" in box.text
    drawn = (
        "const host = document.querySelector('.wave > div'); return host?.shadowRoot?.querySelectorAll('canvas').length"
    )
    WebDriverWait(browser, 600).until(lambda b: b.execute_script(drawn))
    play = "const a = document.querySelector('audio'); a.preload = 'auto'; a.load(); return a.src"
    assert browser.execute_script(play).endswith("/files/spoken/audio/one.wav")
    WebDriverWait(browser, 600).until(
        lambda b: abs(b.execute_script("return document.querySelector('audio').duration || 0") - 1) < 0.01
    )


def test_runs_are_compared_with_the_tasks_that_flip(browser: webdriver.Chrome, server: str, runs: Path) -> None:
    found = compare([side(run_of(RunFolder(runs / name)), None) for name in ("rules", "random")])
    [pair] = found["comparisons"]
    visit(browser, server, "/compare?run=rules&run=random")
    page = browser.find_element(By.ID, "comparison")
    assert pair["sentence"] in page.text and "McNemar" in page.text
    clean = page.find_element(By.XPATH, ".//table[1]//tr[td[text()='clean pass']]").text
    d = pair["clean"]
    assert f"{d['value']:.3f} ({d['low']:.2f} to {d['high']:.2f})" in clean
    assert f"{d['better']} better, {d['worse']} worse" in clean
    assert len(page.find_elements(By.LINK_TEXT, "compare")) == 20 < len(pair["flips"])  # a page of them
    page.find_element(By.XPATH, ".//button[starts-with(., 'show more')]").click()
    assert len(page.find_elements(By.LINK_TEXT, "compare")) == len(pair["flips"])
    shown = "return document.querySelector('.plots').compareDocumentPosition(document.getElementById('comparison'))"
    assert browser.execute_script(shown) & 4  # pictures stand before
    Select(page.find_element(By.CSS_SELECTOR, "select")).select_by_value("better")
    better = sum(flip["difference"] > 0 for flip in pair["flips"])
    WebDriverWait(browser, 600).until(lambda b: len(b.find_elements(By.LINK_TEXT, "compare")) == better)
    assert "flips=better" in browser.current_url
    visit(browser, server, "/compare?run=rules&run=random")
    browser.find_element(By.LINK_TEXT, "compare").click()
    WebDriverWait(browser, 600).until(lambda b: b.find_elements(By.ID, "aligned"))
    assert pair["flips"][0]["task"] in browser.find_element(By.TAG_NAME, "h1").text


def test_episodes_are_aligned_on_their_calls(browser: webdriver.Chrome, server: str, runs: Path) -> None:
    task = RunFolder(runs / "rules").trajectories()[0].task.id
    here, there = (
        next(t for t in RunFolder(runs / run).trajectories() if t.task.id == task) for run in ("rules", "random")
    )
    visit(browser, server, f"/compare?episode=rules/{task}/0&episode=again/{task}/0")
    assert "All made the same calls" in browser.find_element(By.ID, "divergence").text
    assert len(browser.find_elements(By.CSS_SELECTOR, "#aligned tbody tr")) == len(here.calls)
    visit(browser, server, f"/compare?episode=rules/{task}/0&episode=random/{task}/0&episode=again/{task}/0")
    rows = browser.find_elements(By.CSS_SELECTOR, "#aligned tbody tr")
    columns: list[list[str]] = [[], [], []]
    for row in rows:
        texts = [cell.text for cell in row.find_elements(By.TAG_NAME, "td")]
        names = [text.split(" ", 1)[1].partition("(")[0] for text in texts if text != "–"]
        assert len(set(names)) == 1  # one tool in a row
        for column, text in zip(columns, texts, strict=True):
            column += [text.split(" ", 1)[1].partition("(")[0]] if text != "–" else []
    assert columns[0] == columns[2] == [record.name for record in here.calls]
    assert columns[1] == [record.name for record in there.calls]
    assert len(browser.find_elements(By.CSS_SELECTOR, "#aligned tr.first")) == 1


def test_one_file_holds_what_is_shown_and_nothing_private(
    browser: webdriver.Chrome, server: str, runs: Path, tmp_path: Path
) -> None:
    trajectory = next(t for t in RunFolder(runs / "rules").trajectories() if _mail(t))
    mail = _mail(trajectory)
    visit(browser, server, address("rules", trajectory))
    href = browser.find_element(By.ID, "export").get_attribute("href")
    assert href
    page = urllib.request.urlopen(href, timeout=600).read().decode()
    packed = page.partition('id="data">')[2].partition("</script>")[0]
    data = gzip.decompress(base64.b64decode(packed)).decode()
    assert mail not in data and "[redacted]" in data and mail in trajectory.to_line()
    (tmp_path / "one.html").write_text(page, encoding="utf-8")
    visit(browser, (tmp_path / "one.html").as_uri(), address("rules", trajectory, "?tab=scores"))
    assert trajectory.task.id in browser.find_element(By.TAG_NAME, "h1").text
    assert not browser.find_elements(By.ID, "export")
    flips = urllib.request.urlopen(f"{server}api/export?run=rules&run=random", timeout=600).read().decode()
    (tmp_path / "runs.html").write_text(flips, encoding="utf-8")
    visit(browser, (tmp_path / "runs.html").as_uri(), "")
    assert "rules is better than random" in browser.find_element(By.ID, "comparison").text
    browser.find_element(By.LINK_TEXT, "compare").click()
    WebDriverWait(browser, 600).until(lambda b: b.find_elements(By.ID, "aligned"))


def _mail(trajectory: Trajectory) -> str:
    """The mail address that a look-up showed."""
    found = (record.value.get("email") for record in trajectory.calls if isinstance(record.value, dict))
    return next((str(each) for each in found if each), "")


def test_nothing_is_wider_than_a_telephone(browser: webdriver.Chrome, server: str, runs: Path) -> None:
    trajectory, number = writing(runs)
    task = trajectory.task.id
    try:
        size = {"width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        pages = [address("rules", trajectory, f"?call={number}&tab={tab}") for tab in TABS]
        pages += ["/compare?run=rules&run=random", f"/compare?episode=rules/{task}/0&episode=random/{task}/0"]
        for each in pages:
            visit(browser, server, each)
            assert browser.execute_script("return document.documentElement.scrollWidth") <= 400, each
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_nothing_violates_level_a_or_aa(browser: webdriver.Chrome, server: str, runs: Path) -> None:
    trajectory, _ = writing(runs)
    task = trajectory.task.id
    pages = [address("random", trajectory, f"?call=2&tab={tab}") for tab in TABS]
    pages += ["/compare?run=rules&run=random", f"/compare?episode=rules/{task}/0&episode=random/{task}/0"]
    pages += ["/world/retail?tab=tools", address("spoken", RunFolder(runs / "spoken").trajectories()[0])]
    for page in pages:
        visit(browser, server, page)
        for scheme in ("light", "dark"):
            features = [{"name": "prefers-color-scheme", "value": scheme}]
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
            check_accessible(browser, (scheme, page), COLOURS if scheme == "dark" else LEVELS)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_a_world_is_browsed_and_its_tools_are_tried(browser: webdriver.Chrome, server: str) -> None:
    for tab, words in (
        ("tables", "address1"),
        ("rules", "the tool refuses"),
        ("graph", "get_order_details"),
        ("policy", "#"),
    ):
        visit(browser, server, f"/world/retail?tab={tab}")
        assert words in browser.find_element(By.ID, "panel").text
    visit(browser, server, "/world/retail?table=orders&q=pending")
    assert "of 1000" not in browser.find_element(By.ID, "rows").text
    row = browser.find_element(By.CSS_SELECTOR, "#rows tbody tr").text.split()
    visit(browser, server, "/world/retail?tab=tools")
    form = browser.find_element(By.ID, "tool-cancel_pending_order")
    form.find_element(By.TAG_NAME, "summary").click()
    form.find_element(By.NAME, "order_id").send_keys(row[0])
    reason = form.find_element(By.NAME, "reason")
    (Select(reason).select_by_index(1) if reason.tag_name == "select" else reason.send_keys("no longer needed"))
    for number in range(2):
        form.find_element(By.CSS_SELECTOR, "button").click()
        there = f"#tried .call:nth-of-type({number + 1})"
        WebDriverWait(browser, 600).until(lambda b, there=there: b.find_elements(By.CSS_SELECTOR, there))
    done, again = browser.find_elements(By.CSS_SELECTOR, "#tried .call")
    assert "pending" in done.text and "cancelled" in done.text and "refused" in again.text


def test_the_report_has_every_tab_too(browser: webdriver.Chrome, runs: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    assert main(["report", str(runs / "rules"), str(runs / "random"), "--out", str(out)]) == 0
    trajectory, number = writing(runs)
    started = time.perf_counter()
    for tab in TABS:
        visit(browser, out.as_uri(), address("rules", trajectory, f"?call={number}&tab={tab}"))
        assert len(browser.find_element(By.ID, f"panel-{tab}").text) > 100
    assert time.perf_counter() - started < 60
