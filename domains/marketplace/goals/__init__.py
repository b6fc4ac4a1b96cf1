"""What members want of the marketplace, and how they speak of what is in it."""

from toolgym.domains.marketplace.goals.answering import OFFERS
from toolgym.domains.marketplace.goals.buying import BUYING
from toolgym.domains.marketplace.goals.questions import QUESTIONS
from toolgym.domains.marketplace.goals.sales import SALES
from toolgym.domains.marketplace.goals.selling import SELLING
from toolgym.domains.marketplace.schema import Listing, Offer, Sale
from toolgym.domains.marketplace.tools import get_listing, list_my_activity
from toolgym.sandbox.kit.goal import Condition, Thing

THINGS = (
    Thing(Listing, has_known_key=False),
    Thing(
        Offer,
        where=lambda offer: offer.row.state in ("open", "countered"),
        found_by=(list_my_activity, get_listing),
        has_known_key=False,
    ),
    Thing(Sale, found_by=(list_my_activity,), has_known_key=False),
)
CONDITIONS = (
    Condition(
        Listing,
        "bids",
        "if {value} or more people have bid on {it}",
        get_listing,
        more="has more bidders",
        less="has fewer bidders",
    ),
)
GOALS = (*BUYING, *SELLING, *OFFERS, *SALES, *QUESTIONS)
