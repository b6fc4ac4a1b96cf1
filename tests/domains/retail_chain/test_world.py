"""The chain's own arithmetic and lifecycles: what is free, holds, and the way of a transfer between two stores."""

import random
from typing import Any

import pytest

from toolgym.domains.retail_chain.schema import Associate, Hold, Stock, Store, Transfer
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.generator import Generator


@pytest.fixture
def session() -> Session:
    return Session("retail_chain")


def of(badge: str) -> Session:
    return Session("retail_chain", task=Task(id="", domain="retail_chain", owner=badge))


def done(session: Session, tool: str, /, **arguments: Any) -> Any:
    result = session.call(tool, arguments)
    assert result.ok, result.text
    return result.value


def refused(session: Session, tool: str, /, **arguments: Any) -> str:
    result = session.call(tool, arguments)
    assert result.error is not None, result.text
    return result.error.code


def own(session: Session) -> Store:
    return session.database.get_one(Store, session.database.owner(Associate).store_id)


def stocked(session: Session, least: int = 3, *, store: str = "", marked_down: bool = False) -> Stock:
    """Stock of a store, the own one without another, with so many free."""
    db, place = session.database, store or own(session).store_id
    rows = [row for row in db.find(Stock, store_id=place) if row.on_hand - row.reserved >= least]
    return next(row for row in rows if done(session, "get_stock", sku=row.sku)["marked_down"] == marked_down)


def figures(session: Session, sku: str, store: str) -> tuple[int, int]:
    shown = done(session, "get_stock", sku=sku)["stores"]
    return next(((row["on_hand"], row["reserved"]) for row in shown if row["store_id"] == store), (0, 0))


def is_sound(session: Session) -> bool:
    """Whether what is reserved is what is held and approved, and never more than there is."""
    reserved = dict[str, int]()
    for hold in session.database.find(Hold, state="open"):
        key = f"{hold.sku}/{hold.store_id}"
        reserved[key] = reserved.get(key, 0) + hold.quantity
    for row in session.database.find(Transfer, state="approved"):
        key = f"{row.sku}/{row.source_id}"
        reserved[key] = reserved.get(key, 0) + row.quantity
    return all(0 <= row.reserved <= row.on_hand for row in session.database.find(Stock)) and reserved == {
        row.stock_id: row.reserved for row in session.database.find(Stock) if row.reserved
    }


def test_the_rows_are_sound(session: Session) -> None:
    assert is_sound(session)
    assert len(session.database.find(Store)) == 26 and len(session.database.find(Associate)) == 24


def test_a_hold_sets_aside_what_is_free_and_gives_it_back(session: Session) -> None:
    row, place = stocked(session), own(session).store_id
    free = row.on_hand - row.reserved
    given = {"store_id": place, "sku": row.sku, "customer": "Leila Farouk", "phone_last4": "0042"}
    if free < 5:
        assert refused(session, "hold_for_customer", quantity=free + 1, **given) == "free_stock"
    hold = done(session, "hold_for_customer", quantity=2, **given)
    assert hold["until"] == "2026-03-16"
    assert figures(session, row.sku, place) == (row.on_hand, row.reserved + 2)
    assert done(session, "release_hold", hold_id=hold["hold_id"], outcome="not_wanted")["reserved"] == row.reserved
    assert refused(session, "release_hold", hold_id=hold["hold_id"], outcome="collected") == "wrong_state"
    again = done(session, "hold_for_customer", quantity=1, **given)
    done(session, "release_hold", hold_id=again["hold_id"], outcome="collected")
    assert figures(session, row.sku, place) == (row.on_hand - 1, row.reserved)
    assert is_sound(session)


def test_all_that_is_free_can_be_held_and_not_one_more(session: Session) -> None:
    place = own(session).store_id
    rows = session.database.find(Stock, store_id=place)
    row = next(row for row in rows if row.on_hand - row.reserved == 3)
    given = {"store_id": place, "sku": row.sku, "customer": "Leila Farouk", "phone_last4": "0042"}
    assert refused(session, "hold_for_customer", quantity=4, **given) == "free_stock"
    done(session, "hold_for_customer", quantity=3, **given)


