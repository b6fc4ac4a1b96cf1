"""What customers of the shop come for."""

from collections.abc import Callable
from typing import Any

from toolgym.domains.retail import tools
from toolgym.domains.retail.goals import draws
from toolgym.domains.retail.goals.questions import QUESTIONS
from toolgym.domains.retail.schema import Order, PaymentMethod, Product, User
from toolgym.sandbox.kit.world import Ask, Condition, Draw, Goal, Identity, Slot, Tell, Thing

IDENTITY = Identity(
    User,
    found_by=(tools.find_user_id_by_email, tools.find_user_id_by_name_zip),
    shown_by=tools.get_user_details,
    facts=draws.said_of,
    among="user_id IN (SELECT user_id FROM orders)",
)

THINGS = (
    Thing(Order, found_by=(tools.get_user_details, tools.get_order_details), says_key=True),
    Thing(PaymentMethod, found_by=(tools.get_user_details,), has_known_key=False),
    Thing(Product, found_by=(tools.list_all_product_types,), has_known_key=False),
)

CONDITIONS = (
    Condition(
        PaymentMethod,
        "balance_cents",
        "if there is {value} or more on {it}",
        tools.get_user_details,
        more="has more money on it",
        less="has less money on it",
    ),
    Condition(
        Order,
        "total_cents",
        "if {it} cost {value} or more",
        tools.get_order_details,
        value=draws.paid,
        more="cost more",
        less="cost less",
    ),
)

# --- changes ---


def _exchanged(result: Any) -> int:
    return abs(draws.cents(result["exchange_price_difference"]))


def _changed(result: Any) -> int:
    """What other items cost more or less: the last movement of money, where there was one."""
    last = result["payment_history"][-1]
    movement = {"payment": 1, "refund": -1}[last["transaction_type"]] * draws.cents(last["amount"])
    return abs(movement) if len(result["payment_history"]) > 1 else 0


def _refund(result: Any) -> int:
    held = {item["item_id"]: draws.cents(item["price"]) for item in result["items"]}
    return sum(held[item_id] for item_id in result["return_items"])


_REFUNDED = Tell("refund", "money", value=_refund)


def _settled(difference: Callable[[Any], int]) -> tuple[Ask, Ask]:
    told = Tell("difference", "money", value=difference)
    return Ask("What is the exact price difference?", told), Ask("How much did the price change?", told)


CHANGES = (
    Goal(
        tools.cancel_pending_order,
        slots=(draws.ORDER, draws.REASON),
        asks=(
            Ask("How much will I get back?", Tell("refund", "money", value=draws.paid)),
            Ask("What amount will be refunded?", Tell("refund", "money", value=draws.paid)),
        ),
    ),
    Goal(
        tools.return_delivered_order_items,
        slots=(draws.ORDER, draws.RETURNED, draws.PAYMENT),
        where=draws.holds_items,
        asks=(Ask("How much will I get back?", _REFUNDED), Ask("What is the refund in total?", _REFUNDED)),
    ),
    Goal(
        tools.exchange_delivered_order_items,
        slots=(draws.ORDER, draws.SWAPPED, draws.NEW, draws.PAYMENT),
        where=draws.holds_items,
        asks=_settled(_exchanged),
    ),
    Goal(
        tools.modify_pending_order_items,
        slots=(draws.ORDER, draws.SWAPPED, draws.NEW, draws.PAYMENT),
        where=draws.holds_items,
        asks=_settled(_changed),
    ),
    Goal(
        tools.modify_pending_order_payment,
        slots=(draws.ORDER, draws.PAYMENT),
        where=lambda order, payment_method: order.row.paid_with != payment_method.row.payment_method_id,
    ),
    Goal(tools.modify_pending_order_address, slots=(draws.ORDER, draws.ADDRESS)),
    Goal(tools.modify_user_address, slots=(draws.ADDRESS,)),
)


# --- matters of a human's ---

_MATTERS = (
    "the {item} damaged my floor, and I want compensation for that",
    "the parcel with the {item} never reached me, although it is shown as delivered",
    "I hurt myself on the {item} and want to talk about damages",
    "I want to order two hundred of the {item} for my company at a discount",
    "I would like to become a reseller of the {item}",
    "somebody else has been using my account, and I want that investigated",
    "I need an invoice in the name of my company for the {item}",
    "the {item} broke after two days and I want it repaired under warranty",
    "I want to complain about the courier who delivered the {item}",
    "I want the e-mail address of my account changed, because I no longer use the old one",
)


def _matter(draw: Draw) -> str:
    return str(draw.rng.choice(_MATTERS)).format(item=draw.rng.choice(draw.database.find(Product)).name)


HUMAN = Goal(tools.transfer_to_human_agents, share=0.6, about=(Slot("matter", draw=_matter),))
GOALS = (*CHANGES, *QUESTIONS, HUMAN)
