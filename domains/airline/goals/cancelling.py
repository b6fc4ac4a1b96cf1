"""Cancelling a trip, and compensation: what customers say, and what their wishes hold."""

from __future__ import annotations

from typing import Any

from toolgym.domains.airline.goals.draws import (
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
        verbs=("cancel", "call off", "drop"),
        says=(
            "I want to cancel {reservation}[ because {reason}].",
            "Please cancel {reservation}[; {reason}].",
            "Could you cancel {reservation} for me?[ The reason is that {reason}.]",
            "I need {reservation} cancelled[, since {reason}].",
            "I won't be flying after all[, as {reason}]. Please cancel {reservation}.",
            "I'd like you to cancel {reservation}[. The thing is, {reason}].",
            "I have to call off {reservation} because {reason}.",
            "I have to call off {reservation}.",
            "Can you cancel {reservation}, please?[ It's because {reason}.]",
            "We're not going any more, so please cancel {reservation}.[ The reason: {reason}.]",
            "Is it possible to cancel {reservation}?[ I'm asking because {reason}.]",
            "I can't make it[, because {reason}], so I'd like to cancel {reservation}.",
            "Please take care of cancelling {reservation}[, as {reason}].",
            "Would you cancel {reservation}?[ Unfortunately {reason}.]",
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
            "I want a refund for {part} only; it's on {reservation}.",
            "On {reservation} I no longer need {part}, so please cancel just that.",
            "Can you take {part} out of {reservation} and refund it?",
            "Please cancel {part} on {reservation}, but nothing else.",
            "I'd like to cancel {part} on {reservation} and keep what remains.",
            "Could you drop {part} from {reservation}? Everything else stays.",
            "We don't need {part} on {reservation} any more. Please cancel that part.",
            "Is it possible to cancel just {part} on {reservation}?",
            "I'd like {part} on {reservation} cancelled and the rest left as it is.",
            "Would you refund {part} on {reservation}? I'm keeping the rest.",
            "Only {part} has to go; please cancel that on {reservation}.",
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
            "Because of a delay, {reservation} is no use to me: please cancel it and compensate me.",
            "Please cancel {reservation} and compensate me, since it is delayed.",
            "You're running late with {reservation}. Please cancel it and compensate me for the delay.",
            "I'm fed up with the delay on {reservation}: cancel it, and I expect compensation.",
            "Please cancel {reservation}, since one of its flights is delayed. I'd like to be compensated for that.",
            "With this delay I'd rather not fly at all. Please cancel {reservation} and compensate me.",
            "I can't use {reservation} because of the delay; please cancel it and offer me compensation.",
            "I see a delay on {reservation}. I'd like to cancel it and get a certificate for the delay.",
            "The delay on {reservation} ruins my plans. Cancel it, please, and compensate me.",
            "Could you cancel {reservation} and compensate me for the delay?",
            "My flight is late again: I want {reservation} cancelled and compensation for the delay.",
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
        verbs=("compensate", "send", "issue", "give", "offer", "grant", "add"),
        says=(
            "I'd like compensation: a flight of {reservation} has been cancelled by the airline.",
            "The airline has cancelled a flight of {reservation}. What compensation do I get for that?",
            "The cancelled flight on {reservation} ruins my plans; I want to be compensated.",
            "I'd like to be compensated because one of the flights of {reservation} isn't going.",
            "One of the flights of {reservation} was called off by the airline. I expect something for that.",
            "Please compensate me, since a flight of {reservation} was cancelled on me.",
            "You cancelled a flight of {reservation}, and I'd like compensation for it.",
            "A flight of {reservation} has been scrapped. How are you going to compensate me?",
            "I want a certificate, because the airline cancelled a flight of {reservation}.",
            "I've just learned that a flight of {reservation} was cancelled. I'm asking for compensation.",
            "Can I get compensation for {reservation}? One of its flights was cancelled by the airline.",
            "It isn't my fault that a flight of {reservation} was cancelled, so please compensate me.",
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
            "It's not acceptable that {complaint} on {reservation}. I expect to be compensated.",
            "Please send me a certificate for {reservation}, as {complaint}.",
            "I was disappointed with {reservation}: {complaint}. Please compensate me.",
            "I'd like to complain about {reservation}, because {complaint}. I think I'm owed something.",
            "Could I have compensation for {reservation}? I ask because {complaint}.",
            "I'm still upset about {reservation}: {complaint}. I want a certificate.",
            "When I flew on {reservation}, {complaint}. How will you make up for it?",
            "I paid good money for {reservation} and {complaint}. I'd like compensation.",
            "Is there any compensation for {reservation}? The problem is that {complaint}.",
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
            "There's something I can't sort out myself: {matter}.",
            "I'm calling because {matter}.",
            "{matter}. Who can help me?",
            "I hope you can help: {matter}.",
            "{matter}. How do we go about this?",
            "Here's my situation: {matter}.",
            "{matter}. Can somebody look into it?",
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
