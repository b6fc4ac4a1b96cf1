"""Odd text at every door of the server: never a 5xx, logs and snapshots stay readable, what is accepted comes back."""

import json
import socket
from typing import Any

import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from toolgym_server import Running

from toolgym.sandbox.server.body import too_deep

ODD = ["\ud800", "\udfff", "\ude00\ud83d", "\x00", "\ufffe", "\U0010ffff", "\ufdd0", "\u202e", "\ufeff", "😀", "a", "/"]
TEXTS = st.lists(st.sampled_from(ODD), min_size=1, max_size=4).map(lambda signs: as_json_reads("".join(signs)))
BODIES = ["utf-8", "utf-16", "utf-16-le", "utf-32", "utf-8-sig"]
MCP = {"accept": "application/json", "content-type": "application/json", "mcp-protocol-version": "2025-11-25"}
PLENTY = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def as_json_reads(text: str) -> str:
    """Two halves that meet are one sign."""
    return str(json.loads(json.dumps(text)))


def is_whole(text: str) -> bool:
    return not any("\ud800" <= sign <= "\udfff" for sign in text)


def tool_call(name: str, arguments: Any, **meta: Any) -> dict[str, Any]:
    params = {"name": name, "arguments": arguments, "_meta": meta}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


@pytest.fixture(scope="module")
def path(server: Running) -> str:
    return server.open("kiosk")


def read(http: httpx2.Client, path: str) -> list[dict[str, Any]]:
    """The log, which is readable, as the snapshot is, and opens a session."""
    snapshot = http.get(f"{path}/snapshot")
    assert snapshot.status_code == 200
    again = http.post("/sessions", content=b'{"snapshot": ' + snapshot.content + b"}")
    assert again.status_code == 201, again.text
    http.delete(f"/sessions/{again.json()['id']}")
    log = http.get(f"{path}/log")
    assert log.status_code == 200 and log.json()["calls"] == snapshot.json()["log"]
    return list(log.json()["calls"])


@PLENTY
@given(name=TEXTS | st.just("find_tickets"), holder=TEXTS)
def test_calls_over_rest_and_mcp(server: Running, http: httpx2.Client, name: str, holder: str) -> None:
    path, arguments = server.open("kiosk"), {"holder": holder}
    rest = http.post(f"{path}/call", content=json.dumps({"name": name, "arguments": arguments}))
    assert rest.status_code in (200, 404, 422)
    mcp = http.post(f"{path}/mcp", content=json.dumps(tool_call(name, arguments)), headers=MCP).json()["result"]
    assert mcp["isError"] == (not rest.json()["ok"])
    if name == "find_tickets":
        assert rest.json()["ok"] == is_whole(holder)
        http.post(f"{path}/kiosk/find_tickets", content=json.dumps(arguments))
    for call in read(http, path):
        kept = call["arguments"] if isinstance(call["arguments"], dict) else json.loads(call["arguments"])
        assert kept == arguments
        assert call["name"] == name.encode("utf-8", "backslashreplace").decode()


def test_a_repeated_call_of_half_a_character_is_told_the_same(server: Running, http: httpx2.Client) -> None:
    path = server.open("kiosk")
    for body in (r'{"name": "find_tickets", "arguments": {"holder": "\ud800"}}', r'{"name": "\ud800"}'):
        answers = [http.post(f"{path}/call", content=body, headers={"idempotency-key": body[:14]}) for _ in range(2)]
        assert answers[0].content == answers[1].content and "idempotent-replayed" in answers[1].headers
    assert len(read(http, path)) == 2


@PLENTY
@given(text=TEXTS)
def test_what_else_a_client_sends_is_refused_or_comes_back(
    server: Running, http: httpx2.Client, path: str, text: str
) -> None:
    calls = [{"name": "find_tickets", "arguments": {"holder": "x"}, "kind": "read", "value": text}]
    snapshot = http.get(f"{path}/snapshot").json() | {"log": calls}
    task = {"id": text, "domain": "kiosk", "scenario": text, "metadata": {text: text}}
    for body in ({"snapshot": snapshot}, {"domain": "kiosk", "task": task}, {"domain": text}, {text: text}):
        answer = http.post("/sessions", content=json.dumps(body))
        assert answer.status_code < 500, answer.text
        assert is_whole(text) or (answer.status_code == 422 and "surrogate" in answer.text)
        if answer.status_code == 201:
            opened = f"/sessions/{answer.json()['id']}"
            kept = http.get(f"{opened}/snapshot").json()
            assert text in (kept["log"][0]["value"] if kept["log"] else kept["task"]["scenario"])
            http.delete(opened)
    said = {"messages": [{"role": "user", "content": text}]}
    for route, body in (("verify", said), ("fork", {text: 1}), ("rollback", text)):
        assert http.post(f"{path}/{route}", content=json.dumps(body)).status_code in (409, 422)
    key = tool_call("find_tickets", {"holder": "x"}, **{"toolgym/idempotency-key": text})
    for message in (key, key | {"id": text}, key | {"method": text}, {"jsonrpc": "2.0", "id": 1, "method": "ping"}):
        answer = http.post(f"{path}/mcp", content=json.dumps(message), headers=MCP)
        assert answer.status_code < 500 and answer.json()["jsonrpc"] == "2.0"
    read(http, path)


