"""Words for retail tasks: how customers put their wishes, in first person for them and in second for scenarios.

Where the person shows, see `sandbox.synthesis.wording`. Not for deciding what is wished.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from sandbox.synthesis.wording import first, listed

Record = Mapping[str, Any]

SAY: dict[str, tuple[str, ...]] = {
    "cancel": (
        "I want to cancel {order}.",
        "I'd like to cancel {order}.",
        "Please cancel {order}.",
        "Could you cancel {order} for me?",
        "I need {order} cancelled.",
        "There is {order} that I'd like to have cancelled.",
    ),
    "return": (
        "I want to return {items} from {order}.",
        "I'd like to send back {items} from {order}.",
        "I need to return {items}; that is from {order}.",
        "Could I return {items} from {order}?",
        "Please let me return {items} from {order}.",
    ),
    "swap": (
        "I'd like to {verb} {changes}, from {order}.",
        "I want to {verb} {changes}. It is about {order}.",
        "Please {verb} {changes} from {order}.",
        "Could you {verb} {changes}? That is in {order}.",
    ),
    "swap_to_be_asked": (
        "I'd like to {verb} {items} from {order} for a different version.",
        "I want to {verb} {items}, from {order}, for another variant.",
        "Could I {verb} {items} from {order} for one with other options?",
    ),
    "pay": (
        "I want to pay for {order} with {method} instead.",
        "Please switch the payment of {order} to {method}.",
        "I'd like to change the payment of {order} to {method}.",
        "Could I pay for {order} with {method} rather than what I chose?",
    ),
    "pay_to_be_asked": (
        "I want to pay for {order} in another way.",
        "I'd like to change the payment of {order}.",
        "Could I switch the payment of {order}?",
    ),
    "ship": (
        "Please send {order} to {where}.",
        "I need {order} delivered to {where}.",
        "I'd like to change the address of {order} to {where}.",
        "Could you ship {order} to {where}?",
    ),
    "ship_to_be_asked": (
        "Please send {order} to another address.",
        "I need {order} delivered to a different address.",
        "I'd like to change the shipping address of {order}.",
    ),
    "profile": (
        "I have moved, please change the default address in my profile to {where}.",
        "My account still has my old address; it should be {where}.",
        "I'd like my profile's default address to be {where}.",
    ),
    "profile_to_be_asked": (
        "I have moved and need the default address in my profile changed.",
        "Please update the address in my account, I have moved.",
        "My profile still has my old address, I need that changed.",
    ),
}
"""Openings of wishes; those `_to_be_asked` leave out what the agent must ask for."""

REFUND = (
    "The refund should go to {method}.",
    "Please refund it to {method}.",
    "I want the money back on {method}.",
)
DIFFERENCE = (
    "Use {method} for the difference.",
    "Any price difference should go on {method}.",
    "Please settle the difference with {method}.",
)
BECAUSE: dict[str, tuple[str, ...]] = {
    "no longer needed": ("I no longer need it.", "I don't need it any more.", "It's simply no longer needed."),
    "ordered by mistake": ("I ordered it by mistake.", "It was ordered by mistake.", "I placed it by mistake."),
}
FALLBACK = (
    "Then make it {change}, please.",
    "In that case I'd take it with {change}.",
    "Then I want {change} instead.",
)
WITHHELD = {
    "order_id": "the order number",
    "reason": "your reason",
    "payment": "the payment method",
    "address": "the new address",
    "new_items": "which options you want instead",
}
"""What a scenario calls the facts that the user tells only when asked."""


def pick(rng: Random, kind: str, **parts: str) -> str:
    """One way to open a wish of this kind, in first person."""
    return first(rng.choice(SAY[kind]).format(**parts))


def options_in_words(options: Mapping[str, str]) -> str:
    """Options as people name them, such as `color black and size M`."""
    return listed(f"{key} {value}" for key, value in options.items())


def item_in_words(item: Record) -> str:
    """A variant with all its options."""
    return f"{item['name']} with {options_in_words(item['options'])}"


def change_in_words(new: Record, *others: Record) -> str:
    """The options in which a wished variant differs from any of the others."""
    changed = {k: v for k, v in new["options"].items() if any(other["options"].get(k) != v for other in others)}
    return options_in_words(changed)


def wished_in_words(verb: str, old: Record, new: Record) -> str:
    """An item and what it shall become: one changes it *to* something, but exchanges it *for* something."""
    link = "to" if verb in {"change", "switch"} else "for one with"
    return f"the {old['name']} {link} {change_in_words(new, old)}"


def method_in_words(method: Record) -> str:
    """A payment method as its owner calls it."""
    if method["source"] == "credit_card":
        return f"credit card ending in {method['last_four']}"
    return {"paypal": "PayPal", "gift_card": "gift card"}[method["source"]]


def owned(method: str) -> str:
    """`{my} gift card`, but plain `PayPal`."""
    return method if method == "PayPal" else f"{{my}} {method}"


def address_in_words(address: Record) -> str:
    """An address on one line."""
    lines = (address["address1"], address["address2"], address["city"])
    return f"{', '.join(line for line in lines if line)}, {address['state']}, {address['country']}, {address['zip']}"
