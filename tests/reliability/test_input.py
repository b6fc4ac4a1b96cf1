"""Hostile input: what clients send may be refused, never believed, never applied by half, and never breaks a server."""

import asyncio
import json
import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import interfaces
import pytest
import workshop_domain
from call_sequences import Call, Plan
from fault_table import fault
from sandbox_server import TOOLGYM, SandboxServer

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.runtime.registry import get_domain

TOKEN = "a token of thirty-two characters"
MAX_BODY = 100_000
HEADERS = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
MCP = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("faults")]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SandboxServer]:
    """A server that asks for a token, with a broken package beside the worlds that work."""
    site = tmp_path_factory.mktemp("site")
    workshop_domain.install(site)
    broken = site / "broken-1.0.dist-info"
    broken.mkdir()
    (broken / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n", encoding="utf-8")
    (broken / "entry_points.txt").write_text("[toolgym.domains]\nbroken = broken_world:domain\n", encoding="utf-8")
    (site / "broken_world.py").write_text("raise RuntimeError('this world does not load')\n", encoding="utf-8")
    here = Path(__file__).parents[1] / "servers"
    variables = {
        "PYTHONPATH": os.pathsep.join([str(site), str(here), str(here.parents[1])]),
        "TOOLGYM_TOKEN": TOKEN,
        "TOOLGYM_MAX_BODY": str(MAX_BODY),
        "TOOLGYM_LOG_LEVEL": "info",
    }
    data = tmp_path_factory.mktemp("input") / "data"
    with SandboxServer(data, environment=variables, code=TOOLGYM[2]) as running:  # a fork shares memory
        yield running


@pytest.fixture
def http(server: SandboxServer) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=server.url, headers=HEADERS, timeout=600) as client:
        yield client


@pytest.fixture
def path(http: httpx2.Client) -> str:
    """A kiosk session."""
    return f"/sessions/{http.post('/sessions', json={'domain': 'kiosk'}).json()['id']}"


def require_untouched(http: httpx2.Client, path: str, calls: int = 0) -> None:
    """The session is as it was, and goes on."""
    assert http.get(path).json()["calls"] == calls
    assert http.get(f"{path}/diff").json()["rows"] == []
    assert http.post(f"{path}/kiosk/find_tickets", json={"holder": "Ada Moreau"}).status_code == 200


def require_calm(answer: httpx2.Response, *, below: int = 500) -> None:
    """A refusal in this server's own form, without the server's insides."""
    assert answer.status_code < below, (answer.status_code, answer.text[:500])
    for word in ("Traceback", 'File "', "sqlite", "site-packages", TOKEN):
        assert word not in answer.text


def request(method: str = "tools/call", **changes: Any) -> dict[str, Any]:
    params = {"name": "reserve_ticket", "arguments": {"ticket_id": "T102", "holder": "Mallory Hale"}}
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params} | changes


MALFORMED: list[bytes] = [
    b"",
    b"{",
    b"null",
    b"true",
    b"7",
    b'"tools/call"',
    b"[]",
    b"{}",
    b"\xff\xfe\x00",
    b"\x00" * 100,
    b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "reserve_ticket"',
    *(
        json.dumps(body).encode()
        for body in (
            [request(), request()],
            request(jsonrpc="1.0"),
            request(jsonrpc=2),
            request(method=None),
            request(method=["tools/call"]),
            request(method="tools/destroy"),
            request(method="x" * 10_000),
            request(id={"no": "id"}),
            request(id=[1]),
            request(id=1.5, method="tools/nothing"),
            request(params=[]),
            request(params="reserve_ticket"),
            request(params=None),
            request(params={}),
            request(params={"name": 7, "arguments": {}}),
            request(params={"name": "reserve_ticket", "arguments": []}),
            request(params={"name": "reserve_ticket", "arguments": "T102"}),
            request(params={"name": "reserve_ticket", "arguments": {}, "_meta": {"toolgym/idempotency-key": 7}}),
            request(params={"name": "reserve_ticket", "arguments": {}, "_meta": "no object"}),
            request(method="initialize", params={"protocolVersion": 7}),
            request(method="resources/read", params={"uri": "file:///etc/passwd"}),
            request(method="prompts/get", params={"name": "../../policy"}),
            {"jsonrpc": "2.0", "id": 1, "result": {}},
            {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "x"}},
        )
    ),
]


