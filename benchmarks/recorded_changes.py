"""A recorded call with one thing changed: what a user would have to want for the agent's proposal to be wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from recorded_wishes import sampler_of

from toolgym.domains.airline.schema import CABINS, Reservation
from toolgym.domains.airline.schema import PaymentMethod as AirlineMethod
from toolgym.domains.retail.rules import REASONS
from toolgym.domains.retail.schema import Order, PaymentMethod, Variant
from toolgym.domains.retail.views import view_order
from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.synthesis.sampler import Sampler

_REASON_WORDS = {"no longer needed": ("longer need",), "ordered by mistake": ("mistake",)}
OF_EACH = 2
"""How many other values of one sort are tried."""


class Change(NamedTuple):
    """Another call.

    Attributes:
        what: what is changed.
        call: the call.
        said: texts in lower case of which the proposal must hold one, since it contradicts nothing else; empty where
            it is wrong by what it leaves out.
        not_said: a text that it must not hold, since it leaves the choice to the user.
    """

    what: str
    call: ToolCall
    said: tuple[str, ...]
    not_said: str = ""


def changes(world: str, call: ToolCall, owner: str) -> Iterator[Change]:
    """The call with one argument changed, some for each sort of change; not all of them can be carried out."""
    given = call.arguments if isinstance(call.arguments, dict) else {}
    sampler = sampler_of(world, owner)
    found = _retail(sampler, call.name, given) if world == "retail" else _airline(sampler, given)
    for what, changed, said in found:
        other = _REASON_WORDS.get(str(changed.get("reason")), ("",))[0]
        yield Change(what, call.model_copy(update={"arguments": {**given, **changed}}), said, other)


_Found = Iterator[tuple[str, dict[str, Any], tuple[str, ...]]]


def _retail(sampler: Sampler, tool: str, given: Mapping[str, Any]) -> _Found:
    items = [str(each) for each in given.get("item_ids", ())]
    if "order_id" in given and not items:
        others = (row.order_id for row in sampler.rows(Order) if row.order_id != given["order_id"])
        yield from (("order", {"order_id": key}, (_digits(given["order_id"]),)) for key in islice(others, OF_EACH))
    if "reason" in given:
        said = _REASON_WORDS[given["reason"]]
        yield from (("reason", {"reason": other}, said) for other in REASONS if other != given["reason"])
    if "payment_method_id" in given:
        yield from _payments(sampler, PaymentMethod, given, "payment_method_id")
    if "address1" in given:
        yield from _addresses(given)
    if items and tool == "return_delivered_order_items":
        yield from _items(sampler, given, items)
    if "new_item_ids" in given:
        yield from _variants(sampler, given, items)


def _digits(key: str) -> str:
    return key.strip("#W").casefold()


def _payments(sampler: Sampler, table: Any, given: Mapping[str, Any], name: str) -> _Found:
    right = sampler.database.get(table, given[name])
    key = sampler.database.get(table, given[name]) and given[name]
    for row in islice((row for row in sampler.rows(table) if row[0] != key), OF_EACH):
        if right is None or (row.source == right.source and not row.last_four):
            continue  # two gift cards, which only their ids tell apart
        yield "payment", {name: row[0]}, (right.last_four or right.source.replace("_", " "),)


def _addresses(given: Mapping[str, Any]) -> _Found:
    code, street = str(given["zip"]), str(given["address1"])
    number = street.split(" ", 1)[0]
    yield "zip", {"zip": f"{code[:-1]}{(int(code[-1]) + 3) % 10}"}, (code,)
    if number.isdigit():
        yield "street", {"address1": f"{int(number) + 2} {street.split(' ', 1)[1]}"}, (f"{number} ",)
    if given.get("address2"):
        unit = str(given["address2"])
        yield (
            "apartment",
            {"address2": f"{unit.rsplit(' ', 1)[0]} {'12' if not unit.endswith('12') else '21'}"},
            (unit.rsplit(" ", 1)[-1].casefold(),),
        )


def _items(sampler: Sampler, given: Mapping[str, Any], items: Sequence[str]) -> _Found:
    """One item fewer, one more, another one."""
    held = view_order(sampler.database, sampler.database.get_one(Order, given["order_id"]))["items"]
    names = {item["item_id"]: item["name"].casefold() for item in held}
    if len(items) > 1:
        yield "one item fewer", {"item_ids": list(items[1:])}, (names.get(items[0], ""),)
    for other in islice((key for key in names if key not in items), 1):
        yield "one item more", {"item_ids": [*items, other]}, ()
        yield "item", {"item_ids": [*items[1:], other]}, (names.get(items[0], ""),)


def _variants(sampler: Sampler, given: Mapping[str, Any], items: Sequence[str]) -> _Found:
    """Another variant, one pair fewer."""
    new = [str(each) for each in given["new_item_ids"]]
    right = sampler.database.get_one(Variant, new[0])
    alike = [row for row in sampler.database.find(Variant, product_id=right.product_id) if row.available]
    others = [row for row in alike if row.item_id not in (new[0], *items)]
    for other in others[:OF_EACH]:
        said = [value.casefold() for name, value in right.options.items() if other.options.get(name) != value]
        yield "variant", {"new_item_ids": [other.item_id, *new[1:]]}, (*(s for s in said if len(s) > 3), new[0])
    if len(items) > 1:
        pairs: dict[str, Any] = {"item_ids": list(items[1:]), "new_item_ids": new[1:]}
        yield (
            "one item fewer",
            pairs,
            (new[0], *(value.casefold() for value in right.options.values() if len(value) > 3)),
        )


def _airline(sampler: Sampler, given: Mapping[str, Any]) -> _Found:
    if set(given) == {"reservation_id"}:
        others = (
            row.reservation_id for row in sampler.rows(Reservation) if row.reservation_id != given["reservation_id"]
        )
        said = (str(given["reservation_id"]).casefold(),)
        yield from (("trip", {"reservation_id": key}, said) for key in islice(others, OF_EACH))
    if "cabin" in given:
        said = (str(given["cabin"]).replace("_", " "),)
        yield from (("cabin", {"cabin": cabin}, said) for cabin in CABINS if cabin != given["cabin"])
    if "payment_id" in given:
        yield from _payments(sampler, AirlineMethod, given, "payment_id")
    if "insurance" in given:
        yield "insurance", {"insurance": "no" if given["insurance"] == "yes" else "yes"}, ("insurance",)
    if "total_baggages" in given:
        more, paid = given["total_baggages"] + 1, given["nonfree_baggages"] + 1
        yield "bags", {"total_baggages": more, "nonfree_baggages": paid}, ("bag",)
