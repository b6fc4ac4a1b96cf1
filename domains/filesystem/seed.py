"""The workspace's rows: the homes of 24 members, the folders of their teams, versions, shares and trash."""

import json
import posixpath
import random
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from toolgym.domains import directory
from toolgym.domains.directory import Entry
from toolgym.domains.filesystem import schema
from toolgym.domains.people import LAST_NAMES
from toolgym.sandbox.kit.database import Database

NOW = datetime(2026, 3, 10, 9, 30)
CLOCKS = (datetime(2026, 3, 13, 16, 5), datetime(2026, 3, 20, 11, 15), datetime(2026, 3, 31, 8, 45))
"""Other moments: some days, a week and three weeks later."""
_HOUSE = "Larkfield"
_TOPICS = {
    directory.SEED: "launch website hiring budget workshop survey onboarding pricing logistics security".split(),
    directory.UNSEEN: "rebrand newsletter training audit offsite feedback travel licences packaging support".split(),
}
_MONTHS = "january february march april may june july august september october november december".split()
_BRANCHES = ("north", "south", "west")
_GOODS = "lamps desks chairs shelves screens cables boards racks covers stands".split()
_MEGA = 1_000_000
Values = dict[str, Any]


def fill(db: Database, people: int = directory.SEED) -> None:
    """Write the rows.

    Args:
        db: the empty tables.
        people: whose names the directory holds.
    """
    rng = random.Random(people * 41)
    directory.fill_people(db, schema.Person, people)
    _groups(db, people)
    for path in ("/", "/home", "/teams", "/shared", "/secrets"):
        _node(db, path, "folder", others_rights="read")
    tree = _Tree(db, rng, _TOPICS[people])
    for name in sorted({each.team for each in directory.colleagues(people) if each.team}):
        tree.team(name, [each for each in directory.colleagues(people) if each.team == name])
    tree.shared(directory.colleagues(people)[0])
    by_address = {each.email: each for each in directory.people(people)}
    for index, email in enumerate(directory.owners(people)):
        tree.home(by_address[email], index, directory.people(people))


def _groups(db: Database, people: int) -> None:
    for each in directory.people(people):
        name = (each.team or "guests").lower()
        if db.get(schema.Group, name) is None:
            db.insert(schema.Group, group_name=name)
        db.insert(schema.Membership, group_name=name, email=each.email)


def _node(db: Database, path: str, kind: str, **values: Any) -> schema.File:
    folder, name = posixpath.split(path)
    usual: Values = {"size": None, "text": None, "target": None, "locked_by": None}
    usual |= {"owner_email": None, "group_name": None, "group_rights": "none", "others_rights": "none"}
    usual |= {"changed_at": NOW - timedelta(days=400)} | values
    return db.insert(schema.File, path=path, folder=folder if path != "/" else "", name=name, kind=kind, **usual)


