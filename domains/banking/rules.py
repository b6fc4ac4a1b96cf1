"""The bank's rules: each a sentence of the policy, the words of a refusal and a predicate."""

from datetime import date, datetime, time, timedelta
from typing import Literal

from toolgym.domains.banking import tools
from toolgym.domains.banking.schema import Account, Card, Customer, Payee, Transaction
from toolgym.sandbox.kit.world import View, rule

NEW_PAYEE_CENTS = 100_000
_PAYING = (tools.send_payment, tools.transfer_between_own_accounts)
_MONEY = (
    *_PAYING,
    tools.create_standing_order,
    tools.end_standing_order,
    tools.cancel_payment,
    tools.add_payee,
    tools.dispute_transaction,
)


@rule(
    "Payments, standing orders, payees and disputes need the customer's PIN, verified once in the session.",
    why="The PIN has to be verified first.|PIN",
    on=_MONEY,
    reads=[tools.get_profile],
    remedy=tools.verify_pin,
)
def pin_first(owner: View[Customer]) -> bool:
    return owner.row.pin_verified


@rule(
    "A dormant account receives money but pays nothing.",
    why="This account is dormant; it cannot pay.|dormant",
    on=(*_PAYING, tools.create_standing_order),
    reads=[tools.get_account],
)
def dormant(source: View[Account]) -> bool:
    return source.row.status == "open"


@rule(
    "Money leaves an account only as far as its available amount reaches.",
    why="The available balance does not cover this amount.|does not cover|doesn't cover|not enough|insufficient",
    on=_PAYING,
    reads=[tools.get_account],
)
def covered(source: View[Account], amount_cents: int) -> bool:
    return amount_cents <= source.row.available_cents


@rule(
    "The payments of one day stay within the customer's daily limit.",
    why="That is over today's limit.|limit",
    on=[tools.send_payment],
    reads=[tools.get_profile],
)
def daily_limit(owner: View[Customer], amount_cents: int) -> bool:
    return amount_cents <= owner.row.left_today_cents


@rule(
    "A payee added less than 24 hours ago receives at most 1,000 dollars.",
    why="The payee is too new for this amount.|too new|24 hours|1,000|recently",
    on=[tools.send_payment],
    reads=[tools.list_payees],
)
def new_payee(payee: View[Payee], amount_cents: int, now: datetime) -> bool:
    return amount_cents <= NEW_PAYEE_CENTS or now - payee.row.added_at >= timedelta(hours=24)


@rule(
    "After 17:00 and at weekends a payment is dated the next business day or later.",
    why="Today's cut-off has passed.|cut-off|cutoff|business day|after 17:00|after 5|weekend",
    on=[tools.send_payment],
    by="policy",
)
def cut_off(execute_on: date, now: datetime) -> bool:
    return execute_on >= first_business_day(now)


@rule(
    "A transaction can be disputed until 60 days after it was booked.",
    why="The time to dispute this transaction has run out.|60 days|too old|run out|too long ago|expired",
    on=[tools.dispute_transaction],
    reads=[tools.get_transaction],
)
def dispute_window(transaction: View[Transaction], now: datetime) -> bool:
    return now.date() <= transaction.row.disputable_until


@rule(
    "A blocked card is never active again.",
    why="A blocked card stays blocked; the customer needs a new card.|new card|stays blocked|for good|permanently",
    on=[tools.set_card_state],
    reads=[tools.list_cards],
)
def blocked(card: View[Card], state: Literal["active", "frozen", "blocked"]) -> bool:
    return card.row.state != "blocked" or state == "blocked"


def first_business_day(now: datetime) -> date:
    """The first day on which a payment made at this moment may be executed."""
    day = now.date() if now.time() < time(17) else now.date() + timedelta(days=1)
    while day.weekday() > 4:
        day += timedelta(days=1)
    return day
