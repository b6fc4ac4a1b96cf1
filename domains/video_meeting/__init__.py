"""Larkfield's video meetings: lobbies, hosts and cohosts, series, and the recordings that stay.

- Lobbies: guests with the passcode wait until the host or a cohost, who has come first, admits them; three wrong ones,
  or a removal, bar them.
- Recording rights: hosts and cohosts record; what is stored belongs to the host, expires by the host's plan and is
  shared by link.
- Recurrence: each time of a series is a meeting of its own, moved or cancelled alone or, by as much, with all that
  follow.
"""

from toolgym.domains import directory
from toolgym.domains.video_meeting.schema import Person
from toolgym.sandbox.kit.domain import Domain

domain = Domain.of(
    __name__,
    title="An employee's video meetings",
    owner=Person,
    owners={"own": directory.owners(), "unseen": directory.owners(directory.UNSEEN)},
)
