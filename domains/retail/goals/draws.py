"""How customers speak of the shop's things, and what their wishes are about."""

from collections.abc import Mapping, Sequence
from typing import Any

from toolgym.domains import people
from toolgym.domains.retail import tools
from toolgym.domains.retail.rules import REASONS
from toolgym.domains.retail.schema import Address, Product, Variant
from toolgym.domains.retail.views import ItemView, view_order
from toolgym.sandbox.kit.world import Database, Draw, Json, Slot, Tool

_ADDRESS = ("address1", "address2", "city", "state", "country", "zip")
SHORT = {"yes", "no", "none", "S", "M", "L", "v"}
"""Values that an agent says by chance."""


def said_of(db: Database, user: Any) -> Mapping[str, Json]:
    """By what a customer is known."""
    home = db.get(Address, user.user_id)
    names = {"first_name": user.first_name, "last_name": user.last_name, "email": user.email}
    return names | {"zip": home.zip if home else None}


def cents(dollars: float) -> int:
    """Dollars, as tools show them, in cents."""
    return round(dollars * 100)


def paid(order: Any) -> int:
    """What was paid for an order in its own history."""
    return cents(order["payment_history"][0]["amount"])


def _listed(parts: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


_UNCOUNTED = {
    "temperature control", "noise cancelling", "water resistance", "storage", "memory", "language", "battery life",
    "network", "filling", "steel", "opacity",
}  # fmt: skip
_SINGULAR = {"1 drawers": "1 drawer", "1 compartments": "1 compartment"}


def options_in_words(options: Mapping[str, str]) -> str:
    """Options as people name them, such as `in black and in size M with a zip closure`."""
    said = [_option(option, value) for option, value in options.items()]
    looks = [each for each in said if each.startswith(("in ", "of "))]
    parts = [each for each in said if each not in looks]
    return " ".join([*([_listed(looks)] if looks else ()), *([f"with {_listed(parts)}"] if parts else ())])


def _option(option: str, value: str) -> str:
    if option == "polarized":
        return "in a polarized version" if value == "yes" else "in a version that is not polarized"
    if value in ("yes", "no", "none"):
        there = option if option in _UNCOUNTED else f"a {option}"
        return there if value == "yes" else f"no {option}"
    if option in ("color", "material"):
        return f"in {value}"
    if option == "size":
        return f"in {value} size" if value.isalpha() and len(value) > 2 else f"in size {value}"
    if option == "type":
        return f"of the {value} type"
    words = f"{value} {'of ' if option == 'battery life' else ''}{option}"
    article = "an " if value[0] in "aeioAEIOR8" or value[:2] == "18" else "a "
    return _SINGULAR.get(
        words, words if option in _UNCOUNTED or (option.endswith("s") and option != "lens") else article + words
    )


# --- what wishes are about ---


def holds_items(order: Any, item_ids: list[str]) -> bool:
    """Whether the items are of the order."""
    return set(item_ids) <= set(order.row.item_ids)


def named_items(draw: Draw) -> list[ItemView]:
    """The items of the order that are known by their names."""
    items = view_order(draw.database, draw.values["order"])["items"]
    names = [item["name"] for item in items]
    return [item for item in items if names.count(item["name"]) == 1]


def chosen_items(draw: Draw) -> list[ItemView]:
    """The items that the wish is about."""
    items = {item["item_id"]: item for item in view_order(draw.database, draw.values["order"])["items"]}
    return [items[item_id] for item_id in draw.values["item_ids"]]


def _some(draw: Draw, most: int) -> dict[str, list[str]] | None:
    held = named_items(draw)
    chosen = draw.rng.sample(held, draw.rng.randint(1, min(most, len(held)))) if held else []
    return {"item_ids": [item["item_id"] for item in chosen]} if chosen else None


def _names(value: Any, draw: Draw) -> str:
    return _listed([f"the {item['name']}" for item in chosen_items(draw)])


def _others(draw: Draw) -> dict[str, list[str]]:
    """Other variants of the items; at times one of another product, which no rule allows."""
    found = []
    for item in chosen_items(draw):
        product = item["product_id"]
        if draw.rng.random() < 0.1:
            product = draw.rng.choice(draw.database.find(Product)).product_id
        variants = [variant for variant in draw.database.find(Variant, product_id=product) if not _is(variant, item)]
        found.append(draw.rng.choice(variants).item_id)
    return {"new_item_ids": found}


def _is(variant: Variant, item: ItemView) -> bool:
    return variant.item_id == item["item_id"]


def _wished(value: Any, draw: Draw) -> str:
    """The wished variants by the options in which they differ."""
    words = []
    for old, new_id in zip(chosen_items(draw), draw.values["new_item_ids"], strict=True):
        new = draw.database.get_one(Variant, new_id)
        product = draw.database.get_one(Product, new.product_id)
        same = new.product_id == old["product_id"]
        changed = {name: value for name, value in new.options.items() if not same or old["options"][name] != value}
        what = "one" if same and len(chosen_items(draw)) == 1 else f"the {product.name}"
        words.append(f"{what} {options_in_words(changed)}")
    return _listed(words)


def _elsewhere(draw: Draw) -> dict[str, str]:
    city, state, prefix = draw.rng.choice(people.CITIES)
    flat = draw.rng.choice(("", f"Apt {draw.rng.randrange(1, 60)}"))
    street = f"{draw.rng.randrange(10, 990)} {draw.rng.choice(people.STREETS)}"
    return dict(zip(_ADDRESS, (street, flat, city, state, "USA", f"{prefix}{draw.rng.randrange(100):02}"), strict=True))


def _on_one_line(value: Any, draw: Draw) -> str:
    return ", ".join(draw.values[name] for name in _ADDRESS if draw.values[name])


def _look_at_order(draw: Draw) -> list[tuple[Tool, Mapping[str, Any]]]:
    return [(tools.get_order_details, {"order": draw.values["order"]})]


def _look_at_products(draw: Draw) -> list[tuple[Tool, Mapping[str, Any]]]:
    kinds = dict.fromkeys(item["product_id"] for item in chosen_items(draw))
    return [(tools.get_product_details, {"product": draw.database.get(Product, kind)}) for kind in kinds]


ORDER = Slot("order")
PAYMENT = Slot("payment_method", withheld=0.5, says=("{}, please.", "Please use {}."))
ADDRESS = Slot("address", withheld=0.5, fills=_ADDRESS, draw=_elsewhere, say=_on_one_line, says=("It is {}.",))
REASON = Slot(
    "reason",
    withheld=0.6,
    draw=(*REASONS, "found cheaper", "too slow", "disliked", "bought by a friend"),
    words={
        "no longer needed": "I no longer need it",
        "ordered by mistake": "I ordered it by mistake",
        "found cheaper": "I found it cheaper elsewhere",
        "too slow": "the delivery takes too long",
        "disliked": "I have come to dislike the brand",
        "bought by a friend": "a friend has bought the same for me",
    },
)
RETURNED = Slot("items", fills=("item_ids",), draw=lambda draw: _some(draw, 3), say=_names, reads=_look_at_order)
SWAPPED = Slot("items", fills=("item_ids",), draw=lambda draw: _some(draw, 2), say=_names, reads=_look_at_order)
NEW = Slot("new_items", 0.35, fills=("new_item_ids",), draw=_others, say=_wished, reads=_look_at_products)
