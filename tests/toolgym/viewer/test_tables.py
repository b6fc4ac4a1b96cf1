"""What other commands write into the folder is found and shown: the numbers of their files, sorted, searched, drawn."""

import json
import shutil
from pathlib import Path

import pytest
from chromium import complaints, needs_browser, until, visit
from fastapi.testclient import TestClient
from selenium import webdriver
from selenium.webdriver.common.by import By
from viewer_process import Viewer

from toolgym.cli import main
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.viewer.server import application

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("viewer")]
HOSTILE = "<h6>hostile</h6>"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which every command that writes a table was run, on the smallest world."""
    root = tmp_path_factory.mktemp("written")
    tasks = ["--tasks", "6", "--agent", "rules"]
    assert main(["eval", "kiosk", *tasks, "--out", str(root / "usual")]) == 0
    assert main(["eval", "kiosk", *tasks, "--perturb", "format,order", "--out", str(root / "deep" / "perturbed")]) == 0
    shown = ["--exploiter", "silent", "gold-mute", "--tasks", "3", "--out", str(root / "redteam")]
    assert main(["redteam", "kiosk", *shown]) in (0, 1)
    assert (
        main(["users", "audit", f"{HOSTILE}={root / 'usual'}", str(root / "usual"), "--out", str(root / "audit")]) == 0
    )
    return root


@pytest.fixture(scope="module")
def client(written: Path) -> TestClient:
    return TestClient(application(written), base_url="http://127.0.0.1")


def test_every_table_is_found_with_its_worlds(client: TestClient) -> None:
    found = {each["id"]: each["worlds"] for each in client.get("/api/tables").json()["tables"]}
    assert found == {"audit/users.json": [], "redteam/redteam.json": ["kiosk"], "robustness": ["kiosk"]}


def test_the_numbers_are_those_of_the_files(client: TestClient, written: Path) -> None:
    [board] = json.loads((written / "redteam" / "redteam.json").read_text(encoding="utf-8"))
    rows = {row["name"]: row for row in client.get("/api/table", params={"id": "redteam/redteam.json"}).json()["rows"]}
    lines = [*board["baselines"], *board["exploiters"]]
    assert {name: (row["clean"], row["reward.tarl"]) for name, row in rows.items()} == {
        line["name"]: (line["clean"], line["rewards"]["tarl"]) for line in lines
    }
    assert [rows[name]["holds"] for name in ("oracle", "silent")] == [None, "yes"]
    summary = json.loads(RunFolder(written / "deep" / "perturbed").summary_file.read_text(encoding="utf-8"))
    table = client.get("/api/table", params={"id": "robustness"}).json()
    assert [row["perturbation"] for row in table["rows"]] == ["order", "format", "all together"]
    for row, told in zip(table["rows"], summary["robustness"]["rows"], strict=True):
        assert row["run"] == "deep/perturbed" and row["pass"] == told["pass"]
        assert row["clean_difference"] == told["clean_difference"]
    audited = json.loads((written / "audit" / "users.json").read_text(encoding="utf-8"))
    rows = {row["name"]: row for row in client.get("/api/table", params={"id": "audit/users.json"}).json()["rows"]}
    assert rows["passed"]["group.usual"] == audited["groups"][1]["measures"]["passed"]
    assert rows["polite"]["group.usual"] == audited["groups"][1]["style"]["polite"]


def test_depth_is_one_table_of_all_runs_that_have_it(written: Path, tmp_path: Path) -> None:
    row = {"tasks": 3, "pass": 0.5, "low": 0.25, "high": 0.75, "first_rows": None, "request_alone": 1.0}
    for name in ("a", "b"):
        shutil.copytree(written / "usual", tmp_path / name)
        file = RunFolder(tmp_path / name).summary_file
        parts = {"depth": {"0": row, "2": row}, "structure": {"chain": row}, "world": {"kiosk": row}}
        file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | {"by_depth": parts}), encoding="utf-8")
    told = TestClient(application(tmp_path), base_url="http://127.0.0.1").get("/api/table?id=by_depth").json()
    assert [(each["run"], each["by"], each["group"]) for each in told["rows"]][:3] == [
        ("a", "depth", "0"),
        ("a", "depth", "2"),
        ("a", "structure", "chain"),
    ]
    assert len(told["rows"]) == 8 and told["rows"][0]["pass"] == [0.5, 0.25, 0.75]
    assert [run["name"] for run in told["pictures"][0]["runs"]] == ["a", "b"]


def test_a_file_that_is_none_is_said_and_hides_no_other(written: Path, tmp_path: Path) -> None:
    client = TestClient(application(tmp_path), base_url="http://127.0.0.1")
    assert client.get("/api/tables").json() == {"tables": []}
    for content in ("{", "[3]", '{"groups": 3}'):
        (tmp_path / "redteam.json").write_text(content, encoding="utf-8")
        (tmp_path / "users.json").write_text(content, encoding="utf-8")
        for name in ("redteam.json", "users.json"):
            answer = client.get("/api/table", params={"id": name})
            assert answer.status_code == 404 and name in answer.json()["detail"]
        assert len(client.get("/api/tables").json()["tables"]) == 2
    assert client.get("/api/table?id=../usual/summary.json").status_code == 404
    assert client.get("/api/table?id=robustness").status_code == 404


@needs_browser
def test_tables_are_reached_sorted_and_drawn(browser: webdriver.Chrome, written: Path) -> None:
    names = (
        "[...document.querySelectorAll('.grid tbody tr:not(.space) td:first-child')].map((each) => each.textContent)"
    )
    with Viewer(written) as viewer:
        visit(browser, viewer.address)
        browser.find_element(By.LINK_TEXT, "tables").click()
        until(browser, "document.querySelector('h1')?.textContent", "Tables")
        browser.find_element(By.LINK_TEXT, "Robustness").click()
        until(browser, "document.querySelectorAll('figure svg rect').length", 6)
        assert browser.find_element(By.CSS_SELECTOR, "figure svg").get_attribute("aria-label")
        visit(browser, f"{viewer.address}#/world/kiosk")
        until(browser, "document.body.textContent.includes('What exploiters reach (redteam/redteam.json)')")
        browser.find_element(By.PARTIAL_LINK_TEXT, "What exploiters reach").click()
        until(browser, f"{names}.length", 7)
        browser.find_element(By.XPATH, "//thead//button[contains(., 'tarl reward')]").click()
        until(browser, "location.hash.includes('sort=-reward.tarl')")
        assert browser.execute_script(f"return {names}")[-1] in {"silent", "inert", "reckless"}
        visit(browser, f"{viewer.address}#/table/audit%2Fusers.json?q=passed")
        assert HOSTILE in browser.find_element(By.TAG_NAME, "main").text
        assert browser.find_elements(By.CSS_SELECTOR, "main h6") == []
        assert complaints(browser) == []
