"""Make training data from live tools: a teacher model is led through conversations, and each row is replayed.

PROVE's pipeline (docs/synth.md). Running the same command again resumes it; a higher --count adds rows.

toolgym synth banking --count 100 --out runs/rows       offline, with the teacher by rules
toolgym synth banking+email --teacher MODEL --teacher-base-url URL --count 500 --out DIR
                                                        any OpenAI-compatible endpoint
toolgym synth prove --count 2000 --out DIR              all worlds of PROVE's that are installed
toolgym synth prove-13k --out DIR                       as many rows as the paper has, offline
toolgym synth --mcp "npx some-server" --count 100 --out DIR
                                                        the tools of any MCP server that say they only read
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from pydantic import Field
from rich.console import Console

from toolgym.commands.mcp_flags import MAX_CALLS
from toolgym.commands.synth_files import write_all
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.sandbox.agents.llm import system_prompt
from toolgym.sandbox.kit.errors import BadInput, InfrastructureError
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.models.client import ChatClient, ModelClient
from toolgym.sandbox.models.settings import Models, ModelSettings, SpendingLimits, Url, parse_price
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.briefing import briefing
from toolgym.sandbox.runtime.progress import Progress
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.settings import add_flags, resolve
from toolgym.sandbox.runtime.terminal import SafeConsole
from toolgym.sandbox.synthesis.teaching import abstentions
from toolgym.sandbox.synthesis.teaching.abstentions import PAPERS, Requests, rows
from toolgym.sandbox.synthesis.teaching.card import Card
from toolgym.sandbox.synthesis.teaching.knobs import Shares
from toolgym.sandbox.synthesis.teaching.opening import Opening
from toolgym.sandbox.synthesis.teaching.pairs import counted, graph_of, judged
from toolgym.sandbox.synthesis.teaching.query import PROMPT
from toolgym.sandbox.synthesis.teaching.run import FILE, Run, read
from toolgym.sandbox.synthesis.teaching.scripted import ScriptedTeacher
from toolgym.sandbox.synthesis.teaching.source import Source, WorldSource
from toolgym.sandbox.synthesis.teaching.teacher import Limits, OutOfBudget, Teacher

PROVE = (
    *("banking", "trading", "payments", "calendar", "email", "filesystem", "shopping", "marketplace", "retail_chain"),
    *("travel_booking", "maps", "social_media", "team_chat", "iot_devices", "vehicle", "crm", "issue_tracker"),
    *("budget", "food_delivery", "video_meeting"),
)
"""The paper's twenty (Table 2); those that are installed are taken."""
PAPERS_NAME, PAPERS_SET = "prove-13k", {"chain": 10_895, "missing_function": 1_500, "irrelevant": 1_122}
"""The paper's data set by families. Its 1,122 abstentions are other people's, here where their files are named."""
REPLIES = "replies.sqlite"
ELSEWHERE = "kiosk"
"""Whose chains are asked for where nothing fits, in runs of one world."""
SHARES = ("distractors", "strip_enums", "irrelevant", "missing_function")
"""The knobs that are flags."""
TURNS, OTHERS = 8.5, 3.0
"""Requests a row as the assistant and as the user, measured with the teacher by rules on PROVE's worlds."""
GROWTH, WRITTEN, CHARACTERS = 900, 60, 4
"""Tokens that a conversation adds to its prompt on average, tokens of a reply, and characters of a token."""


PAIR = 500
"""Tokens of two tools with what is asked about them."""
_requests = cache(abstentions.read)


