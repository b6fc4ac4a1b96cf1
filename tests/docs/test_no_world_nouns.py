"""The machinery knows no world: no string and no name in sandbox/ or judge/ speaks of what only one world has.

What reads, plays and writes other benchmarks' files (`judge/interop`, `judge/benchmarks`) is about those benchmarks'
worlds and is left out, as are docstrings, which may give an example. Words that every world shares (user, customer,
event, line of text, order of things) are no world's.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
NOUNS = (
    r"flights?|reservations?|passengers?|airports?|airlines?|baggage|cabins?|roaming|sim cards?|apn|payees?|attendees?|"
    r"standing orders?|gift cards?|paypal|fulfil+ments?|order_id|reservation_id|product_ids?|payment methods?|"
    r"payment_method_id|line_id|bill_id|flight_number|transaction_id|account_id|event_id|checking account"
)
NOUN = re.compile(rf"(?<![a-z])(?:{NOUNS.replace(' ', '[ _]')})(?![a-z])", re.IGNORECASE)


def _spoken(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Strings that are no docstrings, and names."""
    documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents:
            yield node.lineno, node.value
        elif isinstance(node, ast.Name):
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute):
            yield node.lineno, node.attr
        elif isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            yield node.lineno, node.name


def test_no_noun_of_a_world_stands_in_the_machinery() -> None:
    found = []
    for room in ("sandbox", "judge"):
        for path in sorted((ROOT / room).rglob("*.py")):
            if any(path.is_relative_to(ROOT / "judge" / others) for others in ("interop", "benchmarks")):
                continue
            tree = ast.parse(path.read_text(encoding="utf-8"))
            found += [
                f"{path.relative_to(ROOT)}:{line}: {match[0]}"
                for line, text in _spoken(tree)
                if (match := NOUN.search(text))
            ]
    assert found == []
