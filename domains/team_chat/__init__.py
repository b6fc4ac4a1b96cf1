"""Larkfield's chat: channels with threads, mentions and pins, direct conversations, and what people are up to.

- Threads: an answer stands in its thread and not in the channel; whoever wrote in a thread has its answers counted.
- Mentions: only members are mentioned, and not at a bad time by their own clock and status; what is unread tells them.
- Membership: open channels are searched by all and read by members; private ones show outsiders nothing but their name.
"""

from toolgym.domains import directory
from toolgym.domains.team_chat.schema import Person
from toolgym.sandbox.kit.domain import Domain

domain = Domain.of(
    __name__,
    title="A company's chat",
    owner=Person,
    owners={"own": directory.owners(), "unseen": directory.owners(directory.UNSEEN)},
)
