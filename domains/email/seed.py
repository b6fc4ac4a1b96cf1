"""The mailboxes' rows: 160 people, 24 mailboxes of about 110 messages; the edges of the rules on both sides."""

import random
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from functools import partial

from toolgym.domains import directory
from toolgym.domains.directory import Entry
from toolgym.domains.email.schema import (
    CONFIDENTIAL,
    Attachment,
    AutoReply,
    Draft,
    DraftAttachment,
    Label,
    Message,
    MessageLabel,
    Person,
    Thread,
)
from toolgym.sandbox.kit.database import Database

NOW = datetime(2026, 3, 10, 9, 30)
CLOCKS = (datetime(2026, 3, 9, 13, 0), datetime(2026, 3, 31, 8, 55))
"""Other moments: the Monday before, and the last day of the month."""
TOPICS = tuple(
    "Audit,Budget draft,Floor plan,Office move,Hotel booking,Conference,Product launch,Travel policy,Website redesign,"
    "Hiring plan,Client dinner,Training day,Supplier contract,Annual report,Price list,Newsletter,Security review,"
    "Coffee machine,Parking permit,Summer party,Trade fair,Customer survey,Data migration,Press release,Expense report,"
    "Insurance renewal,Sales forecast,Team photo,Phone system,Reception desk,Warehouse lease,Software licence,"
    "Brand guide,Intern programme,Charity run,Server upgrade,Safety drill,Kitchen repair,Workshop agenda,"
    "Job interview,Visa application,Product demo,Test results,Delivery schedule,User manual,Lift repair,Mailing list,"
    "Lunch menu".split(",")
)
_PLAN = ("Heating bill", "Cleaning contract", "Printer invoice", "Window order", "Carpet order", "Storage bill")
_LABELS = tuple(
    "Travel,Finance,Clients,Hiring,Follow up,Projects,Team,Reading,Ideas,Contracts,Events,Personal,Urgent,Waiting,"
    "Training,Suppliers,Legal,Reports,Press,Facilities,Sales,Design,Support,Partners,Research,Payroll,Archive 2025,"
    "Quotes,Feedback".split(",")
)
_OPENINGS = (
    "I hope you had a good start into the week.", "Thanks for getting back to me so quickly about this.",
    "Just a short note before I forget about it again.", "Sorry that it took me a while to answer you.",
    "As promised, here is where we stand at the moment.", "I have had another look at it this morning.",
)  # fmt: skip
_FIGURES = (
    "We are {n} people so far.", "I count {n} boxes.", "It takes {n} hours in all.", "There is room for {n} seats.",
    "They ask for {n} copies.", "So far {n} answers have come in.", "It will be {n} pages.",
)  # fmt: skip
_CLOSINGS = ("Let me know what you think.", "Please tell me if that works.", "More soon.", "Talk to you later.")
_KINDS = ("pdf", "pdf", "xlsx", "docx", "png")
_FIRST, _DAYS = datetime(2025, 11, 3, 8, 0), 124
"""The first morning of the mailboxes, and how many days threads begin in; the last mails come on March 9."""
_LAST = datetime(2026, 3, 9, 12, 30)
_TRASHED = (
    date(2026, 2, 6), date(2026, 2, 7), date(2026, 2, 8), date(2026, 2, 28), date(2026, 3, 1), date(2026, 3, 5),
)  # fmt: skip
"""30 and 31 days before each clock, and lately."""
LARGE = (20_000_000, 20_000_001)
FULL = {5: 28, 13: 28, 21: 28, 6: 29, 14: 29, 22: 29}
"""Whose mailbox has so many labels besides Confidential: one is left, or none."""


