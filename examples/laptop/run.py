"""Teaches a tiny transformer a task family on a CPU: supervised warm start, then GRPO through verl; draws the curves.

python examples/laptop/run.py                                        one run, outcome reward
python examples/laptop/run.py --rewards outcome toolrl prove tier tarl --seeds 0 1 2
                                                                     every reward, three seeds, one picture
python examples/laptop/run.py --base runs/smollm2 device=cuda ...     the same on one GPU, see docs/training.md
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

import family
from rich.console import Console
from rich.progress import Progress

from sandbox.cli import main as toolgym
from sandbox.domain import get_domain
from sandbox.episode import Episode, Limits, run_episode
from sandbox.errors import InfrastructureError
from sandbox.roles import make_user
from sandbox.session import Session
from sandbox.task import Task, write_tasks
from sandbox.trajectory import Trajectory
from training import curves
from training.cpu.tiny import make_model
from training.data.demonstrations import passed
from training.sft import SFTSettings, conversation, fine_tune

RECIPE = Path(__file__).parent / "laptop.yaml"
REWARDS = ("outcome", "toolrl", "prove", "tier", "tarl")
PASS = "toolgym/val/toolgym/text/pass^1"
SHAPE = {"vocabulary": 700, "layers": 2, "hidden": 96}
WARM_START = SFTSettings(epochs=60, batch=32, lr=4e-3, max_tokens=512, stop_below=0.06)
"""It ends where the model has the manners and not yet the work: GRPO is to have something to do."""
BASE_START = SFTSettings(epochs=4, batch=32, lr=1e-4, max_tokens=512, stop_below=0.06)
"""The warm start of a model that can talk already."""
LIMITS = Limits(max_turns=6, max_result_chars=100)


async def demonstrations(tasks: Sequence[Task]) -> list[Trajectory]:
    """The demonstrator on every task, with the scripted user."""
    domain, user, agent = get_domain("retail"), make_user("scripted"), family.Demonstrator()
    found = []
    for task in tasks:
        with Session(domain, task=task) as session:
            episode = Episode(domain, task, session, user, seed=task.seed, limits=LIMITS)
            found.append(await run_episode(episode, agent))
    return passed(found)


def prepare(folder: Path, seed: int, console: Console, base: Path | None = None) -> Path:
    """Tasks, model (`base`, or a fresh tiny one) and warm start of a seed; returns the model's folder."""
    folder.mkdir(parents=True, exist_ok=True)
    tasks = family.tasks()
    write_tasks(folder / "tasks.jsonl", tasks)
    model = folder / f"sft-{seed}"
    if (model / "config.json").is_file():
        return model
    shown = asyncio.run(demonstrations([task for task in tasks if task.split == "train"]))
    chats = [conversation(trajectory, "hermes", full=False) for trajectory in shown]
    texts = [message["content"] for chat in chats for message in chat]
    fresh = base or make_model(folder / f"fresh-{seed}", texts, words=family.orders(), seed=seed, **SHAPE)
    with Progress(console=console, transient=True) as bar:
        line = bar.add_task(f"warm start on {len(chats)} conversations")
        settings = SFTSettings(**{**vars(WARM_START if base is None else BASE_START), "seed": seed})
        losses = fine_tune(fresh, chats, model, settings, lambda n, of, _: bar.update(line, completed=n, total=of))
    console.print(f"warm start {seed}: {len(chats)} conversations, loss {losses[0]:.2f} -> {losses[-1]:.3f}")
    return model


def train(folder: Path, model: Path, reward: str, seed: int, extra: Sequence[str]) -> dict[str, list[float]]:
    """One run of verl; the held-out pass^1 by step."""
    out = folder / f"{reward}-{seed}"
    data = f"data=own:{folder / 'tasks.jsonl'}"
    chosen = [f"variant={reward}", f"model={model}", data, f"seed={seed}", f"out={out}"]
    status = toolgym(["train", str(RECIPE), *chosen, *extra])
    if status != 0:
        raise InfrastructureError("model", f"The run in {out} failed; see {out / 'train.log'}.")
    steps, values = zip(*curves.read(out)[PASS], strict=True)
    return {"steps": list(steps), "pass": list(values)}


def compare(results: dict[str, dict[str, dict[str, list[float]]]], out: Path) -> None:
    """Mean and spread of the held-out pass^1 over seeds, one line per reward."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axis = pyplot.subplots(figsize=(7, 4.5))
    for reward, seeds in results.items():
        runs = list(seeds.values())
        steps = runs[0]["steps"]
        means = [statistics.fmean(run["pass"][place] for run in runs) for place in range(len(steps))]
        spread = [statistics.pstdev(run["pass"][place] for run in runs) for place in range(len(steps))]
        axis.errorbar(steps, means, yerr=spread, marker="o", capsize=3, label=f"{reward} ({len(runs)} seeds)")
    axis.set_xlabel("GRPO step (0: after the warm start)")
    axis.set_ylabel("pass^1 on held-out tasks")
    axis.set_ylim(0, 1)
    axis.legend()
    figure.tight_layout()
    figure.savefig(out, dpi=120)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rewards", nargs="+", choices=REWARDS, default=["outcome"])
    parser.add_argument("--seeds", nargs="+", type=int, default=[0])
    parser.add_argument("--base", type=Path, help="a checkpoint to start from instead of a fresh tiny model")
    parser.add_argument("--out", type=Path, default=Path("runs/laptop"))
    parser.add_argument("settings", nargs="*", metavar="KEY=VALUE", help="for toolgym train, such as steps=10")
    given = parser.parse_args()
    console, started = Console(), time.time()
    results: dict[str, dict[str, dict[str, list[float]]]] = {}
    for seed in given.seeds:
        model = prepare(given.out, seed, console, given.base)
        for reward in given.rewards:
            results.setdefault(reward, {})[str(seed)] = train(given.out, model, reward, seed, given.settings)
            (given.out / "results.json").write_text(json.dumps(results, indent=2), encoding="utf-8")
    compare(results, given.out / "compare.png")
    for reward, seeds in results.items():
        ends = [(run["pass"][0], run["pass"][-1]) for run in seeds.values()]
        before, after = (statistics.fmean(column) for column in zip(*ends, strict=True))
        console.print(f"{reward:8} pass^1 {before:.3f} -> {after:.3f}  (mean of {len(ends)} seeds)", highlight=False)
    console.print(f"{time.time() - started:.0f} s. Picture: {given.out / 'compare.png'}", highlight=False)


if __name__ == "__main__":
    main()
