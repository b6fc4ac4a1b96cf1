"""The rows: seven projects with people, components, sprints, issues, and what hangs on them."""

import random
from collections import defaultdict
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any

from toolgym.domains import directory
from toolgym.domains.issue_tracker.schema import (
    Comment,
    Component,
    Issue,
    Label,
    Link,
    Person,
    Project,
    Role,
    Sprint,
    Watch,
    Work,
)
from toolgym.sandbox.kit.database import Database

NOW = datetime(2026, 3, 10, 9, 30)
CLOCKS = (datetime(2026, 3, 12, 16, 45), datetime(2026, 3, 13, 8, 15))
"""Other moments: later in the same week."""
PROJECTS = {
    directory.SEED: "Atlas Borealis Cinder Delta Ember Fjord Garnet".split(),
    directory.UNSEEN: "Harvest Indigo Juno Krypton Lagoon Meridian Nimbus".split(),
}
ISSUES, COMMENTS, WORK, LABELS, LINKS = 1100, 2600, 900, 1800, 260
PARTS = "importer exporter search billing login reports".split()
SUBJECTS = (
    "export", "import", "search box", "login page", "invoice view", "report header", "font menu", "release note",
    "price table", "calendar widget", "upload form", "audit log", "user list", "settings page", "mail footer",
    "date picker", "map layer", "help panel", "session timer", "chart legend", "backup job", "sync queue",
    "welcome tour", "print dialog",
)  # fmt: skip
PHRASES = {
    "bug": ("{0} stops after 500 rows", "{0} crashes on start", "{0} shows the wrong total", "{0} loses its state",
            "{0} is slow", "{0} ignores time zones"),
    "story": ("let customers share the {0}", "add filters to the {0}", "offer the {0} in French", "undo in the {0}"),
    "task": ("document the {0}", "clean up the {0}", "write tests for the {0}", "upgrade the {0}"),
}  # fmt: skip
WORDS = "billing mobile customer security speed design legal translation".split()
_SAID = ("Still there in the newest build.", "A customer asked about it.", "I can look at it on Monday.", "Works here.")
_STATES = ("todo",) * 9 + ("doing",) * 4 + ("review",) * 4 + ("done",) * 6 + ("reopened",) * 2


def fill(db: Database, people: int = directory.SEED) -> None:
    """Write the rows around these people."""
    directory.fill_people(db, Person, people)
    _Tracker(db, people).write()


fill_unseen = partial(fill, people=directory.UNSEEN)
"""Other people and projects, in which stored tasks of dev and test play."""


