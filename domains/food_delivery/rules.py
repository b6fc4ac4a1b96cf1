"""The rules of food delivery: each a sentence of the policy, the words of a refusal and a predicate."""

from datetime import datetime, timedelta
from typing import Any

from toolgym.domains.food_delivery import tools
from toolgym.domains.food_delivery.schema import Address, Customer, Dish, Order, Promo
from toolgym.sandbox.kit.world import ToolCall, View, rule

LAST_ORDERS, AHEAD = timedelta(minutes=20), (timedelta(minutes=45), timedelta(days=3))
COMPLAINTS, LATE = timedelta(hours=2), timedelta(minutes=15)
_BASKET = {"basket": lambda: ToolCall(name="get_basket", arguments={})}
Basket = dict[str, Any]


@rule(
    "A basket holds dishes of one restaurant.",
    why="The basket holds dishes of another restaurant; empty it first.|another restaurant|one restaurant|empty",
    on=[tools.add_to_basket],
    reads=[tools.get_dish, tools.get_basket],
    looks=_BASKET,
)
def one_restaurant(dish: View[Dish], basket: Basket) -> bool:
    return not basket["items"] or basket["restaurant"]["restaurant_id"] == dish.row.restaurant_id


@rule(
    "What is sold out is not ordered.",
    why="This dish is sold out today.|sold out|not available|unavailable",
    on=[tools.add_to_basket],
    reads=[tools.get_dish],
)
def sold_out(dish: View[Dish]) -> bool:
    return not dish.row.sold_out


@rule(
    "A dish with an allergen that the customer has on file is not ordered.",
    why="It contains something that the customer is allergic to.|allergic|allergen|allergy|contains",
    on=[tools.add_to_basket],
    reads=[tools.get_account, tools.get_dish],
    by="policy",
)
def allergy(owner: View[Customer], dish: View[Dish]) -> bool:
    return not set(owner.row.allergies.split()) & set(dish.row.allergens.split())


@rule(
    "A promotion takes off its discount from its minimum on and through its last day.",
    why="The promotion has ended, or needs a larger basket.|ended|expired|larger|minimum|last day|too small",
    on=[tools.apply_promo],
    reads=[tools.get_account, tools.get_basket],
    looks=_BASKET,
)
def promo_holds(code: View[Promo], basket: Basket, now: datetime) -> bool:
    return bool(basket["food_cents"] >= code.row.min_cents and now.date() <= code.row.until)


@rule(
    "Dishes come to the restaurant's minimum at least, without the fee and before a discount.",
    why="The dishes are below the minimum of this restaurant.|below the minimum|minimum order|not enough|too little",
    on=[tools.place_order],
    reads=[tools.get_basket],
    looks=_BASKET,
)
def minimum(basket: Basket) -> bool:
    return not basket["items"] or bool(basket["food_cents"] >= basket["restaurant"]["min_cents"])


@rule(
    "A restaurant delivers within its zones.",
    why="The restaurant does not deliver to this address.|not deliver|zone|outside|too far",
    on=[tools.place_order],
    reads=[tools.get_basket, tools.list_addresses],
    looks=_BASKET,
)
def zone(address: View[Address], basket: Basket) -> bool:
    return not basket["items"] or address.row.zone in basket["restaurant"]["zones"].split()


@rule(
    "A restaurant takes orders, for now or for later, while it is open and until 20 minutes before it closes.",
    why="The restaurant is closed then, or closes too soon.|closed|closes|too soon|opening hours|opens",
    on=[tools.place_order],
    reads=[tools.get_basket],
    looks=_BASKET,
)
def hours(deliver_at: datetime | None, basket: Basket, now: datetime) -> bool:
    when, place = deliver_at or now, basket["restaurant"]
    return place is None or (place["opens"] <= f"{when:%H:%M}" and f"{when + LAST_ORDERS:%H:%M}" <= place["closes"])


@rule(
    "Food is ordered 45 minutes ahead at least, and three days at most, unless it is wanted at once.",
    why="That is too short notice, or too far ahead.|short notice|too far ahead|45 minutes|three days",
    on=[tools.place_order],
)
def ahead(deliver_at: datetime | None, now: datetime) -> bool:
    return deliver_at is None or AHEAD[0] <= deliver_at - now <= AHEAD[1]


@rule(
    "An order is cancelled only while it is placed.",
    why="The kitchen has begun with this order.|has begun|cooking|on its way|already|too late to cancel",
    on=[tools.cancel_order],
    reads=[tools.track_order],
)
def cancel_placed(order: View[Order]) -> bool:
    return order.row.state == "placed"


@rule(
    "Problems are reported within two hours of the delivery; an order is late from 15 minutes after the promise on.",
    why="It is too late to report that, or it was not late enough.|too late to report|two hours|15 minutes|not late",
    on=[tools.report_problem],
    reads=[tools.track_order],
)
def in_time(order: View[Order], kind: tools.Kind, now: datetime) -> bool:
    arrived = order.row.arrived_at
    if arrived is None or now - arrived > COMPLAINTS:
        return False
    return kind != "late" or arrived - order.row.due_at >= LATE


@rule(
    "Customers rate what was delivered to them.",
    why="This order was not delivered.|not delivered|not arrived|cancelled|still",
    on=[tools.rate_order],
    reads=[tools.track_order],
)
def delivered(order: View[Order]) -> bool:
    return order.row.state == "delivered"
