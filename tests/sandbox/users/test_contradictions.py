"""A proposal that turns a wish round with no other name or amount gets no yes; the same said rightly does."""

from __future__ import annotations

import bank
import pytest

from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.language.consent import is_yes

ROUND = [
    (
        "calendar-train-9311-0003",
        "I'd make the Partners stand-up on April 6 last 20 minutes. OK?",
        "I'd make the Partners stand-up on April 6 last 20 minutes longer. OK?",
    ),
    (
        "filesystem-train-9311-0007",
        "I'd delete the file inventory.txt in lists. OK?",
        "I'd delete the folder lists, with the file inventory.txt in it. OK?",
    ),
    (
        "trading-train-9311-0001",
        "I'd raise the limit of your order for 20 Holbeck Freight shares by $0.10. OK?",
        "I'd move the limit of your order for 20 Holbeck Freight shares, ten cents down. OK?",
    ),
    (
        "filesystem-train-9090-0016",
        "I'd sort the file inventory.txt by number, largest to smallest. OK?",
        "I'd sort the file inventory.txt by number, in ascending order. OK?",
    ),
    (
        "filesystem-train-9090-0016",
        "I'd sort the lines of inventory.txt by number, descending. OK?",
        "I'd sort the lines of inventory.txt alphabetically, descending. OK?",
    ),
    (
        "filesystem-train-9090-0001",
        "I'll create the folder open-plans in the folder slides. Go ahead?",
        "I'll create the folder open-planes in the folder slides. Go ahead?",
    ),
    (
        "email-train-9090-0038",
        "I'd schedule the draft to Clara Novak for March 17 at 3 pm. Shall I?",
        "I'd schedule the draft to Clara Novak for March 17. Shall I?",
    ),
    (
        "shopping-train-9090-0055",
        'I\'d post a review of the Isla coffee grinder with 3 stars: "Sturdy, but overpriced." OK?',
        'I\'d post a review of the Isla coffee grinder with 3 stars: "Weak and overpriced." OK?',
    ),
    (
        "shopping-train-9090-0016",
        "I'd place the order: cabin address, express, the card that ends in 1188, wedding wishes to Priya. OK?",
        "I'd place the order: cabin address, express, the card that ends in 1188, without a gift note. OK?",
    ),
    (
        "retail_chain-train-9090-0015",
        "I'd receive transfer T-3471, the Tidal dress, with 2 pieces missing. OK?",
        "I'd receive transfer T-3471, the Tidal dress, with 2 pieces received. OK?",
    ),
    (
        "trading-train-9090-0006",
        "I'd sell all of your transport holding and buy 30 Elstow Rail at the market. OK?",
        "I'd sell 30 Elstow Rail at the market and put it all into your transport holding. OK?",
    ),
    (
        "payments-train-9090-0008",
        "I'd replace INV-11350 by the same at $553.50 each, due April 27, e-mail it and void the old one. OK?",
        "I'd replace INV-11350 by three standing desks at $553.50 each, due April 27, e-mail it, void the old. OK?",
    ),
]


def _task(name: str) -> Task:
    return bank.Bank(bank.FOLDER, "tune_10").task({"task": name})


def _is_agreed(name: str, says: str) -> list[bool]:
    return [is_yes(bank.talk(_task(name), [says], style)[-1]) for style in bank.STYLES]


@pytest.mark.parametrize(("name", "right", "wrong"), ROUND)
def test_the_other_way_round_gets_no_yes(name: str, right: str, wrong: str) -> None:
    assert (_is_agreed(name, right), _is_agreed(name, wrong)) == ([True, True], [False, False])


def test_what_waits_for_a_condition_is_no_yes() -> None:
    assert not is_yes("The blanket has been collected. But please do that only if nine of them are free.")
    assert is_yes("Sounds right. Please do that.")
