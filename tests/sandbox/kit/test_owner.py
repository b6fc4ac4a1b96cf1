"""A session sees its owner's rows and the common ones; a stranger's are not found, exactly like made-up ones."""

from collections.abc import Iterator
from typing import Any

import lending
import pytest
from sqlalchemy.orm import DeclarativeBase

from toolgym.sandbox.kit.errors import ConfigurationError
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.tool import Tool
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session

BANK = get_domain("banking")
OWNER = "C-4001"
TASK = Task(id="t", domain="banking", owner=OWNER)


def arguments(tool: Tool, keys: dict[str, str]) -> dict[str, Json]:
    """Some valid arguments, with these keys for its references."""
    texts: dict[str, Json] = {"pin": "1234", "name": "Ola Nord", "iban": "GB12OAKS12345678", "statement": "x"}
    made: dict[str, Json] = {}
    for name, schema in tool.parameters["properties"].items():
        if name in tool.parameters.get("required", ()):
            example: Json = 5 if schema.get("type") == "integer" else "2026-04-01"
            made[name] = schema["enum"][0] if "enum" in schema else texts.get(name, example)
    return made | {tool.inputs[parameter]: value for parameter, value in keys.items()}


def keys_of(owner: str) -> dict[str, list[str]]:
    """A customer's rows by table."""
    with Session(BANK, task=Task(id="t", domain="banking", owner=owner)) as session:
        return {
            model.__name__: [str(row[0]) for row in _rows(session, model)]
            for model in BANK.models
            if getattr(model, "__owned_by__", None)
        }


def _rows(session: Session, model: type[DeclarativeBase]) -> list[Any]:
    return session._database.mine(model)


def references() -> Iterator[tuple[str, str]]:
    for tool in BANK.tools.values():
        for parameter in tool.references:
            yield tool.name, parameter


@pytest.mark.parametrize(("name", "parameter"), list(references()))
def test_a_strangers_row_is_not_found_like_one_that_does_not_exist(name: str, parameter: str) -> None:
    tool = BANK.tools[name]
    own, strange = keys_of(OWNER), keys_of("C-4002")
    keys = {each: own[model.__name__][0] for each, model in tool.references.items()}
    foreign = strange[tool.references[parameter].__name__][0]
    made_up = foreign.rstrip("0123456789") + "999999"
    with Session(BANK, task=TASK) as session:
        allowed = session.call(name, arguments(tool, keys))
        assert allowed.error is None or allowed.error.code != "not_found"
        before = session.dump()
        answers = [session.call(name, arguments(tool, keys | {parameter: key})) for key in (foreign, made_up)]
        assert session.dump() == before
    errors = [answer.error for answer in answers]
    assert errors[0] is not None and errors[1] is not None and errors[0].code == "not_found"
    assert errors[0].message.replace(foreign, "KEY") == errors[1].message.replace(made_up, "KEY")


def test_lists_hold_the_owners_rows_only() -> None:
    own, strange = keys_of(OWNER), keys_of("C-4002")
    assert all(own.values()) and not {key for keys in own.values() for key in keys} & {
        key for keys in strange.values() for key in keys
    }
    with Session(BANK, task=TASK) as session:
        for name, table, more in (
            ("list_accounts", "Account", {}),
            ("list_payees", "Payee", {}),
            ("list_cards", "Card", {}),
            ("list_outgoing", "Payment", {"kind": "scheduled"}),
            ("list_outgoing", "StandingOrder", {"kind": "standing"}),
        ):
            listed: Any = session.call(name, more).value
            assert sorted(next(iter(row.values())) for row in listed["items"]) == sorted(own[table])


def test_the_tasks_owner_is_served_and_the_first_one_without_a_task() -> None:
    for task, owner in ((None, "C-4001"), (Task(id="t", domain="banking", owner="C-4007"), "C-4007")):
        with Session(BANK, task=task) as session:
            assert session.call("get_profile", {}).value["customer_id"] == owner  # type: ignore[index,call-overload]


def test_a_table_may_say_itself_who_sees_a_row() -> None:
    for owner, titles in (("R-01", ["Tides", "Letters 1"]), ("R-02", ["Tides", "Letters 2"])):
        with Session(lending.domain, task=Task(id="t", domain="lending", owner=owner)) as session:
            listed: Any = session.call("list_books", {}).value
            assert [row["title"] for row in listed["items"]] == titles
            strange = session.call("borrow", {"lines": [{"book": "B-103" if owner == "R-01" else "B-102", "days": 3}]})
            assert strange.error is not None and strange.error.code == "not_found"
            assert session.call("borrow", {"lines": [{"book": "B-101", "days": 3}]}).ok


def test_a_desk_that_serves_anybody_has_no_owner_and_sees_all() -> None:
    with Session("retail") as session, pytest.raises(ConfigurationError, match="no owner among Reader"):
        session._database.owner(lending.Reader)
    with Session(lending.domain) as session:
        loans = session._database.find(lending.Loan)
        assert [loan.loan_id for loan in loans if session._database.is_own(loan)] == ["L-07", "L-08"]
        assert [loan.loan_id for loan in session._database.mine(lending.Loan)] == ["L-07", "L-08"]


def test_a_fork_serves_the_same_owner() -> None:
    with Session(BANK, task=Task(id="t", domain="banking", owner="C-4007")) as session, session.fork() as fork:
        assert fork.call("get_profile", {}) == session.call("get_profile", {})


def test_a_world_may_name_whom_it_serves() -> None:
    office = get_domain("calendar")
    served = office.owner_keys()
    assert len(served) == 24
    with Session(office) as session:
        assert session.call("get_now", {}).value["email"] == served[0]
    assert BANK.owner_keys()[0] == OWNER and len(BANK.owner_keys()) == 24
