"""The checker reads a world's declarations and draws from its seed data; each finding names file and line."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

import lending
import pytest
from world_tasks import DECLARED

from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.domain import Domain, generated
from toolgym.sandbox.kit.goal import Goal, Slot, Thing
from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.kit.reference import Ref
from toolgym.sandbox.kit.rule import rule
from toolgym.sandbox.kit.tool import ToolSet, tool
from toolgym.sandbox.kit.view import Page, View
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.proof.check import check
from toolgym.sandbox.synthesis.proof.declarations import declarations
from toolgym.sandbox.synthesis.proof.drawable import drawable
from toolgym.sandbox.synthesis.proof.evasion import evaded
from toolgym.sandbox.synthesis.proof.refusals import untested

Loan = lending.Loan


@tool("read")
def list_loans(db: Database, due_on: date | None = None) -> Page[Loan]:
    """List the reader's loans.

    Args:
        due_on: only those that end on this day.
    """
    return Page([loan for loan in db.mine(Loan) if due_on in (None, loan.due_on)])


@tool("write")
def lose(db: Database, loan: Ref[Loan]) -> View[Loan]:
    """Tell that a book was lost."""
    return View(loan)


@tool("neutral", ends_episode=True)
def call_the_desk(db: Database) -> str:
    """Hand the reader over to the desk."""
    return "The desk takes over."


def fill(db: Database) -> None:
    """Also a loan of each reader that is too late."""
    lending.fill(db)
    for reader in ("R-01", "R-02"):
        taken = lending.NOW - timedelta(days=40)
        db.insert(Loan, loan_id=db.new_id(Loan), reader_id=reader, book_id="B-101", taken_at=taken, due_on=taken.date())


RETURN = Goal(lending.give_back, says=("I bring {loan} back.",), verbs=("return",), slots=(Slot("loan"),))
LOAN = Thing(Loan, ("the book that is due on {due_on}",))
WORLD = replace(
    lending.domain,
    data={"own": generated(fill)},
    tools=ToolSet([lending.list_books, lending.get_loan, list_loans, lending.give_back]),
    goals=[RETURN],
    things=[LOAN],
    clocks=[datetime(2026, 3, 11, 9, 0)],
)


def with_rule(**changes: Any) -> Domain:
    @rule("A day old.", on=[lending.give_back], **({"reads": [lending.get_loan]} | changes))
    def another(loan: View[Loan], now: datetime) -> bool:
        return now - loan.row.taken_at >= timedelta(days=1)

    return replace(WORLD, rules=[another])


def predicate(holds: str) -> Domain:
    space: dict[str, Any] = {
        "__name__": "lending",
        "View": View,
        "Loan": Loan,
        "datetime": datetime,
        "timedelta": timedelta,
    }
    source = f"def odd(loan: View[Loan], now: datetime) -> bool:\n    return {holds}\n"
    exec(compile(source, lending.__file__, "exec"), space)
    return replace(WORLD, rules=[rule("Odd.", on=[lending.give_back])(space["odd"])])


def test_a_world_whose_declarations_fit_is_sound() -> None:
    assert check(WORLD) == []


def wrong() -> Iterator[tuple[Domain, str]]:
    tools = [*WORLD.tools.values()]
    yield replace(WORLD, tools=ToolSet([*tools, lose])), "tool lose: no goal is about it"
    yield (
        replace(WORLD, tools=ToolSet([*tools, call_the_desk])),
        "call_the_desk: it ends the episode, and the world does",
    )
    yield with_rule(reads=[lose]), "rule another: lose is no tool of the world"
    yield with_rule(remedy=lose), "rule another: lose is no tool of the world"
    yield replace(WORLD, goals=[]), "rule a_day_old: no goal is about give_back"
    yield replace(WORLD, goals=[RETURN, Goal(lose, says=(), verbs=())]), "goal lose: lose is no tool of the world"
    slot = replace(RETURN, slots=(Slot("laon"),))
    yield replace(WORLD, goals=[slot]), "goal give_back: Slot('laon') is for no parameter; give_back has loan"
    place = replace(RETURN, says=("I bring {loan} back on {day}.",))
    yield replace(WORLD, goals=[place]), "{day} in 'I bring {loan} back on {day}.' is no parameter; give_back has loan"
    yield replace(WORLD, things=[Thing(Loan, ("the {title}",))]), "thing Loan: {title} in 'the {title}' is no column"
    yield (
        replace(WORLD, tools=ToolSet([tool for tool in tools if tool is not list_loans])),
        "thing Loan: no read tool lists one",
    )
    yield (
        replace(WORLD, things=[Thing(Loan, ("the one of {book_id}",))]),
        "thing Loan: list_loans cannot be filtered by book_id of 'the one of {book_id}'",
    )
    yield (
        replace(WORLD, data={"own": generated(_no_loans)}),
        "goal give_back: it cannot be drawn",
    )
    yield predicate("True"), "rule odd: it always holds for what goals draw"
    yield predicate("False"), "rule odd: it never holds for anything that a goal draws"
    yield (
        predicate("now.day == 10 or now - loan.row.taken_at > timedelta(days=3)"),
        "rule odd: at the clock 2026-03-10 09:30 nothing in the seed data breaks it",
    )


def _no_loans(db: Database) -> None:
    lending.fill(db)
    for loan in db.find(Loan):
        db.delete(loan)


@pytest.mark.parametrize(("domain", "expected"), list(wrong()))
def test_what_is_wrong_is_one_sentence_with_its_place(domain: Domain, expected: str) -> None:
    found = [problem for problem in [*declarations(domain), *drawable(domain)] if expected in problem]
    assert len(found) == 1, [*declarations(domain), *drawable(domain)]
    assert re.match(r"\S+\.py, line \d+: ", found[0])


def test_a_table_that_names_columns_which_do_not_exist_is_refused() -> None:
    for name, value, expected in (
        ("__brief__", ("titel",), r"Book\.__brief__ names 'titel', which is no column"),
        ("__owned_by__", "reserve_cents", r"Book\.__owned_by__ is 'reserve_cents', which is no column with a foreign"),
    ):
        from toolgym.sandbox.kit.table import brief_columns, owner_path

        before = vars(lending.Book).get(name)
        try:
            setattr(lending.Book, name, value)
            brief_columns.cache_clear(), owner_path.cache_clear()
            assert any(re.search(expected, problem) for problem in check(WORLD))
        finally:
            delattr(lending.Book, name) if before is None else setattr(lending.Book, name, before)
            brief_columns.cache_clear(), owner_path.cache_clear()


def test_a_predicate_that_fails_is_named_with_file_and_line() -> None:
    problems = check(predicate("loan.row.reserve"))
    assert any(
        "rule 'odd' is broken: " in text and "lending.py, line 2: AttributeError" in text for text in problems
    ), problems


def test_a_refusal_of_which_no_test_speaks_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package, tests = tmp_path / "lanterns", tmp_path / "tests"
    package.mkdir(), tests.mkdir()
    (package / "__init__.py").touch()
    (package / "schema.py").write_text(
        "from sqlalchemy.orm import DeclarativeBase\n\nclass Base(DeclarativeBase):\n    pass\n", encoding="utf-8"
    )
    (package / "tools.py").write_text(
        "from toolgym.kit import Database, Refusal, tool\n\n"
        "@tool('read')\ndef look(db: Database) -> int:\n    if db.now.day == 1:\n"
        "        raise Refusal('too_dark', 'x')\n    raise Refusal('too_bright', 'x')\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(tmp_path)
    base, look = import_module("lanterns.schema").Base, import_module("lanterns.tools").look
    world = replace(WORLD, base=base, tools=ToolSet([look]))
    assert list(untested(world)) == []  # nobody says where the tests are
    (tests / "test_look.py").write_text('assert code == "too_dark"\n', encoding="utf-8")
    assert [line.split("lanterns/")[1] for line in untested(world)] == [
        "tools.py, line 7: no test speaks of the refusal 'too_bright'; write one that provokes it."
    ]
    assert list(untested(replace(world, goals=[], rules=[]))) == []


# --- rules that can be got round ---


def test_a_tool_that_does_what_a_rule_forbids_is_named_with_the_call() -> None:
    budget = get_domain("budget")
    found = list(evaded(replace(budget, rules=budget.rules_at(2))))
    assert [
        re.sub(r".*rule (\w+): (\w+) does what it forbids, such as \2 of .*", r"\1 \2", line) for line in found
    ] == [
        "no_future edit_expense",
        "hard_limit edit_expense",
        "hard_limit split_expense",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("world", DECLARED)
def test_no_rule_of_a_world_can_be_got_round(world: str) -> None:
    assert list(evaded(get_domain(world))) == []


def test_a_rule_that_sees_the_first_page_alone_is_named() -> None:
    @rule(
        "One loan a day ends.",
        on=[lending.give_back],
        reads=[list_loans],
        looks={"others": lambda loan: ToolCall(name="list_loans", arguments={"due_on": f"{loan.row.due_on}"})},
    )
    def alone(loan: View[Loan], others: dict[str, Any]) -> bool:
        return len(others["items"]) == 1

    found = list(evaded(replace(WORLD, rules=[alone])))
    assert len(found) == 1
    assert re.search(r"test_check_declared\.py, line \d+: rule alone: list_loans shows a page of a list", found[0])


READERS, EACH = 24, 12


def alike(db: Database) -> None:
    """Many readers whose loans are laid out alike."""
    lending.fill(db)
    for number in range(READERS):
        reader = f"R-{number + 40}"
        db.insert(lending.Reader, reader_id=reader, name=f"Reader {number}", word="x")
        for loan in range(EACH):
            day = date(2026, 3, 11 + loan)
            values = {"reader_id": reader, "book_id": "B-101", "taken_at": lending.NOW, "due_on": day, "back_on": None}
            db.insert(Loan, loan_id=db.new_id(Loan), **values)


def test_what_one_row_of_twelve_allows_is_found_where_everybodys_rows_are_laid_out_alike() -> None:
    people = [f"R-{number + 40}" for number in range(READERS)]
    for position in range(EACH):

        @rule("Only one.", on=[lending.give_back])
        def only(loan: View[Loan], position: int = position) -> bool:
            return loan.row.due_on == date(2026, 3, 11 + position)

        world = replace(WORLD, data={"own": generated(alike)}, owners={"own": people}, rules=[only], clocks=[])
        assert list(drawable(world)) == []
