"""What investors want to know."""

from calendar import monthrange
from collections.abc import Callable
from datetime import date
from typing import Any, get_args

from toolgym.domains.trading import tools
from toolgym.domains.trading.goals.alerts import cheapest
from toolgym.domains.trading.market import with_commission
from toolgym.domains.trading.rules import no_advice
from toolgym.domains.trading.schema import Instrument, Position
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell

SECTORS = get_args(tools.Sector)


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
    funds = tools.search_instruments.function(draw.database, None, sector, "etf").rows
    shown = [(tools.get_quote, {"instrument": fund}) for fund in funds]
    return [(tools.get_account, {}), (tools.search_instruments, {"sector": sector, "kind": "etf"}), *shown]


def _lots(result: Any, draw: Draw) -> int | None:
    """How many lots the buying power covers at the ask, with the commission."""
    power, price = draw.view(draw.person).buying_power_cents, result["ask_cents"] * result["lot"]
    lots = power // price
    lots -= with_commission(lots * price) > power if lots else 0
    return lots or None


QUESTIONS = (
    Goal(
        tools.get_price_history,
        name="ask_highest",
        slots=(Slot("instrument"), Slot("month", fills=("first_day", "last_day"), draw=_month, say=_in_words)),
        tells=(
            Tell("day", kind="date", value=_of_highest("day")),
            Tell("close", kind="money", value=_of_highest("close_cents")),
        ),
    ),
    Goal(
        tools.get_quote,
        name="ask_affordable",
        slots=(Slot("sector", draw=SECTORS, reads=_quotes),),
        worked_out={"instrument": lambda draw: cheapest(draw, draw.values["sector"])},
        tells=(Tell("lots", kind="number", value=_lots, near=("lot", "lots")),),
        share=1.2,
    ),
    *(
        Goal(
            tools.list_positions,
            name=name,
            slots=(Slot("company", draw=lambda draw: draw.rng.choice(draw.rows(Position)).company),),
            tells=(Tell(name, kind="money", value=_change(sign), near=near),),
            share=0.6,
        )
        for name, sign, near in (
            ("ask_gain", 1, ("gain", "gained", "profit", "up", "ahead", "made")),
            ("ask_loss", -1, ("loss", "lost", "down", "behind")),
        )
    ),
    Goal(tools.get_account, name="ask_power", tells=(Tell("buying_power_cents"),), share=0.5),
    Goal(
        tools.get_order,
        name="ask_reserved",
        slots=(Slot("order", where=lambda order: order.row.side == "buy"),),
        tells=(Tell("reserved_cents"),),
    ),
    Goal(
        tools.search_instruments,
        name="ask_symbol",
        slots=(Slot("text", draw=lambda draw: draw.rng.choice(draw.rows(Instrument)).name),),
        tells=(Tell("symbol", kind="text", value=lambda result: result["items"][0]["symbol"]),),
        share=0.4,
    ),
    Goal(
        tools.search_instruments,
        name="ask_advice",
        against=no_advice,
        about=(
            Slot("choice", draw=[f"{sector} {kind}" for sector in SECTORS for kind in ("stock", "fund", "company")]),
        ),
    ),
)
