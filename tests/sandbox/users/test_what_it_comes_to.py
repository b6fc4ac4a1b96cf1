"""What a proposal says of what comes of the right calls gets a yes; the same turned round gets none."""

from __future__ import annotations

import bank
import pytest

from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.language.consent import is_yes
from toolgym.sandbox.language.reports import is_report

COMES_TO = [
    (
        "shopping-v2-dev-0-0003",
        1,
        "I'd put the Nordlys sleeping bag by Villa Serra in your cart, quantity 1. OK?",
        "I'd put the Nordlys sleeping bag by Villa Serra in your cart, quantity 2. OK?",
    ),
    (
        "shopping-v2-dev-0-0003",
        1,
        "I'd put the cheapest sleeping bag rated 4.5 or better in your cart, the Nordlys with its 4.6 stars. OK?",
        "I'd put the cheapest sleeping bag rated 4.6 or better in your cart. OK?",
    ),
    (
        "marketplace-v2-dev-0-0014",
        2,
        "I'd bid up to $150 on the Valdez camera lens in San Diego, which stands at $108.74 now. OK?",
        "I'd bid up to $108.74 on the Valdez camera lens in San Diego. OK?",
    ),
    (
        "filesystem-v2-dev-0-0004",
        2,
        "The group gets write permission for import-440.log. OK?",
        "The others get write permission for import-440.log. OK?",
    ),
    (
        "shopping-v2-dev-0-0092",
        1,
        "I'd put the Xenia kettle on your list for later. OK?",
        "I'd put the Xenia kettle into another cart. OK?",
    ),
    (
        "budget-v2-dev-0-0018",
        3,
        "I'd move $29.70 over, so health's limit falls by $29.70 and travel's grows by $29.70. OK?",
        "I'd move $29.70 over, so travel's limit falls by $29.70 and health's grows by $29.70. OK?",
    ),
    (
        "email-v2-dev-0-0039",
        3,
        "I'd reply to Yasmin Carver's mail of January 29 that March 23 at 1:30 pm suits you. OK?",
        "I'd reply to Ivan Hughes that March 23 at 1:30 pm suits you. OK?",
    ),
    (
        "retail_chain-v2-dev-0-0090",
        1,
        "I'd transfer 2 of the Falcon raincoat, small and grey, from Portland to Portland Market. OK?",
        "I'd transfer 2 of the Falcon raincoat, small and grey, from Portland Market to Portland. OK?",
    ),
    (
        "calendar-v2-dev-0-0006",
        1,
        "I'd change the length of your Budget interview on March 18 from 45 minutes to 75. OK?",
        "I'd change the length of your Budget interview on March 18 from 75 minutes to 45. OK?",
    ),
    (
        "calendar-v2-dev-0-0012",
        3,
        "I'd cancel ev-20377 and all later dates of the series; the earlier ones stay. OK?",
        "I'd cancel ev-20377 and all earlier dates of the series; the later ones stay. OK?",
    ),
    (
        "payments-v2-dev-0-0099",
        3,
        "I'd create an invoice for Abbott Studio "
        "with the delivery fee at $39.50, due May 15, e-mail it and void INV-11437."
        " OK?",
        "I'd create an invoice for Abbott Studio "
        "with the delivery fee at $39.50 and a late fee, due May 15, e-mail it and"
        " void INV-11437. OK?",
    ),
    (
        "marketplace-v2-dev-0-0040",
        1,
        "I'd make an offer of 108 dollars for the Ravenna leather jacket. OK?",
        "I'd make an offer of 118 dollars for the Ravenna leather jacket. OK?",
    ),
    (
        "trading-v2-dev-0-0098",
        1,
        "Two orders at the market: sell all of your Trevor Farms holding, then buy 110 of Pickford Solar. OK?",
        "Two orders at the market: sell all of your Trevor Farms holding, then buy 101 of Pickford Solar. OK?",
    ),
    (
        "shopping-v2-dev-0-0063",
        1,
        "I'd cancel the order of March 10 (Rhea headphones and three other items), as you thought better of it. OK?",
        "I'd cancel the order of March 10 and the other orders, as you thought better of it. OK?",
    ),
    (
        "budget-v2-dev-0-0091",
        1,
        "I'd un-pause the weekly Lumen Energy bill. OK?",
        "I'd pause the weekly Lumen Energy bill. OK?",
    ),
    (
        "email-v2-dev-0-0039",
        2,
        "I'd set the reply from March 12 to 20, naming renata.silva@larkfield.example, "
        "for people inside the company only."
        " OK?",
        "I'd set the reply from March 12 to 20, naming renata.silva@larkfield.example, "
        "for people outside the company only."
        " OK?",
    ),
]  # fmt: skip


@pytest.fixture(scope="module")
def tasks() -> bank.Bank:
    return bank.Bank(bank.FOLDER, "tune_20")


def _says(task: Task, text: str) -> bool:
    return is_yes(bank.talk(task, [text], "terse")[-1])


@pytest.mark.parametrize(("task", "wish", "right", "wrong"), COMES_TO)
def test_only_what_comes_of_it_gets_a_yes(tasks: bank.Bank, task: str, wish: int, right: str, wrong: str) -> None:
    goals = tasks.task({"task": task, "wish": wish})
    assert _says(goals, right)
    assert not _says(goals, wrong)


def test_what_is_open_after_a_change_is_a_report_and_after_an_end_none() -> None:
    told = [("the limit is $130.07 as of now; the order is still open.", "tell")]
    assert is_report(told, frozenset(("changed",)), frozenset(), confirmed=True)
    assert not is_report(told, frozenset(("cancelled",)), frozenset(), confirmed=True)
