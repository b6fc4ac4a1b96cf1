"""What the rules agent answers to questions, from what the tools have shown. Finds nothing (see `rules_agent.py`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domains.retail import agent_words as words

Record = Mapping[str, Any]


def about_user(user: Record, text: str) -> str | None:
    """What is left on gift cards, if that is the question."""
    if "gift card" not in text.lower():
        return None
    balances = [method["balance"] for method in user["payment_methods"].values() if "balance" in method]
    return f"The balance is ${', $'.join(f'{amount:.2f}' for amount in balances)}." if balances else None


def about_order(order: Record, text: str) -> str:
    """An order's tracking number, total or status, whichever is asked for."""
    lower, number = text.lower(), order["order_id"]
    if "track" in lower:
        tracking = [code for shipment in order["fulfillments"] for code in shipment["tracking_id"]]
        return f"The tracking number of order {number} is {', '.join(tracking)}." if tracking else "It has none yet."
    if any(word in lower for word in ("pay", "paid", "total", "cost", "how much")):
        return f"You paid ${order['payment_history'][0]['amount']:.2f} for order {number}."
    return f"Order {number} is {order['status']}."


def about_product(product: Record, text: str) -> str:
    """How many variants there are, the cheapest or dearest price, or the price of the variant that a text describes."""
    lower, name = text.lower(), product["name"]
    stock = [variant for variant in product["variants"].values() if variant["available"]]
    if "how many" in lower:
        return f"There are {len(stock)} {name} options in stock."
    if any(word in lower for word in ("cheapest", "lowest", "least")) and stock:
        return f"The cheapest {name} in stock costs ${min(variant['price'] for variant in stock):.2f}."
    if any(word in lower for word in ("most expensive", "highest", "dearest")) and stock:
        return f"The most expensive {name} in stock costs ${max(variant['price'] for variant in stock):.2f}."
    best = max(product["variants"].values(), key=lambda variant: words.mentions(variant, text))
    options = ", ".join(f"{key}: {value}" for key, value in best["options"].items())
    return f"The {name} ({options}) costs ${best['price']:.2f}."
