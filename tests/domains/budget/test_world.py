"""The diary's own arithmetic: what is spent and left, splits, and what a closed month carries on."""

from datetime import date
from typing import Any

import pytest

from toolgym.domains.budget.schema import Category, Expense, Limit
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.generator import Generator
from toolgym.sandbox.synthesis.sampler import Sampler


@pytest.fixture
def session() -> Session:
    return Session("budget")


def done(session: Session, tool: str, /, **arguments: Any) -> Any:
    result = session.call(tool, arguments)
    assert result.ok, result.text
    return result.value


def refused(session: Session, tool: str, /, **arguments: Any) -> str:
    result = session.call(tool, arguments)
    assert result.error is not None, result.text
    return result.error.code


def category(session: Session, name: str, month: str = "2026-03") -> dict[str, Any]:
    return dict(done(session, "list_categories", month=month, name=name)[0])


def entered(session: Session, cents: int, name: str = "groceries", on: str = "2026-03-12") -> str:
    key = category(session, name)["category_id"]
    return str(
        done(session, "add_expense", category_id=key, amount_cents=cents, on=on, payee="Pier Nine")["expense_id"]
    )


def is_balanced(session: Session) -> bool:
    """Whether what a month's line says was spent is the sum of its expenses."""
    sums = dict[str, int]()
    for row in session.database.find(Expense):
        key = f"{row.category_id}/{row.on:%Y-%m}"
        sums[key] = sums.get(key, 0) + row.amount_cents
    return all(row.spent_cents == sums.get(row.limit_id, 0) for row in session.database.find(Limit))


def test_an_expense_takes_from_what_is_left_until_it_is_gone(session: Session) -> None:
    before = category(session, "groceries")["left_cents"]
    key = entered(session, 1234)
    assert category(session, "groceries")["left_cents"] == before - 1234
    done(session, "edit_expense", expense_id=key, amount_cents=2234, on="2026-03-11")
    assert category(session, "groceries")["left_cents"] == before - 2234
    done(session, "delete_expense", expense_id=key)
    assert category(session, "groceries")["left_cents"] == before
    assert is_balanced(session)


def test_parts_come_to_the_expense_to_the_cent(session: Session) -> None:
    key, kept, other = entered(session, 5000), category(session, "groceries"), category(session, "petrol")

    def parts(*cents: int) -> list[dict[str, Any]]:
        keys = [kept["category_id"], other["category_id"]]
        return [{"category": name, "amount_cents": each} for name, each in zip(keys, cents, strict=True)]

    assert refused(session, "split_expense", expense_id=key, parts=parts(3800, 1201)) == "parts_sum"
    assert refused(session, "split_expense", expense_id=key, parts=parts(3800, 1199)) == "parts_sum"
    made = done(session, "split_expense", expense_id=key, parts=parts(3800, 1200))
    assert [row["amount_cents"] for row in made] == [3800, 1200]
    assert refused(session, "delete_expense", expense_id=key) == "not_found", "no parent is left to count"
    assert is_balanced(session)


def test_a_fixed_category_holds_to_the_cent_and_a_flexible_one_does_not(session: Session) -> None:
    fixed, flexible = category(session, "petrol"), category(session, "groceries")
    given = {"on": "2026-03-12", "payee": "Pier Nine", "category_id": fixed["category_id"]}
    assert refused(session, "add_expense", amount_cents=fixed["left_cents"] + 1, **given) == "hard_limit"
    done(session, "add_expense", amount_cents=fixed["left_cents"], **given)
    done(
        session,
        "add_expense",
        amount_cents=flexible["left_cents"] + 1,
        **given | {"category_id": flexible["category_id"]},
    )
    assert category(session, "groceries")["left_cents"] == -1


@pytest.mark.parametrize(
    ("on", "code"), [("2026-03-14", "no_future"), ("2025-12-13", "open_month"), ("2025-12-12", "no_future")]
)
def test_days_ahead_and_long_past_are_not_entered(session: Session, on: str, code: str) -> None:
    key = category(session, "groceries")["category_id"]
    assert refused(session, "add_expense", category_id=key, amount_cents=100, on=on, payee="Pier Nine") == code


