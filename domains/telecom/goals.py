"""What customers of the help desk want of their account, and how they are known."""

from __future__ import annotations

from typing import Any

from toolgym.domains.telecom.schema import Customer, Line, Plan
from toolgym.domains.telecom.tools import (
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
from toolgym.sandbox.kit.goal import Ask, Goal, Relation, Slot, Tell, Thing
from toolgym.sandbox.kit.identity import Identity
from toolgym.sandbox.kit.view import View

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
    return lambda result: round(result[field] * 100) if field in result else None


def _newest(bills: Any) -> int | None:
    return round(bills[0]["total_due"] * 100) if bills else None


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
            "Please suspend [{line}|one of my lines][ for now, because of {reason}].",
            "I want to put [{line}|one of my lines] on hold[; the reason is {reason}].",
            "Could you pause [{line}|a line of mine] for a while?[ The reason is {reason}.]",
            "I don't need [{line}|one of my lines] at the moment; please suspend it.[ It's because of {reason}.]",
            "I'd like [{line}|one of my lines] suspended for the time being[, because of {reason}].",
            "Can you suspend [{line}|a line] for me?[ It's on account of {reason}.]",
            "Would you put [{line}|a line of mine] on hold for a bit?[ I have {reason} ahead of me.]",
            "I won't be using [{line}|one of my lines] for a while. Please pause it.[ The reason: {reason}.]",
            "Is it possible to suspend [{line}|one of my lines]?[ I'm asking because of {reason}.]",
            "Please take [{line}|a line] out of service for now[; it's because of {reason}].",
            "I need [{line}|one of my lines] paused[ because of {reason}].",
            "There's no use for [{line}|one of my lines] just now. Could you suspend it?[ It's due to {reason}.]",
            "Let's put [{line}|one of my lines] to rest for a while, suspended[, because of {reason}].",
        ),
        verbs=("suspend", "pause", "put on hold", "freeze"),
        slots=(Slot("line", withheld=0.5), Slot("reason", draw=_REASONS)),
    ),
    Goal(
        resume_line,
        says=(
            "Please make [{line}|a suspended line of mine] active again.",
            "I want [{line}|a suspended line of mine] back in service.",
            "Could you resume [{line}|my suspended line]?",
            "I need [{line}|the line I had paused] switched back on.",
            "Can you reactivate [{line}|my suspended line]?",
            "I'd like to use [{line}|the line I had suspended] again; please resume it.",
            "Would you take the hold off [{line}|my suspended line]?",
            "The break is over: please reactivate [{line}|my suspended line].",
            "Please put [{line}|the line I had paused] back to work.",
            "Is it possible to get [{line}|the line I had suspended] going again? Please resume it.",
            "I'm back, so please resume [{line}|my suspended line].",
            "It's time to switch [{line}|the line I had paused] on again.",
        ),
        verbs=("resume", "activate", "reactivate", "make active", "switch on"),
        slots=(Slot("line", withheld=0.5),),
    ),
    Goal(
        enable_roaming,
        says=(
            "I'm travelling abroad soon; please enable roaming on [{line}|one of my lines].",
            "Please allow [{line}|one of my lines] to be used abroad.",
            "Could you turn roaming on for [{line}|one of my lines]?",
            "We're going on a trip, and I need roaming for [{line}|one of my lines].",
            "Can you activate roaming for [{line}|a line of mine]?",
            "I'd like roaming enabled on [{line}|one of my lines], please.",
            "I'm off on holiday: please switch on roaming for [{line}|one of my lines].",
            "Would you enable roaming for [{line}|a line of mine]? I'll be out of the country.",
            "I want to be able to use [{line}|one of my lines] in other countries. Please turn roaming on.",
            "Before I fly, I need roaming on [{line}|one of my lines].",
            "Is it possible to enable roaming on [{line}|one of my lines]?",
            "Next week I'll be abroad. Please make sure roaming is enabled for [{line}|one of my lines].",
        ),
        verbs=("enable", "allow", "activate", "turn on", "switch on"),
        slots=(Slot("line", withheld=0.5),),
        where=_stays,
    ),
    Goal(
        disable_roaming,
        says=(
            "I'm back from my trip; please disable roaming on [{line}|one of my lines].",
            "Please stop [{line}|one of my lines] from being used abroad.",
            "Could you turn roaming off for [{line}|one of my lines]?",
            "No more roaming for [{line}|one of my lines], please.",
            "Can you deactivate roaming for [{line}|a line of mine]?",
            "I'd like roaming disabled on [{line}|one of my lines].",
            "I don't want any roaming charges: please switch off roaming for [{line}|one of my lines].",
            "Would you disable roaming for [{line}|a line of mine]? I'm staying at home.",
            "I won't be travelling any time soon, so please turn roaming off on [{line}|one of my lines].",
            "The holiday is over. Please take roaming off [{line}|one of my lines].",
            "Is it possible to disable roaming on [{line}|one of my lines]?",
            "To be on the safe side, please disable roaming for [{line}|one of my lines].",
        ),
        verbs=("disable", "stop", "deactivate", "turn off", "switch off"),
        slots=(Slot("line", withheld=0.5),),
        where=_roams,
    ),
    Goal(
        refuel_data,
        says=(
            "Please add [{gb_amount} of|some] data to [{line}|one of my lines].",
            "I need [{gb_amount} more|more] data this month on [{line}|one of my lines].",
            "Could I buy [{gb_amount} of|some more] data for [{line}|one of my lines]?",
            "I'm running out of data, so please put [{gb_amount}|some more] on [{line}|one of my lines].",
            "Can you top up [{line}|one of my lines][ with {gb_amount} of data| with more data]?",
            "I'd like to buy [{gb_amount} of|extra] data for [{line}|one of my lines].",
            "Would you add [{gb_amount} of|some extra] data to [{line}|a line of mine], please?",
            "The data on [{line}|one of my lines] is nearly used up. Please add [{gb_amount}|some].",
            "I've been streaming too much: please add [{gb_amount} of|more] data to [{line}|one of my lines].",
            "Please refuel [{line}|one of my lines][ with {gb_amount}| with more data].",
            "We need more data on [{line}|one of my lines][: {gb_amount}, please].",
            "Is it possible to get [{gb_amount} of|some] extra data on [{line}|one of my lines]?",
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
            "How much data has [{line}|one of my lines] used this month?",
            "Can you tell me how much data was used on [{line}|one of my lines] in this cycle?",
            "What is the data usage of [{line}|one of my lines] so far?",
            "How many gigabytes have gone through [{line}|one of my lines] this month?",
            "I'd like to know how much data I've used on [{line}|one of my lines].",
            "Could you check the data usage on [{line}|one of my lines]?",
            "How much of the data on [{line}|one of my lines] have I used up so far?",
            "Please look up the data used on [{line}|one of my lines] this month.",
            "I want to keep an eye on my data: how much has [{line}|one of my lines] used?",
            "What's the current data consumption of [{line}|one of my lines]?",
            "My kids have been streaming. How much data has [{line}|one of my lines] used this cycle?",
            "Would you tell me how much data [{line}|one of my lines] has used?",
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
            "Until when does the contract of [{id}|one of my lines] run?",
            "When does the contract for [{id}|one of my lines] end?",
            "What is the last day of the contract of [{id}|one of my lines]?",
            "How long am I still bound by the contract for [{id}|one of my lines]? I'd like the end date.",
            "Could you tell me when the contract of [{id}|one of my lines] ends?",
            "I'd like to know the end date of the contract for [{id}|one of my lines].",
            "On what date does my contract for [{id}|one of my lines] run out?",
            "Can you look up when the contract for [{id}|one of my lines] expires?",
            "I'm thinking ahead: when does the contract of [{id}|one of my lines] end?",
            "What's the expiry date of the contract of [{id}|one of my lines]?",
            "Please check how long the contract for [{id}|one of my lines] still runs; I need the date.",
            "Would you tell me the date on which the contract of [{id}|one of my lines] is over?",
        ),
        verbs=("tell", "show", "look up"),
        slots=(Slot("id", withheld=0.5, of=Line),),
        tells=(Tell("contract_end_date", "date"),),
    ),
    Goal(
        get_details_by_id,
        name="plan_price",
        says=(
            "What does the plan of [{id}|one of my lines] cost a month?",
            "How much do I pay a month for the plan of [{id}|one of my lines]?",
            "What is the monthly price of the plan on [{id}|one of my lines]?",
            "Could you tell me the monthly fee for the plan on [{id}|one of my lines]?",
            "I'd like to know what the plan of [{id}|one of my lines] costs per month.",
            "How expensive is the plan on [{id}|one of my lines], by the month?",
            "Can you check the monthly price of the plan for [{id}|one of my lines]?",
            "What am I paying each month for the plan on [{id}|one of my lines]?",
            "I'm comparing offers: what's the monthly cost of the plan on [{id}|one of my lines]?",
            "Please look up how much the plan of [{id}|one of my lines] is a month.",
            "What's the price per month of the plan that [{id}|one of my lines] is on?",
            "Would you tell me how much the plan on [{id}|one of my lines] costs monthly?",
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
            "Could you tell me the amount of my most recent bill?",
            "I'd like to know how much my last bill was.",
            "Can you look up the total of my latest bill?",
            "How high is my current bill?",
            "What do I have to pay on my newest bill?",
            "Please check the amount of my last bill.",
            "What's the sum on my most recent bill?",
            "I can't find my latest bill. How much is it?",
            "Would you tell me the total due on my newest bill?",
        ),
        verbs=("tell", "show", "look up"),
        tells=(
            Tell("0.total_due", "money", value=lambda bills: round(bills[0]["total_due"] * 100) if bills else None),
        ),
    ),
)
