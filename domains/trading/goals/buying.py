"""What investors want bought."""

from __future__ import annotations

from toolgym.domains.trading.goals.draws import GOOD_FOR, limit_to_buy, several_lots, traded
from toolgym.domains.trading.tools import place_order
from toolgym.sandbox.kit.goal import Goal, Slot, Tell

INSTRUMENT = Slot("instrument", draw=traded, says=("I mean {}.", "It is {}."))
QUANTITY = Slot("quantity", withheld=0.4, draw=several_lots, says=("{} shares.", "{} of them."))

BUYING = (
    Goal(
        place_order,
        name="buy_limit",
        verbs=("buy", "order"),
        fixed={"side": "buy", "kind": "limit"},
        says=(
            "Buy[ {quantity} shares of] {instrument} at {price_cents} or less[, {good_for}].",
            "Please buy {instrument} for me[, {quantity} shares][, {good_for}][, at {price_cents} at most].",
            "I want to buy[ {quantity} shares of] {instrument}[, {good_for}], but not above {price_cents}.",
            "Put in a limit order to buy[ {quantity}] {instrument}[ shares][ at {price_cents}][, {good_for}].",
            "Can you get me[ {quantity} shares of] {instrument} for {price_cents} each at most[, {good_for}]?",
            "I'd like to own[ {quantity} shares of] {instrument}; my limit is {price_cents}[, {good_for}].",
            "Place a limit order[ {good_for}]: buy {instrument}[, {quantity} shares][, limit {price_cents}].",
            "If it can be had for {price_cents} or less, buy[ {quantity} shares of] {instrument}[, {good_for}].",
            "Order[ {quantity}] {instrument} shares with a limit[ of {price_cents}][, {good_for}].",
            "My bid for {instrument} is {price_cents} a share[; buy {quantity}][, {good_for}].",
            "I would pay up to {price_cents} a share for {instrument}. Buy[ {quantity}| some], please[, {good_for}].",
            "{instrument} is worth {price_cents} to me; please buy[ {quantity} shares] at that limit[, {good_for}].",
        ),
        slots=(
            INSTRUMENT,
            QUANTITY,
            GOOD_FOR,
            Slot("price_cents", withheld=0.3, draw=limit_to_buy, says=("{} a share.", "My limit is {}.")),
        ),
        tells=(Tell("state", kind="text"),),
        share=1.5,
    ),
    Goal(
        place_order,
        name="buy_market",
        verbs=("buy",),
        fixed={"side": "buy", "kind": "market"},
        says=(
            "Buy[ {quantity} shares of] {instrument} at the market.",
            "Please buy {instrument} at whatever it costs right now[, {quantity} shares].",
            "I want[ {quantity} shares of] {instrument} right away, at the market price.",
            "Get me[ {quantity}] {instrument} shares at the market, please.",
            "Can you buy[ {quantity} shares of] {instrument} at the current price?",
            "Put in a market order to buy {instrument}[, {quantity} shares].",
            "I'd like to buy[ {quantity} shares of] {instrument} now, at market.",
            "Market order, please: buy[ {quantity}] {instrument}.",
            "Pick up[ {quantity} shares of] {instrument} for me at the market price.",
            "No limit, just buy[ {quantity} shares of] {instrument} for me.",
            "It has to be now: buy[ {quantity} shares of] {instrument} at market.",
            "Would you buy {instrument} for me at today's price[, {quantity} shares]?",
        ),
        slots=(INSTRUMENT, QUANTITY),
        tells=(Tell("net_cents", near=("commission", "fee", "paid", "cost", "total", "all")),),
    ),
)
