"""The tool `calculate`, the same in every world that has it: a parser of four operations and brackets, no code runs."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext

from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.errors import Refusal
from toolgym.sandbox.kit.tool import tool

_TOKEN = re.compile(r" *([0-9]+(?:\.[0-9]*)?|\.[0-9]+|[-+*/()])")
_DEPTH = 50
_LARGEST = Decimal(10) ** 300


@tool("neutral")
def calculate(db: Database, expression: str) -> str:
    """Calculate the result of an arithmetic expression, rounded to cents.

    Args:
        expression: numbers, the operators + - * /, brackets and spaces, such as "(12.5 + 3) * 2".
    """
    value = evaluate(expression)
    rounded = value.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP) if abs(value) < 10**20 else value
    return str(float(rounded) + 0)  # adding nothing takes the sign off a zero


def evaluate(expression: str) -> Decimal:
    """The value of an expression of numbers, + - * / and brackets.

    Raises:
        Refusal: `invalid_expression` or `division_by_zero`.
    """
    if len(expression) > 1000:
        raise Refusal("invalid_expression", "The expression is longer than 1000 characters.")
    tokens, end = [], 0
    while end < len(expression.rstrip(" ")):
        match = _TOKEN.match(expression, end)
        if match is None:
            raise Refusal("invalid_expression", "Invalid characters in expression; use numbers, + - * / and brackets.")
        tokens.append(match[1])
        end = match.end()
    with localcontext(Context(prec=40, traps=[])):
        value, rest = _sum(tokens, 0, 0)
    if rest != len(tokens):
        raise _malformed()
    if not abs(value) < _LARGEST:
        raise Refusal("invalid_expression", "The result is too large.")
    return value


def _malformed() -> Refusal:
    return Refusal("invalid_expression", "The expression is not well formed; write it like (12.5 + 3) * 2.")


def _sum(tokens: list[str], index: int, depth: int) -> tuple[Decimal, int]:
    value, index = _product(tokens, index, depth)
    while index < len(tokens) and tokens[index] in "+-":
        right, after = _product(tokens, index + 1, depth)
        value = value + right if tokens[index] == "+" else value - right
        index = after
    return value, index


def _product(tokens: list[str], index: int, depth: int) -> tuple[Decimal, int]:
    value, index = _factor(tokens, index, depth)
    while index < len(tokens) and tokens[index] in "*/":
        right, after = _factor(tokens, index + 1, depth)
        if tokens[index] == "/" and right == 0:
            raise Refusal("division_by_zero", "The expression divides by zero.")
        value = value * right if tokens[index] == "*" else value / right
        index = after
    return value, index


def _factor(tokens: list[str], index: int, depth: int) -> tuple[Decimal, int]:
    if index >= len(tokens) or depth > _DEPTH:
        raise _malformed()
    token = tokens[index]
    if token in "+-":
        value, index = _factor(tokens, index + 1, depth + 1)
        return (-value if token == "-" else value), index
    if token == "(":
        value, index = _sum(tokens, index + 1, depth + 1)
        if index >= len(tokens) or tokens[index] != ")":
            raise _malformed()
        return value, index + 1
    if token in "*/)":
        raise _malformed()
    return Decimal(token), index + 1
