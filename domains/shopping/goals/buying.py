"""What customers want ordered, and where it is to go."""

from toolgym.domains.people import CITIES, STREETS
from toolgym.domains.shopping import tools
from toolgym.domains.shopping.goals import draws
from toolgym.domains.shopping.rules import gift_secret
from toolgym.domains.shopping.schema import Address, Card, OrderedItem, Variant
from toolgym.sandbox.kit.goal import Calls, Draw, Goal, Made, Slot, Tell

_SPEED = Slot("speed", draws.SPEED.withheld, draw=draws.SPEED.draw, says=draws.SPEED.says, reads=draws.quoted)
_ANY_CARD = Slot("method", draws.METHOD.withheld, says=draws.METHOD.says)
_TOTAL = (Tell("total_cents", near=draws.NEAR_TOTAL), Tell("arrives_on"))
_SHIPPING = {"shipping": draws.option}
_FROM_CART = Slot("address", draws.ADDRESS.withheld, draw=draws.ADDRESS.draw, says=draws.ADDRESS.says)
_TO = Slot("address", draws.ADDRESS.withheld, of=Address, says=draws.ADDRESS.says)
_NAMES = ("Clara", "Omar", "Ingrid", "Mateo", "Priya", "Desmond", "Yuki", "Leila")
_OCCASIONS = ("birthday", "wedding", "anniversary", "graduation", "housewarming", "retirement")


def _something(draw: Draw) -> Variant | None:
    there = [row for row in draw.rows(Variant) if row.stock >= 3]
    return draws.if_cart_is_empty(draw, there)


def _place(draw: Draw) -> dict[str, str]:
    """A new address."""
    city, _, prefix = draw.rng.choice(CITIES)
    street = f"{draw.rng.randrange(3, 990)} {draw.rng.choice(STREETS)}"
    return {"street": street, "city": city, "zip": f"{prefix}{draw.rng.randrange(100):02d}"}


def _in_words(place: dict[str, str]) -> str:
    return f"{place['street']}, {place['city']} {place['zip']}"


def _to_the_new_address(draw: Draw) -> Calls:
    put: Calls = [(tools.add_to_cart, {"variant": draws.same_again(draw)})]
    return [*put, *draws.ordered(draw, Made("address_id"))]


PLACE = Slot("place", fills=("street", "city", "zip"), draw=_place, say=_in_words, says=("It is {}.", "{}."))

BUYING = (
    Goal(
        tools.checkout,
        name="order_cart",
        slots=(_FROM_CART, _ANY_CARD, draws.CODE, _SPEED),
        worked_out=_SHIPPING,
        tells=_TOTAL,
        share=1.5,
    ),
    Goal(
        tools.checkout,
        name="order_with_credit",
        fixed={"use_credit": True},
        slots=(_FROM_CART, _ANY_CARD, draws.CODE, _SPEED),
        worked_out=_SHIPPING,
        tells=_TOTAL,
        share=0.6,
    ),
    Goal(
        tools.checkout,
        name="order_gift",
        slots=(_FROM_CART, _ANY_CARD, draws.CODE, _SPEED, Slot("gift_note", mentions=("person", "occasion"))),
        about=(Slot("person", draw=_NAMES), Slot("occasion", draw=_OCCASIONS)),
        worked_out=_SHIPPING,
        tells=_TOTAL,
        share=0.6,
    ),
    Goal(
        tools.checkout,
        name="note_with_price",
        against=gift_secret,
        fixed={"gift_note": "This cost me a lot of dollars."},
        slots=(_FROM_CART, _ANY_CARD, draws.CODE, _SPEED),
        worked_out=_SHIPPING,
        share=0.3,
    ),
    Goal(
        tools.add_to_cart,
        name="buy",
        slots=(
            Slot("variant", draw=_something, says=draws.AN_ITEM),
            draws.QUANTITY,
            _TO,
            draws.METHOD,
            draws.CODE,
            draws.SPEED,
        ),
        also=lambda draw: draws.ordered(draw, draw.values["address"]),
        tells=draws.PLACED,
        share=1.5,
    ),
    Goal(
        tools.add_to_cart,
        name="reorder",
        slots=(
            Slot("item", of=OrderedItem, draw=draws.bought_item, says=draws.AN_ITEM),
            _TO,
            draws.METHOD,
            draws.CODE,
            draws.SPEED,
        ),
        worked_out={"variant": draws.same_again},
        where=lambda quantity: quantity == 1,
        also=lambda draw: draws.ordered(draw, draw.values["address"]),
        tells=draws.PLACED,
    ),
    Goal(
        tools.add_address,
        name="order_to_new_address",
        slots=(
            Slot("label", draw=("Mother", "Brother Tom", "Aunt Vera", "Grandpa", "Neighbours", "Cousin Ida")),
            PLACE,
            Slot("item", of=OrderedItem, draw=draws.bought_item, says=draws.AN_ITEM),
            Slot("method", draws.METHOD.withheld, of=Card, draw=draws.good_card, says=draws.METHOD.says),
            draws.CODE,
            draws.SPEED,
        ),
        also=_to_the_new_address,
        tells=draws.PLACED,
        share=0.7,
    ),
    Goal(
        tools.add_address,
        name="save_address",
        slots=(Slot("label", draw=("summer house", "new flat", "workshop", "garage", "club", "parcel shop")), PLACE),
        tells=(Tell("address_id", kind="text"),),
        share=0.6,
    ),
)
