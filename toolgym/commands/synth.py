"""Make training data from live tools: a teacher model is led through conversations, and each row is replayed.

PROVE's pipeline (docs/synth.md). Running the same command again goes on where it stopped; a higher --count adds rows.

toolgym synth banking --count 100 --out runs/rows       offline, with the teacher by rules
toolgym synth banking+email --teacher MODEL --teacher-base-url URL --count 500 --out DIR
                                                        any OpenAI-compatible endpoint
toolgym synth prove --count 2000 --out DIR              all worlds of PROVE's that are installed
"""

from __future__ import annotations

import argparse
import asyncio
import time
from pathlib import Path
from typing import Any

from pydantic import Field
from rich.console import Console

from toolgym.commands.synth_files import write_all
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.sandbox.kit.errors import BadInput, InfrastructureError
from toolgym.sandbox.models.client import ChatClient, ModelClient
from toolgym.sandbox.models.settings import Models, ModelSettings, SpendingLimits, Url, parse_price
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.progress import Progress
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.settings import add_flags, resolve
from toolgym.sandbox.runtime.terminal import SafeConsole
from toolgym.sandbox.synthesis.teaching.card import Card
from toolgym.sandbox.synthesis.teaching.knobs import Shares
from toolgym.sandbox.synthesis.teaching.opening import Opening
from toolgym.sandbox.synthesis.teaching.run import FILE, OutOfBudget, Run, read
from toolgym.sandbox.synthesis.teaching.scripted import ScriptedTeacher
from toolgym.sandbox.synthesis.teaching.source import Source, WorldSource
from toolgym.sandbox.synthesis.teaching.teacher import Limits, Teacher

PROVE = (
    *("banking", "trading", "payments", "calendar", "email", "filesystem", "shopping", "marketplace", "retail_chain"),
    *("travel_booking", "maps", "social_media", "team_chat", "iot_devices", "vehicle", "crm", "issue_tracker"),
    *("budget", "food_delivery", "video_meeting"),
)
"""The paper's twenty (Table 2); those that are installed are taken."""
REPLIES = "replies.sqlite"


class SynthSettings(Models, SpendingLimits):
    """A run: one schema for flags, TOML file and environment."""

    source: str | None = Field(None, description="a world, several joined by +, or prove")
    count: int = Field(100, ge=1, description="rows")
    out: Path | None = Field(None, description="folder for the rows")
    seed: int = Field(0, description="decides every conversation")
    teacher: str | None = Field(None, description="model that plays both sides; without one, a teacher by rules")
    teacher_base_url: Url | None = Field(None, description="its OpenAI-compatible endpoint")
    teacher_temperature: float | None = Field(None, ge=0, description="its sampling temperature")
    max_teacher_calls: int | None = Field(None, ge=1, description="ask the teacher no more than so often")
    concurrency: int = Field(8, ge=1, description="conversations under way at once")
    distractors: float = Field(0.4, description="share with 3 to 8 live tools of other sources")
    strip_enums: float = Field(0.3, description="share whose schemas list no values of a choice")
    irrelevant: float = Field(0.05, description="share that asks for what no tool does")
    missing_function: float = Field(0.12, description="share whose last tool is hidden")

    def shares(self) -> Shares:
        """The knobs."""
        names = ("distractors", "strip_enums", "irrelevant", "missing_function")
        return Shares(**{name: getattr(self, name) for name in names})

    def decides(self) -> dict[str, Any]:
        """What decides the rows: a run is resumed with the same alone."""
        names = ("source", "seed", "teacher", "teacher_temperature", "max_tokens", *vars(self.shares()))
        return {name: getattr(self, name, None) for name in names if getattr(self, name, None) is not None}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym synth`."""
    add_flags(parser, SynthSettings, positional=("source",))


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym synth`."""
    given, console = resolve(SynthSettings, arguments), SafeConsole()
    sources = _sources(given)
    if given.out is None:
        raise BadInput("Where shall the rows go? Name a folder: --out DIR.")
    opening = Opening(sources, WorldSource(get_domain("kiosk")), given.shares(), given.seed)
    folder = RunFolder(given.out)
    folder.open(given.decides())
    teacher = Teacher(
        _client(given), given.seed, Limits(given.max_teacher_calls, given.max_tokens_total, given.max_usd)
    )
    started, stopped = time.monotonic(), ""
    work = Run(opening, teacher, given.out / FILE, given.concurrency)
    work.resume()
    before = work.kept
    _measure(console, sources)
    with Progress(console, f"rows with {teacher.name}") as bar:
        bar.begin(before, given.count)
        try:
            asyncio.run(work.until(given.count, bar.advance))
        except OutOfBudget:
            stopped = "Stopped at the limit that was set for the teacher"
        except (InfrastructureError, BadInput) as error:
            stopped = str(error)
    seconds = time.monotonic() - started
    card = Card(given.decides() | {"teacher": teacher.name, "count": given.count}, sources)
    write_all(given.out, read(given.out / FILE), card, sources)
    made = f"{card.rows - before} rows in {seconds:.0f} s, {card.rows} in all; of {card.conversations} conversations "
    console.print(f"{made}{card.conversations - card.rows} were thrown out.", highlight=False, soft_wrap=True)
    cost = f" (${teacher.dollars:.4f})" if teacher.dollars else ""
    console.print(f"{teacher.asked.total()} requests, {teacher.tokens:,} tokens{cost}.", highlight=False)
    console.print(f"Saved in {given.out}; card.md says what is in it.", highlight=False, soft_wrap=True)
    if stopped:
        raise BadInput(f"{stopped.rstrip('.')}. {card.rows} rows are kept; the same command goes on.")
    return 0


def _sources(given: SynthSettings) -> list[Source]:
    if given.source is None:
        raise BadInput("Make rows of what? Name a world, such as `toolgym synth banking --out DIR`, or prove.")
    if given.source == "prove":
        installed = set(registry.names("domains"))
        return [WorldSource(get_domain(name), given.seed) for name in PROVE if name in installed]
    return [WorldSource(get_domain(given.source), given.seed)]


def _client(given: SynthSettings) -> ChatClient:
    """The teacher: a model that remembers its replies, or one by rules."""
    if given.teacher is None:
        return ScriptedTeacher()
    assert given.out is not None
    price = given.price.get(given.teacher)
    if given.max_usd is not None and price is None:
        raise BadInput(
            f"--max-usd needs the price of {given.teacher!r}, in dollars per million tokens read/written: "
            f"--price {given.teacher}=0.4/1.6 (0/0 where it costs nothing)."
        )
    settings = ModelSettings(
        role="teacher",
        model=given.teacher,
        base_url=given.teacher_base_url,
        temperature=given.teacher_temperature,
        max_tokens=given.max_tokens,
        timeout=given.model_timeout,
        retries=given.model_retries,
        concurrency=given.model_concurrency,
        price=None if price is None else parse_price(given.teacher, price),
        cache=given.cache or given.out / REPLIES,
    )
    settings.address()
    return ModelClient(settings)


def _measure(console: Console, sources: list[Source]) -> None:
    """Step 1: the graphs, each measured once and kept."""
    for source in sources:
        with console.status(f"trying the tools of {source.domain.name}"):
            _ = source.graph
