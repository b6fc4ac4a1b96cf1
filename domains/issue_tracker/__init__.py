"""Larkfield: issues, their workflow and dependencies, and sprints, as those who develop see them."""

from toolgym.domains import directory
from toolgym.domains.issue_tracker.schema import Person
from toolgym.sandbox.kit.domain import Domain

domain = Domain.of(
    __name__,
    title="Issues and sprints of a software house",
    owner=Person,
    owners={"own": directory.owners(), "unseen": directory.owners(directory.UNSEEN)},
)
