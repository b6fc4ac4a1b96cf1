"""The kit's types find an author's mistakes; what they cannot find is said in a sentence when the world is read."""

import os
import re
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import lending
import pytest

from toolgym.sandbox.kit.errors import ConfigurationError
from toolgym.sandbox.kit.goal import Goal
from toolgym.sandbox.kit.reference import Ref
from toolgym.sandbox.kit.rule import rule
from toolgym.sandbox.kit.view import View

ROOT = Path(__file__).parents[3]
MISTAKES = Path(__file__).with_name("mistakes.py")


@pytest.mark.slow
def test_mypy_finds_each_of_ten_mistakes() -> None:
    lines = enumerate(MISTAKES.read_text(encoding="utf-8").splitlines(), start=1)
    marked = [number for number, line in lines if line.endswith("# mistake")]
    found = subprocess.run(
        [sys.executable, "-m", "mypy", "--no-error-summary", str(MISTAKES)],
        cwd=ROOT,
        env=os.environ | {"MYPYPATH": str(Path(lending.__file__).parent)},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    errors = [int(number) for number in re.findall(r"mistakes\.py:(\d+): error:", found.stdout)]
    assert errors == marked and len(marked) == 10, found.stdout + found.stderr
    assert found.stdout.count("error:") == 10, found.stdout


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (Ref[lending.Loan], r"asks for 'loan' of another type than give_back has; annotate it View\[Loan\]"),
        (View[lending.Book], r"annotate it View\[Loan\]"),
        (str, r"annotate it View\[Loan\]"),
    ],
)
def test_a_rule_that_asks_for_another_type_than_its_tool_has_is_refused(annotation: Any, expected: str) -> None:
    def wrong(loan: Any) -> bool:
        return True

    wrong.__annotations__["loan"] = annotation
    with pytest.raises(ConfigurationError, match=expected):
        rule("Nothing.", on=[lending.give_back])(wrong)


def test_rules_read_views_in_lists_and_where_a_reference_may_be_left_out() -> None:
    from toolgym.sandbox.kit.rule import known
    from toolgym.sandbox.runtime.session import Session

    @rule("Only loans that are due are extended.", on=[lending.extend])
    def due(loans: list[View[lending.Loan]], due_on: date) -> bool:
        return all(loan.row.due_on < due_on for loan in loans)

    @rule("Only a loan that is out is replaced.", on=[lending.borrow])
    def out(in_place_of: View[lending.Loan] | None) -> bool:
        return in_place_of is None or in_place_of.row.back_on is None

    with Session(lending.domain) as session:
        loans = session._database.find(lending.Loan)
        some = known(session._database, due, {"loans": loans, "due_on": date(2026, 4, 1)})
        none = known(session._database, due, {"loans": loans, "due_on": date(2026, 3, 20)})
        assert due.allows(some) and not due.allows(none)
        for given, allowed in ((loans[0], True), (None, True)):
            assert out.allows(known(session._database, out, {"in_place_of": given})) == allowed
        assert session.call("give_back", {"loan": "L-08"}).ok
        back = session._database.get(lending.Loan, "L-08")
        assert not out.allows(known(session._database, out, {"in_place_of": back}))


def test_what_a_goal_says_of_its_values_asks_for_nothing_else() -> None:
    with pytest.raises(ConfigurationError, match=r"goal 'extend': its `where` asks for 'now', which is not drawn"):
        Goal(lending.extend, says=("Please extend {loans}.",), verbs=("extend",), where=lambda loans, now: True)
