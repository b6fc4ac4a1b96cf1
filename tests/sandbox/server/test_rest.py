"""The REST door: sessions are opened, called, looked at, taken back and closed; mistakes are told in sentences."""

from typing import Any

import httpx2
import pytest
from toolgym_server import Running

from toolgym.sandbox.runtime.session import Session, Snapshot

ORDER: dict[str, Any] = {
    "lines": [{"part_id": "P1", "pieces": 2}, {"part_id": "P2", "pieces": 1}],
    "address": {"city": "Oslo", "tags": ["fragile"]},
}


def problem(answer: httpx2.Response, status: int, code: str) -> str:
    body = answer.json()
    assert (answer.status_code, body["ok"], body["error"]["code"]) == (status, False, code), body
    message: str = body["error"]["message"]
    assert message.endswith(".") and "Traceback" not in message
    return message


def test_what_there_is(http: httpx2.Client) -> None:
    domains = {domain["name"]: domain for domain in http.get("/domains").json()["domains"]}
    assert domains["workshop"]["tools"] == 5 and domains["workshop"]["user_tools"] == 2
    assert {"kiosk", "retail"} <= set(domains)
    tools = http.get("/domains/workshop/tools").json()["tools"]
    assert [tool["by"] for tool in tools].count("user") == 2
    assert tools[0]["parameters"]["properties"]["lines"]["items"]["properties"]["pieces"]["maximum"] == 100
    assert http.get("/domains/workshop/policy").json()["policy"].startswith("# Workshop policy")
    tasks = http.get("/domains/kiosk/tasks", params={"split": "test", "offset": 1, "limit": 1}).json()
    assert tasks["total"] == 3 and [task["id"] for task in tasks["tasks"]] == ["kiosk-5"]
    assert "gold" not in tasks["tasks"][0] and "goals" not in tasks["tasks"][0]


def test_a_session_from_opening_to_closing(server: Running, http: httpx2.Client) -> None:
    opened = http.post("/sessions", json={"domain": "workshop", "seed": 3, "ttl": 600})
    about = opened.json()
    assert opened.status_code == 201 and about["seed"] == 3 and about["calls"] == 0
    path = f"/sessions/{about['id']}"
    assert about["mcp_path"] == f"{path}/mcp" and about["user_mcp_path"] == f"{path}/user/mcp"
    done = http.post(f"{path}/workshop/order_parts", json=ORDER)
    assert done.status_code == 200
    order = done.json()["value"]
    assert order["address"] == ORDER["address"] and order["left"] == {"P1": 98, "P2": 99}
    rows = {row["table"]: row for row in http.get(f"{path}/diff").json()["rows"] if row["table"] == "orders"}
    assert rows["orders"]["before"] is None and rows["orders"]["after"]["order_id"] == order["order_id"]
    log = http.get(f"{path}/log").json()["calls"]
    assert [call["name"] for call in log] == ["order_parts"] and log[0]["value"] == order
    assert http.get(path).json()["calls"] == 1
    assert http.delete(path).status_code == 204
    assert "open a new one" in problem(http.get(path), 410, "session_closed")
    problem(http.post(f"{path}/workshop/list_stock", json={}), 410, "session_closed")
    assert http.get(f"{path}/log").json()["calls"] == log
    problem(http.delete(path), 410, "session_closed")


def test_results_are_those_of_a_session_in_process(server: Running, http: httpx2.Client) -> None:
    path = server.open("kiosk", task="kiosk-4")
    with Session("kiosk", seed=4) as session:
        for name, arguments in [
            ("list_free_seats", {"evening": "Sunday"}),
            ("list_free_seats", {"evening": "Monday"}),
            ("reserve_ticket", {"ticket_id": "T118", "holder": "Ines Costa"}),
            ("reserve_ticket", {"ticket_id": "T118", "holder": "Ines Costa"}),
            ("reserve_tickets", {}),
        ]:
            expected = session.call(name, arguments)
            own = http.post(f"{path}/kiosk/{name}", json=arguments).json()
            if expected.error is None:
                assert own == {"ok": True, "value": expected.value}
            else:
                assert own["error"] == {"code": expected.error.code, "message": expected.error.message}
                assert http.post(f"{path}/call", json={"name": name, "arguments": arguments}).json() == own
        assert http.get(f"{path}/digest").json()["sha256"] == session.digest()
    verdict = http.post(f"{path}/verify").json()
    assert verdict["passed"] is True and verdict["checks"]["state"] is True


