"""Tasks answered by programs, from their drawing to the verdict: right ones pass, faulty ones stop where they are."""

import asyncio
import json
from functools import cache
from typing import Any

import pytest

from toolgym.judge.scoring.rewards.tier import Tier
from toolgym.judge.scoring.verifier import Verdict, verify
from toolgym.sandbox.agents.inert import InertAgent
from toolgym.sandbox.agents.oracle import OracleAgent
from toolgym.sandbox.formats.program import parse_program, program_format, render_program
from toolgym.sandbox.kit.message import Message, ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.limits import Limits
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import Agent, Briefing
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory, parse_line
from toolgym.sandbox.synthesis.generator import Cell, Generator
from toolgym.sandbox.synthesis.program import program_of
from toolgym.sandbox.synthesis.proof.prove import problems_of

FORMATS = ("json_ast", "xml_ast", "direct")


@cache
def drawn(world: str = "banking", depth: int = 2, count: int = 12) -> list[Task]:
    cell = Cell(depth=(depth, depth), interaction="program")
    return list(Generator(get_domain(world), seed=4, cell=cell).tasks(count))


class Says:
    """An agent that writes these programs, one after the other."""

    privileged = False

    def __init__(self, *texts: str, form: str = "json_ast") -> None:
        self.texts, self.form = texts, program_format(form)

    def open(self, briefing: Briefing) -> Any:
        texts, form = iter(self.texts), self.form

        class Player:
            async def act(self, messages: Any) -> Message:
                return parse_program(next(texts), form)

        return Player()


def play(task: Task, agent: Agent, **limits: int) -> Trajectory:
    with Session(task.domain, task=task) as session:
        episode = Episode(get_domain(task.domain), task, session, None, limits=Limits(**limits), program=True)
        played = asyncio.run(run_episode(episode, agent))
    return parse_line(played.to_line())


def passed(task: Task, message: Message, form: str = "json_ast") -> Verdict:
    return verify(play(task, Says(render_program(message, program_format(form)), form=form)))


def program(*calls: tuple[str, dict[str, Any]], mode: str = "one") -> str:
    body = {str(number): {name: arguments} for number, (name, arguments) in enumerate(calls)}
    return f'<tool_call return="{mode}">{json.dumps(body)}</tool_call>'


def balance() -> Task:
    """A question whose answer stands in the second call's result."""
    return next(task for task in drawn(count=30) if task.answer and task.gold[-1].name == "get_account")


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_the_gold_calls_as_a_program_pass_and_doing_nothing_does_not(depth: int, form: str) -> None:
    tasks = drawn(depth=depth)
    assert len(tasks) == 12 and {task.depth for task in tasks} == {depth}
    for task in tasks:
        assert not problems_of(task) and task.ticket
        played = play(task, OracleAgent(format=form))
        assert verify(played).passed() and played.termination == "agent_stop"
        assert Tier()(played, verdict=verify(played)).total == 1.0
        assert verify(play(task, InertAgent())).passed() is (depth == 0)


def test_what_is_asked_for_is_compared_and_not_how_it_was_found() -> None:
    task = balance()
    calls = program_of(task).tool_calls
    look, read = calls
    further = ToolCall(name="get_profile")
    moved = read.model_copy(update={"arguments": {"account_id": "API_RESPONSE_1.items[0].account_id"}})
    assert passed(task, Message(role="assistant", tool_calls=calls, returns="all")).passed()
    assert passed(task, Message(role="assistant", tool_calls=(further, look, moved), returns="one")).passed()
    # the last result is not what was asked for; a result beside the right one is a second answer
    assert not passed(task, Message(role="assistant", tool_calls=(look, read, further), returns="one")).passed()
    assert not passed(task, Message(role="assistant", tool_calls=(look, read, further), returns="all")).passed()
    assert not passed(task, Message(role="assistant", tool_calls=(look,), returns="one")).passed()
    assert not passed(task, Message(role="assistant", tool_calls=())).passed()


def test_a_bare_reference_is_the_key_that_the_argument_takes() -> None:
    task = balance()
    look, read = program_of(task).tool_calls
    bare = read.model_copy(update={"arguments": {"account_id": "API_RESPONSE_0"}})
    assert passed(task, Message(role="assistant", tool_calls=(look, bare), returns="one")).passed()
    every = look.model_copy(update={"arguments": {}})
    played = play(task, Says(render_program(Message(role="assistant", tool_calls=(every, bare)), Says().form)))
    fault = played.info.programs[0].fault
    assert fault is not None and "rows; name the field" in fault.message and not verify(played).passed()


