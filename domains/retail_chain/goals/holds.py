"""What associates want set aside for customers."""

from __future__ import annotations

from toolgym.domains.retail_chain.goals.draws import CUSTOMER, DIGITS, SKU
from toolgym.domains.retail_chain.tools import hold_for_customer, release_hold
from toolgym.sandbox.kit.goal import Goal, Slot, Tell

HOLD = Slot("hold", says=("I mean {}.", "It is {}."))

HOLDS = (
    Goal(
        hold_for_customer,
        name="hold",
        verbs=("hold", "set aside"),
        says=(
            "Please hold {quantity} of {sku} at {store} for {customer}[; the phone ends in {phone_last4}].",
            "{customer} would like {sku}. Hold {quantity} at {store}[, phone ending in {phone_last4}].",
            "Hold {sku} for {customer} at {store}, {quantity} of it[; the digits are {phone_last4}].",
            "Can you hold {quantity} of {sku} for {customer}[, last four digits {phone_last4}]? The place is {store}.",
            "I have {customer} on the phone[, number ending in {phone_last4}]: hold {quantity} of {sku} at {store}, "
            "please.",
            "At {store}, hold {quantity} of {sku} in the name of {customer}[ with the digits {phone_last4}].",
            "{customer} will come to {store} for {sku}; hold {quantity}[ under the digits {phone_last4}].",
            "Set {quantity} of {sku} aside for {customer} at {store}[ (phone {phone_last4})].",
            "My customer is {customer}[, phone ending in {phone_last4}]. Hold {quantity} of {sku} at {store}.",
            "We need a hold at {store}: {sku}, {quantity} of it, for {customer}[, {phone_last4}].",
            "Would you have {store} hold {quantity} of {sku} for {customer}[? The phone ends in {phone_last4}].",
            "Make it a hold for {customer}[, digits {phone_last4}]: {quantity} of {sku}, to be collected at {store}.",
        ),
        slots=(
            Slot("store", says=("At {}.", "{}.")),
            SKU,
            Slot("quantity", draw=(1, 1, 2, 2, 3), says=("{}.",)),
            CUSTOMER,
            DIGITS,
        ),
        tells=(Tell("until"),),
    ),
    Goal(
        release_hold,
        name="collected",
        verbs=("close", "collect"),
        fixed={"outcome": "collected"},
        says=(
            "The customer is here and has paid: close {hold} as collected.",
            "{hold} has just been collected.",
            "Please book {hold} as collected.",
            "They have come for {hold}; mark it as collected.",
            "Somebody has picked up {hold}. Close it as collected, please.",
            "Can you close {hold}? It was collected a minute ago.",
            "I have handed {hold} over at the counter; it is collected.",
            "{hold} went over the counter today, so book it as collected.",
            "The bag with {hold} is gone, the customer collected it.",
            "Put down that {hold} was collected.",
            "Note for {hold}: collected.",
            "I gave {hold} to the customer; please close it as collected.",
        ),
        slots=(HOLD,),
        tells=(Tell("reserved", kind="number", near=("reserved", "aside", "left")),),
        where=lambda hold: hold.row.state == "open",
    ),
    Goal(
        release_hold,
        name="not_wanted",
        verbs=("release", "free"),
        fixed={"outcome": "not_wanted"},
        says=(
            "Release {hold}, the customer does not want it any more.",
            "{hold} is not wanted any more; please release it.",
            "The customer has changed their mind, so release {hold}.",
            "Please put {hold} back on the shelf, it is no longer wanted.",
            "Nobody will come for {hold}. Release it, please.",
            "Can you release {hold}? They called and do not want it.",
            "I got a call that {hold} is not needed; release it.",
            "Let go of {hold}: not wanted.",
            "{hold} can be sold to others, as it is not wanted after all.",
            "They bought it elsewhere, so {hold} has to be released.",
            "Undo {hold}; the customer is no longer interested.",
            "We can stop keeping {hold}, it is not wanted.",
        ),
        slots=(HOLD,),
        tells=(Tell("reserved", kind="number", near=("reserved", "aside", "left")),),
        where=lambda hold: hold.row.state == "open",
    ),
)
