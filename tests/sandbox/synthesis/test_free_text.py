"""Composed text is right in any wording that mentions what it must, and wrong without."""

from datetime import date, timedelta

import pytest

from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.generator import Generator
from toolgym.sandbox.synthesis.proof.end_state import ends_right


@pytest.fixture(scope="module")
def dispute() -> Task:
    tasks = Generator(get_domain("banking"), 1).tasks(400)
    return next(task for task in tasks if task.mentions and task.family == "granted")


def ends_with(task: Task, statement: str) -> bool:
    with Session(task.domain, task=task) as session:
        for call in task.gold:
            assert isinstance(call.arguments, dict)
            changed = {"statement": statement} if "statement" in call.arguments else {}
            assert session.call(call.name, {**call.arguments, **changed}).ok
        return ends_right(task, session.diff(), session.new_ids)


def test_a_statement_must_mention_the_shop_and_the_day(dispute: Task) -> None:
    shop, day = (text.split("|") for text in dispute.mentions["transactions.statement"])
    assert dispute.free == ("transactions.statement",)
    assert all(ends_with(dispute, f"The customer contests a charge by {shop[0]} dated {other}.") for other in day)
    assert not ends_with(dispute, f"The customer contests a charge by {shop[0]}.")
    assert not ends_with(dispute, f"Something is wrong, {day[0]}.")


SPELLINGS = (
    "{0:%B} {0.day}", "{0:%B} {0.day}{1}", "{0:%A}, {0:%B} {0.day}", "{0:%b}. {0.day}", "{0.day} {0:%b}",
    "{0.day}{1} of {0:%B}", "the {0.day}{1} of {0:%B}", "{0.month}/{0.day}", "{0.month}/{0.day}/{0.year}",
    "{0:%B} {0.day}, {0.year}", "{0:%d.%m.%Y}",
)  # fmt: skip


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_the_day_may_be_spelt_in_any_usual_way(dispute: Task, spelling: str) -> None:
    shop, day = (text.split("|") for text in dispute.mentions["transactions.statement"])
    right = date.fromisoformat(day[3])
    wrong = right - timedelta(days=1)
    for said, is_right in ((right, True), (wrong, False)):
        ending = {1: "st", 2: "nd", 3: "rd"}.get(said.day % 10 if said.day // 10 != 1 else 0, "th")
        text = f"Charged by {shop[0].upper()} on {spelling.format(said, ending)}, wrongly."
        assert ends_with(dispute, text) is is_right, text


def test_a_person_is_named_by_an_address_that_holds_the_name() -> None:
    tasks = Generator(get_domain("email"), 1).tasks(400)
    away = next(task for task in tasks if len(task.mentions.get("auto_replies.text", ())) == 2 and len(task.goals) == 1)
    day, name = (text.split("|")[0] for text in away.mentions["auto_replies.text"])
    first, last = name.lower().split()
    for writes_to, is_right in ((f"{first}.{last}@larkfield.example", True), ("hugo.keller@larkfield.example", False)):
        with Session(away.domain, task=away) as session:
            for call in away.gold:
                assert isinstance(call.arguments, dict)
                text = {"text": f"Back after {day}; until then write to {writes_to}."}
                assert session.call(call.name, {**call.arguments, **(text if "text" in call.arguments else {})}).ok
            assert ends_right(away, session.diff(), session.new_ids) is is_right
