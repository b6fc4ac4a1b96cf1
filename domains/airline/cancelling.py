"""Cancelling a trip, and compensation: what customers say, and what their wishes hold."""

from __future__ import annotations

from typing import Any

from domains.airline.draws import (
    LIVE,
    SOUND,
    details_of,
    is_dropped,
    is_late,
    is_over,
    part,
    times,
    travellers_of,
    with_states,
)
from domains.airline.rules import CANCELLED, COVERED, DELAYED, cancelled_whole, worth_compensation
from domains.airline.schema import Reservation
from domains.airline.tools import cancel_reservation, send_certificate, transfer_to_human_agents
from sandbox.kit.goal import Ask, Draw, Goal, Slot, Tell

PLANS = (
    "my plans have changed",
    "my meeting has been called off",
    "I have found something better to do",
    "I simply do not feel like going any more",
    "my friends are not coming along after all",
)
_DROPPED = "a flight of it has been cancelled by the airline"


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
        verbs=("cancel", "call off", "drop"),
        says=(
            "I want to cancel {reservation}[, because {reason}].",
            "Please cancel {reservation}[: {reason}].",
            "Could you cancel {reservation} for me?[ The reason is that {reason}.]",
            "I need {reservation} cancelled[, since {reason}].",
            "I will not be flying after all[, as {reason}]: please cancel {reservation}.",
            "Cancel {reservation}, please[; {reason}].",
            "I have to call off {reservation}[, because {reason}].",
        ),
        slots=(LIVE,),
        about=(REASON,),
        asks=(Ask("How much do I get back?", Tell("refund", "number", value=_refund)),),
    ),
    Goal(
        cancel_reservation,
        name="cancel_a_part",
        against=cancelled_whole,
        verbs=("cancel",),
        says=(
            "Please cancel only {part} on {reservation} and leave the rest.",
            "I want a refund for {part} alone; it is {reservation}.",
            "On {reservation} I no longer need {part}, so cancel just that.",
            "Can you take {part} out of {reservation} and refund it?",
            "Cancel {part} of {reservation}, but nothing else.",
            "{reservation}: cancel {part}, and keep what remains.",
        ),
        slots=(SOUND,),
        about=(Slot("part", draw=part),),
    ),
    Goal(
        cancel_reservation,
        name="cancel_delayed",
        verbs=("cancel",),
        says=(
            "A flight of {reservation} is delayed. Please cancel it, and I want compensation for the delay.",
            "Because of a delay {reservation} is of no use to me: cancel it and compensate me.",
            "There is a delay on {reservation}; I want it cancelled, and a certificate for the trouble.",
            "The airline is late with {reservation}. Cancel it, please, and compensate me for the delay.",
            "I am fed up with the delay of {reservation}: cancel it, and I expect compensation.",
            "Please cancel {reservation}, one flight is delayed. I would like to be compensated for that.",
        ),
        slots=(
            Slot(
                "reservation",
                where=is_late,
                reads=lambda draw: [*with_states(draw), times(DELAYED, len(travellers_of(draw)))],
            ),
        ),
        about=(Slot("reason", withheld=1.0, draw=PLANS, says=("The delay apart, {}.", "Besides, {}.")),),
        also=lambda draw: [(send_certificate, {"user": draw.person, "amount": DELAYED * len(travellers_of(draw))})],
    ),
)

# --- compensation, and what only a human can do ---

CLAIMS = (
    Goal(
        send_certificate,
        name="compensation",
        verbs=("compensate", "send"),
        says=(
            "I demand compensation: a flight of {reservation} has been cancelled by the airline.",
            "The airline has cancelled a flight of {reservation}. What compensation do I get for that?",
            "The cancelled flight of {reservation} ruins my plans; I want to be compensated.",
            "I'd like compensation because one of the flights of {reservation} is not flown.",
            "One of the flights of {reservation} was called off by the airline. I expect something for that.",
            "Please compensate me, since a flight of {reservation} does not go.",
        ),
        slots=(
            Slot(
                "reservation",
                of=Reservation,
                withheld=0.4,
                where=is_dropped,
                reads=lambda draw: [*with_states(draw), times(CANCELLED, len(travellers_of(draw)))],
            ),
        ),
        worked_out={"amount": lambda draw: CANCELLED * len(travellers_of(draw))},
    ),
    Goal(
        send_certificate,
        name="complain",
        against=worth_compensation,
        verbs=("compensate", "send"),
        says=(
            "I want compensation for {reservation}: {complaint}.",
            "On {reservation} {complaint}. What do I get for that?",
            "I want a certificate because {complaint}; that was on {reservation}.",
            "It cannot be that {complaint} on {reservation}, I expect to be compensated.",
            "Please send me a certificate for {reservation}, as {complaint}.",
            "{reservation} was a disappointment: {complaint}. Compensate me, please.",
        ),
        about=(
            Slot("reservation", of=Reservation, withheld=0.4, where=is_over, reads=details_of),
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
        verbs=("help",),
        says=(
            "{matter}. What can you do about it?",
            "{matter}. I need help with that.",
            "{matter}. Please take care of it.",
            "I have a problem: {matter}.",
            "Can you help me? {matter}.",
            "There is something I cannot solve myself: {matter}.",
        ),
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
