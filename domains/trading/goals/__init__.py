"""What investors want of their broker, and how they speak of what they hold and have ordered."""

from toolgym.domains.trading.goals.alerts import ALERTS
from toolgym.domains.trading.goals.buying import BUYING
from toolgym.domains.trading.goals.composed import COMPOSED
from toolgym.domains.trading.goals.orders import ORDERS
from toolgym.domains.trading.goals.questions import QUESTIONS
from toolgym.domains.trading.goals.selling import SELLING
from toolgym.domains.trading.schema import RESTING, Instrument, Order, Position
from toolgym.domains.trading.tools import get_quote, list_positions
from toolgym.sandbox.kit.goal import Condition, Thing

THINGS = (
    Thing(Instrument, has_known_key=False),
    Thing(Position, has_known_key=False),
    Thing(Order, where=lambda order: order.row.state in RESTING),
)
CONDITIONS = (
    Condition(Instrument, "last_cents", "if {it} trades at {value} or higher", get_quote),
    Condition(
        Position,
        "value_cents",
        "if {it} is worth at least {value}",
        list_positions,
        more="is worth more",
        less="is worth less",
    ),
)
GOALS = (*BUYING, *SELLING, *ORDERS, *COMPOSED, *ALERTS, *QUESTIONS)
