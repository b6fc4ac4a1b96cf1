"""What customers of the help desk want of their account, and how they are known."""

from typing import Any

from toolgym.domains.telecom import tools
from toolgym.domains.telecom.schema import Customer, Line, Plan
from toolgym.sandbox.kit.world import Ask, Goal, Identity, Slot, Tell, Thing, View

IDENTITY = Identity(
    Customer,
    found_by=(tools.get_customer_by_phone, tools.get_customer_by_id),
    shown_by=tools.get_customer_by_id,
    facts=lambda db, row: {"phone_number": row.phone_number},  # nobody knows their id by heart
)
THINGS = (Thing(Line, found_by=(tools.get_details_by_id,), has_known_key=False),)
_REASONS = ("a long trip", "a stay in hospital", "a sabbatical", "military service", "a year abroad", "a broken phone")
_GB = {str(number): f"{number} GB" for number in (1, 2, 3, 4, 5, 8)}


def _cents(field: str) -> Any:
    return lambda result: round(result[field] * 100) if field in result else None


def _newest(bills: Any) -> int | None:
    return round(bills[0]["total_due"] * 100) if bills else None


_REFUEL_PRICE = Tell(
    "data_refueling_price_per_gb",
    "money",
    tools.get_details_by_id,
    of=Plan,
    value=_cents("data_refueling_price_per_gb"),
)
_USED = Tell("data_used_gb", "number", near=("GB", "gigabytes"))


def _roams(line: View[Line]) -> bool:
    return line.row.roaming_enabled


def _stays(line: View[Line]) -> bool:
    return not line.row.roaming_enabled


GOALS = (
    Goal(tools.suspend_line, slots=(Slot("line", withheld=0.5), Slot("reason", draw=_REASONS))),
    Goal(tools.resume_line, slots=(Slot("line", withheld=0.5),)),
    Goal(tools.enable_roaming, slots=(Slot("line", withheld=0.5),), where=_stays),
    Goal(tools.disable_roaming, slots=(Slot("line", withheld=0.5),), where=_roams),
    Goal(
        tools.refuel_data,
        slots=(Slot("line", withheld=0.3), Slot("gb_amount", withheld=0.4, draw=(1, 2, 3, 4, 5, 8), words=_GB)),
        tells=(Tell("charge", "money", value=_cents("charge")),),
        asks=(Ask("How much data has the line used so far?", Tell("data_used_gb", "number", tools.get_data_usage)),),
    ),
    Goal(
        tools.get_data_usage,
        name="data_used",
        slots=(Slot("line", withheld=0.5),),
        tells=(_USED,),
        asks=(Ask("And what would another gigabyte cost me?", _REFUEL_PRICE),),
    ),
    Goal(
        tools.get_details_by_id,
        name="contract_end",
        slots=(Slot("id", withheld=0.5, of=Line),),
        tells=(Tell("contract_end_date", "date"),),
    ),
    Goal(
        tools.get_details_by_id,
        name="plan_price",
        slots=(Slot("id", withheld=0.5, of=Line),),
        tells=(Tell("price_per_month", "money", tools.get_details_by_id, of=Plan, value=_cents("price_per_month")),),
        asks=(Ask("And what does another gigabyte of data cost on it?", _REFUEL_PRICE),),
    ),
    Goal(
        tools.get_bills_for_customer,
        name="last_bill",
        tells=(
            Tell("0.total_due", "money", value=lambda bills: round(bills[0]["total_due"] * 100) if bills else None),
        ),
    ),
)
