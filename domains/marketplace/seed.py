"""The marketplace's rows: members, what they sell, bids, offers, sales and feedback."""

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from toolgym.domains.marketplace.schema import FEES, Bid, Feedback, Listing, Member, Offer, Sale, current, highest, step
from toolgym.domains.people import CITIES, FIRST_NAMES
from toolgym.sandbox.kit.database import Database

NOW = datetime(2026, 3, 13, 16, 20)
CLOCKS = (datetime(2026, 3, 13, 11, 35), datetime(2026, 3, 13, 20, 50))
"""Other moments: before noon and in the evening of the same day."""
FIRST, UNSEEN_FIRST, MEMBERS, SERVED = 507, 807, 140, 24
OWNERS = {
    data: [f"mb-{first + number}" for number in range(SERVED)]
    for data, first in (("own", FIRST), ("unseen", UNSEEN_FIRST))
}
"""The numbers of the first members, how many there are, and how many of them sessions serve."""

BRANDS = (
    "Halden", "Brevik", "Castello", "Tamura", "Orlin", "Vesper", "Kestrel", "Dunmore", "Lumen", "Arcady", "Solano",
    "Fenwick",
)  # fmt: skip
OTHER_BRANDS = (
    "Nordal", "Pemberly", "Quillan", "Ravenna", "Skagen", "Thornby", "Ulmera", "Valdez", "Winslow", "Yarrow", "Zephyr",
    "Montrose",
)  # fmt: skip
GOODS = {
    "furniture": (("side table", 70), ("desk lamp", 35), ("bookshelf", 90), ("armchair", 140), ("floor mirror", 60)),
    "electronics": (("camera lens", 220), ("record player", 130), ("drone", 310), ("tablet", 180), ("projector", 240)),
    "sports": (("tent", 110), ("bicycle", 260), ("kayak", 340), ("snowboard", 150), ("tennis racket", 55)),
    "music": (("cello", 900), ("guitar", 280), ("keyboard", 210), ("amplifier", 160), ("violin", 420)),
    "toys": (("train set", 75), ("dollhouse", 65), ("chess set", 40), ("puzzle box", 25), ("toy castle", 45)),
    "kitchen": (("coffee grinder", 80), ("mixer", 120), ("teapot", 30), ("knife set", 95), ("waffle iron", 28)),
    "clothing": (("leather jacket", 130), ("rain coat", 60), ("backpack", 70), ("ski suit", 110), ("silk scarf", 45)),
    "garden": (("lawn mower", 190), ("bird bath", 40), ("garden bench", 120), ("hedge trimmer", 85), ("fire bowl", 75)),
}
"""By category, what is sold, with about what it costs in dollars."""
KINDS = {noun: (category, dollars) for category, found in GOODS.items() for noun, dollars in found}
_PRAISE = ("Came fast, well packed.", "Exactly as described.", "Friendly and quick.", "A pleasure, thank you.")
_BLAME = ("Took three weeks.", "A scratch was not mentioned.", "Poorly packed.", "Never answered.")
_CARRIERS = ("Parcelo", "Swiftpost", "Blue Van", "Ridgeline")
_NOTES = (
    "Works well, a few signs of use.",
    "Hardly used, from a smoke-free home.",
    "We moved and have no room for it.",
)


def fill(db: Database, seed: int = 4471, first: int = FIRST, brands: Sequence[str] = BRANDS, cities: int = 0) -> None:
    """Write the rows.

    Args:
        db: the empty tables.
        seed: other people and things with another one.
        first: the number of the first member.
        brands: the first words of the titles.
        cities: where in the list of cities the first one stands.
    """
    _Market(db, random.Random(seed), first, brands, [name for name, *_ in CITIES[cities : cities + 14]]).write()


def fill_unseen(db: Database) -> None:
    """Write the rows in which nobody trains: other people, brands and cities."""
    fill(db, seed=4472, first=UNSEEN_FIRST, brands=OTHER_BRANDS, cities=20)