class SynthSettings(Models, SpendingLimits):
    """A run: one schema for flags, TOML file and environment."""

    source: str | None = Field(None, description="a world, several joined by +, prove, or prove-13k (the paper's set)")
    count: int = Field(100, ge=1, description="rows; of prove-13k a smaller set in the same shares")
    out: Path | None = Field(None, description="folder for the rows")
    seed: int = Field(0, description="decides every conversation")
    teacher: str | None = Field(None, description="model that plays both sides; without one, a teacher by rules")
    teacher_base_url: Url | None = Field(None, description="its OpenAI-compatible endpoint")
    teacher_temperature: float | None = Field(None, ge=0, description="its sampling temperature")
    max_teacher_calls: int | None = Field(None, ge=1, description="requests to the teacher, at most")
    concurrency: int = Field(8, ge=1, description="conversations at once")
    distractors: float = Field(0.4, description="share with 3 to 8 live tools of other sources")
    strip_enums: float = Field(0.3, description="share whose schemas list no values of a choice")
    irrelevant: float = Field(0.05, description="share that asks for what no tool does")
    missing_function: float = Field(0.12, description="share whose last tool is hidden")
    mcp: str | None = Field(None, description="the command of an MCP server to make rows of")
    mcp_config: Path | None = Field(None, description="a file with mcpServers, several at once")
    mcp_value: tuple[str, ...] = Field(
        (), description="what a parameter gets, NAME=VALUE or @FILE; as in tasks generate"
    )
    max_calls: int = Field(MAX_CALLS, ge=1, description="calls to explore each server")
    allow_writes: bool = Field(False, description="also call tools that may write, in a folder of the run's own")
    destructive: tuple[str, ...] = Field((), description="also call these tools, which declare themselves destructive")
    graph: Literal["live", "teacher"] = Field(
        "live", description="who says which tools depend on each other: live calls, or the teacher, pair by pair"
    )
    abstentions: tuple[Path, ...] = Field(
        (), description="When2Call's and xLAM-Irrelevance's files, whose requests stand for those that no tool fits"
    )
    dry_run: bool = Field(False, description="print what would be called and used, then stop")

    def shares(self) -> Shares:
        """The knobs, without what the files of others give."""
        given = {name: getattr(self, name) for name in SHARES}
        external = self.irrelevant * self.external()
        given["irrelevant"] = (given["irrelevant"] - external) / (1 - external)
        given["missing_function"] /= 1 - external
        return Shares(**given)

    def external(self) -> float:
        """The share of the requests without a tool that the files of others give."""
        return sum(PAPERS[each.origin] for each in self.requests()) / sum(PAPERS.values())

    def requests(self) -> list[Requests]:
        """What the files of others hold."""
        found = [_requests(path) for path in self.abstentions]
        if len({each.origin for each in found}) < len(found):
            raise BadInput(f"--abstentions takes one file of {' and one of '.join(PAPERS)}.")
        return found

    def decides(self) -> dict[str, Any]:
        """What decides the rows: a run is resumed with the same alone."""
        names = (
            "source",
            "mcp",
            "seed",
            "teacher",
            "teacher_temperature",
            "max_tokens",
            "allow_writes",
            "graph",
            *SHARES,
        )
        found = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        found |= {"mcp_config": str(self.mcp_config)} if self.mcp_config else {}
        return found | ({"abstentions": [str(path) for path in self.abstentions]} if self.abstentions else {})


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym synth`."""
    add_flags(parser, SynthSettings, positional=("source",))


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym synth`."""
    given, console = resolve(SynthSettings, arguments), SafeConsole()
    if given.source == PAPERS_NAME:
        whole = sum(PAPERS_SET.values())
        shares = {name: PAPERS_SET[name] / whole for name in ("irrelevant", "missing_function")}
        count = given.count if "count" in given.model_fields_set else whole
        given = given.model_copy(update={"count": count, **shares})
    if given.out is None and not given.dry_run:
        raise BadInput("Where shall the rows go? Name a folder: --out DIR.")
    with ExitStack() as stack:
        sources = _sources(given, stack)
        if given.dry_run:
            return _told(given, sources, console)
        assert given.out is not None
        return _made(given, given.out, sources, console)


def _made(given: SynthSettings, out: Path, sources: list[Source], console: Console) -> int:
    opening = Opening(sources, WorldSource(get_domain(ELSEWHERE), given.seed), given.shares(), given.seed)
    folder = RunFolder(out)
    folder.open(given.decides() | {"worlds": sorted({source.domain.name for source in sources})})
    teacher = Teacher(
        _client(given, out), given.seed, Limits(given.max_teacher_calls, given.max_tokens_total, given.max_usd)
    )
    drawn = [
        (each, round(given.count * given.irrelevant * PAPERS[each.origin] / sum(PAPERS.values())))
        for each in given.requests()
    ]
    external = [rows(each, count, given.seed) for each, count in drawn]
    wanted = given.count - sum(count for _, count in drawn)
    parts = {name: round(given.count * part / sum(PAPERS_SET.values())) for name, part in PAPERS_SET.items()}
    quotas = parts | {"irrelevant": wanted - parts["chain"] - parts["missing_function"]}
    work = Run(opening, teacher, out / FILE, given.concurrency, quotas if given.source == PAPERS_NAME else {})
    work.resume()
    _measure(given, out, sources, console)
    card = Card(given.decides() | {"teacher": teacher.name, "count": given.count}, sources)
    before, started, stopped = work.kept, time.monotonic(), ""
    with Progress(console, f"rows with {teacher.name}") as bar:
        bar.begin(before, wanted)
        try:
            asyncio.run(_lead(given, work, teacher, card, wanted, bar.advance))
        except OutOfBudget:
            stopped = "Stopped at the limit that was set for the teacher"
        except (InfrastructureError, BadInput) as error:
            if isinstance(error.__cause__, OSError):
                raise  # a full disk takes no other files either; the conversations are kept, and the run goes on
            stopped = str(error)
    seconds = time.monotonic() - started
    domains = [*(source.domain for source in sources), *(domain for domain, _ in external)]
    write_all(out, chain(read(out / FILE), *(made for _, made in external)), card, domains)
    made = f"{work.kept - before} rows in {seconds:.0f} s, {card.rows} in all; of {card.conversations} conversations "
    console.print(f"{made}{card.conversations - card.rows} were thrown out.", highlight=False, soft_wrap=True)
    cost = f" (${teacher.dollars:.4f})" if teacher.dollars else ""
    console.print(f"{teacher.asked.total()} requests, {teacher.tokens:,} tokens{cost}.", highlight=False)
    console.print(f"Saved in {out}; card.md says what is in it.", highlight=False, soft_wrap=True)
    if stopped:
        raise BadInput(f"{stopped.rstrip('.')}. {card.rows} rows are kept; the same command resumes it.")
    return 0


async def _lead(
    given: SynthSettings, work: Run, teacher: Teacher, card: Card, count: int, step: Callable[[], None]
) -> None:
    """The graphs by the teacher where it is to judge them (step 1), then conversation after conversation."""
    for source in card.sources if given.graph == "teacher" else ():
        tools = [source.domain.tools[name] for name in source.offered() or source.domain.tools]
        verdicts = await judged(teacher, tools)
        card.add_pairs(counted(source.graph, verdicts))
        source.use(graph_of(source.graph, verdicts))
    await work.until(count, step)


def _sources(given: SynthSettings, stack: ExitStack) -> list[Source]:
    named = [name for name in ("source", "mcp", "mcp_config") if getattr(given, name) is not None]
    if len(named) != 1:
        raise BadInput(
            "Make rows of one thing: a world, such as `toolgym synth banking --out DIR`, prove, --mcp COMMAND or "
            "--mcp-config FILE."
        )
    if given.source in ("prove", PAPERS_NAME):
        installed = set(registry.names("domains"))
        return [WorldSource(get_domain(name), given.seed) for name in PROVE if name in installed]
    if given.source is not None:
        return [WorldSource(get_domain(given.source), given.seed)]
    from toolgym.commands.synth_servers import sources_of  # the SDK loads slowly

    return sources_of(given, stack)


def _measure(given: SynthSettings, out: Path, sources: list[Source], console: Console) -> None:
    """Step 1: the graphs, each measured once and kept."""
    if given.source is None:
        from toolgym.commands.synth_servers import measure

        return measure(given, out, sources, console)
    for source in sources:
        with console.status(f"trying the tools of {source.name}"):
            _ = source.graph


def _told(given: SynthSettings, sources: list[Source], console: Console) -> int:
    """What a run would call and use, from the tools' schemas and what runs with the teacher by rules asked."""
    called = [f"{source.name}: {', '.join(source.offered() or source.domain.tools)}" for source in sources]
    for line in ["Would be called:", *called]:
        console.print(line, highlight=False, markup=False, soft_wrap=True)
    if given.teacher is None:
        console.print("The teacher is by rules and costs nothing.", highlight=False)
        return 0
    briefed = [briefing(each.domain, Task(id="", domain=each.domain.name, tools=each.offered())) for each in sources]
    prompt = sum(len(json.dumps(list(told.tools))) + len(system_prompt(told, None)) for told in briefed) / len(briefed)
    pairs = sum(math.comb(len(source.offered() or source.domain.tools), 2) for source in sources)
    turns = given.count * TURNS
    read = turns * (prompt / CHARACTERS + GROWTH) + given.count * OTHERS * len(PROMPT) / CHARACTERS * 2
    written = given.count * (TURNS + OTHERS) * WRITTEN
    asked = given.count * (TURNS + OTHERS)
    if given.graph == "teacher":
        asked, read, written = asked + pairs, read + pairs * PAIR, written + pairs * WRITTEN
    text = given.price.get(given.teacher)
    price = None if text is None else parse_price(given.teacher, text).dollars(round(read), round(written))
    cost = f"${price:,.2f}" if price is not None else f"the price is not known (--price {given.teacher}=0.4/1.6)"
    console.print(
        f"About {asked:,.0f} requests to {given.teacher}, {read:,.0f} tokens read and "
        f"{written:,.0f} written: {cost}. What is thrown out comes on top.",
        highlight=False,
        soft_wrap=True,
    )
    return 0


def _client(given: SynthSettings, out: Path) -> ChatClient:
    """The teacher: a model that remembers its replies, or one by rules."""
    if given.teacher is None:
        return ScriptedTeacher()
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
        cache=given.cache or out / REPLIES,
    )
    settings.address()
    return ModelClient(settings)
