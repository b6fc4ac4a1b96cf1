"""What examples scored by people are worth to a judge with a language model, measured on planted errors.

    toolgym local-model --fetch qwen.gguf --context 12288 --slots 1
    python benchmarks/calibrated_judge.py --model qwen --base-url http://127.0.0.1:8765/v1 --minutes 10

Errors of eighteen kinds are planted into the demonstrator's conversations (`benchmarks/planting.py`). Those of one half
of the tasks are annotated with the truth and become the examples; those of the other half are judged twice, without and
with them, until the time is over. Printed are how many planted turns are marked with 0 or -1 (recall), how many such
marks stand at a planted turn (precision), and kappa of all turns' scores with the truth.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from planted_errors import right_runs
from planted_run import Planted, Run
from planting import KINDS
from rich.console import Console
from rich.table import Table

from toolgym.judge.annotation.labelled import LabelledTurn
from toolgym.judge.annotation.pair import kappa
from toolgym.judge.annotation.record import Score, digest_of
from toolgym.judge.scoring.agreement import LABELS
from toolgym.judge.scoring.judges.llm import LLMJudge
from toolgym.sandbox.runtime.trajectory import Trajectory

_BEFORE = 4
_TOKENS_A_TURN = 80


@dataclass
class Tally:
    """What one judge made of the planted conversations."""

    judged: int = 0
    not_judged: int = 0
    found: int = 0
    marks: int = 0
    confusion: list[list[int]] = field(default_factory=lambda: [[0] * 3 for _ in range(3)])

    def add(self, planted: Planted, scores: Sequence[int] | None) -> None:
        """Count a conversation's scores; of several turns that may be blamed, the one that is marked is the right one.

        A judge that marks none of them missed the first.
        """
        if scores is None:
            self.not_judged += 1
            return
        self.judged += 1
        marks = [turn for turn, score in enumerate(scores) if score < 1]
        right = [turn for turn in marks if turn in planted.turns]
        self.found += bool(right)
        self.marks += len(marks)
        blamed = right[0] if right else min(planted.turns)
        for turn, score in enumerate(scores):
            truth = planted.score if turn == blamed else 1
            self.confusion[LABELS.index(truth)][LABELS.index(score)] += 1


def planted_in(runs: Sequence[Trajectory], seed: int) -> Iterator[tuple[str, Planted]]:
    """Every error that the conversations have a place for, in an order drawn by the seed."""
    pairs = [(kind, run) for run in runs for kind in KINDS]
    random.Random(seed).shuffle(pairs)
    for kind, run in pairs:
        planted = KINDS[kind](Run(run), random.Random(f"{seed}:{kind}:{run.task.id}"))
        if planted is not None:
            yield kind, planted


def annotated(kind: str, planted: Planted) -> Iterator[LabelledTurn]:
    """What an annotator who knows the truth says of a planted conversation: its first turn, and the planted one."""
    trajectory, at = planted.trajectory, min(planted.turns)
    starts = [position for position, message in enumerate(trajectory.messages) if message.role == "assistant"]
    labels: dict[int, tuple[Score, str]] = {0: (1, "")} | {at: (-1 if planted.score < 0 else 0, kind)}
    for turn, (score, reason) in labels.items():
        step = trajectory.turns()[turn]
        yield LabelledTurn(
            run="planted",
            task=trajectory.task.id,
            trial=0,
            turn=turn,
            annotator="the truth",
            score=score,
            reason=reason,
            digest=digest_of(step),
            world=trajectory.task.domain,
            situation=trajectory.task.scenario,
            judges={},
            before=trajectory.messages[max(0, starts[turn] - _BEFORE) : starts[turn]],
            messages=(step.action, *step.feedback),
        )


async def measure(given: argparse.Namespace, runs: Sequence[Trajectory], examples: Path) -> dict[str, Tally]:
    """Judge the second half of the tasks without and with examples drawn from the first."""
    half = len(runs) // 2
    seen: set[tuple[str, int, int]] = set()
    with examples.open("w", encoding="utf-8") as file:
        for kind, planted in planted_in(runs[:half], seed=1):
            fresh = [each for each in annotated(kind, planted) if each.place not in seen]
            seen |= {each.place for each in fresh}
            file.writelines(f"{each.to_line()}\n" for each in fresh)
    most = _TOKENS_A_TURN * max(len(run.turns()) + 3 for run in runs)
    model = {"model": given.model, "base_url": given.base_url, "timeout": 900.0, "max_tokens": most}
    judges = {"without": LLMJudge(model, schema=True), "with": LLMJudge(model, schema=True, calibrate=examples)}
    tallies = {name: Tally() for name in judges}
    end = time.monotonic() + 60 * given.minutes
    for kind, planted in planted_in(runs[half:], seed=2):
        if time.monotonic() > end:
            break
        for name, judge in judges.items():
            scores = (await judge.score(planted.trajectory)).scores
            tallies[name].add(planted, scores)
            print(f"{planted.trajectory.task.id} {kind} at {sorted(planted.turns)}, {name}: {scores}", flush=True)
    print(f"examples drawn from: {judges['with'].calibration}")
    return tallies


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True)
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--world", default="banking")
    parser.add_argument("--count", type=int, default=40, help="tasks (40)")
    parser.add_argument("--minutes", type=float, default=10)
    given = parser.parse_args()
    runs = right_runs(given.world, given.count)
    with TemporaryDirectory() as folder:
        tallies = asyncio.run(measure(given, runs, Path(folder, "examples.jsonl")))
    shown = Table("examples", "judged", "not judged", "recall", "precision", "kappa", "weighted kappa", box=None)
    for name, tally in tallies.items():
        kappas = (kappa(tally.confusion), kappa(tally.confusion, weighted=True))
        shares = (tally.found / max(1, tally.judged), tally.found / max(1, tally.marks))
        figures = [f"{each:.2f}" if each is not None else "-" for each in (*shares, *kappas)]
        shown.add_row(name, str(tally.judged), str(tally.not_judged), *figures)
    Console(width=100).print(shown)


if __name__ == "__main__":
    main()
