"""What was mended since a version was published holds for what is drawn anew and changes nothing published."""

from typing import Any

import pytest

from toolgym.domains.banking.schema import Customer
from toolgym.domains.budget import rules as budget_rules
from toolgym.domains.marketplace.schema import Listing, Offer
from toolgym.domains.payments.schema import Customer as Client
from toolgym.domains.shopping.schema import CartItem, Variant
from toolgym.sandbox.kit.database import NEWEST
from toolgym.sandbox.kit.policy import rendered
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.briefing import briefing
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session

NEW, OLD = "", "-v2-test-0-0000"
versions = pytest.mark.parametrize(("version", "is_mended"), [(OLD, False), (NEW, True)])


def opened(world: str, version: str, owner: str | None = None) -> Session:
    return Session(world, task=Task(id=f"{world}{version}", domain=world, owner=owner))


def code(session: Session, tool: str, **arguments: Any) -> str | None:
    """Of the refusal; None where the call succeeds."""
    error = session.call(tool, arguments).error
    return None if error is None else error.code


def value(session: Session, tool: str, **arguments: Any) -> Any:
    result = session.call(tool, arguments)
    assert result.ok, result.text
    return result.value


def test_an_id_or_the_name_of_the_data_says_the_version() -> None:
    retail, budget = get_domain("retail"), get_domain("budget")
    assert retail.version("own", retail.tasks("test", "own")[0]) == 1
    assert retail.version("unseen", retail.tasks("test", "v2")[0]) == retail.version("v2") == 2
    assert budget.version("own", budget.tasks("train", "v2")[0]) == 2
    assert (
        budget.version() == budget.version("unseen") == budget.version("own", Task(id="x", domain="budget")) == NEWEST
    )
    assert briefing(budget, budget.tasks("test", "v2")[0]).version == 2
    assert Session("budget", data="v2").fork().database.version == 2
    assert Session("budget+email", task=budget.tasks("test", "v2")[0]).database.version == 2


def test_a_rule_that_is_newer_than_the_data_is_not_told_and_one_that_was_widened_is_told_once() -> None:
    domain = get_domain("budget")
    assert budget_rules.no_future_corrected not in domain.rules_at(2)
    assert budget_rules.no_future_corrected in domain.rules_at(NEWEST)
    assert domain.policy_for("v2") == domain.policy_for() == domain.policy_for("own", version=2)
    assert rendered("", domain.rules, ()).count(budget_rules.no_future.sentence) == 1


@versions
def test_an_expense_is_not_corrected_into_the_future(version: str, is_mended: bool) -> None:
    session = opened("budget", version)
    key = value(session, "list_expenses")["items"][0]["expense_id"]
    assert code(session, "edit_expense", expense_id=key, on="2026-03-28") == ("no_future" if is_mended else None)
    assert code(session, "edit_expense", expense_id=key, on="2026-03-10") is None


@versions
def test_a_fixed_category_holds_whatever_charges_it(version: str, is_mended: bool) -> None:
    session, refused = opened("budget", version), "hard_limit" if is_mended else None
    petrol = value(session, "list_categories", name="petrol")[0]
    expense = value(session, "list_expenses", min_cents=petrol["left_cents"] + 200)["items"][0]
    key, other = expense["expense_id"], expense["amount_cents"] - petrol["left_cents"] - 1
    over = [
        {"category": petrol["category_id"], "amount_cents": petrol["left_cents"] + 1},
        {"category": expense["category_id"], "amount_cents": other},
    ]
    with session.fork() as twin:
        assert code(twin, "split_expense", expense_id=key, parts=over) == refused
    with session.fork() as twin:
        cents = petrol["left_cents"] + 1
        assert (
            code(twin, "edit_expense", expense_id=key, category_id=petrol["category_id"], amount_cents=cents) == refused
        )
    assert (
        code(session, "edit_expense", expense_id=key, category_id=petrol["category_id"], amount_cents=cents - 1) is None
    )
    fits = code(session, "edit_expense", expense_id=key, amount_cents=cents - 2)
    assert fits is None, "what the expense took before is given back"


