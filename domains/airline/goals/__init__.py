"""What customers of the airline come for, and how they speak of what is theirs."""

from __future__ import annotations

from toolgym.domains.airline.goals.booking import BOOK
from toolgym.domains.airline.goals.cancelling import CANCEL, CLAIMS
from toolgym.domains.airline.goals.changing import CHANGES
from toolgym.domains.airline.goals.day_questions import DAY_QUESTIONS
from toolgym.domains.airline.goals.on_board import ON_BOARD
from toolgym.domains.airline.goals.questions import QUESTIONS
from toolgym.domains.airline.schema import PaymentMethod, Reservation, User
from toolgym.domains.airline.tools import get_reservation_details, get_user_details
from toolgym.sandbox.kit.goal import Condition, Relation, Thing

THINGS = (
    Thing(
        Reservation,
        (
            "my trip from {start} to {goal}",
            "my {departs} trip from {start} to {goal}",
            "my {departs} trip to {goal}",
            "my trip from {start} that begins on {departs}",
        ),
        found_by=(get_user_details, get_reservation_details),
    ),
    Thing(
        PaymentMethod,
        ("my {sort}", "my {sort} ending in {last_four}", "my {brand}", "my {sort} of ${amount}"),
        where=lambda method: not method.row.used,
        found_by=(get_user_details,),
        has_known_key=False,
    ),
)

RELATIONS = (
    Relation(User, "reservations", "my only trip"),
    Relation(Reservation, "payment_history.payment_id", "what I paid for {it} with"),
)
CONDITIONS = (
    Condition(Reservation, "paid", "if {it} cost me {value} dollars or more", get_reservation_details),
    Condition(Reservation, "total_baggages", "if {it} includes {value} or more checked bags", get_reservation_details),
)

GOALS = (*CANCEL, *CHANGES, *ON_BOARD, BOOK, *CLAIMS, *QUESTIONS, *DAY_QUESTIONS)
