"""Questions of a customer: about the catalogue, an order or the account; their answers must be said.

Each builder draws one for a customer, or None when the customer has nothing to ask it about.
"""

from __future__ import annotations

from domains.retail.customer_sampler import CustomerSampler, Record, product_reads, world
from domains.retail.goals import Builder
from domains.retail.wording import item_in_words
from sandbox.kit.message import ToolCall
from sandbox.synthesis.goal_builder import GoalDraft, call, question
from sandbox.synthesis.wording import money

_SHORT = {"yes", "no", "none", "S", "M", "L", "v"}
"""Values that an agent says by chance."""


# --- the catalogue ---


def _product(sampler: CustomerSampler) -> tuple[Record, list[Record], tuple[ToolCall, ...]]:
    """A product, its variants in stock, and the reads that show them."""
    product = sampler.rng.choice(list(world().products.values()))
    stock = [variant for variant in product["variants"].values() if variant["available"]]
    return product, stock, (call("list_all_product_types"), *product_reads([product]))


def count_variants(sampler: CustomerSampler) -> GoalDraft | None:
    """How many variants of a product can be bought now."""
    product, stock, reads = _product(sampler)
    name = product["name"]
    ways = (
        f"How many different {name} options can {{I}} buy right now?",
        f"How many versions of the {name} do you have in stock?",
        f"I'm wondering: how many {name} options are available at the moment?",
    )
    return question(sampler.rng, ways, f"how many versions of the {name} are in stock", (str(len(stock)),), reads)


def cheapest(sampler: CustomerSampler) -> GoalDraft | None:
    """The price of the cheapest variant in stock."""
    product, stock, reads = _product(sampler)
    name = product["name"]
    ways = (
        f"What does the cheapest {name} that you have in stock cost?",
        f"How much is your cheapest {name} that is available?",
        f"What is the lowest price of a {name} that {{I}} could order now?",
    )
    prices = [variant["price"] for variant in stock]
    tell = (money(min(prices)),) if prices else ()
    return question(sampler.rng, ways, f"what the cheapest {name} in stock costs", tell, reads) if tell else None


def dearest(sampler: CustomerSampler) -> GoalDraft | None:
    """The price of the most expensive variant in stock."""
    product, stock, reads = _product(sampler)
    name = product["name"]
    ways = (
        f"What does the most expensive {name} in stock cost?",
        f"How much is your most expensive {name} that is available?",
    )
    prices = [variant["price"] for variant in stock]
    tell = (money(max(prices)),) if prices else ()
    return question(sampler.rng, ways, f"what the most expensive {name} in stock costs", tell, reads) if tell else None


def price_of(sampler: CustomerSampler) -> GoalDraft | None:
    """The price of one described variant."""
    product, stock, reads = _product(sampler)
    if not stock:
        return None
    variant = sampler.rng.choice(stock)
    words = item_in_words({"name": product["name"], **variant})
    ways = (
        f"How much is the {words}?",
        f"What does the {words} cost?",
        f"How much do you charge for the {words}?",
    )
    return question(sampler.rng, ways, f"what the {words} costs", (money(variant["price"]),), reads)


def options_of(sampler: CustomerSampler) -> GoalDraft | None:
    """The values of one option that are in stock."""
    product, stock, reads = _product(sampler)
    name = product["name"]
    keys = sorted({key for variant in stock for key in variant["options"]})
    if not keys:
        return None
    key = sampler.rng.choice(keys)
    values = sorted({variant["options"][key] for variant in stock})
    if len(values) < 2 or _SHORT & set(values):
        return None
    ways = (
        f"Which {key} options does the {name} come in at the moment?",
        f"Which {key} options of the {name} are available right now?",
    )
    return question(sampler.rng, ways, f"which {key} options of the {name} are in stock", tuple(values), reads)


# --- orders and account ---


