"""What the customers' book lets an agent do for the employee who is signed in."""

from datetime import date, timedelta
from typing import Annotated, Literal

from pydantic import Field

from toolgym.domains.crm import schema
from toolgym.sandbox.kit.search import contains_text, equals_text, given
from toolgym.sandbox.kit.world import NOT_BLANK, Database, Free, Page, PageNumber, Ref, Refusal, View, tool

Cents = Annotated[int, Field(ge=1, le=1_000_000_000)]
Words = Annotated[str, Field(min_length=2, max_length=80), NOT_BLANK]
Address = Annotated[str, Field(max_length=80, pattern=r"^[^@\s]+@[^@\s]+\.[^@\s]+$")]
Stage = Literal["open", "offer", "negotiation", "won", "lost"]
CLOSING_DAYS = 90
"""When a deal that comes of a lead is thought to close."""
_LIMITS = (15, 30)
"""The discount that may be given, by employees and by heads of a team."""
_DEALS = (
    "(:stage IS NULL OR stage = :stage) AND (:owner IS NULL OR owner_email = :owner) "
    "AND (:account IS NULL OR account_id = :account) AND instr(lower(name), lower(:text)) "
    "AND (:company = '' OR account_id IN (SELECT account_id FROM accounts WHERE instr(lower(name), lower(:company)))) "
    "AND (:first IS NULL OR close_on >= :first) AND (:last IS NULL OR close_on <= :last) AND (:since IS NULL OR NOT "
    'EXISTS (SELECT 1 FROM activities a WHERE a.deal_id = deals.deal_id AND a."on" >= :since)) '
    "ORDER BY close_on, deal_id"
)

_LEADS = (
    "(:state IS NULL OR state = :state) AND (:source IS NULL OR source = :source) AND created_on >= :first "
    "AND (instr(lower(name), :text) OR instr(lower(email), :text)) AND instr(lower(company), :company) "
    "AND (:city = '' OR lower(city) = :city) ORDER BY created_on DESC, lead_id DESC"
)


