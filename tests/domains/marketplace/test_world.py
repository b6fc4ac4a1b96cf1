"""The marketplace's own arithmetic and lifecycles: bids that rise, offers, sales, money, and what nobody may see."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest

from toolgym.domains.marketplace.schema import FEES, Bid, Listing, Member, Offer, Sale, step
from toolgym.domains.marketplace.seed import CLOCKS, NOW
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.generator import Generator

OWNERS = get_domain("marketplace").owner_keys()


def session_of(owner: object = "mb-508", now: datetime | None = None) -> Session:
    return Session("marketplace", task=Task(id="", domain="marketplace", owner=str(owner), now=now))


@pytest.fixture
def session() -> Session:
    """A regular member."""
    return session_of()


def done(session: Session, tool: str, /, **arguments: Any) -> Any:
    result = session.call(tool, arguments)
    assert result.ok, result.text
    return result.value


def refused(session: Session, tool: str, /, **arguments: Any) -> str:
    result = session.call(tool, arguments)
    assert result.error is not None, result.text
    return result.error.code


def me(session: Session) -> Member:
    return session.database.owner(Member)


def foreign(session: Session, kind: str) -> list[Listing]:
    """What others sell, untouched by the member."""
    rows = session.database.find(Listing, state="open", kind=kind)
    touched = {row.listing_id for table in (Bid, Offer) for row in _own(session, table)}
    return [row for row in rows if row.seller_id != me(session).member_id and row.listing_id not in touched]


def _own(session: Session, table: Any) -> list[Any]:
    column = "member_id" if table is Bid else "buyer_id"
    return list(session.database.find(table, **{column: me(session).member_id}))


def own_fixed(session: Session, offers: int = 1) -> tuple[Listing, list[Offer]]:
    """A thing of the member's at a fixed price with so many open offers."""
    for row in session.database.find(Listing, seller_id=me(session).member_id, state="open", kind="fixed"):
        found = session.database.find(Offer, listing_id=row.listing_id, state="open")
        if len(found) >= offers:
            return row, found
    raise AssertionError("no thing of the member's has as many offers")


def money(session: Session) -> int:
    """All balances with the fees of all sales: no call makes or destroys any."""
    db = session.database
    return sum(row.funds_cents for row in db.find(Member)) + sum(row.deducted_cents for row in db.find(Sale))


def is_sound(session: Session) -> bool:
    """Whether balances are never negative, and what is sold has just one sale."""
    db = session.database
    sales = [row.listing_id for row in db.find(Sale)]
    sold = {row.listing_id for row in db.find(Listing, state="sold")}
    return len(sales) == len(set(sales)) and set(sales) <= sold and all(r.funds_cents >= 0 for r in db.find(Member))


def test_the_rows_are_sound_and_every_rule_has_rows_on_both_sides_of_its_edge(session: Session) -> None:
    assert is_sound(session) and len(session.database.find(Member)) == 140 and len(OWNERS) == 24
    for now in (NOW, *CLOCKS):
        left = [row.ends_at - now for row in session.database.find(Listing, state="open", kind="auction")]
        for edge in (timedelta(hours=12), timedelta(hours=11, minutes=59)):
            assert left.count(edge) >= 3
    new = [row for row in session.database.find(Member, level="new") if row.member_id in OWNERS]
    counts = [len(session.database.find(Listing, seller_id=row.member_id, state="open")) for row in new]
    assert counts.count(4) >= 3 and counts.count(5) >= 3


@pytest.mark.parametrize(("cents", "more"), [(100, 50), (1_000, 50), (1_001, 51), (2_000, 100), (2_001, 101)])
def test_a_step_is_five_percent_rounded_up_and_fifty_cents_at_least(cents: int, more: int) -> None:
    assert step(cents) == more


def test_a_bid_rises_by_itself_and_is_never_what_is_paid(session: Session) -> None:
    row = next(
        row for row in foreign(session, "auction") if len(session.database.find(Bid, listing_id=row.listing_id)) > 1
    )
    seen = done(session, "get_listing", listing_id=row.listing_id)
    assert refused(session, "place_bid", listing_id=row.listing_id, max_cents=seen["next_bid_cents"] - 1) == "min_step"
    highest = max(bid.max_cents for bid in session.database.find(Bid, listing_id=row.listing_id))
    low = done(session, "place_bid", listing_id=row.listing_id, max_cents=seen["next_bid_cents"])
    if seen["next_bid_cents"] <= highest:
        assert low["standing"] == "outbid" and low["current_cents"] <= highest
    assert refused(session, "place_bid", listing_id=row.listing_id, max_cents=1_000_001) == "invalid_arguments"
    high = done(session, "place_bid", listing_id=row.listing_id, max_cents=highest + 50_000)
    assert high["standing"] == "leading" and high["current_cents"] == highest + step(highest)
    assert refused(session, "place_bid", listing_id=row.listing_id, max_cents=highest + 50_000) == "no_change"
    assert high["bids"] == seen["bids"] + 1