class _Tracker:
    """The rows while they are made."""

    def __init__(self, db: Database, people: int) -> None:
        self.db, self.rng, self.names = db, random.Random(418 + people), PROJECTS[people]
        self.everybody = [entry.email for entry in directory.colleagues(people)]
        self.owners = list(directory.owners(people))
        self.members: dict[str, list[str]] = {}
        self.components: dict[str, list[Component]] = {}
        self.sprints: dict[str, list[Sprint]] = {}
        self.issues: dict[str, list[Issue]] = defaultdict(list)

    def write(self) -> None:
        """Write all of them."""
        for place, name in enumerate(self.names):
            self._project(place, name)
        for number in range(ISSUES):
            self._issue(self.names[number % len(self.names)].upper(), 1 + number // len(self.names))
        for owner in self.owners:
            self._long_days(owner)
        self._links()
        self._talk()
        for sprints in self.sprints.values():
            for sprint in sprints:
                self._capacity(sprint)

    def _project(self, place: int, name: str) -> None:
        rng, key, leads = self.rng, name.upper(), self.owners[place * 3 : place * 3 + 3]
        self.db.insert(Project, project_key=key, name=name, lead_email=leads[0])
        near = [owner for number, owner in enumerate(self.owners) if (number + place) % 2 and owner not in leads]
        others = rng.sample([email for email in self.everybody if email not in self.owners], 9)
        readers = [
            owner for number, owner in enumerate(self.owners) if (number + place) % 4 == 0 and owner not in leads
        ]
        self.members[key] = [*leads, *near, *others[:5]]
        for email in (*self.members[key], *others[5:], *readers):
            role = "lead" if email in leads else "member" if email in self.members[key] else "reader"
            self.db.insert(Role, project_key=key, email=email, role=role)
        self.components[key] = [self._component(key, part) for part in PARTS[: 5 + place % 2]]
        self.sprints[key] = [self._sprint(key, number, place) for number in range(1, 7)]

    def _component(self, key: str, part: str) -> Component:
        first = self.rng.choice((None, *self.members[key][:8]))
        return self.db.add(Component, project_key=key, default_assignee_email=first, name=part)

    def _sprint(self, key: str, number: int, place: int) -> Sprint:
        """Three that are closed, one that is active but for two projects, two to come."""
        start = NOW.date() + timedelta(days=14 * (number - 4) - 8)
        state = "closed" if number < 4 or (number == 4 and place % 3 == 2) else "active" if number == 4 else "future"
        values = {"number": number, "state": state, "start_on": start, "end_on": start + timedelta(days=13)}
        return self.db.add(Sprint, project_key=key, capacity=200, **values)

    def _issue(self, key: str, number: int) -> None:
        rng, kind, today = self.rng, self.rng.choice(("bug", "bug", "story", "task")), NOW.date()
        taken = {row.summary for row in self.issues[key]}
        told = [each.format(subject) for each in PHRASES[kind] for subject in SUBJECTS]
        summary = rng.choice([text for each in told if (text := each[0].upper() + each[1:]) not in taken])
        state, points = rng.choice(_STATES), rng.choice((1, 2, 3, 5, 8, None))
        begun = state in ("review", "done", "reopened")
        who = rng.choice(self.members[key]) if state != "todo" or rng.random() < 0.6 else None
        sprint = self._place(key, state, points)
        created = today - timedelta(days=240 - number - rng.randrange(60))
        values: dict[str, Any] = {
            "kind": kind,
            "summary": summary,
            "description": f"{summary}, seen by a customer.",
            "state": state,
            "resolution": rng.choice(("fixed", "fixed", "wont_fix")) if state == "done" else None,
            "priority": rng.choice(("low", "normal", "normal", "high", "urgent" if kind == "bug" else "high")),
            "points": points,
            "created_on": created,
            "due_on": today + timedelta(days=rng.randrange(-20, 40)) if rng.random() < 0.3 else None,
            "component_id": rng.choice(self.components[key]).component_id,
            "sprint_id": sprint and sprint.sprint_id,
            "reporter_email": rng.choice((*self.owners, *self.everybody)),
            "assignee_email": who,
            "fixed_by_email": who if begun else None,
        }
        made = self.db.insert(Issue, issue_id=f"{key}-{number}", project_key=key, **values)
        self.issues[key].append(made)
        if begun or (state == "doing" and rng.random() < 0.5):
            self._work(made, who or self.owners[0], today - timedelta(days=rng.randrange(15, 60)), 30)
        if rng.random() < 0.2:
            self.db.add(Watch, issue=made, email=made.reporter_email)

    def _place(self, key: str, state: str, points: int | None) -> Sprint | None:
        """What is done was in a sprint that is over, half of what is not is in the active or a future one."""
        if points is None or self.rng.random() < 0.4:
            return None
        found = [each for each in self.sprints[key] if (each.state == "closed") == (state == "done")]
        return self.rng.choice(found)

    def _work(self, issue: Issue, email: str, day: date, minutes: int) -> None:
        self.db.add(Work, issue=issue, email=email, on=day, minutes=minutes, note="")

    def _long_days(self, owner: str) -> None:
        """Days on which an owner has worked for nearly ten hours, or for all of them."""
        own = [row for rows in self.issues.values() for row in rows if row.assignee_email == owner]
        for back, minutes in enumerate((540, 595, 450, 600, 480)):
            self._work(self.rng.choice(own), owner, NOW.date() - timedelta(days=back), minutes)

    def _links(self) -> None:
        """What blocks is older than what waits, so that nothing goes round in a circle."""
        made = set[tuple[str, str]]()
        while len(made) < LINKS:
            rows = self.issues[self.rng.choice(self.names).upper()]
            first, second = sorted(self.rng.sample(range(len(rows)), 2))
            kind = self.rng.choice(("blocks", "blocks", "relates", "same_as"))
            one, other = (first, second) if kind == "blocks" else (second, first)
            pair = rows[one].issue_id, rows[other].issue_id
            if kind == "blocks" and rows[other].state == "done":
                continue
            if pair not in made and pair[::-1] not in made:
                made.add(pair)
                self.db.add(Link, issue_id=pair[0], kind=kind, other_id=pair[1])

    def _talk(self) -> None:
        rng, every = self.rng, [row for rows in self.issues.values() for row in rows]
        for number in range(COMMENTS):
            row, day = every[number * 7 % ISSUES], NOW.date() - timedelta(days=rng.randrange(1, 40))
            author = rng.choice(self.members[row.project_key])
            self.db.add(Comment, issue=row, author_email=author, on=day, text=rng.choice(_SAID))
        bearing = set[tuple[str, str]]()
        while len(bearing) < LABELS:
            bearing.add((rng.choice(every).issue_id, rng.choice(WORDS)))
        for issue_id, label in sorted(bearing):
            self.db.insert(Label, issue_id=issue_id, label=label)
        begun = [row for row in every if row.state in ("review", "done")]
        while len(self.db.find(Work)) < WORK:
            row, day = rng.choice(begun), NOW.date() - timedelta(days=rng.randrange(15, 60))
            for _ in range(20):
                self._work(row, rng.choice(self.members[row.project_key]), day, rng.randrange(1, 20) * 15)

    def _capacity(self, sprint: Sprint) -> None:
        """Full, or nearly so; some have room for what another one leaves."""
        planned = sum(row.points or 0 for row in self.db.find(Issue, sprint_id=sprint.sprint_id))
        more = self.rng.choice((0, 1, 2, 3, 5)) if sprint.number % 2 else self.rng.choice((30, 80, 120))
        self.db.update(sprint, capacity=planned + more)
