"""Step 1 as the paper has it (`--graph teacher`): the teacher says of each pair of tools how they depend on each other.

The verdicts are kept on disk by a digest of the schemas. They choose among the edges that live calls have found, since
a chain needs values that do flow; an order that the teacher sees is taken at its word.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Literal

from pydantic import TypeAdapter, ValidationError

from toolgym.sandbox.kit.errors import writing
from toolgym.sandbox.kit.message import Frozen
from toolgym.sandbox.kit.tool import Tool
from toolgym.sandbox.synthesis.graph.cache import cache_folder
from toolgym.sandbox.synthesis.graph.model import USER, Edge, Graph
from toolgym.sandbox.synthesis.teaching.conversation import AGAIN
from toolgym.sandbox.synthesis.teaching.teacher import Teacher

PROMPT = """\
You are given two tools of one system as JSON. Say how they depend on each other. Answer with one JSON object alone:
{"relation": "explicit", "first": NAME, "second": NAME} where a result of the first tool holds a value that the second \
one requires;
{"relation": "implicit", "first": NAME, "second": NAME} where no value passes, but the first tool must have succeeded \
before the second one can;
{"relation": "none"} where neither holds."""


class Verdict(Frozen):
    """What the teacher says of a pair; `none` also where no answer of its could be read."""

    relation: Literal["explicit", "implicit", "none"]
    first: str = ""
    second: str = ""


_VERDICTS = TypeAdapter(list[Verdict])


async def judged(teacher: Teacher, tools: Sequence[Tool]) -> list[Verdict]:
    """The verdicts on all pairs: those that are kept, or the teacher's, which are kept.

    Raises:
        InfrastructureError: the teacher gives no answer.
        OutOfBudget: it may not be asked any more.
    """
    told = {tool.name: json.dumps([tool.name, tool.description, tool.parameters]) for tool in tools}
    digest = hashlib.sha256(json.dumps([teacher.name, PROMPT, sorted(told.values())]).encode()).hexdigest()
    kept = cache_folder() / f"pairs-{digest}.json"
    try:
        return _VERDICTS.validate_json(kept.read_bytes())
    except (OSError, ValidationError):
        pass
    found = list(await asyncio.gather(*(_judged(teacher, pair, told) for pair in combinations(sorted(told), 2))))
    with writing(kept):
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(_VERDICTS.dump_json(found))
    return found


async def _judged(teacher: Teacher, pair: tuple[str, str], told: dict[str, str]) -> Verdict:
    messages = [
        {"role": "system", "content": PROMPT},
        {"role": "user", "content": "\n".join(told[name] for name in pair)},
    ]
    for attempt in range(AGAIN + 1):
        reply = await teacher.ask("graph", messages, (), f"{' '.join(pair)}:{attempt}")
        try:
            verdict = Verdict.model_validate_json(reply.text[reply.text.find("{") : reply.text.rfind("}") + 1])
        except ValidationError:
            continue
        if verdict.relation == "none" or {verdict.first, verdict.second} == set(pair):
            return verdict
    return Verdict(relation="none")


def graph_of(measured: Graph, verdicts: Iterable[Verdict]) -> Graph:
    """The measured graph with the values and the orders that the teacher sees."""
    by = _by_relation(verdicts)
    passing = [edge for edge in measured.edges if edge.kind == "value" and _is_in(edge, by["explicit"])]
    orders = {(edge.source, edge.target): edge for edge in measured.edges if edge.kind == "order"}
    seen = [orders.get(pair, Edge("order", *pair)) for pair in sorted(by["implicit"])]
    return replace(measured, edges=(*passing, *seen))


def counted(measured: Graph, verdicts: Sequence[Verdict]) -> Counter[str]:
    """The verdicts by relation, and how they agree with what live calls found."""
    by = _by_relation(verdicts)
    found = Counter[str](each.relation for each in verdicts)
    for relation, kind in (("explicit", "value"), ("implicit", "order")):
        live = {(e.source, e.target) for e in measured.edges if e.kind == kind and e.source != USER and not e.echo}
        found[f"{relation}, and measured"] = len(by[relation] & live)
        found[f"measured, and not {relation}"] = len(live - by[relation])
    return found


def _by_relation(verdicts: Iterable[Verdict]) -> dict[str, set[tuple[str, str]]]:
    found: dict[str, set[tuple[str, str]]] = {"explicit": set(), "implicit": set(), "none": set()}
    for each in verdicts:
        found[each.relation].add((each.first, each.second))
    return found


def _is_in(edge: Edge, pairs: Collection[tuple[str, str]]) -> bool:
    return edge.source == USER or edge.source == edge.target or (edge.source, edge.target) in pairs