class _Market:
    """The rows while they are made."""

    def __init__(
        self, db: Database, rng: random.Random, first: int, brands: Sequence[str], cities: Sequence[str]
    ) -> None:
        self.db, self.rng = db, rng
        titles = [f"{brand} {noun}" for noun in KINDS for brand in brands]
        self.titles = rng.sample(titles, len(titles)) + rng.sample(titles, 120)
        self.members = [self._member(first + number, number, cities) for number in range(MEMBERS)]
        self.owners, self.others = self.members[:SERVED], self.members[SERVED:]
        self.open: list[Listing] = []

    def _member(self, key: int, number: int, cities: Sequence[str]) -> Member:
        rng, marks = self.rng, self.rng.choice((50, 100, 100, 200))
        good = rng.choice((100, 99, 98, 98, 97, 97, 95, 91)) * marks // 100
        return self.db.insert(
            Member,
            member_id=f"mb-{key}",
            handle=f"{rng.choice(FIRST_NAMES).lower()}_{rng.randrange(10, 99)}",
            city=rng.choice(cities),
            level=("new", "regular", "trusted")[number % 3] if number < SERVED else rng.choice(("regular", "trusted")),
            sales=marks + rng.randrange(40),
            funds_cents=rng.randrange(4_000, 60_000) if number < SERVED else 2_000_000,
            marks=marks,
            positive=good,
        )

    def write(self) -> None:
        """Write all of them."""
        for place, owner in enumerate(self.owners):
            wanted = (4 + place // 3 % 2) if owner.level == "new" else self.rng.randrange(5, 8)
            for number in range(wanted):
                self._for_sale(owner, "auction" if number % 2 else "fixed", number)
        for member in self.others:
            for _ in range(self.rng.choice((1, 1, 2))):
                self._for_sale(member, self.rng.choice(("auction", "fixed")), self.rng.randrange(4))
        for owner in self.owners:
            self._buying(owner)
            self._past(owner)
        for place, owner in enumerate(self.owners):
            self._at_the_edge(place, owner)

    # --- what is open ---

    def _for_sale(self, member: Member, kind: str, number: int) -> None:
        """Something open; auctions with bids also at both sides of their last twelve hours, at every clock."""
        edges = [clock + timedelta(hours=12, minutes=late) for clock in (NOW, *CLOCKS) for late in (0, -1)]
        usual = NOW + timedelta(minutes=self.rng.randrange(11 * 60, 9 * 24 * 60))
        ends = self.rng.choice((*edges, usual, usual, usual)) if kind == "auction" else usual
        row = self._listing(member, kind, "open", ends)
        self.open.append(row)
        if kind == "auction":
            for bidder in self.rng.sample(self.others, self.rng.choice((0, 1, 2, 3, 4) if number % 4 else (2, 3, 4))):
                self._bid(row, bidder)
        elif member in self.owners and number < 4:
            buyers = self.rng.sample(self.others, self.rng.choice((1, 2, 3)))
            for buyer, percent in zip(buyers, self.rng.sample((70, 75, 80, 85, 90), 3), strict=False):
                self._offer(row, buyer, percent)

    def _listing(self, member: Member, kind: str, state: str, ends: datetime) -> Listing:
        rng, title = self.rng, self.titles.pop()
        category, dollars = KINDS[title.split(" ", 1)[1]]
        price = dollars * (100 if kind == "fixed" else 30) * rng.randrange(80, 125) // 100 // 50 * 50
        return self.db.add(
            Listing,
            seller=member,
            title=title,
            category=category,
            quality=rng.choice(("new", "good", "good", "used", "used", "parts")),
            kind=kind,
            price_cents=price,
            reserve_cents=rng.choice((0, 2 * price)) if kind == "auction" else 0,
            postage_cents=rng.choice((495, 695, 895, 1_250)),
            city=member.city,
            ends_at=ends,
            state=state,
            description=rng.choice(_NOTES),
        )

    def _bid(self, row: Listing, member: Member, cents: int = 0) -> None:
        if member.member_id == row.seller_id:
            return
        least = current(self.db, row)
        high = cents or least + step(least) + self.rng.randrange(2, 40) * 50
        when = NOW - timedelta(minutes=self.rng.randrange(300, 2_000) + 60)
        values = {"member_id": member.member_id, "max_cents": high, "placed_at": when}
        self.db.add(Bid, listing=row, **values)
        self.db.update(row, leader_id=highest(self.db, row.listing_id)[0][0])

    def _offer(self, row: Listing, buyer: Member, percent: int, counter: int = 0, state: str = "open") -> None:
        amount = row.price_cents * percent // 100 // 50 * 50
        self.db.add(
            Offer,
            listing=row,
            buyer=buyer,
            amount_cents=amount,
            counter_cents=row.price_cents * counter // 100 // 50 * 50 if counter else None,
            message="",
            state="countered" if counter else state,
            expires_at=CLOCKS[1] + timedelta(minutes=self.rng.randrange(120, 1_500)),
        )

    def _buying(self, owner: Member) -> None:
        """Bids of the owner's, some of them the highest, an offer that waits, counter-offers of two sellers."""
        foreign = [row for row in self.open if row.seller_id not in {each.member_id for each in self.owners}]
        auctions = self.rng.sample([row for row in foreign if row.kind == "auction"], 5)
        for number, row in enumerate(auctions):
            highest = max((bid.max_cents for bid in self.db.find(Bid, listing_id=row.listing_id)), default=0)
            below = max(row.price_cents, highest - self.rng.randrange(1, 9) * 50)
            self._bid(row, owner, below if number % 2 and highest else highest + 50 * self.rng.randrange(2, 30))
        for row, counter in zip(
            self.rng.sample([row for row in foreign if row.kind == "fixed"], 3), (0, 90, 85), strict=True
        ):
            self._offer(row, owner, 70, counter)

    # --- what is closed ---

    def _past(self, owner: Member) -> None:
        """What the owner has sold and bought, in each state of a sale, what stayed unsold, and what others won."""
        for state in ("to_ship", "shipped", "done"):
            self._sale(owner, self.rng.choice(self.others), state)
            self._sale(self.rng.choice(self.others), owner, state)
        for state in ("unsold", "ended"):
            self._listing(owner, self.rng.choice(("auction", "fixed")), state, self._ago())
        for _ in range(2):
            row = self._listing(self.rng.choice(self.others), "auction", "sold", self._ago())
            for bidder in (owner, *self.rng.sample(self.others, 2)):
                self._bid(row, bidder)

    def _ago(self) -> datetime:
        return NOW - timedelta(minutes=self.rng.randrange(10 * 60, 40 * 24 * 60))

    def _sale(self, seller: Member, buyer: Member, state: str) -> None:
        rng, when = self.rng, self._ago()
        row = self._listing(seller, "fixed", "sold", when)
        amount = row.price_cents * rng.choice((100, 100, 90, 80)) // 100
        sent = state != "to_ship"
        sale = self.db.add(
            Sale,
            listing=row,
            seller=seller,
            buyer=buyer,
            amount_cents=amount,
            postage_cents=row.postage_cents,
            deducted_cents=amount * FEES[seller.level] // 100,
            state=state,
            paid_at=when,
            carrier=rng.choice(_CARRIERS) if sent else None,
            tracking=f"{rng.choice('BKPT')}{rng.randrange(10**6, 10**7)}" if sent else None,
        )
        if state == "done":
            self._feedback(sale, buyer, seller)
            self._feedback(sale, seller, buyer)

    def _feedback(self, sale: Sale, author: Member, about: Member) -> None:
        good = self.rng.random() < 0.85
        self.db.add(
            Feedback,
            sale=sale,
            author=author,
            member=about,
            mark="positive" if good else self.rng.choice(("neutral", "negative")),
            comment=self.rng.choice(_PRAISE if good else _BLAME),
        )

    def _at_the_edge(self, place: int, owner: Member) -> None:
        """Every third owner has just enough money for one thing; every other third lacks a cent."""
        row = self.rng.choice([row for row in self.open if row.kind == "fixed" and row.seller_id != owner.member_id])
        if place % 3 < 2:
            values: dict[str, Any] = {"funds_cents": row.price_cents + row.postage_cents - place % 3}
            self.db.update(self.db.find(Member, member_id=owner.member_id)[0], **values)
