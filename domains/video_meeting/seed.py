"""The rows: 160 people, of whom 24 hold meetings that are over, live and to come; both sides of every rule."""

import random
from dataclasses import asdict
from datetime import datetime, timedelta
from functools import partial
from itertools import cycle
from typing import Any

from toolgym.domains import directory
from toolgym.domains.video_meeting.schema import Guest, Meeting, Person, Recording, Share
from toolgym.domains.video_meeting.tools import KEPT
from toolgym.sandbox.kit.database import Database

NOW = datetime(2026, 3, 10, 9, 30)
_TOPICS = (
    "Budget Pricing Launch Onboarding Hiring Roadmap Campaign Contract Security Website Quarterly Survey Migration "
    "Release Training Travel Archive Newsletter"
).split()
_KINDS = ("call", "review", "workshop", "briefing", "demo", "retrospective", "interview", "planning")
_MINUTES, _FULL = (25, 30, 40, 45, 60), (19, 20)
_SOON = (10, 11, 9, 15, 5, 20)
"""Minutes until the next meeting that somebody hosts: a host opens it ten minutes before."""


class _Filling:
    """Writes the rows of one body of data."""

    def __init__(self, db: Database, seed: int) -> None:
        self.db, self.rng = db, random.Random(seed)
        self.staff = [entry.email for entry in directory.colleagues(seed)]
        self.others = [email for email in self.staff if email not in directory.owners(seed)]
        self.clients = [entry.email for entry in directory.people(seed) if entry.team is None]
        self.titles = [f"{topic} {kind}" for topic in _TOPICS for kind in _KINDS]
        self.rng.shuffle(self.titles)
        self.title = cycle(self.titles)

    def meeting(self, host: str, start: datetime, state: str, invited: int = 5, **more: Any) -> Meeting:
        """A meeting whose guests are not yet there."""
        minutes = self.rng.choice(_MINUTES)
        values = {"title": next(self.title), "minutes": minutes, "agenda": "", "waiting_room": self.rng.random() < 0.7}
        code = f"{self.rng.randrange(1_000_000):06d}"
        made = self.db.add(Meeting, host_email=host, start=start, state=state, passcode=code, **(values | more))
        others = [email for email in self.staff if email != host]
        guests = self.rng.sample(others, invited - 1)
        if self.rng.random() < 0.4:
            guests[-1] = self.rng.choice(self.clients)
        self.place(made, host, "host", "in" if state == "live" else "left" if state == "ended" else "invited")
        for email in guests:
            state_there = self.rng.choice(("left", "left", "left", "invited")) if state == "ended" else "invited"
            self.place(made, email, "guest", state_there)
        return made

    def place(self, meeting: Meeting, email: str, role: str, state: str, wrong_codes: int = 0) -> None:
        """Somebody's place; the one that they have is changed."""
        there = self.db.find(Guest, meeting_id=meeting.meeting_id, email=email)
        for row in there:
            self.db.update(row, role=role, state=state, wrong_codes=wrong_codes)
        if not there:
            values = {"role": role, "state": state, "wrong_codes": wrong_codes, "muted": False}
            self.db.add(Guest, meeting=meeting, email=email, **values)

    def past(self, host: str, plan: str) -> None:
        """Meetings that are over, some of them recorded and shared."""
        for number in range(6):
            day = _moment(self.rng, -self.rng.randrange(1, 24))
            made = self.meeting(host, day, "ended", invited=self.rng.randrange(4, 8))
            if number % 3 == 2:
                continue
            kept = self.rng.choice((KEPT[plan], timedelta(days=(NOW - day).days + self.rng.choice((9, 29, 30, 31)))))
            recorded = {"recorded_on": day.date(), "minutes": made.minutes - self.rng.randrange(3, 9)}
            row = self.db.add(Recording, meeting=made, expires_on=day.date() + kept, **recorded)
            for email in self.rng.sample(self.staff, 2):
                self.db.add(Share, recording=row, email=email, until=NOW.date() + timedelta(days=9), message="")

    def coming(self, host: str, number: int) -> None:
        """Meetings to come: single ones, a series, one for nearly all, and one that begins soon."""
        for _ in range(4):
            self.meeting(host, _moment(self.rng, self.rng.randrange(1, 12)), "scheduled")
        self.meeting(host, _moment(self.rng, self.rng.randrange(2, 9)), "scheduled", invited=_FULL[number % 2])
        self.meeting(host, NOW + timedelta(minutes=_SOON[number % len(_SOON)]), "scheduled")
        first, title = _moment(self.rng, self.rng.randrange(1, 5)), next(self.title)
        series = self.meeting(host, first, "scheduled", title=title)
        series = self.db.update(series, series=f"ser-{series.meeting_id}")
        for week in (1, 2, 3):
            more: dict[str, Any] = {"title": title, "minutes": series.minutes, "series": series.series}
            self.meeting(host, first + timedelta(weeks=week), "scheduled", **more)

    def live(self, owners: list[str], number: int) -> None:
        """A meeting that runs: one of four owners hosts it, one is in it, two could come or are barred."""
        host, inside, *free = owners
        since = NOW - timedelta(minutes=12) if number % 3 == 0 else None
        more: dict[str, Any] = {
            "waiting_room": number % 3 > 0,
            "recording_since": since,
            "minutes": 45 + 15 * (number % 2),
        }
        made = self.meeting(host, NOW - timedelta(minutes=15 + number), "live", **more)
        self.place(made, inside, "cohost" if number % 2 else "guest", "waiting" if number == 2 else "in")
        busy = self.others[number * 6 : number * 6 + 6]
        for email, state in zip(busy, ("in", "in", "waiting", "waiting", "invited", "in"), strict=True):
            self.place(made, email, "cohost" if number == 4 and email == busy[0] else "guest", state)
        self.place(made, self.clients[number], "guest", ("in", "waiting")[number % 2])
        for place, email in enumerate(free):
            wrong = (0, 0, 3, 2)[(place + number) % 4]
            self.place(made, email, "guest", "removed" if place + number == 5 else "invited", wrong)


def fill(db: Database, seed: int = directory.SEED) -> None:
    """Write the rows.

    Args:
        db: the empty tables.
        seed: of the people, see `toolgym.domains.directory`.
    """
    owners = directory.owners(seed)
    plans = {email: "pro" if number % 3 == 1 else "basic" for number, email in enumerate(owners)}
    for entry in directory.people(seed):
        plan = plans.get(entry.email, "basic") if entry.company == "Larkfield" else None
        db.insert(Person, **asdict(entry), plan=plan)
    filling = _Filling(db, seed)
    for number, email in enumerate(owners):
        filling.past(email, plans[email])
        filling.coming(email, number)
    for number in range(6):
        filling.live(list(owners[number * 4 : number * 4 + 4]), number)


def _moment(rng: random.Random, days: int) -> datetime:
    day = datetime(NOW.year, NOW.month, NOW.day) + timedelta(days=days)
    while day.weekday() > 4:
        day += timedelta(days=1 if days > 0 else -1)
    return day + timedelta(hours=rng.randrange(10, 17), minutes=rng.choice((0, 0, 15, 30)))


fill_unseen = partial(fill, seed=directory.UNSEEN)
"""Other people and meetings, in which the stored tasks of dev and test play."""
