"""A validation's conversations become a run folder that the report opens."""

import asyncio
from pathlib import Path

from rollouts import oracle, solvable

from toolgym.cli import main
from toolgym.judge.evaluation.episode_index import COLUMNS, build_index
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.training.validation_run import write_run


async def conversations(count: int) -> list:
    return [await oracle(task) for task in solvable(count)]


async def test_trials_of_a_task_are_told_apart_and_the_folder_can_be_written_again(tmp_path: Path) -> None:
    played = await conversations(3)
    for chosen in ([*played, played[0]], played):
        await asyncio.to_thread(write_run, tmp_path / "step-000010", chosen, step=10)
        folder = RunFolder(tmp_path / "step-000010")
        found = [(t.task.id, t.trial) for t in folder.trajectories()]
        assert len(found) == len(set(found)) == len(chosen)
        assert folder.settings()["step"] == 10 and folder.settings()["user"] == ""
    assert await asyncio.to_thread(main, ["report", str(folder.path)]) == 0
    shown = [dict(zip(COLUMNS, row, strict=True)) for row in build_index(folder).rows]
    assert [row["task"] for row in shown] == [one.task.id for one in played]
    assert all(row["passed"] and row["scores"] for row in shown)
