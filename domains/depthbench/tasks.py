"""DepthBench's rows as tasks, in the authors' two splits: tools of the one are never offered in the other."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

from toolgym.domains.depthbench.checkout import Checkout, Row
from toolgym.sandbox.kit.message import Json, ToolCall
from toolgym.sandbox.kit.task import Answer, Task

SPLITS = ("train", "validation")
DISTRACTORS = 3
"""Tools beside those that a request is about (TIER's released default)."""
_NO_CALL_TRAIN = 50
"""Requests without calls that go to training: the first ones; the others are for validation."""
_LOCATION = ("GetLocation", "GetCurrentLocation")
"""The one tool on both lists, and what it is called in validation."""

_TOOLS = {
    "train": frozenset(
        "BookSearchAPI CryptoPriceAPI CurrencyExchangeAPI EnglishDictionaryAPI FlightStatusAPI MovieSearchAPI "
        "GetLocation FindDealershipsByLocation GetCarListingByDealerships FilterByCarBuild FilterByCarBrand "
        "FilterByCarPrice FilterByCarMileage FilterByCarProductionYear FilterByCarTitle SearchFlight BookFlight "
        "CancelFlight SearchSKU CreateCart CancelStoreOrder".split()
    ),
    "validation": frozenset(
        "SongLyricsAPI SpanishDictionaryAPI StockPriceAPI TimeZoneConverterAPI UnitConversionAPI GetCurrentLocation "
        "GetDate GetTime GetWeather GetAirQuality FindRestaurantsByLocation FilterByCuisine FilterByRatings "
        "FilterByOpeningHours SearchHotel BookHotel CancelHotel SearchProducts CheckoutCart".split()
    ),
}
"""Which tools' requests are for what: the released rule."""


def tasks_of(checkout: Checkout, name: str) -> Mapping[str, Sequence[Task]]:
    """The tasks by split.

    Args:
        checkout: where they are read.
        name: of the world and its data.
    """
    found = {}
    for split, rows in split_rows(checkout.rows).items():
        random.Random(f"depthbench:{split}").shuffle(rows)  # the first ones are a fair sample
        others = offered_beside(split, list(checkout.definitions))
        found[split] = tuple(_task(row, name, split, others) for row in rows)
    return found


def split_rows(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """The rows by split; one whose tools are on no single list is in none, as released."""
    idle = [row for row in rows if row.calls == 0]
    found = {"train": idle[:_NO_CALL_TRAIN], "validation": idle[_NO_CALL_TRAIN:]}
    for row in rows:
        there, here = row, _relocated(row)
        if row.calls and _TOOLS["train"].issuperset(there.tools):
            found["train"].append(there)
        elif row.calls and _TOOLS["validation"].issuperset(here.tools):
            found["validation"].append(here)
    return found


def offered_beside(split: str, names: Sequence[str]) -> list[str]:
    """The tools among which a split's distractors are drawn: its own, and every other one of those on no list.

    TIER, section 3: no tool of training appears in validation in any role. (The released code draws from all.)
    """
    listed = _TOOLS["train"] | _TOOLS["validation"]
    free = [name for name in names if name not in listed]
    own = [name for name in names if name in _TOOLS[split]]
    return own + free[SPLITS.index(split) :: len(SPLITS)]


def _relocated(row: Row) -> Row:
    """The row with validation's name of the tool that is on both lists."""
    before, after = _LOCATION

    def named(name: str) -> str:
        return after if name == before else name

    calls = tuple((named(name), given) for name, given in row.program)
    return replace(row, tools=tuple(map(named, row.tools)), program=calls)


def _task(row: Row, name: str, split: str, others: Sequence[str]) -> Task:
    draw = random.Random(f"depthbench:{row.id}")
    beside = [other for other in others if other not in row.tools]
    extra = draw.sample(beside, min(DISTRACTORS, len(beside)))
    return Task(
        id=f"depthbench-{row.id}",
        domain=name,
        data=name,
        split=split,
        family="request",
        depth=row.calls,
        structure=_structure(row),
        ticket=row.prompt,
        scenario=row.prompt,
        seed=0,
        interaction="program",
        information="complete",
        tools=(*row.tools, *extra),
        setup=(ToolCall(name="situate", arguments={"tag": row.tag}),) if row.tag else (),
        gold=tuple(ToolCall(name=called, arguments=given) for called, given in row.program),
        answer=Answer(values=row.answers, ordered=True),
        returns="all" if row.all or not row.program else "one",
    )


def _structure(row: Row) -> str:
    """The shape of the right calls by their references: none, single, parallel, chain or mixed."""
    if len(row.program) < 2:
        return "single" if row.program else "none"
    used = [_referred(given) for _, given in row.program]
    if not any(used):
        return "parallel"
    chain = all(number - 1 in earlier for number, earlier in enumerate(used) if number)
    return "chain" if chain else "mixed"


def _referred(value: Json) -> set[int]:
    if isinstance(value, dict | list):
        return set().union(*map(_referred, value.values() if isinstance(value, dict) else value))
    number = value.removeprefix("API_RESPONSE_") if isinstance(value, str) else ""
    return {int(number)} if isinstance(value, str) and number != value and number.isdecimal() else set()
