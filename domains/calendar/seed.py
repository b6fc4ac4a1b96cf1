"""The calendar's rows: 160 people, 70 calendars, 18 rooms, 1,500 events; the edges of the rules on both sides."""

import random
from collections import defaultdict
from datetime import date, datetime, time, timedelta
from functools import partial

from toolgym.domains import directory
from toolgym.domains.calendar.schema import Attendee, Calendar, Event, Person, Reminder, Room, Series
from toolgym.domains.calendar.times import Stretch, end_of, later_times
from toolgym.domains.directory import Entry
from toolgym.sandbox.kit.database import Database

NOW = datetime(2026, 3, 10, 9, 30)
CLOCKS = (datetime(2026, 3, 9, 13, 0), datetime(2026, 3, 31, 8, 55))
"""Other moments: the Monday before, and after London has come to summer time."""

EVENTS, SERIES, REMINDERS = 1500, 90, 300
_FIRST, _LAST = date(2026, 2, 23), date(2026, 5, 15)
_ROOMS = (
    ("BOS", "Boston", "Beacon Charles Fenway Harbor Juniper Lantern Mystic Neponset Pilgrim Quincy"),
    ("AUS", "Austin", "Barton Congress Mopac"), ("LON", "London", "Thames Camden Strand"),
    ("SIN", "Singapore", "Orchid Merlion"),
)  # fmt: skip
_SEATS = (4, 6, 3, 8, 12, 5, 4, 10, 20, 6)
_TOPICS = (
    "Budget Pricing Launch Onboarding Hiring Roadmap Campaign Contract Security Website Quarterly Survey Migration "
    "Release Training Travel Archive Newsletter"
).split()
_KINDS = "review workshop rehearsal call planning retrospective interview demo lunch briefing".split()
_SERIES = ("{team} stand-up", "One-on-one {one} and {other}", "{team} planning round", "{topic} check-in")
_LATE = ((date(2026, 3, 16), time(12, 45)), (date(2026, 4, 6), time(11, 45)), (date(2026, 4, 7), time(16, 45)))
"""Three quarters of an hour before half past five: in London before its summer time and in it, and in Boston."""
_ANSWERS = ("accepted",) * 6 + ("none", "none", "declined", "tentative")


