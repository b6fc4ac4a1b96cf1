"""What the marketplace lets an agent do for the member who is signed in."""

from datetime import date, datetime, timedelta
from typing import Annotated, Literal

from pydantic import Field

from toolgym.domains.marketplace import schema
from toolgym.sandbox.kit.world import NOT_BLANK, Database, Free, Page, PageNumber, Ref, Refusal, View, tool

Category = Literal["furniture", "electronics", "sports", "music", "toys", "kitchen", "clothing", "garden"]
Quality = Literal["new", "good", "used", "parts"]
Cents = Annotated[int, Field(ge=100, le=1_000_000)]
CLOSED_SINCE = 3
"""The version of the data from which on a sale closes the other offers, and no sold thing is countered."""
Words = Annotated[str, Field(min_length=2, max_length=80), NOT_BLANK]
POSTAGE = 695
OFFER_HOURS = 48
_SALE = "SELECT listing_id FROM sales WHERE"
_BUYING = (
    "listing_id IN (SELECT listing_id FROM bids WHERE member_id = :me UNION SELECT listing_id FROM offers "
    f"WHERE buyer_id = :me UNION {_SALE} buyer_id = :me)"
)
_WON = f"listing_id IN ({_SALE} buyer_id = :me)"
_AT = f"listing_id IN ({_SALE} (buyer_id = :me OR seller_id = :me) AND state = :state)"
_IN_STATE = {
    "open": "state = 'open'",
    "won": _WON,
    "lost": f"seller_id != :me AND state != 'open' AND NOT {_WON}",
    "sold": "seller_id = :me AND state = 'sold'",
    "unsold": "seller_id = :me AND state IN ('unsold', 'ended')",
    "to_ship": _AT,
    "shipped": _AT,
    "done": _AT,
}


@tool("read")
def get_my_account(db: Database) -> View[schema.Member]:
    """Get the member's handle, level, rating, balance, the fee on sales in percent, and what time it is."""
    me = db.owner(schema.Member)
    return View(me, balance_cents=me.funds_cents, fee_percent=schema.FEES[me.level], now=db.now)


@tool("read")
def search_listings(
    db: Database,
    text: str | None = None,
    category: Category | None = None,
    quality: Quality | None = None,
    max_cents: Cents | None = None,
    kind: Literal["auction", "fixed"] | None = None,
    ends_before: datetime | None = None,
    city: str | None = None,
    seller: Ref[schema.Member] | None = None,
    page: PageNumber = 1,
) -> Page[schema.Listing]:
    """Search what is for sale, those that end first first.

    Args:
        text: only things whose title holds this.
        category: only things of this category.
        quality: only things in this quality; `parts` is broken.
        max_cents: only what costs at most this now, without postage.
        kind: only auctions, or only fixed prices.
        ends_before: only what ends before this moment.
        city: only things in this city.
        seller: only what this member sells.
        page: ten a page.
    """
    rows = db.select(
        schema.Listing,
        "state = 'open' AND instr(lower(title), lower(:text)) AND (:category IS NULL OR category = :category) "
        "AND (:quality IS NULL OR quality = :quality) AND (:kind IS NULL OR kind = :kind) "
        "AND (:before IS NULL OR ends_at < :before) AND (:city IS NULL OR lower(city) = lower(:city)) "
        "AND (:seller IS NULL OR seller_id = :seller) ORDER BY ends_at, listing_id",
        text=(text or "").strip(),
        category=category,
        quality=quality,
        kind=kind,
        before=ends_before and ends_before.isoformat(timespec="minutes"),
        city=city and city.strip(),
        seller=seller and seller.member_id,
    )
    return Page([row for row in rows if max_cents is None or schema.current(db, row) <= max_cents], page)


