"""Larkfield's mail: an employee's mailbox with threads, labels, files, drafts and an automatic reply."""

from toolgym.domains import directory
from toolgym.domains.email.schema import Person
from toolgym.sandbox.kit.domain import Domain

domain = Domain.of(
    __name__,
    title="An employee's mailbox",
    owner=Person,
    owners={"own": directory.owners(), "unseen": directory.owners(directory.UNSEEN)},
)
