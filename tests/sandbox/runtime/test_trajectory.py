"""The trajectory file: what is written can be read, what cannot be read is explained."""

import json
from pathlib import Path

import pytest

from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import Json, Message, ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.info import Info, UserChecks
from toolgym.sandbox.runtime.trajectory import Timing, Trajectory, parse_line, read_trajectories, write_trajectories

FORMAT_1 = Path(__file__).with_name("trajectories-v1.jsonl")
"""Lines as toolgym 0.1 wrote them: a checked user, an agent with unusable replies, a call by voice with and without a
recogniser, work on a ticket with two unread messages, an imported episode, a wish that is replaced when it is refused,
and one that is revised once it is proposed.
"""
RECORDED = Path(__file__).with_name("trajectories-v2.jsonl")
"""The same lines in format 2."""


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
        (
            json.dumps({"format_version": 4}),
            "not a toolgym trajectory: format 4 is unknown, this toolgym reads 1, 2 and 3;",
        ),
        (json.dumps({"version": 4}), "not a toolgym trajectory: format 4 is unknown"),
        (json.dumps({"format_version": None}), "not a toolgym trajectory: format None is unknown"),
        (json.dumps({"task": {"format_version": "2"}}), "not a toolgym trajectory: task: format '2' is unknown"),
        (json.dumps({"version": 1}), "not a toolgym trajectory: task: is missing"),
        ("{}", "not a toolgym trajectory: task: is missing"),
    ],
)
def test_unreadable_lines_are_explained(line: str, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(line + "\n", encoding="utf-8")
    for bare in (False, True):
        with pytest.raises(BadInput, match="line 1") as caught:
            list(read_trajectories(path, bare=bare))
        assert expected in str(caught.value)


def test_bare_records_lack_what_was_said_and_nothing_else(trajectory: Trajectory, tmp_path: Path) -> None:
    path = tmp_path / "trajectories.jsonl"
    write_trajectories(path, [trajectory])
    assert list(read_trajectories(path, bare=True)) == [trajectory.model_copy(update={"messages": ()})]
    assert list(read_trajectories(RECORDED, bare=True)) == list(read_trajectories(RECORDED))  # of a former format


def test_missing_file() -> None:
    with pytest.raises(BadInput, match="no trajectory file"):
        list(read_trajectories(Path("nowhere.jsonl")))


def holds(written: Json, recorded: Json) -> bool:
    """Whether all of what was recorded is written again; within a format fields are only ever added."""
    if isinstance(recorded, dict):
        return all(name in written and holds(written[name], value) for name, value in recorded.items())
    if isinstance(recorded, list):
        return len(written) == len(recorded) and all(map(holds, written, recorded))
    return bool(written == recorded and type(written) is type(recorded))


@pytest.mark.parametrize("recorded", [FORMAT_1, RECORDED], ids=lambda path: path.stem)
def test_recorded_lines_of_each_format_are_written_in_the_present_one(recorded: Path, tmp_path: Path) -> None:
    path = tmp_path / "again.jsonl"
    write_trajectories(path, read_trajectories(recorded))
    lines = path.read_text(encoding="utf-8").splitlines()
    for line, known in zip(lines, RECORDED.read_text(encoding="utf-8").splitlines(), strict=True):
        written = json.loads(line)
        assert (written.pop("format_version"), written["consent"]) == (3, "words")
        assert holds(written, {name: value for name, value in json.loads(known).items() if name != "format_version"})
    assert [parse_line(line) for line in lines] == list(read_trajectories(FORMAT_1))
    assert [parse_line(line).to_line() for line in lines] == lines


def test_what_recorded_lines_note_is_typed() -> None:
    checked, clumsy, heard, silent, ticket, imported, refused, revised = read_trajectories(RECORDED)
    assert isinstance(checked.info.user, UserChecks)
    assert (checked.info.user.uncorrected, checked.info.user.faults) == (1, {"left_early": 4})
    assert clumsy.info.agent == {"unusable_replies": {"empty": 6}} and clumsy.info.user is None
    assert [utterance.audio for utterance in silent.utterances] == [m.audio for m in silent.messages if m.audio]
    assert all(utterance.heard is None for utterance in silent.utterances) and not clumsy.utterances
    assert [spoken.info.speech and spoken.info.speech.agent_input for spoken in (heard, silent)] == ["asr", "audio"]
    assert heard.utterances[0].heard and heard.utterances[0].missed is not None
    assert ticket.solo and not checked.solo
    assert refused.task.goals[0].fallback is not None and revised.task.goals[0].revised_to is not None
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
