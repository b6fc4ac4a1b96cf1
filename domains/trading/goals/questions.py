"""What investors want to know."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable
from datetime import date
from typing import Any, get_args

from toolgym.domains.trading.goals.alerts import cheapest
from toolgym.domains.trading.market import with_commission
from toolgym.domains.trading.rules import no_advice
from toolgym.domains.trading.schema import Instrument, Position
from toolgym.domains.trading.tools import (
    Sector,
    get_account,
    get_order,
    get_price_history,
    get_quote,
    list_positions,
    search_instruments,
)
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell

SECTORS = get_args(Sector)


def _month(draw: Draw) -> dict[str, date]:
    first = draw.rng.choice((date(2026, 1, 1), date(2026, 2, 1)))
    return {"first_day": first, "last_day": first.replace(day=monthrange(first.year, first.month)[1])}


def _in_words(days: dict[str, date]) -> str:
    return f"{days['first_day']:%B}"


def _highest(result: Any) -> Any:
    """The day of the highest close; None where two share it."""
    top = max(day["close_cents"] for day in result)
    days = [day for day in result if day["close_cents"] == top]
    return days[0] if len(days) == 1 else None


def _of_highest(name: str) -> Callable[[Any], Any]:
    return lambda result: (_highest(result) or {}).get(name)


def _change(sign: int) -> Callable[[Any], int | None]:
    """The gain, or the loss, of a position; of less than 20 dollars nobody asks."""

    def told(result: Any) -> int | None:
        cents = sign * int(result[0]["gain_cents"])
        return cents if cents >= 2_000 else None

    return told


def _quotes(draw: Draw) -> list[Any]:
    """What shows the buying power and both funds' prices."""
    sector = draw.values["sector"]
    funds = search_instruments.function(draw.database, None, sector, "etf").rows
    shown = [(get_quote, {"instrument": fund}) for fund in funds]
    return [(get_account, {}), (search_instruments, {"sector": sector, "kind": "etf"}), *shown]


def _lots(result: Any, draw: Draw) -> int | None:
    """How many lots the buying power covers at the ask, with the commission."""
    power, price = draw.view(draw.person).buying_power_cents, result["ask_cents"] * result["lot"]
    lots = power // price
    lots -= with_commission(lots * price) > power if lots else 0
    return lots or None


