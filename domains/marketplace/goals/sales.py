"""What members want done once a thing is sold: sending it, and feedback."""

from typing import Any

from toolgym.domains.marketplace.goals.draws import I_MEAN
from toolgym.domains.marketplace.tools import leave_feedback, mark_shipped
from toolgym.sandbox.kit.goal import Draw, Goal, Slot

_GOOD = {
    "bought": ("fast delivery", "careful packing", "honest photos", "great quality"),
    "sold": ("prompt payment", "friendly messages", "quick answers", "smooth sale"),
}
_BAD = ("wrong description", "late delivery", "poor packing", "rude messages", "hidden scratches")


def _tracking(draw: Draw) -> str:
    return f"{draw.rng.choice(('PX', 'BV', 'RL', 'SW'))}{draw.rng.randrange(10_000, 100_000)}"


def _praised(draw: Draw) -> str:
    return draw.rng.choice(_GOOD[draw.view(draw.values["sale"]).side])


def _unrated(sale: Any) -> bool:
    return not sale.row.rated


def _bought(sale: Any) -> bool:
    return bool(sale.row.side == "bought" and not sale.row.rated)


def _sent_by_me(sale: Any) -> bool:
    return bool(sale.row.side == "sold" and sale.row.state == "to_ship")


SALES = (
    Goal(
        mark_shipped,
        name="ship",
        slots=(
            Slot("sale", says=I_MEAN, where=_sent_by_me),
            Slot("carrier", draw=("Parcelo", "Swiftpost", "Blue Van", "Ridgeline"), says=("{}.", "With {}.")),
            Slot("tracking", withheld=0.9, draw=_tracking, says=("{}.", "The number is {}.")),
        ),
        share=1.5,
    ),
    Goal(
        leave_feedback,
        name="praise",
        fixed={"mark": "positive"},
        slots=(Slot("sale", says=I_MEAN, where=_unrated), Slot("comment", mentions=("good",))),
        about=(Slot("good", draw=_praised),),
    ),
    Goal(
        leave_feedback,
        name="complain",
        fixed={"mark": "negative"},
        slots=(Slot("sale", says=I_MEAN, where=_bought), Slot("comment", mentions=("bad",))),
        about=(Slot("bad", draw=_BAD),),
        share=0.7,
    ),
)
