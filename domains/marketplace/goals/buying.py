"""What members want to buy: by a bid, at once, by an offer."""

from toolgym.domains.marketplace import tools
from toolgym.domains.marketplace.goals.draws import I_MEAN, NO_MESSAGE, countered_on, is_open, looked_at
from toolgym.domains.marketplace.rules import contact_inside
from toolgym.domains.marketplace.schema import Bid, Listing, Member, Offer
from toolgym.domains.marketplace.seed import KINDS
from toolgym.sandbox.kit.goal import Calls, Draw, Goal, Slot, Tell


def _maximum(draw: Draw) -> int:
    """A round sum above the next bid, now and then below it."""
    least: int = draw.view(draw.values["listing"]).next_bid_cents
    return max(500, (least // 500 + draw.rng.choice((0, 1, 1, 2, 3, 5, 8))) * 500)


def _below_price(draw: Draw) -> int:
    """A round sum between half and nearly all of the price."""
    price: int = draw.values["listing"].price_cents
    return max(500, price * draw.rng.choice((50, 58, 62, 70, 75, 80, 85, 90)) // 50_000 * 500)


def _less(draw: Draw) -> int:
    return int(draw.values["listing"].price_cents * (100 - draw.values["percent"]) // 100)


def _affordable(draw: Draw) -> Listing | None:
    """A thing at a fixed price; half of the time one that the balance covers."""
    me: Member = draw.person
    rows = [row for row in draw.rows(Listing) if row.kind == "fixed" and row.state == "open"]
    near = [row for row in rows if abs(row.price_cents + row.postage_cents - me.funds_cents) <= 1]
    if near and draw.rng.random() < 0.3:
        return draw.rng.choice(near)
    return draw.one_of([row for row in rows if row.price_cents + row.postage_cents <= me.funds_cents] or rows)


def _found(draw: Draw) -> list[Listing]:
    """The things of a sort at a fixed price, the cheapest first."""
    given = {"text": draw.values["sort"], "kind": "fixed"}
    rows = tools.search_listings.function(draw.database, **given).rows
    return sorted(rows, key=lambda row: row.price_cents)


def _trusted(draw: Draw) -> Listing | None:
    """The cheapest from a seller with so many percent, where just one is the cheapest."""
    rows = [row for row in _found(draw) if _rating(draw, row) >= draw.values["percent"]]
    alone = len(rows) > 1 and rows[0].price_cents < rows[1].price_cents
    return rows[0] if alone else None


def _rating(draw: Draw, row: Listing) -> int:
    seller = draw.database.get(Member, row.seller_id)
    return int(draw.view(seller).rating)


def _compared(draw: Draw) -> Calls:
    """The search, and every seller up to the one whose thing is bought."""
    chosen = _trusted(draw)
    calls: Calls = [(tools.search_listings, {"text": draw.values["sort"], "kind": "fixed"})]
    for row in _found(draw) if chosen else ():
        seller = draw.database.get(Member, row.seller_id)
        calls += [(tools.get_listing, {"listing": row}), (tools.get_member, {"member": seller})]
        if row == chosen:
            break
    return calls


def _lost(draw: Draw) -> Listing | None:
    """An auction that the member has lost, whose seller has another one."""
    me: Member = draw.person
    rows = [row for row in draw.rows(Listing) if row.kind == "auction" and row.state == "sold"]
    rows = [row for row in rows if draw.database.find(Bid, listing_id=row.listing_id, member_id=me.member_id)]
    return draw.one_of([row for row in rows if _next_of(draw, row)])


def _next_of(draw: Draw, lost: Listing) -> Listing | None:
    """The auction of the same seller that ends first."""
    seller = draw.database.get(Member, lost.seller_id)
    found = tools.search_listings.function(draw.database, kind="auction", seller=seller).rows
    return found[0] if found else None


def _same_again(draw: Draw) -> int:
    me: Member = draw.person
    return draw.database.find(Bid, listing_id=draw.values["lost"].listing_id, member_id=me.member_id)[0].max_cents


def _second_look(draw: Draw) -> Calls:
    lost = draw.values["lost"]
    seller = draw.database.get(Member, lost.seller_id)
    return [
        (tools.get_listing, {"listing": lost}),
        (tools.get_member, {"member": seller}),
        (tools.search_listings, {"kind": "auction", "seller": seller}),
        (tools.get_listing, {"listing": _next_of(draw, lost)}),
    ]


def _countered(draw: Draw) -> Listing | None:
    """What the member has offered for and got a counter-offer."""
    rows = [row for row in draw.rows(Offer) if row.state == "countered" and draw.view(row).side == "buyer"]
    return draw.one_of([draw.database.get_one(Listing, row.listing_id) for row in rows])


MAXIMUM = Slot("max_cents", withheld=0.9, draw=_maximum, says=("Up to {}.", "{} at most."))
STANDING = Tell("standing", kind="text")

BUYING = (
    Goal(
        tools.place_bid,
        name="bid",
        slots=(Slot("listing", says=I_MEAN, where=is_open("auction")), MAXIMUM),
        tells=(STANDING,),
        share=2.0,
    ),
    Goal(
        tools.place_bid,
        name="bid_higher",
        slots=(Slot("listing", says=I_MEAN, where=lambda listing: listing.row.standing == "outbid"), MAXIMUM),
        tells=(STANDING,),
    ),
    Goal(
        tools.place_bid,
        name="second_try",
        slots=(Slot("lost", of=Listing, draw=_lost, says=I_MEAN, reads=_second_look),),
        worked_out={"listing": lambda draw: _next_of(draw, draw.values["lost"]), "max_cents": _same_again},
        tells=(STANDING,),
    ),
    Goal(
        tools.buy_now,
        name="buy",
        slots=(Slot("listing", draw=_affordable, says=I_MEAN),),
        tells=(Tell("balance_cents", near=("balance", "left", "remain", "remains")),),
        share=1.5,
    ),
    Goal(
        tools.buy_now,
        name="buy_trusted",
        about=(Slot("sort", draw=sorted(KINDS)), Slot("percent", draw=(95, 97, 98, 99), reads=_compared)),
        worked_out={"listing": _trusted},
        tells=(Tell("amount_cents", near=("price", "cost", "costs", "for", "paid")),),
        share=1.5,
    ),
    Goal(
        tools.make_offer,
        name="offer",
        slots=(
            Slot("listing", says=I_MEAN, where=is_open("fixed")),
            Slot("amount_cents", withheld=0.9, draw=_below_price, says=("{}.", "I offer {}.")),
            NO_MESSAGE,
        ),
        tells=(Tell("expires_at"),),
        share=1.3,
    ),
    Goal(
        tools.make_offer,
        name="offer_less",
        slots=(Slot("listing", says=I_MEAN, where=is_open("fixed"), reads=looked_at), NO_MESSAGE),
        about=(Slot("percent", withheld=0.8, draw=(5, 10, 15, 20, 25, 30), says=("{} percent.", "{} percent less.")),),
        worked_out={"amount_cents": _less},
        where=lambda listing, percent: listing.row.price_cents * percent % 10_000 == 0,
        tells=(Tell("amount_cents", near=("offer", "offered", "for", "of")), Tell("expires_at")),
    ),
    Goal(
        tools.make_offer,
        name="offer_with_phone",
        against=contact_inside,
        fixed={"message": "Call me at 555-0142, I pay cash."},
        slots=(Slot("listing", says=I_MEAN, where=is_open("fixed")), Slot("amount_cents", draw=_below_price)),
        share=0.4,
    ),
    Goal(
        tools.answer_offer,
        name="accept_counter",
        fixed={"answer": "accept"},
        about=(
            Slot(
                "thing",
                of=Listing,
                draw=_countered,
                says=I_MEAN,
                reads=lambda draw: [(tools.get_listing, {"listing": draw.values["thing"]})],
            ),
        ),
        worked_out={"offer": lambda draw: countered_on(draw, draw.values["thing"])},
        tells=(Tell("sale.amount_cents", kind="money", near=("price", "for", "paid", "bought")),),
        share=0.8,
    ),
)
