"""Places for values are read from schemas, values from results: lists of objects and keys that are data included."""

import random

from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.graph.records import leaves
from toolgym.sandbox.synthesis.graph.slots import places, replaced, scrambled, shape, slots_of


def test_a_list_of_objects_has_a_slot_for_each_field() -> None:
    slots = {slot.path: slot for slot in slots_of(get_domain("airline").tools["book_reservation"].parameters)}
    assert slots[("flights", "*", "date")].type == "string"
    assert slots[("flights", "*", "date")].fits("2024-05-01") and not slots[("flights", "*", "date")].fits("May")
    assert slots[("cabin",)].choices == ("basic_economy", "economy", "business")
    assert slots[("payment_methods", "*", "amount")].type == "integer"
    assert slots[("user_id",)].examples == ("sara_doe_4960",)


def test_an_optional_parameter_is_what_it_is_when_given() -> None:
    (slot,) = slots_of({"type": "object", "properties": {"day": {"anyOf": [{"type": "string"}, {"type": "null"}]}}})
    assert slot.path == ("day",) and slot.type == "string"


def test_keys_that_are_data_are_values() -> None:
    profile = {"orders": ["#W1"], "payment_methods": {"gift_card_9053904": {"id": "gift_card_9053904"}}}
    assert list(leaves(profile)) == [
        (("orders", "*"), (0,), "#W1"),
        (("payment_methods", "<key>"), (0,), "gift_card_9053904"),
        (("payment_methods", "*", "id"), (0,), "gift_card_9053904"),
    ]
    address = {"address1": "1 Elm St", "address2": "", "zip": "12345"}
    assert [path for path, _, _ in leaves(address)] == [("address1",), ("address2",), ("zip",)]


def test_a_value_is_replaced_in_its_place_alone() -> None:
    given = {"flights": [{"date": "a"}, {"date": "b"}], "cabin": "x"}
    changed = replaced(given, ("flights", 1, "date"), "c")
    assert changed["flights"] == [{"date": "a"}, {"date": "c"}] and given["flights"][1] == {"date": "b"}
    assert dict(places(changed))[("flights", 1, "date")] == "c"


def test_nonsense_has_the_same_shape() -> None:
    for value in ("#W2378156", "sara_doe_4960", "2024-05-15", "a@b.com"):
        other = scrambled(value, random.Random(0))
        assert other != value and shape(other) == shape(value) and len(other) == len(value)
    assert scrambled(7, random.Random(0)) == 8
