"""A run in numbers before it starts: what is trained, on what, and what it takes (`toolgym.training.sizes`)."""

from __future__ import annotations

import shutil
from pathlib import Path

from rich.table import Table
from rich.text import Text

from toolgym.training.data.build import Built
from toolgym.training.recipe import Setup
from toolgym.training.settings import TrainSettings
from toolgym.training.sizes import GB, Disk, Memory, disk, memory, shape_of


def table(setup: Setup, *, critic: bool, built: Built | None = None) -> Table:
    """The plan for the terminal.

    Args:
        setup: the resolved recipe.
        critic: whether a critic is trained.
        built: the data, where they were built.
    """
    settings = setup.settings
    shown = Table(title=setup.title, title_justify="left", show_header=False, box=None, pad_edge=False)
    shown.add_column(style="bold", no_wrap=True)
    shown.add_column()
    for name, text in _lines(setup, built):
        shown.add_row(name, Text(text))
    shape = shape_of(settings.model)
    if shape is None:
        shown.add_row("memory", Text("not estimated: the model's size is not known"))
        return shown
    need = memory(settings, shape, critic=critic)
    shown.add_row("parameters", Text(_count(shape.parameters)))
    shown.add_row("memory, estimated", Text(memory_line(need, settings)))
    shown.add_row("disk, estimated", Text(disk_line(disk(settings, shape, critic=critic), settings, free(setup.out))))
    return shown


def _lines(setup: Setup, built: Built | None) -> list[tuple[str, str]]:
    settings = setup.settings
    kinds = ", ".join(settings.mix)
    warm = f"{settings.warmup_steps} steps on simplified tasks, then " if settings.warmup_steps else ""
    rollouts = settings.batch * settings.group
    most = rollouts * (settings.prompt_tokens + settings.response_tokens)
    counted = f" ({built.train} training rows, {built.val} for validation)" if built else ""
    needed = f" (the longest has {built.longest})" if built else ""
    judged = f", judged by {settings.judge}" if settings.judge else ""
    named = ", ".join(settings.env)
    where = named if named == settings.data else f"{named}, {settings.data} data"
    return [
        ("recipe", f"{setup.name}  {' + '.join(setup.variants)}"),
        ("model", settings.model),
        ("tasks", f"{where}, split {settings.split}{counted}"),
        ("user", "none" if set(settings.mix) == {"program"} else settings.user),
        ("reward", f"{settings.reward}, per {settings.credit}{judged}; advantages by {settings.estimator}"),
        ("schedule", f"{warm}batches of {kinds}" + (" in turn" if len(settings.mix) > 1 else "")),
        ("steps", f"{settings.steps} of {settings.batch} prompts x {settings.group} rollouts = {rollouts} episodes"),
        (
            "tokens",
            f"prompt up to {settings.prompt_tokens:,}{needed}, then up to {settings.response_tokens:,}; at most "
            f"{_count(most)} a step",
        ),
        ("machines", f"{settings.nodes} x {settings.gpus} ({settings.device}), {settings.engine} generates"),
        ("folder", str(setup.out)),
    ]


def free(folder: Path) -> float:
    """GB free where a folder is, or will be."""
    there = next(above for above in (folder.absolute(), *folder.absolute().parents) if above.is_dir())
    return shutil.disk_usage(there).free / GB


def disk_line(need: Disk, settings: TrainSettings, gigabytes: float) -> str:
    """What the checkpoints take, and a warning where that is more than is free."""
    text = f"checkpoints of {_size(need.each)}, one every {settings.save_every} steps; "
    if need.held < need.saved:
        text += (
            f"the newest {settings.keep} and the best are kept: at most {_size(need.most)} at once "
            f"(all {need.saved}: {_size(need.saved * need.each)})"
        )
    else:
        text += f"{need.saved} in all: {_size(need.most)}"
    if need.most > gigabytes:
        text += f". More than the {_size(gigabytes)} free there: set out=FOLDER on a larger disk, or a smaller keep"
    return text


def memory_line(need: Memory, settings: TrainSettings) -> str:
    """What a GPU has to hold, and a warning where that is more than it has."""
    parts = f"weights and optimiser {_size(need.training)}"
    parts += f", critic {_size(need.critic)}" if need.critic else ""
    where = "GPU" if settings.device == "cuda" else "process"
    text = (
        f"{_size(need.update)} per {where} while updating ({parts}, logits {_size(need.logits)}, "
        f"activations {_size(need.activations)}); "
        f"{_size(need.rollout)} while generating, with one conversation's cache of {_size(need.cache)}"
    )
    most = max(need.update, need.rollout)
    if settings.device == "cuda" and most > settings.gpu_memory:
        text += (
            f". More than the {settings.gpu_memory:g} GB of a GPU: use more GPUs, a smaller response_tokens, or "
            "offload=true"
        )
    return text


def _size(gigabytes: float) -> str:
    if gigabytes >= 1000:
        return f"{gigabytes / 1000:.3g} TB"
    return f"{gigabytes:.3g} GB" if gigabytes >= 0.1 else f"{gigabytes * 1000:.3g} MB"


def _count(number: float) -> str:
    for name, unit in (("billion", 1e9), ("million", 1e6)):
        if number >= unit:
            return f"{number / unit:.3g} {name}"
    return f"{number:,.0f}"
