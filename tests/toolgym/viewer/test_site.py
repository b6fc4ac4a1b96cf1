"""A static site of runs (`toolgym view --export`), served by a web server that knows nothing of toolgym."""

import gzip
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from chromium import check_accessible, complaints, look, needs_browser, until, visit
from selenium import webdriver
from selenium.webdriver.common.by import By
from viewer_process import HOSTILE

from toolgym.cli import main
from toolgym.judge.evaluation.run_folder import RunFolder

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("viewer"), needs_browser]
FOUND = "document.getElementById('count')?.textContent"


@pytest.fixture(scope="module")
def site(runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("published") / "site"
    assert main(["view", str(runs), "--export", str(place)]) == 0
    return place


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """The site below a path of a plain web server."""
    command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "-d", str(site.parent)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        port = server.stdout.readline().split("port ")[1].split()[0]
        yield f"http://127.0.0.1:{port}/site/"
        server.terminate()


def test_runs_episodes_and_deep_links(browser: webdriver.Chrome, address: str, runs: Path) -> None:
    visit(browser, address)
    names = "[...document.querySelectorAll('.grid tbody a')].map((each) => each.textContent).sort()"
    assert browser.execute_script(f"return {names}") == sorted(["good", "sweep/broken", "unscored", HOSTILE])
    task, passed = next((task, each["passed"]) for (task, _), each in RunFolder(runs / "good").scores().items())
    visit(browser, f"{address}#/run/good/episode/{task}/0?turn=1&tab=prompt")
    assert browser.find_element(By.ID, "result").text in ({"passed", "clean pass"} if passed else {"failed"})
    until(browser, "!!document.querySelector('#panel-prompt pre')")
    assert browser.find_elements(By.CSS_SELECTOR, "#turn-1.here") and not browser.find_elements(By.CLASS_NAME, "fork")
    for place in (f"#/run/{quote(HOSTILE, safe='')}", "#/runs", "#/run/good", "#/run/good/summary"):
        visit(browser, f"{address}{place}")
        check_accessible(browser, place)
    assert browser.find_elements(By.CSS_SELECTOR, "main img") == [] and "owned" not in browser.title
    assert complaints(browser) == []


def test_search_is_loaded_when_it_is_asked_for(browser: webdriver.Chrome, address: str) -> None:
    visit(browser, f"{address}#/run/good")
    until(browser, FOUND, "40 of 40")
    loaded = "performance.getEntriesByType('resource').map((each) => each.name.split('/').pop())"
    assert "texts.bin" not in browser.execute_script(f"return {loaded}")
    browser.find_element(By.ID, "search").send_keys("cancel_pending_order")
    until(browser, f"{FOUND} !== '40 of 40'")
    assert "texts.bin" in browser.execute_script(f"return {loaded}")
    assert 0 < int(browser.execute_script(f"return {FOUND}").split()[0]) < 40
    assert complaints(browser) == []


def test_runs_and_episodes_are_compared(browser: webdriver.Chrome, address: str, runs: Path) -> None:
    hostile = quote(HOSTILE, safe="")
    visit(browser, f"{address}#/compare?run=good&run={hostile}&run=unscored")
    until(browser, "document.getElementById('comparison')?.textContent.includes('p is not corrected')")
    assert "equal in clean pass" in browser.find_element(By.ID, "comparison").text
    task = next(iter(RunFolder(runs / "good").scores()))[0]
    pair = "&".join(f"episode={quote(f'{name}/{task}/0', safe='')}" for name in ("good", hostile))
    visit(browser, f"{address}#/compare?{pair}")
    until(browser, "!!document.getElementById('aligned')")
    visit(browser, f"{address}#/compare?run=good&run=nope")
    assert "no run nope" in browser.find_element(By.CSS_SELECTOR, "[role=alert]").text
    look(browser)
    assert complaints(browser) == []


def test_what_belongs_to_people_is_taken_out_and_a_foreign_folder_is_left_alone(
    site: Path, tmp_path: Path, runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played = RunFolder(runs / "good").trajectories()
    personal = {fact.value for each in played for fact in each.task.facts if fact.name == "email"}
    whole = "".join(gzip.decompress(each.read_bytes()).decode() for each in (site / "data").rglob("*.bin"))
    assert len(personal) > 5 and not [value for value in personal if str(value) in whole]
    page = (site / "index.html").read_text(encoding="utf-8")
    assert "Content-Security-Policy" in page and "default-src 'none'" in page
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.tex").write_text("x", encoding="utf-8")
    assert main(["view", str(runs), "--export", str(tmp_path / "thesis")]) == 2
    assert "holds something that is no site" in capsys.readouterr().err
    shutil.copytree(site, tmp_path / "again")
    alone = tmp_path / "runs"
    shutil.copytree(runs / "good", alone / "good")
    assert main(["view", str(alone), "--export", str(tmp_path / "again")]) == 0
    listed = json.loads(gzip.decompress((tmp_path / "again" / "data" / "runs.bin").read_bytes()))
    assert [each["id"] for each in listed["runs"]] == ["good"] and not (tmp_path / "again" / "data" / "1").exists()
