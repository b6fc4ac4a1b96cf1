"""A team's workspace: one member's files and folders, and what is shared in it."""

from toolgym.domains import directory
from toolgym.domains.filesystem.schema import Person
from toolgym.sandbox.kit.domain import Domain

domain = Domain.of(
    __name__,
    title="A team's workspace",
    owner=Person,
    owners={"own": directory.owners(), "unseen": directory.owners(directory.UNSEEN)},
)
