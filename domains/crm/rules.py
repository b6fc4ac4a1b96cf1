"""The rules of selling: each a sentence of the policy, the words of a refusal and a predicate."""

from datetime import date, datetime
from typing import Any, Literal

from toolgym.domains.crm import tools
from toolgym.domains.crm.schema import Deal, Lead, Person, is_head, is_running
from toolgym.sandbox.kit.world import ToolCall, View, rule

ORDER = ("open", "offer", "negotiation", "won")
FRESH_DAYS, BIG_CENTS, EMPLOYEE_PERCENT, HEAD_PERCENT = 14, 5_000_000, 15, 30
Next = Literal["offer", "negotiation", "won", "lost"]


@rule(
    "A deal moves one stage at a time, from open to offer, negotiation and won; before that it may be lost.",
    why="A deal moves one stage at a time.|one stage|stage at a time|first|order|closed already",
    on=[tools.move_deal],
    reads=[tools.get_deal],
)
def stage_order(deal: View[Deal], stage: Next) -> bool:
    if not is_running(deal.row):
        return False
    return stage == "lost" or ORDER.index(stage) == ORDER.index(deal.row.stage) + 1


@rule(
    "A deal moves to offer only when somebody has called, written to or met the customer within the last 14 days.",
    why="There was no contact in the last 14 days.|no contact|14 days|two weeks",
    on=[tools.move_deal],
    reads=[tools.get_deal],
)
def touched(deal: View[Deal], stage: Next, now: datetime) -> bool:
    last = deal.row.last_contact
    return stage != "offer" or (last is not None and (now.date() - last).days <= FRESH_DAYS)


@rule(
    "A deal of 50,000 dollars or more, before the discount, is closed as won by the head of the team alone.",
    why="Only the head of the team wins deals of 50,000 dollars or more.|50,000|fifty thousand|head of",
    on=[tools.move_deal],
    reads=[tools.get_deal, tools.get_me],
    by="policy",
)
def big_deal(deal: View[Deal], stage: Next, owner: View[Person]) -> bool:
    return stage != "won" or deal.row.amount_cents < BIG_CENTS or is_head(owner.row.title)


@rule(
    "Only leads and deals of the employee's own team are changed.",
    why="It belongs to another team.|another team|other team|not your team",
    on=[
        tools.move_deal, tools.update_deal, tools.log_activity, tools.set_task, tools.judge_lead, tools.convert_lead,
    ],
    reads=[tools.get_deal, tools.list_leads, tools.get_me],
)  # fmt: skip
def not_mine(owner: View[Person], deal: View[Deal] | None = None, lead: View[Lead] | None = None) -> bool:
    return all(row is None or row.row.team == owner.row.team for row in (deal, lead))


@rule(
    "Employees give a discount of at most 15 percent, heads of a team of at most 30.",
    why="That is above the discount that you may give.|above the discount|15 percent|30 percent|at most|too high",
    on=[tools.update_deal],
    reads=[tools.get_me],
)
def discount(owner: View[Person], discount_percent: int | None = None) -> bool:
    return (discount_percent or 0) <= (HEAD_PERCENT if is_head(owner.row.title) else EMPLOYEE_PERCENT)


@rule(
    "A discount is given and changed only while a deal is in the stage offer.",
    why="Discounts are given in the stage offer alone.|stage offer|only while|in offer|offer stage",
    on=[tools.update_deal],
    reads=[tools.get_deal],
)
def discount_stage(deal: View[Deal], discount_percent: int | None = None) -> bool:
    return discount_percent is None or deal.row.stage == "offer"


@rule(
    "What was won or lost stays as it is.",
    why="This deal is closed.|closed|was won|was lost|is won|is lost",
    on=[tools.update_deal],
    reads=[tools.get_deal],
)
def closed(deal: View[Deal], discount_percent: int | None = None) -> bool:
    return discount_percent is not None or is_running(deal.row)


@rule(
    "An address belongs to one contact.",
    why="This address belongs to another contact.|belongs to|another contact|already",
    on=[tools.create_contact, tools.update_contact],
    reads=[tools.search_contacts],
    looks={"same": lambda address: address and ToolCall(name="search_contacts", arguments={"text": address})},
)
def one_email(same: dict[str, Any] | None, address: str | None = None) -> bool:
    return not same or (address or "").casefold() not in [item["email"].casefold() for item in same["items"]]


@rule(
    "A lead becomes a deal only once it is qualified.",
    why="This lead is not qualified.|not qualified|not been qualified|judge|disqualified|converted",
    on=[tools.convert_lead],
    reads=[tools.list_leads],
)
def qualified(lead: View[Lead]) -> bool:
    return lead.row.state == "qualified"


@rule(
    "No task is set about a deal whose contact has opted out of being contacted.",
    why="The contact has opted out.|opted out|opt-out|wants no contact",
    on=[tools.set_task],
    reads=[tools.get_deal],
    by="policy",
)
def opted_out(deal: View[Deal], done: bool) -> bool:
    return done or not deal.row.opted_out


@rule(
    "What is noted as a call, a mail or a meeting was today or before.",
    why="That day is still to come.|still to come|future|not happened|not been",
    on=[tools.log_activity],
)
def future(now: datetime, on: date) -> bool:
    return on <= now.date()


@rule(
    "No task is due and no deal closes before today.",
    why="That day lies in the past.|past|gone by|before today|already over",
    on=[tools.set_task, tools.create_deal, tools.update_deal],
)
def past(now: datetime, due_on: date | None = None, close_on: date | None = None, done: bool = False) -> bool:
    return done or all(day is None or day >= now.date() for day in (due_on, close_on))
