"""What a message only tells of how things are keeps no right proposal from its yes; the same, proposed, gets none."""

from __future__ import annotations

from functools import cache

import bank
import pytest

from toolgym.sandbox.kit.message import STOP
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.language.consent import is_yes
from toolgym.sandbox.runtime.registry import get_domain


@cache
def published(name: str) -> Task:
    """A published task by its id, such as `retail-train-0-0497` or `budget-v2-train-0-0104`."""
    world, _, rest = name.partition("-")
    data = "v2" if rest.startswith("v2-") else "own"
    split = rest.removeprefix("v2-").split("-")[0]
    return next(task for task in get_domain(world).tasks(split, data=data) if task.id == name)


@pytest.mark.parametrize(
    ("name", "wish", "right", "wrong"),
    [
        pytest.param(
            "telecom-train-0-0097",
            1,
            "You have used 1.9 GB of 10 GB. The cycle ends on February 28. Adding 1 GB costs $4.50. Shall I add it?",
            "You have used 1.9 GB of 10 GB. Adding 10 GB costs $45. Shall I add it?",
            id="how much was used, and until when",
        ),
        pytest.param(
            "retail-train-0-0741",
            1,
            "I'm going to change your default address to 972 Clearwater Road, Apt 3, Providence, RI 02962, USA "
            "(currently: 786 Poplar Drive, Suite 757, Indianapolis, IN 46242). Is that right, and shall I go ahead?",
            "I'm going to change your default address to 786 Poplar Drive, Suite 757, Indianapolis, IN 46242 "
            "(currently: 972 Clearwater Road, Apt 3, Providence, RI 02962, USA). Is that right, and shall I go ahead?",
            id="what was before, in brackets",
        ),
        pytest.param(
            "retail-train-0-0497",
            1,
            "- New payment: PayPal, $535.99\n- Refund: $535.99 to your Mastercard ending in 5259\n\n"
            "Shall I make the switch for order #W1789807?",
            "- New payment: Mastercard ending in 5259\n- Refund: $535.99 to PayPal\n\n"
            "Shall I make the switch for order #W1789807?",
            id="where the old payment goes",
        ),
        pytest.param(
            "budget-v2-train-0-0104",
            1,
            "No problem, I'll leave Starlight Streaming as it is. For Summit Outdoor on February 23 I have one expense "
            "of $193.85. Shall I delete it?",
            "No problem, I'll leave Summit Outdoor as it is. For Starlight Streaming I have one expense. "
            "Shall I delete it?",
            id="what is left alone",
        ),
        pytest.param(
            "airline-train-0-1571",
            1,
            "On May 18 there are two direct flights:\n\n1. GYM146, 9:50 am: $156\n2. GYM293, 8:40 am: $164\n\n"
            "The cheapest is GYM146. I'd move the outbound flight of WSW42H to it; the difference goes on your "
            "Mastercard ending in 0802. Proceed?",
            "On May 18 there are two direct flights:\n\n1. GYM146, 9:50 am: $156\n2. GYM293, 8:40 am: $164\n\n"
            "I'd move the outbound flight of WSW42H to GYM293; the difference goes on your Mastercard ending in 0802. "
            "Proceed?",
            id="what there is to choose from",
        ),
        pytest.param(
            "payments-v2-train-0-0748",
            2,
            "INV-11397 of Hayes Design, due December 4, 2025, was paid by card ($1,697.00, of which $424.25 has been "
            'refunded already). I\'d refund $77.50, as the customer requested, note "site inspection". Shall I?',
            "INV-11397 of Hayes Design, due December 4, 2025, was paid by card ($77.50 of it has been refunded "
            'already). I\'d refund $1,697.00, as the customer requested, note "site inspection". Shall I?',
            id="what was paid",
        ),
        pytest.param(
            "shopping-v2-train-0-1742",
            2,
            "I'll add 1 black Nimbus wool sweater in large to your cart, where there are also two blue mediums. Right?",
            "I'll add 1 black Nimbus wool sweater in large to your cart, where there is also a fee of $20. Right?",
            id="what lies there already",
        ),
    ],
)
def test_what_is_only_told_is_no_part_of_a_proposal(name: str, wish: int, right: str, wrong: str) -> None:
    task = published(name)
    task = task.model_copy(update={"goals": [each.revised_to or each for each in task.goals[wish - 1 :]]})
    for style in bank.STYLES:
        assert is_yes(bank.talk(task, [right], style)[-1]), (style, bank.talk(task, [right], style)[-1])
        assert not is_yes(bank.talk(task, [wrong], style)[-1]), (style, bank.talk(task, [wrong], style)[-1])


def test_what_is_expressly_not_meant_is_no_other_thing() -> None:
    task = published("retail_chain-v2-train-0-1823")
    line = (
        "I'd hold 1 Harbor hoodie, black, medium, at {} for Renata Herrera, phone ending in 5135, until March 16. OK?"
    )
    right, wrong = (
        bank.talk(task, [line.format(store)], "terse")[-1]
        for store in ("Philadelphia, not Philadelphia Market", "Philadelphia Market, not Philadelphia")
    )
    assert is_yes(right) and not is_yes(wrong)


def test_what_was_done_without_asking_is_done() -> None:
    task = published("payments-v2-train-0-0615")
    task = task.model_copy(update={"goals": (task.goals[0].revised_to or task.goals[0],)})
    line = 'INV-10996 (Khan Books, $128.20, due March 17) is now {}, with "wrong amount" as the reason. Anything else?'
    assert bank.talk(task, [line.format("void")], "terse")[-1].endswith(STOP)
    assert not bank.talk(task, [line.format("paid")], "terse")[-1].endswith(STOP)


def test_a_commission_of_the_tools_own_percentage_is_no_fee() -> None:
    task = published("trading-v2-train-0-1441")
    line = (
        "I'd sell a third of your Redfern Foods at market: about $4,047.60, less a commission of about $4.05 ({}). OK?"
    )
    assert is_yes(bank.talk(task, [line.format("0.1 %")], "terse")[-1])
    assert not is_yes(bank.talk(task, [line.format("0.5 %")], "terse")[-1])


def test_a_seller_with_more_than_the_wish_asks_for_contradicts_nothing() -> None:
    task = published("marketplace-v2-train-0-1588")
    line = "Bought: the Dunmore teapot from fiona_48 ({} %) for $26.00 plus $8.95 postage. Anything else?"
    yes = "I'd buy a teapot at a fixed price, the cheapest that a member with 95 percent or more sells. OK?"
    more, less = (bank.talk(task, [yes, line.format(percent)], "terse")[-1] for percent in (97, 91))
    assert task.goals[1].utterance in more and task.goals[1].utterance not in less
