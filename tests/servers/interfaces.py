"""The ways into a session, each as a client that knows nothing of the others; results come back as bytes to compare.

Every `play_*` opens one session, makes a plan's calls in it, and returns each result in the one form that all doors
promise: `{"ok": true, "value": ...}` or `{"ok": false, "error": {"code": ..., "message": ...}}`.
"""

from __future__ import annotations

import http.client
import json
import sys
from typing import Any
from urllib.parse import urlsplit

import jsonschema_rs
from call_sequences import Call, Plan
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from websockets.sync.client import connect

from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.tool import ToolResult
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory

Results = list[bytes]
RESULT_STATUS = (200, 404, 409, 422)


def result_bytes(result: ToolResult) -> bytes:
    """A result as REST writes it."""
    if result.error is None:
        return json.dumps({"ok": True, "value": result.value}, ensure_ascii=False).encode()
    error = {"code": result.error.code, "message": result.error.message}
    return json.dumps({"ok": False, "error": error}, ensure_ascii=False).encode()


def play_in_process(plan: Plan) -> tuple[Results, str]:
    """The session in this process; also the digest of the state at the end."""
    with Session(plan.domain, seed=plan.seed, task=plan.task) as session:
        results = [result_bytes(session.call(call.name, call.arguments, by=call.by)) for call in plan.calls()]
        return results, session.digest()


class RawHTTP:
    """REST by the standard library's HTTP client, from nothing but documented paths."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=600)

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, bytes]:
        """Status and body of an answer."""
        content = None if body is None else json.dumps(body).encode()
        self._connection.request(method, path, content, {"Content-Type": "application/json", **headers})
        response = self._connection.getresponse()
        return response.status, response.read()

    def open(self, plan: Plan) -> str:
        """The path of a new session."""
        asked: dict[str, Any] = {"domain": plan.domain.name, "seed": plan.seed}
        if plan.task is not None:
            asked["task"] = plan.task.model_dump(mode="json")
        status, body = self.ask("POST", "/sessions", asked)
        assert status == 201, body
        return f"/sessions/{json.loads(body)['id']}"

    def digest(self, path: str) -> str:
        """The digest of a session's state."""
        return str(json.loads(self.ask("GET", f"{path}/digest")[1])["sha256"])

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def play_rest(url: str, plan: Plan) -> tuple[Results, str]:
    """Every call by name, over one connection."""
    client = RawHTTP(url)
    path = client.open(plan)
    results = []
    for call in plan.calls():
        body = {"name": call.name, "arguments": call.arguments, "by": call.by}
        status, answer = client.ask("POST", f"{path}/call", body)
        assert status in RESULT_STATUS, (status, answer)
        results.append(answer)
    digest = client.digest(path)
    assert client.ask("DELETE", path)[0] == 204
    client.close()
    return results, digest


async def play_mcp(url: str, plan: Plan, era: str) -> tuple[Results, str]:
    """The SDK's client over HTTP, at the two addresses that opening a session returns."""
    rest = RawHTTP(url)
    path = rest.open(plan)
    both = {call.by for call in plan.calls()}
    addresses = {"agent": f"{url}{path}/mcp", "user": f"{url}{path}/user/mcp"}
    clients = {by: await Client(addresses[by], mode=era).__aenter__() for by in sorted(both)}
    results = [await call_mcp(clients[call.by], call) for call in plan.calls()]
    for by in sorted(both, reverse=True):
        await clients[by].__aexit__(None, None, None)
    digest = rest.digest(path)
    rest.close()
    return results, digest


async def play_stdio(plan: Plan, era: str, variables: dict[str, str]) -> Results:
    """The SDK's client with a server process of its own; the agent's calls only, the other side has another process."""
    code = "import sys; from toolgym.cli import main; sys.exit(main())"
    command = ["-c", code, "mcp", plan.domain.name, "--seed", str(plan.seed)]
    server = StdioServerParameters(command=sys.executable, args=command, env=variables)
    async with Client(server, mode=era) as client:
        return [await call_mcp(client, call) for call in plan.calls() if call.by == "agent"]