class _Tree:
    """Writes what belongs to whom.

    Args:
        db: the tables.
        rng: decides.
        topics: what people work on.
    """

    def __init__(self, db: Database, rng: random.Random, topics: list[str]) -> None:
        self.db, self.rng, self.topics = db, rng, topics
        self.whose: Values = {}

    # --- places ---

    def team(self, name: str, members: list[Entry]) -> None:
        """A team's folder: what all may write, what they may only read, and what one of them has locked."""
        slug, lead = name.lower(), members[0]
        top = f"/teams/{slug}"
        self.whose = {"owner_email": lead.email, "group_name": slug, "group_rights": "write"}
        self.folder(top)
        for index, stem in enumerate(("roadmap", "forecast", "rota", "minutes", "glossary", "contacts")):
            locked = members[3 + index].email if index < 2 else None
            self.text(f"{top}/{slug}-{stem}.txt", self.lines(stem), locked_by=locked)
        self.whose["group_rights"] = "read"
        for stem in ("handbook", "targets", "salaries", "rules"):
            self.text(f"{top}/{slug}-{stem}.txt", self.lines(stem))
        self.binary(f"{top}/{slug}-team-photo.jpg")

    def shared(self, lead: Entry) -> None:
        """What everybody may read."""
        self.whose = {"owner_email": lead.email, "others_rights": "read"}
        for stem in ("house-rules", "holiday-calendar", "phone-list", "travel-policy", "style-guide", "fire-drill"):
            self.text(f"/shared/{stem}.txt", self.lines(stem))
        for stem in ("logo", "office-map", "letterhead"):
            self.binary(f"/shared/{stem}.png")

    def home(self, me: Entry, index: int, everybody: tuple[Entry, ...]) -> None:
        """What one member has."""
        top, rng = f"/home/{me.email.split('@')[0]}", self.rng
        self.whose = {"owner_email": me.email, "group_name": (me.team or "").lower()}
        for name in (
            "",
            *(f"/{each}" for each in "reports offers contracts lists notes slides downloads last-year".split()),
        ):
            self.folder(top + name)
        self.text(f"{top}/.profile", ["language: en", "zone: New York"])
        self.reports(top)
        self.letters(top)
        self.lists(top)
        topics = rng.sample(self.topics, 7)
        for topic in topics[:5]:
            self.text(f"{top}/notes/notes-{topic}.txt", self.lines(topic))
        slides = [self.binary(f"{top}/slides/{topic}.pptx") for topic in topics[2:6]]
        self.downloads(top, topics)
        self.link(f"{top}/latest", f"{top}/reports/sales-february.txt")
        self.link(f"{top}/current-deck", slides[0].path)
        self.link(f"{top}/newest", f"{top}/latest")
        self.text(f"/secrets/{me.email.split('@')[0]}-codes.txt", ["door: " + _code(rng), "safe: " + _code(rng)])
        free = self.lines("availability", 3)
        self.text(f"{top}/{me.name.lower().replace(' ', '-')}-availability.txt", free, others_rights="read")
        for place in self.rng.sample(
            (f"notes/notes-{topics[0]}.txt", "lists/callers.txt", f"slides/{topics[3]}.pptx"), 2
        ):
            node = self.db.get_one(schema.File, f"{top}/{place}")
            self.db.update(node, locked_by=me.email)
        self.versions(top)
        self.trash(top, me, index)
        self.shares(me, everybody)
        self.quota(me, index, max(slides, key=schema.size_of))

    def reports(self, top: str) -> None:
        for branch in _BRANCHES:
            rows = [f"{good}: {self.rng.randrange(20, 900)}" for good in self.rng.sample(_GOODS, 4)]
            total = sum(int(row.split()[1]) for row in rows)
            self.text(f"{top}/reports/branch-{branch}.txt", [f"Branch report {branch}", *rows, f"total: {total}"])
        for month in _MONTHS[:2] + _MONTHS[10:]:
            place = "reports" if month in _MONTHS[:2] else "last-year"
            self.text(f"{top}/{place}/sales-{month}.txt", self.lines(f"sales {month}"))
        self.text(f"{top}/last-year/branch-{self.rng.choice(_BRANCHES)}.txt", self.lines("old branch report"))

    def letters(self, top: str) -> None:
        for name in self.rng.sample(LAST_NAMES, 3):
            day = f"{self.rng.randrange(2, 29)} {self.rng.choice(_MONTHS[2:5]).title()}"
            good, price = self.rng.choice(_GOODS), self.rng.randrange(20, 300)
            body = [f"Offer for {name}", f"Date: {day}", f"{self.rng.randrange(5, 60)} {good} at {price} dollars each"]
            body += [f"This offer holds until {day}.", f"Please answer by {day}."]
            self.text(f"{top}/offers/offer-{name.lower()}.txt", body)
        for company in self.rng.sample(_PARTNERS, 2):
            body = [f"Contract with {company}", *self.lines("terms", 5)]
            self.text(f"{top}/contracts/contract-{company.lower()}.txt", body)
            for place in self.rng.sample(range(1, len(body)), self.rng.choice((1, 1, 2))):
                body[place] = self.line()
            self.text(f"{top}/contracts/contract-{company.lower()}-draft.txt", body)

    def lists(self, top: str) -> None:
        names = self.rng.sample(LAST_NAMES, 14)
        self.text(f"{top}/lists/guest-list.txt", [f"{name}, table {self.rng.randrange(1, 9)}" for name in names[:8]])
        doubled = [*names[6:12], names[7]]
        self.text(f"{top}/lists/callers.txt", [f"{name} 555-{self.number()}" for name in doubled] + [names[9]] * 2)
        prices = [f"{self.rng.randrange(3, 400)} {good}" for good in self.rng.sample(_GOODS, 7)]
        self.text(f"{top}/lists/price-list.txt", prices)
        self.text(
            f"{top}/lists/inventory.txt", [f"{self.rng.randrange(0, 90)} {each}" for each in self.rng.sample(_GOODS, 6)]
        )

    def downloads(self, top: str, topics: list[str]) -> None:
        for number in range(self.rng.randrange(2, 5)):
            self.text(f"{top}/downloads/import-{self.rng.randrange(10, 99)}{number}.log", self.lines("import", 2))
        for topic in topics[4:6]:
            self.binary(f"{top}/downloads/{topic}-photo.jpg")
        self.binary(f"{top}/downloads/{topics[6]}-brochure.pdf")
        members = [self.member(f"{topics[0]}-{stem}.txt") for stem in ("agenda", "costs", "guests")]
        size = sum(member["bytes"] for member in members)
        self.node(f"{top}/downloads/{topics[0]}.zip", "file", text=json.dumps(members), size=size)

    def member(self, name: str) -> Values:
        text = _joined(self.lines(name.split(".")[0]))
        return {"path": name, "kind": "file", "bytes": len(text), "size": None, "text": text, "target": None}

    # --- what was before, and what others see ---

    def versions(self, top: str) -> None:
        for name in (
            "lists/price-list.txt",
            "lists/inventory.txt",
            "reports/sales-february.txt",
            "lists/guest-list.txt",
        ):
            node = self.db.get(schema.File, f"{top}/{name}")
            assert node is not None and node.text is not None
            lines = node.text.splitlines()
            for days in sorted(self.rng.sample(range(1, 30), self.rng.randrange(4, 7)), reverse=True):
                lines[self.rng.randrange(1, len(lines))] = f"{self.rng.randrange(3, 400)} {self.rng.choice(_GOODS)}"
                text = _joined(lines)
                moment = self.moment(days)
                values = {"path": node.path, "saved_at": moment, "bytes": len(text), "text": text}
                self.db.add(schema.Version, **values)
            self.db.update(node, changed_at=self.moment(0))

    def trash(self, top: str, me: Entry, index: int) -> None:
        """Things on both sides of the 30 days, by each of the clocks."""
        ages = [30, 31, 3, 12] if index % 2 else [20, 21, 27, 8]
        stems = self.rng.sample(("draft", "plan", "sketch", "outline", "figures", "summary"), len(ages))
        for age, stem in zip(ages, stems, strict=True):
            self.removed(me, f"{top}/notes/{self.rng.choice(self.topics)}-{stem}.txt", age)
        self.removed(me, f"{top}/slides/{self.rng.choice(self.topics)}-show.pptx", 6)

    def removed(self, me: Entry, path: str, age: int) -> None:
        moment, name = self.moment(age), posixpath.basename(path)
        held = f"{schema.TRASH}/{moment:%Y%m%d%H%M}{path}"
        node = self.text(held, self.lines(name.split(".")[0])) if name.endswith("txt") else self.binary(held)
        values = {"name": name, "kind": "file", "old_path": path, "held_at": held, "bytes": schema.size_of(node)}
        key = self.db.new_id(schema.TrashEntry)
        self.db.add(schema.TrashEntry, trash_id=key, owner=me, removed_at=moment, **values)

    def shares(self, me: Entry, everybody: tuple[Entry, ...]) -> None:
        mine = [node for node in self.db.find(schema.File, owner_email=me.email) if node.kind == "file"]
        mine = [node for node in mine if node.path.startswith("/home/") and not node.name.startswith(".")]
        house = [each for each in everybody if each.company == _HOUSE and each.email != me.email]
        guests = [each for each in everybody if each.company != _HOUSE]
        for number, node in enumerate(self.rng.sample(mine, 5)):
            with_whom = self.rng.choice(guests if number < 2 else house)
            rights = "read" if number < 2 else self.rng.choice(("read", "write"))
            until = NOW.date() + timedelta(
                days=self.rng.randrange(25, 85) if number < 4 else -self.rng.randrange(1, 20)
            )
            values = {"path": node.path, "email": with_whom.email, "rights": rights, "until": until, "revoked": False}
            self.db.add(schema.Share, owner=me, **values)

    def quota(self, me: Entry, index: int, deck: schema.File) -> None:
        """Some have room for a copy of their largest slides to the byte, some a byte less, some plenty."""
        used = sum(schema.size_of(node) for node in self.db.find(schema.File, owner_email=me.email))
        left = (schema.size_of(deck), schema.size_of(deck) - 1, 100 * _MEGA, 250 * _MEGA)[index % 4]
        self.db.insert(schema.Quota, email=me.email, allowed=used + left)

    # --- nodes ---

    def folder(self, path: str) -> schema.File:
        return self.node(path, "folder")

    def link(self, path: str, target: str) -> schema.File:
        return self.node(path, "link", target=target)

    def binary(self, path: str) -> schema.File:
        return self.node(path, "file", size=self.rng.randrange(_MEGA, 9 * _MEGA))

    def text(self, path: str, lines: list[str], **values: Any) -> schema.File:
        return self.node(path, "file", text=_joined(lines), **values)

    def node(self, path: str, kind: str, **values: Any) -> schema.File:
        return _node(
            self.db, path, kind, **self.whose | {"changed_at": self.moment(self.rng.randrange(1, 90))} | values
        )

    def lines(self, title: str, count: int = 4) -> list[str]:
        return [title.replace("-", " ").capitalize(), *(self.line() for _ in range(count))]

    def line(self) -> str:
        who, good = self.rng.choice(LAST_NAMES), self.rng.choice(_GOODS)
        return self.rng.choice(_LINES).format(who=who, good=good, number=self.rng.randrange(3, 400), code=self.number())

    def number(self) -> int:
        return self.rng.randrange(1000, 9999)

    def moment(self, days: int) -> datetime:
        return (NOW - timedelta(days=days)).replace(
            hour=self.rng.randrange(7, 9) if not days else self.rng.randrange(8, 18)
        )


_PARTNERS = "Ashgrove Bluewater Cobalt Danforth Eastwick Fairmont Glenmore Halcyon Juniper Kestrel".split()
_LINES = (
    "{who} brings {number} {good}", "Call {who} about the {good}", "{number} {good} for {who}",
    "Order {code}: {number} {good}", "{who} pays {number} dollars", "Ask {who} for the papers of order {code}",
    "The {good} cost {number} dollars", "{good} are late by {number} hours",
)  # fmt: skip


def _joined(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _code(rng: random.Random) -> str:
    return str(rng.randrange(100_000, 999_999))


fill_unseen = partial(fill, people=directory.UNSEEN)
"""Other people and things, in which the stored tasks of dev and test play."""