@tool("read")
def get_listing(db: Database, listing: Ref[schema.Listing]) -> View[schema.Listing]:
    """Get a thing in full: bids and who leads, end, seller, postage, and what the member has to do with it: the own
    maximum, open offers, the sale.
    """
    me, found = db.owner(schema.Member).member_id, {"listing_id": listing.listing_id}
    own = db.find(schema.Bid, member_id=me, **found)
    return View(
        listing,
        seller=db.get_one(schema.Member, listing.seller_id).handle,
        my_max_cents=own[0].max_cents if own else None,
        offers=[View(row) for row in db.mine(schema.Offer, **found) if row.state in ("open", "countered")],
        sale=next((View(row) for row in db.mine(schema.Sale, **found)), None),
    )


@tool("read")
def get_member(db: Database, member: Ref[schema.Member]) -> View[schema.Member]:
    """Get a member's rating in percent, number of sales, city and last ten marks."""
    marks = db.find(schema.Feedback, member_id=member.member_id)[-10:]
    return View(member, last_marks=[{"mark": row.mark, "comment": row.comment} for row in reversed(marks)])


@tool("read")
def list_my_activity(
    db: Database,
    role: Literal["buying", "selling"] | None = None,
    state: Literal["open", "won", "lost", "sold", "unsold", "to_ship", "shipped", "done"] | None = None,
    text: str | None = None,
    since: date | None = None,
    page: PageNumber = 1,
) -> Page[schema.Listing]:
    """List what the member sells, bids on, has made an offer for, has bought or has lost; the latest end first.

    Args:
        role: only what the member buys, or only what the member sells.
        state: only what is in this state, seen from the member; to_ship, shipped and done are states of a sale.
        text: only things whose title holds this.
        since: only what ends, or has ended, on this day or later.
        page: ten a page.
    """
    whose = {"selling": "seller_id = :me", "buying": _BUYING, None: f"(seller_id = :me OR {_BUYING})"}[role]
    rows = db.select(
        schema.Listing,
        f"{whose} AND {_IN_STATE[state] if state else '1'} AND instr(lower(title), lower(:text)) "
        "AND (:since IS NULL OR ends_at >= :since) AND (:state IS NULL OR 1) ORDER BY ends_at DESC, listing_id",
        me=db.owner(schema.Member).member_id,
        state=state,
        text=(text or "").strip(),
        since=since and f"{since}",
    )
    return Page(rows, page)


@tool("write")
def place_bid(db: Database, listing: Ref[schema.Listing], max_cents: Cents) -> View[schema.Listing]:
    """Bid in an auction, or raise the own bid. The bid rises by itself, as far as others bid, up to the maximum.

    Args:
        max_cents: what the member pays at most.
    """
    _require_open(db, listing, "auction")
    me, place = db.owner(schema.Member).member_id, listing.listing_id
    own = db.find(schema.Bid, listing_id=place, member_id=me)
    if own and own[0].max_cents >= max_cents:
        raise Refusal("no_change", f"The member's maximum is {own[0].max_cents} cents already; only more changes it.")
    if own:
        db.update(own[0], max_cents=max_cents, placed_at=db.now)
    else:
        key = db.new_id(schema.Bid)
        db.insert(schema.Bid, bid_id=key, listing_id=place, member_id=me, max_cents=max_cents, placed_at=db.now)
    return View(db.update(listing, leader_id=schema.highest(db, place)[0][0]), my_max_cents=max_cents)


@tool("write")
def buy_now(db: Database, listing: Ref[schema.Listing]) -> View[schema.Sale]:
    """Buy a thing at its fixed price, paid with its postage from the balance."""
    _require_open(db, listing, "fixed")
    return _sold(db, listing, db.owner(schema.Member), listing.price_cents)


