"""Makes a checkpoint an ordinary Hugging Face model: shards put together, configuration and tokenizer beside them.

It reads what verl's FSDP trainers write, for reinforcement learning (`checkpoints/global_step_N/actor` and `critic`)
and supervised (`global_step_N`). verl's own `verl.model_merger` does the same and rounds every weight to bfloat16.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch.distributed.tensor import DTensor, Shard

from toolgym.sandbox.kit.errors import BadInput
from toolgym.training import checkpoints

Weights = dict[str, torch.Tensor]


def export(run: Path, out: Path, *, step: int | None = None, part: str = "actor") -> str:
    """Write a checkpoint's network to a new folder; returns a sentence about it.

    Args:
        run: folder of a training run, or of checkpoints that verl made.
        out: a new folder.
        step: which checkpoint; by default the best by validation, else the last.
        part: `actor` (the model) or `critic`.

    Raises:
        BadInput: there is no such checkpoint, or the folder is taken.
    """
    if (run / "config.json").is_file():
        raise BadInput(f"{run} is a Hugging Face model already (toolgym sft writes one); there is nothing to export.")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise BadInput(f"{out} exists already; give a new folder: --out FOLDER.")
    chosen, why = _choose(run, step)
    source = _network(_folder(run) / f"global_step_{chosen}", part)
    _write(merged(source), source / "huggingface", out, critic=part == "critic")
    return f"Step {chosen} ({why}), {part}: {out} holds the model in Hugging Face's format, with its tokenizer."


def _folder(run: Path) -> Path:
    return run / "checkpoints" if (run / "checkpoints").is_dir() else run


def _choose(run: Path, step: int | None) -> tuple[int, str]:
    """The checkpoint's step, and why it is that one."""
    folder = _folder(run)
    steps = checkpoints.saved(folder)
    if not steps:
        raise BadInput(f"{run} holds no checkpoint; is it the folder of a training run, and has it saved one?")
    if step is not None:
        if step not in steps:
            raise BadInput(f"{run} has no checkpoint of step {step}; there are: {', '.join(map(str, steps))}.")
        return step, "as asked"
    best = checkpoints.best(folder)
    return (best, "the best by validation") if best is not None else (steps[-1], "the last")


def _network(checkpoint: Path, part: str) -> Path:
    """The folder of a network's shards; a supervised run has one network and no folders for parts."""
    found = checkpoint / part
    if part == "actor" and (checkpoint / "fsdp_config.json").is_file():
        found = checkpoint
    if not (found / "fsdp_config.json").is_file():
        there = [path.parent.name for path in sorted(checkpoint.glob("*/fsdp_config.json"))]
        raise BadInput(f"{checkpoint} has no {part} of FSDP; it has: {', '.join(there) or 'nothing that is known'}.")
    return found


def merged(folder: Path) -> Weights:
    """The whole weights of a network from the shards of all its processes, in the precision they were saved in.

    Raises:
        BadInput: a shard is missing.
    """
    world = int(json.loads((folder / "fsdp_config.json").read_text(encoding="utf-8"))["world_size"])
    files = [folder / f"model_world_size_{world}_rank_{rank}.pt" for rank in range(world)]
    for file in files:
        if not file.is_file():
            raise BadInput(f"{file} is missing; the checkpoint is not whole. Copy every machine's part of it here.")
    # verl's own files of this run, which hold more than tensors: FSDP's placements
    shards = [torch.load(file, map_location="cpu", weights_only=False) for file in files]
    return {name: _whole([shard[name] for shard in shards]) for name in shards[0]}


def _whole(pieces: Sequence[torch.Tensor]) -> torch.Tensor:
    """A tensor from its pieces; with replicas (HSDP) every piece comes several times, and the first ones count."""
    first = pieces[0]
    if not isinstance(first, DTensor):
        return first
    local = [piece.to_local() for piece in pieces if isinstance(piece, DTensor)]
    placement = first.placements[-1]
    if not isinstance(placement, Shard):
        return local[0]
    return torch.cat(local[: first.device_mesh.mesh.shape[-1]], dim=placement.dim)


def _write(weights: Weights, described: Path, out: Path, *, critic: bool) -> None:
    """The model's folder, by transformers itself, so that it is what every reader of such folders expects."""
    model = _empty(described, critic=critic)
    missing, unexpected = model.load_state_dict(weights, strict=False, assign=True)
    model.tie_weights()
    unknown = [*unexpected, *(name for name in missing if name not in (model.all_tied_weights_keys or {}))]
    if unknown:
        raise BadInput(f"The checkpoint's weights are not those of {type(model).__name__} ({unknown[0]}).")
    model.save_pretrained(out)
    for file in described.iterdir():  # tokenizer, chat template, processor; the configuration is written above
        if file.is_file() and not (out / file.name).exists():
            shutil.copy(file, out)


def _empty(described: Path, *, critic: bool) -> Any:
    """The network without weights: verl's critic is a token classifier, whatever its configuration is named after."""
    import transformers

    config = transformers.AutoConfig.from_pretrained(described)
    name = (config.architectures or [""])[0]
    if not critic and not hasattr(transformers, name):
        raise BadInput(f"The checkpoint is of a {name or 'nameless'} model, which transformers does not know.")
    with torch.device("meta"):
        if critic:
            return transformers.AutoModelForTokenClassification.from_config(config)
        return getattr(transformers, name)._from_config(config)
