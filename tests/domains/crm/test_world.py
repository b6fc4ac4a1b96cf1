"""The customers' book: stages that must be gone through, whose a deal is, and duplicates that become one."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from toolgym.domains.crm.rules import ORDER
from toolgym.domains.crm.schema import Account, Activity, Contact, Deal, Lead, Person, Task, is_head
from toolgym.domains.crm.seed import CLOCKS, NOW, OWNERS
from toolgym.sandbox.kit.task import Task as Episode
from toolgym.sandbox.kit.view import View
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.generator import Generator

HEAD, EMPLOYEE = OWNERS["own"][0], OWNERS["own"][1]
TODAY = NOW.date()


def session_of(owner: str) -> Session:
    return Session("crm", task=Episode(id="", domain="crm", owner=owner))


@pytest.fixture
def session() -> Session:
    """An employee who leads nobody."""
    return session_of(EMPLOYEE)


def done(session: Session, tool: str, /, **arguments: Any) -> Any:
    result = session.call(tool, arguments)
    assert result.ok, result.text
    return result.value


def refused(session: Session, tool: str, /, **arguments: Any) -> str:
    result = session.call(tool, arguments)
    assert result.error is not None, result.text
    return result.error.code


def team(session: Session) -> set[str]:
    return {person["email"] for person in done(session, "get_me")["members"]}


def days_since(session: Session, deal: Deal) -> int:
    last: date | None = View(deal).bound(session.database).row.last_contact
    assert last is not None
    return (TODAY - last).days


def deals(session: Session, *stages: str, own_team: bool = True) -> list[Deal]:
    rows = [row for row in session.database.find(Deal) if row.stage in stages]
    return [row for row in rows if (row.owner_email in team(session)) == own_team]


def noted(session: Session, deal: Deal, on: str = f"{TODAY}") -> None:
    done(session, "log_activity", deal_id=deal.deal_id, kind="call", on=on, summary="Spoke about the price.")


# --- stages ---


def test_a_deal_goes_through_every_stage_and_stays_as_it_is_once_it_is_won(session: Session) -> None:
    deal = next(row for row in deals(session, "open") if row.amount_cents < 5_000_000)
    before = done(session, "get_me")["won_cents"]
    noted(session, deal)
    for stage in ("negotiation", "won"):
        assert refused(session, "move_deal", deal_id=deal.deal_id, stage=stage) == "stage_order"
    for stage in ORDER[1:]:
        assert done(session, "move_deal", deal_id=deal.deal_id, stage=stage)["stage"] == stage
    assert done(session, "get_deal", deal_id=deal.deal_id)["closed_on"] == f"{TODAY}"
    gained = deal.amount_cents if deal.owner_email == EMPLOYEE else 0
    assert done(session, "get_me")["won_cents"] == before + gained
    assert refused(session, "move_deal", deal_id=deal.deal_id, stage="lost", lost_reason="price") == "stage_order"
    assert refused(session, "update_deal", deal_id=deal.deal_id, amount_cents=100) == "closed"


@pytest.mark.parametrize("stage", ["open", "offer", "negotiation"])
def test_a_deal_is_lost_from_any_stage_and_only_for_a_reason(session: Session, stage: str) -> None:
    deal = deals(session, stage)[0]
    assert refused(session, "move_deal", deal_id=deal.deal_id, stage="lost") == "invalid_argument"
    assert done(session, "move_deal", deal_id=deal.deal_id, stage="lost", lost_reason="rival")["lost_reason"] == "rival"


def test_an_offer_needs_a_contact_of_the_last_14_days(session: Session) -> None:
    by_age = {days_since(session, row): row for row in deals(session, "open")}
    assert done(session, "move_deal", deal_id=by_age[14].deal_id, stage="offer")["stage"] == "offer"
    assert refused(session, "move_deal", deal_id=by_age[15].deal_id, stage="offer") == "touched"
    noted(session, by_age[15], on=f"{TODAY - timedelta(days=14)}")
    assert done(session, "move_deal", deal_id=by_age[15].deal_id, stage="offer")["stage"] == "offer"


@pytest.mark.parametrize("owner", [HEAD, EMPLOYEE])
def test_a_discount_belongs_to_the_offer_and_to_who_may_give_it(owner: str) -> None:
    session = session_of(owner)
    most = done(session, "get_me")["discount_limit"]
    assert most == (30 if is_head(session.database.owner(Person).title) else 15)
    deal = deals(session, "offer")[0]
    shown = done(session, "update_deal", deal_id=deal.deal_id, discount_percent=most)
    assert shown["net_cents"] == deal.amount_cents * (100 - most) // 100
    assert refused(session, "update_deal", deal_id=deal.deal_id, discount_percent=most + 1) == "discount"
    early, late = deals(session, "open")[0], deals(session, "negotiation")[0]
    for other in (early, late):
        assert refused(session, "update_deal", deal_id=other.deal_id, discount_percent=3) == "discount_stage"


def test_both_sides_of_the_edges_are_there_at_every_clock(session: Session) -> None:
    found = deals(session, "open") + deals(session, "open", own_team=False)
    for clock in (NOW, *CLOCKS):
        late = (clock.date() - TODAY).days
        ages = [days_since(session, row) + late for row in found]
        assert min(ages.count(14), ages.count(15)) >= 3, clock
    amounts = [row.amount_cents for row in session.database.find(Deal, stage="negotiation")]
    assert min(amounts.count(4_999_999), amounts.count(5_000_000)) >= 3


# --- ownership ---


def test_what_belongs_to_another_team_is_read_and_not_written(session: Session) -> None:
    deal = deals(session, "open", own_team=False)[0]
    assert done(session, "get_deal", deal_id=deal.deal_id)["team"] != session.database.owner(Person).team
    call = {"deal_id": deal.deal_id, "kind": "call", "on": f"{TODAY}", "summary": "Spoke."}
    task = {"deal_id": deal.deal_id, "assignee_email": EMPLOYEE, "due_on": f"{TODAY}", "text": "Call."}
    assert refused(session, "log_activity", **call) == "not_mine"
    assert refused(session, "set_task", **task) == "not_mine"
    assert refused(session, "update_deal", deal_id=deal.deal_id, close_on="2026-06-01") == "not_mine"
    assert refused(session, "move_deal", deal_id=deal.deal_id, stage="lost", lost_reason="price") == "not_mine"
    strangers = [row for row in session.database.find(Lead) if row.owner_email not in team(session)]
    new, ready = (next(row for row in strangers if row.state == state) for state in ("new", "qualified"))
    assert refused(session, "judge_lead", lead_id=new.lead_id, verdict="qualified", reason="Fits.") == "not_mine"
    assert refused(session, "convert_lead", lead_id=ready.lead_id, deal_name="New", amount_cents=1) == "not_mine"


def test_a_deal_is_handed_over_within_the_team_with_the_open_tasks_of_its_owner(session: Session) -> None:
    open_tasks = session.database.find(Task, done=False)
    deal = next(row for row in deals(session, "open") if row.deal_id in {task.deal_id for task in open_tasks})
    heir = next(email for email in sorted(team(session)) if email != deal.owner_email)
    stranger = next(email for email in OWNERS["own"] if email not in team(session))
    own = [row for row in open_tasks if row.deal_id == deal.deal_id and row.assignee_email == deal.owner_email]
    assert refused(session, "update_deal", deal_id=deal.deal_id, new_owner_email=stranger) == "not_allowed"
    assert refused(session, "update_deal", deal_id=deal.deal_id, new_owner_email=deal.owner_email) == "no_change"
    shown = done(session, "update_deal", deal_id=deal.deal_id, new_owner_email=heir)
    assert (shown["owner_email"], shown["tasks_handed_over"]) == (heir, len(own))
    after = session.database.find(Task, deal_id=deal.deal_id, done=False)
    assert not [row for row in after if row.assignee_email == deal.owner_email]


def test_a_task_is_given_once_and_ticked_off_by_its_words(session: Session) -> None:
    deal = deals(session, "offer")[0]
    given = {"deal_id": deal.deal_id, "assignee_email": HEAD, "due_on": f"{TODAY}", "text": "Check the contract."}
    stranger = next(email for email in OWNERS["own"] if email not in team(session))
    assert refused(session, "set_task", **given | {"assignee_email": stranger}) == "not_allowed"
    assert refused(session, "set_task", **given, done=True) == "wrong_state"
    assert refused(session, "set_task", **given | {"due_on": "2026-03-09"}) == "past"
    made = done(session, "set_task", **given)
    assert refused(session, "set_task", **given) == "no_change"
    closed = done(session, "set_task", **given | {"text": "check the CONTRACT."}, done=True)
    assert (closed["task_id"], closed["done"]) == (made["task_id"], True)


# --- duplicates ---


def qualified(session: Session, *, known: bool) -> Lead:
    """A qualified lead of the team's, at a company and with an address that are known, or not."""
    names = {(row.name, row.city) for row in session.database.find(Account)}
    rows = [row for row in session.database.find(Lead, state="qualified") if row.owner_email in team(session)]
    addresses = {row.email for row in session.database.find(Contact)}
    return next(
        row
        for row in rows
        if (row.email in addresses) == known and (known or (row.company.rsplit(" ", 1)[0], row.city) not in names)
    )