LIST = ("list_accounts", {})
FAULTS = {
    "forward": ([LIST, ("get_account", {"account_id": "API_RESPONSE_2"}), LIST], 1, "API_RESPONSE_2 is no earlier"),
    "itself": ([("get_account", {"account_id": "API_RESPONSE_0.account_id"})], 0, "API_RESPONSE_0 is no earlier"),
    "cycle": (
        [("get_account", {"account_id": "API_RESPONSE_1"}), ("get_account", {"account_id": "API_RESPONSE_0"})],
        0,
        "API_RESPONSE_1 is no earlier",
    ),
    "unknown": ([LIST, ("get_account", {"account_id": "API_RESPONSE_999999999"})], 1, "is no earlier result"),
    "field": ([LIST, ("get_account", {"account_id": "API_RESPONSE_0.items[0].iban"})], 1, "has no .iban: its fields"),
    "element": ([LIST, ("get_account", {"account_id": "API_RESPONSE_0.items[99].account_id"})], 1, "has no [99]"),
    "broken": ([LIST, ("get_account", {"account_id": "API_RESPONSE_0.items[-1]"})], 1, "is no reference"),
    "tool": ([LIST, ("get_acount", {"account_id": "A-1"}), LIST], 1, "Did you mean get_account?"),
    "refused": ([LIST, ("get_account", {"account_id": "A-1"}), LIST], 1, "A-1"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_program_stops_at_its_first_fault_and_the_record_says_why(name: str) -> None:
    calls, number, why = FAULTS[name]
    played = play(balance(), Says(program(*calls)))
    (attempt,) = played.info.programs
    assert attempt.fault is not None and attempt.fault.call == number
    assert why in attempt.fault.message and attempt.fault.message.count("\n") == 0
    reached = {"tool", "refused"}
    assert len(played.calls) == attempt.results == number + (name in reached)
    assert played.termination == "max_errors" and not verify(played).passed()
    told = [message.content or "" for message in played.messages if message.role == "tool"]
    assert why in told[number] and all("Not made" in text for text in told[number + 1 :])
    assert Tier()(played, verdict=verify(played)).components["execution"] == 0


def test_what_was_written_before_a_fault_stays() -> None:
    task = next(task for task in drawn() if task.answer is None)
    gold = program_of(task).tool_calls
    text = render_program(Message(role="assistant", tool_calls=(*gold, ToolCall(name="nothing"))), Says().form)
    played = play(task, Says(text))
    assert played.diff and verify(played).state and not verify(played).passed()


@pytest.mark.parametrize(
    ("text", "code", "why"),
    [
        (program(*[LIST] * 1000), "too_many_calls", "at most 32 calls; this one has 1000, and none was made"),
        (f'<tool_call return="one">{"x" * 100_000_000}</tool_call>', "unreadable", "100,000,036 characters"),
        ("Let me think about that.", "unreadable", "There is no program"),
        ('<tool_call return="one">{"0": {}}</tool_call>', "unreadable", 'Call "0" must hold exactly one tool'),
        ("", "unreadable", "There is no program"),
    ],
)
def test_what_is_no_program_is_said_in_a_sentence_and_nothing_is_made(text: str, code: str, why: str) -> None:
    played = play(balance(), Says(text))
    (attempt,) = played.info.programs
    assert attempt.fault is not None and (attempt.fault.code, attempt.results) == (code, 0)
    assert why in attempt.fault.message and not played.calls and not verify(played).passed()
    assert len(played.to_line()) < 400_000


def test_an_unreadable_answer_is_no_refusal_where_nothing_is_to_be_done() -> None:
    task = drawn(depth=0)[0]
    assert not verify(play(task, Says("I cannot do that."))).passed()
    assert not verify(play(task, Says(program(("get_profile", {}))))).passed()
    assert verify(play(task, Says(program()))).passed()


def test_an_agent_may_try_again_as_often_as_the_limits_say_and_it_is_counted() -> None:
    task = balance()
    right = render_program(program_of(task), Says().form)
    wrong = program(LIST, ("get_account", {"account_id": "API_RESPONSE_0.items[0].id"}))
    assert not verify(play(task, Says(wrong, right))).passed()
    played = play(task, Says(wrong, "What?", right), max_retries=2)
    assert verify(played).passed()
    assert [attempt.fault is None for attempt in played.info.programs] == [False, False, True]
    assert [(attempt.first, attempt.results) for attempt in played.info.programs] == [(0, 1), (1, 0), (1, 2)]
