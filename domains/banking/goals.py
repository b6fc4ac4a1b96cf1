"""What customers of the bank come for."""

from __future__ import annotations

from datetime import timedelta

from domains.banking.schema import Account, Card, Payee, Payment, StandingOrder, Transaction
from domains.banking.tools import (
    get_account,
    get_profile,
    send_payment,
    transfer_between_own_accounts,
)
from sandbox.kit.goal import Ask, Condition, Draw, Goal, Same, Slot, Tell, Thing


def _amount(low: int, high: int) -> list[int]:
    return [dollars * 100 for dollars in range(low, high, 5)]


def _later(draw: Draw) -> object:
    return draw.now.date() + timedelta(days=draw.rng.randrange(3, 40))


THINGS = (
    Thing(Account, ("my {nickname} account", "the account {nickname}")),
    Thing(Payee, ("{name}",)),
    Thing(Transaction, ("the charge from {merchant} on {booked_on}", "the {amount_cents} from {merchant}")),
    Thing(Payment, ("the payment to {payee_name} on {execute_on}", "the scheduled {amount_cents} to {payee_name}")),
    Thing(StandingOrder, ("the standing order for {payee_name}",)),
    Thing(Card, ("the card ending in {last_four}",)),
)

GOALS = (
    Goal(
        transfer_between_own_accounts,
        says=(
            "Please move {amount_cents} from {source} to {target}.",
            "I want {amount_cents} of {source} on {target}.",
        ),
        verbs=("move", "transfer", "shift"),
        slots=(Slot("source", withheld=0.4), Slot("target"), Slot("amount_cents", withheld=0.4, draw=_amount(20, 900))),
        tells=(Tell("target.balance_cents", near=("balance",)),),
        where=lambda source, target: source.row.account_id != target.row.account_id,
    ),
    Goal(
        send_payment,
        says=("Send {amount_cents} to {payee} from {source}.", "I need to pay {payee} {amount_cents} out of {source}."),
        verbs=("send", "pay", "transfer"),
        slots=(
            Slot("source", withheld=0.5),
            Slot("payee"),
            Slot(
                "amount_cents",
                withheld=0.4,
                draw=[*_amount(15, 700), *_amount(900, 2600)],
                same_as=(Same(Transaction, "amount_cents", "the same amount as {it}"),),
            ),
            Slot("execute_on", draw=_later, says=("On {}.",)),
        ),
        tells=(Tell("execute_on"),),
        asks=(Ask("And what will be left for payments today?", Tell("left_today_cents", by=get_profile)),),
    ),
)

CONDITIONS = (
    Condition(Account, "available_cents", "if there is {value} or more on {it}", get_account),
    Condition(Account, "balance_cents", "if the balance of {it} is at least {value}", get_account),
)
