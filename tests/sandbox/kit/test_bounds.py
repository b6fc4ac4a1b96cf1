"""What goes beyond the bounds is refused before a tool runs, in every world, and no schema says a word of it."""

from typing import Any

import pytest

from toolgym.sandbox.kit.bounds import LONGEST, MOST, beyond
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session

WEEK = {"first_day": "9999-12-31", "last_day": "9999-12-31"}
SEARCH = {"folder": "inbox", "text": "x" * (LONGEST + 1)}
EVENT = {"title": "Talk", "start": "9999-12-31T23:45", "minutes": 30}


@pytest.mark.parametrize(
    ("world", "tool", "arguments", "sentence"),
    [
        ("email", "search_messages", {"last_day": "9999-12-31"}, "last_day holds a day that is not from 1900 to 2199"),
        ("email", "search_messages", {"first_day": "1899-12-31"}, "first_day holds a day that is not from 1900"),
        ("email", "search_messages", SEARCH, "text holds text of more than 20,000 characters"),
        ("email", "schedule_draft", {"draft_id": "d-1", "send_at": "00000"}, "send_at holds a moment with a zone"),
        ("email", "schedule_draft", {"draft_id": "d-1", "send_at": "2026-03-20T09:00Z"}, "a moment with a zone"),
        ("email", "create_label", {"name": "   "}, "name must not be blank"),
        ("calendar", "list_events", WEEK, "first_day holds a day"),
        ("calendar", "create_event", EVENT, "start holds a day"),
        ("calendar", "create_event", EVENT | {"title": "\t"}, "title must not be blank"),
        ("banking", "add_payee", {"name": "   ", "iban": "DE00ABCD123456789"}, "name must not be blank"),
        ("banking", "list_transactions", {"account_id": "A-1", "min_cents": MOST + 1}, "a number that is beyond 10^12"),
        ("shopping", "add_address", {"label": "  ", "street": "   ", "city": "\n\n", "zip": "12345"}, "city must not"),
        ("payments", "create_invoice", {"customer_id": "c", "lines": [{"description": "  "}]}, "must not be blank"),
    ],
)  # fmt: skip
def test_a_value_beyond_the_bounds_is_refused_in_a_sentence(
    world: str, tool: str, arguments: dict[str, Any], sentence: str
) -> None:
    with Session(world) as session:
        refused = session.call(tool, arguments).error
        assert refused is not None
        assert refused.code == "invalid_arguments"
        assert sentence in refused.message
        assert not session.diff()


def test_bounds_are_checked_at_every_depth() -> None:
    assert beyond({"a": [{"b": [-MOST - 1]}]})
    assert not beyond({"a": [{"b": [MOST, "x" * LONGEST, True, None, 0.5]}]})
    assert beyond(float(MOST) * 10)


def test_text_that_an_agent_composes_may_be_empty() -> None:
    note = get_domain("budget").tools["add_expense"].validate(
        {"category_id": "CA-1", "amount_cents": 5, "on": "2026-03-01", "payee": "Bakery", "note": ""}
    )  # fmt: skip
    assert note["note"] == ""
