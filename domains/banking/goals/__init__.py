"""What customers of the bank come for, and how they speak of what is theirs."""

from __future__ import annotations

from datetime import date, timedelta

from toolgym.domains.banking.goals.questions import QUESTIONS
from toolgym.domains.banking.schema import Account, Card, Payee, Payment, StandingOrder, Transaction
from toolgym.domains.banking.tools import (
    add_payee,
    cancel_payment,
    create_standing_order,
    dispute_transaction,
    end_standing_order,
    get_account,
    get_profile,
    get_transaction,
    send_payment,
    set_card_state,
    transfer_between_own_accounts,
)
from toolgym.sandbox.kit.goal import Ask, Condition, Draw, Goal, Same, Slot, Tell, Thing

# --- how things are named ---

THINGS = (
    Thing(Account, ("my {nickname} account", "the account called {nickname}", "my {kind} account that {masked}")),
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
            "the {amount_cents} payment to {payee_name}",
            "the scheduled payment to {payee_name}",
        ),
        where=lambda payment: payment.row.state == "scheduled",
    ),
    Thing(
        StandingOrder,
        ("the standing order for {payee_name}", "the standing order that pays {payee_name} every {every}"),
    ),
    Thing(Card, ("the card ending in {last_four}", "my card with the last four digits {last_four}")),
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


def _new_payee(draw: Draw) -> dict[str, str]:
    known = {row.iban for row in draw.rows(Payee)}
    seen = [row for row in draw.rows(Transaction) if row.counterparty_iban not in known]
    row = draw.rng.choice(seen)
    return {"name": row.merchant, "iban": row.counterparty_iban}


SOURCE = Slot("source", withheld=0.5, says=("From {}.", "Take it from {}.", "Out of {}, please."))
PAYEE = Slot("payee", says=("It goes to {}.", "To {}."))
BALANCE = Tell("available_cents", by=get_account, near=("available", "left", "balance"))