@tool("read")
def get_me(db: Database) -> View[schema.Person]:
    """Get the employee, the team with addresses and roles, quota, sales of the quarter, highest discount, the day."""
    me, today = db.owner(schema.Person), db.now.date()
    first, head = date(today.year, (today.month - 1) // 3 * 3 + 1, 1), schema.is_head(me.title)
    won = [row for row in db.find(schema.Deal, owner_email=me.email, stage="won") if (row.closed_on or first) >= first]
    return View(
        me,
        members=[View(row) for row in db.find(schema.Person, team=me.team)],
        quota_cents=sum(row.quota_cents for row in db.mine(schema.Target)),
        won_cents=sum(row.amount_cents * (100 - row.discount_percent) // 100 for row in won),
        discount_limit=_LIMITS[head],
        today=today,
    )


@tool("read")
def search_accounts(
    db: Database,
    text: str | None = None,
    industry: str | None = None,
    city: str | None = None,
    owner: Ref[schema.Person] | None = None,
    page: PageNumber = 1,
) -> Page[schema.Account]:
    """Search accounts, by name.

    Args:
        text: only accounts whose name holds this.
        industry: only this industry.
        city: only accounts there.
        owner: only accounts of this employee.
        page: ten a page.
    """
    rows = [
        row
        for row in db.find(schema.Account, **given(owner_email=owner and owner.email))
        if contains_text(row.name, text) and equals_text(row.industry, industry) and equals_text(row.city, city)
    ]
    return Page(sorted(rows, key=lambda row: (row.name, row.account_id)), page)


@tool("read")
def get_account(db: Database, account: Ref[schema.Account]) -> View[schema.Account]:
    """Get an account in full: whose it is, its tier, its contacts and the deals that are neither won nor lost."""
    here = {"account_id": account.account_id}
    deals = [View(row) for row in db.find(schema.Deal, **here) if schema.is_running(row)]
    return View(account, contacts=[View(row) for row in db.find(schema.Contact, **here)], deals=deals)


@tool("read")
def search_contacts(
    db: Database,
    text: str | None = None,
    account: Ref[schema.Account] | None = None,
    title: str | None = None,
    company: str | None = None,
    page: PageNumber = 1,
) -> Page[schema.Contact]:
    """Search contacts, by name.

    Args:
        text: only contacts whose name or address holds this.
        account: only contacts there.
        title: only contacts whose title holds this.
        company: only contacts at accounts whose name holds this.
        page: ten a page.
    """
    rows = db.select(
        schema.Contact,
        "(instr(lower(name), lower(:text)) OR instr(lower(email), lower(:text))) AND instr(lower(title), lower(:title))"
        " AND (:account IS NULL OR account_id = :account) AND (:company = '' OR account_id IN "
        "(SELECT account_id FROM accounts WHERE instr(lower(name), lower(:company)))) ORDER BY name, contact_id",
        text=(text or "").strip(),
        title=(title or "").strip(),
        account=account and account.account_id,
        company=(company or "").strip(),
    )
    return Page(rows, page)


@tool("write")
def create_contact(
    db: Database,
    account: Ref[schema.Account],
    name: Words,
    address: Address,
    title: Annotated[str, Field(max_length=80)] = "",
    phone: Annotated[str, Field(max_length=40)] = "",
) -> View[schema.Contact]:
    """Add a contact to an account.

    Args:
        name: first and last name.
        address: the e-mail address.
        title: what the contact is there.
        phone: the number.
    """
    values = {"name": name, "email": address, "title": title, "phone": phone, "opted_out": False}
    return View(db.add(schema.Contact, account=account, **values))


@tool("write")
def update_contact(
    db: Database,
    contact: Ref[schema.Contact],
    address: Address | None = None,
    phone: Annotated[str, Field(min_length=3, max_length=40)] | None = None,
    title: Words | None = None,
    opted_out: bool | None = None,
) -> View[schema.Contact]:
    """Change a contact.

    Args:
        address: the new e-mail address.
        phone: the new number.
        title: the new title.
        opted_out: true for somebody who wants to hear nothing any more.
    """
    return View(db.update(contact, **_changes(contact, email=address, phone=phone, title=title, opted_out=opted_out)))


@tool("read")
def list_leads(
    db: Database,
    state: Literal["new", "qualified", "disqualified", "converted"] | None = None,
    source: Literal["web", "fair", "referral"] | None = None,
    first_day: date | None = None,
    text: str | None = None,
    company: str | None = None,
    city: str | None = None,
    page: PageNumber = 1,
) -> Page[schema.Lead]:
    """List leads, the newest first.

    Args:
        state: only leads in this state.
        source: only leads that came this way.
        first_day: only leads from this day on.
        text: only leads whose name or address holds this.
        company: only leads at companies whose name holds this.
        city: only leads there.
        page: ten a page.
    """
    words = {"text": text, "company": company, "city": city}
    about: dict[str, str] = {name: (word or "").strip().lower() for name, word in words.items()}
    first = f"{first_day or date.min}"
    return Page(db.select(schema.Lead, _LEADS, state=state, source=source, first=first, **about), page)


@tool("write")
def judge_lead(
    db: Database, lead: Ref[schema.Lead], verdict: Literal["qualified", "disqualified"], reason: Free
) -> View[schema.Lead]:
    """Say whether a new lead is worth a deal.

    Args:
        verdict: which of the two.
        reason: why, as the employee puts it.
    """
    if lead.state != "new":
        raise Refusal("wrong_state", f"Only a new lead is judged; this one is {lead.state}.")
    return View(db.update(lead, state=verdict, reason=reason))


@tool("write")
def convert_lead(db: Database, lead: Ref[schema.Lead], deal_name: Words, amount_cents: Cents) -> View[schema.Deal]:
    """Make a deal of a qualified lead, with its account and contact. Those that exist are used again, and other open
    leads of the same address are merged into the deal.

    Args:
        deal_name: what the deal is called.
        amount_cents: what it is worth before any discount.
    """
    found = db.find(schema.Contact, email=lead.email)
    account = db.get(schema.Account, found[0].account_id) if found else _account_of(db, lead)
    is_new_account, is_new_contact = account is None, not found
    if account is None:
        values = {"name": lead.company, "industry": "unknown", "city": lead.city, "tier": "C"}
        account = db.add(schema.Account, owner_email=lead.owner_email, **values)
    values = {"name": lead.name, "email": lead.email, "title": "", "phone": ""}
    contact = found[0] if found else db.add(schema.Contact, account=account, opted_out=False, **values)
    _require_new_name(db, account, deal_name)
    close_on = db.now.date() + timedelta(days=CLOSING_DAYS)
    deal = _deal(db, account, contact, lead.owner_email, deal_name, amount_cents, close_on)
    open_leads = [row for row in db.find(schema.Lead, email=lead.email) if row.state in ("new", "qualified")]
    for row in open_leads:
        db.update(row, state="converted", deal_id=deal.deal_id)
    merged = [row.lead_id for row in open_leads if row.lead_id != lead.lead_id]
    return View(deal, merged_leads=merged, new_account=is_new_account, new_contact=is_new_contact)


@tool("read")
def list_deals(
    db: Database,
    stage: Stage | None = None,
    owner: Ref[schema.Person] | None = None,
    account: Ref[schema.Account] | None = None,
    closing_from: date | None = None,
    closing_to: date | None = None,
    text: str | None = None,
    company: str | None = None,
    no_contact_since: date | None = None,
    page: PageNumber = 1,
) -> Page[schema.Deal]:
    """List deals, those that close first first.

    Args:
        stage: only deals in this stage.
        owner: only deals of this employee.
        account: only deals with this account.
        closing_from: only deals that close on this day or later.
        closing_to: only deals that close on this day or earlier.
        text: only deals whose name holds this.
        company: only deals with accounts whose name holds this.
        no_contact_since: only deals about which nobody has called, written or met on this day or later.
        page: ten a page.
    """
    rows = db.select(
        schema.Deal,
        _DEALS,
        stage=stage,
        owner=owner and owner.email,
        account=account and account.account_id,
        text=(text or "").strip(),
        company=(company or "").strip(),
        first=closing_from and f"{closing_from}",
        last=closing_to and f"{closing_to}",
        since=no_contact_since and f"{no_contact_since}",
    )
    return Page(rows, page)


@tool("read")
def get_deal(db: Database, deal: Ref[schema.Deal]) -> View[schema.Deal]:
    """Get a deal in full: contact, owner, stage, discount, the last ten calls, mails and meetings, and its tasks."""
    found = db.find(schema.Activity, deal_id=deal.deal_id)
    latest = sorted(found, key=lambda row: (row.on, row.activity_id), reverse=True)[:10]
    tasks = [View(row) for row in db.find(schema.Task, deal_id=deal.deal_id)]
    return View(deal, activities=[View(row) for row in latest], tasks=tasks)


@tool("write")
def create_deal(
    db: Database,
    account: Ref[schema.Account],
    contact: Ref[schema.Contact],
    name: Words,
    amount_cents: Cents,
    close_on: date,
) -> View[schema.Deal]:
    """Open a deal of the employee's own.

    Args:
        contact: with whom; a contact of the account.
        name: what it is called.
        amount_cents: what it is worth before any discount.
        close_on: when it is thought to close.
    """
    if contact.account_id != account.account_id:
        raise Refusal("invalid_argument", "This contact is at another account.")
    _require_new_name(db, account, name)
    return View(_deal(db, account, contact, db.owner(schema.Person).email, name, amount_cents, close_on))


@tool("write")
def move_deal(
    db: Database,
    deal: Ref[schema.Deal],
    stage: Literal["offer", "negotiation", "won", "lost"],
    lost_reason: Literal["price", "rival", "timing", "no_need"] | None = None,
) -> View[schema.Deal]:
    """Move a deal to its next stage, or close it as lost.

    Args:
        stage: where it stands now.
        lost_reason: why it is lost; only then.
    """
    if (stage == "lost") != (lost_reason is not None):
        raise Refusal("invalid_argument", "lost_reason is given for a deal that is lost, and only then.")
    closed = db.now.date() if stage in ("won", "lost") else None
    return View(db.update(deal, stage=stage, lost_reason=lost_reason, closed_on=closed))


@tool("write")
def update_deal(
    db: Database,
    deal: Ref[schema.Deal],
    amount_cents: Cents | None = None,
    discount_percent: Annotated[int, Field(ge=0, le=40)] | None = None,
    close_on: date | None = None,
    new_owner: Ref[schema.Person] | None = None,
) -> View[schema.Deal]:
    """Change a deal. Its open tasks of the old owner's go to a new one.

    Args:
        amount_cents: what it is worth before the discount.
        discount_percent: what is taken off.
        close_on: when it is thought to close.
        new_owner: a colleague of the same team who takes it over.
    """
    if new_owner is not None and new_owner.team != db.owner(schema.Person).team:
        raise Refusal("not_allowed", "A deal is handed over within the team.")
    taken = new_owner and new_owner.email
    wanted = {"amount_cents": amount_cents, "discount_percent": discount_percent, "close_on": close_on}
    changed = db.update(deal, **_changes(deal, owner_email=taken, **wanted))
    passed = 0
    for row in db.find(schema.Task, deal_id=deal.deal_id, done=False) if taken else ():
        if row.assignee_email == deal.owner_email:
            db.update(row, assignee_email=taken)
            passed += 1
    return View(changed, tasks_handed_over=passed)


@tool("write")
def log_activity(
    db: Database, deal: Ref[schema.Deal], kind: Literal["call", "email", "meeting"], on: date, summary: Free
) -> View[schema.Activity]:
    """Note a call, a mail or a meeting about a deal.

    Args:
        kind: which of them.
        on: the day.
        summary: what it was about.
    """
    return View(db.add(schema.Activity, deal=deal, contact_id=deal.contact_id, kind=kind, on=on, summary=summary))


@tool("write")
def set_task(
    db: Database, deal: Ref[schema.Deal], assignee: Ref[schema.Person], due_on: date, text: Free, done: bool = False
) -> View[schema.Task]:
    """Give somebody of the team a task about a deal, or tick one off.

    Args:
        assignee: who does it.
        due_on: by when.
        text: what is to be done; of a task that is ticked off, its very words.
        done: true to tick off the open task of this deal with the same words.
    """
    if assignee.team != db.owner(schema.Person).team:
        raise Refusal("not_allowed", "Tasks are given within the team.")
    same = [row for row in db.find(schema.Task, deal_id=deal.deal_id, done=False) if equals_text(row.text, text)]
    if done:
        if not same:
            raise Refusal("wrong_state", "This deal has no open task with these words.")
        return View(db.update(same[0], done=True))
    if same:
        raise Refusal("no_change", "This deal has an open task with these words already.")
    return View(db.add(schema.Task, deal=deal, assignee=assignee, text=text, due_on=due_on, done=False))


def _changes(row: object, **wanted: object) -> dict[str, object]:
    """What of it is new; a call that changes nothing is refused."""
    found = {name: value for name, value in wanted.items() if value is not None and value != getattr(row, name)}
    if not found:
        raise Refusal("no_change", "It is like this already.")
    return found


def _account_of(db: Database, lead: schema.Lead) -> schema.Account | None:
    """The account of the lead's company in the lead's city."""
    name = schema.plain_name(lead.company)
    found = (row for row in db.find(schema.Account, city=lead.city) if schema.plain_name(row.name) == name)
    return next(found, None)


def _require_new_name(db: Database, account: schema.Account, name: str) -> None:
    if any(equals_text(row.name, name) for row in db.find(schema.Deal, account_id=account.account_id)):
        raise Refusal("conflict", f"{account.name} has a deal with this name already.")


def _deal(
    db: Database, account: schema.Account, contact: schema.Contact, owner: str, name: str, cents: int, close_on: date
) -> schema.Deal:
    values = {"name": name, "amount_cents": cents, "discount_percent": 0, "stage": "open", "close_on": close_on}
    return db.add(schema.Deal, account=account, contact=contact, owner_email=owner, **values)
