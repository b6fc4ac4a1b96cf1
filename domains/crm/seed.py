"""The rows: two sales teams with accounts, contacts, leads, deals, what was talked about, and tasks."""

import random
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any

from toolgym.domains import directory
from toolgym.domains.crm.schema import OFFICIAL, Account, Activity, Contact, Deal, Lead, Person, Target, Task
from toolgym.domains.people import CITIES, FIRST_NAMES, LAST_NAMES
from toolgym.sandbox.kit.database import Database

NOW = datetime(2026, 3, 10, 9, 30)
CLOCKS = (datetime(2026, 3, 12, 15, 20), datetime(2026, 3, 17, 8, 45))
"""Other moments: two days and a week later."""
TEAMS = ("Enterprise", "Partners")
OWNERS = {
    data: [entry.email for entry in directory.colleagues(people) if entry.team in TEAMS and entry.office == "Boston"]
    for data, people in (("own", directory.SEED), ("unseen", directory.UNSEEN))
}
TRADES = "foods textiles energy logistics banking insurance retail software printing transport".split()
TITLES = ("Buyer", "Head of operations", "Engineer", "Office manager", "Controller", "Head of sales")
PRODUCTS = {
    directory.SEED: "Warehouse Payroll Scheduling Inventory Archive Helpdesk Security Analytics".split(),
    directory.UNSEEN: "Routing Billing Staffing Catalogue Survey Hotline Backup Planning".split(),
}
SALES = "rollout renewal pilot upgrade licence training".split()
_TALKS = (
    "Asked for a new price.",
    "Wants a demo for two more teams.",
    "Has to wait for the budget.",
    "Will send the signed papers.",
)
_TASKS = ("Send the contract", "Prepare the demo", "Call the controller", "Write the summary", "Book the training")
ACCOUNTS, LEADS, DEALS, ACTIVITIES, TASKS = 60, 133, 240, 1500, 260


def fill(db: Database, people: int = directory.SEED) -> None:
    """Write the rows around these people."""
    directory.fill_people(db, Person, people)
    _Book(db, people).write()


fill_unseen = partial(fill, people=directory.UNSEEN)
"""Other people and things, in which stored tasks of dev and test play."""


