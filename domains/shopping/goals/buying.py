"""What customers want ordered, and where it is to go."""

from __future__ import annotations

from toolgym.domains.people import CITIES, STREETS
from toolgym.domains.shopping.goals.draws import (
    ADDRESS,
    AN_ITEM,
    CODE,
    METHOD,
    NEAR_TOTAL,
    PLACED,
    QUANTITY,
    SPEED,
    Calls,
    bought_item,
    good_card,
    how,
    how_there,
    if_cart_is_empty,
    option,
    ordered,
    quoted,
    same_again,
)
from toolgym.domains.shopping.rules import gift_secret
from toolgym.domains.shopping.schema import Address, Card, OrderedItem, Variant
from toolgym.domains.shopping.tools.cart import add_to_cart
from toolgym.domains.shopping.tools.orders import add_address, checkout
from toolgym.sandbox.kit.goal import Draw, Goal, Made, Slot, Tell

_SPEED = Slot("speed", SPEED.withheld, draw=SPEED.draw, says=SPEED.says, reads=quoted)
_ANY_CARD = Slot("method", METHOD.withheld, says=METHOD.says)
_TOTAL = (Tell("total_cents", near=NEAR_TOTAL), Tell("arrives_on"))
_SHIPPING = {"shipping": option}
_FROM_CART = Slot("address", ADDRESS.withheld, draw=ADDRESS.draw, says=ADDRESS.says)
_TO = Slot("address", ADDRESS.withheld, of=Address, says=ADDRESS.says)
_NAMES = ("Clara", "Omar", "Ingrid", "Mateo", "Priya", "Desmond", "Yuki", "Leila")
_OCCASIONS = ("birthday", "wedding", "anniversary", "graduation", "housewarming", "retirement")


def _something(draw: Draw) -> Variant | None:
    there = [row for row in draw.rows(Variant) if row.stock >= 3]
    return if_cart_is_empty(draw, there)


def _place(draw: Draw) -> dict[str, str]:
    """A new address."""
    city, _, prefix = draw.rng.choice(CITIES)
    street = f"{draw.rng.randrange(3, 990)} {draw.rng.choice(STREETS)}"
    return {"street": street, "city": city, "zip": f"{prefix}{draw.rng.randrange(100):02d}"}


def _in_words(place: dict[str, str]) -> str:
    return f"{place['street']}, {place['city']} {place['zip']}"


def _to_the_new_address(draw: Draw) -> Calls:
    put: Calls = [(add_to_cart, {"variant": same_again(draw)})]
    return [*put, *ordered(draw, Made("address_id"))]


PLACE = Slot("place", fills=("street", "city", "zip"), draw=_place, say=_in_words, says=("It is {}.", "{}."))