def test_a_customer_has_two_holds_and_a_namesake_with_other_digits_two_more(session: Session) -> None:
    row, place = stocked(session, 5), own(session).store_id
    given = {"store_id": place, "sku": row.sku, "quantity": 1, "phone_last4": "0042"}
    for name in ("Leila Farouk", "leila farouk"):
        done(session, "hold_for_customer", customer=name, **given)
    assert refused(session, "hold_for_customer", customer="Leila Farouk", **given) == "hold_two"
    done(session, "hold_for_customer", customer="Leila Farouk", **given | {"phone_last4": "0043"})


def test_nothing_is_held_at_a_depot(session: Session) -> None:
    depot = session.database.find(Store, role="depot")[0].store_id
    row = stocked(session, store=depot)
    given = {"store_id": depot, "sku": row.sku, "quantity": 1, "customer": "Leila Farouk", "phone_last4": "0042"}
    assert refused(session, "hold_for_customer", **given) == "no_depot"


def test_a_transfer_goes_its_way_step_by_step_between_two_stores() -> None:
    target, source = of("B-2208"), of("B-2209")
    row = stocked(source, 6)
    place, goal = own(source).store_id, own(target).store_id
    given = {"sku": row.sku, "source_id": place, "target_id": goal, "quantity": 4}
    key = done(target, "request_transfer", **given)["transfer_id"]
    assert refused(target, "advance_transfer", transfer_id=key, step="approve") == "own_side"
    key = done(source, "request_transfer", **given)["transfer_id"]
    assert refused(source, "advance_transfer", transfer_id=key, step="ship") == "wrong_state"
    done(source, "advance_transfer", transfer_id=key, step="approve")
    assert figures(source, row.sku, place) == (row.on_hand, row.reserved + 4)
    done(source, "advance_transfer", transfer_id=key, step="ship")
    assert figures(source, row.sku, place) == (row.on_hand - 4, row.reserved)
    assert refused(source, "advance_transfer", transfer_id=key, step="receive") == "own_side"
    assert refused(source, "advance_transfer", transfer_id=key, step="cancel") == "wrong_state"
    assert is_sound(source)


def test_what_is_missing_is_not_booked(session: Session) -> None:
    coming = done(session, "list_transfers", state="shipped", direction="in")["items"][0]
    key, sent = coming["transfer_id"], coming["quantity"]
    before = figures(session, coming["sku"], own(session).store_id)[0]
    assert refused(session, "advance_transfer", transfer_id=key, step="receive", quantity_received=40) == (
        "invalid_argument"
    )
    got = done(session, "advance_transfer", transfer_id=key, step="receive", quantity_received=sent - 1)
    assert (got["received"], got["state"]) == (sent - 1, "received")
    assert figures(session, coming["sku"], own(session).store_id)[0] == before + sent - 1


def test_a_number_is_given_only_for_what_is_received(session: Session) -> None:
    waiting = done(session, "list_transfers", state="requested", direction="in")["items"][0]["transfer_id"]
    assert refused(session, "advance_transfer", transfer_id=waiting, step="cancel", quantity_received=1) == (
        "invalid_argument"
    )


def test_twelve_pieces_are_approved_by_anybody_and_thirteen_by_a_lead() -> None:
    answers: dict[tuple[int, str], set[str]] = {}
    for badge in get_domain("retail_chain").owner_keys():
        session = of(str(badge))
        for item in done(session, "list_transfers", state="requested", direction="out")["items"]:
            if item["quantity"] in (12, 13):
                error = session.call("advance_transfer", {"transfer_id": item["transfer_id"], "step": "approve"}).error
                kind = (item["quantity"], session.database.owner(Associate).role)
                answers.setdefault(kind, set()).add(error.code if error else "done")
    assert "lead_large" in answers[13, "associate"] and "done" not in answers[13, "associate"]
    assert "done" in answers[12, "associate"] and "done" in answers[13, "lead"]


def test_a_flagship_keeps_its_last_piece() -> None:
    session = next(each for each in map(of, ("B-2207", "B-2212")) if own(each).role == "flagship")
    row = next(row for row in session.database.find(Stock, store_id=own(session).store_id) if row.on_hand == 3)
    other = next(store for store in session.database.find(Store) if store.store_id != own(session).store_id)
    free = row.on_hand - row.reserved
    given = {"sku": row.sku, "source_id": own(session).store_id, "target_id": other.store_id}
    assert refused(session, "request_transfer", quantity=free, **given) == "keep_one"
    if free > 1:
        done(session, "request_transfer", quantity=free - 1, **given)


