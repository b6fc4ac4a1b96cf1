"""References that must belong to another parameter's row, keys of several tables, refusals with places."""

from typing import Annotated

import pytest

from toolgym.domains.telecom.rules import line_not_active
from toolgym.domains.telecom.schema import Customer, Line
from toolgym.domains.telecom.tools import get_details_by_id, suspend_line
from toolgym.sandbox.kit.errors import Refusal
from toolgym.sandbox.kit.reference import AnyOf, tables_taken
from toolgym.sandbox.kit.view import View
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session


def test_a_row_of_another_owner_is_not_found() -> None:
    with Session("telecom") as session:
        mine, other = (session.database.find(Customer)[index] for index in (0, 1))
        line = session.database.find(Line, customer_id=other.customer_id)[0]
        given = {"customer_id": mine.customer_id, "line_id": line.line_id, "reason": "rest"}
        result = session.call("suspend_line", given)
        assert result.error is not None and result.error.code == "line_not_found"
        assert result.error.message == f"Customer {mine.customer_id} has no line with the id '{line.line_id}'."
        assert session.call("suspend_line", given | {"customer_id": other.customer_id}).ok


def test_a_parameter_may_take_keys_of_several_tables_and_stays_a_text() -> None:
    assert len(get_details_by_id.takes["id"]) == 5 and not get_details_by_id.references
    assert get_details_by_id.parameters["properties"]["id"]["type"] == "string"
    assert tables_taken(Annotated[str, AnyOf(Line)]) == (Line,) and tables_taken(str) == ()
    assert suspend_line.takes == {"customer": (Customer,), "line": (Line,)}


def test_a_refusal_names_what_the_rule_looks_at() -> None:
    database = Session(get_domain("telecom")).database
    line = next(row for row in database.find(Line) if row.status == "Suspended")
    with pytest.raises(Refusal, match=f"Line {line.line_id} is Suspended; only an active line can be suspended"):
        line_not_active.require(database, {"line": line})
    assert line_not_active.reason({"line": View(line)}).startswith(f"Line {line.line_id} is")
