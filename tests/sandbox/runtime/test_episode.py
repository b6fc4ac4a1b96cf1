"""An episode's loop: messages flow, limits hold, and what breaks outside the agent is recorded, not raised."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import pytest

from toolgym.sandbox.kit.errors import InfrastructureError, ToolgymError
from toolgym.sandbox.kit.message import STOP, Json, Message, Party, ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.tool import ToolResult
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.limits import Limits
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import AgentPlayer, Briefing, UserPlayer
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory


class Script:
    """Plays fixed messages; an exception in the script is raised."""

    privileged = False

    def __init__(self, *lines: Message | str | Exception) -> None:
        self.lines = lines
        self.seen: list[Sequence[Message]] = []

    def open(self, *_: object, **__: object) -> Any:
        self.rest = iter(self.lines)
        return self

    async def act(self, messages: Sequence[Message]) -> Message:
        return self._next(messages, "assistant")

    async def reply(self, messages: Sequence[Message]) -> Message:
        return self._next(messages, "user")

    def _next(self, messages: Sequence[Message], role: Literal["assistant", "user"]) -> Message:
        self.seen.append(messages)
        line = next(self.rest)
        if isinstance(line, Exception):
            raise line
        return Message(role=role, content=line) if isinstance(line, str) else line


def _types(agent: Script) -> tuple[AgentPlayer, UserPlayer]:
    return agent, agent


def calls(*steps: tuple[str, dict[str, Json]]) -> Message:
    return Message(role="assistant", tool_calls=tuple(ToolCall(name=name, arguments=given) for name, given in steps))


def play(agent: Script, user: Script | None, session: Any = None, **limits: Any) -> Trajectory:
    domain = get_domain("kiosk")
    task = domain.tasks("test")[0]
    episode = Episode(domain, task, session or Session(domain, task=task), user, limits=Limits(**limits))
    return asyncio.run(run_episode(episode, agent, trial=2, agent_name="script", user_name="script"))


FREE = ("list_free_seats", {"evening": "Sunday"})


def test_a_conversation_with_calls() -> None:
    agent, user = Script("Hello", calls(FREE), "Six seats."), Script("Hi", "How many?", f"Thanks {STOP}")
    trajectory = play(agent, user)
    assert trajectory.termination == "user_stop" and trajectory.trial == 2
    assert [m.role for m in trajectory.messages] == [
        "user",
        "assistant",
        "user",
        "assistant",
        "tool",
        "assistant",
        "user",
    ]
    assert trajectory.messages[3].tool_calls[0].id == trajectory.messages[4].tool_call_id == "call_1"
    assert all(m.role in {"user", "assistant"} and not m.tool_calls for m in user.seen[-1]), "the user sees no tools"
    assert trajectory.timing.total >= trajectory.timing.environment > 0


def test_turn_limit() -> None:
    trajectory = play(Script(*["again"] * 5), Script(*["and?"] * 9), max_turns=3)
    assert trajectory.termination == "max_turns" and len(trajectory.turns()) == 3


def test_errors_in_a_row_end_the_episode() -> None:
    bad = calls(("no_such_tool", {}))
    trajectory = play(Script(bad, calls(FREE), bad, bad, bad), Script("Hi"), max_errors=3)
    assert trajectory.termination == "max_errors" and len(trajectory.calls) == 5


def test_the_first_reason_to_end_stands() -> None:
    domain = get_domain("kiosk")
    task = domain.tasks("test")[0]
    episode = Episode(domain, task, Session(domain, task=task), Script("Hi"))
    asyncio.run(episode.start())
    assert not episode.done and episode.termination is None
    episode.end("max_tokens")
    episode.end("time_limit")
    episode.fail(InfrastructureError("model", "The endpoint is down."))
    trajectory = episode.trajectory()
    assert episode.done and trajectory.termination == "max_tokens" and trajectory.fault is None
    with pytest.raises(ToolgymError, match="has ended"):
        asyncio.run(episode.step(Message(role="assistant", content="Hello")))


def test_a_message_that_ends_the_episode_is_not_overruled_by_a_limit() -> None:
    trajectory = play(Script("Bye"), Script("Hi", STOP), max_turns=1, episode_seconds=1e-9)
    assert trajectory.termination == "user_stop"


def test_too_many_calls_in_one_message() -> None:
    trajectory = play(Script(calls(FREE, FREE, FREE), "ok"), Script("Hi", STOP), max_calls_per_turn=2)
    assert len(trajectory.calls) == 2
    assert [m.content for m in trajectory.messages if m.role == "tool"][-1] == (
        "Error: at most 2 calls are run per message [too_many_calls]"
    )


def test_long_results_are_cut_with_a_note() -> None:
    trajectory = play(Script(calls(FREE), "ok"), Script("Hi", STOP), max_result_chars=100)
    shown = next(m.content for m in trajectory.messages if m.role == "tool")
    assert shown is not None and len(shown) < 140 and "more characters" in shown


def test_broken_endpoints_are_recorded_faults() -> None:
    for agent, user, boundary in (
        (Script(InfrastructureError("model", "The endpoint is down.")), Script("Hi"), "model"),
        (Script("Hello"), Script("Hi", InfrastructureError("user", "No reply.")), "user"),
        (Script("Hello"), Script(InfrastructureError("user", "No reply.")), "user"),
    ):
        trajectory = play(agent, user)
        assert trajectory.termination == "infrastructure_error"
        assert trajectory.fault is not None and trajectory.fault.boundary == boundary


class SlowAgent(Script):
    """Never answers."""

    async def act(self, messages: Sequence[Message]) -> Message:
        await asyncio.sleep(30)
        raise AssertionError("unreachable")


def test_a_silent_agent_costs_one_episode() -> None:
    trajectory = play(SlowAgent(), Script("Hi"), model_seconds=0.05)
    assert trajectory.fault is not None and "0.05 s" in trajectory.fault.message


class SlowSession(Session):
    """Waits for something outside the process, too long."""

    blocking = True

    def call(self, name: str, arguments: Mapping[str, Json] | str, *, by: Party = "agent") -> ToolResult:
        time.sleep(0.3)
        return super().call(name, arguments, by=by)


def test_a_hanging_tool_costs_one_episode() -> None:
    trajectory = play(Script(calls(FREE)), Script("Hi"), SlowSession("kiosk"), tool_seconds=0.05)
    assert trajectory.fault is not None and trajectory.fault.boundary == "tool"


def test_solo_work_needs_no_user() -> None:
    domain = get_domain("kiosk")
    task = Task(id="solo", domain="kiosk", ticket="Count Sunday's free seats.")
    episode = Episode(domain, task, Session(domain, task=task), None)
    trajectory = asyncio.run(run_episode(episode, Script(calls(FREE), "Six.")))
    assert trajectory.termination == "agent_stop" and trajectory.messages[0].content == task.ticket


class Spy(Script):
    """Remembers its briefing."""

    def open(self, *briefings: object, **_: object) -> Any:
        self.briefing = briefings[0]
        return super().open()


def test_only_privileged_agents_see_the_task() -> None:
    for privileged in (False, True):
        spy = Spy("bye")
        spy.privileged = privileged
        play(spy, Script("Hi", STOP))
        assert isinstance(spy.briefing, Briefing)
        assert (spy.briefing.task is not None) == privileged
