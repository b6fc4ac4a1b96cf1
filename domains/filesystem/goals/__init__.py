"""What people want of their files, and how they speak of them."""

from __future__ import annotations

from toolgym.domains.filesystem.goals.composed import COMPOSED
from toolgym.domains.filesystem.goals.content import CONTENT
from toolgym.domains.filesystem.goals.past import PAST
from toolgym.domains.filesystem.goals.people import PEOPLE
from toolgym.domains.filesystem.goals.places import PLACES
from toolgym.domains.filesystem.goals.questions import QUESTIONS
from toolgym.domains.filesystem.schema import File, Person, Share, TrashEntry
from toolgym.sandbox.kit.goal import Thing

THINGS = (
    Thing(
        File,
        ("the {kind} {name}", "the {kind} {name} in {folder_name}"),
        lambda node: (
            (node.row.path.count("/") > 1 and not node.row.path.startswith("/home/")) or node.row.path.count("/") > 2
        ),
        has_known_key=False,
    ),
    Thing(
        TrashEntry,
        ("the {kind} {name}", "the {kind} {name} that I deleted on {removed_at:day}"),
        has_known_key=False,
    ),
    Thing(
        Share,
        ("the share of {name} with {person_name}", "the access that {person_name} has to {name}"),
        has_known_key=False,
    ),
    Thing(Person, ("{name}", "{name} from the {team} team", "{name} from {company}", "{name} in {office}")),
)
GOALS = (*CONTENT, *PLACES, *PEOPLE, *PAST, *COMPOSED, *QUESTIONS)
