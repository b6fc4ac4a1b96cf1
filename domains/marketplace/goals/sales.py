"""What members want done once a thing is sold: sending it, and feedback."""

from __future__ import annotations

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
        verbs=("mark", "ship"),
        says=(
            "I sent {sale} with {carrier}[, number {tracking}].",
            "{sale} is on its way with {carrier}[; the number is {tracking}]. Mark it as shipped.",
            "Please mark {sale} as shipped with {carrier}[, tracking {tracking}].",
            "I have just handed {sale} to {carrier}[; tracking number {tracking}]. Mark that.",
            "Can you mark {sale} as shipped? It went with {carrier}[, {tracking}].",
            "{carrier} has picked up {sale}[ under {tracking}]. Note it as shipped.",
            "The parcel with {sale} left with {carrier}[, number {tracking}]; mark it as sent.",
            "Mark as shipped: {sale}, by {carrier}[, parcel {tracking}].",
            "Tell the buyer that {sale} was shipped with {carrier}[; parcel number {tracking}].",
            "I brought {sale} to {carrier} today[ and got the number {tracking}]; please mark it as shipped.",
            "Would you note that {sale} went out by {carrier}[ as {tracking}]?",
            "With {carrier}[, tracking number {tracking},] I have shipped {sale}. Please put that in.",
        ),
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
        verbs=("leave", "rate"),
        fixed={"mark": "positive"},
        says=(
            "Leave positive feedback for {sale} and mention the {good}.",
            "I am happy with {sale}. Leave positive feedback about the {good}.",
            "Please rate {sale} as positive, because of the {good}.",
            "Give positive feedback on {sale}; write that I liked the {good}.",
            "Can you leave positive feedback for {sale}? The {good} deserves a word.",
            "{sale} went very well, so leave a positive mark and praise the {good}.",
            "A positive mark for {sale}, please, with thanks for the {good}.",
            "Put in positive feedback on {sale} that speaks of the {good}.",
            "I owe somebody a good word for {sale}: leave positive feedback and name the {good}.",
            "For {sale} I want to leave something positive about the {good}.",
            "Would you rate {sale} positive and say thank you for the {good}?",
            "Let others know about the {good}: positive feedback for {sale}.",
        ),
        slots=(Slot("sale", says=I_MEAN, where=_unrated), Slot("comment", mentions=("good",))),
        about=(Slot("good", draw=_praised),),
    ),
    Goal(
        leave_feedback,
        name="complain",
        verbs=("leave", "rate"),
        fixed={"mark": "negative"},
        says=(
            "Leave negative feedback for {sale} because of the {bad}.",
            "I am annoyed about {sale}. Leave negative feedback that names the {bad}.",
            "Please rate {sale} as negative and mention the {bad}.",
            "Give negative feedback on {sale}: the {bad} should be in it.",
            "Can you leave negative feedback for {sale}? It is about the {bad}.",
            "{sale} was a disappointment, so leave a negative mark and tell of the {bad}.",
            "A negative mark for {sale}, please, with the {bad} as the reason.",
            "Put in negative feedback on {sale} and complain about the {bad}.",
            "Others should be warned: negative feedback for {sale}, on account of the {bad}.",
            "For {sale} there can only be negative feedback; write about the {bad}.",
            "Would you rate {sale} negative and say that it is for the {bad}?",
            "After the {bad} I want negative feedback left for {sale}.",
        ),
        slots=(Slot("sale", says=I_MEAN, where=_bought), Slot("comment", mentions=("bad",))),
        about=(Slot("bad", draw=_BAD),),
        share=0.7,
    ),
)
