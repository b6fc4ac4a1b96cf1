"""What members want to buy: by a bid, at once, by an offer."""

from __future__ import annotations

from toolgym.domains.marketplace.goals.draws import I_MEAN, NO_MESSAGE, Calls, countered_on, is_open, looked_at, one_of
from toolgym.domains.marketplace.rules import contact_inside
from toolgym.domains.marketplace.schema import Bid, Listing, Member, Offer
from toolgym.domains.marketplace.seed import KINDS
from toolgym.domains.marketplace.tools import (
    answer_offer,
    buy_now,
    get_listing,
    get_member,
    make_offer,
    place_bid,
    search_listings,
)
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell


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
    return one_of(draw, [row for row in rows if row.price_cents + row.postage_cents <= me.funds_cents] or rows)


def _found(draw: Draw) -> list[Listing]:
    """The things of a sort at a fixed price, the cheapest first."""
    given = {"text": draw.values["sort"], "kind": "fixed"}
    rows = search_listings.function(draw.database, **given).rows
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
    calls: Calls = [(search_listings, {"text": draw.values["sort"], "kind": "fixed"})]
    for row in _found(draw) if chosen else ():
        seller = draw.database.get(Member, row.seller_id)
        calls += [(get_listing, {"listing": row}), (get_member, {"member": seller})]
        if row == chosen:
            break
    return calls


def _lost(draw: Draw) -> Listing | None:
    """An auction that the member has lost, whose seller has another one."""
    me: Member = draw.person
    rows = [row for row in draw.rows(Listing) if row.kind == "auction" and row.state == "sold"]
    rows = [row for row in rows if draw.database.find(Bid, listing_id=row.listing_id, member_id=me.member_id)]
    return one_of(draw, [row for row in rows if _next_of(draw, row)])


def _next_of(draw: Draw, lost: Listing) -> Listing | None:
    """The auction of the same seller that ends first."""
    seller = draw.database.get(Member, lost.seller_id)
    found = search_listings.function(draw.database, kind="auction", seller=seller).rows
    return found[0] if found else None


def _same_again(draw: Draw) -> int:
    me: Member = draw.person
    return draw.database.find(Bid, listing_id=draw.values["lost"].listing_id, member_id=me.member_id)[0].max_cents


def _second_look(draw: Draw) -> Calls:
    lost = draw.values["lost"]
    seller = draw.database.get(Member, lost.seller_id)
    return [
        (get_listing, {"listing": lost}),
        (get_member, {"member": seller}),
        (search_listings, {"kind": "auction", "seller": seller}),
        (get_listing, {"listing": _next_of(draw, lost)}),
    ]


def _countered(draw: Draw) -> Listing | None:
    """What the member has offered for and got a counter-offer."""
    rows = [row for row in draw.rows(Offer) if row.state == "countered" and draw.view(row).side == "buyer"]
    return one_of(draw, [draw.database.get_one(Listing, row.listing_id) for row in rows])


MAXIMUM = Slot("max_cents", withheld=0.9, draw=_maximum, says=("Up to {}.", "{} at most."))
STANDING = Tell("standing", kind="text")

