"""What customers of the airline come for, and how they speak of what is theirs."""

from toolgym.domains.airline.goals.booking import BOOK
from toolgym.domains.airline.goals.cancelling import CANCEL, CLAIMS
from toolgym.domains.airline.goals.changing import CHANGES
from toolgym.domains.airline.goals.day_questions import DAY_QUESTIONS
from toolgym.domains.airline.goals.on_board import ON_BOARD
from toolgym.domains.airline.goals.questions import QUESTIONS
from toolgym.domains.airline.schema import PaymentMethod, Reservation
from toolgym.domains.airline.tools import get_reservation_details, get_user_details
from toolgym.sandbox.kit.goal import Condition, Thing

THINGS = (
    Thing(Reservation, found_by=(get_user_details, get_reservation_details), says_key=True),
    Thing(PaymentMethod, where=lambda method: not method.row.used, found_by=(get_user_details,), has_known_key=False),
)

CONDITIONS = (
    Condition(
        Reservation,
        "paid",
        "if {it} cost me {value} dollars or more",
        get_reservation_details,
        more="cost me more",
        less="cost me less",
    ),
    Condition(
        Reservation,
        "total_baggages",
        "if {it} includes {value} or more checked bags",
        get_reservation_details,
        more="includes more checked bags",
        less="includes fewer checked bags",
    ),
)

GOALS = (*CANCEL, *CHANGES, *ON_BOARD, BOOK, *CLAIMS, *QUESTIONS, *DAY_QUESTIONS)
