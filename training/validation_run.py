"""A validation's conversations as a run folder, scored by rules: what `toolgym report` and `toolgym show` open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from toolgym.judge.evaluation.judging import JudgeSettings, judge_folder
from toolgym.judge.evaluation.run_folder import RunFolder, write_json
from toolgym.judge.evaluation.summary import judge_all, summarise
from toolgym.sandbox.runtime import foreign_domain
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.terminal import SafeConsole
from toolgym.sandbox.runtime.trajectory import Trajectory


def write_run(path: Path, trajectories: Sequence[Trajectory], *, step: int, servers: str | None = None) -> None:
    """Write the folder anew: a run that was resumed before this step comes by again.

    Args:
        path: the folder.
        trajectories: the conversations; those about one task become its trials in their order.
        step: of the training.
        servers: the folder of a synthesis whose MCP servers were played on; their listings are kept here as well.
    """
    if servers is not None:
        foreign_domain.take_up(Path(servers))
    folder = RunFolder(path)
    path.mkdir(parents=True, exist_ok=True)
    for file in (folder.settings_file, folder.trajectories_file, folder.scores_file, folder.summary_file):
        file.unlink(missing_ok=True)
    domains = sorted({trajectory.task.domain for trajectory in trajectories})
    folder.open({"env": ",".join(domains), "agent": "policy", "user": trajectories[0].user, "step": step})
    foreign_domain.keep(path, map(get_domain, domains))
    trials: Counter[str] = Counter()
    for trajectory in trajectories:
        folder.add(trajectory.model_copy(update={"trial": trials[trajectory.task.id]}))
        trials[trajectory.task.id] += 1
    write_json(folder.summary_file, summarise(judge_all(folder.trajectories()), (), basis="state"))
    judge_folder(folder, JudgeSettings.model_validate({"run": path}), SafeConsole(quiet=True))
