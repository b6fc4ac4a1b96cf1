"""The trajectory file: what is written can be read, what cannot be read is explained."""

import json
from pathlib import Path

import pytest

from sandbox.kit.errors import BadInput
from sandbox.kit.message import Message, ToolCall
from sandbox.kit.task import Task
from sandbox.runtime.info import Info, UserChecks
from sandbox.runtime.trajectory import VERSION, Timing, Trajectory, parse_line, read_trajectories, write_trajectories

RECORDED = Path(__file__).with_name("trajectories-v1.jsonl")
"""Lines as toolgym 0.1 wrote them: a checked user, an agent with unusable replies, a call by voice with and without a
recogniser, work on a ticket with two unread messages, and an imported episode.
"""


@pytest.fixture
def trajectory() -> Trajectory:
    call = ToolCall(name="look", arguments={"at": "é\n"}, id="call_1")
    return Trajectory(
        task=Task(id="t", domain="kiosk"),
        messages=(
            Message(role="user", content="hello"),
            Message(role="assistant", tool_calls=(call,)),
            Message(role="tool", content="[]", tool_call_id="call_1", name="look"),
            Message(role="assistant", content="nothing there"),
            Message(role="user", content="bye ###STOP###"),
        ),
        termination="user_stop",
        timing=Timing(total=1.0),
    )


def test_file_round_trip(trajectory: Trajectory, tmp_path: Path) -> None:
    path = tmp_path / "trajectories.jsonl"
    write_trajectories(path, [trajectory, trajectory])
    assert list(read_trajectories(path)) == [trajectory, trajectory]
    assert path.read_text(encoding="utf-8").count("\n") == 2


def test_turns_pair_actions_with_feedback(trajectory: Trajectory) -> None:
    first, second = trajectory.turns()
    assert (first.index, first.action.tool_calls[0].name, first.feedback[0].role) == (0, "look", "tool")
    assert second.feedback[0].content == "bye ###STOP###"


def test_canonical_leaves_out_wall_times(trajectory: Trajectory) -> None:
    slower = trajectory.model_copy(update={"timing": Timing(total=2.0)})
    assert slower.canonical() == trajectory.canonical() and slower != trajectory


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("nonsense", "not a JSON object"),
        ("[]", "not a JSON object"),
        (json.dumps({"version": VERSION + 1}), "Upgrade toolgym"),
        (json.dumps({"version": VERSION}), "not a toolgym trajectory: task"),
    ],
)
def test_unreadable_lines_are_explained(line: str, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(line + "\n", encoding="utf-8")
    with pytest.raises(BadInput, match="line 1") as caught:
        list(read_trajectories(path))
    assert expected in str(caught.value)


def test_missing_file() -> None:
    with pytest.raises(BadInput, match="no trajectory file"):
        list(read_trajectories(Path("nowhere.jsonl")))


def test_recorded_lines_written_again_mean_the_same(tmp_path: Path) -> None:
    path, once_more = tmp_path / "again.jsonl", tmp_path / "once_more.jsonl"
    write_trajectories(path, read_trajectories(RECORDED))
    assert list(read_trajectories(path)) == list(read_trajectories(RECORDED))
    write_trajectories(once_more, read_trajectories(path))
    assert once_more.read_bytes() == path.read_bytes()


def test_what_recorded_lines_note_is_typed() -> None:
    checked, clumsy, heard, silent, ticket, imported = read_trajectories(RECORDED)
    assert isinstance(checked.info.user, UserChecks)
    assert (checked.info.user.uncorrected, checked.info.user.faults) == (1, {"left_early": 4})
    assert clumsy.info.agent == {"unusable_replies": {"empty": 6}} and clumsy.info.user is None
    assert [utterance.audio for utterance in silent.utterances] == [m.audio for m in silent.messages if m.audio]
    assert all(utterance.heard is None for utterance in silent.utterances) and not clumsy.utterances
    assert heard.utterances[0].heard and heard.utterances[0].missed is not None
    assert ticket.solo and not checked.solo
    assert imported.info.recorded is not None and imported.info.recorded.reward == 1
    assert [(call.tool, call.kind, call.write) for call in imported.info.recorded.differences] == [
        ("list_free_seats", "another result", False)
    ]


def test_unread_turns_are_marked() -> None:
    ticket = list(read_trajectories(RECORDED))[4]
    assert [turn.unread for turn in ticket.turns()] == [True, False, True, False]
    assert ticket.agent_text() == "Six seats are free."


def test_what_other_peoples_players_and_wrappers_note_is_kept(trajectory: Trajectory) -> None:
    noted = {"user": {"mood": [1, 2.0, None]}, "phone": {"model": "x"}}
    line = trajectory.model_copy(update={"info": Info.model_validate(noted)}).to_line()
    assert json.loads(line)["info"] == noted
    again = parse_line(line)
    assert again.to_line() == line and again.info.user == noted["user"]
    assert json.loads(trajectory.to_line())["info"] == {}


def test_notes_that_no_file_can_hold_are_kept_as_their_text() -> None:
    info = Info.model_validate({"agent": {"said": "\ud800"}, "user": ["\udfff", float("nan")], "phone": "\ud800"})
    assert info.model_dump() == {"agent": {"said": "\\ud800"}, "user": ["\\udfff", "NaN"], "phone": "\\ud800"}
