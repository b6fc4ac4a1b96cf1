"""A house whose devices an agent runs: lights, heating, doors, appliances, cameras and the alarm.

- Scenes: all steps of a scene are taken or none; where one of its devices does not answer, or it would heat an empty
  house too much, nothing moves.
- Schedules: an automation runs its scene at sunset, at sunrise, at a time, or when the mode says that people have left
  or arrived; an appliance's program is planned, and its end counts against the quiet hours as well as its start.
- Sensors follow actuators: the meter shows the power of all that is on, a light sensor the lamps and blinds of its
  room, the alarm the doors that stand open, and a thermostat rests beside an open window.
"""

from toolgym.domains.iot_devices.schema import Home
from toolgym.sandbox.kit.domain import Domain

domain = Domain.of(__name__, title="The devices of a house", owner=Home)
