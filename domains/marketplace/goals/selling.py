"""What members want done with what they have for sale."""

from toolgym.domains.marketplace import tools
from toolgym.domains.marketplace.goals import draws
from toolgym.domains.marketplace.schema import Listing
from toolgym.domains.marketplace.seed import BRANDS, KINDS
from toolgym.sandbox.kit.goal import Calls, Draw, Goal, Slot, Tell

_FLAWS = ("small scratch", "small stain", "worn edge", "visible mark", "small crack", "faded corner", "repaired spot")
_QUALITIES = {"good": "in good shape", "used": "well used", "parts": "for parts only"}


def _asking(draw: Draw) -> int:
    """About what such a thing costs."""
    dollars = KINDS[draw.values["title"].split(" ", 1)[1]][1]
    return max(5, dollars * draw.rng.choice((40, 60, 80, 100, 120)) // 500 * 5) * 100


def _category(draw: Draw) -> str:
    return KINDS[draw.values["title"].split(" ", 1)[1]][0]


def _cheaper(draw: Draw) -> int | None:
    price = draw.values["listing"].price_cents - draw.values["cut_cents"]
    return price if price >= 500 else None


def _listed_again(draw: Draw) -> Calls:
    row, price = draw.values["listing"], _cheaper(draw)
    same = {name: getattr(row, name) for name in ("title", "category", "quality", "kind")}
    values = {"price_cents": price, "days": draw.values["days"], "description": draw.values["description"]}
    return [(tools.create_listing, same | values)] if price else []


LISTING = Slot("listing", says=draws.I_MEAN, where=draws.is_mine)
DESCRIPTION = Slot("description", mentions=("listing.description",))
_FOR_SALE = (
    Slot("title", draw=[f"{brand} {noun}" for brand in BRANDS for noun in KINDS]),
    Slot("category", draw=_category),
    Slot("quality", withheld=0.6, words=_QUALITIES, says=("It is {}.",)),
    Slot("price_cents", draw=_asking),
    draws.DAYS,
    Slot("description", mentions=("flaw",)),
)
_FLAW = Slot("flaw", draw=_FLAWS, say=lambda flaw: f"a {flaw}")

SELLING = (
    Goal(
        tools.create_listing,
        name="sell",
        fixed={"kind": "fixed"},
        slots=_FOR_SALE,
        about=(_FLAW,),
        tells=(Tell("ends_at"),),
        share=1.3,
    ),
    Goal(
        tools.create_listing,
        name="auction",
        fixed={"kind": "auction"},
        slots=_FOR_SALE,
        about=(_FLAW,),
        tells=(Tell("ends_at"),),
        share=0.8,
    ),
    Goal(
        tools.create_listing,
        name="list_again",
        slots=(draws.DAYS, DESCRIPTION),
        about=(
            Slot(
                "listing",
                of=Listing,
                says=draws.I_MEAN,
                where=lambda listing: listing.row.state == "unsold",
                reads=draws.looked_at,
            ),
            Slot("cut_cents", draw=(500, 1_000, 2_000)),
        ),
        worked_out={
            "title": lambda draw: draw.values["listing"].title,
            "category": lambda draw: draw.values["listing"].category,
            "quality": lambda draw: draw.values["listing"].quality,
            "kind": lambda draw: draw.values["listing"].kind,
            "price_cents": _cheaper,
        },
        tells=(Tell("price_cents", near=("price", "for", "at", "start", "starts")), Tell("ends_at")),
        share=0.8,
    ),
    Goal(
        tools.end_listing,
        name="reprice",
        slots=(Slot("listing", says=draws.I_MEAN, where=draws.is_mine, reads=draws.looked_at), DESCRIPTION),
        about=(Slot("cut_cents", draw=(500, 1_000, 2_000)), draws.DAYS),
        also=_listed_again,
        where=lambda listing, cut_cents: listing.row.price_cents - cut_cents >= 500,
        tells=(Tell("price_cents", by=tools.create_listing, near=("price", "for", "at", "start", "starts")),),
    ),
    Goal(tools.end_listing, name="take_down", slots=(LISTING,), tells=(Tell("state", kind="text"),)),
)
