"""The dependency graph itself: tools, and edges between them, as plain data that goes to JSON and back.

Not for finding edges: `toolgym.sandbox.synthesis.graph.measuring` does that.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from pydantic import TypeAdapter, ValidationError

from toolgym.sandbox.kit.errors import BadInput, first_invalid
from toolgym.sandbox.kit.tool import Kind

Path = tuple[str, ...]
"""Where a value stands in a result or argument: keys from outside in, `*` for any element, `<key>` for a key itself."""
USER = "user"
"""The source that stands for what a person knows without asking a tool."""


def shown(path: Path) -> str:
    """A path for people, such as `orders.*`; the whole result is `result`."""
    return ".".join(path) or "result"


@dataclass(frozen=True, slots=True)
class Node:
    """A tool.

    Attributes:
        name: the tool's name.
        kind: `read`, `write` or `neutral`; a foreign tool that may write is a `write`.
        calls: how often it was called.
        successes: how many of these calls succeeded.
        refusals: how often it was refused with each code.
        best_refusal: of a tool that never succeeded, the code that came after the most arguments had been accepted.
        open_parameters: parameters that take any value, such as a text that the caller words.
    """

    name: str
    kind: Kind
    calls: int = 0
    successes: int = 0
    refusals: dict[str, int] | None = None
    best_refusal: str | None = None
    open_parameters: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    """What one tool does for another.

    Attributes:
        kind: `value`: the target takes a value from the source's result. `order`: the target was refused before the
            source had succeeded and accepted after it, with the same arguments.
        source: a tool, or `user`.
        target: a tool.
        path: `value`: where in the source's result the value stands.
        parameter: `value`: which parameter of the target takes it.
        evidence: `value`: different values seen to pass. `order`: argument sets refused before and accepted after.
        echo: `value`: every such value had been given to the source itself, which only repeats it.
        open: `value`: the parameter takes any value; what speaks for the edge is the common name.
        codes: `order`: the codes of the refusals that the source lifts.
    """

    kind: Literal["value", "order"]
    source: str
    target: str
    path: Path = ()
    parameter: Path = ()
    evidence: int = 0
    echo: bool = False
    open: bool = False
    codes: tuple[str, ...] = ()


Link = tuple[str, str, str]
"""A value edge without its path: source, target, the target's outermost parameter."""


@dataclass(frozen=True, slots=True)
class Graph:
    """The tools of a world or server and the edges between them.

    Attributes:
        name: the world's name, or a server's command.
        seed: of the draws that found it.
        calls: live calls made for it.
        seconds: how long that took.
        nodes: the tools, as listed.
        edges: by target, then source.
    """

    name: str
    seed: int
    calls: int
    seconds: float
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]

    def into(self, target: str, kind: Literal["value", "order"]) -> list[Edge]:
        """The edges of a kind that lead to a tool, those with most evidence first."""
        found = [edge for edge in self.edges if edge.target == target and edge.kind == kind]
        return sorted(found, key=lambda edge: (-edge.evidence, edge.source, edge.path))

    def links(self) -> set[Link]:
        """The value edges between tools, each as source, target and parameter."""
        return {(e.source, e.target, e.parameter[0]) for e in self.edges if e.kind == "value" and e.source != USER}

    def missing(self, declared: Iterable[Link]) -> list[Link]:
        """The declared edges that were not seen."""
        return sorted(set(declared) - self.links())

    def to_json(self) -> str:
        """The graph as JSON text."""
        return _GRAPH.dump_json(self, indent=1).decode()

    @classmethod
    def from_json(cls, text: str) -> Graph:
        """The graph of a JSON text that `to_json` wrote.

        Raises:
            BadInput: it is something else.
        """
        try:
            return _GRAPH.validate_json(text)
        except ValidationError as error:
            raise BadInput(
                f"This is no dependency graph as `toolgym graph --json` writes it: {first_invalid(error).sentence}."
            ) from None


_GRAPH = TypeAdapter(Graph)
