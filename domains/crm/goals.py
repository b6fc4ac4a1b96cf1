"""What those who sell want, and how they speak of customers."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from toolgym.domains.crm import tools
from toolgym.domains.crm.schema import Account, Contact, Deal, Lead, Person, Task, is_running
from toolgym.domains.people import FIRST_NAMES, LAST_NAMES
from toolgym.sandbox.kit.world import Calls, Condition, Draw, Goal, Made, Slot, Tell, Thing, View

I_MEAN = ("I mean {}.", "It is {}.")
_TOPICS = ("a lower price", "a second demo", "the delivery dates", "the signed papers", "two more teams", "the trial")
_GOOD = ("a budget for this year", "a good fit", "a clear need", "a short way to a decision", "three sites to equip")
_BAD = ("no budget this year", "the wrong industry", "no need", "a contract with a rival", "no answer to three calls")
_JOBS = ("contract", "price list", "demo", "reference letter", "schedule", "signed offer")
_LOST = {
    "price": "it was too expensive",
    "rival": "a rival got it",
    "timing": "the timing was wrong",
    "no_need": "they do not need it",
}
_CENTS = range(800_000, 9_000_000, 150_000)
_NAMES = ("Kiosk pilot", "Depot rollout", "Fleet licence", "Branch upgrade", "Academy training", "Portal renewal")


def _in(*stages: str) -> Any:
    return lambda deal: deal.row.stage in stages


def _lately(draw: Draw) -> date:
    return draw.now.date() - timedelta(days=draw.rng.choice((-1, 0, 0, 1, 1, 2)))


def _soon(draw: Draw) -> date:
    return draw.now.date() + timedelta(days=draw.rng.choice((-2, -1, 0, 1, 2, 3, 6, 10, 30, 45)))


def _teammate(draw: Draw) -> Person | None:
    return draw.one_of([row for row in draw.rows(Person) if draw.view(row).role == "colleague"])


def _running(draw: Draw, account: Account | None = None) -> list[Deal]:
    """The employee's deals that are neither won nor lost."""
    rows = draw.database.find(Deal, owner_email=draw.person.email)
    return [row for row in rows if is_running(row) and account in (None, draw.database.get(Account, row.account_id))]


def _with_several(draw: Draw) -> Account | None:
    """An account with whom the employee has more than one deal that runs."""
    keys = [row.account_id for row in _running(draw)]
    several = sorted({key for key in keys if keys.count(key) > 1}) or sorted({*keys})
    return draw.database.get(Account, draw.rng.choice(several)) if several else None


def _others_too(draw: Draw) -> Calls:
    rest = _running(draw, draw.values["account"])[1:]
    return [(tools.update_deal, {"deal": row, "new_owner": draw.values["new_owner"]}) for row in rest]


def _first_running(draw: Draw) -> Deal | None:
    return next(iter(_running(draw, draw.values["account"])), None)


def _listed(draw: Draw) -> Calls:
    return [(tools.get_me, {}), (tools.list_deals, {"account": draw.values["account"], "owner": draw.person})]


def _address(draw: Draw) -> str:
    """A new address, or now and then one that a contact has."""
    if draw.rng.random() < 0.3:
        return draw.rng.choice(draw.rows(Contact)).email
    who = draw.values.get("name") or draw.values["contact"].name
    return f"{who.lower().replace(' ', '.')}{draw.rng.randrange(2, 90)}@post.example"


def _name(draw: Draw) -> str:
    return f"{draw.rng.choice(FIRST_NAMES)} {draw.rng.choice(LAST_NAMES)}"


def _open_task(draw: Draw) -> Task | None:
    """The only open task of the drawn deal."""
    found = draw.database.find(Task, deal_id=draw.values["deal"].deal_id, done=False)
    return found[0] if len(found) == 1 else None


def _of_task(column: str) -> Any:
    return lambda draw: getattr(_open_task(draw), column, None)


def _assignee(draw: Draw) -> Person | None:
    task = _open_task(draw)
    return draw.database.get(Person, task.assignee_email) if task else None


def _contact_there(draw: Draw) -> Contact | None:
    return draw.one_of(draw.database.find(Contact, account_id=draw.values["account"].account_id))


def _offered(draw: Draw) -> Calls:
    return [(tools.move_deal, {"deal": draw.values["deal"], "stage": "offer"})]


def _is_other_discount(deal: View[Deal], discount_percent: int) -> bool:
    return is_running(deal.row) and deal.row.discount_percent != discount_percent


