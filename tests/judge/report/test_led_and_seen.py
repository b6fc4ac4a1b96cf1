"""What an episode's page shows beside words and calls: how a teacher was led, what the user saw, rows behind ids."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from chromium import COLOURS, LEVELS, check_accessible, chromium, complaints, look, needs_browser, visit
from selenium import webdriver
from selenium.webdriver.common.by import By
from viewer_process import Viewer

from toolgym.cli import main
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("viewer"), needs_browser]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("runs")
    knobs = ["--irrelevant", "0", "--missing-function", "0", "--distractors", "0"]
    assert main(["synth", "kiosk", "--count", "3", *knobs, "--out", str(root / "taught")]) == 0
    approved = ["--agent", "demonstrator", "--consent", "call", "--tasks", "10"]
    assert main(["eval", "ToolRetail-v0", *approved, "--out", str(root / "approved")]) == 0
    return root


@pytest.fixture(scope="module")
def viewer(runs: Path) -> Iterator[Viewer]:
    with Viewer(runs) as running:
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[webdriver.Chrome]:
    driver = chromium()
    yield driver
    driver.quit()


def episode(viewer: Viewer, run: str, trajectory: Trajectory, query: str = "") -> str:
    return f"{viewer.address}#/run/{run}/episode/{quote(trajectory.task.id, safe='')}/{trajectory.trial}{query}"


def texts(browser: webdriver.Chrome, selector: str) -> list[str]:
    return [each.text for each in browser.find_elements(By.CSS_SELECTOR, selector)]


def approved(runs: Path) -> Trajectory:
    """An episode in which a change of the user's own was approved and the user spoke afterwards."""
    return next(each for each in RunFolder(runs / "approved").trajectories() if any(a.approved for a in each.approvals))


def test_every_step_of_the_state_machine_leads_to_its_turn(
    browser: webdriver.Chrome, viewer: Viewer, runs: Path
) -> None:
    row = RunFolder(runs / "taught").trajectories()[0]
    steps = row.info.model_dump()["synthesis"]["transitions"]
    visit(browser, episode(viewer, "taught", row))
    shown = texts(browser, "ol.strip li")
    assert [text.removeprefix("→ ") for text in shown] == [f"{each['state']} {each['outcome']}" for each in steps]
    browser.find_elements(By.CSS_SELECTOR, "ol.strip a")[-1].click()
    last = sum(message.role == "assistant" for message in row.messages) - 1
    assert browser.find_elements(By.CSS_SELECTOR, f"#turn-{last}.here") and f"turn={last}" in browser.current_url
    assert complaints(browser) == []


def test_what_the_user_sees_stands_where_it_saw_it(browser: webdriver.Chrome, viewer: Viewer, runs: Path) -> None:
    played = approved(runs)
    visit(browser, episode(viewer, "approved", played))
    assert texts(browser, ".asked b.good") == ["Yes"] * sum(each.approved for each in played.approvals)
    seen = " ".join(texts(browser, "p.strip .tag"))
    changed = [row for row in played.diff if row.before and row.after and row.table == "orders"]
    assert seen and all(str(row.key[0]) in seen and str(row.after["status"]) in seen for row in changed if row.after)
    assert complaints(browser) == []


def test_an_id_leads_to_its_rows_as_the_session_has_them(browser: webdriver.Chrome, viewer: Viewer, runs: Path) -> None:
    played = approved(runs)
    order = next(str(each.arguments["order_id"]) for each in played.calls if "order_id" in each.arguments)
    with Session("retail", task=played.task) as session:
        for record in played.calls:
            session.call(record.name, record.arguments, by=record.by)
        model = next(each for each in session.domain.models if each.__tablename__ == "orders")
        status = session.database.get(model, order).status  # type: ignore[attr-defined]
    visit(browser, episode(viewer, "approved", played, "?tab=scores"))
    link = next(each for each in browser.find_elements(By.CSS_SELECTOR, ".say a.id") if each.text == order)
    link.click()
    assert f"row={quote(order, safe='')}" in browser.current_url
    caption, *_ = texts(browser, "#panel-database caption")
    assert caption == f"{order} at the end"
    lines = texts(browser, "#panel-database table:first-of-type tr")
    assert f"status {status}" in lines and any(line.startswith(f"orders {order}") for line in lines)
    visit(browser, episode(viewer, "approved", played, "?row=nothing"))
    assert "No row with the id nothing" in browser.find_element(By.CSS_SELECTOR, "[role=alert]").text
    assert complaints(browser) == []