def test_a_task_that_is_not_done_is_not_passed(server: Running, http: httpx2.Client) -> None:
    path = server.open("workshop", task="w1")
    assert http.post(f"{path}/verify", json={}).json()["passed"] is False
    without = server.open("workshop")
    problem(http.post(f"{without}/verify"), 409, "no_task")


def test_time_travel(server: Running, http: httpx2.Client) -> None:
    path = server.open()
    first = http.get(f"{path}/digest").json()
    for _ in range(3):
        http.post(f"{path}/workshop/order_parts", json=ORDER)
    middle = http.get(f"{path}/digest").json()
    twin = f"/sessions/{http.post(f'{path}/fork', json={'ttl': 60}).json()['id']}"
    snapshot = http.get(f"{path}/snapshot").json()
    assert http.post(f"{path}/rollback", json={"calls": 0}).json()["calls"] == 0
    assert http.get(f"{path}/digest").json() == first != middle
    assert http.get(f"{twin}/digest").json() == middle
    again = http.post("/sessions", json={"snapshot": snapshot}).json()
    assert again["calls"] == 3 and http.get(f"/sessions/{again['id']}/digest").json() == middle
    assert "from 0 to 0" in problem(http.post(f"{path}/rollback", json={"calls": 9}), 409, "too_few_calls")
    snapshot["log"][0]["value"]["order_id"] = "#other"
    assert "another result" in problem(http.post("/sessions", json={"snapshot": snapshot}), 409, "does_not_fit")


def test_the_users_tools_have_an_address_of_their_own(server: Running, http: httpx2.Client) -> None:
    path = server.open()
    assert http.post(f"{path}/workshop/user/switch_lamp", json={"lit": True}).json() == {"ok": True, "value": "done"}
    assert http.post(f"{path}/workshop/user/look_at_lamp", json={}).json()["value"] is True
    problem(http.post(f"{path}/workshop/user/switch_lamp", json={"lit": True}), 409, "no_change")
    problem(http.post(f"{path}/workshop/switch_lamp", json={"lit": False}), 404, "unknown_tool")
    asked = {"name": "look_at_lamp", "by": "user"}
    assert http.post(f"{path}/call", json=asked).json()["value"] is True
    assert [call["by"] for call in http.get(f"{path}/log").json()["calls"]] == ["user"] * 3 + ["agent", "user"]


def test_one_session_knows_nothing_of_another(server: Running, http: httpx2.Client) -> None:
    one, two = server.open(), server.open()
    http.post(f"{one}/workshop/order_parts", json=ORDER)
    assert http.post(f"{two}/workshop/list_stock", json={}).json()["value"] == {"P1": 100, "P2": 100, "P3": 100}
    assert http.get(f"{two}/diff").json()["rows"] == []


def test_a_broken_tool_is_no_refusal_and_changes_nothing(server: Running, http: httpx2.Client) -> None:
    path = server.open()
    answer = http.post(f"{path}/workshop/drop_everything", json={})
    assert "nothing was applied" in problem(answer, 500, "tool_failed") and "secret" not in answer.text
    assert http.get(f"{path}/diff").json()["rows"] == [] and http.get(f"{path}/log").json()["calls"] == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (ORDER | {"lines": [{"part_id": "P1", "pieces": 0}]}, "lines[0].pieces must be at least 1"),
        (ORDER | {"address": {"city": "Oslo"}}, "address.tags is missing"),
        (ORDER | {"adress": 1}, "did you mean address?"),
        ([1], "must be a JSON object"),
        ('{"lines": NaN}', "lines must be a list"),
        ("{", "not valid JSON"),
    ],
)
def test_wrong_arguments_are_named(server: Running, http: httpx2.Client, arguments: Any, said: str) -> None:
    path = server.open()
    body = {"content": arguments} if isinstance(arguments, str | bytes) else {"json": arguments}
    assert said in problem(http.post(f"{path}/workshop/order_parts", **body), 422, "invalid_arguments")
    assert http.get(f"{path}/log").json()["calls"][0]["error"] == "invalid_arguments"


