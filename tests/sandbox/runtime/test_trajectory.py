"""The trajectory file: what is written can be read, what cannot be read is explained."""

import json
from pathlib import Path

import pytest

from sandbox.kit.errors import BadInput
from sandbox.kit.message import Message, ToolCall
from sandbox.kit.task import Task
from sandbox.runtime.trajectory import VERSION, Timing, Trajectory, read_trajectories, write_trajectories


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
