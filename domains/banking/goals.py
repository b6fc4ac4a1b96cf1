"""What customers of the bank come for, and how they speak of what is theirs."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta
from typing import Any

from domains.banking.schema import Account, Card, Payee, Payment, StandingOrder, Transaction
from domains.banking.tools import (
    add_payee,
    cancel_payment,
    create_standing_order,
    dispute_transaction,
    end_standing_order,
    get_account,
    get_profile,
    get_transaction,
    list_transactions,
    send_payment,
    set_card_state,
    transfer_between_own_accounts,
)
from sandbox.kit.goal import Ask, Condition, Draw, Goal, Same, Slot, Tell, Thing

# --- how things are named ---

THINGS = (
    Thing(Account, ("my {nickname} account", "the account {nickname}", "my {kind} account that {masked}")),
    Thing(Payee, ("{name}",)),
    Thing(
        Transaction,
        (
            "the charge from {merchant} on {booked_on}",
            "the {amount_cents} charge from {merchant}",
            "the {merchant} payment of {booked_on}",
        ),
    ),
    Thing(
        Payment,
        (
            "the payment to {payee_name} on {execute_on}",
            "the {amount_cents} that go to {payee_name}",
            "the scheduled payment to {payee_name}",
        ),
        where=lambda payment: payment.row.state == "scheduled",
    ),
    Thing(StandingOrder, ("the standing order for {payee_name}", "the one that pays {payee_name} every {every}")),
    Thing(Card, ("the card ending in {last_four}", "my card with the last digits {last_four}")),
)

# --- what is drawn ---


def _dollars(low: int, high: int) -> list[int]:
    return [dollars * 100 for dollars in range(low, high, 5)]


def _later(draw: Draw) -> date:
    return draw.now.date() + timedelta(days=draw.rng.randrange(3, 40))


def _tomorrow_or_later(draw: Draw) -> date:
    return draw.now.date() + timedelta(days=draw.rng.randrange(4, 45))


def _soon_or_today(draw: Draw) -> date:
    return draw.now.date() + timedelta(days=draw.rng.choice((0, 0, 1, 2, 3, 5, 8, 13, 21)))


def _shop(draw: Draw) -> str | None:
    account = draw.values["account"]
    shops = sorted({row.merchant for row in draw.rows(Transaction) if row.account_id == account.account_id})
    return draw.rng.choice(shops) if shops else None


def _month(draw: Draw) -> dict[str, date]:
    first = (draw.now.date().replace(day=1) - timedelta(days=1)).replace(day=1)
    if draw.rng.random() < 0.4:
        first = (first - timedelta(days=1)).replace(day=1)
    return {"first_day": first, "last_day": first.replace(day=monthrange(first.year, first.month)[1])}


def _in_month(days: dict[str, date]) -> str:
    return f"{days['first_day']:%B}"


def _spent(result: Any) -> int | None:
    return sum(-item["amount_cents"] for item in result["items"]) if result["pages"] == 1 else None


def _new_payee(draw: Draw) -> dict[str, str]:
    known = {row.iban for row in draw.rows(Payee)}
    seen = [row for row in draw.rows(Transaction) if row.counterparty_iban not in known]
    row = draw.rng.choice(seen)
    return {"name": row.merchant, "iban": row.counterparty_iban}


def _named(payee: dict[str, str]) -> str:
    return f"{payee['name']} with IBAN {payee['iban']}"


SOURCE = Slot("source", withheld=0.5, says=("From {}.", "Take it from {}.", "Out of {}, please."))
PAYEE = Slot("payee", says=("It goes to {}.", "To {}."))
BALANCE = Tell("available_cents", by=get_account, near=("available", "left", "balance"))

GOALS = (
    Goal(
        transfer_between_own_accounts,
        verbs=("move", "transfer", "shift"),
        says=(
            "Please move {amount_cents}[ from {source}] to {target}.",
            "I want to transfer {amount_cents}[ from {source}] to {target}.",
            "Could you shift {amount_cents}[ out of {source}] over to {target}?",
            "{target} needs {amount_cents}; please move it there[ from {source}].",
            "I need {amount_cents} on {target}[, taken from {source}].",
            "Can you put[ {amount_cents} of] money[ from {source}] onto {target}?",
            "Move some money[ from {source}] to {target} for me.",
            "I would like to top up {target}[ with {amount_cents}][ out of {source}].",
        ),
        slots=(
            SOURCE,
            Slot("target"),
            Slot("amount_cents", withheld=0.4, draw=_dollars(20, 900), says=("{}, please.", "I want to move {}.")),
        ),
        tells=(Tell("target.balance_cents", near=("balance",)),),
        where=lambda source, target: source.row.account_id != target.row.account_id,
    ),
    Goal(
        send_payment,
        verbs=("send", "pay", "wire"),
        says=(
            "Send {amount_cents} to {payee}[ from {source}][ on {execute_on}].",
            "I need to pay {payee}[ {amount_cents}][ out of {source}][ on {execute_on}].",
            "Please pay {payee} {amount_cents}[ on {execute_on}][ from {source}].",
            "I owe {payee} money[, {amount_cents}]; can you send it[ on {execute_on}][ from {source}]?",
            "Could you wire {amount_cents} to {payee}[ from {source}]?",
            "I would like {payee} to get {amount_cents}[ on {execute_on}].",
            "{payee} is waiting for a payment[ of {amount_cents}], please send it[ from {source}].",
            "Time to pay {payee}[: {amount_cents}][, from {source}].",
        ),
        slots=(
            SOURCE,
            PAYEE,
            Slot(
                "amount_cents",
                withheld=0.4,
                draw=[*_dollars(15, 700), *_dollars(900, 2600)],
                says=("{}.", "It is {}.", "I want to send {}."),
                same_as=(Same(Transaction, "amount_cents", "the same amount as {it}", get_transaction),),
            ),
            Slot("execute_on", withheld=0.5, draw=_soon_or_today, says=("On {}.", "It should go out on {}.")),
        ),
        tells=(Tell("execute_on"),),
        asks=(
            Ask("How much more could I send today?", Tell("left_today_cents", by=get_profile, near=("today", "limit"))),
            Ask("And what will be available on that account then?", BALANCE),
        ),
    ),
    Goal(
        cancel_payment,
        verbs=("cancel", "stop", "call off"),
        says=(
            "Please cancel {payment}.",
            "I want to stop {payment}.",
            "Can you call off {payment}?",
            "{payment} must not go out, please cancel it.",
            "There is something scheduled that I no longer want: {payment}.",
            "Stop {payment} before it leaves my account.",
        ),
        slots=(Slot("payment", says=("I mean {}.", "It is {}.")),),
        tells=(Tell("amount_cents", near=("payment",)),),
        where=lambda payment: payment.row.state == "scheduled",
    ),
    Goal(
        create_standing_order,
        verbs=("set up", "create", "start"),
        says=(
            "Set up {amount_cents} every {every} for {payee}[ from {source}][, starting on {first_on}].",
            "I want to pay {payee} {amount_cents} each {every}[ out of {source}][, for the first time on {first_on}].",
            "Please start a standing order for {payee}[: {amount_cents}] a {every}[, first on {first_on}].",
            "Could you create a standing order to {payee}[ over {amount_cents}] every {every}[ from {source}]?",
            "From now on {payee} should get[ {amount_cents}] money every {every}[, beginning {first_on}].",
            "I'd like to pay {payee} regularly, once a {every}[, {amount_cents} each time].",
        ),
        slots=(
            SOURCE,
            PAYEE,
            Slot("amount_cents", withheld=0.3, draw=_dollars(10, 300), says=("{} each time.", "{}.")),
            Slot("every"),
            Slot("first_on", withheld=0.6, draw=_tomorrow_or_later, says=("On {}.", "For the first time on {}.")),
        ),
        tells=(Tell("next_on"),),
    ),
    Goal(
        end_standing_order,
        verbs=("end", "stop"),
        says=(
            "Please end {standing_order}[ after {last_on}].",
            "I want {standing_order} to stop[; {last_on} is the last day].",
            "Let {standing_order} run out[ on {last_on}].",
            "Can you stop {standing_order}[ from {last_on} on]?",
            "I no longer need {standing_order}[ after {last_on}], please end it.",
            "{standing_order} can end[ on {last_on}].",
        ),
        slots=(
            Slot("standing_order", says=("It is {}.", "I mean {}.")),
            Slot("last_on", withheld=0.6, draw=_later, says=("{} is the last day.", "On {}.")),
        ),
        tells=(Tell("amount_cents"),),
    ),
    Goal(
        set_card_state,
        name="freeze_card",
        verbs=("freeze",),
        fixed={"state": "frozen"},
        says=(
            "Please freeze {card}[, {reason}].",
            "I cannot find {card}; freeze it for now[, {reason}].",
            "Can you freeze {card} until I know more?[ The reason: {reason}.]",
            "Put {card} on ice, please[: {reason}].",
            "I want {card} frozen[, {reason}].",
            "Freeze {card}[; {reason}].",
        ),
        slots=(
            Slot("card", says=("It is {}.",)),
            Slot("reason", withheld=0.6, words={"lost": "I lost it", "precaution": "just as a precaution"}),
        ),
        tells=(Tell("state"),),
        where=lambda card: card.row.state != "frozen",
    ),
    Goal(
        set_card_state,
        name="activate_card",
        verbs=("activate", "unfreeze", "reactivate"),
        fixed={"state": "active", "reason": "found"},
        says=(
            "I have found {card} again, please activate it.",
            "Please unfreeze {card}, it turned up.",
            "{card} is back; make it work again.",
            "Can you reactivate {card}? I found it.",
            "I'd like to use {card} again, I have found it.",
            "Activate {card} again, please; it was in my coat.",
        ),
        slots=(Slot("card", says=("It is {}.",)),),
        tells=(Tell("state"),),
        where=lambda card: card.row.state != "active",
    ),
    Goal(
        set_card_state,
        name="block_card",
        verbs=("block",),
        fixed={"state": "blocked", "reason": "stolen"},
        says=(
            "{card} was stolen. Block it for good.",
            "Somebody stole {card}; please block it.",
            "Please block {card}, it has been stolen.",
            "I was robbed, block {card} at once.",
            "Block {card} permanently, a thief has it.",
            "My purse was stolen with {card} in it, so block that card.",
        ),
        slots=(Slot("card", says=("It is {}.",)),),
        tells=(Tell("state"),),
        where=lambda card: card.row.state != "blocked",
    ),
    Goal(
        dispute_transaction,
        verbs=("dispute", "contest"),
        says=(
            "I want to dispute {transaction}[: {reason}].",
            "Please contest {transaction}[; {reason}].",
            "{transaction} is wrong[: {reason}], I want to dispute it.",
            "There is a problem with {transaction}[, {reason}]. Can you open a dispute?",
            "Please open a dispute about {transaction}[, as {reason}].",
            "I do not accept {transaction}[: {reason}].",
        ),
        slots=(
            Slot("transaction", says=("It is {}.", "I mean {}.")),
            Slot(
                "reason",
                withheld=0.5,
                words={
                    "not_mine": "I never made that payment",
                    "twice": "I was charged twice",
                    "wrong_amount": "the amount is wrong",
                    "not_received": "the goods never came",
                },
            ),
            Slot("statement", mentions=("transaction.merchant", "transaction.booked_on")),
        ),
        tells=(Tell("status"),),
        where=lambda transaction: transaction.row.status == "booked",
    ),
    Goal(
        add_payee,
        verbs=("save", "add"),
        says=(
            "Please save {payee} as a payee.",
            "Add {payee} to my payees.",
            "I want to have {payee} among my payees.",
            "Can you store {payee} as a new payee?",
        ),
        slots=(
            Slot(
                "payee",
                fills=("name", "iban"),
                draw=_new_payee,
                say=lambda new: f"{new['name']} with IBAN {new['iban']}",
            ),
        ),
        tells=(Tell("payee_id", kind="text"),),
    ),
    Goal(
        get_account,
        name="ask_balance",
        verbs=("tell", "know"),
        says=(
            "How much can I spend from {account}?",
            "What is available on {account} right now?",
            "How much money is available on {account}?",
            "Tell me what I have left on {account}, please.",
            "I would like to know what {account} still holds for me to spend.",
        ),
        slots=(Slot("account"),),
        tells=(Tell("available_cents", near=("available",)),),
    ),
    Goal(
        list_transactions,
        name="ask_spent",
        verbs=("tell", "know"),
        says=(
            "How much did I pay at {text} in {month} from {account}?",
            "What did I spend at {text} in {month}, on {account}?",
            "How much has {text} cost me in {month}? I mean {account}.",
            "Please add up what went to {text} in {month} from {account}.",
        ),
        slots=(
            Slot("account"),
            Slot("month", fills=("first_day", "last_day"), draw=_month, say=_in_month),
            Slot("text", draw=_shop),
        ),
        tells=(Tell("items", kind="money", value=_spent),),
        where=lambda account: account.row.kind != "savings",
    ),
    Goal(
        get_transaction,
        name="ask_dispute_until",
        verbs=("tell", "know"),
        says=(
            "Until when can I dispute {transaction}?",
            "What is the last day to dispute {transaction}?",
            "How long do I have to contest {transaction}?",
            "By which day would I have to complain about {transaction}?",
        ),
        slots=(Slot("transaction"),),
        tells=(Tell("disputable_until"),),
    ),
)

CONDITIONS = (
    Condition(Account, "available_cents", "if there is {value} or more on {it}", get_account),
    Condition(Account, "balance_cents", "if the balance of {it} is at least {value}", get_account),
)
