"""How a wish ends: a report counts with another offer after it, a refusal is no success, what was told is told."""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path

import bank

from toolgym import domains
from toolgym.sandbox.kit.message import STOP
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.language.consent import is_yes
from toolgym.sandbox.language.nlg_templates import is_act


@cache
def train(name: str) -> Task:
    """A published task to train on, by its name."""
    path = Path(domains.__file__).parent / name.split("-")[0] / "splits" / "v2" / "train.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return Task(**next(json.loads(line) for line in lines if f'"{name}"' in line))


def talk(name: str, wish: int, *lines: str, alone: bool = True) -> list[str]:
    """The user's replies to some lines, from one of its wishes on or of that wish alone."""
    task = train(name)
    goals = task.goals[wish - 1 : wish if alone else None]
    return bank.talk(task.model_copy(update={"goals": goals}), lines, "chatty")


COUPON = "I'd take the coupon off your cart. OK?"
COUPON_OFF = "The coupon is off your cart, which comes to $197.90 now. Would you like to check out?"
CARDIGAN = "I'd request 4 Fjord cardigans, medium, black, from Syracuse Depot for your store. OK?"
RENAME = "I'd rename import-430.log in downloads to import-193.log. OK?"


def test_a_report_with_another_offer_after_it_ends_the_wish_and_the_offer_is_declined() -> None:
    *_, reply = talk("shopping-v2-train-0-0004", 1, COUPON, COUPON_OFF)
    assert STOP in reply
    assert reply.startswith("No")


def test_an_offer_is_declined_before_the_next_wish_so_that_praise_is_no_yes() -> None:
    *_, reply = talk("shopping-v2-train-0-0004", 1, COUPON, COUPON_OFF, alone=False)
    assert "slippers" in reply
    assert reply.startswith("No")


def test_a_number_is_told_where_a_count_stands_beside_it() -> None:
    *_, reply = talk("retail_chain-v2-train-0-0003", 2, CARDIGAN, "Requested: T-3628, 4 × Fjord cardigan. Next?")
    assert STOP in reply


def test_who_hears_that_it_is_done_does_not_ask_why_it_was_refused() -> None:
    *_, reply = talk("filesystem-v2-train-0-0008", 1, RENAME, "Renamed: it is called import-193.log now. What's next?")
    assert STOP in reply


def test_a_refusal_is_accepted_and_no_success() -> None:
    refusal = "Sorry, that can't be done: there is an import-193.log already. Anything else?"
    *_, reply = talk("filesystem-v2-train-0-0008", 1, RENAME, refusal)
    assert any(is_act(part, "accept") for part in reply.replace("! ", "!|").replace(". ", ".|").split("|"))


def test_a_wish_told_as_so_with_a_question_for_more_is_made_sure_of() -> None:
    *_, reply = talk(
        "shopping-v2-train-0-0595", 2, "The beige Isla Light mug is in your cart. Do you need anything else?"
    )
    assert reply.endswith("now?")


def test_a_second_choice_is_named_where_it_is_asked_for_in_two_sentences() -> None:
    refusal = "I'm sorry, I can't do that: only its owner can. You mentioned there is something else you'd settle for."
    *_, reply = talk("filesystem-v2-train-0-1595", 1, f"{refusal} What is it?")
    assert "mpty my trash" in reply


def test_an_amount_that_others_come_to_is_told() -> None:
    sold = "Sold: 17 Oakham Bakeries at $57.94, $984.98, less $1.00 commission, so $983.98 net. Anything else?"
    *_, reply = talk("trading-v2-train-0-0559", 1, "17 Oakham Bakeries at market: sell them?", sold)
    assert STOP in reply


def test_a_question_that_the_report_has_answered_is_not_put() -> None:
    offer = (
        "The Wristwatch with quartz movement and silicone strap and the Hoodie in grey, both from order #W3428915, "
        "with the $78.18 difference on the card ending in 1147. Shall I exchange them?"
    )
    done = "The exchange is requested, Andre. $78.18 goes on your Visa. Is there anything else?"
    *_, agreed, reply = talk("retail-v2-train-0-1439", 1, offer, done, alone=False)
    assert is_yes(agreed)
    assert "How much" not in reply
    assert "Blender" in reply
