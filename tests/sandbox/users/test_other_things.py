"""What a proposal names beside the wish: another thing of the order, another amount, an act of no world."""

from __future__ import annotations

import bank
import pytest

from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.language.consent import is_yes
from toolgym.sandbox.runtime.registry import get_domain


def wish(world: str, identifier: str, place: int = 0) -> Task:
    task = get_domain(world).task(identifier)
    return task.model_copy(update={"goals": task.goals[place:]})


RETURN = wish("retail", "retail-v2-dev-0-0061", 1)
"""The Throw Blanket and the Saucepan of an order that holds Sandals too."""
REFUND = wish("payments", "payments-v2-dev-0-0019")
"""$55 of a payment."""
CANCEL = wish("retail", "retail-v2-dev-0-0006")


@pytest.mark.parametrize(
    ("task", "says", "agrees"),
    [
        (RETURN, "I'd return the Sandals and the Saucepan of order #W3359205 to your gift card. OK?", False),
        (RETURN, "I'd return the Throw Blanket and the Saucepan of #W3359205; the Sandals stay. OK?", True),
        (REFUND, "I would refund $550.00 of the payment for Bowen Legal. Shall I?", False),
        (REFUND, "I would refund $55.00 of the payment for Bowen Legal. Shall I?", True),
        (CANCEL, "I will wipe your whole history and bill you $1,200. Shall I go ahead?", False),
        (CANCEL, "I would now undo everything that you have ever set up here, yes?", False),
        (CANCEL, "I will transfer $900 to myself. Shall I?", False),
        (CANCEL, "I'll cancel the order with the Board Game. Shall I?", True),
        (wish("trading", "trading-v2-dev-0-0080", 2), "I'd raise the quantity to 18. Confirm?", True),
    ],
)
def test_only_the_wish_is_agreed_to(task: Task, says: str, agrees: bool) -> None:
    assert is_yes(bank.talk(task, [says], "terse")[-1]) is agrees
