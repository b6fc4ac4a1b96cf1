"""The outermost layer by the letter of HTTP: schemes, lengths, chunks, what the log shows, the bare address."""

import json
import socket
import threading
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from toolgym_server import Running

from toolgym.sandbox.server.http import MAX_CHUNKS

TOKEN = "a token of the gate's own"


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    flags = ("--log-level", "info", "--max-calls", "2", "--calls-per-second", "1000")
    with Running(tmp_path_factory.mktemp("gate"), "--worlds", "kiosk", *flags, TOOLGYM_TOKEN=TOKEN) as running:
        yield running


def raw(server: Running, content: bytes, seconds: float = 600) -> bytes:
    """What the server answers on one connection until it closes it, or says no more for so long."""
    address = httpx2.URL(server.url)
    with socket.create_connection((address.host, address.port or 0), timeout=seconds) as connection:
        answer = b""
        try:
            connection.sendall(content)
            while part := connection.recv(65536):
                answer += part
        except (TimeoutError, ConnectionError):
            answer += b"(open)" if not answer else b""
        return answer


def test_the_scheme_is_read_in_any_case(guarded: Running) -> None:
    for scheme in ("Bearer", "bearer", "BEARER"):
        answer = guarded.request("GET", "/domains", headers={"authorization": f"{scheme} {TOKEN}"})
        assert answer.status_code == 200
    for wrong in (f"Basic {TOKEN}", TOKEN, "Bearer", f"bearer{TOKEN}"):
        assert guarded.request("GET", "/domains", headers={"authorization": wrong}).status_code == 401


def test_the_log_shows_no_id_and_nothing_that_clients_made_up(guarded: Running) -> None:
    with guarded.client(authorization=f"Bearer {TOKEN}") as http:
        path = f"/sessions/{http.post('/sessions', json={'domain': 'kiosk'}).json()['id']}"
        for route in (f"/x{path}", f"{path}/canary", f"{path}/kiosk/canary", f"{path}/%63anary/mcp"):
            http.post(route, json={})
        http.post(f"{path}/kiosk/find_tickets", json={"holder": "x"})
    raw(guarded, f"GET /{path}/log HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    guarded.wait_for("//sessions/{id}/log")
    text = "".join(guarded.errors)
    assert path.split("/")[2] not in text and "canary" not in text
    shown = {json.loads(line).get("path") for line in guarded.errors[1:]}
    assert {"//sessions/{id}/log", "/sessions/{id}/kiosk/{...}", "/sessions/{id}/kiosk/find_tickets"} <= shown


def test_two_lengths_are_refused_and_end_the_connection(server: Running) -> None:
    twice = b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
    second = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    answer = raw(server, b"POST /sessions HTTP/1.1\r\nHost: 127.0.0.1\r\n" + twice + second)
    assert answer.startswith(b"HTTP/1.1 400") and answer.count(b"HTTP/1.1") == 1 and b"two_lengths" in answer


def test_a_stranger_s_body_is_not_read(guarded: Running) -> None:
    head = b"POST /sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n"
    refused = raw(guarded, head % 1_000_000)  # nothing of it follows
    assert refused.startswith(b"HTTP/1.1 401") and b"connection: close" in refused.lower()
    bodiless = b"GET /domains HTTP/1.1\r\nHost: 127.0.0.1\r\n%s\r\n"
    both = raw(guarded, bodiless % b"" + bodiless % b"Connection: close\r\n")
    assert both.count(b"HTTP/1.1 401") == 2  # nothing to read: the connection may stay


@pytest.mark.slow
@pytest.mark.parametrize("token", [TOKEN, "none"])
def test_countless_chunks_hold_nobody_up(guarded: Running, token: str) -> None:
    head = f"POST /sessions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n"
    head += "Transfer-Encoding: chunked\r\n\r\n"
    body = b'b\r\n{"domain": \r\n7\r\n"kiosk"\r\n1\r\n}\r\n'
    few = b"1\r\n \r\n" * (MAX_CHUNKS - 3) + body + b"0\r\n\r\n"
    assert raw(guarded, head.encode() + few)[9:12] == (b"201" if token == TOKEN else b"401")
    answers: list[Any] = []
    flood = threading.Thread(target=lambda: answers.append(raw(guarded, head.encode() + b"1\r\n \r\n" * 900_000, 2)))
    flood.start()
    flood.join(timeout=600)
    assert not flood.is_alive()
    assert not answers[0] or b" 400 " in answers[0] or b" 401 " in answers[0] or answers[0] == b"(open)"
    assert guarded.request("GET", "/healthz").status_code == 200


def test_a_limit_that_never_ends_names_no_time_to_wait(guarded: Running) -> None:
    with guarded.client(authorization=f"Bearer {TOKEN}") as http:
        path = f"/sessions/{http.post('/sessions', json={'domain': 'kiosk'}).json()['id']}"
        for _ in range(3):
            answer = http.post(f"{path}/kiosk/find_tickets", json={"holder": "x"})
        assert answer.status_code == 429 and answer.json()["error"]["code"] == "too_many_calls"
        assert "retry-after" not in answer.headers


def test_the_bare_address_says_where_to_go(guarded: Running) -> None:
    people = guarded.request("GET", "/", headers={"accept": "text/html,*/*"}, follow_redirects=False)
    assert people.status_code == 307 and people.headers["location"] == "/docs"
    programs = guarded.request("GET", "/").json()
    assert guarded.request("GET", programs["openapi"]).status_code == 200 and programs["docs"] == "/docs"
    assert guarded.request("POST", "/", json={}).status_code == 405


def test_bounds_are_json_schema(server: Running) -> None:
    def keys(node: Any) -> Iterator[str]:
        if isinstance(node, dict):
            yield from node
        for inner in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
            yield from keys(inner)

    document = server.request("GET", "/openapi.json").json()
    assert not {"gt", "ge", "lt", "le", "multiple_of", "min_length", "max_length"} & set(keys(document))
    fields = document["components"]["schemas"]["OpenRequest"]["properties"]
    assert fields["ttl"]["anyOf"][0] == {"type": "number", "exclusiveMinimum": 0, "maximum": 604800}
    assert fields["seed"]["anyOf"][0] == {"type": "integer", "minimum": -(2**53), "maximum": 2**53}


@pytest.mark.parametrize(
    "lines",
    [
        b"Host: [",
        b"Host: ]:80",
        b"Host: \xff\xfe",
        b"Host: 127.0.0.1\r\nOrigin: http://[",
        b"Host: 127.0.0.1\r\nOrigin: \xff",
        b"Host: 127.0.0.1\r\nCookie: a,b=1; \xff",
        b"Host: 127.0.0.1\r\nAuthorization: \xff\xfe",
        b"Host: 127.0.0.1\r\nContent-Type: \xff\r\nIdempotency-Key: \xff",
    ],
)
def test_malformed_headers_are_the_client_s_mistake(server: Running, lines: bytes) -> None:
    for request in (b"GET /domains", b"POST /sessions", b"GET /docs", b"POST /sessions/x/mcp", b"OPTIONS *"):
        answer = raw(server, request + b" HTTP/1.1\r\n" + lines + b"\r\nConnection: close\r\n\r\n")
        assert answer.startswith((b"HTTP/1.1 2", b"HTTP/1.1 4")), (request, answer[:80])
