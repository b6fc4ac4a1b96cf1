"""The console's own arithmetic and lifecycles: drafts, charges, refunds, voids, and what shop systems are told."""

import random
from typing import Any

import pytest

from toolgym.domains.payments.schema import Customer, Event, Invoice, Line, Payment, Repayment
from toolgym.sandbox.kit.task import Fact, Goal, Task
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.generator import Generator
from toolgym.sandbox.synthesis.sampler import Sampler
from toolgym.sandbox.synthesis.wish import drawn
from toolgym.sandbox.synthesis.wording import continued

LAMPS = {"description": "desk lamp", "quantity": 2, "unit_cents": 8900}


@pytest.fixture
def session() -> Session:
    return Session("payments")


def done(session: Session, tool: str, /, **arguments: Any) -> Any:
    result = session.call(tool, arguments)
    assert result.ok, result.text
    return result.value


def refused(session: Session, tool: str, /, **arguments: Any) -> str:
    result = session.call(tool, arguments)
    assert result.error is not None, result.text
    return result.error.code


def customer(session: Session, *, flaky: bool = False, card: bool = True) -> Customer:
    rows = [row for row in session.database.mine(Customer) if bool(row.saved_card_digits) == card]
    return next(row for row in rows if (row.flaky == 1) == flaky and row.flaky < 2)


def draft(session: Session, whose: Customer, due_on: str = "2026-04-12", *lines: dict[str, Any]) -> str:
    made = done(
        session, "create_invoice", customer_id=whose.customer_id, lines=[*lines] or [dict(LAMPS)], due_on=due_on
    )
    return str(made["invoice_id"])


def opened(session: Session, whose: Customer) -> str:
    key = draft(session, whose)
    done(session, "finalize_invoice", invoice_id=key, deliver="none")
    return key


def charged(session: Session, whose: Customer) -> tuple[str, str]:
    key = opened(session, whose)
    return key, str(done(session, "charge_saved_card", invoice_id=key, card_code=whose.card_code)["payment_id"])


def is_sound(session: Session) -> bool:
    """Whether totals are the sums of lines, refunds stay within payments, and each refund has its event."""
    db = session.database
    lines, refunds = dict[str, int](), dict[str, int]()
    for line in db.find(Line):
        lines[line.invoice_id] = lines.get(line.invoice_id, 0) + line.quantity * line.unit_cents
    for refund in db.find(Repayment):
        refunds[refund.payment_id] = refunds.get(refund.payment_id, 0) + refund.amount_cents
    subjects = [event.subject for event in db.find(Event, event_type="refund.created")]
    return (
        all(row.total_cents == lines[row.invoice_id] for row in db.find(Invoice))
        and all(refunds.get(row.payment_id, 0) == row.refunded_cents <= row.amount_cents for row in db.find(Payment))
        and sorted(subjects) == sorted(row.refund_id for row in db.find(Repayment))
        and all(row.attempts <= 5 for row in db.find(Event))
    )


def test_a_draft_becomes_open_then_paid_and_is_refunded_to_the_cent(session: Session) -> None:
    whose = customer(session)
    key = draft(session, whose)
    assert refused(session, "charge_saved_card", invoice_id=key, card_code=whose.card_code) == "wrong_state"
    opening = done(session, "finalize_invoice", invoice_id=key, deliver="email")
    assert (opening["state"], opening["total_cents"], opening["open_cents"]) == ("open", 17800, 17800)
    assert refused(session, "finalize_invoice", invoice_id=key, deliver="email") == "wrong_state"
    payment = done(session, "charge_saved_card", invoice_id=key, card_code=whose.card_code)
    assert (payment["amount_cents"], payment["saved_card_digits"]) == (17800, whose.saved_card_digits)
    given = {"payment_id": payment["payment_id"], "reason": "requested"}
    assert done(session, "refund_payment", amount_cents=5000, **given)["left_cents"] == 12800
    assert refused(session, "refund_payment", amount_cents=12801, **given) == "refund_rest"
    assert done(session, "refund_payment", amount_cents=12800, **given)["left_cents"] == 0
    shown = done(session, "get_invoice", invoice_id=key)
    assert (shown["payments"][0]["state"], len(shown["refunds"]), shown["paid_cents"]) == ("refunded", 2, 0)
    assert is_sound(session)