@tool("write")
def make_offer(
    db: Database, listing: Ref[schema.Listing], amount_cents: Cents, message: Free = ""
) -> View[schema.Offer]:
    """Offer less than the fixed price. The seller has 48 hours to answer, and never longer than the listing runs.

    Args:
        amount_cents: what the member would pay, without postage.
        message: what the member wants to say with it, if there is something.
    """
    _require_open(db, listing, "fixed")
    me, place = db.owner(schema.Member).member_id, listing.listing_id
    if amount_cents >= listing.price_cents:
        raise Refusal("invalid_argument", "An offer is lower than the price; for the price it is bought.")
    if any(row.state in ("open", "countered") for row in db.find(schema.Offer, listing_id=place, buyer_id=me)):
        raise Refusal("conflict", "The member has an offer there that is still open.")
    made = db.add(
        schema.Offer,
        listing_id=place,
        buyer_id=me,
        amount_cents=amount_cents,
        counter_cents=None,
        message=message,
        state="open",
        expires_at=min(db.now + timedelta(hours=OFFER_HOURS), listing.ends_at),
    )
    return View(made)


@tool("write")
def answer_offer(
    db: Database,
    offer: Ref[schema.Offer],
    answer: Literal["accept", "decline", "counter"],
    counter_cents: Cents | None = None,
    message: Free = "",
) -> View[schema.Offer]:
    """Answer an offer: the seller an open one, the buyer a counter-offer. What is accepted is sold and paid.

    Args:
        answer: which answer.
        counter_cents: the counter-offer, between the offer and the price; only with `counter`.
        message: what the member wants to say with it, if there is something.
    """
    _require_turn(db, offer)
    if (answer == "counter") != (counter_cents is not None):
        raise Refusal("invalid_argument", "counter_cents is given with a counter-offer, and only then.")
    listing = db.get_one(schema.Listing, offer.listing_id)
    if answer == "accept":
        _require_open(db, listing, "fixed")
        buyer, price = db.get_one(schema.Member, offer.buyer_id), offer.counter_cents or offer.amount_cents
        done = db.update(offer, state="accepted")
        return View(done, sale=_sold(db, listing, buyer, price))
    if counter_cents is None:
        return View(db.update(offer, state="declined"))
    if db.version >= CLOSED_SINCE:
        _require_open(db, listing, "fixed")
    if not offer.amount_cents < counter_cents < listing.price_cents:
        raise Refusal("invalid_argument", "A counter-offer lies between the offer and the price.")
    return View(db.update(offer, state="countered", counter_cents=counter_cents))


@tool("write")
def create_listing(
    db: Database,
    title: Words,
    category: Category,
    quality: Quality,
    kind: Literal["auction", "fixed"],
    price_cents: Cents,
    days: Literal[3, 7, 10],
    description: Free,
) -> View[schema.Listing]:
    """Put a thing up for sale.

    Args:
        title: what it is.
        category: where it is found.
        quality: how it is; `parts` is broken.
        kind: an auction, or a fixed price.
        price_cents: the fixed price, or where the auction starts.
        days: how many days it runs.
        description: what buyers should know, all flaws that the member has named among it.
    """
    me = db.owner(schema.Member)
    made = db.add(
        schema.Listing,
        seller=me,
        leader_id=None,
        title=title,
        category=category,
        quality=quality,
        kind=kind,
        price_cents=price_cents,
        reserve_cents=0,
        postage_cents=POSTAGE,
        city=me.city,
        ends_at=db.now + timedelta(days=days),
        state="open",
        description=description,
    )
    return View(made)


@tool("write")
def end_listing(db: Database, listing: Ref[schema.Listing]) -> View[schema.Listing]:
    """Take down a thing of the member's own unsold. To change a price, end it and list it again."""
    if listing.seller_id != db.owner(schema.Member).member_id:
        raise Refusal("not_allowed", "Only its seller can take a thing down.")
    _require_open(db, listing, listing.kind)
    _decline_open(db, listing)
    return View(db.update(listing, state="ended", ends_at=db.now))