@pytest.mark.parametrize("encoding", BODIES)
def test_bodies_are_utf_8(server: Running, http: httpx2.Client, encoding: str) -> None:
    path, said = server.open("kiosk"), "∀[" * 200 + "😀"
    bodies = {
        "/sessions": {"domain": "kiosk", "task": said},
        f"{path}/call": {"name": "find_tickets", "arguments": {"holder": said}},
        f"{path}/kiosk/find_tickets": {"holder": said},
        f"{path}/mcp": tool_call("find_tickets", {"holder": said}),
    }
    for route, body in bodies.items():
        answer = http.post(route, content=json.dumps(body, ensure_ascii=False).encode(encoding), headers=MCP)
        if encoding != "utf-8":
            assert answer.status_code == 400 and "UTF-8" in answer.text, (route, answer.text)
        else:
            assert answer.status_code in (200, 404), (route, answer.text)
    assert len(read(http, path)) == 3 * (encoding == "utf-8")


OVERLONG = [b"\xc0\xaf", b"\xe0\x80\xaf", b"\xf0\x80\x80\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xff", b"\xc3"]


@pytest.mark.parametrize("signs", OVERLONG)
def test_bytes_that_are_no_utf_8(server: Running, http: httpx2.Client, path: str, signs: bytes) -> None:
    before = read(http, path)
    body = json.dumps(tool_call("find_tickets", {"holder": "@"}) | {"name": "find_tickets"}).encode()
    for route in ("/sessions", f"{path}/call", f"{path}/kiosk/find_tickets", f"{path}/mcp", f"{path}/verify"):
        answer = http.post(route, content=body.replace(b"@", signs), headers=MCP)
        assert answer.status_code == 400 and "UTF-8" in answer.text, (route, answer.text)
    with socket.create_connection(("127.0.0.1", http.base_url.port or 0), timeout=600) as raw:
        target = b"/sessions/" + b"".join(b"%%%02x" % sign for sign in signs) + b"/log"
        raw.sendall(b"GET " + target + b" HTTP/1.1\r\nHost: 127.0.0.1\r\nIdempotency-Key: " + signs + b"\r\n\r\n")
        assert raw.recv(100).startswith((b"HTTP/1.1 404", b"HTTP/1.1 400"))
    assert read(http, path) == before


def test_the_depth_of_a_utf_16_body_is_not_believed(server: Running, http: httpx2.Client, path: str) -> None:
    """U+2200 in UTF-16 holds the byte of a quotation mark, so brackets after it look like a string's."""
    levels = '", "x": ' + "[" * 300 + "]" * 300 + ', "y": "'
    deep = json.dumps({"holder": "∀@"}, ensure_ascii=False).replace("@", levels)
    message = json.dumps(tool_call("find_tickets", "@@"), ensure_ascii=False).replace('"@@"', deep)
    assert http.post(f"{path}/mcp", content=message.encode("utf-16-le"), headers=MCP).status_code == 400
    assert http.post(f"{path}/mcp", content=message.encode(), headers=MCP).status_code == 400


@given(st.text('[]{}"\\a', max_size=200))
@settings(max_examples=300, deadline=None)
def test_nesting_is_counted_as_a_parser_counts_it(text: str) -> None:
    body = "[" * 60 + text
    depth, deepest, inside, after = 0, 0, False, False
    for sign in body:
        if inside:
            inside, after = after or sign != '"', sign == "\\" and not after
        elif sign == '"':
            inside = True
        elif sign == "\\":
            return  # no JSON from here on
        else:
            depth += (sign in "[{") - (sign in "]}")
            deepest = max(deepest, depth)
    assert too_deep(body.encode()) == (deepest > 64)
