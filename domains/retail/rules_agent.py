"""What the `rules` agent does at the shop's service desk. It sees only the conversation and the tools.

An honest baseline of keyword rules: it authenticates, looks up, proposes, asks for a yes, acts and reports; what it
does not understand it asks about, and it is easily lost.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from domains.retail import agent_answers
from domains.retail import agent_words as words
from sandbox.agents.dialogue import DialogueContext, Script
from sandbox.kit.errors import Refusal
from sandbox.kit.message import Json
from sandbox.speech import callers

User = dict[str, Any]
_MORE = "Is there anything else?"
_MOST_LOOKUPS = 16
"""Ways to find a customer that are tried in all: names are misheard, and each way is a call that may be refused."""
_LOOKUPS, _LISTENING_LOOKUPS = 8, 19
"""Ways that are tried after each answer that was listened to, and in all; then it is better to ask again."""


class _DialogueState:
    """One dialogue: who the customer is, their orders, and the wish being served."""

    def __init__(self, dialogue: DialogueContext, user: Mapping[str, Any], orders: Sequence[Mapping[str, Any]]) -> None:
        self.dialogue, self.user, self.orders = dialogue, user, list(orders)
        self.text = ""

    @property
    def mark(self) -> str | None:
        """The item by which the text describes an order."""
        return words.order_mark({item["name"] for order in self.orders for item in order["items"]}, self.text)

    @property
    def said(self) -> str:
        """The text without that description."""
        return words.without_mark(self.mark, self.text)

    def ask(self, question: str) -> Script[str]:
        """Ask about the present wish; the answer becomes part of it."""
        answer = yield from self.dialogue.say(question)
        self.text = f"{self.text} {answer}"
        return answer

    def refuse(self, reason: str) -> Script[None]:
        yield from self.dialogue.say(f"I am sorry, that is not possible: {reason} {_MORE}")

    def act(self, proposal: str, report: str, tool: str, **arguments: Json) -> Script[None]:
        """Propose, and on a yes write and report; after a no the answer is read next."""
        if not (yield from self.dialogue.confirm(proposal)):
            return
        try:
            yield from self.dialogue.call(tool, **arguments)
        except Refusal as refusal:
            yield from self.refuse(refusal.message)
            return
        yield from self._refresh(str(arguments.get("order_id", "")))
        yield from self.dialogue.say(f"{report} {_MORE}")

    def _refresh(self, order_id: str) -> Script[None]:
        for index, order in enumerate(self.orders):
            if order["order_id"] == order_id:
                self.orders[index] = yield from self.dialogue.call("get_order_details", order_id=order_id)

    def method(self, identifier: str) -> str:
        """A payment method in words."""
        method = self.user["payment_methods"].get(identifier, {"source": identifier})
        four = f" ending in {method['last_four']}" if method.get("last_four") else ""
        return f"{method['source'].replace('_', ' ')}{four}"


def rules_agent(dialogue: DialogueContext) -> Script[None]:
    """Serve one customer until they end the conversation."""
    wish = dialogue.last
    user = yield from _authenticate(dialogue)
    orders = []
    for order_id in user["orders"]:
        orders.append((yield from dialogue.call("get_order_details", order_id=order_id)))
    state = _DialogueState(dialogue, user, orders)
    kind = words.wish_of(wish)
    state.text = wish
    while True:
        if kind is None:
            kind = words.wish_of((yield from state.ask("How can I help you?")))
            continue
        yield from _SERVICES[kind](state)
        # an answer without a wish of its own corrects the last one, and what is said last counts
        kind, state.text = (
            words.wish_of(dialogue.last) or kind,
            (dialogue.last if words.wish_of(dialogue.last) else f"{state.text} {dialogue.last}"),
        )


def _authenticate(dialogue: DialogueContext) -> Script[User]:
    if dialogue.profile is not None:
        return cast(User, dialogue.profile)
    tried: set[str] = set()
    while True:
        left = (_LISTENING_LOOKUPS if dialogue.listening else _MOST_LOOKUPS) - len(tried)
        ways = [way for way in _identities(dialogue) if str(way[1]) not in tried]
        for tool, arguments in ways[: min(left, _LOOKUPS) if dialogue.listening else left]:
            tried.add(str(arguments))
            try:
                found = yield from dialogue.call(tool, **arguments)
                return cast(User, (yield from dialogue.call("get_user_details", user_id=found)))
            except Refusal:
                continue
        yield from dialogue.say(_who(dialogue, again=bool(tried)))


def _who(dialogue: DialogueContext, *, again: bool) -> str:
    """The question who it is; who listens asks for letters at once."""
    spell = " Please spell your name and your e-mail address." if dialogue.listening and not again else ""
    wanted = "your e-mail address, or your first and last name and zip code?"
    return f"{'I could not find you. Please spell it: what is' if again else 'To find you: what is'} {wanted}{spell}"


def _identities(dialogue: DialogueContext) -> list[tuple[str, dict[str, Json]]]:
    """The ways to look up who is meant by what was said, the likeliest first."""
    answers = dialogue.heard[1:]  # the opening may name places and products
    if dialogue.listening:
        emails, people = callers.emails(answers), callers.names(answers)
    else:
        people = list(dict.fromkeys(name for answer in reversed(answers) for name in words.names_in(answer)))
        emails = list(dict.fromkeys(reversed(words.EMAIL.findall(" ".join(dialogue.heard)))))
    codes = dict.fromkeys(words.ZIP.findall(" ".join(reversed(answers))))
    ways: list[tuple[str, dict[str, Json]]] = [("find_user_id_by_email", {"email": email}) for email in emails]
    for first, last in people:
        ways += [("find_user_id_by_name_zip", {"first_name": first, "last_name": last, "zip": code}) for code in codes]
    return ways


# --- choosing what a wish is about ---


def _order(state: _DialogueState, status: str) -> Script[Mapping[str, Any] | None]:
    """The order that the wish is about; None when it was refused or stays unknown."""
    order = _named_order(state) or _guessed_order(state, status)
    if order is None:
        yield from state.ask("Which order is it about? Please tell me the order number.")
        order = _named_order(state) or _guessed_order(state, status)
    if order is None:
        yield from state.ask("Which items are in the order?")
        order = _guessed_order(state, status)
    if order is None:
        yield from state.refuse("I cannot tell which order it is about.")
    return order


def _named_order(state: _DialogueState) -> Mapping[str, Any] | None:
    """The order whose number, or whose item by which orders are told apart, the text names."""
    named, mark = words.orders_in(state.text), state.mark
    if named:
        known = {order["order_id"]: order for order in state.orders}
        return known.get(named[-1]) or known.get(words.nearest_order(named[-1], known) or "")
    marked = [order for order in state.orders if any(item["name"] == mark for item in order["items"])]
    return marked[0] if len(marked) == 1 else None


def _guessed_order(state: _DialogueState, status: str) -> Mapping[str, Any] | None:
    """The one order that holds what the text names, fitting ones first."""
    fitting = [order for order in state.orders if order["status"] == status]
    for orders in (fitting, state.orders):
        holding = [order for order in orders if words.items_in(order["items"], state.said)]
        if len(holding) == 1:
            return holding[0]
    return fitting[0] if len(fitting) == 1 else None


def _items(state: _DialogueState, order: Mapping[str, Any], question: str) -> Script[list[Mapping[str, Any]]]:
    found = words.items_in(order["items"], state.said)
    if not found and re.search(
        r"\b(?:everything|all (?:of )?(?:the |its )?items|whole order|entire order)\b", state.text
    ):
        return list(order["items"])
    if not found:
        yield from state.ask(question)
        found = words.items_in(order["items"], state.said)
    return found


def _payment(state: _DialogueState, question: str) -> Script[str | None]:
    chosen = words.payment_in(state.user["payment_methods"], state.text)
    if chosen is None:
        yield from state.ask(question)
        chosen = words.payment_in(state.user["payment_methods"], state.text)
    return chosen


def _paid_with(order: Mapping[str, Any]) -> str:
    return str(order["payment_history"][0]["payment_method_id"])


def _listed(items: Sequence[Mapping[str, Any]]) -> str:
    return "; ".join(
        f"{item['name']} ({', '.join(f'{key}: {value}' for key, value in item['options'].items())})" for item in items
    )


# --- services ---


def _cancel(state: _DialogueState) -> Script[None]:
    order = yield from _order(state, "pending")
    if order is None:
        return
    if order["status"] != "pending":
        yield from state.refuse(f"order {order['order_id']} is {order['status']}, only a pending one can be cancelled.")
        return
    if words.reason_in(state.text) is None:
        yield from state.ask("What is the reason: is it no longer needed, or was it ordered by mistake?")
    reason = words.reason_in(state.text)
    if reason is None:
        yield from state.refuse("our policy does not allow to cancel for another reason.")
        return
    what = f"order {order['order_id']}"
    yield from state.act(
        f"I would cancel {what} with the reason: {reason}.",
        f"I have cancelled {what}.",
        "cancel_pending_order",
        order_id=order["order_id"],
        reason=reason,
    )


def _return(state: _DialogueState) -> Script[None]:
    order = yield from _order(state, "delivered")
    if order is None:
        return
    if order["status"] != "delivered":
        yield from state.refuse(
            f"order {order['order_id']} is {order['status']}, only a delivered one can be returned."
        )
        return
    items = yield from _items(state, order, "Which items would you like to return?")
    payment = yield from _payment(state, "Which payment method should the refund go to?")
    payment = payment or _paid_with(order)
    if payment != _paid_with(order) and not payment.startswith("gift_card"):
        yield from state.refuse("a refund goes to the original payment method or to a gift card.")
        return
    what = f"{_listed(items)} of order {order['order_id']}"
    yield from state.act(
        f"I would return {what}, refunded to your {state.method(payment)}.",
        f"I have returned {what}.",
        "return_delivered_order_items",
        order_id=order["order_id"],
        item_ids=[item["item_id"] for item in items],
        payment_method_id=payment,
    )


def _exchange(state: _DialogueState) -> Script[None]:
    yield from _replace_items(state, "delivered", "exchange", "exchange_delivered_order_items")


def _modify_items(state: _DialogueState) -> Script[None]:
    order = _named_order(state) or _guessed_order(state, "pending")
    if order is not None and order["status"] == "delivered":
        yield from _exchange(state)
    else:
        yield from _replace_items(state, "pending", "modify", "modify_pending_order_items")


def _replace_items(state: _DialogueState, status: str, verb: str, tool: str) -> Script[None]:
    order = yield from _order(state, status)
    if order is None:
        return
    if order["status"] != status:
        yield from state.refuse(f"order {order['order_id']} is {order['status']}, this needs a {status} one.")
        return
    items = yield from _items(state, order, f"Which items would you like to {verb}?")
    chosen = []
    for item in items:
        variant = yield from _variant(state, item, items)
        if variant is None:
            return
        chosen.append({**variant, "name": item["name"]})
    payment = (yield from _payment(state, "Which payment method should be used?")) or _paid_with(order)
    order_id = order["order_id"]
    difference = sum(new["price"] - old["price"] for old, new in zip(items, chosen, strict=True))
    money = f"The price difference is ${abs(difference):.2f}, {'to pay' if difference > 0 else 'refunded'}."
    yield from state.act(
        f"I would {verb} {_listed(items)} of order {order_id} for {_listed(chosen)}, with your "
        f"{state.method(payment)}. {money}",
        f"Your order {order_id} has been {verb.replace('modify', 'modifie')}d.",
        tool,
        order_id=order_id,
        item_ids=[item["item_id"] for item in items],
        new_item_ids=[variant["item_id"] for variant in chosen],
        payment_method_id=payment,
    )


def _variant(
    state: _DialogueState, item: Mapping[str, Any], items: Sequence[Mapping[str, Any]]
) -> Script[Mapping[str, Any] | None]:
    """The available variant that the wish asks for; None when there is none and the user has been told."""
    product = yield from state.dialogue.call("get_product_details", product_id=item["product_id"])
    variants: list[Mapping[str, Any]] = list(product["variants"].values())
    named = [variant for variant in variants if variant["item_id"] in state.text and variant["available"]]
    if named and named[-1]["item_id"] != item["item_id"]:
        return named[-1]
    wanted = words.wanted_options(item, items, variants, state.said)
    if wanted == item["options"]:
        yield from state.ask(f"Which options would you like for the new {item['name']}?")
        wanted = words.wanted_options(item, items, variants, state.said)
    for variant in variants:
        if variant["options"] == wanted and variant["available"]:
            return variant
    yield from state.refuse(f"that {item['name']} ({', '.join(wanted.values())}) is not available.")
    return None


def _change_payment(state: _DialogueState) -> Script[None]:
    order = yield from _order(state, "pending")
    if order is None:
        return
    if order["status"] != "pending":
        yield from state.refuse(f"order {order['order_id']} is {order['status']}, only a pending one can be changed.")
        return
    payment = yield from _payment(state, "Which payment method would you like to use instead?")
    if payment is None:
        yield from state.refuse("I do not find that payment method in your profile.")
        return
    yield from state.act(
        f"I would change the payment of order {order['order_id']} to your {state.method(payment)}.",
        f"I have changed the payment of order {order['order_id']}.",
        "modify_pending_order_payment",
        order_id=order["order_id"],
        payment_method_id=payment,
    )


def _change_address(state: _DialogueState) -> Script[None]:
    order = yield from _order(state, "pending")
    if order is None:
        return
    if order["status"] != "pending":
        yield from state.refuse(f"order {order['order_id']} is {order['status']}, its address is fixed.")
        return
    address = yield from _address(state)
    if address is None:
        return
    yield from state.act(
        f"I would change the address of order {order['order_id']} to {_line(address)}.",
        f"I have changed the address of order {order['order_id']}.",
        "modify_pending_order_address",
        order_id=order["order_id"],
        **address,
    )


def _change_profile(state: _DialogueState) -> Script[None]:
    address = yield from _address(state)
    if address is not None:
        yield from state.act(
            f"I would change the address in your profile to {_line(address)}.",
            "I have updated your profile.",
            "modify_user_address",
            user_id=state.user["user_id"],
            **address,
        )


def _address(state: _DialogueState) -> Script[dict[str, str] | None]:
    for _ in range(2):
        address = words.address_in(state.text)
        if address is not None:
            return address
        yield from state.ask("What is the full new address, with city, state, country and zip code?")
    address = words.address_in(state.text)
    if address is None:
        yield from state.refuse("I need a full address for that.")
    return address


def _line(address: Mapping[str, str]) -> str:
    return ", ".join(part for part in address.values() if part)


def _transfer(state: _DialogueState) -> Script[None]:
    yield from state.dialogue.call("transfer_to_human_agents", summary=f"The customer says: {state.text}")


def _inform(state: _DialogueState) -> Script[None]:
    answer = agent_answers.about_user(state.user, state.said)
    order = _named_order(state)
    types = {} if answer or order else (yield from state.dialogue.call("list_all_product_types"))
    product = words.product_in(types, state.said)
    if order is not None:
        answer = answer or agent_answers.about_order(order, state.said)
    elif product is not None:
        details = yield from state.dialogue.call("get_product_details", product_id=types[product])
        answer = answer or agent_answers.about_product(details, state.said)
    yield from state.dialogue.say(f"{answer or 'I do not know what you mean; please put it in other words.'} {_MORE}")


_SERVICES: dict[words.GoalDraft, Callable[[_DialogueState], Script[None]]] = {
    "human": _transfer,
    "info": _inform,
    "cancel": _cancel,
    "return": _return,
    "exchange": _exchange,
    "items": _modify_items,
    "payment": _change_payment,
    "address": _change_address,
    "profile": _change_profile,
}
