"""Which answers to a proposal are a yes."""

import pytest

from sandbox.language.consent import is_yes


@pytest.mark.parametrize(
    "answer",
    [
        "Yes, do it.",
        "That's right, go ahead.",
        "Exactly, so please do.",
        "Yes, say yes to it.",
        "Yes, please stop planning for the Kite Mobile payment.",
    ],
)
def test_a_yes(answer: str) -> None:
    assert is_yes(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "Please say yes to the Migration workshop on April 28.",
        "No, not that.",
        "Are you sure?",
        "Yes, wait.",
        "Yes... stop!",
    ],
)
def test_no_yes(answer: str) -> None:
    assert not is_yes(answer)