def total_of(sampler: CustomerSampler) -> GoalDraft | None:
    """What an order cost."""
    for order in sampler.orders("pending", "processed", "delivered"):
        which = sampler.refer(order)
        ways = (
            f"How much did {{I}} pay for {which.words} in total?",
            f"What was the total of {which.words}?",
        )
        total = money(order["payment_history"][0]["amount"])
        know = f"how much you paid for {which.words} in total"
        return question(sampler.rng, ways, know, (total,), sampler.look_at(order), which.facts)
    return None


def tracking_of(sampler: CustomerSampler) -> GoalDraft | None:
    """An order's tracking number."""
    for order in sampler.orders("processed", "delivered"):
        which = sampler.refer(order)
        ways = (
            f"What is the tracking number of {which.words}?",
            f"Could you tell {{me}} the tracking number of {which.words}?",
        )
        number = order["fulfillments"][0]["tracking_id"][0]
        know = f"the tracking number of {which.words}"
        return question(sampler.rng, ways, know, (number,), sampler.look_at(order), which.facts)
    return None


def balance(sampler: CustomerSampler) -> GoalDraft | None:
    """What is left on the gift card."""
    cards = [method for method in sampler.user["payment_methods"].values() if "balance" in method]
    if not cards:
        return None
    ways = (
        "How much money is left on {my} gift card?",
        "What is the balance of {my} gift card?",
        "Could you tell {me} how much {my} gift card still holds?",
    )
    left = money(cards[0]["balance"])
    return question(sampler.rng, ways, "how much money is left on {my} gift card", (left,), (sampler.profile(),))


def price_in_order(sampler: CustomerSampler) -> GoalDraft | None:
    """What one item of an order cost."""
    for order in sampler.orders("pending", "processed", "delivered"):
        if len(order["items"]) < 2:
            continue
        item = sampler.rng.choice(order["items"])
        which = sampler.refer(order, [item])
        name = item["name"]
        ways = (
            f"How much did {{I}} pay for the {name} in {which.words}?",
            f"What did the {name} in {which.words} cost?",
        )
        know = f"how much you paid for the {name} in {which.words}"
        return question(sampler.rng, ways, know, (money(item["price"]),), sampler.look_at(order), which.facts)
    return None


def option_in_order(sampler: CustomerSampler) -> GoalDraft | None:
    """One option of an item as it was ordered."""
    for order in sampler.orders("pending", "processed", "delivered"):
        item = sampler.rng.choice(order["items"])
        key, value = sampler.rng.choice(sorted(item["options"].items()))
        if value in _SHORT:
            continue
        which = sampler.refer(order, [item])
        ways = (
            f"Which {key} did {{I}} choose for the {item['name']} in {which.words}?",
            f"Could you look up the {key} of the {item['name']} in {which.words}?",
        )
        know = f"which {key} you chose for the {item['name']} in {which.words}"
        return question(sampler.rng, ways, know, (value,), sampler.look_at(order), which.facts)
    return None


def spent_on(sampler: CustomerSampler) -> GoalDraft | None:
    """The sum of all orders of one status."""
    status = sampler.rng.choice(("pending", "delivered"))
    orders = [world().orders[number] for number in sampler.user["orders"]]
    cents = [round(order["payment_history"][0]["amount"] * 100) for order in orders if order["status"] == status]
    if len(cents) < 2:
        return None
    ways = (
        f"How much did all {{my}} {status} orders cost together?",
        f"What is the sum of what {{I}} paid for {{my}} {status} orders?",
    )
    reads = (sampler.profile(), *(call("get_order_details", order_id=order["order_id"]) for order in orders))
    know = f"how much you paid for all your {status} orders together"
    return question(sampler.rng, ways, know, (money(sum(cents) / 100),), reads)


CATALOGUE: tuple[Builder, ...] = (count_variants, cheapest, dearest, price_of, options_of)
ACCOUNT: tuple[Builder, ...] = (total_of, tracking_of, balance, price_in_order, option_in_order, spent_on)


def ask(sampler: CustomerSampler) -> GoalDraft | None:
    """Any question; where nothing is stated plainly, mostly one for which the account must be read."""
    return sampler.rng.choice(ACCOUNT if sampler.rng.random() < (0.8 if sampler.vague else 0.5) else CATALOGUE)(sampler)