@fault("json_rpc")
def test_malformed_json_rpc(http: httpx2.Client, path: str, record_property: Callable[[str, object], None]) -> None:
    count = 0
    for version in ("2025-11-25", "2026-07-28", "1999-01-01", ""):
        for body in MALFORMED:
            answer = http.post(f"{path}/mcp", content=body, headers=MCP | {"MCP-Protocol-Version": version})
            require_calm(answer)
            if answer.status_code == 200:
                reply = answer.json()
                assert "error" in reply or reply["result"].get("isError"), (body, reply)
            count += 1
    changed = http.get(path).json()["calls"]
    assert http.get(f"{path}/diff").json()["rows"] == []
    require_untouched(http, path, changed)
    record_property("measured", f"{count} bodies, no 5xx")


def routes(path: str) -> list[str]:
    below = ("call", "kiosk/find_tickets", "fork", "rollback", "verify", "mcp")
    return ["/sessions", *(f"{path}/{name}" for name in below)]


@fault("size")
def test_oversized_bodies(
    server: SandboxServer, http: httpx2.Client, path: str, record_property: Callable[[str, object], None]
) -> None:
    before, count = server.memory(), 0
    for route in routes(path):
        for size in (MAX_BODY + 1, 5_000_000):
            body = b'{"domain": "kiosk", "name": "' + b"x" * size + b'"}'
            for content in (body, iter([body[i : i + 50_000] for i in range(0, len(body), 50_000)])):
                count += 1
                try:
                    answer = http.post(route, content=content, headers=MCP)
                except httpx2.TransportError:
                    continue  # the server has answered and closed before all of it was sent
                assert answer.status_code == 413, (route, size, answer.text[:200])
                require_calm(answer)
        count += falsely_declared(server, route)
    require_untouched(http, path)
    grown = (server.memory() - before) / 1e6
    assert grown < 60
    record_property("measured", f"{count} requests; the server's memory grew by {max(0.0, grown):.0f} MB")


def falsely_declared(server: SandboxServer, route: str) -> int:
    """Bodies of other lengths than their heads say: negative, enormous, no number, two numbers, too short."""
    lengths = ("-5", "99999999999999999999999", "ten", "5\r\nContent-Length: 7", "50")
    for length in lengths:
        head = f"POST {route} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {TOKEN}\r\nContent-Length: {length}"
        with socket.create_connection(("127.0.0.1", server.port), timeout=600) as connection:
            connection.sendall(head.encode() + b"\r\nContent-Type: application/json\r\n\r\n{}")
            if length != "50":
                answer = connection.recv(400)
                assert answer == b"" or answer.startswith((b"HTTP/1.1 4",)), (length, answer)
    return len(lengths)


