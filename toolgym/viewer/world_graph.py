"""The measured dependency graph of a world: from the cache of `toolgym graph`, or measured by it when somebody asks.

It is measured in a process of its own, so that the page is answered meanwhile.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from typing import Any

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.synthesis.graph import cache
from toolgym.sandbox.synthesis.graph.declared import declared_links
from toolgym.sandbox.synthesis.graph.model import Edge, Graph, shown

_SEED = 0
_DATA = "own"


class Measurements:
    """What is being measured for this server; one world at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._world = ""
        self._process: subprocess.Popen[str] | None = None
        self._started = 0.0

    def look(self, domain: Domain) -> dict[str, Any]:
        """`state` is `ready` with the graph, `measuring` with the seconds so far, `failed` with why, or `none`."""
        graph = cache.find(cache.digest(domain, _DATA, _SEED))
        if graph is not None:
            return {"state": "ready"} | _told(domain, graph)
        with self._lock:
            if self._process is None or self._world != domain.name:
                return {"state": "none"}
            status = self._process.poll()
            if status is None:
                return {"state": "measuring", "seconds": time.monotonic() - self._started}
            _, said = self._process.communicate()
            self._process = None
        why = said.strip().splitlines()[-1:] or [f"it ended with status {status} and left no graph"]
        return {"state": "failed", "why": why[0]}

    def begin(self, domain: Domain) -> dict[str, Any]:
        """Measure a world, unless its graph is there or it is being measured already.

        Raises:
            BadInput: another one is being measured.
        """
        found = self.look(domain)
        if found["state"] in ("ready", "measuring"):
            return found
        with self._lock:
            if self._process is not None and self._process.poll() is None:
                raise BadInput(f"{self._world} is being measured; ask again when it is done.")
            command = [sys.executable, "-m", "toolgym", "graph", domain.name, "--seed", str(_SEED), "--data", _DATA]
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
            )
            self._world, self._started = domain.name, time.monotonic()
        return {"state": "measuring", "seconds": 0.0}


def _told(domain: Domain, graph: Graph) -> dict[str, Any]:
    declared = declared_links(domain)
    return {
        "calls": graph.calls,
        "seconds": graph.seconds,
        "links": sorted(graph.links()),
        "edges": [_edge(edge, declared) for edge in graph.edges],
        "unseen": graph.missing(declared),
    }


def _edge(edge: Edge, declared: set[tuple[str, str, str]]) -> dict[str, Any]:
    value = edge.kind == "value"
    return {
        "kind": edge.kind,
        "source": edge.source,
        "target": edge.target,
        "what": f"{shown(edge.path)} as {shown(edge.parameter)}" if value else ", ".join(edge.codes),
        "evidence": edge.evidence,
        "echo": edge.echo,
        "declared": value and (edge.source, edge.target, edge.parameter[0]) in declared,
    }
