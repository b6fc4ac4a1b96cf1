"""The market's own arithmetic: how orders meet the book, what they reserve and cost, and that no money is made."""

from datetime import datetime
from random import Random
from typing import Any

import pytest

from toolgym.domains.trading.market import commission
from toolgym.domains.trading.schema import Instrument, Investor, Level, Order, Position
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.generator import Generator

DOMAIN = get_domain("trading")


def opened(owner: str | None = None, now: str | None = None) -> Session:
    """A session of an investor, unlocked."""
    moment = None if now is None else datetime.fromisoformat(now)
    task = Task(id="", domain="trading", owner=owner or next(iter(DOMAIN.owner_keys())), now=moment)
    session = Session("trading", task=task)
    done(session, "unlock_trading", pin=session.database.owner(Investor).pin)
    return session


@pytest.fixture
def session() -> Session:
    return opened()


def done(session: Session, tool: str, /, **arguments: Any) -> Any:
    result = session.call(tool, arguments)
    assert result.ok, result.text
    return result.value


def refused(session: Session, tool: str, /, **arguments: Any) -> str:
    result = session.call(tool, arguments)
    assert result.error is not None, result.text
    return result.error.code


def traded(session: Session, lot: int = 1) -> dict[str, Any]:
    """The quote of something that is traded and not held, of which the cash buys a few."""
    held = {row.symbol for row in session.database.mine(Position)}
    rows = [row for row in session.database.find(Instrument) if row.lot == lot and not row.halted]
    cheap = sorted((row for row in rows if row.symbol not in held), key=lambda row: row.last_cents)
    return dict(done(session, "get_quote", instrument_symbol=cheap[0].symbol))


def placed(
    session: Session, quote: dict[str, Any], side: str, kind: str, quantity: int, price: int | None = None
) -> Any:
    return session.call("place_order", order(quote, side, kind, quantity, price))


def order(quote: dict[str, Any], side: str, kind: str, quantity: int, price: int | None = None) -> dict[str, Any]:
    more = {} if price is None else {"price_cents": price, "good_for": "day"}
    return {"instrument_symbol": quote["symbol"], "side": side, "kind": kind, "quantity": quantity, **more}


def cash(session: Session) -> int:
    return session.database.owner(Investor).cash_cents


def account(session: Session) -> dict[str, Any]:
    return dict(done(session, "get_account"))


def test_a_market_order_eats_the_book_level_by_level_and_pays_the_fee(session: Session) -> None:
    quote, before = traded(session), cash(session)
    asks = done(session, "get_order_book", instrument_symbol=quote["symbol"])["asks"]
    first, second = asks[0], asks[1]
    bought = done(session, "place_order", **order(quote, "buy", "market", first["quantity"] + 2))
    value = first["quantity"] * first["price_cents"] + 2 * second["price_cents"]
    assert (bought["state"], bought["value_cents"], bought["commission_cents"]) == ("filled", value, commission(value))
    assert quote["ask_cents"] < bought["average_cents"] + 1
    assert cash(session) == before - value - commission(value)
    left = done(session, "get_order_book", instrument_symbol=quote["symbol"])["asks"][0]
    assert left == {"price_cents": second["price_cents"], "quantity": second["quantity"] - 2}


def test_a_limit_that_crosses_is_filled_in_part_and_reserves_for_the_rest(session: Session) -> None:
    quote = traded(session)
    ask = done(session, "get_order_book", instrument_symbol=quote["symbol"])["asks"][0]
    before = account(session)["buying_power_cents"]
    made = done(session, "place_order", **order(quote, "buy", "limit", ask["quantity"] + 3, ask["price_cents"]))
    assert (made["state"], made["filled"]) == ("part_filled", ask["quantity"])
    whole = (ask["quantity"] + 3) * ask["price_cents"]
    assert before - account(session)["buying_power_cents"] == whole + commission(whole), (
        "a reserve covers the commission as well"
    )
    cancelled = done(session, "cancel_order", order_id=made["order_id"])
    assert (cancelled["freed_cents"], cancelled["state"]) == (made["reserved_cents"], "cancelled")
    assert refused(session, "cancel_order", order_id=made["order_id"]) == "wrong_state"
    assert before - account(session)["buying_power_cents"] == made["value_cents"] + commission(made["value_cents"])


