"""What investors want bought."""

from toolgym.domains.trading.goals.draws import GOOD_FOR, limit_to_buy, several_lots, traded
from toolgym.domains.trading.tools import place_order
from toolgym.sandbox.kit.goal import Goal, Slot, Tell

INSTRUMENT = Slot("instrument", draw=traded, says=("I mean {}.", "It is {}."))
QUANTITY = Slot("quantity", withheld=0.4, draw=several_lots, says=("{} shares.", "{} of them."))

BUYING = (
    Goal(
        place_order,
        name="buy_limit",
        fixed={"side": "buy", "kind": "limit"},
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
        fixed={"side": "buy", "kind": "market"},
        slots=(INSTRUMENT, QUANTITY),
        tells=(Tell("net_cents", near=("commission", "fee", "paid", "cost", "total", "all")),),
    ),
)