@fault("depth")
def test_deeply_nested_bodies(http: httpx2.Client, path: str, record_property: Callable[[str, object], None]) -> None:
    count = 0
    for route in routes(path):
        for levels in (65, 1000, 20_000, 49_000):
            for opening, closing in (("[", "]"), ('{"a":', "}"), ("[", "")):
                levels_here = min(levels, MAX_BODY // (len(opening) + len(closing)) - 20)
                nested = opening * levels_here + ("1" if closing else "") + closing * levels_here
                for body in (nested, '{"name": "find_tickets", "arguments": {"holder": ' + nested + "}}"):
                    answer = http.post(route, content=body.encode(), headers=MCP)
                    assert answer.status_code == 400, (route, levels, answer.status_code, answer.text[:200])
                    require_calm(answer)
                    count += 1
    require_untouched(http, path)
    inside_text = "[" * 20_000
    assert http.post(f"{path}/kiosk/find_tickets", json={"holder": inside_text}).status_code == 200
    record_property("measured", f"{count} bodies, each 400")


INJECTIONS = (
    "'; DROP TABLE orders; --",
    '" OR "1"="1',
    "' UNION SELECT name FROM sqlite_master --",
    "%' OR 1=1 --",
    "1); ATTACH DATABASE '/tmp/toolgym-injected.db' AS x; --",
    "../../../../etc/passwd",
    "file:///etc/passwd",
    "C:\\Windows\\win.ini",
    "{{7*7}}${7*7}<%= 7*7 %>",
    "%s%s%n%x{0.__class__}",
    "__import__('os').system('touch /tmp/toolgym-injected')",
    "$(touch /tmp/toolgym-injected)`id`",
    "\x00\x1b[31m\r\nSet-Cookie: x=1",
    "<script>alert(1)</script>",
    "###STOP###",
    "\u202e\ufeff\U0010ffff",
)


INSIDES = (b"Traceback", b"sqlite3", b"OperationalError", b"sqlalchemy", b"unrecognized token", b"syntax error")


def string_places(schema: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where in the arguments of a tool a string goes, by its schema."""
    if not isinstance(schema, dict):
        return
    for option in schema.get("anyOf", ()):
        yield from string_places(option, path)
    if schema.get("type") == "string":
        yield path
    for name, inner in schema.get("properties", {}).items():
        yield from string_places(inner, (*path, name))
    if "items" in schema:
        yield from string_places(schema["items"], (*path, 0))


def filled(schema: dict[str, Any]) -> Any:
    """A value that fits a schema, plain as can be."""
    if "anyOf" in schema:
        return filled(schema["anyOf"][0])
    if "enum" in schema or "const" in schema:
        return schema.get("enum", [schema.get("const")])[0]
    kinds = {"string": "x", "integer": 1, "number": 1, "boolean": True, "null": None}
    if schema.get("type") == "array":
        return [filled(schema["items"])] if "items" in schema else []
    if schema.get("type") == "object":
        return {name: filled(inner) for name, inner in schema.get("properties", {}).items()}
    return kinds.get(schema.get("type", ""), "x")


def with_value(arguments: Any, path: tuple[Any, ...], value: str) -> Any:
    copy = json.loads(json.dumps(arguments))
    inner = copy
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return copy


def injections(domain: Domain) -> tuple[Call, ...]:
    calls = []
    for by, tools in (("agent", domain.tools), ("user", domain.user_tools)):
        for tool in tools.values():
            for path in string_places(tool.parameters):
                for text in INJECTIONS:
                    calls.append(Call(tool.name, with_value(filled(tool.parameters), path, text), by))  # type: ignore[arg-type]
    return tuple(calls)


@fault("arguments")
def test_injection_in_arguments(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    """The server without limits of rate: thousands of calls in one session."""
    here = Path(__file__).parents[1] / "servers"
    workshop_domain.install(tmp_path / "site")
    variables = {"PYTHONPATH": os.pathsep.join([str(tmp_path / "site"), str(here), str(here.parents[1])])}
    worlds, count = [get_domain("retail"), get_domain("kiosk"), workshop_domain.domain], 0
    flags = ("--calls-per-second", "1000000", "--max-calls", "1000000")
    with SandboxServer(tmp_path / "data", *flags, environment=variables) as server:
        for domain in worlds:
            plan = Plan(domain, 1, (injections(domain),))
            expected = interfaces.play_in_process(plan)
            assert interfaces.play_rest(server.url, plan) == expected
            count += len(expected[0])
        few = Plan(worlds[0], 1, (plan_sample(worlds[0]),))
        assert asyncio.run(interfaces.play_mcp(server.url, few, "2026-07-28")) == interfaces.play_in_process(few)
        assert "Traceback" not in server.printed()
    assert not list(Path("/tmp").glob("toolgym-injected*"))
    record_property("measured", f"{count:,} calls")


def plan_sample(domain: Domain) -> tuple[Call, ...]:
    return injections(domain)[::7]


@fault("paths")
def test_injection_in_addresses(http: httpx2.Client, path: str, record_property: Callable[[str, object], None]) -> None:
    texts = (
        "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "..%5c..%5cwin.ini",
        "%00",
        "%27%20OR%201=1--",
        "%F0%9F%92%A9",
        "%ff",
        "x" * 3000,
    )
    texts += ("{id}", "__proto__", "mcp", "*", "%0d%0aSet-Cookie:%20a=b")
    templates = ["/sessions/{0}", "/sessions/{0}/log", "/sessions/{0}/call", "/sessions/{0}/kiosk/find_tickets"]
    templates += ["/sessions/{0}/mcp", "/domains/{0}/tools", "/domains/{0}/policy", "/domains/{0}/tasks", "/{0}"]
    templates += [path + "/{0}", path + "/kiosk/{0}", path + "/{0}/find_tickets", path + "/kiosk/user/{0}"]
    templates += [
        "/domains/retail/tasks?split={0}",
        "/domains/retail/tasks?data={0}",
        "/domains/retail/policy?data={0}",
    ]
    templates += ["/domains/retail/tasks?offset={0}", "/docs/{0}", "/metrics/{0}"]
    count = 0
    for template in templates:
        for text in texts:
            for method in ("GET", "POST", "DELETE", "PUT"):
                answer = http.request(method, template.format(text), content=b"{}" if method != "GET" else None)
                require_calm(answer)
                assert answer.status_code >= 400 or template.startswith(path), (method, template, text)
                assert "set-cookie" not in answer.headers and "root:" not in answer.text
                count += 1
    count += require_no_file(http)
    require_untouched(http, path, http.get(path).json()["calls"])
    record_property("measured", f"{count:,} requests, no 5xx")


def require_no_file(http: httpx2.Client) -> int:
    """Data that names a file is refused, wherever a body can carry it."""
    task = json.loads(get_domain("retail").tasks("test", "own")[0].model_dump_json())
    file = "tau2:/etc/passwd"
    snapshot = {"domain": "retail", "data": "own", "seed": 1, "now": "2026-03-05T15:00:00", "log": []}
    bodies: list[dict[str, Any]] = [
        {"domain": "retail", "data": file},
        {"domain": "retail", "task": task | {"data": file}},
        {"domain": "retail", "data": "own", "task": task | {"data": file}},
        {"snapshot": snapshot | {"data": file, "task": None}},
        {"snapshot": snapshot | {"task": task | {"data": file}}},
        {"domain": "../retail"},
        {"domain": "retail", "task": "../../etc/passwd"},
        {"domain": "retail", "task": "'; DROP TABLE sessions; --"},
    ]
    for body in bodies:
        answer = http.post("/sessions", json=body)
        assert answer.status_code in (404, 422), (body, answer.status_code, answer.text[:300])
        require_calm(answer)
        assert "No such file" not in answer.text
    return len(bodies)


def wrong_headers() -> list[dict[str, str | bytes]]:
    values: list[str | bytes] = ["", "Bearer", TOKEN, f"Basic {TOKEN}", f"bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}"]
    values += [f"Bearer  {TOKEN}", f"Bearer {TOKEN}x", f"Bearer {TOKEN.upper()}", "Bearer null"]
    values += [f"Bearer {'x' * 8000}", b"Bearer \xff\xfe", f"Token {TOKEN}", f"Bearer {TOKEN}, Bearer {TOKEN}"]
    return [{}, *({"Authorization": value} for value in values)]


@fault("token")
def test_wrong_tokens(
    server: SandboxServer, http: httpx2.Client, path: str, record_property: Callable[[str, object], None]
) -> None:
    closed = [
        ("POST", "/sessions"),
        ("GET", path),
        ("DELETE", path),
        ("GET", f"{path}/log"),
        ("GET", f"{path}/snapshot"),
    ]
    closed += [
        ("POST", f"{path}/call"),
        ("POST", f"{path}/kiosk/find_tickets"),
        ("POST", f"{path}/mcp"),
        ("GET", "/metrics"),
    ]
    closed += [("GET", "/domains"), ("GET", "/domains/retail/tasks"), ("GET", "/nothing/here"), ("GET", f"{path}x")]
    opened, answers = ("/healthz", "/readyz", "/docs", "/openapi.json"), set()
    count = 0
    with httpx2.Client(base_url=server.url, timeout=600) as stranger:
        for headers in wrong_headers():
            for method, route in closed:
                answer = stranger.request(method, route, headers=headers, content=b"{}" if method == "POST" else None)
                assert answer.status_code == 401, (method, route, headers, answer.text[:200])
                answers.add(answer.content)
                count += 1
            for route in opened:
                assert stranger.get(route, headers=headers).status_code == 200
        assert stranger.get(f"/domains?token={TOKEN}&access_token={TOKEN}").status_code == 401
        assert len(answers) == 1, "an answer says more than another"
    require_untouched(http, path)
    assert TOKEN not in server.printed() and path.rsplit("/", 1)[-1] not in server.printed()
    record_property("measured", f"{count} requests, each 401 with the same words")


@fault("rebinding")
def test_other_sites_and_names(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    with SandboxServer(tmp_path / "data") as server, httpx2.Client(base_url=server.url, timeout=600) as http:
        path = f"/sessions/{http.post('/sessions', json={'domain': 'kiosk'}).json()['id']}"
        own, count = f"127.0.0.1:{server.port}", 0
        for route in ("/sessions", f"{path}/call", f"{path}/mcp", f"{path}/kiosk/find_tickets"):
            for host in (
                "evil.example",
                f"evil.example:{server.port}",
                "127.0.0.1.evil.example",
                "localhost.evil.example",
                "",
            ):
                answer = http.post(route, json={}, headers={"Host": host})
                assert answer.status_code in (400, 421), (route, host, answer.status_code)
                count += 1
            for origin in (
                "http://evil.example",
                "null",
                f"http://127.0.0.1.evil.example:{server.port}",
                "file://",
            ):
                answer = http.post(route, json={}, headers={"Host": own, "Origin": origin})
                assert answer.status_code == 403, (route, origin, answer.status_code, answer.text)
                preflight = {"Host": own, "Origin": origin, "Access-Control-Request-Method": "POST"}
                answer = http.options(route, headers=preflight)
                assert answer.status_code >= 400
                assert not any(name.startswith("access-control") for name in answer.headers)
                count += 2
        require_untouched(http, path)
    record_property("measured", f"{count} requests turned away")


def test_an_origin_that_is_no_address(http: httpx2.Client, path: str) -> None:
    answer = http.post(f"{path}/call", json={}, headers={"Origin": "http://["})
    assert answer.status_code == 403
    require_calm(answer)


@fault("ids")
def test_foreign_ids(http: httpx2.Client, path: str, record_property: Callable[[str, object], None]) -> None:
    identifier, count = path.rsplit("/", 1)[-1], 0
    flipped = "A" if identifier[0] != "A" else "B"
    never = http.get(f"/sessions/{'x' * len(identifier)}")
    assert never.status_code == 404
    wrong = [
        identifier[:-1],
        identifier + "A",
        flipped + identifier[1:],
        identifier[:-1] + "%00",
        identifier.swapcase(),
    ]
    for other in wrong:
        for method, rest in (
            ("GET", ""),
            ("GET", "/log"),
            ("GET", "/diff"),
            ("POST", "/call"),
            ("DELETE", ""),
            ("POST", "/mcp"),
        ):
            body = {"name": "find_tickets"} if method == "POST" else None
            answer = http.request(method, f"/sessions/{other}{rest}", json=body, headers=MCP)
            assert answer.status_code == 404, (method, rest, other, answer.text)
            if rest != "/mcp":
                assert answer.content == never.content
            count += 1
    require_untouched(http, path)
    http.delete(path)
    for method, rest in (("GET", ""), ("POST", "/call"), ("POST", "/fork"), ("DELETE", ""), ("POST", "/mcp")):
        body = {"name": "find_tickets"} if method == "POST" and rest == "/call" else {}
        answer = http.request(method, f"{path}{rest}", json=body if method == "POST" else None, headers=MCP)
        assert answer.status_code == 410, (method, rest, answer.text)
        count += 1
    record_property("measured", f"{count} requests")


@fault("bad_world")
def test_a_broken_world_and_a_broken_tool(
    server: SandboxServer, http: httpx2.Client, record_property: Callable[[str, object], None]
) -> None:
    names = {domain["name"] for domain in http.get("/domains").json()["domains"]}
    assert {"kiosk", "retail", "workshop"} <= names and "broken" not in names
    assert http.post("/sessions", json={"domain": "broken"}).status_code == 404
    path = f"/sessions/{http.post('/sessions', json={'domain': 'workshop'}).json()['id']}"
    answer = http.post(f"{path}/workshop/drop_everything", json={})
    assert answer.status_code == 500 and answer.json()["error"]["code"] == "tool_failed"
    require_calm(answer, below=501)
    assert "secret" not in answer.text and "secret" not in http.get(f"{path}/log").text
    assert http.get(f"{path}/diff").json()["rows"] == [] and http.get(path).json()["calls"] == 0
    assert http.post(f"{path}/workshop/list_stock", json={}).json()["value"] == {"P1": 100, "P2": 100, "P3": 100}
    record_property("measured", "as said")
