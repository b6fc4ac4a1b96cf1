"""The tables of a sales team's customers. Money is in integer cents, discounts in percent."""

from datetime import date
from typing import Literal

from sqlalchemy import ForeignKey
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from toolgym.domains.directory import PersonColumns
from toolgym.sandbox.kit.world import Database, computed, key, via

OFFICIAL = (" Inc", " Ltd", " LLC")
"""What a company's name may end in, and means no other company."""


class Base(DeclarativeBase):
    """The tables."""


class Person(PersonColumns, Base):
    """Somebody in the directory."""

    __tablename__ = "people"
    __shown__ = ("email", "name", "title", "team", "role")

    @computed
    def role(self, db: Database) -> Literal["self", "head", "colleague"] | None:
        """What the person is in the employee's team; none outside of it."""
        me = db.owner(Person)
        if self.email == me.email:
            return "self"
        if self.team != me.team:
            return None
        return "head" if is_head(self.title) else "colleague"


class Target(Base):
    """What somebody is to sell this quarter; nobody else sees it."""

    __tablename__ = "targets"
    __owned_by__ = "owner_email"

    target_id: Mapped[str] = key("tg-101")
    owner_email: Mapped[str] = mapped_column(ForeignKey("people.email"))
    quota_cents: Mapped[int]


class Account(Base):
    """A company that buys or may buy."""

    __tablename__ = "accounts"
    __brief__ = ("account_id", "name", "industry", "city")

    account_id: Mapped[str] = key("ac-208")
    owner_email: Mapped[str] = mapped_column(ForeignKey("people.email"), index=True)
    name: Mapped[str]
    industry: Mapped[str]
    city: Mapped[str]
    tier: Mapped[str]

    held_by = via("owner_email", "name")

    @computed
    def open_deals(self, db: Database) -> int:
        """How many deals are neither won nor lost."""
        return sum(is_running(row) for row in db.find(Deal, account_id=self.account_id))


class Contact(Base):
    """Somebody at an account."""

    __tablename__ = "contacts"

    contact_id: Mapped[str] = key("ct-1190")
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.account_id"), index=True)
    name: Mapped[str]
    email: Mapped[str] = mapped_column(index=True)
    phone: Mapped[str]
    title: Mapped[str]
    opted_out: Mapped[bool]

    company = via("account_id", "name")


class Lead(Base):
    """Somebody who may become a customer."""

    __tablename__ = "leads"

    lead_id: Mapped[str] = key("ld-771")
    owner_email: Mapped[str] = mapped_column(ForeignKey("people.email"), index=True)
    deal_id: Mapped[str | None] = mapped_column(ForeignKey("deals.deal_id"))
    name: Mapped[str]
    email: Mapped[str] = mapped_column(index=True)
    company: Mapped[str]
    city: Mapped[str]
    source: Mapped[str]
    state: Mapped[str]
    reason: Mapped[str]
    created_on: Mapped[date]

    team = via("owner_email", "team")


class Deal(Base):
    """What an account may buy, from the first talk until it is won or lost."""

    __tablename__ = "deals"
    __brief__ = ("deal_id", "name", "company", "amount_cents", "close_on")

    deal_id: Mapped[str] = key("dl-3055")
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.account_id"), index=True)
    contact_id: Mapped[str] = mapped_column(ForeignKey("contacts.contact_id"))
    owner_email: Mapped[str] = mapped_column(ForeignKey("people.email"), index=True)
    name: Mapped[str]
    amount_cents: Mapped[int]
    discount_percent: Mapped[int]
    stage: Mapped[str]
    close_on: Mapped[date]
    closed_on: Mapped[date | None]
    lost_reason: Mapped[str | None]

    company = via("account_id", "name")
    buyer = via("contact_id", "name")
    opted_out = via("contact_id", "opted_out")
    held_by = via("owner_email", "name")
    team = via("owner_email", "team")

    @computed
    def net_cents(self, db: Database) -> int:
        """What is left of the amount after the discount."""
        return self.amount_cents * (100 - self.discount_percent) // 100

    @computed
    def last_contact(self, db: Database) -> date | None:
        """The day of the latest call, mail or meeting."""
        return max((row.on for row in db.find(Activity, deal_id=self.deal_id)), default=None)


class Activity(Base):
    """A call, a mail or a meeting about a deal."""

    __tablename__ = "activities"

    activity_id: Mapped[str] = key("av-9001")
    deal_id: Mapped[str] = mapped_column(ForeignKey("deals.deal_id"), index=True)
    contact_id: Mapped[str] = mapped_column(ForeignKey("contacts.contact_id"))
    kind: Mapped[str]
    on: Mapped[date]
    summary: Mapped[str]


class Task(Base):
    """Something that somebody is to do about a deal."""

    __tablename__ = "tasks"

    task_id: Mapped[str] = key("tk-620")
    deal_id: Mapped[str] = mapped_column(ForeignKey("deals.deal_id"), index=True)
    assignee_email: Mapped[str] = mapped_column(ForeignKey("people.email"))
    text: Mapped[str]
    due_on: Mapped[date]
    done: Mapped[bool]


def is_head(title: str) -> bool:
    """Whether somebody with this title leads a team."""
    return title.startswith("Head of ")


def is_running(deal: Deal) -> bool:
    """Whether a deal is neither won nor lost."""
    return deal.stage not in ("won", "lost")


def plain_name(company: str) -> str:
    """A company's name as one compares it."""
    for ending in OFFICIAL:
        company = company.removesuffix(ending)
    return company.strip().casefold()
