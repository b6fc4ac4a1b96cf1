"""One customer with orders and catalogue, as task generation sees them: through the world's own read tools."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from domains import people
from domains.retail.wording import method_in_words
from sandbox.kit.message import ToolCall
from sandbox.kit.task import Difficulty, Fact
from sandbox.runtime.session import Session
from sandbox.synthesis.goal_builder import call
from sandbox.synthesis.wording import first

Record = dict[str, Any]


@dataclass(frozen=True)
class World:
    """Everything tasks are made from, read once per process."""

    users: Mapping[str, Record]
    orders: Mapping[str, Record]
    products: Mapping[str, Record]


@lru_cache(maxsize=1)
def world() -> World:
    """The seed data as the tools show it."""
    with Session("retail") as session:

        def look(name: str, **arguments: str) -> Record:
            value: Record = session.call(name, arguments).value
            return value

        reader = session.domain.template().reader
        ids = [row[0] for row in reader.execute("SELECT user_id FROM users ORDER BY user_id")]
        users = {user_id: look("get_user_details", user_id=user_id) for user_id in ids}
        numbers = [order for user in users.values() for order in user["orders"]]
        orders = {order: look("get_order_details", order_id=order) for order in numbers}
        products = {p: look("get_product_details", product_id=p) for p in look("list_all_product_types").values()}
    return World(users, orders, products)


@dataclass(frozen=True)
class Reference:
    """How the customer speaks of an order.

    Attributes:
        words: in a wish, with the person left open (see `wording`).
        facts: what they can say when asked which order it is.
    """

    words: str
    facts: tuple[Fact, ...]


@dataclass
class CustomerSampler:
    """A customer in one task, with the draw that decides everything about it.

    Attributes:
        rng: this task's draw.
        user: the customer's profile.
        difficulty: how much is told at once.
        used: orders that wishes of this task concern already.
        spoken: how orders have been spoken of.
    """

    rng: random.Random
    user: Record
    difficulty: Difficulty
    used: set[str] = field(default_factory=set)
    spoken: dict[str, Reference] = field(default_factory=dict)

    @property
    def vague(self) -> bool:
        """Orders are described, not numbered: the agent must find them."""
        return self.difficulty == "hard"

    def asks_for(self, *, share: float) -> bool:
        """Whether a fact is kept back until asked for: never where all is stated plainly, else in a share of draws."""
        return self.difficulty != "simple" and self.rng.random() < share

    # --- orders ---

    def orders(self, *statuses: str) -> list[Record]:
        """The customer's orders in these states that no other wish concerns, in random order."""
        found = [order for order in self._all_orders() if order["order_id"] not in self.used]
        found = [order for order in found if order["status"] in statuses and _distinct(order)]
        self.rng.shuffle(found)
        return [order for order in found if not self.vague or any(self._known_for(order))]

    def take(self, order: Record) -> None:
        """Mark an order as concerned."""
        self.used.add(order["order_id"])

    def refer(self, order: Record, items: Sequence[Record] = ()) -> Reference:
        """Speak of an order: by number, as one whose number is told when asked, or by what it is known for.

        Args:
            order: the order.
            items: what the wish names of it anyway.
        """
        spoken = self.spoken.get(order["order_id"])
        if spoken is not None and self.difficulty != "simple":
            return Reference(self.rng.choice(("that order", "the same order")), spoken.facts)
        reference = self._described(order, items) if self.vague else self._numbered(order)
        self.spoken[order["order_id"]] = reference
        return reference

    def _numbered(self, order: Record) -> Reference:
        simple = self.difficulty == "simple"
        fact = Fact(name="order_id", value=order["order_id"], on_request=not simple)
        words = (
            f"order {order['order_id']}" if simple else self.rng.choice(("one of {my} orders", "an order of {mine}"))
        )
        return Reference(words, (fact,))

    def _described(self, order: Record, items: Sequence[Record]) -> Reference:
        named = {f"with the {item['name']}" for item in items}
        known = list(self._known_for(order))
        unsaid = [mark for mark in known if mark not in named]
        if len(unsaid) < len(known) and (not unsaid or self.rng.random() < 0.5):
            fact = Fact(name="order", value="the one " + next(mark for mark in known if mark in named))
            return Reference("one of {my} orders", (fact,))
        mark = self.rng.choice(unsaid)
        return Reference(f"the order {mark}", (Fact(name="order", value=first(f"the one {mark}")),))

    def look_at(self, order: Record) -> tuple[ToolCall, ...]:
        """The read of one order; a customer without the number makes the agent look at all of them up to it."""
        if not self.vague:
            return (call("get_order_details", order_id=order["order_id"]),)
        owned = self.user["orders"]
        upto = owned[: owned.index(order["order_id"]) + 1]
        return (self.profile(), *(call("get_order_details", order_id=number) for number in upto))

    def profile(self) -> ToolCall:
        """The read of the customer's profile."""
        return call("get_user_details", user_id=self.user["user_id"])

    def _known_for(self, order: Record) -> Iterator[str]:
        """What tells an order apart from the customer's others."""
        others = [other for other in self._all_orders() if other is not order]
        theirs = {item["name"] for other in others for item in other["items"]}
        marks = [item["name"] for item in order["items"] if item["name"] not in theirs]
        yield from (f"with the {mark}" for mark in marks)
        paid = order["payment_history"][0]["amount"]
        if not marks and all(other["payment_history"][0]["amount"] != paid for other in others):
            yield f"that cost {{me}} ${paid:.2f}"
        city = order["address"]["city"]
        if all(other["address"]["city"] != city for other in others) and others:
            yield f"that goes to {city}" if order["status"] == "pending" else f"that went to {city}"

    def _all_orders(self) -> list[Record]:
        return [world().orders[number] for number in self.user["orders"]]

    # --- choices ---

    def variant(self, item: Record, *, available: bool) -> Record | None:
        """Another variant of an item's product, in stock or not."""
        choices = [
            variant
            for variant in world().products[item["product_id"]]["variants"].values()
            if variant["available"] == available and variant["item_id"] != item["item_id"]
        ]
        return self.rng.choice(choices) if choices else None

    def methods(self, *, without: str = "") -> list[Record]:
        """The customer's payment methods in random order."""
        found = [method for method in self.user["payment_methods"].values() if method["id"] != without]
        self.rng.shuffle(found)
        return found

    def payer(self, cents: int) -> Record | None:
        """A payment method that can pay this much (or receive it)."""
        return next((method for method in self.methods() if affords(method, cents)), None)

    def payment_fact(self, method: Record, *, asked: bool) -> Fact:
        """The wished payment method."""
        return Fact(name="payment", value=method_in_words(method), on_request=asked)

    def new_address(self) -> Record:
        """An address that is not the customer's."""
        city, state, prefix = self.rng.choice(people.CITIES)
        return {
            "address1": f"{self.rng.randrange(10, 990)} {self.rng.choice(people.STREETS)}",
            "address2": self.rng.choice(("", f"Apt {self.rng.randrange(1, 60)}")),
            "city": city,
            "state": state,
            "country": "USA",
            "zip": f"{prefix}{self.rng.randrange(100):02}",
        }


def affords(method: Record, cents: int) -> bool:
    """Whether a method can pay this much: only gift cards run out."""
    return "balance" not in method or round(method["balance"] * 100) >= cents


def paid_with(order: Record) -> str:
    """The id of the payment method that an order was paid with."""
    return str(order["payment_history"][0]["payment_method_id"])


def described(item: Record) -> Record:
    """An item as a fact: name, options and ids."""
    return {name: item[name] for name in ("name", "options", "item_id", "product_id")}


def product_reads(items: Sequence[Record]) -> tuple[ToolCall, ...]:
    """The reads of the items' products."""
    return tuple(call("get_product_details", product_id=item["product_id"]) for item in items)


def _distinct(order: Record) -> bool:
    names = [item["name"] for item in order["items"]]
    return len(set(names)) == len(names)
