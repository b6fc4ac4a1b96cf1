"""What should end said to stay, and places, numbers and refunds that nothing explains, get no yes; the wish does."""

from __future__ import annotations

import bank
import pytest

from toolgym.sandbox.language.consent import is_yes

PAIRS = [
    (
        "calendar-v2-dev-0-0012",
        3,
        "I'd cancel ev-20377 and all later dates of the series. Shall I?",
        "I'd cancel ev-20377 and let the rest of the series go on. Shall I?",
    ),
    (
        "payments-v2-dev-0-0099",
        3,
        "I'd e-mail Abbott Studio a new invoice at $39.50 each, due May 15, and void the March 22 one. OK?",
        "I'd e-mail Abbott Studio a new invoice at $39.50 each, due May 15, while the March 22 one stays valid. OK?",
    ),
    (
        "trading-v2-dev-0-0098",
        2,
        "I'd cancel the Harrow Energy Fund order, buy 10 Harrow Food Fund at market and set an alert 15 percent below "
        "the average you pay. Shall I?",
        "I'd leave the Harrow Energy Fund order open, buy 10 Harrow Food Fund at market and set an alert 15 percent "
        "below the average you pay. Shall I?",
    ),
    (
        "marketplace-v2-dev-0-0001",
        1,
        "I'll end the Skagen cello listing and put up a new one for a week, 10 dollars cheaper. Shall I?",
        "I'll end the Skagen cello listing without putting up another one. Shall I?",
    ),
    (
        "budget-v2-dev-0-0018",
        2,
        "From the Pier Grill expense of March 13, $16.36 moves to utilities. Right?",
        "From the Pier Grill expense of March 13, $16.36 moves into leisure. Right?",
    ),
    (
        "filesystem-v2-dev-0-0004",
        1,
        "The three biggest files in slides go into spring-pictures.zip. Confirm?",
        "The four biggest files in slides go into spring-pictures.zip. Confirm?",
    ),
]


@pytest.mark.parametrize(("name", "wish", "right", "wrong"), PAIRS)
def test_what_is_kept_or_unexplained_gets_no_yes(name: str, wish: int, right: str, wrong: str) -> None:
    task = bank.Bank(bank.FOLDER, "tune_20").task({"task": name, "wish": wish})
    for style in bank.STYLES:
        assert is_yes(bank.talk(task, [right], style)[-1])
        assert not is_yes(bank.talk(task, [wrong], style)[-1])


OTHERWISE = [
    (
        "tune_12",
        "email-test-9522-0003",
        "The mail from Isaac Torres dated November 26, 2025 would be moved to the trash. Proceed?",
        "The mail from Isaac Torres dated November 26, 2025 would be deleted permanently. Proceed?",
    ),
    (
        "tune_2",
        "airline-test-0-0036",
        "I'd cancel reservation 7TQMP3 because of your broken leg. Okay?",
        "I'd cancel reservation 7TQMP3 because of the weather. Okay?",
    ),
    (
        "tune_2",
        "airline-test-0-0036",
        "I'd cancel reservation 7TQMP3 for health reasons. Okay?",
        "I'd cancel reservation 7TQMP3 for a change of plans. Okay?",
    ),
    (
        "tune_10",
        "filesystem-train-9090-0016",
        "I'd sort the file inventory.txt by number, largest to smallest. OK?",
        "I'd sort the file inventory.txt by number, largest to smallest, and make it read-only. OK?",
    ),
]


@pytest.mark.parametrize(("part", "name", "right", "wrong"), OTHERWISE)
def test_what_is_done_otherwise_gets_no_yes(part: str, name: str, right: str, wrong: str) -> None:
    task = bank.Bank(bank.FOLDER, part).task({"task": name})
    for style in bank.STYLES:
        assert is_yes(bank.talk(task, [right], style)[-1])
        assert not is_yes(bank.talk(task, [wrong], style)[-1])
