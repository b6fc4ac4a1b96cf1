"""How investors get from one row to another, in requests that are answered at once."""

from toolgym.domains.trading.schema import Instrument, Order, Position
from toolgym.sandbox.kit.goal import Relation

RELATIONS = (
    Relation(Instrument, "sector", says="the sector of {it}"),
    Relation(Instrument, "supplier_symbol", says="the main supplier of {it}"),
    Relation(Instrument, "rival_symbol", says="the closest rival of {it}"),
    Relation(Instrument, "largest_holding_symbol", says="the largest holding of {it}"),
    Relation(
        Position,
        "sector",
        says="the sector of {it}",
        by="in {it}",
        only="my only holding in {it}",
        first="my first holding in {it}",
    ),
    Relation(Position, "symbol", says="the company of {it}", only="my only holding of {it}"),
    Relation(
        Order,
        "symbol",
        says="the company of {it}",
        by="for {it}",
        only="my only order for {it}",
        first="my latest order for {it}",
    ),
)
