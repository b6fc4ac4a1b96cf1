"""What calls did to the rows, how an end differs from a right one, and the sentences that say why an episode failed."""

import asyncio
import json
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import pytest

from toolgym.judge.report.end_rows import EndRow, end_rows, row_history, same_new_rows
from toolgym.judge.report.episode_data import call_places, episode_data
from toolgym.judge.report.explanation import explain
from toolgym.judge.report.graphs import call_graph
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.message import Message, ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.limits import Limits
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import AgentPlayer, Briefing, make_agent, make_user
from toolgym.sandbox.runtime.session import RowChange, Session
from toolgym.sandbox.runtime.trajectory import Fault, Trajectory
from toolgym.sandbox.synthesis.generator import Generator

WORLDS = ("retail", "telecom", "calendar", "banking")


class Playing:
    """An agent that makes given calls, one a message, and ends."""

    privileged = True

    def __init__(self, calls: Sequence[ToolCall]) -> None:
        self._calls = calls

    def open(self, briefing: Briefing) -> AgentPlayer:
        return _Player(iter(self._calls))


class _Player:
    def __init__(self, calls: Iterator[ToolCall]) -> None:
        self._calls = calls

    async def act(self, messages: Sequence[Message]) -> Message:
        call = next(self._calls, None)
        if call is None:
            return Message(role="assistant", content="That is all I can do. Goodbye.")
        return Message(role="assistant", tool_calls=(call,))


@cache
def tasks(world: str) -> Sequence[Task]:
    return list(Generator(get_domain(world), seed=11).tasks(12))


def play(task: Task, agent: Any, limits: Limits | None = None) -> Trajectory:
    async def episode() -> Trajectory:
        domain = get_domain(task.domain)
        with Session(domain, task=task) as session:
            playing = Episode(domain, task, session, make_user("scripted"), limits=limits or Limits())
            return await run_episode(playing, agent)

    return asyncio.run(episode())


def with_gold(calls: int, world: str = "retail") -> Task:
    """A task whose gold run writes, with so many writing calls at least."""
    return next(task for task in tasks(world) if sum(goal.calls != () for goal in task.goals) >= calls)


def edited(task: Task, **arguments: Any) -> tuple[ToolCall, ...]:
    """The gold calls with arguments of the last one replaced."""
    *before, last = task.gold
    assert isinstance(last.arguments, dict)
    return (*before, last.model_copy(update={"arguments": {**last.arguments, **arguments}}))


def ends(trajectory: Trajectory) -> tuple[EndRow, ...]:
    return end_rows(trajectory.task, trajectory.diff, row_history(trajectory.task, trajectory.calls).new_ids)


@pytest.mark.parametrize("world", WORLDS)
def test_a_changed_cell_has_the_values_of_the_sessions_own_diff(world: str) -> None:
    seen = 0
    for task in tasks(world):
        played = play(task, make_agent("demonstrator"))
        history = row_history(task, played.calls)
        assert not history.stopped and not history.unlike and list(history.end) == list(played.diff)
        with Session(task.domain, task=task) as session:
            known: dict[Any, RowChange] = {}
            for record, changed in zip(played.calls, history.calls, strict=True):
                session.call(record.name, record.arguments, by=record.by)
                now = {(row.table, row.key): row for row in session.diff()}
                for row in changed:
                    place = (row.table, row.key)
                    # a row that is as at the start is in no diff
                    assert row.before == (known[place].after if place in known else now[place].before)
                    assert row.after == (now[place].after if place in now else known[place].before)
                    seen += 1
                touched = {(row.table, row.key) for row in changed}
                assert {place for place in {*known, *now} if known.get(place) != now.get(place)} <= touched
                known = now
    assert seen > 10


@pytest.mark.parametrize("world", WORLDS)
def test_rows_stand_right_exactly_where_the_verifier_says_so(world: str) -> None:
    for agent in ("demonstrator", "random", "reckless"):
        for task in tasks(world)[:6]:
            played = play(task, make_agent(agent))
            assert all(row.standing == "same" for row in ends(played)) == verify(played).state


def test_a_wrong_value_is_a_wrong_cell_and_is_named() -> None:
    task = next(t for t in tasks("retail") if t.gold and t.gold[-1].name == "cancel_pending_order")
    assert isinstance(task.gold[-1].arguments, dict)
    reason = task.gold[-1].arguments["reason"]
    other = "ordered by mistake" if reason == "no longer needed" else "no longer needed"
    played = play(task, Playing(edited(task, reason=other)))
    [row] = [row for row in ends(played) if row.standing != "same"]
    [cell] = [cell for cell in row.cells if cell.standing == "wrong"]
    assert (row.table, row.standing, row.made, row.due) == ("orders", "wrong", "updated", "updated")
    assert (cell.column, cell.before, cell.mine, cell.gold) == ("cancel_reason", None, other, reason)
    why = explain(played, verify(played), "state", ends(played))
    assert why.sentences[0].startswith(
        f"Failed at turn {why.turn}: cancel_pending_order was called with a wrong reason"
    )
    assert f"cancel_reason is {other}, not {reason}" in " ".join(why.sentences)


def test_what_was_not_done_is_missing_and_what_nobody_wanted_is_extra() -> None:
    stored = get_domain("retail").tasks("test", "own")
    one, other, *_ = (task for task in stored if task.gold and task.gold[-1].name == "cancel_pending_order")
    played = play(one, Playing(other.gold))
    rows = ends(played)
    missing, extra = ({row.table for row in rows if row.standing == each} for each in ("missing", "extra"))
    assert "orders" in missing and "orders" in extra
    said = " ".join(explain(played, verify(played), "state", rows).sentences)
    assert "Was not changed: orders" in said and "Was changed for nothing: orders" in said


