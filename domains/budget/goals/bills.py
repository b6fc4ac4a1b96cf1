"""What comes again and again."""

from __future__ import annotations

from datetime import date, timedelta

from toolgym.domains.budget.goals.draws import cents
from toolgym.domains.budget.tools import (
    update_recurring,
)
from toolgym.sandbox.kit.goal import Draw, Goal, Slot


def _later(draw: Draw) -> date:
    return draw.now.date() + timedelta(days=draw.rng.randrange(3, 45))


BILL = Slot("bill", says=("I mean {}.", "It is {}."))

BILLS = (
    Goal(
        update_recurring,
        name="pause",
        verbs=("pause", "stop"),
        fixed={"paused": True},
        says=(
            "We cancelled it, so please pause {bill}.",
            "Stop planning for {bill}.",
            "{bill} has ended; do not expect it any more.",
            "Please pause {bill}.",
            "{bill} is history, take it out of the plan.",
            "Can you stop expecting {bill}?",
            "Pause {bill} for now.",
            "I have given notice, so {bill} can be paused.",
            "{bill} won't be coming any more, please pause it.",
            "Do not count on {bill} from here on.",
            "Let {bill} rest for the time being.",
            "I want {bill} paused in the diary.",
        ),
        slots=(BILL,),
        where=lambda bill: not bill.row.paused,
    ),
    Goal(
        update_recurring,
        name="resume",
        verbs=("resume", "restart"),
        fixed={"paused": False},
        says=(
            "{bill} starts again, please expect it.",
            "Please resume {bill}.",
            "{bill} is back; plan for it again.",
            "Can you take {bill} up again?",
            "Restart {bill} in the plan.",
            "Count on {bill} again, please.",
            "{bill} should no longer be paused.",
            "I have signed up once more, so resume {bill}.",
            "Put {bill} back into the plan.",
            "From now on {bill} is due again, please resume it.",
            "Please stop pausing {bill}.",
            "Let the diary expect {bill} again.",
        ),
        slots=(BILL,),
        where=lambda bill: bill.row.paused,
    ),
    Goal(
        update_recurring,
        name="reprice",
        verbs=("change", "update"),
        says=(
            "{bill} costs {amount_cents} from now on.",
            "Please change {bill} to {amount_cents}.",
            "They raised the price: {bill} is {amount_cents} now.",
            "The price of {bill} has changed[ to {amount_cents}].",
            "Can you update {bill}[ to {amount_cents}]?",
            "From now on expect {amount_cents} for {bill}.",
            "{bill} will be {amount_cents} each time.",
            "Put {amount_cents} down for {bill}.",
            "I got a letter: {bill} comes to {amount_cents} now.",
            "Plan {amount_cents} for {bill}, please.",
            "Update the amount of {bill}[: {amount_cents}].",
            "It is no longer the old price, {bill} is {amount_cents}.",
        ),
        slots=(BILL, Slot("amount_cents", withheld=0.4, draw=cents(700, 14_000), says=("{}.", "It is {}."))),
        where=lambda bill, amount_cents: bill.row.amount_cents != amount_cents,
    ),
    Goal(
        update_recurring,
        name="postpone",
        verbs=("postpone", "expect"),
        says=(
            "{bill} comes on {next_on} next time.",
            "Please expect {bill} on {next_on}.",
            "They put it off: {bill} is due on {next_on}.",
            "The next date of {bill} has changed[ to {next_on}].",
            "Can you move the next date of {bill}[ to {next_on}]?",
            "Postpone {bill}[ to {next_on}].",
            "{bill} will be taken on {next_on} instead.",
            "Set the next date of {bill}[: {next_on}].",
            "{bill} will be charged on {next_on} this time.",
            "Next time {bill} falls on {next_on}, please note that.",
            "Let {bill} be due on {next_on}.",
            "Change when {bill} is due next[: {next_on}].",
        ),
        slots=(BILL, Slot("next_on", withheld=0.4, draw=_later, says=("On {}.", "{}."))),
        where=lambda bill, next_on: bill.row.next_on != next_on,
    ),
)
