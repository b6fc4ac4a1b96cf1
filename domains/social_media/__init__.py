"""A social network: posts for those who may see them, follows, blocks, reactions and direct messages.

- Feeds: what the followed have posted or reposted, without the muted, as of the moment at which it is read.
- Blocks: they end follows, requests and closeness on both sides and hide accounts, posts and messages from each other;
  a lifted block brings none of it back.
- Visibility: a post is seen by its audience alone; one for followers goes with the follow, and a deleted one takes its
  replies along.
"""

from toolgym.domains.social_media import seed
from toolgym.domains.social_media.schema import Account
from toolgym.sandbox.kit.domain import Domain

domain = Domain.of(
    __name__,
    title="A social network",
    owner=Account,
    owners={"own": seed.owners(), "unseen": seed.owners(seed.UNSEEN)},
)
