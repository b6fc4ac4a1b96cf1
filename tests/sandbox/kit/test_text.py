"""Whatever text comes in, what is kept can be written and read again: halves of surrogate pairs, depth, NaN."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import Message, ToolCall
from toolgym.sandbox.kit.task import Assertion, Fact, Goal, Task, read_tasks
from toolgym.sandbox.kit.text import escaped, is_plain, kept, mended, read_lines
from toolgym.sandbox.models.reply import Completion, read_reply
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import Usage
from toolgym.sandbox.runtime.session import Session, Snapshot
from toolgym.sandbox.runtime.trajectory import parse_line, read_trajectories

ODD = [
    "\ud800",
    "\udfff",
    "\ud83d\ude00",
    "\ude00\ud83d",
    "\x00",
    "\ufffe",
    "\U0010ffff",
    "\ufdd0",
    "\u202e",
    "\ufeff",
    "😀",
]
TEXTS = st.lists(st.sampled_from([*ODD, "a", "\\", '"', "\n"]), max_size=6).map("".join)
VALUES = st.recursive(
    TEXTS | st.integers() | st.floats() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


def deep(levels: int) -> Any:
    value: Any = "x"
    for _ in range(levels):
        value = [value]
    return value


@given(TEXTS)
def test_text_stays_as_it_is_but_for_halves_of_pairs(text: str) -> None:
    written = escaped(text)
    assert written.encode().decode() == written
    assert (written == text) == (not any("\ud800" <= sign <= "\udfff" for sign in text))


@given(VALUES)
def test_values_stay_as_they_are_where_json_gives_them_back(value: Any) -> None:
    assert is_plain(kept(value))
    assert kept(value) == value or not is_plain(value)
    assert is_plain(mended(value))
    assert mended(value) == value or not is_plain(value)
    assert type(mended(value)) is type(value) or isinstance(value, float)


def test_values_that_are_no_json_are_kept_as_text() -> None:
    for value in (deep(150), deep(300), deep(100_000), object(), {(1, 2): 3}, 10**5000, math.inf, {3}):
        assert is_plain(kept(value)) and is_plain(mended(value))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(TEXTS | st.just("find_tickets"), st.dictionaries(TEXTS | st.just("holder"), VALUES, max_size=2)))
)
def test_a_sessions_log_can_be_written_and_restored_whatever_was_called(
    calls: list[tuple[str, dict[str, Any]]],
) -> None:
    with Session("kiosk") as session:
        for name, arguments in calls:
            session.call(name, arguments)
            session.call("find_tickets", {"holder": name})
            session.call("find_tickets", json.dumps(arguments, ensure_ascii=False))
        snapshot = Snapshot.model_validate_json(session.snapshot().model_dump_json())
        assert list(snapshot.log) == session.log
        with Session.restore(snapshot) as again:
            assert again.digest() == session.digest()


@pytest.mark.parametrize("levels", [64, 199, 300, 100_000])
def test_deep_arguments_do_not_end_a_log(levels: int) -> None:
    with Session("kiosk") as session:
        assert session.call("find_tickets", {"holder": deep(levels)}).error
        assert Snapshot.model_validate_json(session.snapshot().model_dump_json()).log == tuple(session.log)


class Odd:
    """An agent and a user whose every text is half a character."""

    privileged = False

    def __init__(self) -> None:
        self.notes = {"thought": "\ud800", "by": deep(300)}
        self._turns = 0

    def open(self, briefing: Any, **_: Any) -> "Odd":
        return Odd()

    async def reply(self, messages: tuple[Message, ...]) -> Message:
        self._turns += 1
        return Message(role="user", content="Hi \ud800" + "###STOP###" * (self._turns > 1))

    async def act(self, messages: tuple[Message, ...]) -> Message:
        self._turns += 1
        if self._turns > 3:
            return Message(role="assistant", content="bye \udfff", reasoning="\ud800")
        arguments: list[Any] = ["\ud800", {"holder": "\ud800"}, {"holder": deep(300)}]
        call = ToolCall(
            name="find_tickets\ud800"[: -1 if self._turns > 1 else None], arguments=arguments[self._turns - 1]
        )
        return Message(role="assistant", tool_calls=(call,))


async def test_an_episode_of_halves_is_recorded_and_read_again() -> None:
    domain = get_domain("kiosk")
    task = domain.tasks("test")[0]
    with Session(domain, task=task) as session:
        odd: Any = Odd()
        trajectory = await run_episode(Episode(domain, task, session, odd), odd, agent_name="\ud800")
    assert parse_line(trajectory.to_line()) == trajectory
    assert [call.error for call in trajectory.calls] == ["unknown_tool", "invalid_arguments", "invalid_arguments"]
    assert trajectory.messages[0].content == "Hi \\ud800" and trajectory.messages[-2].content == "bye \\udfff"
    trajectory.canonical().encode()


async def test_a_broken_agents_words_are_kept() -> None:
    class Broken(Odd):
        def open(self, briefing: Any, **_: Any) -> "Odd":
            return Broken()

        async def act(self, messages: tuple[Message, ...]) -> Message:
            raise ValueError("half \ud800")

    domain = get_domain("kiosk")
    task = domain.tasks("test")[0]
    with Session(domain, task=task) as session:
        user, agent = Odd(), Broken()
        trajectory = await run_episode(Episode(domain, task, session, user), agent)  # type: ignore[arg-type]
    fault = parse_line(trajectory.to_line()).fault
    assert fault is not None and "half \\ud800" in fault.message


def test_a_models_reply_is_text() -> None:
    function = {"name": "f\ud800", "arguments": '{"a": "\ud800"}'}
    message = {"content": "a\ud800", "reasoning": "b\udfff", "tool_calls": [{"function": function}]}
    reply = read_reply(Completion.model_validate({"choices": [{"message": message}]}), Usage(role="agent"))
    assert (reply.text, reply.reasoning, reply.tool_calls[0].name) == ("a\\ud800", "b\\udfff", "f\\ud800")
    assert is_plain(reply.tool_calls[0].arguments)


@given(TEXTS, VALUES)
def test_a_task_of_an_author_or_another_benchmark_can_be_written(text: str, value: Any) -> None:
    goal = Goal(kind=text, utterance=text, facts=(Fact(name=text, value=value),), must_communicate=(text,))
    task = Task(id=text, domain="kiosk", goals=(goal,), metadata={text: value}, communicate=(text,), ticket=text)
    task = task.model_copy(update={"assertions": (Assertion(name=text, arguments={text: value}),)})
    assert Task.model_validate_json(task.model_dump_json()) == task


@pytest.mark.parametrize(
    "content", ["{}\n".encode("utf-16"), b"{}\n\xed\xa0\x80\n", b"\n\xc0\xaf", b"\xff\xfe\x00\x00"]
)
def test_files_in_other_encodings_are_named(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "some.jsonl"
    file.write_bytes(content)
    for read in (read_tasks, lambda path: list(read_trajectories(path)), lambda path: list(read_lines(path))):
        with pytest.raises(BadInput, match=r"some\.jsonl, line \d"):
            read(file)
