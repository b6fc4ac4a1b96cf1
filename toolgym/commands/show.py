"""Read a conversation: messages, tool calls, results, the verdict and the rows that differ from gold.

Give a run folder, a trajectory file or a results file; without --task the first conversation that failed is shown.

toolgym show runs/first
toolgym show runs/first --task kiosk-5 --trial 0
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

from rich.console import Console
from rich.markdown import Markdown
from rich.markup import escape

from toolgym.judge.benchmarks.contract import is_foreign
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.judge.interop.opened import open_run, run_of
from toolgym.judge.published.file import ENDING
from toolgym.judge.scoring.verifier import Basis, verify
from toolgym.sandbox.kit.errors import BadInput, unknown
from toolgym.sandbox.runtime.session import RowChange
from toolgym.sandbox.runtime.terminal import SafeConsole
from toolgym.sandbox.runtime.trajectory import Trajectory, read_trajectories
from toolgym.sandbox.synthesis.proof.replay import gold_diff

_STYLES = {"user": "cyan", "assistant": "green", "tool": "dim", "system": "magenta"}

_MARKDOWN = re.compile(r"\*\*|`|^#{1,6} |^\s*(?:[-*+]|\d+\.) |^\|", re.MULTILINE)
"""What tells that a message is Markdown, such as `**bold**` or a list."""
_HIDDEN = re.compile(r"<[A-Za-z!/?]|!\[|^\s*\[[^\]]+\]:", re.MULTILINE)
"""What rendering would hide: HTML and comments, images, addresses that stand apart. It is shown as it was written."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym show`."""
    parser.add_argument("path", help="run folder, trajectory file or results file")
    parser.add_argument("--task", default=None, help="task id")
    parser.add_argument("--trial", type=int, default=None, help="trial number from 0")


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym show`."""
    path = Path(arguments.path)
    if path.is_dir() or path.name.endswith(ENDING):
        run = run_of(RunFolder(path)) if path.is_dir() else open_run(str(path), env=None, data="own")
        trajectories, basis = list(run.trajectories), run.settings.get("basis", "state")
    else:
        trajectories, basis = list(read_trajectories(path)), "state"
    if trajectories and is_foreign(trajectories[0].task):
        show_foreign(trajectories, RunFolder(path if path.is_dir() else path.parent), arguments, SafeConsole())
        return 0
    show(choose(trajectories, arguments.task, arguments.trial, basis), SafeConsole(), basis)
    return 0


def show_foreign(
    trajectories: list[Trajectory], folder: RunFolder, arguments: argparse.Namespace, console: Console
) -> None:
    """Print a benchmark's conversation with what its own checker said (BadInput where that is not there)."""
    if not folder.scores_file.is_file():
        raise BadInput(f"{folder.path} has no scores: a benchmark's episodes are scored by `toolgym bench run` alone.")
    scores = {
        (each["task"], each["trial"]): each
        for each in map(json.loads, folder.scores_file.read_text(encoding="utf-8").splitlines())
    }
    wanted = (arguments.task, arguments.trial)
    failed = [t for t in trajectories if scores.get((t.task.id, t.trial), {}).get("passed") is False]
    chosen = choose(failed if failed and wanted == (None, None) else trajectories, *wanted, foreign=True)
    conversation(chosen, console)
    found = scores.get((chosen.task.id, chosen.trial))
    if chosen.fault is not None:
        console.print(f"left out: {chosen.fault.boundary} failed: {chosen.fault.message}")
    elif found is None or found["passed"] is None:
        console.print(f"not scored: {escape(found['message']) if found else 'the run was not finished'}")
    else:
        why = "".join(f"\n  {name}" for name in found["verdict"] if name != "right")
        console.print(
            f"{'right' if found['passed'] else 'wrong'} by the benchmark's checker{escape(why)}", style="bold"
        )
        console.print(f"  {escape(found['message'])}" if found["message"] else "", highlight=False)


def choose(
    trajectories: list[Trajectory],
    task: str | None,
    trial: int | None,
    basis: Basis = "state",
    *,
    foreign: bool = False,
) -> Trajectory:
    """The trajectory asked for; without a wish the first one that failed on a basis, else the first.

    A benchmark's `foreign` ones are not verified here.
    """
    if not trajectories:
        raise BadInput("There is no trajectory in this file.")
    if task is not None and task not in {t.task.id for t in trajectories}:
        raise unknown("task in this run", task, {t.task.id for t in trajectories})
    chosen = [t for t in trajectories if task in (None, t.task.id) and trial in (None, t.trial)]
    if not chosen:
        there = ", ".join(map(str, sorted({t.trial for t in trajectories if task in (None, t.task.id)})))
        raise BadInput(f"There is no trial {trial} of {task or 'any task'} here. Known: {there}.")
    if task is None and not foreign:
        failed = (t for t in chosen if t.fault is None and not verify(t).passed(basis))
        return next(failed, chosen[0])
    return chosen[0]


def show(trajectory: Trajectory, console: Console, basis: Basis = "state") -> None:
    """Print a conversation and its verdict."""
    conversation(trajectory, console)
    if trajectory.fault is not None:
        console.print(f"left out: {trajectory.fault.boundary} failed: {trajectory.fault.message}")
        return
    verdict = verify(trajectory)
    failing = ", ".join(f"{name}: no" for name in verdict.failing(basis))
    why = f"failed, for {failing}" if failing else "passed"
    console.print(f"{why}  (by {basis}; {trajectory.termination})", style="bold")
    for name, value in verdict.to_json().items():
        console.print(f"  {name}: {'-' if value is None else 'yes' if value else 'no'}")
    for name in ("told", "reason_given"):
        value = getattr(verdict, name)
        console.print(f"  {name}: {'-' if value is None else 'yes' if value else 'no'}")
    for violation in verdict.violations:
        console.print(
            f"  turn {violation.turn}, {violation.kind.replace('_', ' ')} ({violation.rule}): {violation.sentence}"
        )
    recorded = trajectory.info.recorded
    if recorded is not None:
        parts = ", ".join(f"{name} {value:g}" for name, value in recorded.components.items()) or "no parts"
        console.print(f"  recorded by {recorded.source}: reward {recorded.reward} ({parts}; {recorded.ending})")
    _differences(console, trajectory.diff, gold_diff(trajectory.task))


def conversation(trajectory: Trajectory, console: Console) -> None:
    """Print what was said and called."""
    task = trajectory.task
    console.rule(escape(f"{task.domain} / {task.id} / trial {trajectory.trial}"))
    console.print(escape(task.scenario), style="italic")
    if trajectory.consent == "call":
        console.print("Each change was shown to the user before it was made (consent=call).", style="italic")
    turn = -1
    for message in trajectory.messages:
        turn += message.role == "assistant"
        label = f"{message.role} (turn {turn})" if message.role == "assistant" else message.role
        style = _STYLES[message.role]
        if message.reasoning:
            console.print(f"\n[bold {style}]{label}, thinking[/] {escape(message.reasoning)}", style="dim")
        if message.content:
            said = message.content
            rendered = console.is_terminal and _MARKDOWN.search(said) and not _HIDDEN.search(said)
            told = "" if rendered else escape(said)
            console.print(f"\n[bold {style}]{label}[/]  {told}", highlight=False)
            if rendered:  # two blanks keep the end of a line
                console.print(Markdown(said.replace("\n", "  \n"), hyperlinks=False))
        for call in message.tool_calls:
            console.print(f"\n[bold {style}]{label}[/]  {escape(call.name)}({escape(call.arguments_text())})")
    console.rule("verdict")


def _differences(console: Console, mine: tuple[RowChange, ...], gold: tuple[RowChange, ...]) -> None:
    made = {(row.table, row.key): row.after for row in mine}
    wanted = {(row.table, row.key): row.after for row in gold}
    for row_key in sorted({*made, *wanted}, key=str):
        if made.get(row_key) != wanted.get(row_key):
            console.print(f"  {row_key[0]} {', '.join(map(str, row_key[1]))}", style="bold")
            console.print(
                f"    is    {_row(made, row_key)}\n    gold  {_row(wanted, row_key)}", highlight=False, markup=False
            )


def _row(
    rows: dict[tuple[str, tuple[object, ...]], dict[str, object] | None], row_key: tuple[str, tuple[object, ...]]
) -> str:
    if row_key not in rows:
        return "unchanged"
    return json.dumps(rows[row_key], ensure_ascii=False) if rows[row_key] is not None else "deleted"
