"""Warm-start a model on the conversations of finished runs that passed.

toolgym eval ToolRetail-v0 --agent demonstrator --split train --out runs/teacher
toolgym sft runs/teacher --model PATH --out runs/warm          then: toolgym train tarl model=runs/warm
One device, ordinary transformers; docs/training.md shows the way to verl's own trainer for more.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, Field
from rich.console import Console

from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.runtime.progress import Progress
from toolgym.sandbox.runtime.settings import add_flags, resolve
from toolgym.sandbox.runtime.terminal import SafeConsole
from toolgym.training.data.demonstrations import from_runs

if TYPE_CHECKING:
    from toolgym.training.data.conversation import Chat


class SFTRun(BaseModel):
    """A warm start: one schema for flags, TOML file and environment."""

    run: Path = Field(description="the folder of a run (toolgym eval)")
    model: Path | None = Field(None, description="folder of a Hugging Face model")
    out: Path | None = Field(None, description="folder for the trained model")
    parquet: Path | None = Field(None, description="only write the conversations, as verl's SFT trainer reads them")
    format: str = Field("hermes", description="how calls are written: hermes, toolrl, ...")
    epochs: int = Field(3, ge=1, description="passes over the conversations")
    batch: int = Field(16, ge=1, description="conversations per update")
    lr: float = Field(1e-5, gt=0, description="highest learning rate")
    max_tokens: int = Field(8192, ge=16, description="conversations of more tokens are left out")
    seed: int = Field(0, description="shuffles the conversations")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym sft`."""
    add_flags(parser, SFTRun, positional=("run",))


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym sft`."""
    given, console = resolve(SFTRun, arguments), SafeConsole()
    if given.parquet is not None:
        chats = _conversations(given)
        _write(chats, given.parquet)
        console.print(f"{len(chats)} conversations in {given.parquet}", soft_wrap=True)
        return 0
    if given.model is None or given.out is None:
        raise BadInput(
            "A warm start needs --model FOLDER and --out FOLDER (or --parquet FILE, to write the data only)."
        )
    if not (given.model / "config.json").is_file():
        raise BadInput(f"{given.model} is not the folder of a model: it has no config.json.")
    _learn(given, given.model, given.out, console)
    return 0


def _conversations(given: SFTRun) -> list[Chat]:
    from toolgym.training.data.conversation import conversation

    return [conversation(trajectory, given.format) for trajectory in from_runs([given.run])]


def _write(chats: list[Chat], path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist([{"messages": chat} for chat in chats]), path, compression="zstd")


def _learn(given: SFTRun, model: Path, out: Path, console: Console) -> None:
    from toolgym.training.sft import SFTSettings, fine_tune  # torch takes seconds to import

    chats = _conversations(given)
    settings = SFTSettings(given.epochs, given.batch, given.lr, given.max_tokens, given.seed)
    with Progress(console, "learning") as bar:

        def told(done: int, total: int, loss: float) -> None:
            bar.doing(f"learning, loss {loss:.3f}")
            bar.update(done, total)

        losses = fine_tune(
            model,
            chats,
            out,
            settings,
            told,
        )
    console.print(f"{len(chats)} conversations, {len(losses)} updates, loss {losses[0]:.3f} -> {losses[-1]:.3f}")
    console.print(f"Saved in {out}. Train it: toolgym train RECIPE model={out}", soft_wrap=True)
