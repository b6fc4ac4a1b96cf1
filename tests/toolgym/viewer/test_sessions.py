"""Sessions of a `toolgym serve` in the page: the list, calls as they come, and what is said where there are none."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import httpx2
import pytest
from chromium import complaints, needs_browser, until, visit
from selenium import webdriver
from selenium.webdriver.common.by import By
from toolgym_server import Running
from viewer_process import Viewer

from toolgym.cli import main
from toolgym.sandbox.kit.errors import ToolgymError
from toolgym.viewer.sessions import SessionServer

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("viewer")]
TOKEN = "the-token-of-this-server"
WITH_TOKEN = {"headers": {"authorization": f"Bearer {TOKEN}"}}
CALLS = "[...document.querySelectorAll('#calls .call')].map((each) => each.querySelector('.code').textContent)"
ALERT = "document.querySelector('[role=alert]')?.textContent"


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("watched")
    with Running(folder, "--watch", "--max-sessions", "2", TOOLGYM_TOKEN=TOKEN) as running:
        yield running


def opened(server: Running, **asked: object) -> str:
    answer = server.request("POST", "/sessions", json=asked, **WITH_TOKEN)
    assert answer.status_code == 201, answer.text
    return f"/sessions/{answer.json()['id']}"


def called(server: Running, session: str, name: str, **arguments: str) -> None:
    answer = server.request("POST", f"{session}/call", json={"name": name, "arguments": arguments}, **WITH_TOKEN)
    assert answer.status_code in (200, 409), answer.text


def number_of(server: SessionServer) -> int:
    return int(server.listed()["sessions"][0]["number"])


def test_a_session_is_told_without_its_id_and_with_the_rows_of_each_call(watched: Running) -> None:
    server, session = SessionServer(watched.url, TOKEN), opened(watched, domain="kiosk", task="kiosk-4")
    called(watched, session, "list_free_seats", evening="Friday")
    called(watched, session, "reserve_ticket", ticket_id="T102", holder="Greta Olsen")
    called(watched, session, "reserve_ticket", ticket_id="T102", holder="Ada Moreau")
    number = number_of(server)
    told = server.replayed(number)
    assert [(call["name"], call["ok"], call["unlike"]) for call in told.entries] == [
        ("list_free_seats", True, False),
        ("reserve_ticket", True, False),
        ("reserve_ticket", False, False),
    ]
    [change] = told.entries[1]["changes"]
    assert change["table"] == "tickets" and ["holder", None, "Greta Olsen"] in change["cells"]
    assert told.entries[0]["changes"] == told.entries[2]["changes"] == []
    told_raw = watched.request("GET", f"/watch/{number}", **WITH_TOKEN).text
    listed = watched.request("GET", "/watch", **WITH_TOKEN).text
    assert session.rpartition("/")[2] not in told_raw + listed
    assert watched.request("POST", f"{session}/rollback", json={"calls": 1}, **WITH_TOKEN).status_code == 200
    called(watched, session, "reserve_ticket", ticket_id="T103", holder="Ada Moreau")
    told = server.replayed(number)
    assert [call["arguments"].get("ticket_id") for call in told.entries] == [None, "T103"]
    assert ["holder", None, "Ada Moreau"] in told.entries[1]["changes"][0]["cells"]
    watched.request("DELETE", session, **WITH_TOKEN)
    assert server.replayed(number).about["reason"] == "closed"


def test_what_keeps_it_from_being_watched_is_one_sentence(watched: Running) -> None:
    def said(url: str, token: str | None) -> str:
        with pytest.raises(ToolgymError) as caught:
            SessionServer(url, token).listed()
        return str(caught.value)

    for token in (None, "another-token-than-that"):
        assert "refuses this client" in said(watched.url, token) and "TOOLGYM_TOKEN" in said(watched.url, token)
    assert TOKEN not in said(watched.url, "another-token-than-that")
    assert "cannot be reached" in said("http://127.0.0.1:9", TOKEN)
    with pytest.raises(ToolgymError, match="no session of that number"):
        SessionServer(watched.url, TOKEN).replayed(999)
    assert watched.request("GET", "/watch").status_code == 401
    assert watched.request("GET", "/watch", headers={"origin": "http://a.example"}).status_code == 403


SESSION = {
    "number": 1,
    "domain": "kiosk",
    "data": "own",
    "task": None,
    "seed": 0,
    "now": "2026-01-01T00:00:00",
    "events": 1,
    "created": "2026-01-01T00:00:00Z",
    "expires": "2026-01-02T00:00:00Z",
    "ended": None,
    "reason": None,
}
LOG = {"session": SESSION, "origin": None, "more": True}
CALL = {"position": 1, "kind": "rollback", "kept": 0}


@pytest.mark.parametrize(
    "told", [LOG | {"events": []}, LOG | {"events": [CALL]}, LOG, [1], LOG | {"events": [{"position": "a"}]}]
)
def test_a_server_that_tells_the_same_for_ever_or_in_another_form_is_one_sentence(told: object) -> None:
    asked = []

    class Strange(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            body = json.dumps(told).encode()
            self.send_response(200 if len(asked) < 30 else 500)  # or the test would never end
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *words: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Strange) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with pytest.raises(ToolgymError, match="is no `toolgym serve --watch` of this version"):
            SessionServer(f"http://127.0.0.1:{server.server_port}", None).replayed(1)
        server.shutdown()
    assert len(asked) < 3


def test_an_address_that_is_none_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["view", str(tmp_path), "--server", "over there"]) == 2
    assert "must begin with http://" in capsys.readouterr().err


@needs_browser
def test_a_session_is_watched_call_by_call(
    browser: webdriver.Chrome, watched: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOOLGYM_TOKEN", TOKEN)
    (tmp_path / "runs").mkdir()
    server, before = watched, len(SessionServer(watched.url, TOKEN).listed()["sessions"])
    with Viewer(tmp_path / "runs", "--server", server.url) as viewer:
        visit(browser, viewer.address)
        browser.find_element(By.LINK_TEXT, "Sessions").click()
        until(browser, "document.body.textContent.includes('0 open of 2')")
        session = opened(server, domain="kiosk", task="kiosk-4")
        number = str(before + 1)
        until(browser, "document.querySelector('.grid tbody a')?.textContent", number)
        assert "kiosk-4" in browser.find_element(By.CSS_SELECTOR, ".grid tbody").text
        opened(server, domain="retail")
        until(browser, f"{ALERT}?.includes('As many sessions are open as this server keeps (2)')")
        visit(browser, f"{viewer.address}#/session/{number}")
        until(browser, "document.body.textContent.includes('No call has been made yet')")
        called(server, session, "list_free_seats", evening="Friday")
        assert until(browser, CALLS, ["0 list_free_seats(evening: Friday)"]) < 2
        called(server, session, "reserve_ticket", ticket_id="T102", holder="<b>Greta</b>")
        until(browser, f"{CALLS}.length", 2)
        changed = browser.find_element(By.CSS_SELECTOR, "#calls table").text
        assert "tickets T102" in changed and "holder" in changed and "<b>Greta</b>" in changed
        server.request("POST", f"{session}/rollback", json={"calls": 1}, **WITH_TOKEN)
        until(browser, f"{CALLS}.length", 1)
        server.request("DELETE", session, **WITH_TOKEN)
        until(browser, "document.querySelector('.facts b').textContent", "closed")
        assert TOKEN not in browser.page_source and TOKEN not in browser.current_url
        assert TOKEN not in httpx2.get(viewer.address, timeout=600).text
        visit(browser, f"{viewer.address}#/session/77")
        until(browser, f"{ALERT}?.includes('no session of that number')")
        assert complaints(browser) == []
        visit(browser, f"{viewer.address}#/sessions")
        until(browser, "document.querySelectorAll('.grid tbody a').length", before + 2)
        server.stop()  # the last test with it
        until(browser, f"{ALERT}?.includes('cannot be reached')")
        assert browser.execute_script("return document.querySelectorAll('.grid tbody a').length") == before + 2
    complaints(browser)
    assert not any(TOKEN in file.read_text("utf-8") for file in (tmp_path / "runs").rglob("*") if file.is_file())
