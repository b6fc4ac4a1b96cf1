"""An electric car: its doors, drive, comfort, routes and charging, for the driver whom the agent helps.

- Modes gate actions: a car that is off takes no comfort, gear or drive mode; it opens, unlocks and is switched off in
  park only, and drives only with the trunk shut, the brake released and the cable out.
- Range against a route: each leg costs charge by its kilometres and the drive mode, chargers on the way fill the car,
  and neither a new route nor another mode may leave less than 10 percent anywhere.
- Little charge limits comfort: below 15 percent, temperatures stay moderate and no seat is heated at the highest level.
"""

from toolgym.domains.vehicle.schema import Vehicle
from toolgym.sandbox.kit.domain import Domain

domain = Domain.of(__name__, title="An electric car and its driver", owner=Vehicle)
