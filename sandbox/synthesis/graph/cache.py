"""Measured graphs on disk, by a digest of all that they follow from: the tools, the data, the seed, the measurement."""

from __future__ import annotations

import hashlib
import inspect
import json
import os
from pathlib import Path

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import BadInput, writing
from toolgym.sandbox.synthesis.graph.bench import WorldBench
from toolgym.sandbox.synthesis.graph.measuring import measure
from toolgym.sandbox.synthesis.graph.model import Graph


def cache_folder() -> Path:
    """Where graphs are kept: `toolgym/graphs` in the user's cache folder."""
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "toolgym" / "graphs"


def digest(domain: Domain, data: str, seed: int) -> str:
    """What a world's graph follows from, as one SHA-256: a change in tools, rows or either's code is another graph."""
    parts = hashlib.sha256(json.dumps([domain.name, data, seed]).encode())
    parts.update(json.dumps([[tool.name, tool.kind, tool.parameters] for tool in domain.tools.values()]).encode())
    parts.update(domain.template(data).content)
    world = inspect.getfile(domain.base)
    for folder in (Path(__file__).parent, Path(world).parent):
        for source in sorted(folder.glob("*.py")):
            parts.update(source.read_bytes())
    return parts.hexdigest()


def find(key: str) -> Graph | None:
    """The graph kept under a digest; a file that was damaged counts as none."""
    path = cache_folder() / f"{key}.json"
    try:
        return Graph.from_json(path.read_text(encoding="utf-8"))
    except (OSError, BadInput, UnicodeDecodeError):
        return None


def keep(key: str, graph: Graph) -> None:
    """Keep a graph under a digest."""
    folder = cache_folder()
    path = folder / f"{key}.json"
    with writing(path):
        folder.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}")
        part.write_text(graph.to_json(), encoding="utf-8")
        part.replace(path)


def measured(domain: Domain, data: str, seed: int) -> Graph:
    """A world's graph: the one that is kept, or measured now and kept."""
    key = digest(domain, data, seed)
    graph = find(key)
    if graph is None:
        graph = measure(domain.name, WorldBench(domain, data), seed)
        keep(key, graph)
    return graph