def test_a_lead_that_is_known_becomes_no_second_account_or_contact(session: Session) -> None:
    lead, before = qualified(session, known=True), len(session.database.find(Account))
    made = done(session, "convert_lead", lead_id=lead.lead_id, deal_name="Depot rollout", amount_cents=1_200_000)
    assert (made["new_account"], made["new_contact"]) == (False, False)
    assert len(session.database.find(Account)) == before
    assert len(session.database.find(Contact, email=lead.email)) == 1
    assert session.database.get_one(Contact, made["contact_id"]).email == lead.email
    again = {"lead_id": lead.lead_id, "deal_name": "Depot rollout", "amount_cents": 1}
    assert refused(session, "convert_lead", **again) == "qualified"


def test_a_company_is_known_by_its_name_in_its_city_whatever_its_legal_form(session: Session) -> None:
    account = session.database.find(Account)[0]
    lead = next(row for row in session.database.find(Lead, state="qualified") if row.owner_email in team(session))
    for company, city, is_new in (
        (f"{account.name.upper()} Ltd", account.city, False),
        (account.name, "Nowhere", True),
        ("Quite Another", account.city, True),
    ):
        fork = session.fork()
        fork.database.begin(writable="all")
        fork.database.update(lead, company=company, city=city, email="who.ever@fresh.example")
        made = done(fork, "convert_lead", lead_id=lead.lead_id, deal_name="Fleet licence", amount_cents=100)
        assert (made["new_account"], made["new_contact"]) == (is_new, True)
        assert is_new or made["account_id"] == account.account_id


