"""What several goals draw, and what is looked up for it."""

from collections.abc import Callable
from typing import TypeVar

from toolgym.domains.marketplace.schema import Listing, Member, Offer
from toolgym.domains.marketplace.tools import get_listing
from toolgym.sandbox.kit.world import Calls, Draw, Slot, View

Row = TypeVar("Row")
I_MEAN = ("I mean {}.", "It is {}.")
HOW_LONG = {"3": "three days", "7": "a week", "10": "ten days"}
DAYS = Slot("days", withheld=0.8, draw=(3, 7, 7, 10), words=HOW_LONG, says=("For {}.", "{}."))
NO_MESSAGE = Slot("message", given=0.0)
Shown = View[Listing]


def is_open(kind: str) -> Callable[[Shown], bool]:
    """Whether something is for sale in this way."""
    return lambda listing: listing.row.state == "open" and listing.row.kind == kind


def is_mine(listing: Shown) -> bool:
    """Whether the member sells it now."""
    return listing.row.role == "selling"


def is_foreign(listing: Shown, draw: Draw) -> bool:
    """Whether somebody else sells it now."""
    me: Member = draw.person
    return listing.row.state == "open" and listing.row.seller_id != me.member_id


def looked_at(draw: Draw) -> Calls:
    """The thing in full."""
    return [(get_listing, {"listing": draw.values["listing"]})]


def offers_for(draw: Draw, listing: Listing) -> list[Offer]:
    """The open offers for a thing, the best first; none where two are equal."""
    found = draw.database.find(Offer, listing_id=listing.listing_id, state="open")
    found = sorted(found, key=lambda row: -row.amount_cents)
    return found if len({row.amount_cents for row in found}) == len(found) else []


def countered_on(draw: Draw, listing: Listing) -> Offer | None:
    """The member's own offer on a thing to which the seller has made a counter-offer."""
    rows = draw.database.mine(Offer, listing_id=listing.listing_id, state="countered")
    return rows[0] if len(rows) == 1 else None
