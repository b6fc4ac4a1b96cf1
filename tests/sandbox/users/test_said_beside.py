"""What a right proposal says beside the wish gets its yes; the same words turned against the wish get none."""

from __future__ import annotations

import bank
import pytest

from toolgym.sandbox.language.consent import is_yes


@pytest.mark.parametrize(
    ("name", "wish", "right", "wrong"),
    [
        (
            "payments-v2-dev-0-0011",
            1,
            "I'd charge the €180 open on Dalia Reyes's invoice due March 13 to the saved card. Okay?",
            "I'd charge £180 for Dalia Reyes's invoice due March 13 to the saved card. Okay?",
        ),
        (
            "payments-v2-dev-0-0034",
            2,
            "INV-10631 becomes final, and nothing is mailed to anybody. Finalize it?",
            "INV-10631 becomes final and I e-mail it to the customer. Finalize it?",
        ),
        (
            "payments-v2-dev-0-0011",
            3,
            "I'd finalize the Espinoza Hardware draft and send it by e-mail. Right?",
            "I'd finalize the Espinoza Hardware draft, not sending any mail. Right?",
        ),
        (
            "retail_chain-v2-dev-0-0010",
            1,
            "Receive T-3637 with nothing missing, both pieces. OK?",
            "Receive T-3637 with one of the pieces missing. OK?",
        ),
        (
            "budget-v2-dev-0-0017",
            1,
            "Groceries -$73.80, eating out +$73.80. Shall I move it?",
            "Groceries +$73.80, eating out -$73.80. Shall I move it?",
        ),
        (
            "shopping-v2-dev-0-0020",
            1,
            "I'd add the red Sorrel Light running shorts in medium to your cart. OK?",
            "I'd add three of the red Sorrel Light running shorts in medium to your cart. OK?",
        ),
        (
            "trading-v2-dev-0-0011",
            1,
            "I'd raise the limit of the Romsey Software order by $0.50, from $23.25 to $23.75. OK?",
            "I'd raise the limit of the Romsey Software order to $0.50. OK?",
        ),
        (
            "trading-v2-dev-0-0029",
            2,
            "Buying 35 Sutton Networks at market, roughly $508 plus commission. Fine?",
            "Buying 35 Sutton Networks at market, with a 4% commission. Fine?",
        ),
        (
            "trading-v2-dev-0-0048",
            1,
            "Looking at all your open orders, O-90690 is the oldest. I'd cancel that one, okay?",
            "I'd cancel all your open orders, O-90690 being the oldest. Okay?",
        ),
        (
            "marketplace-v2-dev-0-0051",
            1,
            "I'd bid on the Ulmera amplifier in Albuquerque, never going past $90. OK?",
            "I'd bid on the Ulmera amplifier in Albuquerque, never going past $95. OK?",
        ),
    ],
)
def test_what_is_said_beside_a_wish_decides_by_what_it_does(name: str, wish: int, right: str, wrong: str) -> None:
    task = bank.Bank(bank.FOLDER, "tune_18").task({"task": name, "wish": wish})
    assert is_yes(bank.talk(task, [right], "chatty")[-1])
    assert not is_yes(bank.talk(task, [wrong], "chatty")[-1])