class _Book:
    """The rows while they are made."""

    def __init__(self, db: Database, people: int) -> None:
        self.db, self.people, self.rng, self.products = db, people, random.Random(3055 + people), PRODUCTS[people]
        self.sellers = [entry.email for entry in directory.colleagues(people) if entry.team in TEAMS]
        self.clients = [entry for entry in directory.people(people) if entry.team is None]
        self.cities = [name for name, *_ in CITIES[:14]]
        self.contacts: dict[str, list[Contact]] = {}

    def write(self) -> None:
        """Write all of them."""
        for place, email in enumerate(self.sellers):
            self.db.add(Target, owner_email=email, quota_cents=(20 + place * 7 % 30) * 1_000_000)
        accounts = [self._account(number) for number in range(ACCOUNTS)]
        deals = self._deals(accounts)
        for number in range(ACTIVITIES - len(self.db.find(Activity))):
            deal = deals[number % DEALS]
            self._activity(deal, NOW.date() - timedelta(days=30 + self.rng.randrange(200)))
        for number in range(TASKS):
            self._task(deals[number * 7 % DEALS], number)
        for number in range(LEADS):
            self._lead(accounts, number)

    def _account(self, number: int) -> Account:
        """The directory's clients first; then others, of which pairs bear one name in two cities."""
        rng, known = self.rng, [entry for entry in self.clients if entry.company == self._company(number)]
        name = self._company(number)
        values = {"name": name, "industry": rng.choice(TRADES), "tier": rng.choice("ABC")}
        city = self.cities[number * 5 % len(self.cities)]
        made = self.db.add(Account, owner_email=self.sellers[number % len(self.sellers)], city=city, **values)
        here = [self._contact(made, entry.name, entry.email, entry.title, entry.phone) for entry in known]
        domain = f"{name.lower().replace(' ', '-')}-{city.lower().replace(' ', '-').replace('.', '')}.example"
        while len(here) < 2 + number % 2:
            who = f"{rng.choice(FIRST_NAMES)} {rng.choice(LAST_NAMES)}"
            address = f"{who.lower().replace(' ', '.')}@{domain}"
            here.append(self._contact(made, who, address, TITLES[len(here)], f"555-{3000 + number * 4 + len(here)}"))
        self.contacts[made.account_id] = here
        return made

    def _company(self, number: int) -> str:
        clients = list(dict.fromkeys(entry.company for entry in self.clients))
        if number < len(clients):
            return clients[number]
        number -= number % 3 == 2  # every third one has the name of the one before
        return f"{LAST_NAMES[(number * 2 + self.people % 2) % len(LAST_NAMES)]} {TRADES[number % len(TRADES)].title()}"

    def _contact(self, account: Account, name: str, email: str, title: str, phone: str) -> Contact:
        values = {"name": name, "email": email, "title": title, "phone": phone}
        return self.db.add(Contact, account=account, opted_out=self.rng.random() < 0.15, **values)

    def _deals(self, accounts: Sequence[Account]) -> list[Deal]:
        """Deals of all stages; those that are open were last talked about at both edges of two weeks at each clock."""
        names = [f"{product} {sale}" for product in self.products for sale in SALES]
        lasts = [clock.date() - timedelta(days=days) for clock in (NOW, *CLOCKS) for days in (14, 15)]
        lasts += [NOW.date() - timedelta(days=days) for days in (0, 1, 4, 20)]
        made = []
        for number in range(DEALS):
            account, rng = accounts[number % ACCOUNTS], self.rng
            stage = rng.choice(("open", "open", "offer", "offer", "negotiation", "won", "lost"))
            is_over = stage in ("won", "lost")
            day = NOW.date() + timedelta(days=-rng.randrange(5, 60) if is_over else rng.randrange(8, 90))
            values: dict[str, Any] = {
                "name": names[(number * 11 + number // ACCOUNTS) % len(names)],
                "amount_cents": rng.choice((rng.randrange(20, 499) * 10_000, rng.randrange(30, 120) * 100_000)),
                "discount_percent": 0 if stage == "open" else rng.choice((0, 0, 5, 10)),
                "lost_reason": rng.choice(("price", "rival", "timing", "no_need")) if stage == "lost" else None,
            }
            if stage == "negotiation" and number % 3 == 0:
                values["amount_cents"] = 5_000_000 - number % 2
            values |= {"stage": stage, "close_on": day, "closed_on": day if is_over else None}
            contact, seller = rng.choice(self.contacts[account.account_id]), rng.choice(self.sellers)
            made.append(self.db.add(Deal, account=account, contact=contact, owner_email=seller, **values))
            self._activity(made[-1], day if is_over else rng.choice(lasts))
        return made

    def _activity(self, deal: Deal, day: date) -> None:
        kind, summary = self.rng.choice(("call", "call", "email", "meeting")), self.rng.choice(_TALKS)
        self.db.add(Activity, deal=deal, contact_id=deal.contact_id, kind=kind, on=day, summary=summary)

    def _task(self, deal: Deal, number: int) -> None:
        due = NOW.date() + timedelta(days=self.rng.randrange(-9, 25))
        text, done = _TASKS[number // DEALS + number % 3], number % 4 == 3
        self.db.add(Task, deal=deal, assignee_email=deal.owner_email, text=f"{text}.", due_on=due, done=done)

    def _lead(self, accounts: Sequence[Account], number: int) -> None:
        """Some at companies and of people that are known already, some who asked twice."""
        rng, account = self.rng, accounts[number % ACCOUNTS]
        contact, who = (
            rng.choice(self.contacts[account.account_id]),
            f"{rng.choice(FIRST_NAMES)} {rng.choice(LAST_NAMES)}",
        )
        company, city = account.name + rng.choice(("", *OFFICIAL)), account.city
        if number % 3 == 0:
            company, city = f"{rng.choice(LAST_NAMES)} {rng.choice(TRADES).title()}", rng.choice(self.cities)
        email = f"{who.lower().replace(' ', '.')}@{company.split()[0].lower()}.example"
        if number % 4 == 1:
            who, email = contact.name, contact.email
        state = rng.choice(("new", "new", "qualified", "qualified", "converted", "disqualified"))
        values = {"name": who, "email": email, "company": company, "city": city, "state": state, "reason": ""}
        seller, day = rng.choice(self.sellers), NOW.date() - timedelta(days=rng.randrange(1, 70))
        source, other = rng.sample(("web", "fair", "referral"), 2)
        self.db.add(Lead, owner_email=seller, source=source, created_on=day, **values)
        if number % 5 == 2:  # the same person, who came by another way as well
            self.db.add(Lead, owner_email=seller, source=other, created_on=day, **values | {"state": "new"})
