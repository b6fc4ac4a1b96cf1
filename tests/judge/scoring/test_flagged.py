"""The draw of flagged turns shows each violation of a run once an episode, with what led to it."""

import asyncio
from pathlib import Path

import flagged
import pytest

from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import make_agent, make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory, write_trajectories
from toolgym.sandbox.synthesis.generator import Generator


def demonstrated() -> Trajectory:
    domain = get_domain("calendar")
    task = next(iter(Generator(domain, seed=5).tasks(1)))
    with Session(domain, task=task) as session:
        return asyncio.run(
            run_episode(Episode(domain, task, session, make_user("scripted")), make_agent("demonstrator"))
        )


def test_flagged_turns_of_a_run_are_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    right = demonstrated()
    lie = Message(role="assistant", content="I have also closed your account.")
    wrong = right.model_copy(update={"messages": (*right.messages, lie, lie)})
    write_trajectories(tmp_path / "trajectories.jsonl", [right, wrong])
    (found,) = flagged.flagged(tmp_path)
    assert (found.trajectory.messages, found.violation.kind) == (wrong.messages, "false_statement")
    flagged.show(found)
    assert "agent: I have also closed your account." in capsys.readouterr().out
