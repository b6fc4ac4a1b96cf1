"""Checks a GPU machine in some minutes: the device, `toolgym doctor --train`, and two steps of GRPO with either engine.

    python examples/gpu/smollm2.py runs/smollm2      # writes the model; see docs/gpu.md for what to install before
    python examples/gpu/check.py runs/smollm2        # installs and fetches nothing

A line for each engine says what was generated in a second and what memory it took against the plan.
"""

from __future__ import annotations

import argparse
import sys
import time
from importlib.util import find_spec
from pathlib import Path

from toolgym.cli import main as toolgym
from toolgym.sandbox.kit.errors import ToolgymError
from toolgym.training import plots
from toolgym.training.chunked_logits import in_chunks
from toolgym.training.recipe import setup
from toolgym.training.sizes import GB, memory, shape_of

ENGINES = ("vllm", "toolgym_transformers")
SIZE = ["user=scripted", "gpus=1", "steps=2", "batch=8", "group=4", "val_before=false", "val_tasks=4", "test_every=2"]
LENGTHS = ["format=hermes", "prompt_tokens=6000", "response_tokens=2000", "turn_tokens=256", "save_every=2"]


def settings(model: Path, engine: str, out: Path) -> list[str]:
    """The training of one engine on the command line."""
    attention = "flash_attention_2" if find_spec("flash_attn") else "sdpa"
    named = [f"model={model}", f"engine={engine}", f"out={out / engine}", f"attention={attention}"]
    return ["tarl", *named, *SIZE, *LENGTHS]


def line(model: Path, engine: str, out: Path, seconds: float) -> str:
    """What a finished training says about an engine."""
    series = {name: [value for _, value in values] for name, values in plots.read(out / engine).items()}
    recipe, *changes = settings(model, engine, out)
    shape = shape_of(str(model))
    planned = "nothing"
    if shape is not None:
        need = memory(setup(recipe, changes).settings, shape, critic=False, chunked=in_chunks(str(model)))
        planned = f"{max(need.update, need.rollout):.1f} GB"
    held = max(series["perf/max_memory_allocated_gb"]) * 1024**3 / GB
    generated = sum(series["response_length/mean"]) * 8 * 4 / sum(series["timing_s/gen"])
    return (
        f"{engine}: {seconds:.0f} s in all, {sum(series['timing_s/step']):.0f} s of two steps, "
        f"{generated:.0f} tokens a second while generating, {held:.1f} GB held at most (planned {planned}), "
        f"{sum(series['toolgym/failed']):.0f} rollouts lost"
    )


def check(model: Path, out: Path) -> int:
    """All of it; 0 when every part works."""
    import torch

    if not torch.cuda.is_available():
        print("check.py: torch sees no GPU here; docs/gpu.md says what a machine needs.", file=sys.stderr)
        return 2
    device = torch.cuda.get_device_properties(0)
    print(f"{device.name}, {device.total_memory / GB:.0f} GB, torch {torch.__version__}, CUDA {torch.version.cuda}")
    if status := toolgym(["doctor", "--train"]):
        return status
    told = []
    for engine in ENGINES:
        began = time.time()
        if status := toolgym(["train", *settings(model, engine, out)]):
            return status
        told.append(line(model, engine, out, time.time() - began))
    print("\n".join(told))
    return 0


def main() -> int:
    """Entry of the script."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path, help="a Hugging Face model's folder")
    parser.add_argument("--out", type=Path, default=Path("runs/gpu-check"), help="a new folder for the two runs")
    given = parser.parse_args()
    try:
        return check(given.model, given.out)
    except ToolgymError as error:
        print(f"check.py: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
