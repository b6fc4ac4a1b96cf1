"""What travellers want. Their words are in sentences.toml."""

from toolgym.domains.travel_booking import tools
from toolgym.domains.travel_booking.schema import Booking
from toolgym.sandbox.kit.goal import Goal, Slot, Tell, Thing

THINGS = (Thing(Booking, found_by=(tools.list_trips, tools.get_trip), has_known_key=False),)
GOALS = (
    Goal(
        tools.cancel_booking,
        name="cancel",
        slots=(Slot("booking", says=("I mean {}.",)),),
        tells=(Tell("refund_cents", near=("back", "refund")),),
    ),
)
