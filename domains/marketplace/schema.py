"""The tables of a second-hand marketplace. Money is in integer cents; moments are on the member's clock."""

from datetime import datetime
from typing import Literal

from sqlalchemy import ForeignKey
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from toolgym.sandbox.kit.world import Database, computed, hidden, key, via

STEP_PERCENT, LEAST_STEP = 5, 50
FEES = {"new": 12, "regular": 10, "trusted": 8}
"""What the house takes of a sale, in percent."""
_TAKES_PART = (
    "listing_id IN (SELECT listing_id FROM bids WHERE member_id = :owner UNION ALL SELECT listing_id FROM offers "
    "WHERE buyer_id = :owner UNION ALL SELECT listing_id FROM sales WHERE buyer_id = :owner)"
)


class Base(DeclarativeBase):
    """The marketplace's tables."""


class Member(Base):
    """Somebody who buys and sells."""

    __tablename__ = "members"

    member_id: Mapped[str] = key("mb-507")
    handle: Mapped[str]
    city: Mapped[str]
    level: Mapped[str]
    sales: Mapped[int]
    funds_cents: Mapped[int] = hidden()
    marks: Mapped[int] = hidden()
    positive: Mapped[int] = hidden()

    @computed
    def rating(self, db: Database) -> int:
        """How many of a hundred marks are positive, rounded down."""
        return 100 * self.positive // self.marks if self.marks else 0

    @computed
    def open_listings(self, db: Database) -> int:
        """How many things the member has for sale."""
        found = "SELECT count(*) FROM listings WHERE seller_id = :me AND state = 'open'"
        return int(db.query(found, me=self.member_id)[0][0])


class Listing(Base):
    """Something for sale, by auction or at a fixed price. What is closed is seen by those who had to do with it."""

    __tablename__ = "listings"
    __visible__ = f"state = 'open' OR seller_id = :owner OR {_TAKES_PART}"
    __brief__ = (
        "listing_id", "title", "quality", "kind", "current_cents", "ends_at", "state", "standing", "sale_id",
    )  # fmt: skip

    listing_id: Mapped[str] = key("L-88213")
    seller_id: Mapped[str] = mapped_column(ForeignKey("members.member_id"), index=True)
    leader_id: Mapped[str | None] = mapped_column(ForeignKey("members.member_id"))  # who has bid the most
    title: Mapped[str]
    category: Mapped[str]
    quality: Mapped[str]
    kind: Mapped[str]
    price_cents: Mapped[int]  # the fixed price, or where the auction starts
    reserve_cents: Mapped[int] = hidden()
    postage_cents: Mapped[int]
    city: Mapped[str]
    ends_at: Mapped[datetime]  # or when it ended
    state: Mapped[str]
    description: Mapped[str]

    @computed
    def bids(self, db: Database) -> int:
        """How many members have bid."""
        return int(db.query("SELECT count(*) FROM bids WHERE listing_id = :of", of=self.listing_id)[0][0])

    @computed
    def current_cents(self, db: Database) -> int:
        """The fixed price, or where the bidding stands."""
        return current(db, self)

    @computed
    def next_bid_cents(self, db: Database) -> int | None:
        """The least that the next bid has to be; none for a fixed price."""
        return None if self.kind == "fixed" else next_bid(db, self)

    @computed
    def reserve_met(self, db: Database) -> bool | None:
        """Whether the bidding has reached what the seller wants at least."""
        return None if self.kind == "fixed" else current(db, self) >= self.reserve_cents

    @computed
    def role(self, db: Database) -> Literal["selling"] | None:
        """Whether it is the member's own and open."""
        return "selling" if self.seller_id == db.owner(Member).member_id and self.state == "open" else None

    @computed
    def standing(self, db: Database) -> Literal["leading", "outbid"] | None:
        """How the member's own bid on an open auction stands."""
        me = db.owner(Member).member_id
        if self.state != "open" or self.kind != "auction" or not db.find(Bid, listing_id=self.listing_id, member_id=me):
            return None
        return "leading" if self.leader_id == me else "outbid"

    @computed
    def sale_id(self, db: Database) -> str | None:
        """The sale that came of it, where the member takes part in it."""
        found = db.mine(Sale, listing_id=self.listing_id) if self.state == "sold" else []
        return found[0].sale_id if found else None