@tool("write")
def mark_shipped(db: Database, sale: Ref[schema.Sale], carrier: Words, tracking: Words) -> View[schema.Sale]:
    """Note that a thing which the member has sold was sent.

    Args:
        carrier: who brings it.
        tracking: the parcel's number.
    """
    if sale.seller_id != db.owner(schema.Member).member_id:
        raise Refusal("not_allowed", "The seller sends it.")
    if sale.state != "to_ship":
        raise Refusal("wrong_state", f"Only what is to be shipped can be marked; this sale is {sale.state}.")
    return View(db.update(sale, state="shipped", carrier=carrier, tracking=tracking))


@tool("write")
def leave_feedback(
    db: Database, sale: Ref[schema.Sale], mark: Literal["positive", "neutral", "negative"], comment: Free
) -> View[schema.Feedback]:
    """Rate the other side of a sale, once. When the buyer does so for what was shipped, the sale is done.

    Args:
        mark: how it was.
        comment: what the member says of it.
    """
    me = db.owner(schema.Member).member_id
    if db.find(schema.Feedback, sale_id=sale.sale_id, author_id=me):
        raise Refusal("conflict", "The member has left feedback on this sale already.")
    other = db.get_one(schema.Member, sale.buyer_id if sale.seller_id == me else sale.seller_id)
    db.update(other, marks=other.marks + 1, positive=other.positive + (mark == "positive"))
    if sale.buyer_id == me and sale.state == "shipped":
        db.update(sale, state="done")
    values = {"author_id": me, "member_id": other.member_id, "mark": mark, "comment": comment}
    return View(db.add(schema.Feedback, sale=sale, **values))


def _require_open(db: Database, listing: schema.Listing, kind: str) -> None:
    if listing.state != "open" or listing.ends_at <= db.now:
        raise Refusal("wrong_state", "Only what is open can be dealt in; this is no longer for sale.")
    if listing.kind != kind:
        way = "bid on" if listing.kind == "auction" else "bought, or an offer is made for it"
        raise Refusal("wrong_state", f"This thing is {way}.")


def _decline_open(db: Database, listing: schema.Listing) -> None:
    """Nobody waits for an answer about what is no longer for sale."""
    for row in db.find(schema.Offer, listing_id=listing.listing_id):
        if row.state in ("open", "countered"):
            db.update(row, state="declined")


def _require_turn(db: Database, offer: schema.Offer) -> None:
    me = db.owner(schema.Member).member_id
    if offer.state not in ("open", "countered"):
        raise Refusal("wrong_state", f"Only an open offer can be answered; this one is {offer.state}.")
    if offer.expires_at <= db.now:
        raise Refusal("expired", f"This offer ran out at {offer.expires_at:%Y-%m-%dT%H:%M}.")
    if (offer.buyer_id == me) != (offer.state == "countered"):
        raise Refusal("not_allowed", "The other side has to answer this offer.")


def _sold(db: Database, listing: schema.Listing, buyer: schema.Member, cents: int) -> View[schema.Sale]:
    """The sale, with the money moved: the buyer pays price and postage, the seller gets them less the fee."""
    seller = db.get_one(schema.Member, listing.seller_id)
    fee, paid = cents * schema.FEES[seller.level] // 100, cents + listing.postage_cents
    if buyer.funds_cents < paid:
        raise Refusal("insufficient_funds", "The buyer's balance does not cover it.")
    buyer = db.update(buyer, funds_cents=buyer.funds_cents - paid)
    seller = db.update(seller, funds_cents=seller.funds_cents + paid - fee, sales=seller.sales + 1)
    db.update(listing, state="sold", ends_at=db.now)
    if db.version >= CLOSED_SINCE:
        _decline_open(db, listing)
    made = db.add(
        schema.Sale,
        listing=listing,
        seller=seller,
        buyer=buyer,
        amount_cents=cents,
        postage_cents=listing.postage_cents,
        deducted_cents=fee,
        state="to_ship",
        paid_at=db.now,
        carrier=None,
        tracking=None,
    )
    me = db.owner(schema.Member).member_id
    return View(made, balance_cents=(buyer if buyer.member_id == me else seller).funds_cents)