@versions
def test_a_sale_closes_the_other_offers(version: str, is_mended: bool) -> None:
    for owner in get_domain("marketplace").owner_keys():
        session = opened("marketplace", version, str(owner))
        for row in session.database.find(Listing, seller_id=owner, state="open", kind="fixed"):
            offers = session.database.find(Offer, listing_id=row.listing_id, state="open")
            price = row.price_cents - 1
            if len(offers) < 2 or offers[1].amount_cents >= price:
                continue
            assert code(session, "answer_offer", offer_id=offers[0].offer_id, answer="accept") is None
            found = code(session, "answer_offer", offer_id=offers[1].offer_id, answer="counter", counter_cents=price)
            assert found == ("wrong_state" if is_mended else None)
            states = {offer.state for offer in session.database.find(Offer, listing_id=row.listing_id)}
            assert states <= {"accepted", "declined", "expired"} or not is_mended
            return
    pytest.fail("nobody has two offers")


@versions
def test_a_rule_about_a_list_reads_all_its_pages(version: str, is_mended: bool) -> None:
    session = opened("payments", version)
    whose = session.database.mine(Client)[0].customer_id

    def bill(name: str, due: str) -> str | None:
        lines = [{"description": name, "quantity": 1, "unit_cents": 100}]
        key = value(session, "create_invoice", customer_id=whose, lines=lines, due_on=due)["invoice_id"]
        return code(session, "finalize_invoice", invoice_id=key, deliver="none")

    names = [f"part {number}" for number in range(12)]
    assert [bill(name, f"2026-04-{number + 2:02}") for number, name in enumerate(names)] == [None] * 12
    found = [session.call("create_invoice", _again(whose, name)).error for name in names]
    codes = {None if error is None else error.code for error in found}
    assert codes == ({"duplicate_line"} if is_mended else {None, "duplicate_line"})


def _again(whose: str, name: str) -> dict[str, Any]:
    lines = [{"description": name, "quantity": 1, "unit_cents": 100}]
    return {"customer_id": whose, "lines": lines, "due_on": "2026-05-20"}


# --- what no published task rests on ---


def test_three_wrong_pins_lock_payments_whatever_came_before() -> None:
    with Session("banking") as session:
        assert value(session, "verify_pin", pin=session.database.owner(Customer).pin)["accepted"]
        order = value(session, "list_outgoing", kind="standing")["items"][0]["standing_order_id"]
        assert [value(session, "verify_pin", pin="nothing")["tries_left"] for _ in range(3)] == [2, 1, 0]
        assert code(session, "end_standing_order", standing_order_id=order, last_on="2026-04-01") == "pin_first"


def test_the_end_of_a_standing_order_is_not_put_off() -> None:
    with Session("banking") as session:
        value(session, "verify_pin", pin=session.database.owner(Customer).pin)
        key = value(session, "list_outgoing", kind="standing")["items"][0]["standing_order_id"]
        ends = [code(session, "end_standing_order", standing_order_id=key, last_on=day) for day in ENDS]
        assert ends == [None, "wrong_state", "no_change", None]


ENDS = ("2026-04-01", "2026-04-02", "2026-04-01", "2026-03-31")


def test_a_message_named_twice_is_moved_and_marked_once() -> None:
    with Session("email") as session:
        key = value(session, "search_messages", folder="inbox", unread=True)["items"][0]["message_id"]
        assert value(session, "mark_messages", message_ids=[key] * 3, flag="read") == {"changed": 1}
        assert value(session, "move_messages", message_ids=[key] * 2, folder="archive")["moved"] == 1


def test_more_of_the_same_in_a_cart_stays_within_what_one_call_may_add() -> None:
    with Session("shopping") as session:
        there = {line.variant_id for line in session.database.find(CartItem)}
        stocked = (row for row in session.database.find(Variant) if row.stock > 12 and row.variant_id not in there)
        variant = next(stocked).variant_id
        assert code(session, "add_to_cart", variant_id=variant, quantity=6) is None
        assert code(session, "add_to_cart", variant_id=variant, quantity=5) == "too_many"
        assert code(session, "add_to_cart", variant_id=variant, quantity=4) is None
