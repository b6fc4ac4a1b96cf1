"""The chat's rows: 64 colleagues in 44 channels with about 1,800 messages; both sides of every rule."""

import random
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from functools import partial

from toolgym.domains import directory
from toolgym.domains.directory import Entry
from toolgym.domains.team_chat.schema import Channel, ChatMessage, DirectMessage, Membership, Person, Status
from toolgym.sandbox.kit.database import Database

NOW = datetime(2026, 3, 10, 9, 30)
CLOCKS = (datetime(2026, 3, 10, 14, 0), datetime(2026, 3, 12, 14, 1))
"""Other moments: six o'clock in London, and a minute later two days after."""
SITES, SUBJECTS = (
    ("Boston", "Austin", "London", "Singapore"),
    tuple(
        "door plan,printer,coffee machine,parking garage,audit,summer party,badges,fire drill,opening,test server,wifi,"
        "client visit,lunch menu,heating,bike racks,meeting rooms,phone list,price sheet,sign,laptop order,travel form,"
        "shift plan,backup,price survey,trade fair,window cleaning,team photo,invoices,desk moves,interviews,roadmap,"
        "training day,newsletter,lost keys,charity run,kitchen rota,screens,expenses,holiday list,bug hunt,recycling,"
        "workshop,mail room,lift repair,first-aid kit,onboarding".split(",")
    ),
)
CHANNELS = {
    "open": "releases: what ships,releases-eu: what ships in Europe,outages: what is down,support: from clients,"
    "lunch: where to eat,running: runs after work,books: what we read,plants: who waters what,photos: from our events,"
    "parking: the garage,travel: trains and hotels,it-help: laptops and printers,summer-party: the party in June,"
    "music: concerts,carpool: rides to work,lost-found: things without owners,ideas: what could be better,"
    "sports: games,languages: courses and partners,volunteers: helping in town",
    "private": "leads: heads of teams,salaries: pay rounds,hiring-panel: candidates,merger: talks,incidents: reports",
    "news": "news: from the board,office-news: from the front desk,it-status: planned work,policies: what applies",
    "old": "party-2025: last year's party,old-building: the former office,website-2024: old site,fair-2025: the fair",
}
_SAID = "I count {n} so far.|there are {n} left.|we need {n} more.|it takes {n} minutes.|{n} have said yes.".split("|")


def fill(db: Database, people: int = directory.SEED) -> None:
    """Write the rows around these people."""
    rng, staff = random.Random(40817 + people), directory.colleagues(people)
    for entry in staff:
        db.insert(Person, **asdict(entry))
    for place, entry in enumerate(rng.sample(staff, 24)):
        until = (None, datetime(2026, 3, 13, 18), datetime(2026, 3, 9, 18))[place % 3]  # the last ones have lapsed
        text, quiet = rng.choice((("Writing a report", True), ("In a workshop", True), ("At the other site", False)))
        db.insert(Status, email=entry.email, text=text, until=until, do_not_disturb=quiet)
    teams = [f"{team}: the {team} team" for team in dict.fromkeys(entry.team for entry in staff)]
    kinds = {"team": teams, **{kind: listed.split(",") for kind, listed in CHANNELS.items()}}
    for place, (kind, line) in enumerate((kind, line) for kind, lines in kinds.items() for line in lines):
        _channel(db, rng, staff, place, kind, *line.split(": "))
    for place in range(180):
        author, *others = rng.sample(staff, 2 + (place % 5 == 0))
        held, posted_at = sorted(each.email for each in (author, *others)), NOW - timedelta(minutes=60 + 90 * place)
        db.add(DirectMessage, people=held, author=author, text="Thanks, see you then.", posted_at=posted_at)


def _channel(
    db: Database, rng: random.Random, staff: Sequence[Entry], place: int, kind: str, name: str, topic: str
) -> None:
    flags = {"private": kind == "private", "archived": kind == "old", "announcements": kind == "news"}
    channel = db.insert(Channel, channel_id=f"ch-{name.lower()}", name=name, topic=topic, **flags)
    team = [entry for entry in staff if kind == "team" and entry.team == name]
    some = [entry for entry in staff if entry not in team]
    members = [*team, *rng.sample(some, {"team": 8, "news": 64}.get(kind, 26))]
    for number, entry in enumerate(members):
        read_until = NOW - timedelta(minutes=rng.randrange(30, 6_000))
        db.add(Membership, channel=channel, email=entry.email, is_admin=number < 6, read_until=read_until)
    figures, starts = rng.sample(range(21, 400), 260), sorted(rng.sample(range(12_000), 16), reverse=True)
    for number, (subject, start) in enumerate(zip(rng.sample(SUBJECTS, 16), starts, strict=True)):
        moment = NOW - timedelta(minutes=40 + 4 * start)  # five weeks back at most
        author, *others = rng.sample(members, 10)
        text, told = f"{rng.choice(SITES)} {subject}: {rng.choice(_SAID).format(n=figures.pop())}", rng.random() < 0.2
        about = {"pinned": number < (3, 9, 10, 2)[place % 4], "channel": channel}
        about |= {"mentions": [others[0].email] if told else []}
        root = db.add(ChatMessage, author=author, text=text, posted_at=moment, **about)
        usual = rng.choice((0, 0, 1, 2, 3))
        for answer in range({11: 7, 12: 8, 13: 9}.get(number, usual) if place % 3 == 0 else usual):
            moment = min(moment + timedelta(minutes=rng.randrange(2, 300)), NOW - timedelta(minutes=30 - answer))
            words = {"text": rng.choice(_SAID).format(n=figures.pop()).capitalize(), "mentions": [], "pinned": False}
            answered = {"channel": channel, "thread_of": root.message_id, "posted_at": moment}
            db.add(ChatMessage, author=others[answer], **answered, **words)


fill_unseen = partial(fill, people=directory.UNSEEN)
"""Other people and messages, in which tasks of dev and test play."""
