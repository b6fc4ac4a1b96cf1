"""A row named in part is the one meant where its words fit no other as well; another one's name or thing is not."""

import bank
import pytest

from toolgym.sandbox.language.consent import is_yes

TASKS = bank.Bank(bank.FOLDER, "tune_6")


def replies(task: str, says: str) -> list[str]:
    row = {"task": task, "says": says}
    return [bank.talk(TASKS.task(row), [says], style)[-1] for style in bank.STYLES]


@pytest.mark.parametrize(
    ("task", "right", "wrong"),
    [
        (
            "shopping-fresh-0037",
            "The desk lamp from Korva goes back into your cart. Shall I?",
            "The desk chair from Korva goes back into your cart. Shall I?",
        ),
        (
            "marketplace-fresh-0009",
            "I mark the violin you sold to mb-548 as shipped with Swiftpost, PX76944. Good?",
            "I mark the Fenwick cello as shipped with Swiftpost, PX76944. Good?",
        ),
        (
            "shopping-fresh-0035",
            "The same Mistral tent again by standard delivery to 855 Thistle Lane, paid by the Amex 2192. Order it?",
            "The same Mistral tent again by standard delivery to 693 Bluebell Way, paid by the Amex 2192. Order it?",
        ),
        (
            "filesystem-fresh-0024",
            "I sort the Rossi offer from A to Z. Good?",
            "I sort the Ashgrove contract from A to Z. Good?",
        ),
    ],
)
def test_words_that_fit_one_row_best_name_it(task: str, right: str, wrong: str) -> None:
    assert [each for each in replies(task, right) if not is_yes(each)] == []
    assert [each for each in replies(task, wrong) if is_yes(each)] == []


@pytest.mark.parametrize(
    ("task", "right", "wrong"),
    [
        (
            "telecom-fresh-0068",
            "I'd get 617-555-0107 running again today. Yes?",
            "I'd put 617-555-0107 on ice today. Yes?",
        ),
        (
            "airline-fresh-0065",
            "Reservation MTLXH4 would no longer exist after this. Go through with it?",
            "Reservation MTLXH4 would be on hold after this. Go through with it?",
        ),
        (
            "banking-fresh-0061",
            "Card K-135 can be used again from now on, as you found it. Agreed?",
            "Card K-135 would be out of use from now on, as you found it. Agreed?",
        ),
        (
            "email-fresh-0016",
            "Aaliyah Farouk's mail about the website redesign of December 20 goes to the archive. Fine?",
            "Aaliyah Farouk's mail about the website redesign of December 20 goes to the trash. Fine?",
        ),
    ],
)
def test_what_comes_of_an_action_names_it(task: str, right: str, wrong: str) -> None:
    assert [each for each in replies(task, right) if not is_yes(each)] == []
    assert [each for each in replies(task, wrong) if is_yes(each)] == []


def test_an_act_that_nobody_asked_for_is_no_report() -> None:
    row = {"task": "trading-fresh-0048"}
    asked = "Set an alert for Ransome Farms above $85?"
    for says, is_over in (("I have set the alert.", True), ("I have closed your account.", False)):
        assert bank.goes_on(TASKS.task(row), bank.talk(TASKS.task(row), [asked, says], "terse")[-1]) is is_over
