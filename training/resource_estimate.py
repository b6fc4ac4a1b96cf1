"""A run in numbers before it starts: what is trained, on what, and what it takes (`toolgym.training.sizes`)."""

from __future__ import annotations

import shutil
from pathlib import Path

from omegaconf import DictConfig
from rich.table import Table
from rich.text import Text

from toolgym.sandbox.runtime.registry import data_of
from toolgym.training.data.build import Built
from toolgym.training.recipe import Setup
from toolgym.training.settings import TrainSettings
from toolgym.training.sizes import GB, Disk, Memory, disk, memory, shape_of


def table(setup: Setup, config: DictConfig, *, critic: bool, built: Built) -> Table:
    """The plan for the terminal.

    Args:
        setup: the resolved recipe.
        config: verl's configuration of it.
        critic: whether a critic is trained.
        built: the data.
    """
    settings = setup.settings
    shown = Table(title=setup.title, title_justify="left", show_header=False, box=None, pad_edge=False)
    shown.add_column(style="bold", no_wrap=True)
    shown.add_column()
    for name, text in _lines(setup, config, built):
        shown.add_row(name, Text(text))
    shape = shape_of(settings.model)
    if shape is None:
        shown.add_row("memory", Text("not estimated: the model's size is not known"))
        return shown
    need = memory(settings, shape, critic=critic, chunked=config.actor_rollout_ref.model.use_fused_kernels)
    shown.add_row("parameters", Text(_count(shape.parameters)))
    shown.add_row("memory, estimated", Text(memory_line(need, settings)))
    shown.add_row("disk, estimated", Text(disk_line(disk(settings, shape, critic=critic), settings, free(setup.out))))
    return shown


def _lines(setup: Setup, config: DictConfig, built: Built) -> list[tuple[str, str]]:
    settings = setup.settings
    kinds = ", ".join(settings.mix)
    warm = f"{settings.warmup_steps} steps on simplified tasks, then " if settings.warmup_steps else ""
    rollouts = settings.batch * settings.group
    most = rollouts * (settings.prompt_tokens + settings.response_tokens)
    judged = f", judged by {settings.judge}" if settings.judge else ""
    named = ", ".join(settings.env)
    data = settings.data or ", ".join(dict.fromkeys(map(data_of, settings.env)))
    where = named if named == data else f"{named}, {data} data"
    return [
        ("recipe", f"{setup.name}  {' + '.join(setup.variants)}"),
        ("model", settings.model),
        ("tasks", f"{where}, split {settings.split} ({built.train} training rows)"),
        ("user", "none" if set(settings.mix) == {"program"} else settings.user),
        ("reward", f"{settings.reward}, per {settings.credit}{judged}; advantages by {settings.estimator}"),
        ("schedule", f"{warm}batches of {kinds}" + (" in turn" if len(settings.mix) > 1 else "")),
        ("steps", f"{settings.steps} of {settings.batch} prompts x {settings.group} rollouts = {rollouts} episodes"),
        ("learning rate", rate_line(config, settings.steps)),
        ("validation", validation_line(config, settings.val_split, built.val)),
        (
            "tokens",
            f"prompt up to {settings.prompt_tokens:,} (the longest has {built.longest}), then up to "
            f"{settings.response_tokens:,}; at most {_count(most)} a step",
        ),
        ("machines", f"{settings.nodes} x {settings.gpus} ({settings.device}), {settings.engine} generates"),
        ("folder", str(setup.out)),
    ]


def rate_line(config: DictConfig, steps: int) -> str:
    """The learning rate and its warm-up as verl counts it: in steps, however many updates each has, and from 0."""
    optim = config.actor_rollout_ref.actor.optim
    rise = optim.lr_warmup_steps if optim.lr_warmup_steps > 0 else int(optim.lr_warmup_steps_ratio * steps)
    if rise <= 0:
        return f"{optim.lr:g}"
    text = f"{optim.lr:g}, from 0 at step 1 to all of it at step {rise + 1}"
    if rise >= steps:
        text += (
            f". This run ends before, at {(steps - 1) / rise:.0%}: set "
            "actor_rollout_ref.actor.optim.lr_warmup_steps lower, or more steps"
        )
    return text


def validation_line(config: DictConfig, split: str, rows: int) -> str:
    """What is validated, and whether the model is sampled as in training or says what it holds likeliest."""
    sampling = config.actor_rollout_ref.rollout.val_kwargs
    how = f"sampled at temperature {sampling.temperature:g}"
    if sampling.temperature == 0:
        how = "greedy (the likeliest token each time, not as in training; val_trials=2 or more samples)"
    return f"{rows} tasks of {split} x {sampling.n}, {how}"


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