def _converted(draw: Draw) -> Calls:
    wanted = {name: draw.values[name] for name in ("deal_name", "amount_cents")}
    return [(tools.convert_lead, {"lead": draw.values["lead"], **wanted})]


def _taken_up(draw: Draw) -> Calls:
    """The lead becomes a deal, which is talked about and offered."""
    deal = Made("deal_id", by=tools.convert_lead)
    noted = {"deal": deal, "kind": "call", "on": draw.now.date(), "summary": draw.values["summary"]}
    steps: Calls = [(tools.log_activity, noted), (tools.move_deal, {"deal": deal, "stage": "offer"})]
    steps.append((tools.update_deal, {"deal": deal, "discount_percent": draw.values["percent"]}))
    return [*_converted(draw), *steps, (tools.move_deal, {"deal": deal, "stage": "negotiation"})]


def _month(draw: Draw) -> dict[str, date]:
    first = (draw.now.date().replace(day=1) + timedelta(days=31 * draw.rng.randrange(4))).replace(day=1)
    return {"closing_from": first, "closing_to": (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)}


def _month_in_words(days: Mapping[str, date]) -> str:
    return f"{days['closing_from']:%B}"


def _a_while_ago(draw: Draw) -> date:
    return draw.now.date() - timedelta(days=draw.rng.choice((14, 10, 7)))


def _sum(result: Any) -> int | None:
    return sum(item["amount_cents"] for item in result["items"]) or None if result["pages"] == 1 else None


def _names(result: Any) -> list[str] | None:
    return [item["name"] for item in result["items"]] if 0 < result["total"] <= 4 else None


DEAL, LEAD, TOPIC = Slot("deal", says=I_MEAN), Slot("lead", says=I_MEAN), Slot("topic", draw=_TOPICS)
CONTACT, SUMMARY = Slot("contact", says=I_MEAN), Slot("summary", mentions=("topic",))
ON = Slot("on", withheld=0.5, draw=_lately, says=("On {}.", "It was on {}."))
AMOUNT = Slot("amount_cents", withheld=0.4, draw=_CENTS, says=("{}.", "It is {}."))
CLOSES = Slot("close_on", withheld=0.4, draw=_soon, says=("On {}.", "By {}."))
LOST = Slot("lost_reason", withheld=0.5, words=_LOST, says=("Because {}.",))
PERCENT = Slot("discount_percent", withheld=0.5, draw=(6, 8, 12, 14, 15, 16, 20, 30, 31), says=("{} percent.",))
COLLEAGUE = Slot("new_owner", draw=_teammate, says=("To {}.", "{} takes over."))
DUE = Slot("due_on", withheld=0.4, draw=_soon, says=("By {}.",))
DEAL_NAME, CENTS = Slot("deal_name", draw=_NAMES), Slot("amount_cents", draw=_CENTS)
NET, DEAL_ID = Tell("net_cents"), Tell("deal_id", kind="text")
MINE = {"owner": lambda draw: draw.person}
_TOLD_ID = Tell("deal_id", kind="text", by=tools.convert_lead)


def _log(name: str, **more: Any) -> Goal:
    return Goal(
        tools.log_activity, name=name, fixed={"kind": "call"}, slots=(DEAL, ON, SUMMARY), about=(TOPIC,), **more
    )


def _move(name: str, stage: str, *given: Slot, now: Any) -> Goal:
    return Goal(tools.move_deal, name=name, fixed={"stage": stage}, slots=(DEAL, *given), where=now)


def _change(name: str, *given: Slot, **more: Any) -> Goal:
    return Goal(tools.update_deal, name=name, slots=given, **more)


def _is_new(lead: View[Lead]) -> bool:
    return lead.row.state == "new"


def _judge(name: str, verdict: str, why: Sequence[str], *about: Slot, slots: Any = (LEAD,), **more: Any) -> Goal:
    about, slots = (Slot("why", draw=why), *about), (*slots, Slot("reason", mentions=("why",)))
    fixed = {"verdict": verdict}
    return Goal(tools.judge_lead, name=name, fixed=fixed, slots=slots, about=about, where=_is_new, **more)


