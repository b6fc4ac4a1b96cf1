"""Whether a text tells a thing by its options, however they are put."""

import pytest

from toolgym.sandbox.users.records import is_told

SAID = "the Lunch Box in blue and in steel with 1 compartment"
LABELS = {"color", "compartments", "material"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("the lunch box with color blue, compartments 1 and material steel", True),
        ("a blue steel lunch box with one compartment", True),
        ("the lunch box with color blue, compartments 2 and material steel", False),
        ("the lunch box with color blue and compartments 1", False),
    ],
)
def test_an_option_is_named_in_either_number(text: str, *, told: bool) -> None:
    assert is_told(["2187837851"], SAID, text, LABELS) is told
