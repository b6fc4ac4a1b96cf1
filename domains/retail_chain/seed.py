"""The chain's rows: 26 stores, their associates, the catalogue, stock, holds and transfers."""

import random
from datetime import date, datetime, timedelta

from toolgym.domains.people import FIRST_NAMES, LAST_NAMES
from toolgym.domains.retail_chain.schema import Associate, Hold, Item, Sku, Stock, Store, Transfer
from toolgym.sandbox.kit.database import Database

NOW = datetime(2026, 3, 13, 16, 20)
CLOCKS = (datetime(2026, 3, 13, 10, 5), datetime(2026, 3, 13, 19, 40))
"""Other moments: the same day's morning and evening."""

EAST = {
    "New England": ("Boston", "Boston", "Cambridge", "Cambridge", "Providence", "Hartford", "Newport"),
    "New York": ("New York", "New York", "Albany", "Buffalo", "Syracuse", "Syracuse"),
    "Mid-Atlantic": ("Philadelphia", "Philadelphia", "Baltimore", "Richmond", "Trenton", "Trenton"),
    "Great Lakes": ("Chicago", "Chicago", "Cleveland", "Detroit", "Milwaukee", "Columbus", "Columbus"),
}
WEST = {
    "Northwest": ("Seattle", "Seattle", "Portland", "Portland", "Tacoma", "Spokane", "Boise"),
    "California": ("San Diego", "San Diego", "Sacramento", "Fresno", "Oakland", "Oakland"),
    "Mountain": ("Denver", "Denver", "Boulder", "Phoenix", "Tucson", "Tucson"),
    "South Central": ("Dallas", "Dallas", "Austin", "Houston", "El Paso", "Tulsa", "Tulsa"),
}
_STYLES = (
    "Alder", "Harbor", "Juniper", "Marlow", "Cascade", "Linden", "Osprey", "Quarry", "Tidal", "Willow", "Ember",
    "Fjord",
)  # fmt: skip
_OTHER_STYLES = (
    "Aspen", "Beacon", "Clover", "Drift", "Falcon", "Granite", "Heron", "Indigo", "Larch", "Mesa", "Pebble", "Saffron",
)  # fmt: skip
_KINDS = (
    ("parka", "men", "winter", 18_900), ("raincoat", "women", "spring", 12_900), ("cardigan", "women", "autumn", 7_900),
    ("scarf", "women", "winter", 3_900), ("shirt", "men", "summer", 4_900), ("hoodie", "kids", "autumn", 3_500),
    ("dress", "women", "summer", 8_900), ("jacket", "men", "spring", 14_900), ("beanie", "kids", "winter", 1_900),
    ("sneaker", "shoes", "spring", 9_900), ("boot", "shoes", "winter", 15_900), ("sandal", "shoes", "summer", 6_900),
    ("blanket", "home", "winter", 5_900), ("bathrobe", "home", "autumn", 6_500), ("skirt", "women", "spring", 5_500),
)  # fmt: skip
_COLOURS = {"navy": "NVY", "black": "BLK", "red": "RED", "grey": "GRY", "olive": "OLV", "white": "WHT"}
_SIZES = {"shoes": ("38", "40", "42"), "home": ("small", "medium", "large")}
_LETTERS = {"small": "S", "medium": "M", "large": "L"}


def fill(
    db: Database,
    seed: int = 3320,
    first: int = 14,
    cities: dict[str, tuple[str, ...]] | None = None,
    styles: tuple[str, ...] = _STYLES,
) -> None:
    """Write the rows.

    Args:
        db: the empty tables.
        seed: other people and goods with another one.
        first: the number of the first store.
        cities: where the stores are, by region.
        styles: the first words of the items' names.
    """
    rng = random.Random(seed)
    stores = _stores(db, rng, first, cities or EAST)
    _associates(db, rng, [store for store in stores if store.role != "depot"], 2207 + first - 14)
    skus = _catalogue(db, rng, styles, 604 + (first - 14) * 4)
    stock = _Stock(db, rng, stores, skus)
    stock.hold()
    stock.move()
    stock.write()


def fill_unseen(db: Database) -> None:
    """Write the rows in which nobody trains: other cities, people and goods."""
    fill(db, seed=3321, first=64, cities=WEST, styles=_OTHER_STYLES)


def _stores(db: Database, rng: random.Random, first: int, cities: dict[str, tuple[str, ...]]) -> list[Store]:
    found: list[Store] = []
    for region, names in cities.items():
        for place, city in enumerate(names):
            twin, last = city in names[:place], place == len(names) - 1
            role = "depot" if twin and (last or city == "Cambridge") else "flagship" if place == 0 else "outlet"
            name = f"{city} Depot" if role == "depot" else f"{city} Market" if twin else city
            late = rng.random() < 0.4
            sunday = rng.choice((("11:00", "17:00"), ("12:00", "18:00"), (None, None)))
            found.append(
                db.insert(
                    Store,
                    store_id=f"ST-{first + len(found)}",
                    name=name,
                    city=city,
                    region=region,
                    role=role,
                    opens="09:00" if role == "depot" or not late else "10:00",
                    closes="20:00" if late else "19:00",
                    sunday_opens=None if role == "depot" else sunday[0],
                    sunday_closes=None if role == "depot" else sunday[1],
                )
            )
    return found


def _associates(db: Database, rng: random.Random, stores: list[Store], first: int) -> None:
    people = rng.sample([(name, last) for name in FIRST_NAMES for last in LAST_NAMES], 24)
    for index, person in enumerate(people):
        role = "lead" if index % 3 == 0 else "associate"
        store = stores[index % len(stores)]
        db.add(Associate, badge=f"B-{first + index}", name=" ".join(person), role=role, store=store)