GOALS = (
    Goal(
        transfer_between_own_accounts,
        verbs=("move", "transfer", "shift"),
        says=(
            "Please move {amount_cents}[ from {source}] to {target}.",
            "Please move some money[ from {source}] to {target}.",
            "I want to transfer {amount_cents}[ from {source}] to {target}.",
            "Could you shift {amount_cents}[ out of {source}] over to {target}?",
            "Could you shift some money[ out of {source}] over to {target}?",
            "I need {amount_cents} in {target}[, taken from {source}].",
            "I need more money in {target}[, taken from {source}].",
            "Can you put {amount_cents}[ from {source}] into {target}?",
            "Can you put some money[ from {source}] into {target}?",
            "I'd like to top up {target}[ with {amount_cents}][ from {source}].",
            "I'd like to make a transfer to {target}[ of {amount_cents}][ from {source}].",
            "Would you transfer money[ from {source}] to {target} for me?[ I'm thinking of {amount_cents}.]",
            "Let's move {amount_cents}[ from {source}] into {target}.",
            "Please add [{amount_cents}|some money][ from {source}] to {target}.",
            "I'm short of money in {target}. Please transfer {amount_cents} there[ from {source}].",
            "I'm short of money in {target}. Please transfer something there[ from {source}].",
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
            "Send {amount_cents} to {payee}[ from {source}][ on {execute_on}], please.",
            "I need to pay[ {amount_cents} to] {payee}[ from {source}][ on {execute_on}].",
            "Please pay {amount_cents} to {payee}[ on {execute_on}][ from {source}].",
            "I owe {payee} money[, {amount_cents} to be exact]; can you send it[ on {execute_on}][ from {source}]?",
            "Could you wire {amount_cents} to {payee}[ from {source}][ on {execute_on}]?",
            "I'd like {payee} to get {amount_cents}[ on {execute_on}][, from {source}].",
            "Could you make a payment to {payee}[ of {amount_cents}][ on {execute_on}][ from {source}]?",
            "It's time to pay {payee}[: {amount_cents}][, from {source}][, on {execute_on}].",
            "Please send a payment to {payee}[ for {amount_cents}][, out of {source}][, on {execute_on}].",
            "I have a bill from {payee} to settle[, {amount_cents} in all]. Please pay it[ from {source}][ on "
            "{execute_on}].",
            "Would you transfer {amount_cents} to {payee}[ on {execute_on}][ from {source}]?",
            "Can I pay[ {amount_cents} to] {payee}[ from {source}][ on {execute_on}]?",
            "I promised {payee} some money[, {amount_cents}]. Please send it[ on {execute_on}][ from {source}].",
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
            Ask("And what will be available in that account then?", BALANCE),
        ),
    ),
    Goal(
        cancel_payment,
        verbs=("cancel", "stop", "call off"),
        says=(
            "Please cancel {payment}.",
            "I want to stop {payment}.",
            "Can you call off {payment}?",
            "I don't want {payment} to go out; please cancel it.",
            "There's something scheduled that I no longer want: {payment}. Please cancel it.",
            "Please stop {payment} before it leaves my account.",
            "I'd like to cancel {payment}, please.",
            "Could you see to it that {payment} is cancelled before it goes out?",
            "I made a mistake: {payment} should be cancelled.",
            "Is it still possible to cancel {payment}?",
            "I've paid in cash already, so please cancel {payment}.",
            "Would you cancel {payment} for me?",
        ),
        slots=(Slot("payment", says=("I mean {}.", "It is {}.")),),
        tells=(Tell("amount_cents", near=("payment",)),),
        where=lambda payment: payment.row.state == "scheduled",
    ),
    Goal(
        create_standing_order,
        verbs=("set up", "create", "start"),
        says=(
            "Set up {amount_cents} every {every} for {payee}[ from {source}][, starting on {first_on}], please.",
            "I want to pay[ {amount_cents} to] {payee} every {every}[ from {source}][, for the first time on "
            "{first_on}].",
            "Please start a standing order for {payee}[, {amount_cents}] every {every}[, first on {first_on}][, "
            "from {source}].",
            "Could you create a standing order for {payee}[ of {amount_cents}] every {every}[ from {source}][, "
            "starting {first_on}]?",
            "From now on I want {payee} to get [{amount_cents}|money] every {every}[, beginning {first_on}][, "
            "from {source}].",
            "I'd like to pay {payee} regularly, once a {every}[, {amount_cents} each time][, starting "
            "{first_on}][, from {source}].",
            "Please set up a regular payment to {payee}, every {every}[, for {amount_cents}][, from {source}][, "
            "first on {first_on}].",
            "Can we automate what I pay {payee}[, {amount_cents}] every {every}[ from {source}][, starting "
            "{first_on}]?",
            "I keep forgetting to pay {payee}. Please make that a standing order, once a {every}[, "
            "{amount_cents}][, from {source}][, starting on {first_on}].",
            "Would you arrange a standing order to {payee}, every {every}[, of {amount_cents}][ from {source}][ "
            "and beginning on {first_on}]?",
            "I need a standing order for {payee}: once every {every}[, {amount_cents}][, out of {source}][, the "
            "first one on {first_on}].",
            "Every {every} I'd like to send money to {payee}[, {amount_cents} each][, from {source}][, starting "
            "{first_on}]. Please set that up.",
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
            "Please let {standing_order} run out[ on {last_on}].",
            "Can you stop {standing_order}[ after {last_on}]?",
            "I no longer need {standing_order}[ after {last_on}]; please end it.",
            "I'd like to end {standing_order}[, with {last_on} as the last day].",
            "Could you close down {standing_order}[ as of {last_on}]?",
            "Would you put an end to {standing_order}[ on {last_on}]?",
            "It's time to stop {standing_order}[. The last day should be {last_on}].",
            "I don't want to keep paying like this. Please end {standing_order}[ on {last_on}].",
            "Please make sure that {standing_order} ends[ on {last_on}].",
            "I'm done with {standing_order}. Please stop it[ after {last_on}].",
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
            "Please freeze {card}[; {reason}].",
            "I'd like {card} frozen for now[; {reason}].",
            "Can you freeze {card} until I know more?[ The reason: {reason}.]",
            "Please put {card} on hold and freeze it[: {reason}].",
            "I want {card} frozen[; {reason}].",
            "Could you freeze {card} for the time being?[ That's because {reason}.]",
            "I need you to freeze {card}[. The reason is this: {reason}].",
            "Would you freeze {card}, please?[ The reason is that {reason}.]",
            "Freeze {card}, please[; {reason}].",
            "I don't want anybody to use {card} for now, so please freeze it[; {reason}].",
            "Is it possible to freeze {card} right away?[ I ask because {reason}.]",
            "Let's freeze {card} for a while[; {reason}].",
        ),
        slots=(
            Slot("card", says=("It is {}.",)),
            Slot("reason", withheld=0.6, words={"lost": "I lost it", "precaution": "it's just a precaution"}),
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
            "I've found {card} again; please activate it.",
            "Please unfreeze {card}, which has turned up.",
            "I have {card} back; please make it work again.",
            "Can you reactivate {card}? I found it.",
            "I'd like to use {card} again, since I've found it.",
            "Activate {card} again, please; it was in my coat.",
            "Good news: I found {card}. Could you activate it?",
            "Could you unfreeze {card}? It was at home all along.",
            "I had mislaid {card}, but it's here. Please reactivate it.",
            "Please switch {card} back on; I found it under the car seat.",
            "Would you activate {card}? It has turned up again.",
            "You can activate {card} again, because I've found it.",
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
            "I'm afraid {card} was stolen. Please block it for good.",
            "Somebody stole {card}; please block it.",
            "Please block {card}, because it has been stolen.",
            "I was robbed; block {card} at once.",
            "Please block {card} permanently, because a thief has it.",
            "My purse was stolen with {card} in it, so please block that card.",
            "Can you block {card} right now? It was stolen.",
            "A pickpocket took {card}. I want it blocked for good.",
            "I've been pickpocketed, so please block {card} permanently.",
            "Could you block {card}? It was stolen on the train.",
            "My bag is gone, and {card} with it. Somebody stole it, so please block the card.",
            "I need {card} blocked immediately; it's been stolen.",
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
            "I think {transaction} is wrong[: {reason}], and I want to dispute it.",
            "There's a problem with {transaction}[: {reason}]. Can you open a dispute?",
            "Please open a dispute about {transaction}[, as {reason}].",
            "I don't accept {transaction}[: {reason}]. Please dispute it.",
            "I'd like to challenge {transaction}[, because {reason}]. Please file a dispute.",
            "Could you dispute {transaction} for me?[ The reason is that {reason}.]",
            "I was going through my statement, and I want to dispute {transaction}[; {reason}].",
            "Can I get my money back for {transaction}?[ The thing is, {reason}.] I'd like to dispute it.",
            "I need to file a dispute about {transaction}[, since {reason}].",
            "Would you open a dispute for {transaction}?[ The trouble is that {reason}.]",
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
            "Add {payee} to my payees, please.",
            "I want to have {payee} among my payees.",
            "Can you store {payee} as a new payee?",
            "I'd like to add a new payee: {payee}.",
            "Could you put {payee} on my list of payees?",
            "I'll be paying somebody new. Please add {payee} as a payee.",
            "Would you set up {payee} as a payee for me?",
            "Please make {payee} one of my payees.",
            "I need a new payee saved: {payee}.",
            "Is it possible to add {payee} to my saved payees?",
            "For later payments, please save {payee} as a payee.",
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
    *QUESTIONS,
)

CONDITIONS = (
    Condition(Account, "available_cents", "if there is {value} or more in {it}", get_account),
    Condition(Account, "balance_cents", "if the balance of {it} is at least {value}", get_account),
)
