"""What members want to know of the marketplace."""

from datetime import date
from typing import Any

from toolgym.domains.marketplace.goals.draws import is_foreign, is_open, looked_at
from toolgym.domains.marketplace.schema import Listing, Member, Sale
from toolgym.domains.marketplace.tools import get_listing, get_member, get_my_account, list_my_activity
from toolgym.sandbox.kit.goal import Calls, Draw, Goal, Slot, Tell


def _outbid(result: Any) -> list[str] | None:
    found = [row["title"] for row in result["items"] if row["standing"] == "outbid"]
    return found if result["pages"] == 1 and found else None


def _titles(result: Any) -> list[str] | None:
    return [row["title"] for row in result["items"]] if 0 < result["total"] <= 5 else None


def _recent(draw: Draw) -> list[Sale]:
    """The member's sales of the days that are asked for, where they are few."""
    me: Member = draw.person
    found = [row for row in draw.rows(Sale) if row.seller_id == me.member_id]
    found = [row for row in found if row.paid_at.date() >= draw.values["since"]]
    return found if 1 < len(found) < 5 else []


def _earned(result: Any, draw: Draw) -> int | None:
    return sum(row.amount_cents - row.deducted_cents for row in _recent(draw)) or None


def _each_sale(draw: Draw) -> Calls:
    asked = {"role": "selling", "state": "sold", "since": draw.values["since"]}
    each = [(get_listing, {"listing": draw.database.get_one(Listing, row.listing_id)}) for row in _recent(draw)]
    return [(list_my_activity, asked), *each]


def _first_day(draw: Draw) -> date | None:
    rows = [row.paid_at.date() for row in draw.rows(Sale)]
    return draw.one_of(rows)


def _seller(draw: Draw) -> Member:
    return draw.database.get_one(Member, draw.values["listing"].seller_id)


def _others(draw: Draw) -> Listing | None:
    rows = [row for row in draw.rows(Listing) if is_foreign(draw.view(row), draw)]
    return draw.one_of(rows)


QUESTIONS = (
    Goal(
        list_my_activity,
        name="ask_outbid",
        fixed={"role": "buying", "state": "open"},
        tells=(Tell("items", kind="text", value=_outbid),),
        share=0.7,
    ),
    Goal(
        list_my_activity,
        name="ask_to_ship",
        fixed={"role": "selling", "state": "to_ship"},
        tells=(Tell("items", kind="text", value=_titles),),
        share=0.5,
    ),
    Goal(
        list_my_activity,
        name="ask_earned",
        fixed={"role": "selling", "state": "sold"},
        slots=(Slot("since", draw=_first_day, reads=_each_sale),),
        tells=(Tell("earned", kind="money", value=_earned),),
        share=0.8,
    ),
    Goal(
        get_listing,
        name="ask_bidding",
        slots=(Slot("listing", where=is_open("auction")),),
        tells=(Tell("current_cents"),),
        share=1.3,
    ),
    Goal(
        get_listing,
        name="ask_next_bid",
        slots=(Slot("listing", where=is_open("auction")),),
        tells=(Tell("next_bid_cents", near=("bid", "least", "minimum")),),
        share=1.2,
    ),
    Goal(
        get_listing,
        name="ask_end",
        slots=(Slot("listing", where=lambda listing: listing.row.state == "open"),),
        tells=(Tell("ends_at"),),
        share=1.2,
    ),
    Goal(
        get_listing,
        name="ask_postage",
        slots=(Slot("listing", where=lambda listing: listing.row.state == "open"),),
        tells=(Tell("postage_cents", near=("postage", "shipping", "ship", "sending", "delivery")),),
        share=1.0,
    ),
    Goal(
        get_member,
        name="ask_rating",
        about=(Slot("listing", of=Listing, draw=_others, reads=looked_at),),
        worked_out={"member": _seller},
        tells=(Tell("rating", kind="number", near=("percent", "%", "rating", "rated")),),
        share=1.3,
    ),
    Goal(get_my_account, name="ask_balance", tells=(Tell("balance_cents"),), share=0.3),
)