def _catalogue(db: Database, rng: random.Random, styles: tuple[str, ...], first: int) -> list[Sku]:
    found = []
    for index, (style, kind) in enumerate((style, kind) for style in styles for kind in _KINDS):
        name, department, season, cents = kind
        number = first + index
        values = {"department": department, "season": season, "price_cents": cents + rng.randrange(-5, 6) * 100}
        db.insert(Item, item_id=f"IT-{number}", name=f"{style} {name}", marked_down=rng.random() < 0.15, **values)
        for colour in rng.sample(list(_COLOURS), 2):
            for size in _SIZES.get(department, ("small", "medium", "large")):
                key = f"{number}-{_COLOURS[colour]}-{_LETTERS.get(size, size)}"
                found.append(db.insert(Sku, sku=key, item_id=f"IT-{number}", colour=colour, size=size))
    return found


class _Stock:
    """What is on hand and set aside, kept in memory until all of it is known."""

    def __init__(self, db: Database, rng: random.Random, stores: list[Store], skus: list[Sku]) -> None:
        self.db, self.rng, self.stores, self.today = db, rng, stores, NOW.date()
        self.shops = [store for store in stores if store.role != "depot"]
        self.rows = {
            (sku.sku, store.store_id): [self._count(store), 0] for sku in skus for store in rng.sample(stores, 13)
        }
        self.held: dict[str, list[tuple[str, str]]] = {store.store_id: [] for store in stores}
        """The keys of each store's rows."""
        for key in self.rows:
            self.held[key[1]].append(key)

    def _count(self, store: Store) -> int:
        return self.rng.randrange(8, 60) if store.role == "depot" else self.rng.choice((0, 1, 1, 2, 3, 4, 6, 9, 14, 22))

    def _free(self, store: Store, least: int) -> tuple[str, list[int]]:
        """A sku of which a store has so many free, and its figures."""
        rows = ((key, self.rows[key]) for key in self.held[store.store_id])
        key = self.rng.choice([key for key, row in rows if row[0] - row[1] >= least])
        return key[0], self.rows[key]

    def hold(self) -> None:
        """Eight holds a shop; two customers of each have two."""
        for store in self.shops:
            names = [f"{self.rng.choice(FIRST_NAMES)} {self.rng.choice(LAST_NAMES)}" for _ in range(6)]
            for name in (*names, *names[:2]):
                quantity = self.rng.choice((1, 1, 1, 2, 3))
                sku, row = self._free(store, quantity)
                state = "open" if name in names[:5] else self.rng.choice(("collected", "released"))
                row[1] += quantity if state == "open" else 0
                self._hold(store, sku, quantity, name, state)

    def _hold(self, store: Store, sku: str, quantity: int, name: str, state: str) -> None:
        digits = f"{sum(map(ord, name + store.store_id)) * 7919 % 10_000:04d}"  # one customer has one phone
        until = self.today + timedelta(days=self.rng.randrange(4) if state == "open" else -self.rng.randrange(1, 20))
        values = {"store_id": store.store_id, "taken_in": store.store_id, "quantity": quantity, "customer": name}
        key = self.db.new_id(Hold)
        self.db.insert(Hold, hold_id=key, sku=sku, phone_last4=digits, until=until, state=state, **values)

    def move(self) -> None:
        """Transfers of each shop: asked of it, sent to it, past ones."""
        for store in self.shops:
            asking = self._other(store)
            for quantity in (self.rng.randrange(1, 9), 12, 13, self.rng.randrange(1, 5), self.rng.randrange(1, 5)):
                self._request(store, asking if quantity < 5 else self._other(store), quantity)
            for state in ("approved", "received", "cancelled"):
                self._transfer(store, self._other(store), self.rng.randrange(1, 8), state, self.rng.randrange(3, 30))
            for age in (10, 11, self.rng.randrange(1, 9), self.rng.randrange(12, 25)):
                self._transfer(self._other(store), store, self.rng.randrange(2, 12), "shipped", age)
            for _ in range(2):
                self._transfer(
                    self._other(store), store, self.rng.randrange(1, 6), "requested", self.rng.randrange(1, 6)
                )

    def _request(self, store: Store, asking: Store, quantity: int) -> None:
        """One that waits for the shop's approval; what is free then is just enough, one more, or too little."""
        key = self.rng.choice([key for key in self.held[store.store_id] if not self.rows[key][1]])
        self.rows[key][0] = quantity + self.rng.choice((-1, 0, 1, 2, 5) if quantity > 4 else (1, 2, 5))
        self._written(store, asking, key[0], quantity, "requested", self.rng.randrange(1, 6))

    def _other(self, store: Store) -> Store:
        return self.rng.choice([each for each in self.stores if each is not store])

    def _transfer(self, source: Store, target: Store, quantity: int, state: str, age: int) -> None:
        sku, row = self._free(source, quantity)
        if state == "approved":
            row[1] += quantity
        self._written(source, target, sku, quantity, state, age)

    def _written(self, source: Store, target: Store, sku: str, quantity: int, state: str, age: int) -> None:
        created: date = self.today - timedelta(days=age)
        values = {
            "state": state,
            "created_on": created,
            "note": "",
            "received": quantity if state == "received" else None,
        }
        ends = {"source_id": source.store_id, "target_id": target.store_id}
        self.db.add(Transfer, sku=sku, quantity=quantity, **ends, **values)

    def write(self) -> None:
        """The figures as they stand in the end."""
        for (sku, store_id), (on_hand, reserved) in self.rows.items():
            counted = self.today - timedelta(days=self.rng.randrange(1, 60))
            values = {"on_hand": on_hand, "reserved": reserved, "counted_on": counted}
            self.db.insert(Stock, stock_id=f"{sku}/{store_id}", store_id=store_id, sku=sku, **values)
