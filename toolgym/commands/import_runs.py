"""Read another benchmark's recorded runs, execute their calls again in our worlds, and score them anew.

Takes result files of tau-bench and tau2-bench, and logs of Inspect; the run folder it writes opens with `toolgym show`
and `toolgym report`.

toolgym import results.json --env retail --out runs/theirs
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import Field
from rich.console import Console
from rich.markup import escape

from toolgym.judge import report
from toolgym.judge.evaluation.judging import JudgeSettings, judge_folder
from toolgym.judge.evaluation.made_with import made_with
from toolgym.judge.evaluation.run_folder import Key, RunFolder, write_json, write_lines
from toolgym.judge.evaluation.scoring_summary import score_table
from toolgym.judge.evaluation.summary import judge_all, summarise, table
from toolgym.judge.interop import comparison
from toolgym.judge.interop.cautions import cautions
from toolgym.judge.interop.reading import read_file, title
from toolgym.judge.interop.recorded import Content, Recorded
from toolgym.judge.interop.replay import Importer, choose_domain
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.models.settings import JudgeModel
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.progress import Progress
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.settings import add_flags, resolve
from toolgym.sandbox.runtime.terminal import SafeConsole
from toolgym.sandbox.runtime.trajectory import Trajectory

_SHOWN = 10
"""Unreadable records that the terminal names; all of them are in unreadable.jsonl."""


class ImportSettings(JudgeModel):
    """What is imported: one schema for flags, TOML file, environment and run.json."""

    file: Path = Field(
        description="result file of tau-bench or tau2-bench, results folder of the latter, Inspect's log"
    )
    env: str | None = Field(default=None, description="environment id or domain, where the file does not tell")
    data: str = Field(default="tau2", description="body of data that was played on: tau2, tau2:PATH or own")
    fresh_tasks: bool = Field(
        default=False, description="score against the tasks installed here instead of those that the file holds"
    )
    basis: Literal["state", "writes"] = Field(default="state", description="what our verdict compares with gold")
    judge: str = Field(default="rules", description="judge of the turns: rules, llm or an installed one")
    judge_options: dict[str, Any] = Field(default={}, description="options of the judge, such as samples=3")
    out: Path | None = Field(
        default=None, description="folder of the run; runs/import-NAME of the file or folder by default"
    )

    def scoring(self, folder: RunFolder) -> JudgeSettings:
        """How the imported run is scored."""
        shared = {name: getattr(self, name) for name in (*JudgeModel.model_fields, "judge", "judge_options")}
        return JudgeSettings(run=folder.path, **shared)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym import`."""
    add_flags(parser, ImportSettings, positional=("file",))


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym import`."""
    settings, console = resolve(ImportSettings, arguments), SafeConsole()
    folder = import_file(settings, RunFolder(settings.out or Path("runs") / f"import-{title(settings.file)}"), console)
    console.print(f"Saved in {folder.path}. Read one: toolgym show {folder.path}", highlight=False, soft_wrap=True)
    return 0


def import_file(settings: ImportSettings, folder: RunFolder, console: Console) -> RunFolder:
    """Import a file into a run's folder, which is returned; what comes of it is printed.

    Raises:
        BadInput: nothing in the file is a recorded run, or none of it can be played here.
    """
    content = read_file(settings.file)
    _require_episodes(content, settings.file, len(content.episodes) + len(content.trajectories))
    settings.scoring(folder).make_judge()  # a judge that cannot work is said before anything is executed
    if content.trajectories:
        _take(settings, content, folder, console)
    else:
        _execute(settings, content, folder, console)
    _say_unreadable(content, folder, console)
    return folder


def _execute(settings: ImportSettings, content: Content, folder: RunFolder, console: Console) -> None:
    """Another benchmark's episodes: their calls executed again, and the scores compared with the recorded ones."""
    domain = choose_domain(content, settings.env)
    importer = Importer(content, domain, settings.data, fresh_tasks=settings.fresh_tasks)
    trajectories = execute(importer, console)
    _require_episodes(content, settings.file, len(trajectories))
    tasks = {trajectory.task.id: trajectory.task for trajectory in trajectories}
    folder.open(_identity(settings, content, domain), made_with=made_with(tasks.values()))
    _save(folder, content, trajectories)
    _score(folder, settings, console, f"{title(settings.file)} ({content.source}) on {domain.name}")
    _compare(folder, settings, trajectories, console)
    _caution(folder, cautions(content, importer, trajectories), console)
    _report(folder, console)


def _caution(folder: RunFolder, lines: list[str], console: Console) -> None:
    """Say, and keep with the summary, what must be known beside the score."""
    kept = json.loads(folder.summary_file.read_text(encoding="utf-8"))
    write_json(folder.summary_file, kept | {"cautions": lines})
    for line in lines:
        console.print(line, highlight=False, markup=False, soft_wrap=True)


def _take(settings: ImportSettings, content: Content, folder: RunFolder, console: Console) -> None:
    """Our own episodes from another framework's log, scored anew from their records."""
    taken = content.trajectories
    domain = get_domain(taken[0].task.domain)
    played = settings.model_copy(update={"data": taken[0].task.data})
    content.agent, content.user = taken[0].agent, taken[0].user
    made = made_with({trajectory.task.id: trajectory.task for trajectory in taken}.values())
    folder.open(_identity(played, content, domain), made_with=made)
    _save(folder, content, taken)
    _score(folder, settings, console, f"{title(settings.file)} ({content.source}) on {domain.name}")
    _report(folder, console)
    told = [(there, t) for there, t in zip(content.passed_there, taken, strict=True) if there is not None]
    same = sum(there == verify(t).passed(settings.basis) for there, t in told if t.fault is None)
    console.print(f"Verdicts in the log: {len(told)}; the same here: {same}", highlight=False)


def execute(importer: Importer, console: Console) -> list[Trajectory]:
    """The trajectories of a file's episodes, with a progress bar."""
    with Progress(console, "executing again", len(importer.content.episodes)) as bar:

        def track(episodes: Sequence[Recorded]) -> Iterator[Recorded]:
            for recorded in episodes:
                yield recorded
                bar.advance()

        return importer.trajectories(track)


def _require_episodes(content: Content, file: Path, count: int | None = None) -> None:
    if len(content.episodes) if count is None else count:
        return
    first = f" The first problem: {': '.join(content.unreadable[0])}." if content.unreadable else ""
    raise BadInput(f"{file} holds no episode that can be read.{first}")


def _identity(settings: ImportSettings, content: Content, domain: Domain) -> dict[str, Any]:
    file, name = settings.file, title(settings.file)
    told: dict[str, Any] = {"version": content.version} if content.version else {}
    told |= {"fresh_tasks": True} if settings.fresh_tasks else {}
    return {
        "env": registry.environment_id(domain.name),
        "agent": content.agent,
        "user": content.user,
        "data": settings.data,
        "split": "imported",
        "basis": settings.basis,
        "imported": {"file": file.name if file.stem == name else name, "format": content.source, **told},
    }


def _save(folder: RunFolder, content: Content, trajectories: list[Trajectory]) -> None:
    finished = [trajectory for trajectory in trajectories if trajectory.fault is None]
    broken = [trajectory for trajectory in trajectories if trajectory.fault is not None]
    write_lines(folder.trajectories_file, (trajectory.to_line() for trajectory in finished))
    write_lines(folder.failures_file, (trajectory.to_line() for trajectory in broken))
    lines = (json.dumps({"where": where, "why": why}, ensure_ascii=False) for where, why in content.unreadable)
    write_lines(folder.path / "unreadable.jsonl", lines)


def _score(folder: RunFolder, settings: ImportSettings, console: Console, title: str) -> None:
    judged, kept_settings = judge_all(folder.trajectories()), folder.settings()
    summary = summarise(judged, folder.failures(), basis=settings.basis, settings=kept_settings)
    write_json(folder.summary_file, summary)
    console.print(table(summary, title))
    if folder.trajectories():
        console.print(score_table(judge_folder(folder, settings.scoring(folder), console)))


def _compare(folder: RunFolder, settings: ImportSettings, trajectories: list[Trajectory], console: Console) -> None:
    stated = _nl_assertions(folder)
    compared = [comparison.compare(t, settings.basis, stated.get((t.task.id, t.trial))) for t in trajectories]
    lines = (json.dumps(item.to_json(), ensure_ascii=False) for item in compared)
    write_lines(folder.path / "comparison.jsonl", lines)
    kept = json.loads(folder.summary_file.read_text(encoding="utf-8"))
    write_json(folder.summary_file, kept | {"comparison": comparison.summarise(compared)})
    console.print(comparison.table(compared))


def _report(folder: RunFolder, console: Console) -> None:
    if folder.trajectories():
        report.write([folder], folder.report_file)
        console.print(f"\nReport: {folder.report_file}\n", highlight=False, soft_wrap=True)


def _nl_assertions(folder: RunFolder) -> dict[Key, list[bool]]:
    """Which assertions in natural language hold, by task and trial, where the judge said so."""
    if not folder.scores_file.is_file():
        return {}
    scores = map(json.loads, folder.scores_file.read_text(encoding="utf-8").splitlines())
    stated = {(item["task"], item["trial"]): item["nl_assertions"] for item in scores if "nl_assertions" in item}
    return {key: found["holds"] for key, found in stated.items() if found["holds"] is not None}


def _say_unreadable(content: Content, folder: RunFolder, console: Console) -> None:
    if not content.unreadable:
        return
    total = len(content.unreadable)
    console.print(f"\nNot read: {total} (all in {folder.path / 'unreadable.jsonl'})", highlight=False, soft_wrap=True)
    for where, why in content.unreadable[:_SHOWN]:
        console.print(f"  {escape(where)}: {escape(why)}", highlight=False, soft_wrap=True)
