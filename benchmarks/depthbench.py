"""TIER's reward here beside the released one, on DepthBench's own rows with planted errors.

    python benchmarks/depthbench.py CHECKOUT --every 5     # every fifth row; all four variants

Needs a checkout of github.com/anaykulkarni/TIER and `pip install pandas rapidfuzz lxml`. First the gold programs of all
rows are played. Then every program, right or spoilt, is written out as text and scored twice: read, played and scored
here, and handed to the checkout's own `calculate_reward` with its parser, checker and tools (references with a field
name, as its executor wants them; results compared as sets of values). Printed are the kinds of errors with how many
programs score alike, and examples of those that do not. The checkout's code runs in this process: run it by hand.
"""

import argparse
import asyncio
import json
import random
import sys
import types
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from toolgym.domains.depthbench import serve
from toolgym.domains.depthbench.checkout import Checkout
from toolgym.judge.scoring.rewards.tier import Tier
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.formats import FormatError
from toolgym.sandbox.formats.program import parse_program, program_format
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.episode import Episode
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.synthesis.program import program_of
from toolgym.sandbox.synthesis.proof.answer import right_answer
from toolgym.sandbox.synthesis.proof.replay import gold_of

Program = list[tuple[str, dict[str, Json]]]
VARIANTS = {"full": "tier", "execution": "execution", "parsing": "parsing", "simple": "simple"}
FUNCTIONS = {"tier": "calculate_reward", "simple": "calculate_simple_reward"}
FORM = program_format("json_ast")


def released(folder: Path) -> tuple[Any, dict[str, Callable[..., list[float]]]]:
    """The checkout's parser and its reward functions, without what they do not need."""
    tools = serve.Tools(folder)
    for name in ("data", "prompts", "rewards", "parsing"):
        if name != "prompts":
            package = types.ModuleType(f"tier.{name}")
            package.__path__ = [str(folder / "src" / "tier" / name)]
            sys.modules[package.__name__] = package
    simulator = types.ModuleType("tier.environment.simulator")
    simulator.SimulatedAPIEnvironment = lambda: tools.environment  # type: ignore[attr-defined]
    sys.modules[simulator.__name__] = simulator
    import importlib

    parser = importlib.import_module("tier.parsing.ast_parser").Parser()
    found = {}
    for variant, module in VARIANTS.items():
        name = FUNCTIONS.get(module, f"calculate_reward_with_{module}")
        found[variant] = getattr(importlib.import_module(f"tier.rewards.{module}"), name)
    return parser, found


def spoilt(program: Program, returns: str, draw: random.Random) -> Iterator[tuple[str, str]]:
    """A program as texts of many kinds, the right one first."""
    right = text(program, returns)
    yield "gold", right
    yield "silence", text([], "one")
    yield "no thoughts", right.split("</think>\n")[1]
    yield "broken JSON", right.replace("}</tool_call>", "</tool_call>")
    yield "two blocks", right + "\n" + right.split("</think>\n")[1]
    yield "words after it", right + "\nDone."
    yield "the other return mode", text(program, "one" if returns == "all" else "all")
    yield "a further call", text([*program, ("GetTime", {})], returns)
    if not program:
        return
    yield "last call missing", text(program[:-1], returns)
    yield "first call missing", text(program[1:], returns)
    yield "a call twice", text([program[0], *program], returns) if len(program) == 1 else right
    place = draw.randrange(len(program))
    name, given = program[place]

    def changed(name: str, given: dict[str, Json]) -> str:
        return text([*program[:place], (name, given), *program[place + 1 :]], returns)

    yield "unknown tool", changed(name + "s", given)
    yield "further parameter", changed(name, given | {"verbose": True})
    yield "reference too far", changed(name, given | {"verbose": "API_RESPONSE_40.x"})
    if given:
        key = draw.choice(list(given))
        value = given[key]
        yield "parameter missing", changed(name, {other: each for other, each in given.items() if other != key})
        yield "parameter misnamed", changed(name, {f"{key}_": value} | {o: e for o, e in given.items() if o != key})
        if not str(value).startswith("API_RESPONSE"):
            yield "other value", changed(name, given | {key: f"{value}x" if isinstance(value, str) else value})
            yield "other type", changed(name, given | {key: [value] if isinstance(value, str) else str(value)})
            if isinstance(value, float):
                yield "integer for a float", changed(name, given | {key: int(value)})
        else:
            yield "no field named", changed(name, given | {key: value.split(".")[0]})  # type: ignore[union-attr]
            yield "field misnamed", changed(name, given | {key: f"{value}s"})


