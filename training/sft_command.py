"""Warm-start a model on the conversations of finished runs that passed.

toolgym eval ToolRetail-v0 --agent rules --split train --out runs/teacher
toolgym sft runs/teacher --model PATH --out runs/warm          then: toolgym train tarl model=runs/warm
One device, ordinary transformers; docs/training.md shows the way to verl's own trainer for more.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from pydantic import BaseModel, Field
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from sandbox.cli.settings import add_flags, resolve
from sandbox.errors import BadInput
from training.data.demonstrations import from_runs


class SFTRun(BaseModel):
    """A warm start: one schema for flags, TOML file and environment."""

    run: Path = Field(description="the folder of a run (toolgym eval)")
    model: Path = Field(description="folder of a Hugging Face model")
    out: Path = Field(description="folder for the trained model")
    format: str = Field("hermes", description="how calls are written: hermes, toolrl, ...")
    epochs: int = Field(3, ge=1, description="passes over the conversations")
    batch: int = Field(16, ge=1, description="conversations per update")
    lr: float = Field(1e-5, gt=0, description="highest learning rate")
    max_tokens: int = Field(8192, ge=16, description="longer conversations are left out")
    seed: int = Field(0, description="shuffles the conversations")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym sft`."""
    add_flags(parser, SFTRun, positional=("run",))


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym sft`."""
    given = resolve(SFTRun, arguments)
    if not (given.model / "config.json").is_file():
        raise BadInput(f"{given.model} is not the folder of a model: it has no config.json.")
    from training.sft import SFTSettings, conversation, fine_tune  # torch takes seconds to import

    console = Console()
    chats = [conversation(trajectory, given.format) for trajectory in from_runs([given.run])]
    settings = SFTSettings(given.epochs, given.batch, given.lr, given.max_tokens, given.seed)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        line = bar.add_task("learning")
        losses = fine_tune(
            given.model,
            chats,
            given.out,
            settings,
            lambda done, total, loss: bar.update(line, completed=done, total=total, description=f"loss {loss:.3f}"),
        )
    console.print(f"{len(chats)} conversations, {len(losses)} updates, loss {losses[0]:.3f} -> {losses[-1]:.3f}")
    console.print(f"Saved in {given.out}. Train it: toolgym train RECIPE model={given.out}", soft_wrap=True)
    return 0
