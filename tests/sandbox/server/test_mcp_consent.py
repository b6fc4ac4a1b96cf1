"""Consent by call over MCP with the SDK's own client, which shows the call by elicitation: yes, no, never, twice."""

import traceback
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError
from toolgym_server import Running

from toolgym.cli import main
from toolgym.sandbox.remote.mcp_manager import TOOLGYM
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.server.mcp_consent import approvals_here
from toolgym.sandbox.server.mcp_tools import build, local_world

ERAS: list[Any] = ["legacy", "2026-07-28"]
GIVEN = {"ticket_id": "T118", "holder": "Ines Costa"}
YES = types.ElicitResult(action="accept", content={"approve": True})
NO = types.ElicitResult(action="accept", content={"approve": False, "reason": "Not that seat."})


class Person:
    """Whom the client asks."""

    def __init__(self, *answers: types.ElicitResult) -> None:
        self.answers, self.asked = list(answers), list[str]()

    async def __call__(self, context: Any, params: Any) -> types.ElicitResult:
        self.asked.append(params.message)
        assert params.requested_schema["required"] == ["approve"]
        return self.answers.pop(0)


def text(result: Any) -> str:
    return str(result.content[0].text)


@pytest.mark.slow
@pytest.mark.parametrize("era", ERAS)
async def test_a_call_is_shown_by_the_client_and_made_after_a_yes_alone(era: Any) -> None:
    no = types.ElicitResult(action="decline")
    person = Person(NO, no, types.ElicitResult(action="accept", content={}), YES)
    server = StdioServerParameters(command=TOOLGYM[0], args=[*TOOLGYM[1:], "mcp", "kiosk", "--consent", "call"])
    async with Client(server, mode=era, elicitation_callback=person) as client:
        assert "shown to the user by the system" in str(await client.get_prompt("policy"))
        heard = [text(await client.call_tool("reserve_ticket", GIVEN)) for _ in range(3)]
        assert heard == [
            "Error: Not that seat. [declined]",
            "Error: The user said no. [declined]",
            "Error: The user's answer could not be read; the call was not made. [declined]",
        ]
        assert '"holder": "Ines Costa"' in text(await client.call_tool("reserve_ticket", GIVEN))
        assert len(person.asked) == 4 and "T118" in person.asked[0]
        await client.call_tool("find_tickets", {"holder": "Ines Costa"})
        assert len(person.asked) == 4, "a read needs nobody's yes"


@pytest.mark.parametrize("era", ERAS)
async def test_a_client_that_cannot_ask_is_refused_as_it_opens(era: Any) -> None:
    with Session("kiosk") as session:
        world = local_world(session, "agent", approvals_here(session))
        with pytest.raises((MCPError, ExceptionGroup)) as refused:  # the client's tasks end with it
            async with Client(build(lambda context: world), mode=era) as client:
                await client.list_tools()
        assert "connect with a client that offers elicitation" in "".join(traceback.format_exception(refused.value))
        assert not session.log


async def test_nobody_answers_and_the_call_is_not_made() -> None:
    async def never(context: Any, params: Any) -> types.ElicitResult:
        await anyio.sleep(60)
        raise AssertionError

    with Session("kiosk") as session:
        world = local_world(session, "agent", approvals_here(session, seconds=0.1))
        async with Client(build(lambda context: world), mode="legacy", elicitation_callback=never) as client:
            result = await client.call_tool("reserve_ticket", GIVEN)
            assert text(result) == "Error: The user has not answered in 0.1 s; the call was not made. [declined]"
        assert [record.error for record in session.log] == ["declined"] and not session.diff()