@pytest.mark.parametrize(
    ("asked", "status", "code", "said"),
    [
        ({"domain": "workshp"}, 404, "unknown_name", "did you mean 'workshop'"),
        ({"domain": "workshop", "data": "own:/etc"}, 404, "unknown_name", "no data 'own:/etc' of workshop"),
        ({"domain": "workshop", "task": "w2"}, 404, "unknown_name", "has no task 'w2'"),
        (
            {"domain": "workshop", "task": {"id": "x", "domain": "workshop", "data": "own:/etc"}},
            404,
            "unknown_name",
            "own:/etc",
        ),
        ({"domain": "workshop", "task": {"id": "x", "domain": "kiosk"}}, 409, "does_not_fit", "belongs to kiosk"),
        (
            {"domain": "kiosk", "task": {"id": "x", "domain": "kiosk", "setup": [{"name": "f"}]}},
            409,
            "does_not_fit",
            "set-up call f was refused",
        ),
        ({"domain": "workshop", "ttl": 0}, 422, "invalid_request", "ttl: must be more than 0"),
        ({"domain": "workshop", "seed": True}, 422, "invalid_request", "seed: must be a number"),
        ({"domain": "workshop", "tll": 5}, 422, "invalid_request", "tll"),
        ({}, 422, "invalid_request", "domain: is missing"),
        ({"snapshot": {}}, 422, "invalid_request", "snapshot.domain: is missing"),
    ],
)
def test_mistakes_in_opening_are_explained(
    http: httpx2.Client, asked: dict[str, Any], status: int, code: str, said: str
) -> None:
    assert said in problem(http.post("/sessions", json=asked), status, code)


def test_a_clock_with_a_time_zone_is_read_as_the_worlds(http: httpx2.Client) -> None:
    opened = http.post("/sessions", json={"domain": "workshop", "now": "2027-01-02T03:04:05+09:00"})
    assert opened.json()["now"] == "2027-01-02T03:04:05"


def test_a_session_of_a_task_offers_the_tools_of_that_task(http: httpx2.Client) -> None:
    task = {"id": "t", "domain": "workshop", "tools": ["list_stock"], "now": "2027-01-02T03:04:05+09:00"}
    opened = http.post("/sessions", json={"domain": "workshop", "task": task}).json()
    assert (opened["tools"], opened["now"]) == (["list_stock"], "2027-01-02T03:04:05")
    path = f"/sessions/{opened['id']}"
    assert http.post(f"{path}/workshop/list_stock", json={}).status_code == 200
    said = problem(http.post(f"{path}/workshop/order_parts", json=ORDER), 404, "unknown_tool")
    assert said.endswith("Tools: list_stock.")
    listing = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accept = {"accept": "application/json, text/event-stream"}
    listed = http.post(f"{path}/mcp", json=listing, headers=accept).json()["result"]["tools"]
    assert [tool["name"] for tool in listed] == ["list_stock"]


def test_a_task_in_a_request_may_have_either_format(http: httpx2.Client) -> None:
    task = {"id": "t", "domain": "workshop", "goals": [{"kind": "ask", "say": "What is in stock?"}]}
    opened = http.post("/sessions", json={"domain": "workshop", "task": task}).json()
    goal = http.get(f"/sessions/{opened['id']}/snapshot").json()["task"]["goals"][0]
    assert goal["utterance"] == "What is in stock?" and "say" not in goal
    newer = http.post("/sessions", json={"domain": "workshop", "task": task | {"format_version": 3}})
    assert "format 3 is unknown, this toolgym reads 1 and 2" in problem(newer, 422, "invalid_request")


