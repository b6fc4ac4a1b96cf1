"""Composed text is right in any wording that mentions what it must, and wrong without."""

import pytest

from sandbox.kit.task import Task
from sandbox.runtime.registry import get_domain
from sandbox.runtime.session import Session
from sandbox.synthesis.generator import Generator
from sandbox.synthesis.proof.end_state import ends_right


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
