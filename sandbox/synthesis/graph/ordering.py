"""Finds what must come before what: B is refused, A succeeds, B is accepted with the same arguments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.synthesis.graph.bench import Card
from toolgym.sandbox.synthesis.graph.exploring import EMPTY, OK, Explorer, Success
from toolgym.sandbox.synthesis.graph.model import Edge
from toolgym.sandbox.synthesis.graph.records import Record, telling
from toolgym.sandbox.synthesis.graph.slots import places


def try_after(explorer: Explorer, first: Card, seconds: list[Card], times: int, tries: int) -> None:
    """Try other tools after successes of `first`; what succeeds only then is kept with the calls before it.

    Args:
        explorer: calls the tools.
        first: the tool that comes before.
        seconds: the tools that come after.
        times: how many different successes of `first` are looked at.
        tries: how many argument sets of each other tool are tried after each.
    """
    successes = explorer.tallies[first.name].examples()
    for success in explorer.rng.sample(successes, min(times, len(successes))):
        with explorer.after(*success.after):
            asked = [(card, given) for card in seconds for given in _related(explorer, card, success, tries)]
            before = [(card, given, explorer.attempt(card, given)) for card, given in asked]
        with explorer.after(*success.after, (first, success.arguments)) as succeeded:
            for card, given, code in before if succeeded else ():
                if code in (OK, EMPTY):
                    continue
                moved = explorer.attempt(card, given) != code
                if moved and not explorer.tallies[card.name].examples():
                    explorer.climb(card)


def order_edges(explorer: Explorer, second: Card) -> Iterator[Edge]:
    """What has to come before a tool, from its successes after others: those that are refused without the last one."""
    lifted: dict[str, Counter[str]] = {}
    for success in explorer.tallies[second.name].lifted.values():
        *before, (first, _) = success.after
        with explorer.after(*before):
            code = explorer.outcome(second, success.arguments)[0]
        if code not in (OK, EMPTY):
            lifted.setdefault(first.name, Counter())[code] += 1
    for name, codes in lifted.items():
        told = tuple(code for code, _ in codes.most_common())
        yield Edge("order", name, second.name, evidence=codes.total(), codes=told)


def _related(explorer: Explorer, card: Card, success: Success, tries: int) -> Iterator[dict[str, Json]]:
    """Arguments of a tool that have to do with a call: refused ones that share a value with it, and drawn ones."""
    shared = {value for value in _values(success.record) if telling(value)}
    held = [given for refused in explorer.tallies[card.name].refused.values() for given in refused]
    told = [given for given in held if any(telling(value) and value in shared for _, value in places(given))]
    yield from explorer.rng.sample(told, min(tries // 2, len(told)))
    for _ in range(tries - tries // 2):
        yield explorer.drawer.draw(card, around=success.record)


def _values(record: Record) -> Iterator[Json]:
    for held in record.leaves.values():
        for _, value in held:
            yield value
