"""What customers of the help desk want of their account, and how they are known."""

from __future__ import annotations

from typing import Any

from domains.telecom.schema import Customer, Line, Plan
from domains.telecom.tools import (
    disable_roaming,
    enable_roaming,
    get_bills_for_customer,
    get_customer_by_id,
    get_customer_by_phone,
    get_data_usage,
    get_details_by_id,
    refuel_data,
    resume_line,
    suspend_line,
)
from sandbox.kit.goal import Ask, Goal, Relation, Slot, Tell, Thing
from sandbox.kit.identity import Identity
from sandbox.kit.view import View

IDENTITY = Identity(
    Customer,
    found_by=(get_customer_by_phone, get_customer_by_id),
    shown_by=get_customer_by_id,
    facts=lambda db, row: {"phone_number": row.phone_number},  # nobody knows their id by heart
)
THINGS = (
    Thing(
        Line,
        ("my line", "my line {phone_number}", "the line with the number {phone_number}", "my number {phone_number}"),
        found_by=(get_details_by_id,),
        has_known_key=False,
    ),
)
RELATIONS = (Relation(Customer, "line_ids", "my only line"),)
_REASONS = ("a long trip", "a stay in hospital", "a sabbatical", "military service", "a year abroad", "a broken phone")
_GB = {str(number): f"{number} GB" for number in (1, 2, 3, 4, 5, 8)}


def _cents(field: str) -> Any:
    return lambda result: round(result[field] * 100)


_REFUEL_PRICE = Tell(
    "data_refueling_price_per_gb",
    "money",
    get_details_by_id,
    of=Plan,
    value=_cents("data_refueling_price_per_gb"),
)
_USED = Tell("data_used_gb", "number", near=("GB", "gigabytes"))


def _roams(line: View[Line]) -> bool:
    return line.row.roaming_enabled


def _stays(line: View[Line]) -> bool:
    return not line.row.roaming_enabled


GOALS = (
    Goal(
        suspend_line,
        says=(
            "Please suspend {line}[ for now, because of {reason}].",
            "I want to put {line} on hold[; the reason is {reason}].",
            "Could you pause {line} for a while?[ The reason is {reason}.]",
            "{line} is not needed at the moment; please suspend it.[ Reason: {reason}.]",
        ),
        verbs=("suspend", "pause", "put on hold", "freeze"),
        slots=(Slot("line", withheld=0.5), Slot("reason", draw=_REASONS)),
    ),
    Goal(
        resume_line,
        says=(
            "Please make {line} active again.",
            "I want {line} back in service.",
            "Could you resume {line}?",
            "{line} is resting; please switch it back on.",
        ),
        verbs=("resume", "activate", "reactivate", "make active", "switch on"),
        slots=(Slot("line", withheld=0.5),),
    ),
    Goal(
        enable_roaming,
        says=(
            "I will travel abroad; please enable roaming on {line}.",
            "Please allow {line} to be used abroad.",
            "Could you turn roaming on for {line}?",
            "We are going on a trip, and I need roaming for {line}.",
        ),
        verbs=("enable", "allow", "activate", "turn on", "switch on"),
        slots=(Slot("line", withheld=0.5),),
        where=_stays,
    ),
    Goal(
        disable_roaming,
        says=(
            "I am back from my trip; please disable roaming on {line}.",
            "Please stop {line} from being used abroad.",
            "Could you turn roaming off for {line}?",
            "No more roaming for {line}, please.",
        ),
        verbs=("disable", "stop", "deactivate", "turn off", "switch off"),
        slots=(Slot("line", withheld=0.5),),
        where=_roams,
    ),
    Goal(
        refuel_data,
        says=(
            "Please add {gb_amount} of data to {line}.",
            "I need {gb_amount} more data this month on {line}.",
            "Could I buy {gb_amount} for {line}?",
            "{line} is running out of data; please put {gb_amount} on it.",
        ),
        verbs=("add", "buy", "refuel", "top up", "put"),
        slots=(Slot("line", withheld=0.3), Slot("gb_amount", withheld=0.4, draw=(1, 2, 3, 4, 5, 8), words=_GB)),
        tells=(Tell("charge", "money", value=_cents("charge")),),
        asks=(Ask("How much data has the line used so far?", Tell("data_used_gb", "number", get_data_usage)),),
    ),
    Goal(
        get_data_usage,
        name="data_used",
        says=(
            "How much data has {line} used this month?",
            "Can you tell me the data used on {line} in this cycle?",
            "What is the data usage of {line} so far?",
        ),
        verbs=("tell", "show", "look up"),
        slots=(Slot("line", withheld=0.5),),
        tells=(_USED,),
        asks=(Ask("And what would another gigabyte cost me?", _REFUEL_PRICE),),
    ),
    Goal(
        get_details_by_id,
        name="contract_end",
        says=(
            "Until when does the contract of {id} run?",
            "When does the contract for {id} end?",
            "What is the last day of the contract of {id}?",
        ),
        verbs=("tell", "show", "look up"),
        slots=(Slot("id", withheld=0.5, of=Line),),
        tells=(Tell("contract_end_date", "date"),),
    ),
    Goal(
        get_details_by_id,
        name="plan_price",
        says=(
            "What does the plan of {id} cost a month?",
            "How much do I pay a month for the plan of {id}?",
            "What is the monthly price of the plan on {id}?",
        ),
        verbs=("tell", "show", "look up"),
        slots=(Slot("id", withheld=0.5, of=Line),),
        tells=(Tell("price_per_month", "money", get_details_by_id, of=Plan, value=_cents("price_per_month")),),
        asks=(Ask("And what does another gigabyte of data cost on it?", _REFUEL_PRICE),),
    ),
    Goal(
        get_bills_for_customer,
        name="last_bill",
        says=(
            "How much is my latest bill?",
            "What does my newest bill come to?",
            "What is the total of my last bill?",
        ),
        verbs=("tell", "show", "look up"),
        tells=(Tell("0.total_due", "money", value=lambda bills: round(bills[0]["total_due"] * 100)),),
    ),
)
