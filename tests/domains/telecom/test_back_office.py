"""The agent's thirteen tools: what they show, what they change, what they refuse."""

from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from toolgym.domains.telecom.seed import TARIFFS, people
from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.kit.tool import ToolResult
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.server.mcp_tools import answer, describe

PERSON = next(person for person in people() if len(person.lines) == 3 and person.lines[1].status == "Active")
LINE = PERSON.lines[0]
IDS = {"customer_id": PERSON.customer_id, "line_id": LINE.line_id}
TARIFF = next(tariff for tariff in TARIFFS if tariff.plan_id == LINE.plan_id)


@pytest.fixture
def session() -> Iterator[Session]:
    with Session("telecom") as opened:
        yield opened


def good(session: Session, name: str, **arguments: Any) -> Any:
    result = session.call(name, arguments)
    assert result.ok, result.text
    return result.value


def code(result: ToolResult) -> str:
    assert result.error is not None, result.value
    return result.error.code


def test_the_tool_sets_are_tau2_benchs() -> None:
    domain = get_domain("telecom")
    assert list(domain.tools) == [
        "get_customer_by_phone",
        "get_customer_by_id",
        "get_customer_by_name",
        "get_details_by_id",
        "get_bills_for_customer",
        "get_data_usage",
        "suspend_line",
        "resume_line",
        "enable_roaming",
        "disable_roaming",
        "refuel_data",
        "send_payment_request",
        "transfer_to_human_agents",
    ]
    assert len(domain.user_tools) == 30
    assert not set(domain.tools) & set(domain.user_tools)


def test_a_customer_is_found_three_ways(session: Session) -> None:
    by_id = good(session, "get_customer_by_id", customer_id=PERSON.customer_id)
    assert by_id["line_ids"] == [line.line_id for line in PERSON.lines]
    assert by_id["full_name"] == PERSON.full_name and len(by_id["bill_ids"]) == 2
    for line in PERSON.lines:
        assert good(session, "get_customer_by_phone", phone_number=f" {line.phone_number} ") == by_id
    named = {"full_name": PERSON.full_name.upper(), "dob": PERSON.date_of_birth}
    assert good(session, "get_customer_by_name", **named) == [by_id]
    assert good(session, "get_customer_by_name", **(named | {"dob": "1900-01-01"})) == []


def test_details_come_by_the_ids_first_letter(session: Session) -> None:
    line = good(session, "get_details_by_id", id=LINE.line_id)
    assert line["phone_number"] == LINE.phone_number and line["status"] == "Active"
    assert "suspension_start_date" not in line, "what holds nothing is left out"
    assert good(session, "get_details_by_id", id=line["device_id"])["device_type"] == "phone"
    plan = good(session, "get_details_by_id", id=line["plan_id"])
    assert plan["price_per_month"] == TARIFF.price_cents / 100
    bills = good(session, "get_bills_for_customer", customer_id=PERSON.customer_id)
    assert [bill["issue_date"] for bill in bills] == ["2025-02-05", "2024-12-05"], "the newest first"
    assert good(session, "get_details_by_id", id=bills[0]["bill_id"]) == bills[0]
    assert good(session, "get_details_by_id", id=PERSON.customer_id)["customer_id"] == PERSON.customer_id
    assert len(good(session, "get_bills_for_customer", customer_id=PERSON.customer_id, limit=1)) == 1


def test_data_usage(session: Session) -> None:
    assert good(session, "get_data_usage", **IDS) == {
        "line_id": LINE.line_id,
        "data_used_gb": LINE.data_used_gb,
        "data_limit_gb": TARIFF.data_limit_gb,
        "data_refueling_gb": 0.0,
        "cycle_end_date": "2025-02-28",
    }


def test_a_line_rests_and_comes_back(session: Session) -> None:
    suspended = good(session, "suspend_line", **IDS, reason="holiday")["line"]
    assert suspended["status"] == "Suspended" and suspended["suspension_start_date"] == "2025-02-25"
    assert code(session.call("suspend_line", IDS | {"reason": "again"})) == "line_not_active"
    resumed = good(session, "resume_line", **IDS)["line"]
    assert resumed["status"] == "Active" and "suspension_start_date" not in resumed
    assert code(session.call("resume_line", IDS)) == "line_not_suspended"
    assert session.diff() == []


def test_roaming_is_a_switch_that_may_be_where_it_should_be(session: Session) -> None:
    good(session, "enable_roaming", **IDS)
    before = session.dump()
    assert "already" in good(session, "enable_roaming", **IDS)
    assert session.dump() == before
    good(session, "disable_roaming", **IDS)
    assert good(session, "get_details_by_id", id=LINE.line_id)["roaming_enabled"] is False


