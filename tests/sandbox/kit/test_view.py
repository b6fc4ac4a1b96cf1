"""Views: what tools show of a row, the same to a rule in the tool as to somebody who saw the JSON."""

import sys
from datetime import date, datetime
from typing import Any

import jsonschema
import lending
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from pydantic import TypeAdapter
from sqlalchemy.orm import DeclarativeBase, Mapped

from toolgym.sandbox.kit.errors import ConfigurationError
from toolgym.sandbox.kit.table import hidden, key, shown_columns
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.view import Page, View
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session

BANK = get_domain("banking")


@pytest.mark.parametrize("model", [*BANK.models, *lending.domain.models], ids=lambda model: str(model.__name__))
def test_a_rule_reads_the_same_from_the_row_and_from_the_json_of_its_view(model: Any) -> None:
    with Session(BANK if model in BANK.models else lending.domain) as session:
        database = session._database
        rows = database.find(model)[:20]
        assert rows
        for row in rows:
            known = View(row).bound(database)
            seen = View.seen(model, View(row).to_json(database))
            for name in shown_columns(model):
                value = getattr(seen.row, name)
                assert value == getattr(known.row, name) and type(value) is type(getattr(known.row, name))


def test_days_and_moments_are_dates_to_a_rule_and_texts_to_an_agent() -> None:
    with Session(lending.domain) as session:
        loan = session._database.find(lending.Loan)[0]
        shown = View(loan).to_json(session._database)
        seen = View.seen(lending.Loan, shown).row
    assert (shown["taken_at"], shown["due_on"], shown["back_on"]) == ("2026-03-10T09:30", "2026-03-24", None)
    assert (seen.taken_at, seen.due_on, seen.back_on) == (datetime(2026, 3, 10, 9, 30), date(2026, 3, 24), None)


def test_hidden_columns_cannot_be_read_from_a_view() -> None:
    with Session(lending.domain) as session:
        book = View(session._database.find(lending.Book)[0]).bound(session._database)
        seen = View.seen(lending.Book, book.to_json(session._database))
        for view in (book, seen):
            with pytest.raises(AttributeError, match="reserve_cents"):
                _ = view.row.reserve_cents
        assert "reserve_cents" not in book.to_json(session._database)


def test_no_tool_of_a_world_tells_a_hidden_value() -> None:
    """The common contract suite does the same for all worlds; here with values that occur nowhere else."""
    with Session(lending.domain) as session:
        texts = [session.call("list_books", {"title": word}).text for word in ("", "Tides", "77001", "hush1")]
        texts += [session.call("get_loan", {"loan_id": key}).text for key in ("L-07", "L-09", "hush1", "R-01")]
        texts += [session.call("borrow", {"lines": [{"book": "B-101", "days": 2}], "in_place_of_id": "L-08"}).text]
        assert "Tides" in texts[0]
        assert not [text for text in texts if any(word in text for word in ("7700", "hush2", "R-02", "reader_id"))]
    for tool in lending.domain.tools.values():
        assert "reserve_cents" not in str(tool.returns) and "reader_id" not in str(tool.returns)


def test_a_page_shows_the_brief_columns_of_its_rows() -> None:
    with Session(lending.domain) as session:
        books = session._database.find(lending.Book)
        many = [books[0]] * 23
        pages = [Page(many, number).to_json(session._database) for number in (1, 3, 4)]
    assert [len(page["items"]) for page in pages] == [10, 3, 0]  # type: ignore[arg-type]
    assert pages[0]["items"][0] == {"book_id": "B-101", "title": "Tides"}  # type: ignore[index]
    assert {(page["pages"], page["total"]) for page in pages} == {(3, 23)}


def test_more_than_the_row_is_shown_beside_it() -> None:
    with Session(lending.domain) as session:
        loan = session._database.find(lending.Loan)[0]
        shown = View(loan, asked_on=date(2026, 3, 10), inner=[View(loan)]).to_json(session._database)
    assert shown["asked_on"] == "2026-03-10" and shown["inner"][0]["loan_id"] == "L-07"  # type: ignore[index,call-overload]


def test_a_list_may_only_name_columns_that_are_shown() -> None:
    class Base(DeclarativeBase):
        pass

    class Leaky(Base):
        __tablename__ = "leaky"
        __brief__ = ("word",)
        leaky_id: Mapped[str] = key("X-1")
        word: Mapped[str] = hidden()

    with pytest.raises(ConfigurationError, match=r"Leaky\.__brief__ names 'word'"):
        TypeAdapter(Page[Leaky]).json_schema()


async def test_every_tools_real_result_is_of_its_schema_over_mcp() -> None:
    own = _examples()
    code = "import sys; from toolgym.cli import main; sys.exit(main())"
    door = StdioServerParameters(command=sys.executable, args=["-c", code, "mcp", "banking"])
    async with Client(door, mode="2026-07-28") as client:  # type: ignore[arg-type]
        schemas = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}
        assert set(schemas) == {name for name, _ in own} == set(BANK.tools)
        for name, arguments in own:
            answer = await client.call_tool(name, arguments)
            assert not answer.is_error, answer.content
            schema = schemas[name]
            assert schema is not None
            jsonschema.validate(answer.structured_content, schema, format_checker=jsonschema.FormatChecker())


def _examples() -> list[tuple[str, dict[str, Any]]]:
    """One accepted call of every tool of the bank, in an order in which the PIN was verified first."""
    with Session(BANK, task=Task(id="t", domain="banking", owner="C-4001")) as session:
        db = session._database
        tables = {model.__name__: db.mine(model) for model in BANK.models if model.__name__ != "Customer"}
        customer: Any = db.owner(BANK.owner)  # type: ignore[arg-type]
    accounts: Any = [row for row in tables["Account"] if row.status == "open" and row.available_cents > 10_000]
    charge: Any = next(
        row for row in tables["Transaction"] if row.status == "booked" and row.booked_on > date(2026, 3, 1)
    )
    payee, card = tables["Payee"][0].payee_id, next(row for row in tables["Card"] if row.state == "active")
    source, target = {"source_id": accounts[0].account_id}, {"target_id": accounts[1].account_id}
    account, amount = {"account_id": charge.account_id}, {"amount_cents": 100}
    return [
        ("get_profile", {}),
        ("verify_pin", {"pin": customer.pin}),
        ("list_accounts", {}),
        ("get_account", account),
        ("list_transactions", account | {"page": 2}),
        ("get_transaction", {"transaction_id": charge.transaction_id}),
        ("list_payees", {}),
        ("list_cards", {}),
        ("list_outgoing", {"kind": "scheduled"}),
        ("list_outgoing", {"kind": "standing"}),
        ("add_payee", {"name": "Ola Nord", "iban": "GB12OAKS12345678"}),
        ("transfer_between_own_accounts", source | target | amount),
        ("send_payment", source | amount | {"payee_id": payee, "execute_on": "2026-03-13"}),
        ("cancel_payment", {"payment_id": tables["Payment"][0].payment_id}),
        ("create_standing_order", source | amount | {"payee_id": payee, "every": "month", "first_on": "2026-04-01"}),
        ("end_standing_order", {
            "standing_order_id": tables["StandingOrder"][0].standing_order_id, "last_on": "2026-04-02",
        }),
        ("set_card_state", {"card_id": card.card_id, "state": "frozen", "reason": "lost"}),
        ("dispute_transaction", {
            "transaction_id": charge.transaction_id, "reason": "twice", "statement": "Charged twice.",
        }),
    ]  # fmt: skip