BUYING = (
    Goal(
        place_bid,
        name="bid",
        verbs=("bid",),
        says=(
            "Bid[ up to {max_cents}] on {listing}.",
            "I'd like to bid on {listing}[, {max_cents} at most].",
            "Please place a bid on {listing} for me[, with {max_cents} as the maximum].",
            "{listing} is what I am after. Bid on it[, up to {max_cents}].",
            "Can you bid[ as much as {max_cents}] on {listing}?",
            "I want to have {listing}, so bid on it[; my limit is {max_cents}].",
            "Put in a bid for {listing}[, not above {max_cents}].",
            "How about a bid on {listing}?[ I would go up to {max_cents}.] Place it, please.",
            "Join the bidding for {listing}[ with a maximum of {max_cents}].",
            "For {listing} I would pay[ {max_cents}|a fair sum]; enter a bid.",
            "Would you enter a bid on {listing}[ that stops at {max_cents}]?",
            "Try to win {listing} for me: bid[ up to {max_cents}] on it.",
        ),
        slots=(Slot("listing", says=I_MEAN, where=is_open("auction")), MAXIMUM),
        tells=(STANDING,),
        share=2.0,
    ),
    Goal(
        place_bid,
        name="bid_higher",
        verbs=("bid", "raise"),
        says=(
            "Somebody has outbid me on {listing}. Bid higher[, up to {max_cents}].",
            "Raise my bid on {listing}[ to {max_cents} at most].",
            "I am no longer leading on {listing}; raise my maximum[ to {max_cents}].",
            "Please go higher with my bid on {listing}[: {max_cents} is my new limit].",
            "I do not want to lose {listing}. Raise my bid[ to {max_cents}].",
            "Can you raise what I bid on {listing}[ up to {max_cents}]?",
            "My bid on {listing} was too low, so raise it[ to a maximum of {max_cents}].",
            "Let us not give up on {listing}: a higher bid, please[, {max_cents} at most].",
            "They have gone past me on {listing}. I can raise my bid[ up to {max_cents}]; do that.",
            "Lift my maximum for {listing}[ to {max_cents}].",
            "Would you put my bid on {listing} up[ to {max_cents}]?",
            "I was outbid on {listing} and want back in[ with up to {max_cents}]. Raise my bid.",
        ),
        slots=(Slot("listing", says=I_MEAN, where=lambda listing: listing.row.standing == "outbid"), MAXIMUM),
        tells=(STANDING,),
    ),
    Goal(
        place_bid,
        name="second_try",
        verbs=("bid",),
        says=(
            "I lost {lost}. Bid the same on the auction of its seller that ends first.",
            "Somebody else got {lost}. Put the maximum that I had there on the next auction of that seller to end.",
            "Since I did not win {lost}, bid as much on whatever its seller auctions that ends first.",
            "{lost} went to another bidder. Find the seller's auction that ends first and bid my old maximum on it.",
            "Please try again after {lost}: the same maximum, on the auction of the same seller that ends first.",
            "I was beaten on {lost}. Use the same bid for its seller's auction that is the first to end.",
            "What I was ready to pay for {lost} shall go on the same seller's auction that ends first. Bid it, please.",
            "As {lost} is gone, bid my maximum from there on what that seller auctions next to end.",
            "Can you bid on the first auction to end of the seller of {lost}? The same maximum as I had on that one.",
            "Look at who sold {lost}, which I lost, and bid as much on that member's auction that ends first.",
            "I could not get {lost}. Take my maximum from it and bid it on the next auction of this seller to end.",
            "Let my bid on {lost}, which was too low, be my bid on its seller's auction that ends first.",
        ),
        slots=(Slot("lost", of=Listing, draw=_lost, says=I_MEAN, reads=_second_look),),
        worked_out={"listing": lambda draw: _next_of(draw, draw.values["lost"]), "max_cents": _same_again},
        tells=(STANDING,),
    ),
    Goal(
        buy_now,
        name="buy",
        verbs=("buy",),
        says=(
            "Buy {listing}.",
            "I'd like to buy {listing} now.",
            "Please buy {listing} at its price.",
            "I take {listing}. Buy it before somebody else does.",
            "Can you buy {listing} for me?",
            "Get me {listing}; the price is fine, so buy it.",
            "{listing} is just what I need. Buy it, please.",
            "No haggling over {listing}: just buy it.",
            "I have made up my mind about {listing}; buy it.",
            "Go ahead and buy {listing}; my balance will do.",
            "Would you buy {listing} straight away?",
            "Use my balance to buy {listing}.",
        ),
        slots=(Slot("listing", draw=_affordable, says=I_MEAN),),
        tells=(Tell("balance_cents", near=("balance", "left", "remain", "remains")),),
        share=1.5,
    ),
    Goal(
        buy_now,
        name="buy_trusted",
        verbs=("buy",),
        says=(
            "Buy the cheapest {sort} at a fixed price from somebody with at least {percent} percent.",
            "I need a {sort}: buy the cheapest with a fixed price whose seller has {percent} percent or more.",
            "Which {sort} at a fixed price is the cheapest from a seller rated {percent} percent or better? Buy it.",
            "Find the cheapest fixed-price {sort} of a seller with {percent} percent at the least, and buy it.",
            "Please buy a {sort} at a fixed price, the cheapest that a member with {percent} percent or more sells.",
            "Only sellers with {percent} percent or more will do. Buy their cheapest {sort} that has a fixed price.",
            "Buy me a {sort}, fixed price, as cheap as possible, from a seller with a rating of {percent} or above.",
            "I trust sellers from {percent} percent up. Buy the cheapest {sort} at a fixed price among theirs.",
            "Can you buy the cheapest {sort} with a fixed price that comes from somebody with {percent} percent or "
            "more?",
            "Of every fixed-price {sort} from sellers with at least {percent} percent, buy the cheapest.",
            "Look for a {sort} at a fixed price, seller {percent} percent or better, and buy the cheapest one.",
            "Get me the least expensive {sort} at a fixed price; its seller must have {percent} percent at least.",
        ),
        about=(Slot("sort", draw=sorted(KINDS)), Slot("percent", draw=(95, 97, 98, 99), reads=_compared)),
        worked_out={"listing": _trusted},
        tells=(Tell("amount_cents", near=("price", "cost", "costs", "for", "paid")),),
        share=1.5,
    ),
    Goal(
        make_offer,
        name="offer",
        verbs=("offer",),
        says=(
            "Offer[ {amount_cents}] for {listing}.",
            "I'd like to make an offer for {listing}[ of {amount_cents}].",
            "Please offer the seller of {listing}[ {amount_cents}| less].",
            "{listing} is a bit dear. Make an offer[ of {amount_cents}].",
            "Can you make an offer for {listing}[: {amount_cents}]?",
            "Ask whether {listing} can be had for less; make an offer[ of {amount_cents}].",
            "I would pay[ {amount_cents}|something] for {listing}; make that offer.",
            "Send an offer for {listing}[ over {amount_cents}].",
            "Try to get {listing} cheaper: make an offer[ of {amount_cents}].",
            "Make the seller of {listing} an offer[ at {amount_cents}].",
            "Would you offer[ {amount_cents}] for {listing} in my name?",
            "My offer for {listing}[ is {amount_cents}|is to be sent]; place it, please.",
        ),
        slots=(
            Slot("listing", says=I_MEAN, where=is_open("fixed")),
            Slot("amount_cents", withheld=0.9, draw=_below_price, says=("{}.", "I offer {}.")),
            NO_MESSAGE,
        ),
        tells=(Tell("expires_at"),),
        share=1.3,
    ),
    Goal(
        make_offer,
        name="offer_less",
        verbs=("offer",),
        says=(
            "Offer[ {percent} percent] less than the price for {listing}.",
            "Make an offer for {listing} that is[ {percent} percent] below the price.",
            "Please offer the price less[ {percent} percent| a little] for {listing}.",
            "I would take {listing} for[ {percent} percent] less. Make that offer.",
            "Can you make an offer on {listing}[, {percent} percent|, a bit] below the asking price?",
            "{listing} costs[ {percent} percent] too much; offer that much less.",
            "Take {percent} percent off the price of {listing} and offer the rest.",
            "Try an offer for {listing} at {percent} percent off.",
            "With[ {percent} percent| something] off I would buy {listing}, so send that offer.",
            "Knock {percent} percent off {listing} and make it my offer.",
            "Would you offer {percent} percent below the asking price for {listing}?",
            "My offer for {listing} is what it costs minus {percent} percent; place it, please.",
        ),
        slots=(Slot("listing", says=I_MEAN, where=is_open("fixed"), reads=looked_at), NO_MESSAGE),
        about=(Slot("percent", withheld=0.8, draw=(5, 10, 15, 20, 25, 30), says=("{} percent.", "{} percent less.")),),
        worked_out={"amount_cents": _less},
        where=lambda listing, percent: listing.row.price_cents * percent % 10_000 == 0,
        tells=(Tell("amount_cents", near=("offer", "offered", "for", "of")), Tell("expires_at")),
    ),
    Goal(
        make_offer,
        name="offer_with_phone",
        against=contact_inside,
        verbs=("offer",),
        fixed={"message": "Call me at 555-0142, I pay cash."},
        says=(
            "Offer {amount_cents} for {listing} and give the seller my phone number.",
            "Make an offer of {amount_cents} for {listing}, and write that I would pay cash, outside the marketplace.",
            "Please offer {amount_cents} for {listing} with my mail address in the message.",
            "For {listing} I offer {amount_cents}; tell the seller to phone me about it.",
            "Can you offer {amount_cents} for {listing} and put my number into the message?",
            "Send an offer of {amount_cents} for {listing} and suggest a bank transfer past the marketplace.",
            "Offer {amount_cents} for {listing}; the message should have my phone number.",
            "I'd offer {amount_cents} for {listing}, and the seller should get my e-mail to settle it directly.",
            "Make it {amount_cents} for {listing}, and let the message say where to call me.",
            "Write the seller of {listing} an offer over {amount_cents} with my phone number in it.",
            "Would you offer {amount_cents} for {listing}, and mention that I pay in cash at the door?",
            "Place an offer of {amount_cents} for {listing} together with my contact details.",
        ),
        slots=(
            Slot("listing", says=I_MEAN, where=is_open("fixed")),
            Slot("amount_cents", draw=_below_price),
        ),
        share=0.4,
    ),
    Goal(
        answer_offer,
        name="accept_counter",
        verbs=("accept",),
        fixed={"answer": "accept"},
        says=(
            "Accept the seller's counter-offer for {thing}.",
            "The seller of {thing} has made me a counter-offer; accept it.",
            "I take the counter-offer for {thing}. Accept it, please.",
            "Please accept what the seller of {thing} wants now.",
            "I agree to the counter-offer that I got for {thing}; accept it.",
            "Can you accept the counter-offer on {thing}?",
            "{thing} is worth the seller's counter-offer to me. Accept it.",
            "Let us settle on what the seller of {thing} has countered: accept.",
            "About {thing}: the counter-offer is fine, so accept it.",
            "Say yes to the seller of {thing}, whose counter-offer I accept.",
            "Would you accept the counter-offer for {thing} in my name?",
            "I have thought about the counter-offer for {thing} and accept it.",
        ),
        about=(
            Slot(
                "thing",
                of=Listing,
                draw=_countered,
                says=I_MEAN,
                reads=lambda draw: [(get_listing, {"listing": draw.values["thing"]})],
            ),
        ),
        worked_out={"offer": lambda draw: countered_on(draw, draw.values["thing"])},
        tells=(Tell("sale.amount_cents", kind="money", near=("price", "for", "paid", "bought")),),
        share=0.8,
    ),
)
