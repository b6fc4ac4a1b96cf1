"""Larkfield: issues, their workflow and dependencies, and sprints, as those who develop see them.

- Workflow: an issue goes from todo to doing, review and done and may be reopened; it needs somebody to be begun,
  noted work to be reviewed and, if it is a bug, somebody else to be closed.
- Dependencies: what is blocked waits until all that blocks it is done, links never go round in a circle, and a
  duplicate is closed once a link says of what.
- Sprints: their issues' points stay within the capacity, a project has one that is active, and what is not done when it
  is closed goes to the next one or the backlog.
"""

from toolgym.domains import directory
from toolgym.domains.issue_tracker.schema import Person
from toolgym.sandbox.kit.domain import Domain

domain = Domain.of(
    __name__,
    title="Issues and sprints of a software house",
    owner=Person,
    owners={"own": directory.owners(), "unseen": directory.owners(directory.UNSEEN)},
)