def test_buying_power_covers_the_fee_to_the_cent(session: Session) -> None:
    quote, power = traded(session), account(session)["buying_power_cents"]
    limit, quantity = quote["bid_cents"], 1
    while (quantity + 1) * limit + commission((quantity + 1) * limit) <= power:
        quantity += 1
    assert refused(session, "place_order", **order(quote, "buy", "limit", quantity + 1, limit)) == "buying_power"
    done(session, "place_order", **order(quote, "buy", "limit", quantity, limit))


def test_a_limit_lies_within_ten_percent_and_on_the_tick(session: Session) -> None:
    quote = traded(session)
    edge, tick = quote["last_cents"] // 10, quote["tick_cents"]
    for sign in (-1, 1):
        far = order(quote, "buy", "limit", 1, quote["last_cents"] + sign * (edge + tick))
        assert refused(session, "place_order", **far) == "far_limit"
        done(session, "place_order", **order(quote, "buy", "limit", 1, quote["last_cents"] + sign * edge))
    lots = traded(session, lot=10)
    assert refused(session, "place_order", **order(lots, "buy", "market", 15)) == "lots"


def test_what_was_bought_today_cannot_be_sold_and_open_orders_hold_shares_back(session: Session) -> None:
    quote = traded(session)
    done(session, "place_order", **order(quote, "buy", "market", 2))
    assert refused(session, "place_order", **order(quote, "sell", "market", 1)) == "own_shares"
    held = next(
        row for row in done(session, "list_positions") if row["free_quantity"] == row["quantity"] and row["gain_cents"]
    )
    of = done(session, "get_quote", instrument_symbol=held["symbol"])
    above = done(
        session, "place_order", **order(of, "sell", "limit", held["quantity"], of["last_cents"] * 11 // 10 // 5 * 5)
    )
    assert refused(session, "place_order", **order(of, "sell", "market", of["lot"])) == "own_shares"
    assert (
        refused(session, "replace_order", order_id=above["order_id"], quantity=held["quantity"] + of["lot"])
        == "own_shares"
    )
    done(session, "cancel_order", order_id=above["order_id"])
    sold = done(session, "place_order", **order(of, "sell", "market", held["quantity"]))
    assert sold["net_cents"] == sold["value_cents"] - sold["commission_cents"]
    assert not done(session, "list_positions", company=held["company"]), "nothing is left of it"


def test_a_fourth_day_trade_is_refused_at_level_basic_alone() -> None:
    for owner in DOMAIN.owner_keys():
        session = opened(str(owner))
        me = account(session)
        today = [
            each for each in done(session, "list_orders", state="filled")["items"] if "2026-03-11" in each["placed_at"]
        ]
        quote = done(session, "get_quote", instrument_symbol=today[0]["symbol"])
        result = placed(session, quote, "sell", "market", quote["lot"])
        blocked = me["level"] == "basic" and me["day_trades"] == 3
        assert (result.error.code if result.error else "") == ("day_trades" if blocked else "")
        assert account(session)["day_trades"] == me["day_trades"] + (not blocked)


def test_a_stop_waits_on_the_far_side_and_a_raised_limit_is_filled(session: Session) -> None:
    held = next(row for row in done(session, "list_positions") if row["free_quantity"] == row["quantity"])
    quote = done(session, "get_quote", instrument_symbol=held["symbol"])
    last, tick = quote["last_cents"], quote["tick_cents"]
    assert refused(session, "place_order", **order(quote, "sell", "stop", quote["lot"], last)) == "invalid_argument"
    stop = done(session, "place_order", **order(quote, "sell", "stop", quote["lot"], last - tick))
    assert stop["state"] == "open", "it is below the bid, and waits all the same"
    assert refused(session, "replace_order", order_id=stop["order_id"], price_cents=last) == "invalid_argument"
    wanted = traded(session)
    low = done(session, "place_order", **order(wanted, "buy", "limit", 1, wanted["bid_cents"]))
    assert refused(session, "replace_order", order_id=low["order_id"], quantity=1) == "no_change"
    raised = done(session, "replace_order", order_id=low["order_id"], price_cents=wanted["ask_cents"])
    assert (raised["state"], raised["reserved_cents"]) == ("filled", 0)
    assert refused(session, "replace_order", order_id=low["order_id"], quantity=2) == "wrong_state"


@pytest.mark.parametrize(
    ("now", "state"), [("09:29", "open"), ("09:30", "filled"), ("15:59", "filled"), ("16:00", "open")]
)
def test_orders_are_filled_in_trading_hours(now: str, state: str) -> None:
    session = opened(now=f"2026-03-11T{now}:00")
    assert account(session)["market_open"] == (state == "filled")
    bought = done(session, "place_order", **order(traded(session), "buy", "market", 1))
    assert bought["state"] == state
    assert bool(bought["reserved_cents"]) == (state == "open"), "what waits is paid for"


def test_a_weekend_has_no_trading() -> None:
    assert not account(opened(now="2026-03-14T11:00:00"))["market_open"]


def test_halted_trading_takes_no_new_orders_and_lets_old_ones_be_cancelled(session: Session) -> None:
    row = next(row for row in session.database.find(Instrument) if row.halted)
    quote = done(session, "get_quote", instrument_symbol=row.symbol)
    assert refused(session, "place_order", **order(quote, "buy", "limit", quote["lot"], row.last_cents)) == "halted"


def test_orders_with_missing_or_impossible_parts_are_refused(session: Session) -> None:
    quote = traded(session)
    assert refused(session, "place_order", **order(quote, "buy", "limit", 1)) == "invalid_argument"
    assert refused(session, "place_order", **order(quote, "buy", "market", 1, 100)) == "invalid_argument"


def test_a_book_that_is_too_thin_refuses_a_market_order() -> None:
    for owner in DOMAIN.owner_keys():
        session = opened(str(owner))
        quote = traded(session)
        asks = done(session, "get_order_book", instrument_symbol=quote["symbol"], levels=10)["asks"]
        cost = sum(each["price_cents"] * each["quantity"] for each in asks)
        if cost * 1.1 < account(session)["buying_power_cents"]:
            depth = sum(each["quantity"] for each in asks)
            assert refused(session, "place_order", **order(quote, "buy", "market", depth + 1)) == "limit_exceeded"
            return
    pytest.fail("nobody can buy a whole book")


def test_part_of_an_order_cannot_be_taken_back(session: Session) -> None:
    part = done(session, "list_orders", state="part_filled")["items"][0]
    order_id, shown = part["order_id"], done(session, "get_order", order_id=part["order_id"])
    assert refused(session, "replace_order", order_id=order_id, quantity=shown["filled"]) == "invalid_argument"


def test_alerts_lie_ahead_and_are_set_once(session: Session) -> None:
    quote = traded(session)
    given = {"instrument_symbol": quote["symbol"], "direction": "below"}
    assert refused(session, "set_price_alert", price_cents=quote["last_cents"] + 1, **given) == "invalid_argument"
    done(session, "set_price_alert", price_cents=quote["last_cents"] - 7, **given)
    assert refused(session, "set_price_alert", price_cents=quote["last_cents"] - 7, **given) == "no_change"


def test_three_wrong_pins_lock_the_session() -> None:
    session = Session("trading")
    assert refused(session, "cancel_order", order_id=session.database.mine(Order)[0].order_id) == "unlocked"
    right = session.database.owner(Investor).pin
    wrong = f"{(int(right) + 1) % 10_000:04d}"
    assert [done(session, "unlock_trading", pin=wrong)["tries_left"] for _ in range(3)] == [2, 1, 0]
    assert refused(session, "unlock_trading", pin=right) == "locked"


def test_history_includes_both_ends_and_lists_are_paged_and_filtered(session: Session) -> None:
    quote = traded(session)
    days = done(
        session, "get_price_history", instrument_symbol=quote["symbol"], first_day="2026-03-09", last_day="2026-03-10"
    )
    assert [day["day"] for day in days] == ["2026-03-09", "2026-03-10"]
    assert days[-1]["close_cents"] == quote["previous_close_cents"]
    first, second = (done(session, "list_orders", page=page) for page in (1, 2))
    moments = [each["placed_at"] for each in (*first["items"], *second["items"])]
    assert moments == sorted(moments, reverse=True) and len(moments) == first["total"] > 10
    found = done(session, "search_instruments", text="fund", sector="health", kind="etf")["items"]
    assert [row["sector"] for row in found] == ["health", "health"]


def balance(session: Session) -> dict[str, Any]:
    """What trading cannot change: shares in the market and with the investor, and what cash and commissions come to."""
    rows, held = session.database.find(Level), session.database.mine(Position)
    shares = dict[str, int]()
    for row in rows:
        shares[row.symbol] = shares.get(row.symbol, 0) + (row.quantity if row.side == "sell" else -row.quantity)
    for position in held:
        shares[position.symbol] = shares.get(position.symbol, 0) + position.quantity
    paid = sum(_taken(row) for row in session.database.mine(Order))
    return {"shares": {key: count for key, count in shares.items() if count}, "money": cash(session) + paid}


def _taken(row: Order) -> int:
    """What an order took out of the cash so far."""
    return row.value_cents + row.commission_cents if row.side == "buy" else row.commission_cents - row.value_cents


@pytest.mark.slow
def test_random_orders_make_neither_money_nor_shares() -> None:
    rng = Random(5)
    for owner in list(DOMAIN.owner_keys())[:4]:
        session = opened(str(owner))
        before, made = balance(session), 0
        for _ in range(60):
            made += session.call(*_random_call(session, rng)).ok
            assert balance(session) == before
            assert account(session)["buying_power_cents"] >= 0
            for row in session.database.mine(Position):
                assert 0 <= row.settled_quantity <= row.quantity and row.quantity > 0
            assert all(row["free_quantity"] >= 0 for row in done(session, "list_positions"))
        assert made > 10, "most of them are refused, but not all"


def _random_call(session: Session, rng: Random) -> tuple[str, dict[str, Any]]:
    if rng.random() < 0.4:
        chosen = rng.choice(session.database.mine(Order))
        if rng.random() < 0.4:
            return "cancel_order", {"order_id": chosen.order_id}
        price = (chosen.price_cents or 1000) + rng.randrange(-400, 401, 5)
        return "replace_order", {
            "order_id": chosen.order_id,
            "price_cents": price,
            "quantity": chosen.quantity + rng.randrange(3),
        }
    held = [row.symbol for row in session.database.mine(Position)]
    symbol = rng.choice(held) if rng.random() < 0.7 else rng.choice(session.database.find(Instrument)).symbol
    quote = {"symbol": symbol, **done(session, "get_quote", instrument_symbol=symbol)}
    price = quote["last_cents"] + rng.randrange(-60, 61, 5)
    kind = rng.choice(("market", "limit", "limit"))
    quantity = quote["lot"] * rng.randrange(1, 12)
    return "place_order", order(quote, rng.choice(("buy", "sell")), kind, quantity, None if kind == "market" else price)


def test_tasks_right_calls_conserve_money() -> None:
    for task in Generator(DOMAIN, seed=2).tasks(30):
        session = Session("trading", task=task)
        before = balance(session)
        for call in task.gold:
            assert session.call(call.name, call.arguments).ok, task.id
        assert balance(session) == before, task.id


def test_every_company_leads_on_to_others_and_every_fund_to_a_company(session: Session) -> None:
    companies = {row.symbol: row for row in session.database.find(Instrument, kind="stock")}
    quotes = {symbol: done(session, "get_quote", instrument_symbol=symbol) for symbol in companies}
    for column in ("supplier_symbol", "rival_symbol"):
        assert {quote[column] for quote in quotes.values()} == set(companies)
        assert all(quote[column] != symbol for symbol, quote in quotes.items())
    assert all(companies[quote["rival_symbol"]].sector == quote["sector"] for quote in quotes.values())
    for fund in session.database.find(Instrument, kind="etf"):
        quote = done(session, "get_quote", instrument_symbol=fund.symbol)
        assert companies[quote["largest_holding_symbol"]].sector == fund.sector and quote["supplier_symbol"] is None