async def call_mcp(client: Client, call: Call) -> bytes:
    """One call, its text and its structured content held to be the same result."""
    answer = await client.call_tool(call.name, call.arguments)
    text = answer.content[0].text  # type: ignore[union-attr]
    content: Any = answer.structured_content
    if answer.is_error:
        error = (answer.meta or {})["toolgym/error"]
        assert text == f"Error: {error['message']} [{error['code']}]" and content is None
        return json.dumps({"ok": False, "error": error}, ensure_ascii=False).encode()
    value = content
    if list(content) == ["result"] and text != json.dumps(content, ensure_ascii=False):
        value = content["result"]
    assert text == (value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
    return json.dumps({"ok": True, "value": value}, ensure_ascii=False).encode()


def actions_of(trajectory: Trajectory, *, as_text: bool) -> list[dict[str, Any]]:
    """The agent's messages as actions of the wire: typed, or all as text."""
    actions = []
    for message in trajectory.messages:
        calls = [{"name": call.name, "arguments": call.arguments} for call in message.tool_calls]
        if message.role != "assistant":
            continue
        if calls and as_text:
            actions.append({"message": json.dumps(calls[0] if len(calls) == 1 else calls)})
        elif calls:
            actions.append({"message": message.content or "", "tool_calls": calls})
        else:
            actions.append({"message": message.content})
    return actions


def play_openenv(url: str, task: Task, trajectory: Trajectory) -> dict[str, Any]:
    """The last answer over OpenEnv's socket to what an agent did in process, with a task that the client brings."""
    address = f"{url.replace('http', 'ws', 1)}/openenv/{task.domain}/ws"
    reset = {"task": task.model_dump(mode="json"), "seed": 0}
    messages = [{"type": "reset", "data": reset}]
    messages += [{"type": "step", "data": action} for action in actions_of(trajectory, as_text=False)]
    with connect(address) as connection:
        for message in messages:
            connection.send(json.dumps(message))
            answer: dict[str, Any] = json.loads(connection.recv(timeout=600))
            assert answer["type"] == "observation", answer
    return answer["data"]  # type: ignore[no-any-return]


class DocumentClient:
    """A client written from the OpenAPI document alone: operations, their paths, bodies and answers come from there.

    Every answer is held to the schema that the document gives for its status.
    """

    def __init__(self, url: str) -> None:
        self._http = RawHTTP(url)
        status, body = self._http.ask("GET", "/openapi.json")
        assert status == 200
        self._document = json.loads(body)
        self._operations = {
            operation["operationId"]: (method.upper(), path, operation)
            for path, methods in self._document["paths"].items()
            for method, operation in methods.items()
        }
        self._validators: dict[tuple[str, int], Any] = {}

    def operation_named(self, *words: str) -> str:
        """The one operation whose summary holds these words."""
        found = [name for name, (_, _, about) in self._operations.items() if all(w in about["summary"] for w in words)]
        assert len(found) == 1, found
        return found[0]

    def knows(self, operation: str) -> bool:
        """Whether the document has that operation."""
        return operation in self._operations

    def do(self, operation: str, body: Any = None, **path: str) -> tuple[int, bytes]:
        """Carry out an operation."""
        method, template, about = self._operations[operation]
        named = {parameter["name"] for parameter in about.get("parameters", ()) if parameter["in"] == "path"}
        assert named == path.keys()
        if body is not None:
            assert "application/json" in about["requestBody"]["content"]
        status, answer = self._http.ask(method, template.format(**path), body)
        self._check(operation, status, answer)
        return status, answer

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    def _check(self, operation: str, status: int, answer: bytes) -> None:
        documented = self._operations[operation][2]["responses"]
        assert str(status) in documented, f"{operation} answered {status}, which the document does not know"
        if (operation, status) not in self._validators:
            content = documented[str(status)].get("content", {}).get("application/json")
            schema = content["schema"] | {"components": self._document["components"]} if content else None
            self._validators[operation, status] = jsonschema_rs.Draft202012Validator(schema) if schema else None
        validator = self._validators[operation, status]
        if validator is None:
            assert answer == b""
        else:
            validator.validate(json.loads(answer))


def play_document(url: str, plan: Plan) -> tuple[Results, str]:
    """Every call on its tool's own path; a tool that the document does not know is called by name."""
    client = DocumentClient(url)
    opening, by_name = client.operation_named("Open a session"), client.operation_named("Call a tool by name")
    status, opened = client.do(opening, {"domain": plan.domain.name, "seed": plan.seed})
    assert status == 201
    where = {"session_id": json.loads(opened)["id"]}
    results = []
    for call in plan.calls():
        operation = f"{plan.domain.name}_{'user_' if call.by == 'user' else ''}{call.name}"
        if client.knows(operation):
            results.append(client.do(operation, call.arguments, **where)[1])
        else:
            body = {"name": call.name, "arguments": call.arguments, "by": call.by}
            results.append(client.do(by_name, body, **where)[1])
    digest = json.loads(client.do(client.operation_named("digest"), **where)[1])["sha256"]
    assert client.do(client.operation_named("Close a session"), **where)[0] == 204
    client.close()
    return results, digest
