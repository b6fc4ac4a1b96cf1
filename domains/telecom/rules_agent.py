"""What the `rules` agent does at the help desk for people whose phones do not work. It sees no task.

An honest baseline: it finds the customer, goes through everything the policy names, one message for each side's steps,
and reads what the user tells by keywords.
"""

import re
from dataclasses import dataclass
from typing import Any

from toolgym.sandbox.agents.dialogue import DialogueContext, Script
from toolgym.sandbox.kit.errors import Refusal

_MORE = "Is there anything else?"
_DONE = f"Everything has been taken care of. {_MORE}"
_TODAY = "2025-02-25"
_MOST_GB = 2
_NUMBER = re.compile(r"\b\d{3}-\d{3}-\d{4}\b")
_GB = re.compile(r"(\d+(?:\.\d+)?) ?GB\b", re.IGNORECASE)
_WISHES = {
    "question": r"\bhow much\b|\bwhat does\b|\buntil when\b",
    "suspend": r"\bsuspend\b",
    "roaming": r"\broaming\b",
    "refuel": r"\d ?gb\b",
    "mms": r"picture|photo|mms",
    "data": r"internet|mobile data|website|speed",
    "service": r"service|signal|network|calls",
}


@dataclass
class _DialogueState:
    """One dialogue: who the customer is, the line they speak of, and what they want."""

    dialogue: DialogueContext
    customer: dict[str, Any]
    line: dict[str, Any]
    wish: str

    @property
    def ids(self) -> dict[str, Any]:
        """The arguments that name the line."""
        return {"customer_id": self.customer["customer_id"], "line_id": self.line["line_id"]}

    def act(self, proposal: str, tool: str, **arguments: Any) -> Script[bool]:
        """Propose, and on a yes do it; returns whether it was done."""
        if not (yield from self.dialogue.confirm(proposal)):
            return False
        try:
            yield from self.dialogue.call(tool, **self.ids, **arguments)
        except Refusal as refusal:
            yield from self.dialogue.say(f"I am sorry, that is not possible. {refusal.message} {_MORE}")
            return False
        return True


def rules_agent(dialogue: DialogueContext) -> Script[None]:
    """Serve one customer until they end the conversation."""
    wish = dialogue.last
    customer, line = yield from _find(dialogue)
    kind = _wish_of(wish)
    while True:
        state = _DialogueState(dialogue, customer, line, wish)
        if kind in {"service", "data", "mms"}:
            yield from _repair(state, kind)
        elif kind == "question":
            yield from _answer(state)
        elif kind == "refuel":
            yield from _sell(state)
        elif kind in {"suspend", "roaming"}:
            yield from _change(state, kind)
        else:
            yield from dialogue.say("How can I help you?")
        wish, kind = dialogue.last, _wish_of(dialogue.last) or kind


def _wish_of(text: str) -> str:
    return next((kind for kind, words in _WISHES.items() if re.search(words, text, re.IGNORECASE)), "")


def _find(dialogue: DialogueContext) -> Script[tuple[dict[str, Any], dict[str, Any]]]:
    """The customer and the line of the phone, by the number in the profile or the one that is told."""
    numbers = [dialogue.profile["calling_from"]] if dialogue.profile else _NUMBER.findall(dialogue.last)
    while True:
        for number in numbers:
            try:
                customer = dialogue.profile or (yield from dialogue.call("get_customer_by_phone", phone_number=number))
            except Refusal:
                continue
            for line_id in customer["line_ids"]:
                line = yield from dialogue.call("get_details_by_id", id=line_id)
                if line["phone_number"] == number:
                    return customer, line
        numbers = _NUMBER.findall((yield from dialogue.say("What is your phone number, please?")))


# --- repairs ---


def _repair(state: _DialogueState, kind: str) -> Script[None]:
    """Go through what the policy names; hand over where it says so."""
    dialogue = state.dialogue
    restart = yield from _line_is_back(state)
    if restart is None:
        return
    told = yield from dialogue.say(
        "Please make sure that airplane mode is off. Please check the SIM card. Please check the APN settings."
    )
    if "locked" in told:
        yield from dialogue.call("transfer_to_human_agents", summary="The SIM card is locked.")
        return
    steps = ["Please reseat the SIM card."] if "missing" in told else []
    if "name: broken" in told or "url: nothing" in told:
        steps.append("Please reset the APN settings.")
        restart = True
    steps += ["Please restart your phone."] if restart else []
    steps += ["Please look at the status bar."]
    yield from dialogue.say(" ".join(steps))
    if kind != "service":
        yield from _data_is_back(state)
    if kind == "mms":
        yield from dialogue.say(
            "Please make sure that Wi-Fi calling is off. Please grant the sms permission to the messaging app. "
            "Please grant the storage permission to the messaging app. Please try to send a picture message."
        )
    yield from dialogue.say(_DONE)