HOW_MUCH = (
    "How much am I up or down on {company}?",
    "What have I gained or lost with {company} so far?",
    "Where do I stand with my {company} shares: what is the gain or loss?",
    "Tell me the gain or loss on {company}.",
    "What is my profit or loss on {company}?",
    "How is my {company} position doing, in dollars up or down?",
    "I'd like to know what {company} has made or lost me.",
    "Is {company} in profit for me, and by how much, or is it a loss?",
    "Am I ahead or behind with {company}, and by what amount?",
    "What is the unrealised gain or loss on {company}?",
    "Can you look up my gain or loss on {company}?",
    "By how much has my {company} position moved since I bought, in money?",
)
"""One question; what must be told is a gain or a loss."""
QUESTIONS = (
    Goal(
        get_price_history,
        name="ask_highest",
        verbs=("tell",),
        says=(
            "On which day in {month} did {instrument} close highest, and at what price?",
            "When in {month} was the closing price of {instrument} at its highest, and what was it?",
            "What was the highest close of {instrument} in {month}, and on what day?",
            "Tell me the day in {month} on which {instrument} closed highest, with the price.",
            "Which day of {month} had the best close for {instrument}, and what was the price?",
            "I'd like to know when {instrument} peaked in {month} and at which closing price.",
            "Look at the closes of {instrument} in {month}: which day was the top, and how high was it?",
            "What day in {month} ended highest for {instrument}, and at what price?",
            "Find the highest closing price of {instrument} in {month} for me, and its day.",
            "In {month}, when did {instrument} close at its best? I need the day and the price.",
            "When did {instrument} peak in {month}? I mean the day and the close.",
            "Can you see on which day of {month}, and at what price, {instrument} closed highest?",
        ),
        slots=(
            Slot("instrument"),
            Slot("month", fills=("first_day", "last_day"), draw=_month, say=_in_words),
        ),
        tells=(
            Tell("day", kind="date", value=_of_highest("day")),
            Tell("close", kind="money", value=_of_highest("close_cents")),
        ),
    ),
    Goal(
        get_quote,
        name="ask_affordable",
        verbs=("tell",),
        says=(
            "How many lots of the cheaper {sector} ETF could I buy right now?",
            "What number of lots of the cheaper {sector} ETF does my buying power cover?",
            "With what I have, how many lots of the cheaper of the two {sector} ETFs can I get?",
            "Tell me how many lots of the cheaper {sector} ETF I could afford, with the commission.",
            "If I spent everything on the cheaper {sector} ETF, how many lots would that be?",
            "How many lots would I get of the {sector} ETF that costs less?",
            "Work out how many lots of the less expensive {sector} ETF I can pay for.",
            "Take the cheaper {sector} ETF: how many lots are within my buying power?",
            "I'm curious how many lots of the cheaper {sector} ETF I could buy at the ask.",
            "Up to how many lots of the cheaper {sector} ETF could I order today?",
            "What would my buying power get me of the cheaper {sector} ETF, in lots?",
            "For the {sector} ETF with the lower price, how many lots can I afford?",
        ),
        slots=(Slot("sector", draw=SECTORS, reads=_quotes),),
        worked_out={"instrument": lambda draw: cheapest(draw, draw.values["sector"])},
        tells=(Tell("lots", kind="number", value=_lots, near=("lot", "lots")),),
        share=1.2,
    ),
    *(
        Goal(
            list_positions,
            name=name,
            verbs=("tell",),
            says=HOW_MUCH,
            slots=(Slot("company", draw=lambda draw: draw.rng.choice(draw.rows(Position)).company),),
            tells=(Tell(name, kind="money", value=_change(sign), near=near),),
            share=0.6,
        )
        for name, sign, near in (
            ("ask_gain", 1, ("gain", "gained", "profit", "up", "ahead", "made")),
            ("ask_loss", -1, ("loss", "lost", "down", "behind")),
        )
    ),
    Goal(
        get_account,
        name="ask_power",
        verbs=("tell",),
        says=(
            "How much could I spend on shares right now?",
            "What is my buying power?",
            "How much money do I have for new orders?",
            "Tell me what I can still buy for.",
            "What could a new order cost at most?",
            "How much buying power is left?",
            "I'd like to know how much I can invest at the moment.",
            "With everything that is reserved, what can I still spend?",
            "Can you check my buying power, please?",
            "How much is there to trade with?",
            "What is available for buying?",
            "How large may a purchase be at the moment?",
        ),
        tells=(Tell("buying_power_cents"),),
        share=0.5,
    ),
    Goal(
        get_order,
        name="ask_reserved",
        verbs=("tell",),
        says=(
            "How much cash does {order} hold back?",
            "What is reserved for {order}?",
            "How much money is tied up in {order}?",
            "Tell me what {order} reserves.",
            "What cash is blocked by {order}?",
            "How much would be free again without {order}?",
            "I'd like to know what {order} ties up.",
            "Which amount is set aside for {order}?",
            "Can you see how much cash {order} is holding?",
            "What does {order} keep me from spending elsewhere?",
            "How much of my cash is waiting for {order}?",
            "What sum is tied up in {order}?",
        ),
        slots=(Slot("order", where=lambda order: order.row.side == "buy"),),
        tells=(Tell("reserved_cents"),),
    ),
    Goal(
        search_instruments,
        name="ask_symbol",
        verbs=("tell",),
        says=(
            "What is the symbol of {text}?",
            "Under which symbol is {text} traded?",
            "What are the ticker letters for {text}?",
            "Tell me the ticker of {text}.",
            "Which ticker symbol does {text} have?",
            "I need the symbol of {text}.",
            "Can you look up the ticker for {text}?",
            "How is {text} abbreviated on the market?",
            "What do I type in to find {text}?",
            "Do you have the symbol for {text}?",
            "I'm looking for the ticker of {text}.",
            "What does {text} go by on the ticker?",
        ),
        slots=(Slot("text", draw=lambda draw: draw.rng.choice(draw.rows(Instrument)).name),),
        tells=(Tell("symbol", kind="text", value=lambda result: result["items"][0]["symbol"]),),
        share=0.4,
    ),
    Goal(
        search_instruments,
        name="ask_advice",
        against=no_advice,
        verbs=("tell",),
        says=(
            "Which {choice} should I buy?",
            "What {choice} would you recommend?",
            "Tell me the best {choice} to buy at the moment.",
            "I have some cash left. Which {choice} is worth it?",
            "Can you recommend one {choice} to me?",
            "If you were me, which {choice} would you pick?",
            "Which {choice} will do well this year?",
            "I want to buy some {choice}, and you choose which.",
            "Pick the most promising {choice} for me, please.",
            "What is your favourite {choice} right now?",
            "Name one {choice} that I should get into.",
            "I'd like your opinion: which {choice} is the one to have?",
        ),
        about=(
            Slot("choice", draw=[f"{sector} {kind}" for sector in SECTORS for kind in ("stock", "fund", "company")]),
        ),
    ),
)
