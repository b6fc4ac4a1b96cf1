"""The marketplace's rules: each a sentence of the policy, the words of a refusal and a predicate."""

import re
from datetime import datetime, timedelta
from typing import Any, Literal

from toolgym.domains.marketplace import tools
from toolgym.domains.marketplace.schema import Listing, Member, Offer, Sale
from toolgym.sandbox.kit.world import ToolCall, View, rule

FLOOR_PERCENT, NEW_LIMIT = 60, 5
LAST_HOURS = timedelta(hours=12)
_OUTSIDE = re.compile(r"\d{3}[ -]?\d{4}|\S+@\S+|\b(?:cash|wire|bank transfer|paypal|venmo)\b", re.IGNORECASE)
_ACCOUNT = ToolCall(name="get_my_account", arguments={})


@rule(
    "A bid is at least 5 percent, and 50 cents, above the highest one; the first one is at least the starting price.",
    why="That is below the least that the next bid has to be.|next bid|at least|too low|minimum|higher|below",
    on=[tools.place_bid],
    reads=[tools.get_listing],
)
def min_step(listing: View[Listing], max_cents: int) -> bool:
    return listing.row.next_bid_cents is None or max_cents >= listing.row.next_bid_cents


@rule(
    "Nobody bids on, buys or makes an offer for a thing of their own.",
    why="This is your own listing.|your own|yourself|you are selling|your listing",
    on=[tools.place_bid, tools.buy_now, tools.make_offer],
    reads=[tools.get_listing, tools.get_my_account],
)
def own_listing(listing: View[Listing], owner: View[Member]) -> bool:
    return listing.row.seller_id != owner.row.member_id


@rule(
    "An offer is at least 60 percent of the price.",
    why="That is lower than this seller accepts.|too low|60 percent|60 %|sixty percent|lower than|at least",
    on=[tools.make_offer],
    reads=[tools.get_listing],
)
def offer_floor(listing: View[Listing], amount_cents: int) -> bool:
    return 100 * amount_cents >= FLOOR_PERCENT * listing.row.price_cents


@rule(
    "An auction that somebody has bid on cannot be ended in its last 12 hours.",
    why="It has bids and can no longer be ended.|last 12 hours|twelve hours|12 hours|no longer|bids",
    on=[tools.end_listing],
    reads=[tools.get_listing],
)
def last_hours(listing: View[Listing], now: datetime) -> bool:
    return listing.row.kind == "fixed" or not listing.row.bids or listing.row.ends_at - now >= LAST_HOURS


@rule(
    "There is one counter-offer for an offer; the answer to it is to accept or to decline.",
    why="A counter-offer has been made already.|already|one counter|counter-offer|once",
    on=[tools.answer_offer],
    reads=[tools.get_listing],
)
def counter_once(offer: View[Offer], answer: Literal["accept", "decline", "counter"]) -> bool:
    return answer != "counter" or offer.row.counter_cents is None


@rule(
    "Members of the level new have at most five open listings.",
    why="New members have no more than five open listings.|five|5 open|new member|limit",
    on=[tools.create_listing],
    reads=[tools.get_my_account],
)
def new_limit(owner: View[Member]) -> bool:
    return owner.row.level != "new" or owner.row.open_listings < NEW_LIMIT


@rule(
    "What is bought is paid with its postage from the balance, which has to cover it.",
    why="Your balance does not cover the price with the postage.|balance|not enough|cover|afford|short",
    on=[tools.buy_now, tools.answer_offer],
    reads=[tools.get_listing, tools.get_my_account],
    looks={"account": lambda: _ACCOUNT},
)
def covered(
    account: dict[str, Any],
    listing: View[Listing] | None = None,
    offer: View[Offer] | None = None,
    answer: Literal["accept", "decline", "counter"] = "accept",
) -> bool:
    if offer is not None:
        is_paying = answer == "accept" and offer.row.side == "buyer"
        return not is_paying or offer.row.price_cents <= int(account["balance_cents"])
    assert listing is not None
    return listing.row.price_cents + listing.row.postage_cents <= int(account["balance_cents"])


@rule(
    "No phone number, mail address or payment outside the marketplace is named in messages or descriptions.",
    why="Contact and payment stay inside the marketplace.|outside|phone|mail address|cash|contact|inside",
    on=[tools.make_offer, tools.answer_offer, tools.create_listing],
    by="policy",
)
def contact_inside(message: str = "", description: str = "") -> bool:
    return not _OUTSIDE.search(f"{message} {description}")


@rule(
    "Feedback is left only after a thing was shipped.",
    why="It has not been shipped yet, so it is too early for feedback.|not been shipped|not shipped|too early|shipped",
    on=[tools.leave_feedback],
    reads=[tools.list_my_activity],
    by="policy",
)
def feedback_fair(sale: View[Sale]) -> bool:
    return sale.row.state in ("shipped", "done")
