"""The report in a real browser: conversations open, the filter works, a link leads to its turn, nothing complains."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from chromium import chromium, needs_browser
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from toolgym.cli import main
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.sandbox.agents import oracle
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.kit.task import write_tasks
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.generator import Cell, Generator
from toolgym.sandbox.synthesis.program import program_of
from toolgym.sandbox.users.traits import USUAL


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    path = tmp_path_factory.mktemp("runs") / "report"
    assert main(["eval", "ToolRetail-v0", "--agent", "rules", "--tasks", "40", "--out", str(path)]) == 0
    return RunFolder(path)


@pytest.fixture(scope="module")
def browser() -> Iterator[webdriver.Chrome]:
    driver = chromium(size="1280,1400")
    yield driver
    driver.quit()


def open_page(browser: webdriver.Chrome, run: RunFolder, anchor: str = "") -> None:
    browser.get("about:blank")
    browser.get(run.report_file.as_uri() + (f"#{anchor}" if anchor else ""))
    WebDriverWait(browser, 600).until(lambda b: b.find_element(By.TAG_NAME, "body").get_attribute("data-ready"))


def test_a_run_without_scores_says_what_to_do(
    tmp_path: Path, run: RunFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(run.trajectories_file, tmp_path)
    shutil.copy(run.settings_file, tmp_path)
    assert main(["report", str(tmp_path)]) == 2
    assert "toolgym judge" in capsys.readouterr().err


def test_the_page_is_self_contained(run: RunFolder) -> None:
    page = run.report_file.read_text(encoding="utf-8")
    assert "http://" not in page and "https://" not in page and "src=" not in page and 'rel="stylesheet"' not in page
    modules = json.loads(page.partition('<script type="importmap">')[2].partition("</script>")[0])["imports"].values()
    assert modules and all(module.startswith("data:text/javascript;base64,") for module in modules)


@needs_browser
@pytest.mark.slow
def test_conversations_open_and_the_filter_works(browser: webdriver.Chrome, run: RunFolder) -> None:
    open_page(browser, run)
    count = browser.find_element(By.ID, "count")
    assert count.text == "40 of 40"
    browser.find_element(By.ID, "search").send_keys("cancel_pending_order")
    WebDriverWait(browser, 600).until(lambda b: count.text != "40 of 40")
    found = int(count.text.split()[0])
    assert 0 < found < 40 and len(browser.find_elements(By.CSS_SELECTOR, ".grid tbody a")) == found
    assert "q=cancel_pending_order" in browser.current_url
    browser.find_element(By.CSS_SELECTOR, ".grid tbody a").click()
    WebDriverWait(browser, 600).until(lambda b: b.find_elements(By.CSS_SELECTOR, ".turn"))
    assert browser.find_elements(By.CSS_SELECTOR, ".say.user") and browser.find_elements(By.CSS_SELECTOR, ".call")
    browser.find_element(By.ID, "theme").click()
    assert browser.find_element(By.TAG_NAME, "html").get_attribute("data-theme") in {"dark", "light"}
    assert [entry for entry in browser.get_log("browser") if entry["level"] in {"SEVERE", "WARNING"}] == []


@needs_browser
@pytest.mark.slow
def test_a_link_leads_to_a_turn(browser: webdriver.Chrome, run: RunFolder) -> None:
    task = run.trajectories()[-1].task.id
    for anchor in (f"/run/{run.path.name}/episode/{quote(task)}/0?turn=1", f"{run.path.name}/{task}/0/turn-1"):
        open_page(browser, run, anchor)
        turn = browser.find_element(By.ID, "turn-1")
        top = browser.execute_script("return arguments[0].getBoundingClientRect().top", turn)
        assert turn.is_displayed() and -5 <= top < 1400
    open_page(browser, run, f"/run/{run.path.name}/episode/no-such-task/0")
    assert "no episode no-such-task" in browser.find_element(By.CSS_SELECTOR, "[role=alert]").text


@needs_browser
@pytest.mark.slow
def test_a_program_is_drawn_as_a_graph_with_what_was_refused_in_red(
    browser: webdriver.Chrome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cell = Cell(depth=(2, 2), interaction="program")
    task = next(task for task in Generator(get_domain("banking"), seed=4, cell=cell).tasks(40) if task.answer)
    write_tasks(tmp_path / "p.jsonl", [task])
    gold = program_of(task)
    strange = ToolCall(name="get_account", arguments={"account_id": "A-1"})
    faulty = gold.model_copy(update={"tool_calls": (*gold.tool_calls, strange, strange)})
    monkeypatch.setattr(oracle, "program_of", lambda task: faulty)
    command = ["eval", "banking", "--data", f"own:{tmp_path / 'p.jsonl'}", "--split", "train", "--program"]
    assert main([*command, "--agent", "oracle", "--out", str(tmp_path / "run")]) == 0
    open_page(browser, RunFolder(tmp_path / "run"))
    browser.find_element(By.CSS_SELECTOR, ".grid tbody a").click()
    WebDriverWait(browser, 600).until(lambda b: b.find_elements(By.ID, "tab-graph"))[0].click()
    WebDriverWait(browser, 600).until(lambda b: b.find_elements(By.CSS_SELECTOR, ".program svg"))
    nodes = browser.find_elements(By.CSS_SELECTOR, ".program .node")
    states = [node.get_attribute("class").split()[1] for node in nodes]
    assert states == ["made"] * len(gold.tool_calls) + ["refused", "unmade"]
    edges = [edge.get_attribute("data-from") for edge in browser.find_elements(By.CSS_SELECTOR, ".program .edge")]
    assert edges == ["0"]
    red = nodes[-2].find_element(By.TAG_NAME, "rect").get_attribute("stroke")
    assert red == "var(--bad)" and "A-1" in browser.find_element(By.CSS_SELECTOR, ".program figcaption").text
    assert [entry for entry in browser.get_log("browser") if entry["level"] in {"SEVERE", "WARNING"}] == []


def test_no_run_is_no_report() -> None:
    from toolgym.judge import report

    with pytest.raises(BadInput, match="at least one"):
        report.build([])


@needs_browser
@pytest.mark.slow
def test_success_by_the_users_traits_is_shown(tmp_path: Path, browser: webdriver.Chrome) -> None:
    players = ["--agent", "oracle", "--user-options", "style=mixed"]
    assert main(["eval", "kiosk", *players, "--trials", "3", "--out", str(tmp_path / "mixed")]) == 0
    open_page(browser, RunFolder(tmp_path / "mixed"), "/run/mixed/summary")
    heading = next(each for each in browser.find_elements(By.TAG_NAME, "h3") if "the user's traits" in each.text)
    rows = heading.find_elements(By.XPATH, "following::table[1]//tbody/tr")
    assert {row.text.split()[0] for row in rows} <= {*USUAL} and rows


@needs_browser
@pytest.mark.slow
def test_two_runs_are_compared_in_words_or_the_reason_is_shown(
    browser: webdriver.Chrome, run: RunFolder, tmp_path: Path
) -> None:
    assert main(["eval", "ToolRetail-v0", "--agent", "inert", "--tasks", "40", "--out", str(tmp_path / "idle")]) == 0
    assert main(["eval", "kiosk", "--out", str(tmp_path / "kiosk")]) == 0
    for other, words in (("idle", "report is better than idle by"), ("kiosk", "have no task in common")):
        page = RunFolder(tmp_path / other)
        assert main(["report", str(run.path), str(page.path), "--out", str(page.report_file)]) == 0
        open_page(browser, page)
        assert words in browser.find_element(By.ID, "comparison").text
        assert [entry for entry in browser.get_log("browser") if entry["level"] in {"SEVERE", "WARNING"}] == []