def test_other_open_leads_of_the_same_person_go_into_the_same_deal(session: Session) -> None:
    rows = session.database.find(Lead)
    twins = [
        (row, other)
        for row in rows
        for other in rows
        if row.lead_id != other.lead_id
        and row.email == other.email
        and (row.state, other.state) == ("qualified", "new")
    ]
    lead, other = next(pair for pair in twins if pair[0].owner_email in team(session))
    made = done(session, "convert_lead", lead_id=lead.lead_id, deal_name="Portal renewal", amount_cents=900_000)
    assert other.lead_id in made["merged_leads"]
    gone = session.database.get_one(Lead, other.lead_id)
    assert (gone.state, gone.deal_id) == ("converted", made["deal_id"])
    judged = {"lead_id": other.lead_id, "verdict": "qualified", "reason": "Fits."}
    assert refused(session, "judge_lead", **judged) == "wrong_state"


def test_an_address_and_a_name_are_not_given_twice(session: Session) -> None:
    one, other = session.database.find(Contact)[:2]
    new = {"account_id": other.account_id, "name": "Lea Novak"}
    assert refused(session, "create_contact", **new, address=one.email.upper()) == "one_email"
    assert refused(session, "update_contact", contact_id=other.contact_id, address=one.email) == "one_email"
    assert refused(session, "update_contact", contact_id=one.contact_id, title=one.title) == "no_change"
    deal = session.database.find(Deal)[0]
    given = {"account_id": deal.account_id, "contact_id": deal.contact_id, "amount_cents": 100, "close_on": f"{TODAY}"}
    assert refused(session, "create_deal", **given, name=deal.name.lower()) == "conflict"
    elsewhere = next(row for row in session.database.find(Contact) if row.account_id != deal.account_id)
    wrong = given | {"contact_id": elsewhere.contact_id}
    assert refused(session, "create_deal", **wrong, name="Fleet licence") == "invalid_argument"
    late = given | {"close_on": f"{TODAY - timedelta(days=1)}"}
    assert refused(session, "create_deal", **late, name="Fleet licence") == "past"
    assert done(session, "create_deal", **given, name="Fleet licence")["owner_email"] == EMPLOYEE


def test_the_seed_is_as_large_as_the_world_says(session: Session) -> None:
    counts = {table: len(session.database.find(table)) for table in (Account, Contact, Lead, Deal, Activity, Task)}
    assert counts == {Account: 60, Contact: counts[Contact], Lead: 160, Deal: 240, Activity: 1500, Task: 260}
    assert 170 <= counts[Contact] <= 210


@pytest.mark.slow
def test_after_right_runs_every_deal_has_an_account_and_a_contact_of_it() -> None:
    for task in Generator(get_domain("crm"), seed=5).tasks(40):
        session = Session("crm", task=task)
        for call in task.gold:
            assert session.call(call.name, call.arguments).ok
        for deal in session.database.find(Deal):
            assert session.database.get_one(Contact, deal.contact_id).account_id == deal.account_id
        for lead in session.database.find(Lead, state="converted"):
            assert lead.deal_id is None or session.database.get(Deal, lead.deal_id) is not None