def test_the_first_bid_is_the_starting_price_and_of_equal_bids_the_earlier_leads(session: Session) -> None:
    row = next(row for row in foreign(session, "auction") if not session.database.find(Bid, listing_id=row.listing_id))
    assert refused(session, "place_bid", listing_id=row.listing_id, max_cents=row.price_cents - 1) == "min_step"
    bid = done(session, "place_bid", listing_id=row.listing_id, max_cents=row.price_cents)
    assert (bid["current_cents"], bid["standing"]) == (row.price_cents, "leading")
    other = next(row for row in foreign(session, "auction") if session.database.find(Bid, listing_id=row.listing_id))
    high = max(bid.max_cents for bid in session.database.find(Bid, listing_id=other.listing_id))
    if high >= done(session, "get_listing", listing_id=other.listing_id)["next_bid_cents"]:
        assert done(session, "place_bid", listing_id=other.listing_id, max_cents=high)["standing"] == "outbid"


def test_what_others_would_pay_is_never_shown(session: Session) -> None:
    for row in foreign(session, "auction")[:40]:
        seen = done(session, "get_listing", listing_id=row.listing_id)
        assert "max_cents" not in seen and "reserve_cents" not in seen and seen["my_max_cents"] is None
    assert "balance_cents" not in done(session, "get_member", member_id=OWNERS[3])


def test_one_deals_in_open_things_of_others_and_in_the_right_way(session: Session) -> None:
    auction, fixed = foreign(session, "auction")[0].listing_id, foreign(session, "fixed")[0].listing_id
    assert refused(session, "place_bid", listing_id=fixed, max_cents=90_000) == "wrong_state"
    assert refused(session, "make_offer", listing_id=auction, amount_cents=90_000) == "wrong_state"
    own, _ = own_fixed(session)
    assert refused(session, "buy_now", listing_id=own.listing_id) == "own_listing"
    assert refused(session, "make_offer", listing_id=own.listing_id, amount_cents=own.price_cents - 50) == "own_listing"
    assert refused(session, "end_listing", listing_id=fixed) == "not_allowed"


def test_a_purchase_is_paid_with_postage_and_the_seller_gets_it_less_the_fee() -> None:
    sides = set()
    for owner in OWNERS:
        session = session_of(owner)
        before, balance = money(session), me(session).funds_cents
        for row in foreign(session, "fixed"):
            cost = row.price_cents + row.postage_cents
            if cost - balance in (0, 1):
                sides.add(cost - balance)
                if cost > balance:
                    assert refused(session, "buy_now", listing_id=row.listing_id) == "covered"
                    continue
                seller = session.database.get(Member, row.seller_id)
                assert seller is not None
                sale = done(session, "buy_now", listing_id=row.listing_id)
                assert (
                    sale["balance_cents"] == 0 and sale["deducted_cents"] == row.price_cents * FEES[seller.level] // 100
                )
                after = session.database.get(Member, row.seller_id)
                assert after is not None and after.funds_cents == seller.funds_cents + cost - sale["deducted_cents"]
                assert refused(session, "buy_now", listing_id=row.listing_id) in ("covered", "wrong_state")
                break
        assert money(session) == before and is_sound(session)
    assert sides == {0, 1}


def test_an_offer_is_between_sixty_percent_and_the_price_and_one_at_a_time(session: Session) -> None:
    row = next(row for row in foreign(session, "fixed") if row.price_cents % 100 == 0)
    floor, key = row.price_cents * 60 // 100, row.listing_id
    assert refused(session, "make_offer", listing_id=key, amount_cents=floor - 1) == "offer_floor"
    assert refused(session, "make_offer", listing_id=key, amount_cents=row.price_cents) == "invalid_argument"
    made = done(session, "make_offer", listing_id=key, amount_cents=floor)
    assert made["expires_at"] <= (NOW + timedelta(hours=48)).isoformat(timespec="minutes")
    assert refused(session, "make_offer", listing_id=key, amount_cents=floor + 50) == "conflict"
    assert refused(session, "answer_offer", offer_id=made["offer_id"], answer="accept") == "not_allowed"