def _line_is_back(state: _DialogueState) -> Script[bool | None]:
    """Make the line active; whether the phone must be restarted, or None where a human has to take over."""
    dialogue = state.dialogue
    if state.line["status"] == "Active":
        return False
    if state.line.get("contract_end_date", _TODAY) < _TODAY:
        yield from dialogue.call("transfer_to_human_agents", summary="The line is suspended; its contract has ended.")
        return None
    bills = yield from dialogue.call("get_bills_for_customer", customer_id=state.customer["customer_id"])
    for bill in bills:
        if bill["status"] == "Overdue":
            request = {"customer_id": state.customer["customer_id"], "bill_id": bill["bill_id"]}
            yield from dialogue.call("send_payment_request", **request)
            yield from dialogue.say(
                f"Bill {bill['bill_id']} over ${bill['total_due']:.2f} is overdue, so your line is suspended. "
                "Please check your payment requests. Please make the payment."
            )
    yield from dialogue.call("resume_line", **state.ids)
    state.line["status"] = "Active"
    return True


def _data_is_back(state: _DialogueState) -> Script[None]:
    """Roaming, allowance, and the phone's own switches."""
    dialogue = state.dialogue
    answer = yield from dialogue.say("What is your location at the moment, are you abroad?")
    if "home" not in answer:
        if not state.line["roaming_enabled"]:
            yield from dialogue.call("enable_roaming", **state.ids)
        yield from dialogue.say("Please make sure that data roaming is on.")
    usage = yield from dialogue.call("get_data_usage", **state.ids)
    if usage["data_used_gb"] >= usage["data_limit_gb"] + usage["data_refueling_gb"]:
        amount = yield from dialogue.say(
            "All the data of your plan is used up. Which data amount would you like to buy?"
        )
        yield from _refuel(state, amount)
    yield from dialogue.say(
        "Please make sure that mobile data is on. Please make sure that data saver is off. Please set the network mode "
        "to 4g_5g_preferred. Please disconnect the VPN. Please run a speed test."
    )


# --- the account ---


def _refuel(state: _DialogueState, text: str) -> Script[bool]:
    amount = _GB.search(text)
    gigabytes = float(amount[1]) if amount else 1.0
    plan = yield from state.dialogue.call("get_details_by_id", id=state.line["plan_id"])
    price = gigabytes * plan["data_refueling_price_per_gb"]
    proposal = f"{gigabytes:g} GB of data cost ${price:.2f}, which goes on your next bill."
    return (yield from state.act(proposal, "refuel_data", gb_amount=gigabytes))


def _sell(state: _DialogueState) -> Script[None]:
    amount = _GB.search(state.wish)
    if amount and float(amount[1]) > _MOST_GB:
        yield from state.dialogue.say(f"I am sorry, more than {_MOST_GB} GB is not possible.")
    elif (yield from _refuel(state, state.wish)):
        yield from state.dialogue.say(_DONE)


def _change(state: _DialogueState, kind: str) -> Script[None]:
    number = state.line["phone_number"]
    if kind == "suspend":
        proposal = f"I would suspend the line {number}; that costs $5 a month."
        done = yield from state.act(proposal, "suspend_line", reason="the customer's wish")
    else:
        verb = "disable" if "disable" in state.wish else "enable"
        done = yield from state.act(f"I would {verb} roaming on the line {number}.", f"{verb}_roaming")
    if done:
        yield from state.dialogue.say(_DONE)


def _answer(state: _DialogueState) -> Script[None]:
    line = state.line
    plan = yield from state.dialogue.call("get_details_by_id", id=line["plan_id"])
    yield from state.dialogue.say(
        f"You have used {line['data_used_gb']:g} GB this month. Your plan is {plan['name']} and costs "
        f"${plan['price_per_month']:g} a month; another GB costs ${plan['data_refueling_price_per_gb']:g}. Your "
        f"contract runs until {line.get('contract_end_date', 'further notice')}. {_MORE}"
    )
