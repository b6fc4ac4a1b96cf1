"""References: agents give keys, tools get rows, in lists, in records and where they may be left out."""

from typing import Any

import lending
import pytest
from pydantic import BaseModel

from toolgym.sandbox.kit.reference import Free, Ref, Secret, kind_of, reference_of, shown_name
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session

BANK = get_domain("banking")


def test_a_parameter_is_called_after_the_key_and_described_with_an_example() -> None:
    tool = BANK.tools["send_payment"]
    assert tool.inputs["source"] == "source_id" and tool.inputs["payee"] == "payee_id"
    assert tool.parameters["properties"]["payee_id"]["description"] == "The payee's key, such as Y-118."
    loans = lending.extend.parameters["properties"]["loan_ids"]
    assert loans["type"] == "array" and loans["items"] == {"type": "string"} and "L-07" in loans["description"]


def test_a_benchmark_may_name_and_word_its_references_itself() -> None:
    assert lending.give_back.parameters["properties"]["loan"] == {"description": "which loan", "type": "string"}
    with Session(lending.domain) as session:
        error = session.call("give_back", {"loan": "L-99"}).error
    assert error is not None and (error.code, error.message) == ("no_loan", "No loan L-99.")


def test_a_list_of_references_becomes_rows() -> None:
    with Session(lending.domain) as session:
        given = {"loan_ids": ["L-07", "L-08"], "due_on": "2026-04-01"}
        value: Any = session.call("extend", given).value
        assert [(row["loan_id"], row["due_on"]) for row in value] == [("L-07", "2026-04-01"), ("L-08", "2026-04-01")]
        before = session.dump()
        error = session.call("extend", given | {"loan_ids": ["L-07", "L-09"], "due_on": "2026-05-01"}).error
        assert error is not None and error.code == "not_found" and "L-09" in error.message  # the neighbour's
        assert session.dump() == before


def test_references_inside_records_become_rows() -> None:
    with Session(lending.domain) as session:
        value: Any = session.call(
            "borrow", {"lines": [{"book": "B-101", "days": 3}, {"book": "B-102", "days": 1}]}
        ).value
        assert [(row["book_id"], row["due_on"]) for row in value] == [("B-101", "2026-03-13"), ("B-102", "2026-03-11")]
        error = session.call("borrow", {"lines": [{"book": "B-101", "days": 3}, {"book": "B-199", "days": 3}]}).error
        assert error is not None and error.message == "There is no book B-199; one looks like B-101."
        wrong = session.call("borrow", {"lines": [{"book": 7, "days": 99}]}).error
        assert wrong is not None and wrong.code == "invalid_arguments"
        assert "lines[0].book must be a string" in wrong.message and "days must be at most 28" in wrong.message


@pytest.mark.parametrize("given", [{}, {"in_place_of_id": None}, {"in_place_of_id": "L-07"}])
def test_a_reference_may_be_left_out(given: dict[str, Any]) -> None:
    with Session(lending.domain) as session:
        assert session.call("borrow", {"lines": [], **given}).ok
        value: Any = session.call("get_loan", {"loan_id": "L-07"}).value
        assert value["back_on"] == ("2026-03-10" if given.get("in_place_of_id") else None)


def test_new_keys_count_on_and_are_not_given_twice() -> None:
    with Session(lending.domain) as session:
        made: list[Any] = [
            session.call("borrow", {"lines": [{"book": "B-101", "days": 1}]}).value,
            session.call("borrow", {"lines": [{"book": "B-101", "days": 1}] * 3}).error,  # refused after three keys
            session.call("borrow", {"lines": [{"book": "B-101", "days": 1}] * 2}).value,
        ]
        assert [row["loan_id"] for value in (made[0], made[2]) for row in value] == ["L-11", "L-12", "L-13"]
        assert made[1] is not None and made[1].code == "limit_exceeded"
        session.rollback(0)
        again: Any = session.call("borrow", {"lines": [{"book": "B-101", "days": 1}]}).value
        assert again[0]["loan_id"] == "L-11"


def test_the_sort_of_a_value_follows_from_its_type_and_name() -> None:
    assert BANK.tools["send_payment"].kinds == {
        "source": "reference", "payee": "reference", "amount_cents": "money", "execute_on": "date", "reference": "text",
    }  # fmt: skip
    assert BANK.tools["dispute_transaction"].kinds["statement"] == "free"
    assert BANK.tools["verify_pin"].kinds == {"pin": "secret"}
    assert BANK.tools["set_card_state"].kinds["state"] == "choice"
    assert kind_of("delay_minutes", int) == "duration" and kind_of("loud", bool | None) == "flag"
    assert kind_of("notes", list[Free]) == "free" and kind_of("code", Secret | None) == "secret"


def test_what_a_parameter_refers_to_is_found_in_every_form() -> None:
    book: Any = Ref[lending.Book]
    for annotation in (book, book | None, list[book], list[book] | None):
        found = reference_of(annotation)
        assert found is not None and found[0] is lending.Book
    assert reference_of(str) is None and reference_of(BaseModel) is None
    assert shown_name("books", list[book]) == "book_ids" and shown_name("other", book) == "other_id"