def test_new_rows_are_paired_by_what_they_hold_whatever_their_ids() -> None:
    task = with_gold(1)
    new = [row("O-7", "pen"), row("O-8", "ink")]
    found = end_rows(task, [row("O-8", "pen")], frozenset({"O-7", "O-8"}))
    assert found  # the task's own rows are missing
    pairs = _paired([row("O-8", "pen"), row("O-7", "ink")], new)
    assert pairs == {"O-8": "O-7", "O-7": "O-8"}


def row(key: str, thing: str) -> RowChange:
    return RowChange("notes", (key,), None, {"note_id": key, "thing": thing})


def _paired(mine: list[RowChange], gold: list[RowChange]) -> dict[str, str]:
    return same_new_rows(mine, gold, frozenset(str(each.key[0]) for each in (*mine, *gold)))


def test_a_world_that_is_not_installed_is_said_so() -> None:
    task = with_gold(1).model_copy(update={"domain": "atlantis"})
    history = row_history(task, ())
    assert history.calls == () and "atlantis" in history.stopped


def test_a_conversation_that_was_cut_off_is_said_so() -> None:
    task = with_gold(1)
    played = play(task, make_agent("inert"), Limits(max_turns=1))
    said = explain(played, verify(played), "state", ends(played)).sentences
    assert played.termination == "max_turns"
    assert "It did not come to its own end: it was cut off at the limit of turns." in said


def test_both_sides_calls_have_their_places_and_their_rows() -> None:
    by_user = 0
    for task in tasks("telecom"):
        played = play(task, make_agent("demonstrator"))
        places = call_places(played)
        assert sorted(places.values()) == list(range(len(played.calls)))
        for (at, place), number in places.items():
            assert played.messages[at].tool_calls[place].name == played.calls[number].name
        assert len(row_history(task, played.calls).calls) == len(played.calls)
        by_user += sum(record.by == "user" for record in played.calls)
    assert by_user > 3


def test_an_edge_leads_from_the_result_that_an_argument_comes_from() -> None:
    task = with_gold(1)
    played = play(task, make_agent("oracle"))
    made, gold = call_graph(task, played), call_graph(task)
    assert [node["name"] for node in gold["nodes"]] == [call.name for call in task.gold]
    assert made["edges"] and len(made["nodes"]) == len(played.calls)
    assert all(source < target for source, target in made["edges"])
    invented = play(task, Playing([ToolCall(name="get_order_details", arguments={"order_id": "#W0000000"})]))
    [node] = call_graph(task, invented)["nodes"]
    assert (node["state"], node["missing"]) == ("refused", ["#W0000000"])


def data_of(trajectory: Trajectory) -> dict[str, Any]:
    found = episode_data(trajectory, {})
    json.dumps(found)  # it travels as JSON
    return found


def test_an_episode_that_broke_is_told_with_what_was_done_before() -> None:
    played = play(with_gold(1), make_agent("oracle"))
    fault = Fault(boundary="model", message="The endpoint is gone.")
    cut = played.messages[: next(at for at, message in enumerate(played.messages) if message.tool_calls) + 1]
    broken = played.model_copy(update={"termination": "infrastructure_error", "fault": fault, "messages": cut})
    told = data_of(broken.model_copy(update={"calls": played.calls[:1]}))
    assert told["why"] == ["Left out of all averages: the model failed. The endpoint is gone."]
    assert told["passed"] is None and [call["number"] for call in told["messages"][-1]["calls"]][:1] == [0]
    assert told["calls"][0]["result"]  # the conversation does not show it
    empty = played.model_copy(update={"messages": (), "calls": (), "diff": (), "termination": "max_turns"})
    assert data_of(empty)["why"][0].startswith("Failed")


def test_rows_of_joined_worlds_carry_their_worlds_name() -> None:
    task = with_gold(1)
    joined = task.model_copy(update={"domain": "retail+calendar"})
    made = {"title": "Visit", "start": "2026-03-20T09:00:00", "minutes": 30}
    played = play(joined, Playing([*task.gold, ToolCall(name="create_event", arguments=made)]))
    assert played.calls[-1].ok, played.calls[-1].message
    told = data_of(played)
    tables = {row["table"] for row in told["calls"][-1]["changes"]}
    assert tables and all(table.startswith("calendar.") for table in tables)
    assert told["database"]["as_recorded"]
    assert {row["table"] for row in told["end"] if row["standing"] == "extra"} == tables


def test_a_row_of_a_benchmark_says_that_its_rows_are_elsewhere() -> None:
    row = with_gold(1).model_copy(update={"domain": "bench:x"})
    told = data_of(play(with_gold(1), make_agent("inert")).model_copy(update={"task": row}))
    assert "benchmark" in told["database"]["stopped"] and "benchmark" in told["gold_missing"]
    assert told["end"] is None and told["why"][0].startswith("Why cannot be worked out here")


def test_rows_that_a_conversation_names_are_data_of_json_days_among_them() -> None:
    task = next(iter(get_domain("banking").tasks("test", "v2")))
    with Session("banking", data=task.data, task=task) as session:
        booked = session.tables()["transactions"][0]
    (row,) = row_history(task, (), f"It is {booked['transaction_id']}, then.").named
    assert json.loads(json.dumps(row.cells)) == row.cells and row.cells["booked_on"] == booked["booked_on"]