def test_data_is_charged_in_whole_cents_on_one_new_bill(session: Session) -> None:
    first = good(session, "refuel_data", **IDS, gb_amount=1.5)
    second = good(session, "refuel_data", **IDS, gb_amount=1)
    assert first["charge"] == round(1.5 * TARIFF.refuel_cents_per_gb) / 100
    assert second["new_data_refueling_gb"] == 2.5
    drafts = [
        bill
        for bill in good(session, "get_bills_for_customer", customer_id=PERSON.customer_id)
        if bill["status"] == "Draft"
    ]
    assert len(drafts) == 1 and len(drafts[0]["line_items"]) == 2
    assert drafts[0]["total_due"] == pytest.approx(first["charge"] + second["charge"])
    assert (drafts[0]["period_start"], drafts[0]["period_end"]) == ("2025-03-01", "2025-03-31")


def test_one_payment_request_at_a_time_and_none_for_a_paid_bill(session: Session) -> None:
    newest, oldest = good(session, "get_bills_for_customer", customer_id=PERSON.customer_id)
    customer = {"customer_id": PERSON.customer_id}
    assert oldest["status"] == "Paid"
    assert code(session.call("send_payment_request", customer | {"bill_id": oldest["bill_id"]})) == "bill_already_paid"
    good(session, "refuel_data", **IDS, gb_amount=1)
    draft = next(bill for bill in good(session, "get_bills_for_customer", **customer) if bill["status"] == "Draft")
    good(session, "send_payment_request", **customer, bill_id=draft["bill_id"])
    again = session.call("send_payment_request", customer | {"bill_id": newest["bill_id"]})
    assert code(again) == "payment_already_requested"


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("get_customer_by_phone", {"phone_number": "1"}, "customer_not_found"),
        ("get_customer_by_id", {"customer_id": "C1"}, "customer_not_found"),
        ("get_details_by_id", {"id": "L1"}, "line_not_found"),
        ("get_details_by_id", {"id": "D1"}, "device_not_found"),
        ("get_details_by_id", {"id": "B1"}, "bill_not_found"),
        ("get_details_by_id", {"id": "P1"}, "plan_not_found"),
        ("get_details_by_id", {"id": "X1"}, "unknown_id"),
        ("get_details_by_id", {"id": ""}, "unknown_id"),
        ("get_bills_for_customer", {"customer_id": PERSON.customer_id, "limit": 0}, "invalid_arguments"),
        ("get_data_usage", {"customer_id": "C1", "line_id": LINE.line_id}, "customer_not_found"),
        ("enable_roaming", IDS | {"line_id": people()[-1].lines[0].line_id}, "line_not_found"),
        ("refuel_data", IDS | {"gb_amount": 0}, "invalid_arguments"),
        ("refuel_data", IDS | {"gb_amount": -2.0}, "invalid_arguments"),
        ("send_payment_request", {"customer_id": PERSON.customer_id, "bill_id": "B1"}, "bill_not_found"),
        ("toggle_data", {}, "unknown_tool"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(
    session: Session, name: str, arguments: dict[str, Any], expected: str
) -> None:
    before = session.dump()
    assert code(session.call(name, arguments)) == expected
    assert session.dump() == before


def test_every_result_fits_the_schema_that_clients_are_shown() -> None:
    domain = get_domain("telecom")
    task = next(task for task in domain.tasks("dev", "own") if len(task.metadata.get("faults", ())) >= 9)
    checked = set()
    with Session(domain, task=task) as session:
        looks = [
            ToolCall(name="get_details_by_id", arguments={"id": identifier})
            for identifier in (PERSON.customer_id, LINE.line_id, LINE.device_id, LINE.plan_id, "X")
        ]
        looks += [ToolCall(name="get_bills_for_customer", arguments={"customer_id": PERSON.customer_id})]
        switches = [
            ToolCall(name=tool.name, by="user")
            for tool in domain.user_tools.values()
            if not tool.parameters.get("required")
        ]
        for call in (*task.gold, *looks, *switches):
            result = session.call(call.name, call.arguments, by=call.by)
            if result.ok:
                tool = domain.tools_of(call.by)[call.name]
                schema = describe(tool).output_schema
                assert schema is not None, call.name
                Draft202012Validator(schema).validate(answer(result).structured_content)
                checked.add(call.name)
    assert len(checked) > 28
