"""Two addresses are one where a post office would bring a letter to the same door; another door is another one."""

import pytest

from toolgym.sandbox.kit.message import Json, ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.proof.end_state import ends_right


def moving() -> Task:
    tasks = get_domain("retail").tasks("dev", "own")
    return next(task for task in tasks if [c.name for c in task.gold if "modify" in c.name] == ["modify_user_address"])


def ends(task: Task, **address: Json) -> bool:
    (call,) = (step for step in task.gold if step.name == "modify_user_address")
    assert isinstance(call.arguments, dict)
    changed = ToolCall(name=call.name, arguments=call.arguments | address)
    with Session("retail", task=task) as session:
        assert session.call(changed.name, changed.arguments).ok
        return ends_right(task, session.diff(), session.new_ids)


def gold_address(task: Task) -> dict[str, str]:
    return next(dict(step.arguments) for step in task.gold if step.name == "modify_user_address")  # type: ignore[arg-type]


@pytest.mark.parametrize("country", ["USA", "United States", "us", "U.S.A."])
def test_a_country_has_several_names(country: str) -> None:
    assert ends(moving(), country=country)


def test_case_and_lines_do_not_matter() -> None:
    task = moving()
    gold = gold_address(task)
    assert ends(task, address1=gold["address1"].upper(), city=gold["city"].lower())
    assert ends(task, address1=f"{gold['address1']}, {gold['address2']}", address2="N/A")
    assert ends(task, address2=gold["address2"].replace("Apt", "Apartment"))


def test_another_door_is_another_address() -> None:
    task = moving()
    assert not ends(task, address2="Apt 999")
    assert not ends(task, zip="00000")
    assert not ends(task, country="Canada")