def test_a_wrong_code_is_counted_and_the_third_locks_the_card(session: Session) -> None:
    whose = customer(session)
    key = opened(session, whose)
    for left in (2, 1, 0):
        answer = done(session, "charge_saved_card", invoice_id=key, card_code="0")
        assert (answer["accepted"], answer["tries_left"], answer["state"]) == (False, left, "open")
    assert refused(session, "charge_saved_card", invoice_id=key, card_code=whose.card_code) == "locked"


def test_a_right_code_in_time_forgets_the_wrong_ones(session: Session) -> None:
    whose = customer(session)
    key = opened(session, whose)
    done(session, "charge_saved_card", invoice_id=key, card_code="0")
    assert done(session, "charge_saved_card", invoice_id=key, card_code=whose.card_code)["tries_left"] == 3


def test_without_a_saved_card_nothing_is_charged(session: Session) -> None:
    key = opened(session, customer(session, card=False))
    assert refused(session, "charge_saved_card", invoice_id=key, card_code="123") == "card_saved"


def test_what_was_paid_is_refunded_before_it_is_void_and_only_an_open_one_ever_is(session: Session) -> None:
    whose = customer(session)
    paid, _ = charged(session, whose)
    assert refused(session, "void_invoice", invoice_id=paid, reason="duplicate") == "void_open_only"
    started = next(
        row
        for row in session.database.mine(Invoice, state="open")
        if session.database.find(Payment, invoice_id=row.invoice_id)
    )
    (part,) = session.database.find(Payment, invoice_id=started.invoice_id)
    given = {"invoice_id": started.invoice_id, "reason": "not_ordered"}
    assert refused(session, "void_invoice", **given) == "void_open_only", "a part of it was paid"
    done(session, "refund_payment", payment_id=part.payment_id, amount_cents=part.amount_cents, reason="requested")
    assert done(session, "void_invoice", **given)["state"] == "void"
    assert refused(session, "void_invoice", **given) == "no_change"


@pytest.mark.parametrize(("due", "allowed"), [("13", False), ("14", True)])
def test_a_new_invoice_is_due_tomorrow_at_the_earliest(session: Session, due: str, allowed: bool) -> None:
    given = {"customer_id": customer(session).customer_id, "lines": [LAMPS], "due_on": f"2026-03-{due}"}
    assert session.call("create_invoice", given).ok == allowed


@pytest.mark.parametrize(("due", "allowed"), [("11", True), ("12", False)])
def test_a_new_invoice_is_due_in_90_days_at_the_latest(session: Session, due: str, allowed: bool) -> None:
    given = {"customer_id": customer(session).customer_id, "lines": [LAMPS], "due_on": f"2026-06-{due}"}
    assert session.call("create_invoice", given).ok == allowed


def test_no_second_open_invoice_has_the_same_lines_in_any_order_or_capitals(session: Session) -> None:
    whose = customer(session)
    shelf = {"description": "oak shelf", "quantity": 1, "unit_cents": 777}
    first, second = draft(session, whose, "2026-04-12", LAMPS, shelf), draft(session, whose, "2026-04-13", shelf, LAMPS)
    done(session, "finalize_invoice", invoice_id=first, deliver="none")
    assert refused(session, "finalize_invoice", invoice_id=second, deliver="none") == "duplicate_line"
    loud = LAMPS | {"description": " Desk LAMP"}
    given = {"customer_id": whose.customer_id, "due_on": "2026-05-01"}
    assert refused(session, "create_invoice", lines=[shelf, loud], **given) == "duplicate_line"
    done(session, "void_invoice", invoice_id=first, reason="duplicate")
    done(session, "finalize_invoice", invoice_id=second, deliver="none")


def test_a_flaky_shop_misses_the_first_delivery_and_takes_the_next(session: Session) -> None:
    key = opened(session, customer(session, flaky=True))
    (event,) = done(session, "list_events", subject=key)["items"]
    assert (event["delivery"], event["attempts"], event["attempts_left"]) == ("failed", 1, 4)
    again = done(session, "resend_event", event_id=event["event_id"])
    assert (again["delivery"], again["attempts"]) == ("delivered", 2)
    assert refused(session, "resend_event", event_id=event["event_id"]) == "wrong_state"


def test_a_shop_that_is_down_has_five_attempts(session: Session) -> None:
    failed = [row for row in session.database.mine(Event, delivery="failed") if row.attempts == 4]
    last = next(row for row in failed if done(session, "resend_event", event_id=row.event_id)["delivery"] == "failed")
    assert refused(session, "resend_event", event_id=last.event_id) == "resend_limit"


