"""Maps: places, routes through the streets of two towns, traffic, timetables and lists of places.

- Real routes: every way is searched on the graph of streets that the world ships, by car, by bicycle, on foot, or with
  trams and buses and the waits for them.
- Turn restrictions: a driver goes no way that needs a barred turn or a one-way street backwards; who walks may.
- Closures: a street that is closed at the moment of departure is driven around, and what lies behind it is out of
  reach by car until it opens.
"""

from toolgym.domains.maps.schema import Traveller
from toolgym.domains.maps.seed import CLOCKS
from toolgym.sandbox.kit.domain import Domain

domain = Domain.of(__name__, title="Places, routes and traffic in two towns", owner=Traveller, clocks=CLOCKS)
