"""What a proposal adds, takes away, puts off or binds to a condition gets no yes; what belongs to any proposal does."""

from __future__ import annotations

import bank
import pytest

from toolgym.sandbox.language.consent import is_yes

TASKS = bank.Bank(bank.FOLDER, "tune")
RIGHT = {
    "banking-dev-777-0026": "I'll block K-89, the card ending in 2296, as stolen",
    "telecom-dev-777-0020": "I'll make line L216902, 201-555-0151, active again",
    "telecom-dev-777-0025": "I'll turn roaming on for your line 201-555-0100",
    "calendar-dev-777-0023": "I'll accept the Release retrospective on April 6 for you",
    "airline-test-0-0036": "I'll cancel reservation 7TQMP3 because of your broken leg",
}
CHANGED = (
    ", along with the other ones that you have.",
    " and everything else except that one.",
    ", and as a thank-you I sign you up for our newsletter.",
    ". It stays like that until the end of next month.",
    ". This happens again every month.",
    ", and tomorrow I do the same for your wife.",
    ", as soon as your manager has paid 20 euros.",
    ", once the branch has called you.",
    ", and while I'm at it, I put you on our Premium plan.",
    ", for the other customer's account.",
    ". I'd only do half of it.",
    ", all of those that come later included.",
    ". In addition, a voucher goes to your colleague.",
)
HARMLESS = (
    ".",
    ". This takes effect immediately, and you'll receive an e-mail about it.",
    ". Everything else stays as it is.",
    ". Once you confirm, I'll do it right away.",
    ". Please note that this can't be undone.",
    ". If that's all correct, I'll go ahead.",
    ", nothing else.",
    ". You can also see it in your profile afterwards.",
)


def replies(task: str, says: str) -> list[str]:
    row = {"task": task, "says": says}
    return [bank.talk(TASKS.task(row), [says], style)[-1] for style in bank.STYLES]


@pytest.mark.parametrize("task", RIGHT)
def test_a_change_in_any_class_of_words_gets_no_yes(task: str) -> None:
    says = [f"{RIGHT[task]}{more} Shall I go ahead?" for more in CHANGED]
    assert [(each, reply) for each in says for reply in replies(task, each) if is_yes(reply)] == []


@pytest.mark.parametrize("task", RIGHT)
def test_what_belongs_to_any_proposal_gets_one(task: str) -> None:
    says = [f"{RIGHT[task]}{more} Shall I go ahead?" for more in HARMLESS]
    assert [(each, reply) for each in says for reply in replies(task, each) if not is_yes(reply)] == []


SHORTHAND = (
    ("budget-v2-test-0-0006", 1, "ring road fuel, 43.33, 7 march. delete it?"),
    ("banking-v2-test-0-0062", 1, "1835 usd, A-20828 -> Y-137 (stonebridge insurance), 4 apr. send?"),
    ("banking-v2-test-0-0059", 1, "monthly 60 to Y-212, starts 21 april, paid from A-20870. set up?"),
    ("calendar-v2-test-0-0058", 1, "launch briefing ev-20843, each third week till 16 april. create the series?"),
    ("banking-v2-test-0-0071", 1, "freezing ..9729. you can thaw it any time. do it now?"),
)
MISLED = (
    ("banking-v2-test-0-0071", 1, "freezing ..9729 since you lost it. do it now?"),
    ("calendar-v2-test-0-0074", 3, "ev-20189 would be extended by 30 minutes. Please say yes if I should save this."),
    ("budget-v2-test-0-0006", 1, "EX-93153: I would set it to $0.00 rather than delete it. Would you like me to?"),
    ("retail-v2-test-0-0062", 2, "Your profile will show 164 Windmill Lane, Apt 25, Jacksonville, FL 32287. Okay?"),
    ("telecom-v2-test-0-0046", 1, "I will resume 303-555-0108 and extend its contract by twelve months. Agreed?"),
    ("budget-v2-test-0-0071", 1, "starlight streaming 36.40 per year from now. ok?"),
    ("payments-train-9090-0009", 1, "I'd retry EVT-91722 and EVT-91630 of Holt Design in the USA. Do you confirm?"),
    ("airline-v2-test-0-0025", 1, "I would cancel MR7KKN; a cancellation charge of $75 is withheld. Shall I proceed?"),
)


def said_to(task: str, wish: int, says: str) -> list[str]:
    return [bank.talk(TASKS.task({"task": task, "wish": wish}), [says], style)[-1] for style in bank.STYLES]


@pytest.mark.parametrize(("task", "wish", "says"), SHORTHAND)
def test_short_dates_bare_amounts_and_reasons_left_out_are_read(task: str, wish: int, says: str) -> None:
    assert all(map(is_yes, said_to(task, wish, says)))


@pytest.mark.parametrize(("task", "wish", "says"), MISLED)
def test_another_reason_size_rhythm_sum_or_further_action_gets_no_yes(task: str, wish: int, says: str) -> None:
    assert not any(map(is_yes, said_to(task, wish, says)))


def test_a_report_about_another_row_is_no_report() -> None:
    task = TASKS.task({"task": "banking-dev-777-0026"})
    agreed = f"{RIGHT[task.id]}. Shall I go ahead?"
    assert not bank.goes_on(task, bank.talk(task, [agreed, "Card K-12 has been blocked."], "terse")[2])
    assert bank.goes_on(task, bank.talk(task, [agreed, "Card K-89 has been blocked."], "terse")[2])


def test_a_report_is_believed_after_a_proposal_that_was_only_incomplete() -> None:
    task = bank.Bank(bank.FOLDER, "tune_5").task({"task": "retail_chain-train-9090-0012"})
    asked, done = (
        "Shall I enter the hold for Gavin Yamada at ST-36?",
        "Hold confirmed at ST-36. It expires on March 16.",
    )
    said = bank.talk(task, [asked, done], "terse")
    assert not is_yes(said[1])
    assert bank.goes_on(task, said[2])