def test_mistakes_in_addresses_are_explained(server: Running, http: httpx2.Client) -> None:
    path = server.open()
    problem(http.get("/sessions/guess"), 404, "unknown_session")
    problem(http.post("/sessions/guess/workshop/list_stock", json={}), 404, "unknown_session")
    assert "lives in workshop" in problem(http.post(f"{path}/kiosk/find_tickets", json={}), 404, "wrong_domain")
    problem(http.get("/nothing"), 404, "not_found")
    wrong = http.put(path)
    problem(wrong, 405, "wrong_method")
    assert wrong.headers["allow"] == "DELETE, GET"
    problem(http.get(f"{path}/workshop/list_stock"), 405, "wrong_method")
    problem(http.get("/domains/worksho/tools"), 404, "unknown_name")
    problem(http.get("/domains/workshop/tasks", params={"split": "tset"}), 404, "unknown_name")
    problem(http.post("/sessions", content="{"), 400, "invalid_json")
    problem(http.post(f"{path}/call", json={"name": 1}), 422, "invalid_request")
    problem(http.post(f"{path}/call", content='{"name": "\\ud800"}'), 404, "unknown_tool")


def test_a_call_with_the_same_key_is_applied_once(server: Running, http: httpx2.Client) -> None:
    path, key = server.open(), {"Idempotency-Key": "order-1"}
    first = http.post(f"{path}/workshop/order_parts", json=ORDER, headers=key)
    second = http.post(f"{path}/workshop/order_parts", json=ORDER, headers=key)
    assert first.content == second.content and second.headers["idempotent-replayed"] == "true"
    assert "idempotent-replayed" not in first.headers
    assert len(http.get(f"{path}/log").json()["calls"]) == 1
    problem(http.post(f"{path}/workshop/list_stock", json={}, headers=key), 409, "key_reused")
    problem(
        http.post(f"{path}/workshop/list_stock", json={}, headers={"Idempotency-Key": "k" * 201}),
        422,
        "invalid_request",
    )
    refused = {"name": "nonsense"}
    for _ in range(2):
        problem(http.post(f"{path}/call", json=refused, headers={"Idempotency-Key": "r"}), 404, "unknown_tool")
    assert len(http.get(f"{path}/log").json()["calls"]) == 2


def test_opening_with_the_same_key_opens_once(http: httpx2.Client) -> None:
    key = {"Idempotency-Key": "0123456789abcdef-open"}
    asked = {"domain": "workshop", "seed": 1}
    first, second = (http.post("/sessions", json=asked, headers=key).json() for _ in range(2))
    assert first["id"] == second["id"]
    problem(http.post("/sessions", json={"domain": "workshop"}, headers=key), 409, "key_reused")
    problem(http.post("/sessions", json=asked, headers={"Idempotency-Key": "short"}), 422, "invalid_request")


def test_a_long_log_comes_in_parts_and_means_the_same(server: Running, http: httpx2.Client) -> None:
    with Session("kiosk", seed=3) as twin:
        path = server.open("kiosk", seed=3)
        for number in range(40):
            twin.call("find_tickets", {"holder": "x" * 90_000 + str(number)})
            http.post(f"{path}/kiosk/find_tickets", json=twin.log[-1].arguments)
        whole, snapshot = http.get(f"{path}/log"), http.get(f"{path}/snapshot")
        for answer in (whole, snapshot):
            assert "content-length" not in answer.headers and len(answer.content) > 3_600_000
        calls: list[Any] = [record["arguments"] for record in whole.json()["calls"]]
        assert calls == [record.arguments for record in twin.log]
        assert Snapshot.model_validate_json(snapshot.content).log[-1].arguments == calls[-1]
        fork = http.post(f"{path}/fork", json={}).json()
        assert fork["calls"] == 40
        assert http.get(f"/sessions/{fork['id']}/log").content == whole.content
        http.post(f"{path}/rollback", json={"calls": 0})
        assert http.get(f"{path}/log").content == b'{"calls":[]}'
        http.post(f"{path}/kiosk/find_tickets", json={"holder": "Ada Moreau"})
        assert len(http.get(f"{path}/log").json()["calls"]) == 1  # after pieces of which nothing is left
