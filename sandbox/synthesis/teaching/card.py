"""The data card: everything counted, with examples of what was thrown out and why; as JSON, and as a page to read."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.synthesis.teaching.row import NEEDS, ORIGIN, TURNS
from toolgym.sandbox.synthesis.teaching.run import Made
from toolgym.sandbox.synthesis.teaching.source import Source

_EXAMPLES = 2
"""Conversations of each cause that are told."""
_WORDS = 300
"""Characters of an example's last words."""


class Card:
    """Counts what a run made.

    Args:
        settings: what the run was asked for, as it stands in the card.
        sources: what the rows are made from, whose tools and edges are held against those in rows.
    """

    def __init__(self, settings: Mapping[str, Json], sources: Sequence[Source]) -> None:
        self._settings, self.sources = dict(settings), sources
        self.conversations = self.rows = 0
        self._thrown: Counter[str] = Counter()
        self._examples: dict[str, list[Json]] = defaultdict(list)
        self._counts: dict[str, Counter[str]] = defaultdict(Counter)
        self._called: dict[str, Counter[str]] = defaultdict(Counter)
        self._chains: dict[str, set[tuple[str, ...]]] = defaultdict(set)
        self._edges: dict[str, set[tuple[str, str]]] = defaultdict(set)

    def add_pairs(self, counted: Mapping[str, int]) -> None:
        """Count the pairs of a source's tools as the teacher judged them."""
        self._counts["pairs of tools as the teacher judged them"].update(counted)

    def add(self, made: Made) -> None:
        """Count a conversation."""
        self.conversations += 1
        noted: dict[str, Any] = made.trajectory.info.model_dump()["synthesis"]
        self._counts["replies of the teacher by state"].update(noted["replies"])
        for state, fault, count in noted["faults"]:
            self._counts["faults of the teacher by state"][f"{state}: {fault}"] += count
        for each in noted["transitions"]:
            self._counts["transitions"][f"{each['state']}: {each['outcome']} -> {each['following']}"] += 1
        if made.cause is not None:
            self._thrown[made.cause] += 1
            if len(self._examples[made.cause]) < _EXAMPLES:
                self._examples[made.cause].append(_example(made))
            return
        self.rows += 1
        self._count_row(made.trajectory, noted["detail"])

    def _count_row(self, trajectory: Trajectory, detail: str) -> None:
        task = trajectory.task
        of = self._counts
        of["rows by world"][task.domain] += 1
        of["rows by family"][task.family] += 1
        of["rows by origin"][str(task.metadata.get(ORIGIN, "made here"))] += 1
        of["rows by information"][detail] += 1
        of["rows by the user's messages"][str(len(task.metadata[TURNS]))] += 1
        of["rows by gold steps"][str(len(task.gold))] += 1
        of["rows by depth"][str(task.depth)] += 1
        of["rows by structure"][task.structure] += 1
        of["rows with"].update(
            name
            for name, is_so in (
                ("distractors", bool(trajectory.info.model_dump()["synthesis"]["distractors"])),
                ("stripped enums", task.strip_enums),
                ("a refused call", any(not record.ok for record in trajectory.calls)),
                ("a call that writes", any(record.wrote for record in trajectory.calls)),
            )
            if is_so
        )
        names = [call.name for call in task.gold]
        self._called[task.domain].update(names)
        if names:
            self._chains[task.domain].add(tuple(names))
        for number, needs in enumerate(task.metadata[NEEDS]):
            self._edges[task.domain] |= {(names[before], names[number]) for before in needs}

    def to_json(self) -> dict[str, Json]:
        """The card."""
        return {
            **{"settings": self._settings, "rows": self.rows, "conversations": self.conversations},
            "thrown out": dict(self._thrown.most_common()),
            **{name: dict(sorted(counts.items())) for name, counts in sorted(self._counts.items())},
            "share of bad replies by state": self._bad(),
            "coverage by world": {source.name: self._coverage(source) for source in self.sources},
            "examples of what was thrown out": dict(self._examples),
        }

    def _bad(self) -> dict[str, Json]:
        replies = self._counts["replies of the teacher by state"]
        bad: Counter[str] = Counter()
        for name, count in self._counts["faults of the teacher by state"].items():
            bad[name.partition(":")[0]] += count
        answers = replies["turn"] - bad["turn"] - sum(self._made("turn: calls"))
        of = {**replies, "response": answers}
        return {state: round(count / max(1, of.get(state, 0)), 4) for state, count in sorted(bad.items())}

    def _made(self, outcome: str) -> Iterable[int]:
        return (count for name, count in self._counts["transitions"].items() if name.startswith(outcome))

    def _coverage(self, source: Source) -> dict[str, Json]:
        name = source.domain.name
        pairs = {(edge.source, edge.target) for edge in source.graph.edges if edge.source in source.domain.tools}
        offered = set(source.offered() or source.domain.tools)
        return {
            **{"tools": len(offered), "tools called": len(offered & set(self._called[name]))},
            "never called": sorted(offered - set(self._called[name])),
            **{"edges of the graph": len(pairs), "edges in rows": len(self._edges[name] & pairs)},
            "different chains": sum(set(chain) <= offered for chain in self._chains[name]),
        }

    def page(self) -> str:
        """The card for people, in Markdown."""
        card = self.to_json()
        settings = ", ".join(f"{name} {value}" for name, value in self._settings.items() if value not in (None, {}, []))
        thrown = self.conversations - self.rows
        lines = [f"# {self.rows:,} rows", "", f"Made with `toolgym synth`: {settings}.", ""]
        lines += [f"{self.conversations:,} conversations, of which {thrown:,} were thrown out.", ""]
        for name, counts in card.items():
            if isinstance(counts, dict) and counts and not name.startswith(("settings", "coverage", "examples")):
                lines += [f"## {name[0].upper()}{name[1:]}", "", "| | |", "| --- | ---: |"]
                lines += [f"| {each} | {count:,} |" for each, count in counts.items()] + [""]
        lines += [
            "## Coverage by world",
            "",
            "| world | tools called | edges in rows | chains |",
            "| --- | --- | --- | ---: |",
        ]
        for world, found in card["coverage by world"].items():
            tools = f"{found['tools called']} of {found['tools']}"
            lines += [f"| {world} | {tools} | {found['edges in rows']} | {found['different chains']:,} |"]
        lines += ["", "## Examples of what was thrown out", ""]
        for cause, examples in self._examples.items():
            lines += [f"- {cause}: {'; '.join(_told(each) for each in examples)}"]
        return "\n".join(lines) + "\n"


def _example(made: Made) -> dict[str, Json]:
    last = made.trajectory.messages[-1:] or ()
    words = last[0].content or "" if last else ""
    return {"conversation": made.number, "world": made.trajectory.task.domain, "last words": words[:_WORDS]}


def _told(example: Mapping[str, Json]) -> str:
    words = " ".join(str(example["last words"]).split())[:100].replace("|", " ")
    return f"conversation {example['conversation']} of {example['world']}" + (
        f" (\u201c{words}\u201d)" if words else ""
    )