class Bid(Base):
    """What a member would pay at most in an auction; nobody else sees it."""

    __tablename__ = "bids"

    bid_id: Mapped[str] = key("bd-3001")
    listing_id: Mapped[str] = mapped_column(ForeignKey("listings.listing_id"), index=True)
    member_id: Mapped[str] = mapped_column(ForeignKey("members.member_id"), index=True)
    max_cents: Mapped[int] = hidden()
    placed_at: Mapped[datetime]


class Offer(Base):
    """Less than the fixed price, offered to the seller, who may make one counter-offer."""

    __tablename__ = "offers"
    __visible__ = "buyer_id = :owner OR listing_id IN (SELECT listing_id FROM listings WHERE seller_id = :owner)"

    offer_id: Mapped[str] = key("of-310")
    listing_id: Mapped[str] = mapped_column(ForeignKey("listings.listing_id"), index=True)
    buyer_id: Mapped[str] = mapped_column(ForeignKey("members.member_id"), index=True)
    amount_cents: Mapped[int]
    counter_cents: Mapped[int | None]
    message: Mapped[str]
    state: Mapped[str]
    expires_at: Mapped[datetime]

    title = via("listing_id", "title")
    buyer = via("buyer_id", "handle")

    @computed
    def price_cents(self, db: Database) -> int:
        """What accepting it costs the buyer with the postage."""
        return (self.counter_cents or self.amount_cents) + db.get_one(Listing, self.listing_id).postage_cents

    @computed
    def side(self, db: Database) -> Literal["buyer", "seller"]:
        """Which of the two the member is."""
        return "buyer" if self.buyer_id == db.owner(Member).member_id else "seller"


class Sale(Base):
    """A thing that was sold and is to be sent."""

    __tablename__ = "sales"
    __visible__ = "buyer_id = :owner OR seller_id = :owner"

    sale_id: Mapped[str] = key("S-4471")
    listing_id: Mapped[str] = mapped_column(ForeignKey("listings.listing_id"), index=True)
    seller_id: Mapped[str] = mapped_column(ForeignKey("members.member_id"), index=True)
    buyer_id: Mapped[str] = mapped_column(ForeignKey("members.member_id"), index=True)
    amount_cents: Mapped[int]
    postage_cents: Mapped[int]
    deducted_cents: Mapped[int]
    state: Mapped[str]
    paid_at: Mapped[datetime]
    carrier: Mapped[str | None]
    tracking: Mapped[str | None]

    title = via("listing_id", "title")

    @computed
    def earned_cents(self, db: Database) -> int:
        """What is left of the amount after the fee."""
        return self.amount_cents - self.deducted_cents

    @computed
    def side(self, db: Database) -> Literal["sold", "bought"]:
        """What the member did."""
        return "sold" if self.seller_id == db.owner(Member).member_id else "bought"

    @computed
    def rated(self, db: Database) -> bool:
        """Whether the member has left feedback."""
        return bool(db.find(Feedback, sale_id=self.sale_id, author_id=db.owner(Member).member_id))


class Feedback(Base):
    """What one side of a sale says of the other."""

    __tablename__ = "feedback"

    feedback_id: Mapped[str] = key("fb-801")
    sale_id: Mapped[str] = mapped_column(ForeignKey("sales.sale_id"), index=True)
    author_id: Mapped[str] = mapped_column(ForeignKey("members.member_id"))
    member_id: Mapped[str] = mapped_column(ForeignKey("members.member_id"), index=True)  # of whom it speaks
    mark: Mapped[str]
    comment: Mapped[str]


def highest(db: Database, listing_id: str) -> list[tuple[str, int]]:
    """The two highest maxima with whose they are; of equal ones the earlier leads."""
    found = (
        "SELECT member_id, max_cents FROM bids WHERE listing_id = :of "
        "ORDER BY max_cents DESC, placed_at, bid_id LIMIT 2"
    )
    return [(str(member), int(cents)) for member, cents in db.query(found, of=listing_id)]


def step(cents: int) -> int:
    """By how much a bid has to be higher: 5 percent, rounded up, and 50 cents at least."""
    return max(LEAST_STEP, -(-cents * STEP_PERCENT // 100))


def current(db: Database, listing: Listing) -> int:
    """Where the bidding stands: a step above the second highest maximum, and never above the highest."""
    top = highest(db, listing.listing_id) if listing.kind == "auction" else []
    if len(top) < 2:
        return listing.price_cents
    return min(top[0][1], top[1][1] + step(top[1][1]))


def next_bid(db: Database, listing: Listing) -> int:
    """The least that the next bid has to be."""
    now = current(db, listing)
    return now + step(now) if db.find(Bid, listing_id=listing.listing_id) else now