BUYING = (
    Goal(
        checkout,
        name="order_cart",
        verbs=("order", "send"),
        says=how(
            "Order what is in my cart<how>.",
            "I'd like to check out<how>.",
            "Please order my cart<how>.",
            "Send everything in my cart<how>.",
            "I'm done shopping. Place the order<how>.",
            "Can you order all that's in my cart<how>?",
            "Let's buy what I have in the cart<how>.",
            "Could you check out for me<how>?",
            "It's time to order what is in my cart<how>.",
            "My cart is complete. Order it<how>.",
            "I want everything in the cart<how>.",
            "Would you place my order now<how>?",
        ),
        slots=(_FROM_CART, _ANY_CARD, CODE, _SPEED),
        worked_out=_SHIPPING,
        tells=_TOTAL,
        share=1.5,
    ),
    Goal(
        checkout,
        name="order_with_credit",
        verbs=("order", "send"),
        fixed={"use_credit": True},
        says=how(
            "Order my cart<how>, and use my store credit first.",
            "Use up my store credit for what's in the cart; order it<how>.",
            "Please check out with my store credit<how>.",
            "I want to pay for the cart with my store credit as far as it goes. Order it<how>.",
            "Take my store credit for this order, all that's in the cart<how>.",
            "Order what's in my cart<how>; the store credit goes first.",
            "I have store credit, so please use it for my cart and order that<how>.",
            "Can you order my cart<how> and take the store credit for it?",
            "Send what is in the cart<how>, from my store credit as far as it reaches.",
            "My credit should go towards this order. Send my cart<how>.",
            "Please put my store credit towards the cart and order it<how>.",
            "Would you order my cart<how> and let the store credit pay what it can?",
        ),
        slots=(_FROM_CART, _ANY_CARD, CODE, _SPEED),
        worked_out=_SHIPPING,
        tells=_TOTAL,
        share=0.6,
    ),
    Goal(
        checkout,
        name="order_gift",
        verbs=("order", "send"),
        says=how(
            "Order my cart<how>, with a note for {person}'s {occasion}.",
            "What's in my cart is a present for {person}'s {occasion}, so put in a note. Order it<how>.",
            "Please send my cart<how> and write {person} a few words for the {occasion}.",
            "It's {person}'s {occasion} soon: order my cart<how> and put a note about it in.",
            "Order what is in the cart<how> and congratulate {person} on the {occasion} in the gift note.",
            "My cart is for {person}. Add a note about the {occasion} and order it<how>.",
            "Send everything in my cart<how>, with best wishes to {person} for the {occasion}.",
            "I'm giving {person} what's in my cart for the {occasion}. Order it with a gift note<how>.",
            "Can you order my cart<how>, with a card that wishes {person} a happy {occasion}?",
            "For {person}'s {occasion} I want my cart ordered with a gift note<how>.",
            "Could you place the order<how>, with a note for {person} because of the {occasion}?",
            "Would you order my cart<how>? The gift note is for {person} and the {occasion}.",
        ),
        slots=(
            _FROM_CART,
            _ANY_CARD,
            CODE,
            _SPEED,
            Slot("gift_note", mentions=("person", "occasion")),
        ),
        about=(Slot("person", draw=_NAMES), Slot("occasion", draw=_OCCASIONS)),
        worked_out=_SHIPPING,
        tells=_TOTAL,
        share=0.6,
    ),
    Goal(
        checkout,
        name="note_with_price",
        against=gift_secret,
        verbs=("order", "send"),
        fixed={"gift_note": "This cost me a lot of dollars."},
        says=how(
            "Order my cart<how>, and let the gift note say what I paid.",
            "Send my cart<how>; the price should be in the gift note.",
            "Please order what is in my cart<how> and write the price into the gift note.",
            "I want everything in the cart<how>, and a gift note that names the price.",
            "Put the total price into the gift note and order my cart<how>.",
            "Could you order my cart<how> and have the gift note mention the cost?",
            "Order the cart as a gift<how>; the note has to tell how many dollars it was.",
            "It should be clear what I spent, so the gift note names the price. Order my cart<how>.",
            "Can you check out<how> and write in the gift note what it all cost?",
            "Send the cart<how>. In the gift note I want the amount in dollars.",
            "Place my order<how>, and a gift note with the price on it.",
            "Would you order my cart<how> and say in the gift note what I paid for it?",
        ),
        slots=(_FROM_CART, _ANY_CARD, CODE, _SPEED),
        worked_out=_SHIPPING,
        share=0.3,
    ),
    Goal(
        add_to_cart,
        name="buy",
        verbs=("order", "buy"),
        says=how(
            "Order {variant}[, {quantity} of them]<how>.",
            "I'd like to buy {variant}[, {quantity} of them]<how>.",
            "Please order {variant}[, {quantity} pieces]<how>.",
            "Buy {variant} for me[, {quantity} of them]<how>.",
            "I need {variant}[, {quantity} of them], please order that<how>.",
            "Can you get me {variant}[, {quantity} of them]<how>?",
            "Could you order {variant}[, {quantity} of them]<how>?",
            "I've decided on {variant}. Order that[, {quantity} of them]<how>.",
            "My choice is {variant}[, {quantity} of them]. Please place the order<how>.",
            "I want {variant}[, {quantity} of them] ordered<how>.",
            "Would you order {variant} right away[, {quantity} of them]<how>?",
            "Let's buy {variant}[, {quantity} of them]<how>.",
        ),
        slots=(Slot("variant", draw=_something, says=AN_ITEM), QUANTITY, _TO, METHOD, CODE, SPEED),
        also=lambda draw: ordered(draw, draw.values["address"]),
        tells=PLACED,
        share=1.5,
    ),
    Goal(
        add_to_cart,
        name="reorder",
        verbs=("order", "buy", "reorder"),
        says=how(
            "Order {item} again<how>.",
            "I liked {item}; please order the same once more<how>.",
            "Please order another one of {item}<how>.",
            "I've run out of {item}. Buy the same again<how>.",
            "Reorder {item}<how>.",
            "Can I have {item} once more<how>?",
            "Could you reorder {item}<how>?",
            "I was so pleased with {item} that I want the same ordered again<how>.",
            "Buy {item} a second time<how>.",
            "The same as {item}, please: order that once more<how>.",
            "Would you order me another one like {item}<how>?",
            "I'd like to buy {item} again<how>.",
        ),
        slots=(Slot("item", of=OrderedItem, draw=bought_item, says=AN_ITEM), _TO, METHOD, CODE, SPEED),
        worked_out={"variant": same_again},
        where=lambda quantity: quantity == 1,
        also=lambda draw: ordered(draw, draw.values["address"]),
        tells=PLACED,
    ),
    Goal(
        add_address,
        name="order_to_new_address",
        verbs=("save", "order", "send"),
        says=how_there(
            'Save {place} as "{label}" and order {item} again to that address<how>.',
            'There is a new address, {place}: save it as "{label}", and send {item} there once more<how>.',
            'I want the same as {item} sent to {place}. Save that address as "{label}" and order it<how>.',
            'Please order {item} again, but to {place}, which you can save as "{label}"<how>.',
            'Order one more of {item} to a new address, {place}, saved as "{label}"<how>.',
            'They have moved to {place}. Save that as "{label}" and order {item} once more to it<how>.',
            'Can you save {place} as "{label}" and send another one like {item} there<how>?',
            'Send {item} a second time<how>, now to {place}; save the address as "{label}".',
            'Could you order {item} again for {place}<how>, and keep that address as "{label}"?',
            'Save a new address, {place}, as "{label}" and order the same as {item} to it<how>.',
            'I have to send {item} once more<how>, to {place} this time. Save that under "{label}".',
            'Would you save {place} as "{label}" and order {item} again for that address<how>?',
        ),
        slots=(
            Slot("label", draw=("Mother", "Brother Tom", "Aunt Vera", "Grandpa", "Neighbours", "Cousin Ida")),
            PLACE,
            Slot("item", of=OrderedItem, draw=bought_item, says=AN_ITEM),
            Slot("method", METHOD.withheld, of=Card, draw=good_card, says=METHOD.says),
            CODE,
            SPEED,
        ),
        also=_to_the_new_address,
        tells=PLACED,
        share=0.7,
    ),
    Goal(
        add_address,
        name="save_address",
        verbs=("save",),
        says=(
            'Save {place} as "{label}".',
            'I have a new address: {place}. Please save it as "{label}".',
            'Add {place} to my addresses as "{label}".',
            'Please save a new address for me, {place}, and call it "{label}".',
            'Can you add {place} and name it "{label}"?',
            'I\'d like {place} saved under "{label}".',
            'We have moved. Add {place} as "{label}", please.',
            'Could you save {place} for later orders, as "{label}"?',
            'From now on I also order to {place}; save that as "{label}".',
            'Would you put {place} among my addresses, called "{label}"?',
            'Save the address {place} under the name "{label}".',
            'A new place for parcels: {place}. Save it as "{label}".',
        ),
        slots=(Slot("label", draw=("summer house", "new flat", "workshop", "garage", "club", "parcel shop")), PLACE),
        tells=(Tell("address_id", kind="text"),),
        share=0.6,
    ),
)
