"""Select scored conversations worth learning from, by named gates, and say why the others were left out.

toolgym select RUN ... --out DIR                               clean passes without a user's fault
toolgym select RUN ... --gates clean,turns<=20,balance --out DIR

Writes train/ and holdout/ (other people), each with trajectories, tasks, OpenAI messages and verl rows.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from toolgym.judge.evaluation.run_folder import write_json, write_lines
from toolgym.judge.interop import chat
from toolgym.judge.interop.opened import named_apart, open_run
from toolgym.judge.selection.candidate import Candidate, candidates
from toolgym.judge.selection.funnel import Selection, select, summary, table, warnings
from toolgym.judge.selection.gates import GATES, USUAL, parse_gates
from toolgym.sandbox.agents.llm import NATIVE
from toolgym.sandbox.formats import get_format
from toolgym.sandbox.kit.errors import BadInput, writing
from toolgym.sandbox.kit.task import Task, write_tasks
from toolgym.sandbox.runtime import foreign_domain
from toolgym.sandbox.runtime.extras import install
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.terminal import SafeConsole
from toolgym.sandbox.runtime.trajectory import write_trajectories
from toolgym.training.data.kinds import Kind


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym select`."""
    about = "; ".join(f"{name}{form.replace('  ', ': ', 1)}" for name, form in GATES.items())
    parser.add_argument("runs", nargs="+", metavar="RUN", help="runs or files of trajectories, as PATH or NAME=PATH")
    parser.add_argument("--gates", default=USUAL, help=f"in this order (default: {USUAL}). {about}")
    parser.add_argument("--holdout", type=float, default=0.1, metavar="SHARE", help="share of people (default: 0.1)")
    parser.add_argument("--seed", type=int, default=0, help="who is held out, whom a gate takes (default: 0)")
    parser.add_argument("--format", default=NATIVE, help=f"how calls are written in verl rows (default: {NATIVE})")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="a new folder")


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym select`."""
    if not 0 <= arguments.holdout < 1:
        raise BadInput(f"--holdout is a share of people, from 0 to less than 1; got {arguments.holdout}.")
    gates, out = parse_gates(arguments.gates), arguments.out
    _require_format(arguments.format)
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise BadInput(f"{out} exists already; give a new folder: --out DIR.")
    opened = [open_run(named, env=None, data="tau2") for named in arguments.runs]
    named_apart(opened)
    found = select(list(candidates(opened)), gates, holdout=arguments.holdout, seed=arguments.seed)
    console = SafeConsole()
    console.print(table(found), highlight=False)
    for warning in warnings(found):
        console.print(f"note: {warning}", highlight=False)
    _write(found, arguments)
    if find_spec("pyarrow") is None:
        console.print(
            f"note: rows.parquet needs the extra train: {install('train')}",
            markup=False,
            highlight=False,
            soft_wrap=True,
        )
    console.print(f"Saved in {out}. Warm-start a model: toolgym sft {out / 'train'}", highlight=False, soft_wrap=True)
    if not found.train:
        raise BadInput(f"Nothing is left to train on; {out / 'fates.jsonl'} says why each conversation stayed behind.")
    return 0


def _require_format(name: str) -> None:
    """Check that there is such a format (BadInput)."""
    if name != NATIVE:
        get_format(name)


def _write(found: Selection, arguments: argparse.Namespace) -> None:
    with writing(arguments.out):
        arguments.out.mkdir(parents=True, exist_ok=True)
    settings = {name: getattr(arguments, name) for name in ("gates", "holdout", "seed")}
    write_json(arguments.out / "funnel.json", settings | summary(found))
    write_lines(arguments.out / "fates.jsonl", (json.dumps(fate, ensure_ascii=False) for fate in found.fates))
    for name, kept in (("train", found.train), ("holdout", found.holdout)):
        _write_part(arguments.out / name, kept, arguments.format)


def _write_part(folder: Path, kept: Sequence[Candidate], text_format: str) -> None:
    """The conversations in every form that something here learns from."""
    trajectories = [each.trajectory for each in kept]
    tasks = {(each.task.domain, each.task.data, each.task.id): each for each in reversed(kept)}
    worlds: dict[str, list[Task]] = {}
    for (world, _, _), each in sorted(tasks.items()):
        worlds.setdefault(world, []).append(each.task)
    (folder / "tasks").mkdir(parents=True)
    foreign_domain.keep(folder, [get_domain(world) for world in worlds])
    write_trajectories(folder / "trajectories.jsonl", trajectories)
    write_lines(folder / "messages.jsonl", chat.training_lines(trajectories))
    for world, several in worlds.items():
        write_tasks(folder / "tasks" / f"{world}.jsonl", several)
    if find_spec("pyarrow") is not None:
        _write_rows(folder / "rows.parquet", [each for _, each in sorted(tasks.items())], text_format)


def _write_rows(path: Path, kept: Sequence[Candidate], text_format: str) -> None:
    """verl's rows: a task each, to be played as it was played."""
    from toolgym.training.data.rows import Row, dialogue_rows, write_rows  # needs an extra

    rows: list[Row] = []
    for each in kept:
        kind: Kind = "program" if each.trajectory.by_program else each.trajectory.modality
        rows += dialogue_rows(kind, [each.task], text_format)
    write_rows(path, rows)
