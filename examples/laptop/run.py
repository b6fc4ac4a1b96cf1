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
import random
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import family

from toolgym.cli import main as toolgym
from toolgym.sandbox.kit.errors import BadInput, InfrastructureError, ToolgymError
from toolgym.sandbox.kit.task import Task, write_tasks
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.extras import missing
from toolgym.sandbox.runtime.limits import Limits
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import Agent, make_agent, make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory

try:
    import verl  # noqa: F401  # asked for here, before the minutes of the warm start
    from rich.console import Console
    from rich.progress import Progress

    from toolgym.training import plots
    from toolgym.training.cpu.tiny import make_model
    from toolgym.training.data.demonstrations import passed
    from toolgym.training.sft import SFTSettings, conversation, fine_tune
except ModuleNotFoundError as error:
    sys.exit(str(missing(error, "The laptop example", "train")))

RECIPE = Path(__file__).parent / "laptop.yaml"
REWARDS = ("outcome", "toolrl", "prove", "tier", "tarl")
PASS = "toolgym/val/toolgym/text/pass^1"
SHAPE = {"vocabulary": 700, "layers": 2, "hidden": 96}
WARM_START = SFTSettings(epochs=80, batch=32, lr=2e-3, max_tokens=512, stop_below=0.046)
"""It ends when the oracle's guesses are about all that is left to be surprised by."""
BASE_START = SFTSettings(epochs=2, batch=32, lr=1e-4, max_tokens=512)
"""The warm start of a model that can talk already."""
ORACLE = 0.75
"""The oracle's share of the demonstrations. It knows what the customer has not said and never asks, so whoever imitates
it guesses: that is what GRPO is to repair."""
LIMITS = Limits(max_turns=6, max_result_chars=100)

Results = dict[str, dict[str, dict[str, list[float]]]]
"""By reward and seed: steps, and the held-out pass^1 at each."""


async def demonstrations(tasks: Sequence[Task], agent: Agent) -> list[Trajectory]:
    """An agent that is shown the tasks, on every one of them, with the scripted user."""
    domain, user = get_domain("retail"), make_user("scripted")
    found = []
    for task in tasks:
        with Session(domain, task=task) as session:
            episode = Episode(domain, task, session, user, seed=task.seed, limits=LIMITS)
            found.append(await run_episode(episode, agent))
    return passed(found)


def warm_start(tasks: list[Task], seed: int) -> list[Trajectory]:
    """The oracle on most tasks, in a random order, and the demonstrator on the others."""
    tasks = random.Random(seed).sample(tasks, len(tasks))
    known = round(ORACLE * len(tasks))
    oracle, asking = make_agent("oracle"), family.Demonstrator()
    return asyncio.run(demonstrations(tasks[:known], oracle)) + asyncio.run(demonstrations(tasks[known:], asking))


def prepare(folder: Path, seed: int, console: Console, base: Path | None = None) -> Path:
    """Tasks, model (`base`, or a fresh tiny one) and warm start of a seed; returns the model's folder."""
    folder.mkdir(parents=True, exist_ok=True)
    tasks = family.tasks()
    write_tasks(folder / "tasks.jsonl", tasks)
    model = folder / f"sft-{seed}"
    if (model / "config.json").is_file():
        return model
    shown = warm_start([task for task in tasks if task.split == "train"], seed)
    chats = [conversation(trajectory, "hermes", full=False) for trajectory in shown]
    texts = [message["content"] for chat in chats for message in chat]
    say = f"warm start {seed}: {len(chats)} conversations, a few minutes on two processors; all files: {folder}"
    console.print(say, highlight=False, soft_wrap=True)
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
    if status == 130:
        raise KeyboardInterrupt
    if status != 0:
        raise InfrastructureError("model", f"The run in {out} failed; see {out / 'train.log'}.")
    steps, values = zip(*plots.read(out)[PASS], strict=True)
    return {"steps": list(steps), "pass": list(values)}


def compare(results: Results, out: Path) -> None:
    """Mean and spread of the held-out pass^1 over seeds, one line per reward."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axis = pyplot.subplots(figsize=(7, 4.5))
    for reward, seeds in results.items():
        runs = list(seeds.values())
        steps = runs[0]["steps"]
        means = [statistics.fmean(run["pass"][index] for run in runs) for index in range(len(steps))]
        spread = [statistics.pstdev(run["pass"][index] for run in runs) for index in range(len(steps))]
        axis.errorbar(steps, means, yerr=spread, marker="o", capsize=3, label=f"{reward} (seeds: {len(runs)})")
    axis.set_xlabel("GRPO step (0: after the warm start)")
    axis.set_ylabel("pass^1 on held-out tasks")
    axis.set_ylim(0, 1)
    axis.legend()
    figure.tight_layout()
    figure.savefig(out, dpi=120)


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line; settings may stand anywhere, after --rewards and --seeds too.

    Raises:
        BadInput: an unknown reward, or a seed that is no number.
    """
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rewards", nargs="+", default=["outcome"], help=f"of {', '.join(REWARDS)} (default: outcome)")
    parser.add_argument("--seeds", nargs="+", default=["0"], help="a run for each (default: 0)")
    parser.add_argument("--base", type=Path, help="a checkpoint to start from instead of a fresh tiny model")
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
    """Every reward with every seed, and the picture."""
    console, started = Console(), time.time()
    kept = given.out / "results.json"
    results: Results = json.loads(kept.read_text(encoding="utf-8")) if kept.is_file() else {}
    for seed in given.seeds:
        model = prepare(given.out, seed, console, given.base)
        for reward in given.rewards:
            if str(seed) in results.get(reward, {}):
                console.print(
                    f"{reward} with seed {seed} stands in {kept}; another --out runs it anew", highlight=False
                )
                continue
            results.setdefault(reward, {})[str(seed)] = train(given.out, model, reward, seed, given.settings)
            kept.write_text(json.dumps(results, indent=2), encoding="utf-8")
    compare(results, given.out / "compare.png")
    for reward, seeds in results.items():
        ends = [(run["pass"][0], run["pass"][-1]) for run in seeds.values()]
        before, after = (statistics.fmean(column) for column in zip(*ends, strict=True))
        console.print(f"{reward:8} pass^1 {before:.3f} -> {after:.3f}  (seeds: {len(ends)})", highlight=False)
    console.print(f"{time.time() - started:.0f} s. Picture: {given.out / 'compare.png'}", highlight=False)


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
