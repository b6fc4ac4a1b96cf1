"""A tool's schema and argument checks come from its signature and docstring, and never speak Python to the agent."""

from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.errors import ConfigurationError, Refusal
from toolgym.sandbox.kit.tool import Tool, ToolSet, tool


class Leg(BaseModel):
    """One leg of a trip."""

    number: str
    seats: int = 1


class Booking(TypedDict):
    """What was booked."""

    total: float
    legs: list[str]


@tool("write")
def book(
    db: Database,
    legs: list[Leg],
    cabin: Literal["economy", "business"],
    bags: Annotated[int, Field(ge=0, le=9)] = 0,
    note: str | None = None,
) -> Booking:
    """Book a trip.

    Every leg needs a seat.

    Args:
        legs: the legs in order.
        cabin: where to sit.
        bags: checked bags.
        note: anything else.
    """
    return {"total": float(len(legs)), "legs": [leg.number for leg in legs]}


def refused(arguments: object) -> str:
    with pytest.raises(Refusal) as caught:
        book.validate(arguments)  # type: ignore[arg-type]
    assert caught.value.code == "invalid_arguments"
    return caught.value.message


def test_schema_comes_from_signature_and_docstring() -> None:
    schema = book.to_openai()["function"]
    assert schema["description"] == "Book a trip.\n\nEvery leg needs a seat."
    assert schema["parameters"]["required"] == ["legs", "cabin"]
    assert schema["parameters"]["additionalProperties"] is False
    items = schema["parameters"]["properties"]["legs"]["items"]
    assert items["properties"]["number"] == {"type": "string"}, "nested objects are written out, without references"
    assert schema["parameters"]["properties"]["bags"]["description"] == "checked bags."
    assert book.returns is not None and set(book.returns["properties"]) == {"total", "legs"}


def test_valid_arguments_arrive_typed() -> None:
    values = book.validate({"legs": [{"number": "A1"}], "cabin": "economy"})
    assert values == {"legs": [Leg(number="A1")], "cabin": "economy", "bags": 0, "note": None}
    assert book.validate('{"legs": [], "cabin": "business"}')["legs"] == []


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"cabin": "economy"}, "legs is missing"),
        ({"legs": [], "cabin": "first"}, 'cabin must be one of "economy" or "business"'),
        ({"legs": [], "cabin": "economy", "bag": 1}, "bag is not an argument (did you mean bags?)"),
        ({"legs": [{"number": 7}], "cabin": "economy"}, "legs[0].number must be a string"),
        ({"legs": {}, "cabin": "economy"}, "legs must be a list"),
        ({"legs": [], "cabin": "economy", "bags": "2"}, "bags must be an integer"),
        ({"legs": [], "cabin": "economy", "bags": 10}, "bags must be at most 9"),
        ({"legs": [], "cabin": "economy", "bags": 10**30}, "bags must be"),
        ({"legs": [], "cabin": "economy", "note": "\ud800"}, "not valid JSON"),
        ("[1]", "the arguments must be a JSON object"),
        ("{not json", "the arguments are not valid JSON"),
        ({"legs": object()}, "plain JSON object"),
        ("x" * 200_000, "longer than"),
    ],
)
def test_wrong_arguments_are_named(arguments: object, expected: str) -> None:
    assert expected in refused(arguments)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
names = st.sampled_from(["legs", "cabin", "bags", "note"]) | st.text(max_size=6)


@given(st.dictionaries(names, json_values, max_size=5))
def test_no_python_reaches_the_agent(arguments: dict[str, object]) -> None:
    try:
        book.validate(arguments)
    except Refusal as refusal:
        for word in ("pydantic", "Traceback", "NoneType", "<class", "Error:", "http"):
            assert word not in refusal.message


def test_unknown_tool_names_the_nearest() -> None:
    with pytest.raises(Refusal, match="Did you mean book"):
        ToolSet([book]).find("bok")


def test_a_tool_must_be_annotated() -> None:
    def bare(db: Database, x) -> str:  # type: ignore[no-untyped-def]
        """Do."""
        return ""

    def no_database(x: int) -> str:
        """Do."""
        return ""

    with pytest.raises(ConfigurationError, match="annotate x"):
        Tool(bare, "read")
    with pytest.raises(ConfigurationError, match="must be annotated `Database`"):
        Tool(no_database, "read")
