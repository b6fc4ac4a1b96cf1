"""Who is let in, how much they may ask, what the logs say, and how the server ends."""

import json
import socket
import threading
import time
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from toolgym_server import Running

from toolgym.cli import main
from toolgym.sandbox.server.body import MAX_DEPTH, too_deep

TOKEN = "a-token-of-some-length"
LIMITS = ("--max-body", "2000", "--max-result", "3000", "--max-calls", "20", "--calls-per-second", "8")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A server with a token, small limits and talkative logs."""
    folder = tmp_path_factory.mktemp("guarded")
    with Running(folder, "--host", "0.0.0.0", "--log-level", "info", *LIMITS, TOOLGYM_TOKEN=TOKEN) as running:
        running.url = running.url.replace("0.0.0.0", "127.0.0.1")
        yield running


@pytest.fixture
def inside(guarded: Running) -> Any:
    """A client with the token."""
    with guarded.client(authorization=f"Bearer {TOKEN}") as client:
        yield client


def opened(client: httpx2.Client) -> str:
    return f"/sessions/{client.post('/sessions', json={'domain': 'workshop'}).json()['id']}"


def code(answer: httpx2.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


@pytest.mark.parametrize("sent", [{}, {"authorization": "Bearer wrong"}, {"authorization": TOKEN}])
def test_without_the_token_nothing_opens(guarded: Running, inside: httpx2.Client, sent: dict[str, str]) -> None:
    path = opened(inside)
    with guarded.client(**sent) as outside:
        for method, address in [
            ("GET", "/domains"),
            ("POST", "/sessions"),
            ("GET", path),
            ("POST", f"{path}/workshop/list_stock"),
            ("POST", f"{path}/mcp"),
            ("GET", "/metrics"),
            ("GET", "/nothing"),
        ]:
            answer = outside.request(method, address)
            assert code(answer) == (401, "unauthorized") and answer.headers["www-authenticate"] == "Bearer"
        assert outside.get("/healthz").status_code == outside.get("/readyz").status_code == 200


async def test_an_mcp_client_sends_the_token_as_a_header(guarded: Running, inside: httpx2.Client) -> None:
    address = f"{guarded.url}{opened(inside)}/mcp"
    async with (
        httpx2.AsyncClient(headers={"authorization": f"Bearer {TOKEN}"}, timeout=600) as http,
        Client(streamable_http_client(address, http_client=http)) as mcp,
    ):
        assert not (await mcp.call_tool("list_stock", {})).is_error


def test_limits(inside: httpx2.Client) -> None:
    path = opened(inside)
    assert code(inside.post(f"{path}/call", json={"name": "x" * 3000})) == (413, "body_too_large")
    chunks = (b" " * 500 for _ in range(10))
    assert code(inside.post("/sessions", content=chunks)) == (413, "body_too_large")
    assert code(inside.post(f"{path}/workshop/print_catalogue", json={"pages": 4})) == (413, "result_too_large")
    deep = "[" * 70 + "]" * 70
    assert code(inside.post(f"{path}/call", content=deep)) == (400, "too_deep")
    assert code(inside.post("/sessions", content=deep)) == (400, "too_deep")
    while (answer := inside.post(f"{path}/workshop/list_stock", json={})).status_code == 200:
        pass
    assert code(answer) == (429, "too_fast") and "retry-after" in answer.headers
    for _ in range(60):
        answer = inside.post(f"{path}/workshop/list_stock", json={})
        if answer.status_code == 429 and code(answer)[1] == "too_many_calls":
            break
        time.sleep(0.2)
    assert code(answer) == (429, "too_many_calls") and inside.get(path).json()["calls"] == 20


def test_the_logs_hold_no_secrets(guarded: Running, inside: httpx2.Client) -> None:
    path = opened(inside)
    inside.post(f"{path}/call?token=hidden", json={"name": "drop_everything", "arguments": {"word": "confidential"}})
    inside.post(f"{path}/workshop/drop_everything", json={})
    inside.get("/nowhere")
    guarded.wait_for('"path": "/{...}"')
    text = "".join(guarded.errors)
    for secret in (TOKEN, path.split("/")[2], "confidential", "hidden", "a secret of the workshop"):
        assert secret not in text
    lines = [json.loads(line) for line in guarded.errors[1:]]
    assert any(line["message"] == "request" and line["path"] == "/sessions/{id}/call" for line in lines)
    broken = next(line for line in lines if line["message"] == "a request failed")
    assert broken["error"] == "InfrastructureError from ZeroDivisionError"
    assert "workshop_domain.py" in broken["trace"][-1]


def test_other_names_and_other_sites_are_turned_away(server: Running, http: httpx2.Client) -> None:
    assert code(http.get("/domains", headers={"host": "evil.example"})) == (421, "wrong_host")
    assert code(http.get("/domains", headers={"origin": "http://evil.example"})) == (403, "wrong_origin")
    path = server.open()
    for headers in ({"host": "evil.example:80"}, {"origin": "http://evil.example"}, {"origin": "null"}):
        assert http.post(f"{path}/mcp", json={}, headers=headers).status_code in (403, 421)
        assert http.post(f"{path}/workshop/list_stock", json={}, headers=headers).status_code in (403, 421)
    assert http.get("/domains", headers={"origin": server.url}).status_code == 200
    preflight = http.options("/sessions", headers={"origin": server.url, "access-control-request-method": "POST"})
    assert not [name for name in preflight.headers if name.startswith("access-control")]


def test_ids_cannot_be_guessed(server: Running) -> None:
    ids = {server.open().split("/")[2] for _ in range(20)}
    assert len(ids) == 20 and {len(identifier) for identifier in ids} == {32}


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--host", "0.0.0.0"], "set TOOLGYM_TOKEN, or say --insecure"),
        (["--token", "short"], "at least 16 characters"),
        (["--workers", "0"], "--workers"),
        (["--durability", "luck"], "--durability"),
        (["--config", "nowhere.toml"], "no settings file"),
    ],
)
def test_settings_that_do_not_fit(flags: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        status = main(["serve", *flags])
    except SystemExit as left:
        status = int(left.code or 0)
    assert status == 2 and said in capsys.readouterr().err


def test_a_port_in_use_and_a_folder_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert main(["serve", "--port", port, "--data-dir", str(tmp_path)]) == 2
        assert f"Cannot listen on 127.0.0.1:{port}" in capsys.readouterr().err
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert main(["serve", "--port", "0", "--data-dir", str(tmp_path / "file")]) == 2
    assert "file" in capsys.readouterr().err


def test_it_finishes_calls_in_flight_before_it_ends(folder: Path) -> None:
    glue, answers = folder / "glue", list[httpx2.Response]()
    (folder / "serve.toml").write_text('log-level = "error"\nmax_sessions = 5\n', encoding="utf-8")
    with Running(folder, "--config", str(folder / "serve.toml"), GLUE=str(glue)) as running:
        path = running.open()

        def wait() -> None:
            with running.client() as http:
                answers.append(http.post(f"{path}/workshop/wait_for_glue", json={"seconds": 1.0}))

        caller = threading.Thread(target=wait)
        caller.start()
        while not glue.exists():
            time.sleep(0.01)
        assert running.stop() == 0
        caller.join()
    assert answers[0].json() == {"ok": True, "value": "dry"}


def test_nesting_is_counted_outside_strings() -> None:
    assert too_deep(b"[" * (MAX_DEPTH + 1))
    assert not too_deep(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH)
    assert not too_deep(json.dumps(["[" * 1000, '"' + "{" * 1000, "\\"]).encode())
    assert too_deep(b'["\\"' + b'", ' + b"[" * (MAX_DEPTH + 1))


def test_nobody_watches_a_server_that_was_not_started_for_it(http: httpx2.Client) -> None:
    for path in ("/watch", "/watch/1"):
        answer = http.get(path)
        assert answer.status_code == 403 and answer.json()["error"]["code"] == "not_watched"