def test_what_is_due_today_is_not_overdue(session: Session) -> None:
    rows = done(session, "list_invoices", overdue=True)["items"]
    assert rows and all(row["state"] == "open" and row["due_on"] < "2026-03-13" for row in rows)
    today = done(session, "list_invoices", first_day="2026-03-13", last_day="2026-03-13", state="open")["items"]
    assert not any(row["overdue"] for row in today)
    both = sum(done(session, "list_invoices", overdue=late)["total"] for late in (True, False))
    assert both == done(session, "list_invoices")["total"]


def test_the_days_of_a_list_are_included_and_pages_end_empty(session: Session) -> None:
    item = done(session, "list_invoices", state="paid")["items"][3]
    day = item["due_on"]
    found = done(session, "list_invoices", first_day=day, last_day=day)["items"]
    assert item["invoice_id"] in [each["invoice_id"] for each in found]
    assert done(session, "list_invoices", page=99)["items"] == []


def test_a_card_payment_is_refunded_until_its_120th_day_and_a_bank_payment_for_ever() -> None:
    answers: dict[str, list[bool]] = {"bank": [], "2025-11-13": [], "2025-11-12": []}
    for owner in get_domain("payments").owner_keys():
        session = Session("payments", task=Task(id="", domain="payments", owner=owner))
        for row in session.database.mine(Payment):
            sort = "bank" if row.method == "bank" else f"{row.paid_on}"
            if sort in answers and row.refunded_cents < row.amount_cents:
                given = {"payment_id": row.payment_id, "amount_cents": 1, "reason": "requested"}
                answers[sort].append(session.call("refund_payment", given).ok)
    assert all(len(each) >= 3 for each in answers.values())
    assert {sort: set(each) for sort, each in answers.items()} == {
        "bank": {True},
        "2025-11-13": {True},
        "2025-11-12": {False},
    }


def test_a_payment_is_led_to_by_what_is_known_of_its_invoice() -> None:
    domain = get_domain("payments")
    whole = next(goal for goal in domain.goals if goal.name == "refund_all")
    sampler = Sampler(domain, domain.owner_keys()[0])
    found = drawn(sampler, whole, random.Random(3), "described")
    assert found is not None
    listing, details, refund = found.gold
    assert set(listing.arguments) == {"customer_name", "first_day", "last_day"}
    assert [details.name, refund.name] == ["get_invoice", "refund_payment"]


def test_a_name_that_a_later_wish_begins_with_keeps_its_capital() -> None:
    fact = Fact(name="customer", value="CUS-0412", kind="reference", words="Hayes Optics")
    assert continued(Goal(kind="bill", utterance="Hayes Optics pays.", facts=(fact,))) == "Hayes Optics pays."
    assert continued(Goal(kind="bill", utterance="Void what Hayes Optics got.", facts=(fact,)))[0] == "v"


def test_neither_codes_nor_the_state_of_shops_are_shown(session: Session) -> None:
    shown = str(done(session, "search_customers"))
    assert "card_code" not in shown and "flaky" not in shown and "wrong_codes" not in shown


def test_random_calls_keep_the_books_sound(session: Session) -> None:
    rng = random.Random(4)
    db = session.database
    for _ in range(120):
        invoice, payment = rng.choice(db.mine(Invoice)), rng.choice(db.mine(Payment))
        event, cents = rng.choice(db.mine(Event)), rng.choice((1, 500, payment.amount_cents))
        calls: list[tuple[str, dict[str, Any]]] = [
            ("finalize_invoice", {"invoice_id": invoice.invoice_id, "deliver": "none"}),
            ("void_invoice", {"invoice_id": invoice.invoice_id, "reason": "wrong_amount"}),
            ("charge_saved_card", {"invoice_id": invoice.invoice_id, "card_code": "123"}),
            ("refund_payment", {"payment_id": payment.payment_id, "amount_cents": cents, "reason": "duplicate"}),
            ("resend_event", {"event_id": event.event_id}),
        ]
        session.call(*rng.choice(calls))
    assert len(session.diff()) > 20
    assert is_sound(session)


@pytest.mark.slow
def test_tasks_right_calls_leave_the_books_sound() -> None:
    for task in Generator(get_domain("payments"), seed=2).tasks(40):
        session = Session("payments", task=task)
        for call in task.gold:
            assert session.call(call.name, call.arguments).ok, task.id
        assert is_sound(session), task.id
