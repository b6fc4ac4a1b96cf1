"""Teaches a tiny transformer on a CPU to ask and to wait for a yes: a start, then GRPO through verl; draws the curves.

python examples/laptop/run.py                                        one start, three seeds of GRPO, a table, a picture
python examples/laptop/run.py --rewards clean outcome --seeds 0      other rewards beside, one seed each
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import sys
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import family

from toolgym.cli import main as toolgym
from toolgym.judge.comparison.difference import paired
from toolgym.judge.evaluation.metrics import Outcomes
from toolgym.judge.evaluation.run_folder import RunFolder, write_json
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.errors import BadInput, InfrastructureError, ToolgymError
from toolgym.sandbox.kit.task import Task, read_tasks, write_tasks
from toolgym.sandbox.runtime.extras import missing
from toolgym.sandbox.runtime.roles import make_agent
from toolgym.sandbox.runtime.trajectory import Trajectory

os.environ.setdefault("VERL_PLATFORM", "cpu")  # read while verl is imported
os.environ.setdefault("VERL_LOGGING_LEVEL", "ERROR")
warnings.filterwarnings("ignore", module="verl")  # it warns of every engine that is not installed

try:
    import start
    import verl  # noqa: F401  # asked for here, before the minutes of the start
    from rich.console import Console
    from rich.progress import Progress
    from transformers.utils.logging import disable_progress_bar

    from toolgym.training.recipe import setup
except ModuleNotFoundError as error:
    sys.exit(str(missing(error, "The laptop example", "train")))

RECIPE = Path(__file__).parent / "laptop.yaml"
REWARDS = ("clean", "outcome", "toolrl", "prove", "tier", "tarl")
AGENTS = ("inert", "reckless", "rules")
"""What stands beside the curves: an agent that does nothing, one that writes at once, one that fills in forms."""
MEASURES = ("pass", "clean")

Run = dict[str, list[dict[str, list[bool]]]]
"""By measure: for each validation, every held-out task's trials."""


def outcomes(trajectories: Sequence[Trajectory]) -> dict[str, dict[str, list[bool]]]:
    """By measure, every task's trials."""
    found: dict[str, dict[str, list[bool]]] = {measure: {} for measure in MEASURES}
    for trajectory in trajectories:
        verdict = verify(trajectory)
        for measure, value in zip(MEASURES, (verdict.passed(), verdict.clean), strict=True):
            found[measure].setdefault(trajectory.task.id, []).append(value)
    return found


def mean(found: Outcomes) -> float:
    """pass^1, of the tasks' trials."""
    return statistics.fmean(statistics.fmean(trials) for trials in found.values())


def begin(folder: Path, console: Console) -> Path:
    """The tasks and the model after its start; returns the model's folder.

    Raises:
        BadInput: the model does not copy ids, so that GRPO could not teach it anything.
    """
    folder.mkdir(parents=True, exist_ok=True)
    tasks = family.tasks()
    write_tasks(folder / "tasks.jsonl", tasks)
    model = folder / "start"
    if (model / "config.json").is_file():
        return model
    console.print(f"the start: some two minutes on one processor; all files: {folder}", highlight=False, soft_wrap=True)
    began = time.process_time()
    with Progress(console=console, transient=True) as bar:
        lines = {what: bar.add_task(what, total=None) for what in ("copying", "conversing")}
        training = [task for task in tasks if task.split == "train"]
        losses = start.prepare(model, training, 0, lambda what, n, of: bar.update(lines[what], completed=n, total=of))
    share = start.copied(model, [task for task in tasks if task.split != "train"], setup(str(RECIPE)).settings, 0)
    spent = time.process_time() - began
    console.print(
        f"the start: loss {losses[-1]:.3f}; the right card in {share:.1%} of the tasks that name it; "
        f"{spent:.0f} processor seconds",
        highlight=False,
    )
    if share < start.COPIES:
        raise BadInput(f"The start copies ids in {share:.1%} of the tasks; GRPO needs {start.COPIES:.0%}.")
    return model


def train(folder: Path, model: Path, reward: str, seed: int, extra: Sequence[str]) -> dict[str, Any]:
    """One run of verl: steps, and what the conversations of each validation came to."""
    out = folder / f"{reward}-{seed}"
    data = f"data=own:{folder / 'tasks.jsonl'}"
    status = toolgym(
        ["train", str(RECIPE), f"variant={reward}", f"model={model}", data, f"seed={seed}", f"out={out}", *extra]
    )
    if status == 130:
        raise KeyboardInterrupt
    if status != 0:
        raise InfrastructureError("model", f"The run in {out} failed; see {out / 'train.log'}.")
    folders = sorted((out / "checkpoints" / "validation").iterdir())
    played = [outcomes(RunFolder(path).trajectories()) for path in folders]
    steps = [int(path.name.removeprefix("step-")) for path in folders]
    return {"steps": steps, **{measure: [each[measure] for each in played] for measure in MEASURES}}


def beside(tasks: Sequence[Task]) -> dict[str, dict[str, float]]:
    """What agents without a model come to on the held-out tasks."""
    found = {name: outcomes(asyncio.run(start.demonstrations(tasks, make_agent(name)))) for name in AGENTS}
    return {name: {measure: mean(each[measure]) for measure in MEASURES} for name, each in found.items()}