class _Mailbox:
    """Writes one person's rows."""

    def __init__(self, db: Database, rng: random.Random, index: int, me: Entry, people: Sequence[Entry]) -> None:
        self.db, self.rng, self.index, self.me = db, rng, index, me
        colleagues = [entry for entry in people if entry.team and entry is not me]
        team = [entry for entry in colleagues if entry.team == me.team]
        others = [entry for entry in colleagues if entry.team != me.team]
        self.colleagues = [*team, *rng.sample(others, 10)]
        self.clients = rng.sample([entry for entry in people if not entry.team], 7)
        self.everybody = colleagues
        self.figures = rng.sample(range(21, 1000), 200)

    def fill(self) -> None:
        """All of it."""
        topics = self.rng.sample(TOPICS, 34)
        for topic in (*topics, *topics[:3]):
            self._thread(topic)
        self._edges()
        self._labels()
        self._drafts()
        self.db.add(
            AutoReply,
            owner=self.me,
            first_day=date(2025, 12, 22),
            last_day=date(2026, 1, 2),
            text="I am away until January 2.",
            outside=self.index % 2 == 0,
        )

    def _thread(self, topic: str) -> None:
        rng = self.rng
        other = rng.choice(self.colleagues if rng.random() < 0.7 else self.clients)
        third = rng.choice([entry for entry in self.colleagues if entry is not other])
        people = [other, self.me] if rng.random() < 0.6 else [other, self.me, third]
        if rng.random() < 0.25:
            people = [self.me, *(entry for entry in people if entry is not self.me)]
        thread = self._new_thread(topic)
        moment = _FIRST + timedelta(days=rng.randrange(_DAYS), minutes=15 * rng.randrange(40))
        for place in range(rng.choice((1, 1, 2, 2, 3, 3, 4, 5))):
            if moment > _LAST:
                break
            sender = people[place % len(people)]
            to = [entry for entry in people if entry is not sender]
            message = self._message(thread, sender, to, moment, is_answer=place > 0)
            if sender is not self.me and rng.random() < 0.28:
                for number in range(rng.choice((1, 1, 1, 2))):
                    self._file(message, topic, rng.randrange(40, 9_000) * 1000 + number, number)
            days = rng.choice((0, 1, 1, 2, 4))
            moment = moment.replace(hour=rng.randrange(8, 18), minute=5 * rng.randrange(12)) + timedelta(days=days + 1)

    def _message(
        self, thread: Thread, sender: Entry, to: Sequence[Entry], moment: datetime, *, is_answer: bool, folder: str = ""
    ) -> Message:
        rng, own = self.rng, sender is self.me
        age = (_LAST - moment).days
        usual = "sent" if own else "archive" if age > 35 and rng.random() < 0.3 else "inbox"
        reference = f"The reference number is {self._code()}." if not own and rng.random() < 0.3 else ""
        said = [rng.choice(_OPENINGS), rng.choice(_FIGURES).format(n=self.figures.pop()), reference]
        text = " ".join(filter(None, [*said, rng.choice(_CLOSINGS)]))
        return self.db.add(
            Message,
            owner=self.me,
            thread=thread,
            sender=sender,
            to=sorted(entry.email for entry in to),
            cc=[],
            subject=f"Re: {thread.subject}" if is_answer else thread.subject,
            body=f"Hi {to[0].name.split()[0]},\n\n{text}\n\n{sender.name.split()[0]}",
            sent_at=moment,
            folder=folder or usual,
            unread=not own and age < 16 and rng.random() < 0.5,
            starred=rng.random() < 0.12,
        )

    def _code(self) -> str:
        letters = "".join(self.rng.choice("BCDFGHKLMNPRSTVW") for _ in range(2))
        return f"{letters}-{self.rng.randrange(10_000, 100_000)}"

    def _new_thread(self, topic: str) -> Thread:
        key = self.db.new_id(Thread)
        return self.db.add(Thread, thread_id=key, owner=self.me, subject=topic)

    def _file(self, message: Message, topic: str, size: int, number: int = 0) -> None:
        kind = self.rng.choice(_KINDS)
        name = f"{topic.lower().replace(' ', '-')}{f'-{number + 1}' if number else ''}.{kind}"
        key = self.db.new_id(Attachment)
        self.db.add(Attachment, attachment_id=key, message=message, name=name, bytes=size, kind=kind)

    def _one(self, topic: str, sender: Entry, moment: datetime, folder: str, to: Sequence[Entry] = ()) -> Message:
        """A message alone in its thread."""
        thread = self._new_thread(topic)
        return self._message(thread, sender, [self.me, *to], moment, is_answer=False, folder=folder)

    def _edges(self) -> None:
        """At the last allowed and at the first refused value of every rule with a number, for each clock."""
        rng, left = self.rng, list(TOPICS)
        rng.shuffle(left)
        for size in LARGE:
            moment = _LAST - timedelta(days=rng.randrange(2, 30), minutes=5 * rng.randrange(60))
            message = self._one(left[-1], rng.choice(self.colleagues), moment, "inbox")
            self._file(message, left.pop(), size)
        for count in (19, 20):
            head, *others = rng.sample(self.everybody, count + 1)
            moment = _LAST - timedelta(days=rng.randrange(2, 30), minutes=5 * rng.randrange(60))
            self._one(left.pop(), head, moment, "inbox", others)
        for deleted_on in _TRASHED:
            moment = datetime(deleted_on.year, deleted_on.month, deleted_on.day, 11) - timedelta(
                days=rng.randrange(1, 9)
            )
            message = self._one(left.pop(), rng.choice(self.colleagues), moment, "trash")
            self.db.update(message, deleted_on=deleted_on)
        for topic in rng.sample(_PLAN, 4):
            moment = _LAST - timedelta(days=rng.randrange(1, 12), minutes=5 * rng.randrange(60))
            self._one(topic, rng.choice(self.clients), moment, "spam")

    def _labels(self) -> None:
        """Confidential and some more; most of what came bears one."""
        rng = self.rng
        names = [CONFIDENTIAL, *rng.sample(_LABELS, FULL.get(self.index, 4))]
        rows = []
        for name in names:
            key, colour = self.db.new_id(Label), rng.choice(("red", "green", "blue", "grey"))
            rows.append(self.db.add(Label, label_id=key, owner=self.me, name=name, colour=colour))
        for message in self.db.find(Message, owner_email=self.me.email):
            chance = rng.random()
            if message.folder in ("inbox", "archive", "sent") and chance < 0.6:
                label = rows[0] if chance < 0.1 else rng.choice(rows[1:6])
                self.db.add(MessageLabel, message=message, label=label)

    def _drafts(self) -> None:
        """Three that are open, one with a file, and one that is scheduled."""
        rng = self.rng
        files = [row for row in self.db.find(Attachment) if row.bytes < 1_000_000]
        people = rng.sample([*self.colleagues, *self.clients], 4)
        for place, (entry, topic) in enumerate(zip(people, rng.sample(TOPICS, 4), strict=True)):
            draft = self.db.add(
                Draft,
                owner=self.me,
                to=[entry.email],
                cc=[],
                subject=topic,
                body=f"Hi {entry.name.split()[0]},\n\n{rng.choice(_FIGURES).format(n=self.figures.pop())}",
                state="scheduled" if place == 3 else "open",
                send_at=datetime(2026, 4, 2, 8, 0) if place == 3 else None,
            )
            own = {row.message_id for row in self.db.find(Message, owner_email=self.me.email)}
            fitting = [row for row in files if row.message_id in own]
            if place == 0 and fitting:
                chosen = rng.choice(fitting)
                self.db.add(DraftAttachment, draft=draft, attachment=chosen)


def fill(db: Database, people: int = directory.SEED) -> None:
    """Write the rows around these people."""
    directory.fill_people(db, Person, people)
    rng, entries = random.Random(30810 + people), directory.people(people)
    for index, email in enumerate(directory.owners(people)):
        me = next(entry for entry in entries if entry.email == email)
        _Mailbox(db, rng, index, me, entries).fill()


fill_unseen = partial(fill, people=directory.UNSEEN)
"""Other people and things, in which the stored tasks of dev and test play."""
