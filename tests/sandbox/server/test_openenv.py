"""OpenEnv's wire: what any WebSocket client gets, and what the official one gets, which runs in its own environment."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from interfaces import actions_of
from toolgym_server import Running
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from toolgym.cli import main
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import make_agent, make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory, parse_line

OFFICIAL = os.environ.get("TOOLGYM_OPENENV_PYTHON")
official = pytest.mark.skipif(OFFICIAL is None, reason="`make` installs OpenEnv's client and names its interpreter")
PAGE = Path(__file__).parents[3] / "docs" / "openenv.md"
DRIVER = Path(__file__).parents[2] / "servers" / "openenv_driver.py"


@contextmanager
def socket(server: Running, world: str = "retail", **options: Any) -> Iterator[ClientConnection]:
    """A socket of a world."""
    with connect(f"{server.url.replace('http', 'ws', 1)}/openenv/{world}/ws", **options) as connection:
        yield connection


def ask(connection: ClientConnection, type_: str, data: Any = None) -> dict[str, Any]:
    """The answer to a message."""
    connection.send(json.dumps({"type": type_} | ({} if data is None else {"data": data})))
    answer = json.loads(connection.recv(timeout=600))
    assert isinstance(answer, dict)
    return answer


def recorded(agent: str, world: str, index: int, seed: int) -> Trajectory:
    """What an agent does in process with the task and the seed that a reset would take."""
    domain = get_domain(world)
    task = domain.tasks("test", "v2")[index]
    with Session(domain, data=task.data, task=task) as session:
        episode = Episode(domain, task, session, make_user("scripted"), seed=Random(seed).getrandbits(31))
        return asyncio.run(run_episode(episode, make_agent(agent)))


# --- the protocol ---


def test_an_episode_is_played_and_ends_with_the_verifiers_reward(server: Running) -> None:
    trajectory = recorded("demonstrator", "retail", 3, seed=5)
    assert verify(trajectory).passed()
    with socket(server) as connection:
        opening = ask(connection, "reset", {"split": "test", "index": 3, "seed": 5})
        assert opening["type"] == "observation" and opening["data"]["reward"] is None
        observation = opening["data"]["observation"]
        assert observation["task_id"] == trajectory.task.id and "return" in observation["policy"]
        assert {tool["function"]["name"] for tool in observation["tools"]} == set(get_domain("retail").tools)
        answers = [ask(connection, "step", action)["data"] for action in actions_of(trajectory, as_text=False)]
        assert [answer["reward"] for answer in answers] == [0.0] * (len(answers) - 1) + [1.0]
        assert [answer["done"] for answer in answers] == [False] * (len(answers) - 1) + [True]
        said = [line for answer in answers for line in answer["observation"]["messages"]]
        heard = [message.content for message in trajectory.messages[1:] if message.role in ("user", "tool")]
        assert [line["content"] for line in said] == heard
        kept = parse_line(answers[-1]["metadata"]["trajectory"])
        assert verify(kept).passed() and kept.termination == answers[-1]["metadata"]["termination"] == "user_stop"
        state = ask(connection, "state")["data"]
        assert (state["done"], state["reward"], state["step_count"]) == (True, 1.0, len(answers))
        assert ask(connection, "step", {"message": "Hello?"})["data"]["code"] == "SESSION_ERROR"
        assert ask(connection, "reset", {"task": trajectory.task.id})["type"] == "observation"


@pytest.mark.parametrize(
    ("message", "code", "says"),
    [
        ("{", "INVALID_JSON", "not valid JSON"),
        ("[" * 5000, "VALIDATION_ERROR", "nests more than 64"),
        ("[1]", "UNKNOWN_TYPE", "reset, step, state, mcp, close"),
        ('{"type": "fly"}', "UNKNOWN_TYPE", "reset, step"),
        ('{"type": "step"}', "VALIDATION_ERROR", "step.data: is missing"),
        ('{"type": "step", "data": {"message": "Hi"}}', "SESSION_ERROR", "send a reset first"),
        ('{"type": "reset", "data": {"task": "nope"}}', "VALIDATION_ERROR", "no task 'nope'"),
        ('{"type": "reset", "data": {"split": "nope"}}', "VALIDATION_ERROR", "nope"),
        ('{"type": "reset", "data": {"data": "own:/etc/passwd"}}', "VALIDATION_ERROR", "There is no data"),
        ('{"type": "reset", "data": {"split": "test", "index": 99999}}', "VALIDATION_ERROR", "there is no 99999"),
        ('{"type": "reset", "data": {"task": "a", "split": "test"}}', "VALIDATION_ERROR", "name a task, or a split"),
        ('{"type": "reset", "data": {"seed": -1}}', "VALIDATION_ERROR", "at least 0"),
        (r'{"type": "reset", "data": {"task": "\ud800"}}', "VALIDATION_ERROR", "surrogate"),
    ],
)
def test_a_wrong_message_gets_the_wires_own_error_and_the_socket_goes_on(
    server: Running, message: str, code: str, says: str
) -> None:
    with socket(server) as connection:
        connection.send(message)
        answer = json.loads(connection.recv(timeout=600))
        assert (answer["type"], answer["data"]["code"]) == ("error", code)
        assert says in answer["data"]["message"]
        assert ask(connection, "state")["data"]["episode_id"] is None


@pytest.mark.parametrize(
    "action",
    [{}, {"message": ""}, {"message": {"do": 1}}, {"message": None}, {"tool_calls": [{"arguments": {}}]}, {"do": 1}],
)
def test_what_is_no_action_costs_no_turn(server: Running, action: dict[str, Any]) -> None:
    with socket(server, "banking") as connection:
        ask(connection, "reset", {"seed": 1, "episode_id": "mine"})
        assert ask(connection, "step", action)["data"]["code"] == "VALIDATION_ERROR"
        state = ask(connection, "state")["data"]
        assert (state["step_count"], state["episode_id"]) == (0, "mine")


@pytest.mark.parametrize(
    "action",
    [
        {"message": '{"name": "list_all_product_types", "arguments": {}}'},
        {"message": '<tool_call>\n{"name": "list_all_product_types", "arguments": {}}\n</tool_call>'},
        {"message": "", "tool_calls": [{"name": "list_all_product_types"}]},
        {"tool_calls": [{"type": "function", "function": {"name": "list_all_product_types", "arguments": "{}"}}]},
        {"type": "call_tool", "tool_name": "list_all_product_types", "arguments": {}},
        {"name": "list_all_product_types", "arguments": {}},
        {"message": [{"name": "list_all_product_types", "arguments": {}}]},
    ],
)
def test_a_call_is_read_in_every_form_that_clients_write(server: Running, action: dict[str, Any]) -> None:
    with socket(server) as connection:
        ask(connection, "reset", {"seed": 1})
        [answer] = ask(connection, "step", action)["data"]["observation"]["messages"]
        assert answer["role"] == "tool" and "Backpack" in answer["content"]


def test_words_that_a_bridge_took_for_json_are_words(server: Running) -> None:
    with socket(server) as connection:
        ask(connection, "reset", {"seed": 1})
        [answer] = ask(connection, "step", {"message": 42})["data"]["observation"]["messages"]
        assert answer["role"] == "user"
        assert ask(connection, "state")["data"]["step_count"] == 1


def test_text_that_is_meant_as_a_call_and_is_none_costs_a_turn_and_says_why(server: Running) -> None:
    with socket(server) as connection:
        ask(connection, "reset", {"seed": 1})
        answer = ask(connection, "step", {"message": '{"name": "list_all_product_types", "arguments": {'})
        assert "could not be read" in answer["data"]["observation"]["messages"][0]["content"]
        assert ask(connection, "state")["data"]["step_count"] == 1


def test_an_episode_is_cut_after_as_many_steps_as_it_may_have(server: Running) -> None:
    with socket(server) as connection:
        ask(connection, "reset", {"seed": 1, "max_turns": 1})
        data = ask(connection, "step", {"name": "list_all_product_types"})["data"]
        assert (data["done"], data["reward"]) == (True, 0.0)
        assert (data["metadata"]["termination"], data["metadata"]["truncated"]) == ("max_turns", True)


def test_pages_and_task_routes(server: Running) -> None:
    with server.client() as http:
        base = "/openenv/banking"
        assert http.get(f"{base}/health").json() == {"status": "healthy"}
        assert http.get(f"{base}/metadata").json()["name"] == "banking"
        schema = http.get(f"{base}/schema").json()
        assert schema["action"]["required"] == ["message"] and schema["observation"] and schema["state"]
        assert http.get(f"{base}/openapi.json").json()["info"]["version"]
        assert http.get(f"{base}/list_environments").json() == ["banking"]
        splits = {split["name"]: split["type"] for split in http.get(f"{base}/banking/splits").json()}
        assert splits == {"train": "train", "dev": "validation", "test": "test", "depth": "validation"}
        assert http.get("/openenv/nowhere/health").status_code == 404
        wrong = http.get(f"{base}/retail/splits")
        assert wrong.status_code == 404 and "This is banking" in wrong.json()["detail"]


def test_a_task_of_the_task_routes_is_what_a_reset_takes(server: Running) -> None:
    with server.client() as http, socket(server) as connection:
        base = "/openenv/retail/retail"
        count = http.post(f"{base}/num_tasks", json={"split": "test"}).json()["num_tasks"]
        assert count == len(get_domain("retail").tasks("test", "v2"))
        task = http.post(f"{base}/task", json={"split": "test", "index": 7}).json()["task"]
        assert not {"gold", "goals", "facts"} & task.keys()
        assert http.post(f"{base}/task_range", json={"split": "test", "start": 7, "stop": 8}).json()["tasks"] == [task]
        assert len(http.post(f"{base}/tasks", json={"split": "test"}).json()["tasks"]) == count
        assert http.post(f"{base}/task", json={"split": "test", "index": count}).status_code == 400
        assert ask(connection, "reset", {"task": task})["data"]["observation"]["task_id"] == task["id"]


def test_json_rpc_lists_and_calls_tools(server: Running) -> None:
    def rpc(http: Any, method: str, **params: Any) -> Any:
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        return http.post("/openenv/retail/mcp", json=body).json()

    with server.client() as http:
        names = {tool["name"] for tool in rpc(http, "tools/list")["result"]["tools"]}
        assert names == set(get_domain("retail").tools)
        assert "session_id" in rpc(http, "tools/call", name="calculate")["error"]["message"]
        assert rpc(http, "fly")["error"]["code"] == -32601
        assert http.post("/openenv/retail/mcp", content=b"{").json()["error"]["code"] == -32700
        assert http.post("/openenv/retail/mcp", json={}).json()["error"]["code"] == -32600
        wrong = http.post("/openenv/retail/mcp", json={"jsonrpc": "2.0", "id": True, "method": "tools/list"}).json()
        assert wrong["error"]["code"] == -32600 and wrong["id"] is None, "true is no id, and not 1"
        identifier = rpc(http, "openenv/session/create")["result"]["session_id"]
        url = f"{server.url.replace('http', 'ws', 1)}/openenv/retail/ws?session_id={identifier}"
        with connect(url) as connection:
            with connect(url) as second:
                assert "a socket already" in second.recv(timeout=600)
            assert "send a reset first" in rpc(http, "tools/call", session_id=identifier, name="x")["error"]["message"]
            ask(connection, "reset", {"seed": 1})
            over_http = rpc(http, "tools/call", session_id=identifier, name="list_all_product_types")["result"]
            request = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "list_all_product_types"}}
            over_socket = ask(connection, "mcp", request)["data"]["result"]
            assert over_http == over_socket and "Backpack" in over_http["data"]
            refused = rpc(
                http, "tools/call", session_id=identifier, name="get_user_details", arguments={"user_id": "x"}
            )
            assert refused["result"]["isError"] and "user_not_found" in refused["result"]["data"]
            assert ask(connection, "state")["data"]["step_count"] == 3
        assert rpc(http, "openenv/session/close", session_id=identifier)["result"]["closed"]
        assert "no such session" in rpc(http, "tools/list", session_id=identifier)["error"]["message"]


@pytest.mark.slow
def test_sockets_leave_no_sessions_behind_and_are_under_the_servers_quota(folder: Path) -> None:
    with Running(folder, "--worlds", "retail", "--max-sessions", "2") as server, server.client() as http:
        for _ in range(4):
            with socket(server) as connection:
                assert ask(connection, "reset", {"seed": 1})["type"] == "observation"
                assert ask(connection, "reset", {"seed": 2})["type"] == "observation"
        with socket(server) as first, socket(server) as second:
            assert ask(first, "reset")["type"] == ask(second, "reset")["type"] == "observation"
            with socket(server) as third:
                answer = json.loads(third.recv(timeout=600))
                assert answer["data"]["code"] == "CAPACITY_REACHED" and "2 environments" in answer["data"]["message"]
            assert http.post("/sessions", json={"domain": "retail"}).status_code == 429
        assert 'door="socket"' in http.get("/metrics").text
        for _ in range(2):
            assert http.post("/sessions", json={"domain": "retail"}).status_code == 201


@pytest.fixture(scope="module")
def metered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    flags = ("--watch", "--calls-per-second", "500")
    with Running(tmp_path_factory.mktemp("metered"), *flags) as running:
        yield running


@pytest.mark.slow
def test_what_a_socket_closes_itself_is_freed_when_it_leaves(metered: Running) -> None:
    with metered.client() as http:
        with socket(metered, "kiosk") as connection:
            request = {"jsonrpc": "2.0", "method": "openenv/session/create", "id": 1}
            named = ask(connection, "mcp", request)["data"]["result"]
            request = {"jsonrpc": "2.0", "method": "openenv/session/close", "id": 2, "params": named}
            assert ask(connection, "mcp", request)["data"]["result"]["closed"]
            assert ask(connection, "reset", {"seed": 1})["type"] == "observation"
            assert http.get("/watch").json()["open"] == 1
        deadline = time.monotonic() + 600
        while http.get("/watch").json()["open"] and time.monotonic() < deadline:
            time.sleep(0.05)
        assert http.get("/watch").json()["open"] == 0


@pytest.mark.slow
def test_a_socket_that_sends_without_waiting_holds_nobody_up(metered: Running) -> None:
    """Thousands of messages that are there at once take turns with other requests, and no more a second than calls."""
    with metered.client() as http, socket(metered, "kiosk") as connection:
        ask(connection, "reset", {"seed": 1})
        started = time.monotonic()
        for text in ('{"type": "state"}', "x"):
            for _ in range(1000):
                connection.send(text)
        waited = []
        for _ in range(5):
            asked = time.monotonic()
            assert http.get("/healthz").status_code == 200
            waited.append(time.monotonic() - asked)
        answers = [json.loads(connection.recv(timeout=600))["type"] for _ in range(2000)]
        assert answers == ["state"] * 1000 + ["error"] * 1000
        assert time.monotonic() - started > 2.9, "500 of 2,000 at once, the others at 500 a second"
        assert sorted(waited)[2] < 1.5, waited


@pytest.mark.slow
def test_an_episode_that_breaks_is_an_error_and_no_reward(folder: Path) -> None:
    with Running(folder, "--worlds", "retail", "--max-calls", "1") as server, socket(server) as connection:
        ask(connection, "reset", {"seed": 1})
        assert ask(connection, "step", {"name": "list_all_product_types"})["type"] == "observation"
        broken = ask(connection, "step", {"name": "list_all_product_types"})
        assert broken["type"] == "error" and broken["data"]["code"] == "EXECUTION_ERROR"
        assert "1 calls" in broken["data"]["message"]
        assert ask(connection, "state")["data"]["termination"] == "infrastructure_error"
        assert ask(connection, "reset", {"seed": 1})["type"] == "observation"


@pytest.mark.slow
def test_too_long_messages_and_a_server_that_stops_close_sockets_with_their_codes(folder: Path) -> None:
    with Running(folder, "--worlds", "retail") as server:
        with socket(server) as long, pytest.raises(ConnectionClosed) as closed:
            ask(long, "reset", {"task": "a" * 1_500_000})
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009
        with socket(server) as connection, pytest.raises(ConnectionClosed) as closed:
            ask(connection, "reset", {"seed": 1})
            server.process.send_signal(signal.SIGTERM)
            connection.recv(timeout=600)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1012


@pytest.mark.slow
def test_a_token_is_asked_of_sockets_too_and_one_world_may_stand_at_the_root(folder: Path) -> None:
    token = "a-token-for-the-tests"
    with Running(folder, "--openenv", "kiosk", TOOLGYM_TOKEN=token) as server:
        with pytest.raises(InvalidStatus) as refused, socket(server):
            pass
        assert refused.value.response.status_code == 401
        assert b"Authorization: Bearer" in (refused.value.response.body or b"")
        headers = {"Authorization": f"Bearer {token}"}
        with connect(f"{server.url.replace('http', 'ws', 1)}/ws", additional_headers=headers) as connection:
            assert ask(connection, "state")["data"]["world"] == "kiosk"
    assert main(["serve", "--openenv", "nowhere"]) == 2


def test_a_socket_of_another_sites_page_is_refused(server: Running) -> None:
    with pytest.raises(InvalidStatus) as refused, socket(server, origin="https://elsewhere.example"):
        pass
    assert refused.value.response.status_code == 403


def test_the_folder_for_a_container(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "banking"
    assert main(["openenv", "banking", "--dir", str(folder)]) == 0
    assert "TOOLGYM_OPENENV=banking" in (folder / "Dockerfile").read_text()
    assert "name: toolgym_banking" in (folder / "openenv.yaml").read_text()
    assert main(["openenv", "banking", "--dir", str(folder)]) == 2
    assert "exists already" in capsys.readouterr().err


@pytest.mark.slow
@official
def test_the_folder_is_what_the_official_validator_wants(tmp_path: Path) -> None:
    folder = tmp_path / "banking"
    assert OFFICIAL is not None and main(["openenv", "banking", "--dir", str(folder)]) == 0
    command = [OFFICIAL, "-P", "-m", "openenv.cli", "validate", str(folder), "--level", "static"]
    assert "Verdict: PASS" in subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_a_reset_that_fails_leaves_no_episode_to_go_on_with(server: Running) -> None:
    with socket(server) as connection:
        ask(connection, "reset", {"seed": 1})
        assert ask(connection, "reset", {"task": "nope"})["type"] == "error"
        for action in ({"message": "Hello?"}, {"name": "list_all_product_types"}):
            assert "send a reset first" in ask(connection, "step", action)["data"]["message"]
        assert ask(connection, "state")["data"]["task_id"] is None


# --- the official client ---


def drive(server: Running, world: str, plays: list[dict[str, Any]], **more: Any) -> list[dict[str, Any]]:
    """What the official client gets."""
    assert OFFICIAL is not None
    asked = {"url": f"{server.url}/openenv/{world}", "headers": {}, "plays": plays, **more}
    done = subprocess.run(
        [OFFICIAL, "-P", str(DRIVER)], input=json.dumps(asked), capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    answers = json.loads(done.stdout)
    assert isinstance(answers, list)
    return answers


@official
@pytest.mark.slow
@pytest.mark.parametrize("world", ["retail", "banking"])
def test_agents_score_through_the_official_client_what_they_score_in_process(server: Running, world: str) -> None:
    runs = [(agent, index, recorded(agent, world, index, seed=index)) for agent in AGENTS for index in range(3)]
    plays = [
        {
            "reset": {"split": "test", "index": index, "seed": index},
            "actions": actions_of(trajectory, as_text=agent == "reckless"),
        }
        for agent, index, trajectory in runs
    ]
    for (agent, _, trajectory), answer in zip(runs, drive(server, world, plays), strict=True):
        assert answer["done"], (agent, answer)
        assert answer["rewards"][-1] == float(verify(trajectory).passed()), (agent, trajectory.task.id)
        assert parse_line(answer["metadata"]["trajectory"]).messages == trajectory.messages
    passed = {agent: sum(verify(run).passed() for name, _, run in runs if name == agent) for agent in AGENTS}
    assert passed["oracle"] == passed["demonstrator"] == 3 and passed["inert"] == 0


AGENTS = ("oracle", "demonstrator", "reckless", "inert")


@official
@pytest.mark.slow
def test_the_official_clients_hear_errors_and_call_tools_by_mcp(server: Running) -> None:
    plays = [{"reset": {"task": "nope"}, "actions": []}, {"reset": {"seed": 1}, "actions": [{"do": 1}]}]
    mcp = {"reset": {"seed": 1}, "tool": "list_all_product_types", "arguments": {}}
    called, unknown, wrong = drive(server, "retail", plays, mcp=mcp)
    assert set(called["tools"]) == set(get_domain("retail").tools)
    assert "Backpack" in called["value"] and called["steps"] == 1
    assert "no task 'nope'" in unknown["error"] and "VALIDATION_ERROR" in wrong["error"]


@official
@pytest.mark.slow
def test_the_page_s_example_runs_with_the_official_client(server: Running) -> None:
    [code] = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert "http://127.0.0.1:8000" in code
    command = [str(OFFICIAL), "-P", "-c", code.replace("http://127.0.0.1:8000", server.url)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0 and "0.0 user_stop" in done.stdout, done.stdout + done.stderr


@official
@pytest.mark.slow
def test_the_official_validator_passes_a_running_world(server: Running) -> None:
    command = [str(OFFICIAL), "-P", "-m", "openenv.cli", "validate", "--url", f"{server.url}/openenv/banking"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert "Verdict: PASS" in done.stdout, done.stdout + done.stderr


def test_where_calls_are_approved_a_no_is_the_calls_result(server: Running) -> None:
    task = get_domain("banking").tasks("test", "v2")[1]
    verify_pin, pay = task.goals[0].calls
    assert isinstance(pay.arguments, dict)
    wrong = {"name": pay.name, "arguments": {**pay.arguments, "amount_cents": 9999}}
    with socket(server, "banking") as connection:
        opened = ask(connection, "reset", {"task": task.id, "seed": 3, "consent": "call"})["data"]["observation"]
        assert "shown to the user by the system" in opened["policy"]
        calls = [{"name": verify_pin.name, "arguments": verify_pin.arguments}, wrong]
        answer = ask(connection, "step", {"tool_calls": calls})["data"]["observation"]
        assert answer["messages"][-1]["content"].endswith("[declined]")
        again = ask(connection, "step", {"tool_calls": [{**wrong, "arguments": pay.arguments}]})["data"]["observation"]
        assert not again["messages"][-1]["content"].startswith("Error"), "the same log goes on"
    with socket(server) as connection:
        refused = ask(connection, "reset", {"data": "tau2", "index": 0, "consent": "call"})
        assert refused["type"] == "error"
