"""One customer with orders and catalogue, as task generation sees them: through the world's own read tools."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from domains.retail import people
from sandbox.session import Session
from sandbox.task import Difficulty, Fact

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

        reader = session.domain.image().reader
        ids = [row[0] for row in reader.execute("SELECT user_id FROM users ORDER BY user_id")]
        users = {user_id: look("get_user_details", user_id=user_id) for user_id in ids}
        numbers = [order for user in users.values() for order in user["orders"]]
        orders = {order: look("get_order_details", order_id=order) for order in numbers}
        products = {p: look("get_product_details", product_id=p) for p in look("list_all_product_types").values()}
    return World(users, orders, products)


@dataclass
class Case:
    """A customer in one task, with the draw that decides everything about it.

    Attributes:
        rng: this task's draw.
        user: the customer's profile.
        difficulty: how much is told at once.
        used: orders that wishes of this task concern already.
    """

    rng: random.Random
    user: Record
    difficulty: Difficulty
    used: set[str]

    @property
    def vague(self) -> bool:
        """Orders are described, not numbered: the agent must find them."""
        return self.difficulty == "hard"

    def orders(self, *statuses: str) -> list[Record]:
        """The customer's orders in these states that no other wish concerns, in random order."""
        found = [world().orders[order] for order in self.user["orders"] if order not in self.used]
        found = [order for order in found if order["status"] in statuses and _distinct(order)]
        self.rng.shuffle(found)
        return [order for order in found if not self.vague or self._recognisable(order)]

    def take(self, order: Record) -> None:
        """Mark an order as concerned."""
        self.used.add(order["order_id"])

    def order_fact(self, order: Record) -> tuple[Fact, ...]:
        """The order number, unless the customer does not know it."""
        if self.vague:
            return ()
        return (Fact(name="order_id", value=order["order_id"], withheld=self.difficulty == "standard"),)

    def order_words(self, order: Record) -> str:
        """How the customer refers to an order in the first mention."""
        if self.difficulty == "simple":
            return f"order {order['order_id']}"
        if not self.vague:
            return "one of my orders"
        return f"the order with the {self._own_item(order)['name']}"

    def variant(self, item: Record, *, available: bool) -> Record | None:
        """Another variant of an item's product, in stock or not; described unambiguously by its options."""
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
        return next((m for m in self.methods() if "balance" not in m or round(m["balance"] * 100) >= cents), None)

    def method_words(self, method: Record) -> str:
        """How the customer calls a payment method."""
        if method["source"] == "credit_card":
            return f"credit card ending in {method['last_four']}"
        return {"paypal": "PayPal", "gift_card": "gift card"}[method["source"]]

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

    def stranger(self) -> Record:
        """Another customer."""
        others = [user for user in world().users.values() if user["user_id"] != self.user["user_id"] and user["orders"]]
        return self.rng.choice(others)

    def _recognisable(self, order: Record) -> bool:
        return any(self._names().count(item["name"]) == 1 for item in order["items"])

    def _own_item(self, order: Record) -> Record:
        """The first item whose product occurs in no other order of the customer."""
        return next(item for item in order["items"] if self._names().count(item["name"]) == 1)

    def _names(self) -> list[str]:
        return [item["name"] for order in self.user["orders"] for item in world().orders[order]["items"]]


def _distinct(order: Record) -> bool:
    names = [item["name"] for item in order["items"]]
    return len(set(names)) == len(names)


def described(item: Record) -> Record:
    """An item as a fact: name, options and ids."""
    return {name: item[name] for name in ("name", "options", "item_id", "product_id")}


def in_words(item: Record, other: Record | None = None) -> str:
    """An item with its options; only those that differ from another's where one is given."""
    options = [v for k, v in item["options"].items() if other is None or other["options"].get(k) != v]
    named = [f"{k} {v}" for k, v in item["options"].items() if v in options]
    return f"{item['name']} ({', '.join(named)})" if named else item["name"]


def listed(parts: Iterable[str]) -> str:
    """A, B and C."""
    words = list(parts)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
