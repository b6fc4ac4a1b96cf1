"""What associates want set aside for customers."""

from __future__ import annotations

from toolgym.domains.retail_chain.goals.draws import CUSTOMER, DIGITS, SKU
from toolgym.domains.retail_chain.tools import hold_for_customer, release_hold
from toolgym.sandbox.kit.goal import Goal, Slot, Tell

HOLD = Slot("hold", says=("I mean {}.", "It is {}."))

HOLDS = (
    Goal(
        hold_for_customer,
        name="hold",
        slots=(
            Slot("store", says=("At {}.", "{}.")),
            SKU,
            Slot("quantity", draw=(1, 1, 2, 2, 3), says=("{}.",)),
            CUSTOMER,
            DIGITS,
        ),
        tells=(Tell("until"),),
    ),
    Goal(
        release_hold,
        name="collected",
        fixed={"outcome": "collected"},
        slots=(HOLD,),
        tells=(Tell("reserved", kind="number", near=("reserved", "aside", "left")),),
        where=lambda hold: hold.row.state == "open",
    ),
    Goal(
        release_hold,
        name="not_wanted",
        fixed={"outcome": "not_wanted"},
        slots=(HOLD,),
        tells=(Tell("reserved", kind="number", near=("reserved", "aside", "left")),),
        where=lambda hold: hold.row.state == "open",
    ),
)