def table(results: dict[str, Any]) -> str:
    """The numbers, as printed: before, after, and the difference with its 95 % interval over tasks."""
    lines = [f"{'':16}{'pass^1':42}clean pass^1"]
    for name, levels in results["beside"].items():
        lines.append(f"{name:16}{levels['pass']:<42.3f}{levels['clean']:.3f}")
    for reward, seeds in results["runs"].items():
        for seed, run in seeds.items():
            cells = [_cell(run[measure][0], run[measure][-1]) for measure in MEASURES]
            lines.append(f"{f'{reward}, seed {seed}':16}{cells[0]:42}{cells[1]}")
    return "\n".join(line.rstrip() for line in lines)


def _cell(before: Outcomes, after: Outcomes) -> str:
    found = paired(before, after)
    return f"{found.first:.3f} -> {found.second:.3f}  {found.value:+.3f} ({found.low:+.3f} to {found.high:+.3f})"


def draw(results: dict[str, Any], out: Path) -> None:
    """The picture: both measures by step, each seed a thin line and their mean a thick one; agents as levels."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(10, 4), sharey=True, layout="constrained")
    for axis, measure, title in zip(axes, MEASURES, ("pass^1", "clean pass^1"), strict=True):
        for place, (reward, seeds) in enumerate(results["runs"].items()):
            runs, colour = list(seeds.values()), f"C{place}"
            curves = [[mean(each) for each in run[measure]] for run in runs]
            for curve in curves:
                axis.plot(runs[0]["steps"], curve, color=colour, alpha=0.35, linewidth=1)
            means = [statistics.fmean(values) for values in zip(*curves, strict=True)]
            axis.plot(runs[0]["steps"], means, color=colour, marker="o", label=f"reward {reward} (seeds: {len(runs)})")
        for (name, levels), style in zip(results["beside"].items(), (":", "-.", "--"), strict=True):
            axis.axhline(levels[measure], color="grey", linestyle=style, linewidth=1, label=name)
        axis.set(title=f"{title} on held-out cards", xlabel="GRPO step (0: the start)", ylim=(-0.03, 1.03))
    axes[0].legend(fontsize=8, loc="lower right")
    figure.savefig(out, dpi=120)
    pyplot.close(figure)


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line; settings may stand anywhere, after --rewards and --seeds too.

    Raises:
        BadInput: an unknown reward, or a seed that is no number.
    """
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rewards", nargs="+", default=["clean"], help=f"of {', '.join(REWARDS)} (default: clean)")
    parser.add_argument("--seeds", nargs="+", default=["0", "1", "2"], help="a run for each (default: 0 1 2)")
    parser.add_argument("--out", type=Path, default=Path("runs/laptop"), help="folder; what is finished in it is kept")
    parser.add_argument("settings", nargs="*", metavar="KEY=VALUE", help="for toolgym train, such as steps=10")
    given = parser.parse_intermixed_args(words)
    for name in ("rewards", "seeds"):
        given.settings += [word for word in getattr(given, name) if "=" in word]
        setattr(given, name, [word for word in getattr(given, name) if "=" not in word])
    for reward in given.rewards:
        if reward not in REWARDS:
            raise BadInput(f"There is no reward {reward!r} here; there are: {', '.join(REWARDS)}.")
    for word in given.settings:
        if "=" not in word:
            raise BadInput(f"Settings are written KEY=VALUE; got {word!r}.")
    if not all(seed.isdigit() for seed in given.seeds):
        raise BadInput(f"Seeds are whole numbers; got {' '.join(given.seeds)}.")
    given.seeds = [int(seed) for seed in given.seeds]
    return given


def run(given: argparse.Namespace) -> None:
    """The start, every reward with every seed, the table and the picture."""
    console, began = Console(), time.time()
    disable_progress_bar()  # of loading weights, which takes no time
    kept = given.out / "results.json"
    results = json.loads(kept.read_text(encoding="utf-8")) if kept.is_file() else {"beside": {}, "runs": {}}
    model = begin(given.out, console)
    if not results["beside"]:
        held_out = [task for task in read_tasks(given.out / "tasks.jsonl") if task.split == "test"]
        results["beside"] = beside(held_out)
    for seed in given.seeds:
        for reward in given.rewards:
            done = results["runs"].setdefault(reward, {})
            if str(seed) in done:
                console.print(
                    f"{reward} with seed {seed} stands in {kept}; another --out runs it anew", highlight=False
                )
                continue
            done[str(seed)] = train(given.out, model, reward, seed, given.settings)
            write_json(kept, results)
    draw(results, given.out / "curves.png")
    console.print(f"\n{table(results)}", highlight=False, soft_wrap=True)
    console.print(f"\n{time.time() - began:.0f} s. Picture: {given.out / 'curves.png'}", highlight=False)


def main() -> None:
    """The command."""
    try:
        run(arguments())
    except ToolgymError as error:
        sys.exit(f"run.py: {error}")
    except KeyboardInterrupt:
        sys.exit("Stopped; the same command goes on.")


if __name__ == "__main__":
    main()
