"""Cancelling a trip, and compensation: what customers say, and what their wishes hold."""

from typing import Any

from toolgym.domains.airline.goals import draws
from toolgym.domains.airline.rules import CANCELLED, COVERED, DELAYED, cancelled_whole, worth_compensation
from toolgym.domains.airline.schema import Reservation
from toolgym.domains.airline.tools import cancel_reservation, send_certificate, transfer_to_human_agents
from toolgym.sandbox.kit.goal import Ask, Draw, Goal, Slot, Tell

PLANS = (
    "my plans have changed",
    "my meeting has been called off",
    "I have found something better to do",
    "I simply do not feel like going any more",
    "my friends are not coming along after all",
)
_DROPPED = "the airline has cancelled one of its flights"


def _reason(draw: Draw) -> str:
    trip = draw.values["reservation"]
    if "cancelled" in draw.view(trip).states:
        return _DROPPED
    return draw.rng.choice(COVERED if draw.rng.random() < 0.5 else PLANS)


def _refund(result: Any, draw: Draw) -> int:
    return int(-sum(payment["amount"] for payment in result["payment_history"] if payment["amount"] < 0))


REASON = Slot("reason", withheld=0.7, draw=_reason, says=("The reason is that {}.", "It is because {}."))

CANCEL = (
    Goal(
        cancel_reservation,
        slots=(draws.LIVE,),
        about=(REASON,),
        asks=(Ask("How much do I get back?", Tell("refund", "number", value=_refund)),),
    ),
    Goal(
        cancel_reservation,
        name="cancel_a_part",
        against=cancelled_whole,
        slots=(draws.SOUND,),
        about=(Slot("part", draw=draws.part),),
    ),
    Goal(
        cancel_reservation,
        name="cancel_delayed",
        slots=(
            Slot(
                "reservation",
                where=draws.is_late,
                reads=lambda draw: [*draws.with_states(draw), draws.times(DELAYED, len(draws.travellers_of(draw)))],
            ),
        ),
        about=(Slot("reason", withheld=1.0, draw=PLANS, says=("The delay apart, {}.", "Besides, {}.")),),
        also=lambda draw: [
            (send_certificate, {"user": draw.person, "amount": DELAYED * len(draws.travellers_of(draw))})
        ],
    ),
)

# --- compensation, and what only a human can do ---

CLAIMS = (
    Goal(
        send_certificate,
        name="compensation",
        slots=(
            Slot(
                "reservation",
                of=Reservation,
                withheld=0.4,
                where=draws.is_dropped,
                reads=lambda draw: [*draws.with_states(draw), draws.times(CANCELLED, len(draws.travellers_of(draw)))],
            ),
        ),
        worked_out={"amount": lambda draw: CANCELLED * len(draws.travellers_of(draw))},
    ),
    Goal(
        send_certificate,
        name="complain",
        against=worth_compensation,
        about=(
            Slot("reservation", of=Reservation, withheld=0.4, where=draws.is_over, reads=draws.details_of),
            Slot(
                "complaint",
                draw=(
                    "the food on board was bad",
                    "the seat was too narrow",
                    "the crew was rude",
                    "there was no film to watch",
                    "the cabin was much too cold",
                ),
            ),
        ),
        worked_out={"amount": lambda draw: DELAYED},
    ),
    Goal(
        transfer_to_human_agents,
        name="human",
        about=(
            Slot(
                "matter",
                draw=(
                    "my suitcase has not arrived after my last flight",
                    "I left my laptop on board last week",
                    "I got hurt by a trolley on board and want to talk about damages",
                    "I want to complain in person about a member of the crew",
                    "I need to take a dog in the cabin on my next flight",
                    "I need a wheelchair at the airport for my next flight",
                    "I want an invoice in the name of my company for my last trip",
                    "my card statement shows a second payment for my trip, and I want that investigated",
                    "I want the e-mail address in my profile changed",
                ),
            ),
        ),
    ),
)