async def test_an_answer_counts_once_and_for_its_call_alone() -> None:
    with Session("kiosk") as session:
        world = local_world(session, "agent", approvals_here(session))
        async with Client(build(lambda context: world), mode="2026-07-28", elicitation_callback=Person()) as client:

            async def call(given: dict[str, Any], state: str | None) -> Any:
                more: dict[str, Any] = {"input_responses": {"approval": YES}, "request_state": state} if state else {}
                return await client.session.call_tool("reserve_ticket", given, allow_input_required=True, **more)

            asked = await call(GIVEN, None)
            assert isinstance(asked, types.InputRequiredResult) and not session.log
            with pytest.raises(MCPError, match="answers no question about this call"):
                await call(GIVEN | {"ticket_id": "T117"}, asked.request_state)
            first, again = [text(await call(GIVEN, asked.request_state)) for _ in range(2)]
            assert first == again and len(session.log) == 1
            with pytest.raises(MCPError, match="answers no question about this call"):
                await call(GIVEN, "made up")


@pytest.mark.slow
async def test_over_http_any_worker_takes_the_answer_and_nothing_is_made_without(tmp_path: Path) -> None:
    with Running(tmp_path, "--consent", "call", "--workers", "2", "--worlds", "kiosk", "retail") as server:
        path = server.open("kiosk")
        mcp = f"{server.url}{path}/mcp"
        person = Person(NO, types.ElicitResult(action="cancel"), YES)
        async with Client(mcp, mode="2026-07-28", elicitation_callback=person) as client:
            assert "shown to the user by the system" in str(await client.get_prompt("policy"))
            heard = [text(await client.call_tool("reserve_ticket", GIVEN)) for _ in range(3)]
            assert heard[:2] == ["Error: Not that seat. [declined]", "Error: The user said no. [declined]"]
            assert '"holder": "Ines Costa"' in heard[2] and len(person.asked) == 3

        async def never(context: Any, params: Any) -> types.ElicitResult:
            await anyio.sleep(60)
            raise AssertionError

        release = {"ticket_id": "T118", "holder": "Ines Costa"}
        async with Client(mcp, mode="2026-07-28", elicitation_callback=never) as client:
            with anyio.move_on_after(0.5):
                await client.call_tool("release_ticket", release)
            asked = await client.session.call_tool("release_ticket", release, allow_input_required=True)
            assert isinstance(asked, types.InputRequiredResult)
            more: dict[str, Any] = {"input_responses": {"approval": YES}, "request_state": asked.request_state}
            answers = [await client.session.call_tool("release_ticket", release, **more) for _ in range(6)]
            assert len({text(answer) for answer in answers}) == 1, "an answer that is sent again is the same one"
        log = server.request("GET", f"{path}/log").json()["calls"]
        assert [(call["name"], call["error"]) for call in log] == [
            ("reserve_ticket", "declined"),
            ("reserve_ticket", "declined"),
            ("reserve_ticket", None),
            ("release_ticket", None),
        ]
        for mode, options in (("2026-07-28", {}), ("legacy", {"elicitation_callback": person})):
            with pytest.raises((MCPError, ExceptionGroup)) as refused:
                async with Client(mcp, mode=mode, **options) as client:
                    await client.list_tools()
            said = "".join(traceback.format_exception(refused.value))
            assert ("offers elicitation" if not options else "a client of protocol 2026-07-28") in said
        by_rest = server.request("POST", f"{path}/call", json={"name": "reserve_ticket", "arguments": GIVEN})
        assert by_rest.status_code == 403 and "over MCP" in by_rest.json()["error"]["message"]
        looked = server.request("POST", f"{path}/call", json={"name": "find_tickets", "arguments": {"holder": "X"}})
        assert looked.status_code == 200
        others = server.request("POST", "/sessions", json={"domain": "retail", "data": "tau2"})
        assert others.status_code == 409 and "worlds' own data" in others.json()["error"]["message"]


def test_what_it_is_not_for_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", "retail", "--data", "tau2", "--consent", "call"]) == 2
    assert main(["mcp", "telecom", "--as", "user", "--consent", "call"]) == 2
    said = capsys.readouterr().err
    assert "consent=call is for worlds' own data" in said and "leave out --as user" in said
    assert main(["mcp", "kiosk", "--consent", "call", "--config"]) == 0
    assert '"--consent",' in capsys.readouterr().out
