"""Worlds as pages: rows as they are, tools tried on a session that nobody keeps, rules and edges as declared."""

from pathlib import Path

import pytest
from chromium import complaints, needs_browser, until, visit
from selenium import webdriver
from selenium.webdriver.common.by import By
from starlette.testclient import TestClient
from viewer_process import Viewer

from toolgym.sandbox.runtime.registry import get_domain, names
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.graph import cache
from toolgym.sandbox.synthesis.graph.declared import declared_links
from toolgym.viewer.server import application


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> TestClient:
    return TestClient(application(tmp_path_factory.mktemp("runs")), base_url="http://127.0.0.1")


@pytest.mark.slow
def test_every_installed_world_is_listed_and_opens(client: TestClient) -> None:
    listed = client.get("/api/worlds").json()["worlds"]
    assert [world["name"] for world in listed] == names("domains")
    for world in listed:
        domain, about = get_domain(world["name"]), client.get("/api/world", params={"name": world["name"]}).json()
        assert {table["name"] for table in about["tables"]} == {model.__tablename__ for model in domain.models}
        assert [rule["sentence"] for rule in about["rules"]] == [rule.sentence for rule in domain.rules]
        assert {tuple(link) for link in about["links"]} == declared_links(domain)
        assert len(about["tools"]) == len(domain.tools) + len(domain.user_tools)


def test_rows_are_paged_and_searched(client: TestClient) -> None:
    asked = {"name": "retail", "table": "orders"}
    first, second = (client.get("/api/rows", params=asked | {"page": page}).json() for page in (0, 1))
    assert len(first["rows"]) == len(second["rows"]) == first["size"] and first["rows"][-1] < second["rows"][0]
    found = client.get("/api/rows", params=asked | {"q": "CANCELLED"}).json()
    status = found["columns"].index("status")
    assert 0 < found["total"] < first["total"] and all("cancelled" in row[status] for row in found["rows"])
    assert client.get("/api/rows", params=asked | {"q": "' OR 1=1 --"}).json()["total"] == 0
    refused = client.get("/api/rows", params=asked | {"table": 'orders"; DROP TABLE orders'})
    assert refused.status_code == 404 and "There is no table" in refused.json()["detail"]


def test_tools_are_tried_on_a_session_that_nobody_keeps(client: TestClient) -> None:
    task = next(t for t in get_domain("retail").tasks("test", "own") if t.gold[-1].name == "cancel_pending_order")
    calls = [{"name": call.name, "arguments": call.arguments} for call in task.gold]
    origin = {"origin": "http://127.0.0.1"}
    with Session("retail") as session:
        for call in task.gold:
            result = session.call(call.name, call.arguments)
        diff = session.diff()
    for _ in range(2):  # the second time as the first: nothing was kept
        answer = client.post("/api/scratch", params={"name": "retail"}, json={"calls": calls}, headers=origin)
        *_, last = answer.json()["calls"]
        assert last["ok"] and last["text"] == result.text
        assert {(row["table"], tuple(row["key"])) for row in last["changes"]} == {(row.table, row.key) for row in diff}
    again = client.post("/api/scratch", params={"name": "retail"}, json={"calls": [*calls, calls[-1]]}, headers=origin)
    assert not again.json()["calls"][-1]["ok"]
    strange = client.post(
        "/api/scratch", params={"name": "retail"}, json={"calls": calls}, headers={"origin": "http://a.example"}
    )
    assert strange.status_code == 403


def test_a_world_that_is_not_there_is_refused_in_a_sentence(client: TestClient) -> None:
    answer = client.get("/api/world", params={"name": "retial"})
    assert answer.status_code == 404 and "retail" in answer.json()["detail"]


@pytest.mark.slow
def test_both_sides_of_a_rules_edge_are_pairs_of_stored_tasks(client: TestClient) -> None:
    told = client.get("/api/edges", params={"name": "banking"}).json()["edges"]
    rules = {rule.name for rule in get_domain("banking").rules}
    assert told and {each["rule"] for each in told} <= rules
    for each in told:
        tasks = {task.id: task for task in get_domain("banking").tasks(each["split"], each["data"])}
        pairs = {task.metadata["pair"] for task in tasks.values() if task.metadata.get("rule") == each["rule"]}
        assert 0 < len(each["shown"]) <= each["pairs"] <= len(pairs)
        for sides in each["shown"]:
            assert sorted(side["allowed"] for side in sides) == [False, True]
            assert len({tasks[side["task"]].metadata["pair"] for side in sides}) == 1
    assert client.get("/api/edges", params={"name": "kiosk"}).json() == {"edges": []}


@pytest.mark.slow
@pytest.mark.xdist_group("viewer")
@needs_browser
def test_a_graph_is_measured_at_a_click_and_kept(
    browser: webdriver.Chrome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    domain = get_domain("kiosk")
    measured = "document.getElementById('measured').textContent"
    with Viewer(tmp_path) as viewer:
        visit(browser, f"{viewer.address}#/world/kiosk?tab=graph")
        until(browser, f"{measured}.includes('has not been measured')")
        browser.find_element(By.CSS_SELECTOR, "#measured button").click()
        until(browser, f"{measured}.includes('live calls in')")
        graph = cache.find(cache.digest(domain, "own", 0))
        assert graph is not None
        rows = browser.find_elements(By.CSS_SELECTOR, "#measured tbody tr")
        ends = {tuple(cell.text for cell in row.find_elements(By.TAG_NAME, "td")[:2]) for row in rows}
        assert ends == {(edge.source, edge.target) for edge in graph.edges if not edge.echo}
        visit(browser, f"{viewer.address}#/world/kiosk?tab=graph")
        until(browser, f"{measured}.includes('live calls in')")  # from the cache
        visit(browser, f"{viewer.address}#/world/banking?tab=rules")
        until(browser, "document.querySelectorAll('#edges details').length > 0")
        assert complaints(browser) == []


def test_measuring_is_refused_from_elsewhere(client: TestClient) -> None:
    answer = client.post("/api/graph", params={"name": "kiosk"}, headers={"origin": "http://a.example"})
    assert answer.status_code == 403
