"""Filters of list tools: one left out lets all pass, bounds are included, capitals and blanks do not matter."""

from datetime import date

import pytest

from toolgym.domains.banking.schema import Account
from toolgym.sandbox.kit.errors import ConfigurationError
from toolgym.sandbox.kit.search import contains_text, equals_text, given, is_within
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session


@pytest.mark.parametrize(
    ("wanted", "holds", "is_all"), [(None, True, True), (" BOST", True, False), ("x", False, False)]
)
def test_text_is_found_whatever_its_capitals(wanted: str | None, holds: bool, is_all: bool) -> None:
    assert contains_text("Boston", wanted) is holds
    assert equals_text("Boston", wanted) is is_all


def test_a_text_equals_itself_in_other_capitals_and_with_blanks() -> None:
    assert equals_text("New York", " new YORK ")
    assert not equals_text("New York", "")


def test_bounds_are_included_and_may_be_left_out() -> None:
    day, before, after = date(2026, 3, 2), date(2026, 3, 1), date(2026, 3, 3)
    assert is_within(day, None, None)
    assert is_within(day, day, day)
    assert is_within(0, 0, None)
    assert not is_within(day, after, None)
    assert not is_within(day, None, before)
    assert not is_within(1, 0, 0)


def test_what_was_left_out_is_not_looked_for() -> None:
    assert given(kind=None, paused=False, cents=0, name="") == {"paused": False, "cents": 0, "name": ""}


def test_a_row_that_must_exist_is_given_or_named() -> None:
    with Session(get_domain("banking")) as session:
        account = session.database.find(Account)[0]
        assert session.database.get_one(Account, account.account_id) == account
        with pytest.raises(ConfigurationError, match="Account has no row A-none"):
            session.database.get_one(Account, "A-none")
