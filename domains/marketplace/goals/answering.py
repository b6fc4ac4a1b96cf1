"""What members want done with offers for what they have for sale."""

from typing import Any

from toolgym.domains.marketplace import tools
from toolgym.domains.marketplace.goals import draws
from toolgym.domains.marketplace.schema import Listing, Member, Offer
from toolgym.domains.marketplace.seed import KINDS
from toolgym.sandbox.kit.goal import Calls, Draw, Goal, Slot, Tell


def _with_offers(draw: Draw) -> Listing | None:
    """A thing of the member's own with two or three offers of which one is the best."""
    rows = [row for row in draw.rows(Listing) if draws.is_mine(draw.view(row))]
    return draw.one_of([row for row in rows if len(draws.offers_for(draw, row)) > 1])


def _best(draw: Draw) -> Offer | None:
    return next(iter(draws.offers_for(draw, draw.values["thing"])), None)


def _others_declined(draw: Draw) -> Calls:
    if draw.database.version >= tools.CLOSED_SINCE:
        return []  # the sale declines them
    return [
        (tools.answer_offer, {"offer": row, "answer": "decline"})
        for row in draws.offers_for(draw, draw.values["thing"])[1:]
    ]


def _seen(draw: Draw) -> Calls:
    return [(tools.get_listing, {"listing": draw.values["thing"]})]


def _between(draw: Draw) -> int | None:
    """A round sum between an offer and the price."""
    offer = draw.values["offer"]
    price = draw.database.get(Listing, offer.listing_id)
    highest = 0 if price is None else price.price_cents
    rounds = [cents for cents in range(500, highest, 500) if cents > offer.amount_cents]
    return draw.one_of(rounds)


def _is_answered_by_seller(offer: Any) -> bool:
    return bool(offer.row.side == "seller" and offer.row.state == "open")


def _new_one(draw: Draw) -> Listing | None:
    """The cheapest thing of a sort at a fixed price that the member can pay only once the own one is sold."""
    me, offers = draw.person, draws.offers_for(draw, draw.values["thing"])
    given = {"text": draw.values["sort"], "kind": "fixed"}
    rows = sorted(tools.search_listings.function(draw.database, **given).rows, key=lambda row: row.price_cents)
    rows = [row for row in rows if row.seller_id != me.member_id]
    if len(rows) < 2 or not offers or rows[0].price_cents == rows[1].price_cents:
        return None
    cost = rows[0].price_cents + rows[0].postage_cents
    return rows[0] if me.funds_cents < cost <= me.funds_cents + offers[0].amount_cents * 88 // 100 else None


def _looked_for(draw: Draw) -> Calls:
    given, new = {"text": draw.values["sort"], "kind": "fixed"}, _new_one(draw)
    if new is None:
        return []
    seller = draw.database.get_one(Member, new.seller_id)
    return [
        (tools.search_listings, given),
        (tools.get_listing, {"listing": new}),
        (tools.get_member, {"member": seller}),
    ]


_HAVE = ("balance", "account", "have")
BALANCE = Tell("sale.balance_cents", kind="money", near=_HAVE)
OFFER = Slot("offer", says=draws.I_MEAN, where=_is_answered_by_seller)
THING = Slot("thing", of=Listing, draw=_with_offers, says=draws.I_MEAN, reads=_seen)

OFFERS = (
    Goal(
        tools.answer_offer,
        name="accept",
        fixed={"answer": "accept"},
        slots=(OFFER, draws.NO_MESSAGE),
        where=lambda counter_cents: counter_cents is None,
        tells=(BALANCE,),
    ),
    Goal(
        tools.answer_offer,
        name="accept_best",
        fixed={"answer": "accept"},
        about=(THING,),
        worked_out={"offer": _best},
        also=_others_declined,
        tells=(Tell("balance_cents", by=tools.get_my_account, near=_HAVE),),
        share=1.3,
    ),
    Goal(
        tools.answer_offer,
        name="decline",
        fixed={"answer": "decline"},
        slots=(OFFER, draws.NO_MESSAGE),
        where=lambda counter_cents: counter_cents is None,
        tells=(Tell("state", kind="text"),),
        share=0.7,
    ),
    Goal(
        tools.answer_offer,
        name="counter",
        fixed={"answer": "counter"},
        slots=(
            Slot("offer", says=draws.I_MEAN),
            Slot("counter_cents", withheld=0.8, draw=_between, says=("{}.", "I want {}.")),
            draws.NO_MESSAGE,
        ),
        tells=(Tell("state", kind="text"),),
    ),
    Goal(
        tools.answer_offer,
        name="trade_up",
        fixed={"answer": "accept"},
        about=(THING, Slot("sort", draw=sorted(KINDS), reads=_looked_for)),
        worked_out={"offer": lambda draw: _best(draw) if _new_one(draw) else None},
        also=lambda draw: [(tools.buy_now, {"listing": _new_one(draw)})],
        tells=(Tell("balance_cents", by=tools.buy_now, near=("balance", "left", "remain", "remains")),),
    ),
)