@pytest.mark.parametrize("width", [390, 900, 1440])
def test_pages_fit_and_are_accessible_and_column_names_break_at_underscores(
    browser: webdriver.Chrome, viewer: Viewer, runs: Path, width: int
) -> None:
    rows = {"approved": approved(runs), "taught": RunFolder(runs / "taught").trajectories()[0]}
    for dark in (False, True):
        look(browser, width, dark=dark)
        for run, played in rows.items():
            visit(browser, episode(viewer, run, played))
            named = browser.find_elements(By.CSS_SELECTOR, "a.id")
            if named:
                visit(browser, str(named[0].get_attribute("href")))
            assert browser.execute_script("return document.documentElement.scrollWidth") <= width
            check_accessible(browser, (run, width, dark), COLOURS if dark else LEVELS)
    broken = """
      return [...document.querySelectorAll(".rows tbody th[scope=row]")].filter((cell) => {
        const parts = [...cell.childNodes].filter((node) => node.nodeType === 3);
        return parts.some((part) => { const range = document.createRange(); range.selectNodeContents(part);
          return new Set([...range.getClientRects()].map((box) => box.top)).size > 1; });
      }).map((cell) => cell.textContent)"""
    assert browser.execute_script(broken) == []
    look(browser)


def test_rows_of_a_teacher_are_a_finished_run_of_their_world(browser: webdriver.Chrome, viewer: Viewer) -> None:
    visit(browser, f"{viewer.address}#/runs?q=taught")
    row = "[...document.querySelectorAll('.grid tbody tr:not(.space) td')].map((cell) => cell.textContent)"
    assert browser.execute_script(f"return {row}")[1:4] == ["taught", "finished", "kiosk"]


@pytest.mark.parametrize("width", [390, 1000, 1440])
def test_names_of_rules_break_at_underscores_and_the_heading_is_one_line(
    browser: webdriver.Chrome, viewer: Viewer, width: int
) -> None:
    look(browser, width)
    visit(browser, f"{viewer.address}#/world/retail?tab=rules")
    broken = """
      const lines = (part) => { const range = document.createRange(); range.selectNodeContents(part);
        return range.getClientRects().length; };
      return [...document.querySelectorAll("td:first-child > code")].filter((cell) =>
        [...cell.childNodes].some((part) => lines(part) > 1)).map((cell) => cell.textContent)"""
    assert browser.execute_script(broken) == []
    heading = "[...document.querySelectorAll('body > header > *')]"
    middles = browser.execute_script(f"return {heading}.map((each) => each.offsetTop + each.offsetHeight / 2)")
    assert max(middles) - min(middles) < 10
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    look(browser)


def test_a_sites_summary_holds_nothing_private_either(runs: Path, tmp_path: Path) -> None:
    folder = RunFolder(runs / "approved")
    mail = next(fact.value for each in folder.trajectories() for fact in each.task.facts if fact.name == "email")
    summary = json.loads(folder.summary_file.read_text())
    summary["failure_messages"] = {f"The endpoint refused {mail} at once.": 1}
    folder.summary_file.write_text(json.dumps(summary))
    assert main(["view", str(runs), "--export", str(tmp_path / "site")]) == 0
    whole = "".join(gzip.decompress(each.read_bytes()).decode() for each in (tmp_path / "site" / "data").rglob("*.bin"))
    assert "The endpoint refused [redacted] at once." in whole and str(mail) not in whole