def text(program: Program, returns: str) -> str:
    """A program as a model would write it."""
    numbered = {str(number): {name: given} for number, (name, given) in enumerate(program)}
    return f'<think>a</think>\n<tool_call return="{returns}">{json.dumps(numbered)}</tool_call>'


def dotted(task: Task) -> Program:
    """The gold program whose references name the field that a bare one means."""
    results = [record.value for record in gold_of(task).log]

    def named(value: Json) -> Json:
        if isinstance(value, dict):
            return {key: named(each) for key, each in value.items()}
        if isinstance(value, list):
            return [named(each) for each in value]
        if isinstance(value, str) and value.startswith("API_RESPONSE_"):
            result = results[int(value.rpartition("_")[2])]
            return f"{value}.{[key for key in result if key != 'status_code'][-1]}"
        return value

    return [(call.name, named(call.arguments)) for call in program_of(task).tool_calls]  # type: ignore[misc]


def ours(task: Task, written: str) -> Trajectory:
    """An episode in which the model says this."""

    async def played() -> Trajectory:
        with Session(task.domain, task=task) as session:
            episode = Episode(get_domain(task.domain), task, session, None, program=True)
            await episode.start()
            try:
                await episode.step(parse_program(written, FORM))
            except FormatError as error:
                episode.reject(written, error)
            return episode.trajectory()

    return asyncio.run(played())


def rescaled(variant: str, there: float) -> float:
    """A released reward on the scale that is used here: its ablations are put on [0, 1] only where the answer is right,
    and `simple` pays a tenth for the format, here a sixth.
    """
    if there in (0.0, 1.0) or variant == "full":
        return there
    return {"execution": there / 0.7, "parsing": there / 0.9, "simple": 1 / 6}[variant]


def gold_answers(tasks: Sequence[Task]) -> int:
    """How many gold programs come to their answers."""
    right = 0
    for task in tasks:
        values = [record.value for record in gold_of(task).log]
        given = values if task.returns == "all" else values[-1:]
        right += task.answer is not None and right_answer(task.answer, given)
    return right


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--every", type=int, default=5, help="compare rewards on every so many rows")
    parser.add_argument("--examples", type=int, default=0, help="texts to print of each kind that differs")
    given = parser.parse_args()
    domain = get_domain(f"depthbench:{given.checkout.resolve()}")
    tasks = [task for split in ("train", "validation") for task in domain.tasks(split, domain.name)]
    print(f"gold answers {gold_answers(tasks)} of {len(tasks)}")
    rows = {row.id: row for row in Checkout.read(str(given.checkout)).rows}
    theirs, rewards = released(given.checkout.resolve())
    raw = json.loads((given.checkout / "data/depthbench/full_dataset.json").read_text(encoding="utf-8"))
    alike: dict[tuple[str, str], Counter[bool]] = defaultdict(Counter)
    for task in tasks[:: given.every]:
        key = task.id.removeprefix("depthbench-")
        for kind, written in spoilt(dotted(task), task.returns or "one", random.Random(key)):
            trajectory = ours(task, written)
            for variant, reward in rewards.items():
                there = reward([written], [raw[key]["response"]], [rows[key].tag], theirs, "json", False)[0]
                there = rescaled(variant, there)
                here = Tier(variant=variant, thoughts=True)(trajectory, verdict=verify(trajectory)).total  # type: ignore[arg-type]
                same = abs(here - there) < 1e-9
                if not same and alike[kind, variant][False] < given.examples:
                    print(f"{kind}, {variant}: here {here:.3f}, there {there:.3f}: {task.id} {written[:600]}")
                alike[kind, variant][same] += 1
    print(f"{'kind':24}" + "".join(f"{variant:>16}" for variant in rewards))
    for kind in dict.fromkeys(kind for kind, _ in alike):
        cells = [alike[kind, variant] for variant in rewards]
        print(f"{kind:24}" + "".join(f"{cell[True]:>9} / {cell.total():<4}" for cell in cells))


if __name__ == "__main__":
    main()
