"""Sessions of several worlds over REST and MCP: listed, called, stored and verified as in process."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal

import httpx2
import pytest
from mcp.client import Client
from toolgym_server import Running

from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.remote import RemoteSandbox
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session

pytestmark = pytest.mark.slow

DISTRACTORS = ("airline.send_certificate", "airline.get_user_details", "telecom.get_customer_by_name")


@pytest.fixture(scope="module")
def task() -> Task:
    source = next(task for task in get_domain("retail").tasks("test", "own") if any(goal.calls for goal in task.goals))
    return source.model_copy(update={"distractors": DISTRACTORS})


@pytest.fixture(scope="module")
def calls(task: Task) -> list[tuple[str, Any]]:
    flyer = get_domain("airline").template().reader.execute("SELECT min(user_id) FROM users").fetchone()[0]
    return [
        ("airline_get_user_details", {"user_id": flyer}),
        ("send_certificate", {"user_id": flyer, "amount": 30}),
        ("send_certificate", {"user_id": "nobody", "amount": 30}),
        ("book_reservation", {}),
        *((call.name, call.arguments) for call in task.gold),
    ]


@pytest.fixture(params=["rest", "mcp"])
def sandbox(pair: Running, request: pytest.FixtureRequest) -> Iterator[RemoteSandbox]:
    """Two workers, so that a session is brought up to date in one by what the other stored."""
    made = RemoteSandbox(pair.url, protocol=request.param)
    yield made
    made.close()


def untimed(log: Any) -> list[CallRecord]:
    return [replace(record, seconds=0.0) for record in log]


def test_a_remote_session_with_distractors_is_the_local_one(
    sandbox: RemoteSandbox, task: Task, calls: list[tuple[str, Any]]
) -> None:
    with sandbox.open("retail", task=task) as remote, Session("retail", task=task) as local:
        for name, arguments in calls:
            assert remote.call(name, arguments) == local.call(name, arguments), name
        assert untimed(remote.log) == untimed(local.log), "kinds too: what wrote is known by them"
        assert remote.diff() == local.diff() and remote.digest() == local.digest()
        assert remote.verify()["passed"] is False
        with sandbox.restore(remote.snapshot()) as again, remote.fork() as fork:
            assert again.diff() == fork.diff() == local.diff()
            fork.rollback(1)
            for name, arguments in calls[4:]:
                fork.call(name, arguments)
            assert fork.verify()["passed"] is True


@pytest.mark.parametrize("protocol", ["rest", "mcp"])
def test_worlds_joined_by_name_are_served(server: Running, protocol: Literal["rest", "mcp"], calls: list[Any]) -> None:
    sandbox = RemoteSandbox(server.url, protocol=protocol)
    with sandbox.open("retail+airline", seed=2) as remote, Session("retail+airline", seed=2) as local:
        for name, arguments in [*calls[:3], ("think", {"thought": "which desk?"}), ("calculate", {})]:
            assert remote.call(name, arguments) == local.call(name, arguments), name
        assert untimed(remote.log) == untimed(local.log)
        assert remote.diff() == local.diff() != []
        assert remote.domain is local.domain
    sandbox.close()


def test_rest_lists_and_calls_what_the_session_offers(http: httpx2.Client, task: Task, calls: list[Any]) -> None:
    body = {"domain": "retail", "task": task.model_dump(mode="json")}
    opened = http.post("/sessions", json=body).json()
    path = f"/sessions/{opened['id']}"
    tools = http.get(f"{path}/tools").json()["tools"]
    assert [tool["name"] for tool in tools] == opened["tools"]
    assert opened["tools"][-3:] == ["send_certificate", "airline_get_user_details", "get_customer_by_name"]
    assert {tool["name"]: tool["kind"] for tool in tools}["send_certificate"] == "write"
    name, arguments = calls[0]
    assert http.post(f"{path}/retail/{name}", json=arguments).json()["ok"]
    assert http.post(f"{path}/airline/{name}", json=arguments).status_code == 404, "the session lives in retail"


def test_joined_worlds_have_pages_and_paths_of_their_own(http: httpx2.Client, calls: list[Any]) -> None:
    listed = http.get("/domains/retail+airline/tools").json()["tools"]
    assert {tool["name"] for tool in listed} == {*get_domain("retail+airline").tools}
    assert http.get("/domains/retail+airline/policy").json()["policy"] == get_domain("retail+airline").policy_for()
    path = f"/sessions/{http.post('/sessions', json={'domain': 'retail+airline'}).json()['id']}"
    name, arguments = calls[0]
    assert http.post(f"{path}/retail+airline/{name}", json=arguments).json()["ok"]
    assert http.get(f"{path}/tools").json()["tools"] == listed


@pytest.mark.parametrize("domain", ["retail+nowhere", "retail+retail", "+", "retail+"])
def test_worlds_that_cannot_be_joined_are_told(http: httpx2.Client, domain: str) -> None:
    answer = http.post("/sessions", json={"domain": domain})
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "unknown_name")


@pytest.mark.parametrize("distractor", ["airline.nothing", "nowhere.tool", "retail.calculate", "plain"])
def test_a_task_with_a_distractor_that_is_none_is_told(http: httpx2.Client, task: Task, distractor: str) -> None:
    wrong = task.model_copy(update={"distractors": (distractor,)}).model_dump(mode="json")
    answer = http.post("/sessions", json={"domain": "retail", "task": wrong})
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "unknown_name")


async def test_mcp_lists_them_with_their_hints(server: Running, task: Task, calls: list[Any]) -> None:
    path = server.open("retail", task=task.model_dump(mode="json"))
    async with Client(f"{server.url}{path}/mcp") as client:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert [*listed][-3:] == ["send_certificate", "airline_get_user_details", "get_customer_by_name"]
        hints = listed["send_certificate"].annotations
        assert hints is not None and hints.destructive_hint
        assert not (await client.call_tool(*calls[1])).is_error
    rows = server.request("GET", f"{path}/diff").json()["rows"]
    assert {row["table"] for row in rows} == {"airline.payment_methods"}
