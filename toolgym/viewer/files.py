"""Files that are no run's folder, such as other benchmarks' results: imported into one for as long as it is viewed."""

from __future__ import annotations

from pathlib import Path

from toolgym.commands.import_runs import ImportSettings, import_file
from toolgym.judge.evaluation.judging import JudgeSettings, judge_folder
from toolgym.judge.evaluation.run_folder import RunFolder, write_json, write_lines
from toolgym.judge.evaluation.summary import judge_all, summarise
from toolgym.judge.interop.opened import OpenedRun, is_ours, open_run
from toolgym.judge.interop.reading import title
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.task import OWN
from toolgym.sandbox.runtime.terminal import SafeConsole


def import_into(place: Path, file: Path) -> None:
    """Make a run of a file's conversations, scored by the rules, in a folder of runs.

    Args:
        place: the folder of runs.
        file: recorded runs of another benchmark, a log of Inspect, a results file or a file of trajectories.

    Raises:
        BadInput: the file holds nothing of the sort, or none of it can be played here.
    """
    if is_ours(file):
        _write(open_run(str(file), env=None, data="own"), RunFolder(place / file.name.partition(".")[0]))
        return
    folder, console = RunFolder(place / title(file)), SafeConsole(stderr=True)
    try:
        import_file(ImportSettings.model_validate({"file": file}), folder, console)
    except BadInput as error:
        try:  # a file does not say whose rows it was played on: those of tau2-bench, or our own
            import_file(ImportSettings.model_validate({"file": file, "data": OWN}), folder, console)
        except BadInput:
            raise BadInput(f"{error} `toolgym import` takes --env and --data, and writes a folder to view.") from error


def _write(opened: OpenedRun, folder: RunFolder) -> None:
    """Conversations of our own form, with the settings that come with them or with what their records tell."""
    if not opened.trajectories:
        raise BadInput(f"{opened.path} holds no conversation.")
    first = opened.trajectories[0]
    told = {"env": first.task.domain, "agent": first.agent, "user": first.user, "data": first.task.data}
    settings = dict(opened.settings or told)
    fine = [trajectory for trajectory in opened.trajectories if trajectory.fault is None]
    broken = [trajectory for trajectory in opened.trajectories if trajectory.fault is not None]
    folder.path.mkdir(parents=True)
    write_json(folder.settings_file, settings)
    write_lines(folder.trajectories_file, (trajectory.to_line() for trajectory in fine))
    write_lines(folder.failures_file, (trajectory.to_line() for trajectory in broken))
    basis = settings.get("basis", "state")
    write_json(folder.summary_file, summarise(judge_all(fine), broken, basis=basis, settings=settings))
    judge_folder(folder, JudgeSettings.model_validate({"run": folder.path}), SafeConsole(stderr=True))