def test_transfers_are_asked_for_from_or_to_the_own_store(session: Session) -> None:
    near, far = [store for store in session.database.find(Store) if store.store_id != own(session).store_id][:2]
    row = stocked(session, 3, store=near.store_id)
    given = {"sku": row.sku, "source_id": near.store_id, "quantity": 1}
    assert refused(session, "request_transfer", target_id=far.store_id, **given) == "not_allowed"
    assert refused(session, "request_transfer", target_id=near.store_id, **given) == "invalid_argument"


def test_a_count_is_of_the_own_store_and_never_below_what_is_set_aside(session: Session) -> None:
    place = own(session).store_id
    row = next(row for row in session.database.find(Stock, store_id=place) if row.reserved > 0)
    given = {"sku": row.sku, "reason": "miscount"}
    assert refused(session, "correct_stock", counted=row.on_hand, **given) == "no_change"
    assert refused(session, "correct_stock", counted=row.reserved - 1, **given) == "conflict"
    fixed = done(session, "correct_stock", counted=row.on_hand + 2, **given)
    assert (fixed["on_hand"], fixed["difference"]) == (row.on_hand + 2, 2)
    assert is_sound(session)


def test_sunday_has_its_own_hours_and_the_minute_of_closing_is_too_late(session: Session) -> None:
    store = next(row for row in session.database.find(Store) if row.sunday_closes == "17:00")
    shut = next(row for row in session.database.find(Store) if row.sunday_opens is None and row.role != "depot")

    def names(moment: str, city: str) -> list[str]:
        return [row["store_id"] for row in done(session, "list_stores", city=city, open_at=moment)["items"]]

    assert store.store_id in names("2026-03-15T16:59", store.city)
    assert store.store_id not in names("2026-03-15T17:00", store.city)
    assert store.store_id in names("2026-03-16T18:00", store.city)
    assert shut.store_id not in names("2026-03-15T13:00", shut.city)
    depot = session.database.find(Store, role="depot")[0]
    assert depot.store_id not in names("2026-03-16T12:00", depot.city)


def test_an_associate_sees_no_other_stores_holds(session: Session) -> None:
    foreign = next(row for row in session.database.find(Hold, state="open") if row.store_id != own(session).store_id)
    assert refused(session, "release_hold", hold_id=foreign.hold_id, outcome="collected") == "not_found"
    shown = done(session, "get_my_store")
    assert {hold["store_id"] for hold in shown["holds"]} == {own(session).store_id}
    assert set(shown["runs_out_today"]) <= {hold["hold_id"] for hold in shown["holds"]}


def test_random_calls_keep_the_stock_sound(session: Session) -> None:
    rng, db, place = random.Random(4), session.database, own(session).store_id
    skus, stores = [row.sku for row in db.find(Stock, store_id=place)], db.find(Store)
    for _ in range(150):
        sku, other, count = rng.choice(skus), rng.choice(stores).store_id, rng.randrange(1, 5)
        hold, transfer = rng.choice(db.mine(Hold)), rng.choice(db.find(Transfer))
        step = rng.choice(("approve", "ship", "receive", "cancel"))
        person = {"customer": "Leila Farouk", "phone_last4": f"{rng.randrange(10_000):04d}"}
        calls: list[tuple[str, dict[str, Any]]] = [
            ("hold_for_customer", {"store_id": place, "sku": sku, "quantity": count} | person),
            ("release_hold", {"hold_id": hold.hold_id, "outcome": rng.choice(("collected", "not_wanted"))}),
            ("request_transfer", {"sku": sku, "source_id": place, "target_id": other, "quantity": count}),
            ("advance_transfer", {"transfer_id": transfer.transfer_id, "step": step}),
            ("correct_stock", {"sku": sku, "counted": count * 3, "reason": "miscount"}),
        ]
        session.call(*rng.choice(calls))
    assert len(session.diff()) > 20
    assert is_sound(session)


@pytest.mark.slow
def test_tasks_right_calls_leave_the_stock_sound() -> None:
    for task in Generator(get_domain("retail_chain"), seed=2).tasks(25):
        session = Session("retail_chain", task=task)
        for call in task.gold:
            assert session.call(call.name, call.arguments).ok, task.id
        assert is_sound(session), task.id
