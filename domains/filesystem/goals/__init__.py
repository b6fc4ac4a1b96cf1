"""What people want of their files, and how they speak of them."""

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
        where=lambda node: node.row.path.count("/") > (2 if node.row.path.startswith("/home/") else 1),
        has_known_key=False,
    ),
    Thing(TrashEntry, has_known_key=False),
    Thing(Share, has_known_key=False),
    Thing(Person),
)
GOALS = (*CONTENT, *PLACES, *PEOPLE, *PAST, *COMPOSED, *QUESTIONS)
