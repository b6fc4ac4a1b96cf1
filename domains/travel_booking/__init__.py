"""Travel booking: flights with their fares, connections, seats and bags, hotel rooms, and trips that hold them.

- Fare rules: a saver fare is given back within a day of its booking and never after, and moved for a fee; a flexible
  one is given back and moved free of charge; a room's rate says until how many days before check-in it is.
- Connections: two flights make one booking where the first lands where the second leaves, an hour to a day before.
- Holds that lapse: what is held stands for 24 hours and takes seats; then it stays in its trip as lapsed, its seats are
  free again, and only a new hold, at the present price, can be paid.
"""

from toolgym.domains.travel_booking.schema import Customer
from toolgym.sandbox.kit.domain import Domain

domain = Domain.of(__name__, title="Travel booking", owner=Customer)