class _Filling:
    """Writes the rows, and knows who and which room is taken when."""

    def __init__(self, db: Database, people: int) -> None:
        self.db, self.rng = db, random.Random(20771 + people)
        self.people = directory.colleagues(people)
        self.owners = [entry for entry in self.people if entry.email in directory.owners(people)]
        self.clients = [entry for entry in directory.people(people) if entry.team is None]
        self.rooms: list[Room] = []
        self.events: list[Event] = []
        self.guests: dict[str, list[str]] = {}
        self.taken: dict[tuple[str, date], list[Stretch]] = defaultdict(list)
        self.days = [day for day in _days(_FIRST, _LAST) if day.weekday() < 5]

    def calendars(self) -> None:
        """One for work each, and six private ones."""
        for index, entry in enumerate(self.people):
            stem = entry.email.split("@")[0].replace(".", "-")
            shared = ("view", "edit", "view", "busy_only")[index % 4]
            self.db.insert(
                Calendar, calendar_id=f"cal-{stem}-work", email=entry.email, name=entry.name, team_rights=shared
            )
            if entry in self.owners[::4]:
                self.db.insert(
                    Calendar, calendar_id=f"cal-{stem}-private", email=entry.email, name=f"{entry.name}, private"
                )

    def all_rooms(self) -> None:
        """18 rooms in four buildings."""
        for code, building, names in _ROOMS:
            for number, name in enumerate(names.split(), start=1):
                seats = _SEATS[number - 1]
                self.rooms.append(
                    self.db.insert(
                        Room,
                        room_id=f"R-{code}-{number}",
                        name=name,
                        building=building,
                        seats=seats,
                        has_screen=number % 3 != 0,
                    )
                )

    def event(
        self,
        organiser: Entry,
        start: datetime,
        minutes: int,
        title: str,
        guests: list[Entry],
        *,
        room: Room | None = None,
        series: Series | None = None,
        state: str = "planned",
    ) -> Event:
        """An event with its guests and their answers."""
        stem = organiser.email.split("@")[0].replace(".", "-")
        made = self.db.add(
            Event,
            event_id=f"ev-{20001 + len(self.events)}",
            calendar_id=f"cal-{stem}-work",
            organiser=organiser,
            title=title,
            start=start,
            minutes=minutes,
            description=f"{title}, held by {organiser.name}.",
            state=state,
            series_id=series.series_id if series else None,
            room_id=room.room_id if room else None,
        )
        self.events.append(made)
        self.guests[made.event_id] = [guest.email for guest in guests]
        for number, guest in enumerate(guests):
            self.db.add(Attendee, event=made, email=guest.email, optional=number > 3, answer=self.rng.choice(_ANSWERS))
        for who in (organiser.email, *self.guests[made.event_id], *([room.room_id] if room else [])):
            self.taken[who, start.date()].append((start, end_of(start, minutes)))
        return made

    def is_free(self, who: str, start: datetime, minutes: int) -> bool:
        """Whether nothing else takes a person or a room."""
        end = end_of(start, minutes)
        return not any(begin < end and start < until for begin, until in self.taken[who, start.date()])

    def some_guests(self, organiser: Entry, count: int) -> list[Entry]:
        """Mostly of the organiser's team; now and then a client."""
        team = [entry for entry in self.people if entry.team == organiser.team and entry is not organiser]
        others = [entry for entry in self.people if entry.team != organiser.team]
        pool = self.rng.sample(team, min(count, 6)) + self.rng.sample(others, count)
        if self.rng.random() < 0.15:
            pool.insert(0, self.rng.choice(self.clients))
        return [organiser, *pool][1 : count + 1] if self.rng.random() < 0.5 else self.rng.sample(pool, count)

    def some_room(self, organiser: Entry, times: list[datetime], minutes: int, heads: int) -> Room | None:
        """A room of the organiser's building that seats them and is free at all times."""
        fitting = [
            room
            for room in sorted(self.rooms, key=lambda room: room.seats)
            if room.building == organiser.office
            and room.seats >= heads
            and all(self.is_free(room.room_id, start, minutes) for start in times)
        ]
        return self.rng.choice(fitting[:2]) if fitting and self.rng.random() < 0.7 else None

    def series(self, index: int) -> None:
        """A series by an owner or, every fifth, by somebody else."""
        rng = self.rng
        organiser = rng.choice(self.people) if index % 5 == 4 else self.owners[index % 24]
        every, interval = rng.choice((("week", 1), ("week", 1), ("week", 2), ("month", 1)))
        until = rng.choice(self.days[-30:])
        pattern = _SERIES[index % 4 if index < 48 else rng.randrange(4)]
        guests = self.some_guests(organiser, 1 if pattern.startswith("One") else rng.randrange(2, 6))
        words = {"one": organiser.name.split()[0], "other": guests[0].name.split()[0]}
        title = pattern.format(team=organiser.team, topic=rng.choice(_TOPICS), **words)
        minutes, start = rng.choice((15, 30, 45, 60)), self._slot(organiser, self.days[:10])
        times = [start, *later_times(start, every, interval, until)]
        made = self.db.insert(Series, series_id=f"ser-{301 + index}", every=every, interval=interval, until=until)
        room = self.some_room(organiser, times, minutes, len(guests) + 1)
        for moment in times:
            self.event(organiser, moment, minutes, title, guests, room=room, series=made)

    def single(self) -> None:
        """An event that does not repeat, mostly by an owner and in March."""
        rng = self.rng
        organiser = rng.choice(self.people) if rng.random() < 0.35 else rng.choice(self.owners)
        start = self._slot(organiser, self.days[5:30] if rng.random() < 0.85 else self.days[30:])
        minutes = rng.choice((15, 30, 30, 45, 60, 60, 90))
        guests = self.some_guests(organiser, rng.choice((0, 1, 1, 2, 3, 3, 4, 5, 6, 7)))
        room = self.some_room(organiser, [start], minutes, len(guests) + 1)
        state = rng.choice(("cancelled",) + ("moved",) * 2 + ("planned",) * 27)
        self.event(organiser, start, minutes, self._title(), guests, room=room, state=state)

    def _title(self) -> str:
        return f"{self.rng.choice(_TOPICS)} {self.rng.choice(_KINDS)}"

    def _slot(self, organiser: Entry, days: list[date]) -> datetime:
        """A half hour in which the organiser is free, if one is found soon."""
        for _ in range(12):
            start = datetime.combine(self.rng.choice(days), time(9)) + timedelta(minutes=30 * self.rng.randrange(16))
            if self.is_free(organiser.email, start, 60):
                break
        return start

    def edges(self) -> None:
        """At the last allowed and at the first refused value of every rule with a moment, for each clock."""
        for index, owner in enumerate(self.owners):
            late, clock = index // 3 % 2, (NOW, *CLOCKS)[index % 3]
            guests = self.some_guests(owner, 2)
            # what begins now has begun; a minute later it has not; 24 hours ahead is early enough, a minute less is not
            self.event(owner, clock + timedelta(minutes=1 - late), 30, self._title(), guests)
            self.event(owner, clock + timedelta(hours=24, minutes=-late), 30, self._title(), guests)
            # half past five in London: before it changes its clocks, after, and in Boston
            for day, ends in (
                (date(2026, 3, 16), (12, 45)),
                (date(2026, 4, 6), (11, 45)),
                (date(2026, 4, 7), (16, 45)),
            ):
                self._edge(owner, day + timedelta(days=index % 4), time(*ends), 45 + index % 2)
            # a room that is taken until ten, for an event at ten or a minute before
            day, room = date(2026, 3, 17) + timedelta(days=index % 3), self.rooms[index // 3]
            holder = self.people[3 + index % 3]
            if self.is_free(room.room_id, datetime.combine(day, time(9)), 60):
                self.event(holder, datetime.combine(day, time(9)), 60, self._title(), [], room=room)
            self._edge(owner, day, (time(10), time(9, 59))[late], 30)

    def _edge(self, owner: Entry, day: date, at: time, minutes: int) -> None:
        self.event(owner, datetime.combine(day, at), minutes, self._title(), self.some_guests(owner, 1))

    def reminders(self) -> None:
        """Some of the owners' own."""
        owners = {entry.email for entry in self.owners}
        own = [event for event in self.events if event.organiser_email in owners]
        for event in self.rng.sample(own, REMINDERS):
            minutes = self.rng.choice((5, 10, 15, 30, 60))
            self.db.add(Reminder, event=event, email=event.organiser_email, minutes_before=minutes)


def fill(db: Database, people: int = directory.SEED) -> None:
    """Write the rows around these people."""
    directory.fill_people(db, Person, people)
    filling = _Filling(db, people)
    filling.calendars()
    filling.all_rooms()
    filling.edges()
    for index in range(SERIES):
        filling.series(index)
    while len(filling.events) < EVENTS:
        filling.single()
    filling.reminders()


def _days(first: date, last: date) -> list[date]:
    return [first + timedelta(days=count) for count in range((last - first).days + 1)]


fill_unseen = partial(fill, people=directory.UNSEEN)
"""Other people and things, in which the stored tasks of dev and test play."""
