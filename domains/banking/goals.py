"""What customers of the bank come for, and how they speak of what is theirs."""

from calendar import monthrange
from datetime import date, timedelta
from typing import Any

from toolgym.domains.banking import tools
from toolgym.domains.banking.schema import Account, Card, Payee, Payment, StandingOrder, Transaction
from toolgym.domains.banking.tools import get_account, get_transaction, list_transactions
from toolgym.sandbox.kit.goal import Ask, Condition, Draw, Goal, Same, Slot, Tell, Thing


def _shop(draw: Draw) -> str | None:
    account = draw.values["account"]
    shops = sorted({row.merchant for row in draw.rows(Transaction) if row.account_id == account.account_id})
    return draw.one_of(shops)


def _month(draw: Draw) -> dict[str, date]:
    first = (draw.now.date().replace(day=1) - timedelta(days=1)).replace(day=1)
    if draw.rng.random() < 0.4:
        first = (first - timedelta(days=1)).replace(day=1)
    return {"first_day": first, "last_day": first.replace(day=monthrange(first.year, first.month)[1])}


def _in_month(days: dict[str, date]) -> str:
    return f"{days['first_day']:%B}"


def _spent(result: Any) -> int | None:
    return sum(-item["amount_cents"] for item in result["items"]) if result["pages"] == 1 else None


QUESTIONS = (
    Goal(
        get_account, name="ask_balance", slots=(Slot("account"),), tells=(Tell("available_cents", near=("available",)),)
    ),
    Goal(
        list_transactions,
        name="ask_spent",
        slots=(
            Slot("account"),
            Slot("month", fills=("first_day", "last_day"), draw=_month, say=_in_month),
            Slot("text", draw=_shop),
        ),
        tells=(Tell("items", kind="money", value=_spent),),
        where=lambda account: account.row.kind != "savings",
    ),
    Goal(get_transaction, name="ask_dispute_until", slots=(Slot("transaction"),), tells=(Tell("disputable_until"),)),
)


# --- how things are named ---

THINGS = (
    Thing(Account),
    Thing(Payee),
    Thing(Transaction),
    Thing(Payment, where=lambda payment: payment.row.state == "scheduled"),
    Thing(StandingOrder),
    Thing(Card),
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


BALANCE = Tell("available_cents", by=tools.get_account, near=("available", "left", "balance"))


GOALS = (
    Goal(
        tools.transfer_between_own_accounts,
        slots=(
            SOURCE,
            Slot("target"),
            Slot("amount_cents", withheld=0.4, draw=_dollars(20, 900), says=("{}, please.", "I want to move {}.")),
        ),
        tells=(Tell("target.balance_cents", near=("balance",)),),
        where=lambda source, target: source.row.account_id != target.row.account_id,
    ),
    Goal(
        tools.send_payment,
        slots=(
            SOURCE,
            PAYEE,
            Slot(
                "amount_cents",
                withheld=0.4,
                draw=[*_dollars(15, 700), *_dollars(900, 2600)],
                says=("{}.", "It is {}.", "I want to send {}."),
                same_as=(Same(Transaction, "amount_cents", "the same amount as {it}", tools.get_transaction),),
            ),
            Slot("execute_on", withheld=0.5, draw=_soon_or_today, says=("On {}.", "It should go out on {}.")),
        ),
        tells=(Tell("execute_on"),),
        asks=(
            Ask(
                "How much more could I send today?",
                Tell("left_today_cents", by=tools.get_profile, near=("today", "limit")),
            ),
            Ask("And what will be available in that account then?", BALANCE),
        ),
    ),
    Goal(
        tools.cancel_payment,
        slots=(Slot("payment", says=("I mean {}.", "It is {}.")),),
        tells=(Tell("amount_cents", near=("payment",)),),
        where=lambda payment: payment.row.state == "scheduled",
    ),
    Goal(
        tools.create_standing_order,
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
        tools.end_standing_order,
        slots=(
            Slot("standing_order", says=("It is {}.", "I mean {}.")),
            Slot("last_on", withheld=0.6, draw=_later, says=("{} is the last day.", "On {}.")),
        ),
        tells=(Tell("amount_cents"),),
    ),
    Goal(
        tools.set_card_state,
        name="freeze_card",
        fixed={"state": "frozen"},
        slots=(
            Slot("card", says=("It is {}.",)),
            Slot("reason", withheld=0.6, words={"lost": "I lost it", "precaution": "it's just a precaution"}),
        ),
        tells=(Tell("state"),),
        where=lambda card: card.row.state != "frozen",
    ),
    Goal(
        tools.set_card_state,
        name="activate_card",
        fixed={"state": "active", "reason": "found"},
        slots=(Slot("card", says=("It is {}.",)),),
        tells=(Tell("state"),),
        where=lambda card: card.row.state != "active",
    ),
    Goal(
        tools.set_card_state,
        name="block_card",
        fixed={"state": "blocked", "reason": "stolen"},
        slots=(Slot("card", says=("It is {}.",)),),
        tells=(Tell("state"),),
        where=lambda card: card.row.state != "blocked",
    ),
    Goal(
        tools.dispute_transaction,
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
        tools.add_payee,
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
    Condition(
        Account,
        "available_cents",
        "if there is {value} or more in {it}",
        tools.get_account,
        more="has more money in it right now",
        less="has less money in it right now",
    ),
    Condition(
        Account,
        "balance_cents",
        "if the balance of {it} is at least {value}",
        tools.get_account,
        more="has the higher balance",
        less="has the lower balance",
    ),
)
