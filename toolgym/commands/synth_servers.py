"""Other people's MCP servers as sources of `toolgym synth`; apart, since their SDK loads slowly."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from toolgym.commands.graph import plan
from toolgym.judge.evaluation.run_folder import write_json
from toolgym.sandbox.remote.known_values import read_values
from toolgym.sandbox.remote.teaching_source import Servers, ServerSource, server_of, servers_of
from toolgym.sandbox.runtime.foreign_domain import SERVERS
from toolgym.sandbox.synthesis.teaching.source import Source

if TYPE_CHECKING:
    from toolgym.commands.synth import SynthSettings


def sources_of(given: SynthSettings, stack: ExitStack) -> list[Source]:
    """The running servers, which end with the stack; those that may write work in a folder of the run's own."""
    servers = servers_of(given.mcp_config) if given.mcp_config else [server_of(given.mcp or "")]
    folder = (given.out / "work").absolute() if given.allow_writes and given.out is not None else None
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    running = Servers(servers, allow_writes=given.allow_writes, destructive=given.destructive, folder=folder)
    stack.callback(running.close)
    return [ServerSource(running, name) for name in running.worlds]


def measure(given: SynthSettings, out: Path, sources: list[Source], console: Console) -> None:
    """Measure each server with a few calls, after saying which; a run that goes on takes what it has measured."""
    values = read_values(given.mcp_value)
    for source in sources:
        assert isinstance(source, ServerSource)
        kept = out / f"measured-{source.name}.json"
        if source.take_up(kept):
            continue
        with source.bench(max_calls=given.max_calls, allow_writes=given.allow_writes, values=values) as bench:
            for line in plan(bench, given.max_calls):
                console.print(line, highlight=False, markup=False, soft_wrap=True)
            source.measure(bench, given.seed, kept)
    first = sources[0]
    assert isinstance(first, ServerSource)
    write_json(out / SERVERS, first.servers.to_json())