def test_an_offer_is_countered_once_and_then_it_is_the_buyers_turn(session: Session) -> None:
    row, offers = own_fixed(session)
    key, amount = offers[0].offer_id, offers[0].amount_cents
    assert refused(session, "answer_offer", offer_id=key, answer="counter") == "invalid_argument"
    assert (
        refused(session, "answer_offer", offer_id=key, answer="accept", counter_cents=amount + 50) == "invalid_argument"
    )
    assert refused(session, "answer_offer", offer_id=key, answer="counter", counter_cents=amount) == "invalid_argument"
    countered = done(session, "answer_offer", offer_id=key, answer="counter", counter_cents=row.price_cents - 1)
    assert countered["state"] == "countered"
    again = {"answer": "counter", "counter_cents": row.price_cents - 2}
    assert refused(session, "answer_offer", offer_id=key, **again) == "counter_once"
    assert refused(session, "answer_offer", offer_id=key, answer="accept") == "not_allowed"
    mine = next(offer for offer in session.database.mine(Offer) if offer.state == "countered" and offer.offer_id != key)
    assert refused(session, "answer_offer", offer_id=mine.offer_id, **again) == "counter_once"
    assert done(session, "answer_offer", offer_id=mine.offer_id, answer="decline")["state"] == "declined"
    assert refused(session, "answer_offer", offer_id=mine.offer_id, answer="accept") == "wrong_state"


def test_what_is_accepted_is_sold_and_the_others_are_declined() -> None:
    session = next(each for each in map(session_of, OWNERS) if _has_two(each))
    before, (row, offers) = money(session), own_fixed(session, 2)
    fee = offers[0].amount_cents * FEES[me(session).level] // 100
    had = me(session).funds_cents
    sale = done(session, "answer_offer", offer_id=offers[0].offer_id, answer="accept")["sale"]
    assert sale["balance_cents"] == had + offers[0].amount_cents + row.postage_cents - fee
    assert refused(session, "answer_offer", offer_id=offers[1].offer_id, answer="accept") == "wrong_state"
    found = session.database.get(Offer, offers[1].offer_id)
    assert found is not None and found.state == "declined"
    shown = done(session, "list_my_activity", role="selling", state="to_ship", text=row.title)["items"]
    assert sale["sale_id"] in [item["sale_id"] for item in shown]
    assert money(session) == before and is_sound(session)


def _has_two(session: Session) -> bool:
    try:
        return bool(own_fixed(session, 2))
    except AssertionError:
        return False


def test_a_buyer_without_money_and_an_offer_that_ran_out(session: Session) -> None:
    _, offers = own_fixed(session)
    buyer = session.database.get(Member, offers[0].buyer_id)
    assert buyer is not None
    session.database.begin(writable="all")
    session.database.update(buyer, funds_cents=0)
    key = offers[0].offer_id
    assert refused(session, "answer_offer", offer_id=key, answer="accept") == "insufficient_funds"
    late = session_of(now=offers[0].expires_at)
    assert refused(late, "answer_offer", offer_id=key, answer="decline") == "expired"


def test_a_member_has_five_open_listings_while_new() -> None:
    given = {"title": "Old teapot", "category": "kitchen", "quality": "used", "kind": "fixed", "price_cents": 2_000}
    text = {"days": 7, "description": "A chip in the lid."}
    answers = {}
    for owner in OWNERS:
        session = session_of(owner)
        shown = done(session, "get_my_account")
        result = session.call("create_listing", given | text)
        answers[shown["level"], min(shown["open_listings"], 5)] = result.error.code if result.error else "done"
    assert answers["new", 4] == "done" and answers["new", 5] == "new_limit"
    assert answers["regular", 5] == answers["trusted", 5] == "done"


def test_an_auction_with_bids_cannot_be_ended_in_its_last_twelve_hours() -> None:
    answers: dict[tuple[bool, bool], set[str]] = {}
    for owner in OWNERS:
        session = session_of(owner)
        for row in session.database.find(Listing, seller_id=str(owner), state="open", kind="auction"):
            bids = bool(session.database.find(Bid, listing_id=row.listing_id))
            error = session.call("end_listing", {"listing_id": row.listing_id}).error
            late = row.ends_at - NOW < timedelta(hours=12)
            answers.setdefault((bids, late), set()).add(error.code if error else "done")
    assert answers[True, True] == {"last_hours"} and answers[True, False] == answers[False, True] == {"done"}


def test_what_is_ended_is_gone_with_its_offers_and_can_be_listed_again(session: Session) -> None:
    row, offers = own_fixed(session)
    assert done(session, "end_listing", listing_id=row.listing_id)["state"] == "ended"
    assert refused(session, "end_listing", listing_id=row.listing_id) == "wrong_state"
    assert refused(session, "answer_offer", offer_id=offers[0].offer_id, answer="accept") == "wrong_state"
    assert not done(session, "search_listings", text=row.title, seller_id=row.seller_id)["items"]
    unsold = done(session, "list_my_activity", role="selling", state="unsold", text=row.title)["items"]
    assert row.listing_id in [item["listing_id"] for item in unsold]
    given = {name: getattr(row, name) for name in ("title", "category", "quality", "kind", "description")}
    again = done(session, "create_listing", price_cents=row.price_cents - 500, days=3, **given)
    assert again["ends_at"] == "2026-03-16T16:20" and again["listing_id"] != row.listing_id


