"""Larkfield: an employee's calendar, what colleagues share of theirs, and the meeting rooms."""

from toolgym.domains import directory
from toolgym.domains.calendar.schema import Person
from toolgym.sandbox.kit.domain import Domain

domain = Domain.of(
    __name__,
    title="An employee's calendar",
    owner=Person,
    owners={"own": directory.owners(), "unseen": directory.owners(directory.UNSEEN)},
)