DEALS = (
    _log("log_call"),
    _log("call_and_offer", where=_in("open"), also=_offered),
    _move("offer", "offer", now=_in("open")),
    _move("negotiate", "negotiation", now=_in("open", "offer")),
    _move("win", "won", now=_in("offer", "negotiation")),
    _move("lose", "lost", LOST, now=_in("open", "offer", "negotiation")),
    _change("discount", DEAL, PERCENT, where=_is_other_discount, tells=(NET,), share=1.5),
    _change("reprice", DEAL, AMOUNT, tells=(NET,)),
    _change("postpone", DEAL, CLOSES),
    _change("hand_over", DEAL, COLLEAGUE, where=lambda deal, new_owner: deal.row.held_by != new_owner.row.name),
    _change(
        "hand_over_all",
        COLLEAGUE,
        about=(Slot("account", of=Account, draw=_with_several, says=I_MEAN, reads=_listed),),
        worked_out={"deal": _first_running},
        also=_others_too,
    ),
    Goal(
        tools.create_deal,
        name="open_deal",
        slots=(Slot("account"), Slot("contact", draw=_contact_there), Slot("name", draw=_NAMES), AMOUNT, CLOSES),
        tells=(DEAL_ID,),
    ),
)
LEADS = (
    _judge("qualify", "qualified", _GOOD),
    _judge("disqualify", "disqualified", _BAD),
    Goal(tools.convert_lead, name="convert", slots=(LEAD, DEAL_NAME, AMOUNT), tells=(DEAL_ID,), share=1.5),
    _judge("lead_to_deal", "qualified", _GOOD, DEAL_NAME, CENTS, also=_converted, tells=(_TOLD_ID,)),
    _judge(
        "revive",
        "qualified",
        _GOOD,
        *(TOPIC, DEAL_NAME, CENTS, Slot("percent", draw=(5, 10, 15))),
        slots=(Slot("lead", reads=lambda draw: [(tools.get_me, {})]), SUMMARY),
        also=_taken_up,
        tells=(_TOLD_ID, Tell("net_cents", by=tools.move_deal)),
    ),
)
ADDRESS = Slot("address", withheld=0.5, draw=_address, says=("{}.", "It is {}."))
OTHERS = (
    Goal(
        tools.create_contact,
        name="add_contact",
        slots=(Slot("account"), Slot("name", draw=_name), ADDRESS),
        tells=(Tell("contact_id", kind="text"),),
    ),
    Goal(
        tools.update_contact,
        name="new_address",
        slots=(CONTACT, ADDRESS),
        where=lambda contact, address: contact.row.email != address,
    ),
    Goal(
        tools.update_contact,
        name="opt_out",
        fixed={"opted_out": True},
        slots=(CONTACT,),
        where=lambda contact: not contact.row.opted_out,
    ),
    Goal(
        tools.set_task,
        name="give_task",
        slots=(DEAL, Slot("assignee", draw=_teammate), DUE, Slot("text", mentions=("job",))),
        about=(Slot("job", draw=_JOBS),),
        share=1.4,
    ),
    Goal(
        tools.set_task,
        name="finish_task",
        fixed={"done": True},
        slots=(Slot("deal", says=I_MEAN, reads=lambda draw: [(tools.get_deal, {"deal": draw.values["deal"]})]),),
        worked_out={"assignee": _assignee, "due_on": _of_task("due_on"), "text": _of_task("text")},
    ),
)
QUESTIONS = (
    Goal(tools.get_deal, name="ask_net", slots=(DEAL,), tells=(NET,)),
    Goal(
        tools.list_deals,
        name="ask_closing",
        slots=(Slot("month", fills=("closing_from", "closing_to"), draw=_month, say=_month_in_words),),
        worked_out=MINE,
        tells=(Tell("items", kind="money", value=_sum),),
    ),
    Goal(
        tools.list_deals,
        name="ask_stale",
        fixed={"stage": "offer"},
        slots=(Slot("no_contact_since", draw=_a_while_ago),),
        worked_out=MINE,
        tells=(Tell("items", kind="text", value=_names),),
    ),
    Goal(
        tools.get_account, name="ask_open_deals", slots=(Slot("account"),), tells=(Tell("open_deals", near=("deals",)),)
    ),
)
THINGS = (
    *(Thing(table, has_known_key=False) for table in (Account, Contact, Lead, Deal)),
    Thing(Person, where=lambda person: person.row.role in ("head", "colleague"), found_by=(tools.get_me,)),
)
CONDITIONS = (Condition(Deal, "amount_cents", "if {it} is worth {value} or more", tools.get_deal),)
GOALS = (*DEALS, *LEADS, *OTHERS, *QUESTIONS)