def test_at_most_what_is_left_moves_to_another_category(session: Session) -> None:
    source, target = category(session, "groceries"), category(session, "petrol")
    given = {"source_id": source["category_id"], "target_id": target["category_id"]}
    same = given | {"target_id": given["source_id"]}
    assert refused(session, "move_limit", amount_cents=1, **same) == "invalid_argument"
    assert refused(session, "move_limit", amount_cents=source["left_cents"] + 1, **given) == "move_left"
    moved = done(session, "move_limit", amount_cents=source["left_cents"], **given)
    assert (moved["source"]["left_cents"], moved["target"]["limit_cents"]) == (
        0,
        target["limit_cents"] + source["left_cents"],
    )


def test_a_month_is_closed_once_all_is_in_its_place_and_carries_on_what_is_left(session: Session) -> None:
    assert refused(session, "close_month", month="2026-03") == "close_done", "it has not ended"
    unknown = done(session, "list_expenses", category_id=category(session, "unknown")["category_id"])["items"]
    for expense in [each for each in unknown if each["on"].startswith("2026-02")]:
        assert refused(session, "close_month", month="2026-02") == "close_done", "something is left under unknown"
        target = category(session, "groceries")["category_id"]
        done(session, "edit_expense", expense_id=expense["expense_id"], category_id=target)
    flexible = session.database.mine(Category, kind="flexible")
    left = [category(session, row.name, "2026-02")["left_cents"] for row in flexible]
    before = category(session, "groceries")["limit_cents"]
    carried = done(session, "close_month", month="2026-02")["carried_cents"]
    assert carried == sum(max(each, 0) for each in left)
    assert category(session, "groceries")["limit_cents"] >= before
    assert refused(session, "close_month", month="2026-02") == "open_month"
    assert (
        refused(
            session, "set_limit", category_id=category(session, "petrol")["category_id"], month="2026-02", limit_cents=1
        )
        == "open_month"
    )


def test_what_changes_nothing_or_is_not_there_is_refused(session: Session) -> None:
    row = category(session, "petrol", "2026-05")
    given = {"category_id": row["category_id"], "month": "2026-05", "limit_cents": row["limit_cents"]}
    assert refused(session, "set_limit", **given) == "no_change"
    assert refused(session, "get_month", month="2031-01") == "not_found"
    recurring = done(session, "list_recurring")["items"][0]
    key = recurring["bill_id"]
    assert refused(session, "update_recurring", bill_id=key, paused=recurring["paused"]) == "no_change"
    assert refused(session, "update_recurring", bill_id=key, next_on="2026-03-13") == "invalid_argument"
    expense = entered(session, 700)
    assert refused(session, "edit_expense", expense_id=expense, amount_cents=700) == "no_change"


@pytest.mark.slow
def test_tasks_right_calls_leave_the_books_balanced() -> None:
    for task in Generator(get_domain("budget"), seed=2).tasks(40):
        session = Session("budget", task=task)
        for call in task.gold:
            assert session.call(call.name, call.arguments).ok, task.id
        assert is_balanced(session), task.id


def test_a_rule_whose_look_is_refused_has_seen_nothing() -> None:
    domain = get_domain("budget")
    sampler = Sampler(domain, domain.owner_keys()[0])
    expense = next(row for row in sampler.rows(Expense) if f"{row.on:%Y-%m}" < "2026-01")
    rule = next(rule for rule in domain.rules if rule.name == "open_month")
    arguments = {"expense": expense, "on": date(2019, 6, 29), "category": None, "amount_cents": None}
    assert sampler.known(rule, arguments)["seen"] is None
    assert not sampler.holds(rule, arguments), "its month is closed"


def test_what_came_over_is_moved_once_the_limit_itself_is_gone(session: Session) -> None:
    unknown = done(session, "list_expenses", category_id=category(session, "unknown")["category_id"])["items"]
    for expense in [each for each in unknown if each["on"].startswith("2026-02")]:
        target = category(session, "petrol")["category_id"]
        done(session, "edit_expense", expense_id=expense["expense_id"], category_id=target)
    done(session, "close_month", month="2026-02")
    march = session.database.mine(Limit, month="2026-03")
    row = next(each for each in march if each.carried_cents > each.spent_cents)
    done(session, "set_limit", category_id=row.category_id, month="2026-03", limit_cents=0)
    left = row.carried_cents - row.spent_cents
    given = {"source_id": row.category_id, "target_id": category(session, "petrol")["category_id"]}
    moved = done(session, "move_limit", amount_cents=left, **given)
    assert moved["source"]["left_cents"] == 0
    after = session.database.get_one(Limit, row.limit_id)
    assert (after.limit_cents, after.carried_cents) == (0, row.spent_cents)
