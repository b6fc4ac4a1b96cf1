"""What several goals draw and say."""

from collections.abc import Sequence
from typing import Any, TypeVar

from toolgym.domains.shopping import tools
from toolgym.domains.shopping.schema import Address, Card, CartItem, OrderedItem, Product, Variant
from toolgym.sandbox.kit.goal import Calls, Draw, Made, Slot, Tell

Row = TypeVar("Row")
AN_ITEM = ("I mean {}.", "It is {}.")


def how_many(draw: Draw) -> int:
    """How many people order: mostly one."""
    return draw.rng.choice((1, 1, 1, 2, 3))


def if_cart_is_empty(draw: Draw, rows: Sequence[Row]) -> Row | None:
    """One of some rows, where nothing else would be ordered with it."""
    return None if draw.rows(CartItem) else draw.one_of(rows)


def bought_item(draw: Draw) -> OrderedItem | None:
    """Something that was bought before and is in stock, where the cart is empty."""
    found = [row for row in draw.rows(OrderedItem) if _of(draw, row).stock > 0]
    return if_cart_is_empty(draw, found)


def same_again(draw: Draw) -> Variant:
    """The variant that was bought before."""
    return _of(draw, draw.values["item"])


def _of(draw: Draw, item: OrderedItem) -> Variant:
    return draw.database.get_one(Variant, item.variant_id)


def product_of_item(draw: Draw, item: OrderedItem) -> Product:
    """The product that was bought."""
    return draw.database.get_one(Product, item.product_id)


def where_to(draw: Draw) -> Address | None:
    """An address, where there is something to send."""
    return draw.one_of(draw.rows(Address)) if draw.rows(CartItem) else None


def good_card(draw: Draw) -> Card | None:
    """A card that is still valid."""
    return draw.one_of([row for row in draw.rows(Card) if row.expires >= f"{draw.now:%Y-%m}"])


def option(draw: Draw) -> str:
    """The key that the shipping option of the drawn speed has in the quote."""
    number = draw.values["address"].address_id.removeprefix("ad-")
    return f"sh-{number}{list(tools.SPEEDS).index(draw.values['speed']) + 1}"


def quoted(draw: Draw) -> Calls:
    """The quote for the drawn address."""
    return [(tools.quote_shipping, {"address": draw.values["address"]})]


def ordered(draw: Draw, address: Any) -> Calls:
    """The calls that order what is in the cart by then, and send it to an address."""
    place = list(tools.SPEEDS).index(draw.values["speed"])
    given = {
        "address": address,
        "shipping": Made(f"items.{place}.option_id", by=tools.quote_shipping),
        "method": draw.values["method"],
        "security_code": draw.values["security_code"],
    }
    return [(tools.quote_shipping, {"address": address}), (tools.checkout, given)]


VARIANT = Slot("variant", says=AN_ITEM)
LINE = Slot("line", says=AN_ITEM)
QUANTITY = Slot("quantity", withheld=0.3, draw=how_many, says=("{} of them.", "{}, please."))
SPEED = Slot("speed", withheld=0.4, draw=tuple(tools.SPEEDS), says=("{} shipping.", "With {} shipping."))
ADDRESS = Slot("address", withheld=0.4, of=Address, draw=where_to, says=("To {}.", "Send it to {}."))
METHOD = Slot("method", withheld=0.5, of=Card, draw=good_card, says=("With {}.", "I pay with {}."))
CODE = Slot(
    "security_code", draw=lambda draw: draw.values["method"].security_code, says=("The code is {}.",), kind="secret"
)
NEAR_TOTAL = ("total", "come", "comes", "cost", "costs", "paid", "pay")
PLACED = (Tell("total_cents", by=tools.checkout, near=NEAR_TOTAL), Tell("arrives_on", by=tools.checkout))
