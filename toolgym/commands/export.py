"""Write a run in another benchmark's format, as a log of Inspect, or as OpenAI messages for supervised fine-tuning.

toolgym export runs/first --to openai          messages and tools, a conversation a line
toolgym export runs/first --to results         one file to publish
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from toolgym.judge.annotation import file as annotation_file
from toolgym.judge.annotation import labelled
from toolgym.judge.benchmarks.contract import is_foreign
from toolgym.judge.evaluation.run_folder import RunFolder, write_lines
from toolgym.judge.interop import chat, tau2, tau_bench
from toolgym.judge.interop.criteria import outcome_by_their_rule
from toolgym.judge.published.file import ENDING, write_results
from toolgym.judge.scoring.scorer import turn_scores
from toolgym.judge.scoring.verifier import Basis, verify
from toolgym.sandbox.kit.errors import BadInput, writing
from toolgym.sandbox.runtime.extras import missing
from toolgym.sandbox.runtime.trajectory import Trajectory, read_trajectories

FORMATS = {
    "tau-bench": "a JSON list of task_id, reward, info, traj and trial",
    "tau2": "tau2-bench's results: info, tasks and simulations",
    "annotations": "turns that people scored, with their text: JSON lines, or CSV where --out ends in .csv",
    "results": "one file to publish, which toolgym verify-results checks",
    "inspect": "a log that `inspect view` shows (extra inspect)",
    "openai": "one line per conversation with messages and tools, for supervised fine-tuning",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym export`."""
    parser.add_argument("run", help="run folder or trajectory file")
    about = "; ".join(f"{name}: {what}" for name, what in FORMATS.items())
    parser.add_argument("--to", required=True, choices=sorted(FORMATS), help=about)
    parser.add_argument("--out", default=None, metavar="FILE", help="the file (default: beside the run's files)")
    parser.add_argument("--passed", action="store_true", help="only conversations that passed")


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym export`."""
    path = Path(arguments.run)
    folder = RunFolder(path)
    if arguments.to == "results":
        return _publish(folder, arguments)
    if arguments.to == "annotations":
        return _annotations(folder, arguments)
    trajectories = [*folder.trajectories(), *folder.failures()] if path.is_dir() else list(read_trajectories(path))
    if any(is_foreign(trajectory.task) for trajectory in trajectories):
        raise BadInput(
            f"{path} holds rows of a benchmark, which are for testing and are written in no other form; what its own "
            "evaluator reads stands in the run's folder already, where it has such a layout."
        )
    basis: Basis = folder.settings()["basis"] if folder.settings_file.is_file() else "state"
    chosen = _chosen(trajectories, arguments, basis)
    ending = {"openai": "jsonl", "inspect": "eval"}.get(arguments.to, "json")
    default = (path if path.is_dir() else path.parent) / f"{arguments.to}.{ending}"
    out = Path(arguments.out) if arguments.out else default
    with writing(out):
        out.parent.mkdir(parents=True, exist_ok=True)
    if arguments.to == "inspect":
        _write_log(out, chosen, folder, basis)
    else:
        write_lines(out, lines(arguments.to, chosen))
    print(f"{len(chosen)} conversations in {out}")
    if arguments.to in ("tau2", "tau-bench"):
        _say_rewards(chosen, tau_bench.BASIS if arguments.to == "tau-bench" else None, basis)
    left = len(trajectories) - len(chosen)
    if left:
        print(f"{left} left out: they did not pass or broken infrastructure cut them.", file=sys.stderr)
    return 0


def _annotations(folder: RunFolder, arguments: argparse.Namespace) -> int:
    """What people said of the run's turns, each line with the turn itself."""
    if arguments.passed:
        raise BadInput("Annotations are of turns, whether the conversation passed or not; leave --passed out.")
    turns = labelled.of_run(folder)
    out = Path(arguments.out) if arguments.out else folder.path / "annotated-turns.jsonl"
    if out.name == annotation_file.NAME:
        raise BadInput(f"{annotation_file.NAME} keeps a run's annotations; name another file with --out.")
    text = labelled.to_csv(turns) if out.suffix == ".csv" else "".join(f"{each.to_line()}\n" for each in turns)
    with writing(out):
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(text, encoding="utf-8", newline="")
    print(f"{len(turns)} annotations in {out}")
    return 0


def _publish(folder: RunFolder, arguments: argparse.Namespace) -> int:
    """The whole run, so that others can check it."""
    if arguments.passed:
        raise BadInput("A results file holds the whole run; leave --passed out.")
    out = Path(arguments.out) if arguments.out else folder.path / f"results{ENDING}"
    print(f"{write_results(folder, out)} episodes in {out}. Anybody checks it: toolgym verify-results {out}")
    return 0


def _write_log(out: Path, chosen: Sequence[Trajectory], folder: RunFolder, basis: Basis) -> None:
    """Write Inspect's log, with the turn scores that the run has already."""
    try:
        from toolgym.inspect_registry import clean_pass, passed
        from toolgym.judge.interop.inspect import log  # loads Inspect
    except ModuleNotFoundError as error:
        raise missing(error, "`toolgym export --to inspect`", "inspect") from error
    if out.suffix != ".eval":
        raise BadInput(f"Inspect knows its logs by their ending; name one such as {out.with_suffix('.eval')}.")
    log.write(out, chosen, turn_scores(folder), [passed(basis=basis), clean_pass()])


def _chosen(trajectories: list[Trajectory], arguments: argparse.Namespace, basis: Basis) -> list[Trajectory]:
    """What is written: failures of the infrastructure only where the format has a place for them."""
    chosen = trajectories
    if arguments.to == "openai" or arguments.passed:
        chosen = [trajectory for trajectory in chosen if trajectory.fault is None]
    if arguments.passed:
        chosen = [trajectory for trajectory in chosen if verify(trajectory).passed(basis)]
    if not chosen:
        raise BadInput(f"There is nothing to write: of {len(trajectories)} conversations none fits.")
    worlds = {(trajectory.task.domain, trajectory.task.data) for trajectory in chosen}
    if arguments.to in ("tau2", "tau-bench") and len(worlds) > 1:
        names = ", ".join(sorted(f"{domain} ({data})" for domain, data in worlds))
        raise BadInput(f"A result file is about one domain and its data; this run holds {names}.")
    return chosen


def _say_rewards(chosen: Sequence[Trajectory], parts: Sequence[str] | None, basis: Basis) -> None:
    """How many have the reward 1 in the file, where that is not how many passed here."""
    finished = [trajectory for trajectory in chosen if trajectory.fault is None]
    theirs = sum(outcome_by_their_rule(trajectory, parts).reward == 1 for trajectory in finished)
    ours = sum(verify(trajectory).passed(basis) for trajectory in finished)
    if theirs != ours:
        print(
            f"In it {theirs} have the reward 1 by the format's own rule, {ours} passed here: that rule asks for other "
            "things as well, see docs/exchange.md."
        )


def lines(to: str, trajectories: Sequence[Trajectory]) -> Iterable[str]:
    """The file's lines in a format of `FORMATS`."""
    if to == "openai":
        return chat.training_lines(trajectories)
    value = tau_bench.write(trajectories) if to == "tau-bench" else tau2.write(trajectories)
    return [json.dumps(value, indent=2, ensure_ascii=False)]
