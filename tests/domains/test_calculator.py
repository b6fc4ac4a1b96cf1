"""The calculator: exact decimal arithmetic that reads numbers, four operations and brackets, and runs no code."""

import pytest

from toolgym.domains.calculator import evaluate
from toolgym.sandbox.kit.errors import Refusal


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1+2*3", 7),
        ("(1+2)*3", 9),
        ("-2*-3", 6),
        ("10/4", 2.5),
        (".5+1.", 1.5),
        ("0.1+0.2", 0.3),
        ("07 / 2", 3.5),
        ("2--1", 3),
    ],
)
def test_arithmetic(expression: str, value: float) -> None:
    assert float(evaluate(expression)) == value


@pytest.mark.parametrize(
    "expression",
    ["", "1+", "(1", "1)", "1 2", "2**3", "1e5", "1\t+2", "\u0663", "9" * 400, "(" * 60 + "1" + ")" * 60, "1" * 1001],
)
def test_arithmetic_refuses(expression: str) -> None:
    with pytest.raises(Refusal):
        evaluate(expression)
