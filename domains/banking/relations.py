"""How one thing of the bank's customers leads to another, in words."""

from toolgym.domains.banking.schema import Card, Payment, StandingOrder, Transaction
from toolgym.sandbox.kit.goal import Relation

_ON_DAY = "the charge from {merchant} on {account_id} that was booked on {it}"
_AT_SHOP = "the charge of {booked_on} on {account_id} that went to {it}"
_ONLY = "the only charge on {account_id} that was booked on {it}"
_LATEST = "the latest charge on {account_id} that went to {it}"
_PAYMENT, _ORDER = "the only scheduled payment", "the only standing order"
RELATIONS = (
    Relation(Card, "account_id", "the account of {it}", only="the only card of {it}"),
    Relation(Transaction, "account_id", "the account that {it} was booked on", "on {it}"),
    Relation(Transaction, "card_id", "the card that was used for {it}"),
    Relation(Transaction, "merchant", "the merchant of {it}", _AT_SHOP, first=_LATEST),
    Relation(Transaction, "booked_on", "the day of {it}", _ON_DAY, _ONLY),
    Relation(Transaction, "disputable_until", "the last day to dispute {it}"),
    Relation(
        Payment,
        "account_id",
        "the account behind {it}",
        "from {it}",
        f"{_PAYMENT} from {{it}}",
        "the next payment scheduled from {it}",
    ),
    Relation(
        Payment, "payee_id", "the payee of {it}", "", f"{_PAYMENT} to {{it}}", "the next payment scheduled to {it}"
    ),
    Relation(Payment, "execute_on"),
    Relation(
        StandingOrder,
        "account_id",
        "the account behind {it}",
        "from {it}",
        f"{_ORDER} from {{it}}",
        "the standing order that is due next from {it}",
    ),
    Relation(
        StandingOrder,
        "payee_id",
        "the payee of {it}",
        "",
        f"{_ORDER} for {{it}}",
        "the standing order that is due next for {it}",
    ),
    Relation(StandingOrder, "next_on"),
)
