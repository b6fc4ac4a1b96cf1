"""The market's rules: each a sentence of the policy, the words of a refusal and a predicate."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from toolgym.domains.trading import tools
from toolgym.domains.trading.market import DAY_TRADES, is_day_trade, is_open, met, reserve, with_commission
from toolgym.domains.trading.schema import Instrument, Investor, Order
from toolgym.sandbox.kit.world import ToolCall, View, rule

DEPTH = 10
Kind = Literal["market", "limit", "stop"]
Side = Literal["buy", "sell"]


def _book(instrument: View[Instrument] | None, kind: str) -> ToolCall | None:
    """The whole book, which a market order eats."""
    if instrument is None or kind != "market":
        return None
    return ToolCall(name="get_order_book", arguments={"instrument_symbol": instrument.row.symbol, "levels": DEPTH})


def _held(instrument: View[Instrument] | None, order: View[Order] | None) -> ToolCall:
    """What the investor holds of it."""
    company = order.row.company if order is not None else instrument.row.name if instrument is not None else ""
    return ToolCall(name="list_positions", arguments={"company": company})


@rule(
    "Orders are placed, changed and cancelled after trading was unlocked with the investor's PIN, once in the session.",
    why="Unlock trading with your PIN first.|PIN|unlock",
    on=[tools.place_order, tools.replace_order, tools.cancel_order],
    reads=[tools.get_account],
    remedy=tools.unlock_trading,
)
def unlocked(owner: View[Investor]) -> bool:
    return owner.row.unlocked


@rule(
    "No new orders are placed in an instrument whose trading is halted; cancelling one is possible.",
    why="Trading in this instrument is halted.|halted|halt|suspended",
    on=[tools.place_order],
    reads=[tools.get_quote],
)
def halted(instrument: View[Instrument]) -> bool:
    return not instrument.row.halted


@rule(
    "A quantity is a multiple of the instrument's lot, a price a multiple of its tick.",
    why="That is not a multiple of the lot size or the tick.|multiple|lot size|lots of|in lots|tick",
    on=[tools.place_order, tools.replace_order],
    reads=[tools.get_quote, tools.get_order],
)
def lots(
    instrument: View[Instrument] | None = None,
    order: View[Order] | None = None,
    quantity: int | None = None,
    price_cents: int | None = None,
) -> bool:
    of = order or instrument
    return of is None or not ((quantity or 0) % of.row.lot or (price_cents or 0) % of.row.tick_cents)


@rule(
    "A limit is at most 10 percent away from the last price.",
    why="That limit is too far from the market.|too far|10 %|10%|10 percent|ten percent|last price",
    on=[tools.place_order, tools.replace_order],
    reads=[tools.get_quote, tools.get_order],
)
def far_limit(
    instrument: View[Instrument] | None = None,
    order: View[Order] | None = None,
    kind: Kind | None = None,
    price_cents: int | None = None,
) -> bool:
    of = order or instrument
    wanted = order.row.kind if order is not None else kind
    if of is None or wanted != "limit" or price_cents is None:
        return True
    return 10 * abs(price_cents - of.row.last_cents) <= of.row.last_cents


@rule(
    "At most the settled shares that no open order holds back are sold.",
    why="You do not hold that many settled shares.|settled|only hold|hold only|do not hold|don't hold|enough shares",
    on=[tools.place_order, tools.replace_order],
    reads=[tools.list_positions],
    looks={"held": _held},
)
def own_shares(
    held: Sequence[Mapping[str, Any]],
    instrument: View[Instrument] | None = None,
    order: View[Order] | None = None,
    side: Side | None = None,
    quantity: int | None = None,
) -> bool:
    symbol = order.row.symbol if order is not None else instrument.row.symbol if instrument is not None else ""
    more = (quantity or 0) - (order.row.quantity if order is not None and quantity else 0)
    if (order.row.side if order is not None else side) != "sell":
        return True
    return more <= sum(int(position["free_quantity"]) for position in held if position["symbol"] == symbol)


@rule(
    "Buying costs, with its commission of 0.1 percent and 1 dollar at least, no more than the buying power.",
    why="That exceeds your buying power.|buying power|exceeds|not enough cash|cannot afford|can't afford",
    on=[tools.place_order, tools.replace_order],
    reads=[tools.get_account, tools.get_order_book],
    looks={"book": _book},
)
def buying_power(
    owner: View[Investor],
    book: Mapping[str, Sequence[Mapping[str, int]]] | None,
    instrument: View[Instrument] | None = None,
    order: View[Order] | None = None,
    side: Side | None = None,
    kind: Kind = "limit",
    quantity: int | None = None,
    price_cents: int | None = None,
) -> bool:
    if (order.row.side if order is not None else side) == "sell":
        return True
    if order is not None:
        left = (quantity or order.row.quantity) - order.row.filled
        price = price_cents or order.row.price_cents or 0
        cost = reserve(left, price, order.row.value_cents) - order.row.reserved_cents
    elif book is not None:
        cost = with_commission(
            met([(each["price_cents"], each["quantity"]) for each in book["asks"]], quantity or 0)[0]
        )
    else:
        cost = reserve(quantity or 0, price_cents or 0)
    return cost <= owner.row.buying_power_cents


@rule(
    "At level basic, at most three day trades are made in five days: buying and selling the same on one day.",
    why="That would be a fourth day trade.|day trade|day-trade|day trading",
    on=[tools.place_order],
    reads=[tools.get_account, tools.list_orders],
    looks={
        "today": lambda instrument: ToolCall(name="list_orders", arguments={"instrument_symbol": instrument.row.symbol})
    },
)
def day_trades(
    owner: View[Investor], instrument: View[Instrument], side: Side, today: Mapping[str, Any], now: datetime
) -> bool:
    if owner.row.level != "basic" or owner.row.day_trades < DAY_TRADES:
        return True
    return not is_day_trade(now, side, today["items"])


@rule(
    "From 16:00 to 9:30 and at weekends no market orders are placed; a limit order for the day can be offered.",
    why="The market is closed.|closed|market hours|trading hours|after hours|9:30",
    on=[tools.place_order],
    reads=[tools.get_account],
    by="policy",
)
def closed(kind: Kind, now: datetime) -> bool:
    return kind != "market" or is_open(now)


@rule(
    "No advice: it is never said what to buy or sell.",
    why="No advice is given on what to buy.|advice|advise|recommend|recommendation|which to buy|what to buy",
    on=[tools.search_instruments],
    by="policy",
)
def no_advice(choice: str = "") -> bool:
    return not choice