def test_a_sale_is_shipped_once_by_its_seller_and_done_when_the_buyer_has_rated_it(session: Session) -> None:
    sales = session.database.mine(Sale)
    own = next(row for row in sales if row.seller_id == me(session).member_id and row.state == "to_ship")
    parcel = {"carrier": "Parcelo", "tracking": "PX 4410 2"}
    assert done(session, "mark_shipped", sale_id=own.sale_id, **parcel)["state"] == "shipped"
    assert refused(session, "mark_shipped", sale_id=own.sale_id, **parcel) == "wrong_state"
    bought = next(row for row in sales if row.buyer_id == me(session).member_id and row.state == "shipped")
    assert refused(session, "mark_shipped", sale_id=bought.sale_id, **parcel) == "not_allowed"
    seller = done(session, "get_member", member_id=bought.seller_id)
    done(session, "leave_feedback", sale_id=bought.sale_id, mark="negative", comment="Late.")
    assert refused(session, "leave_feedback", sale_id=bought.sale_id, mark="positive", comment="No.") == "conflict"
    after = done(session, "get_member", member_id=bought.seller_id)
    assert after["rating"] <= seller["rating"] and after["last_marks"][0] == {"mark": "negative", "comment": "Late."}
    closed = done(session, "list_my_activity", role="buying", state="done")["items"]
    assert bought.sale_id in [item["sale_id"] for item in closed]


def test_a_member_sees_no_closed_listings_offers_or_sales_of_others(session: Session) -> None:
    db = session.database
    closed = next(row for row in db.find(Listing, state="unsold") if row.seller_id != me(session).member_id)
    assert refused(session, "get_listing", listing_id=closed.listing_id) == "not_found"
    sale = next(row for row in db.find(Sale) if me(session).member_id not in (row.seller_id, row.buyer_id))
    assert refused(session, "leave_feedback", sale_id=sale.sale_id, mark="positive", comment="x") == "not_found"
    shown = {row.offer_id for row in db.mine(Offer)}
    offer = next(row for row in db.find(Offer) if row.offer_id not in shown)
    assert refused(session, "answer_offer", offer_id=offer.offer_id, answer="decline") == "not_found"


def test_a_search_filters_pages_and_ends_before_its_moment(session: Session) -> None:
    first = done(session, "search_listings", kind="auction")
    assert first["total"] > 20 and len(first["items"]) == 10
    ends = [item["ends_at"] for item in first["items"]]
    assert ends == sorted(ends)
    before = done(session, "search_listings", kind="auction", ends_before=ends[3])["items"]
    assert [item["ends_at"] for item in before] == [end for end in ends if end < ends[3]]
    cheap = done(session, "search_listings", max_cents=3_000)["items"]
    assert all(item["current_cents"] <= 3_000 for item in cheap)
    assert done(session, "search_listings", page=99)["items"] == []
    bottom = min(item["current_cents"] for item in cheap)
    inclusive = done(session, "search_listings", max_cents=bottom)["items"]
    assert bottom in [item["current_cents"] for item in inclusive]


def test_random_calls_keep_the_money_together(session: Session) -> None:
    rng, db, before = Random(4), session.database, money(session)
    offers, sales = db.mine(Offer), db.mine(Sale)
    for _ in range(150):
        row, offer, sale = rng.choice(db.mine(Listing)), rng.choice(offers), rng.choice(sales)
        near = max(100, row.price_cents * rng.randrange(50, 200) // 100)
        calls: list[tuple[str, dict[str, Any]]] = [
            ("place_bid", {"listing_id": row.listing_id, "max_cents": near}),
            ("buy_now", {"listing_id": row.listing_id}),
            ("make_offer", {"listing_id": row.listing_id, "amount_cents": near}),
            ("answer_offer", {"offer_id": offer.offer_id, "answer": rng.choice(("accept", "decline"))}),
            ("end_listing", {"listing_id": row.listing_id}),
            ("mark_shipped", {"sale_id": sale.sale_id, "carrier": "Parcelo", "tracking": "PX1"}),
            ("leave_feedback", {"sale_id": sale.sale_id, "mark": "neutral", "comment": "Fine."}),
        ]
        session.call(*rng.choice(calls))
    assert len(session.diff()) > 20
    assert money(session) == before and is_sound(session)


@pytest.mark.slow
def test_tasks_right_calls_leave_the_marketplace_sound() -> None:
    for task in Generator(get_domain("marketplace"), seed=2).tasks(25):
        session = Session("marketplace", task=task)
        before = money(session)
        for call in task.gold:
            assert session.call(call.name, call.arguments).ok, task.id
        assert money(session) == before and is_sound(session), task.id
