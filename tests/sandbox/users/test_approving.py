"""What the scripted user approves and declines, over every goal and argument of every world, and in which words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from user_proposals import drawn

from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.kit.table import key_column
from toolgym.sandbox.kit.task import Fact, Goal, Task
from toolgym.sandbox.kit.tool import Tool
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.approval import Approval, shown_call
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.proof.end_state import ends_right
from toolgym.sandbox.users.approving import Wanted

WORLDS = [name for name in registry.names("domains") if get_domain(name).goals]
WORKED_OUT = ("money", "number", "moment")
"""Kinds of arguments that no fact says: what the agent has to work out, the user approves."""


def tasks_of(world: str) -> Iterator[Task]:
    """A task of each goal that ends with its write and whose rows a draw finds."""
    domain = get_domain(world)
    for goal in domain.goals:
        if goal.tool.kind == "write":
            try:
                yield from drawn(domain, goal, 0, 1)
            except IndexError:  # nothing in these rows fits the goal
                continue


def leaves(value: Any) -> Iterator[str]:
    """The plain values in what a fact holds, as text."""
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from leaves(inner)
    else:
        yield json.dumps(value)


def due(task: Task, session: Session) -> Iterator[tuple[ToolCall, Tool]]:
    """The calls of the first wish that need a yes, each where a right run makes it; the rest is made on the way."""
    wished = [(call.name, call.arguments) for call in task.goals[0].calls]
    for call in task.gold:
        tool = session.tools_of("agent")[call.name]
        if tool.confirm and (call.name, call.arguments) in wished:
            yield call, tool
        session.call(call.name, call.arguments, by=call.by)


def answer(wanted: Wanted, session: Session, tool: Tool, arguments: dict[str, Any]) -> Fact | str | None:
    call = ToolCall(name=tool.name, arguments=arguments)
    shown = shown_call(session, tool, call)
    assert shown is not None, call
    return wanted.contradicts(call, shown)


def reworded(tool: Tool, arguments: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The same call as others would write it."""
    yield dict(reversed(arguments.items()))
    schema = tool.parameters["properties"]
    yield arguments | {
        name: each["default"] for name, each in schema.items() if "default" in each and name not in arguments
    }
    yield {name: value for name, value in arguments.items() if schema[name].get("default", ...) != value}
    yield {
        name: value[::-1] if isinstance(value, list) and name != "path" else value for name, value in arguments.items()
    }


def others(session: Session, tool: Tool, name: str, value: Any) -> Iterator[Any]:
    """Other values of an argument that its tool could take."""
    schema, kind = tool.parameters["properties"][tool.inputs[name]], tool.kinds.get(name)
    if name in tool.references:
        model = tool.references[name]
        keys = (getattr(row, key_column(model)) for row in session.database.find(model)[:100])
        yield from [key for key in keys if key != value][:2]
    elif schema.get("enum"):
        yield from [each for each in schema["enum"] if each != value][:2]
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield value + 1
    elif kind == "date":
        yield (date.fromisoformat(value) + timedelta(days=1)).isoformat()
    elif kind == "moment":
        yield (datetime.fromisoformat(value) + timedelta(days=1)).isoformat(timespec="minutes")
    elif isinstance(value, list) and len(value) > 1:
        yield value[:-1]


def is_another_end(task: Task, session: Session, call: ToolCall, arguments: dict[str, Any]) -> bool:
    """Whether a run with other arguments is taken by the world and ends otherwise than a right one."""
    with session.fork() as fork:
        if not fork.call(call.name, arguments).ok:
            return False
        for later in task.gold[task.gold.index(call) + 1 :]:
            fork.call(later.name, later.arguments, by=later.by)
        return not ends_right(task, fork.diff(), fork.new_ids)


@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS)
def test_what_is_wished_is_approved_and_what_is_not_is_declined(world: str) -> None:
    right = declined = 0
    for task in tasks_of(world):
        wanted = Wanted(task, task.goals[0])
        with Session(task.domain, task=task) as session:
            for call, tool in due(task, session):
                assert isinstance(call.arguments, dict)
                for arguments in (call.arguments, *reworded(tool, call.arguments)):
                    assert answer(wanted, session, tool, arguments) is None, (task.goals[0].kind, call.name, arguments)
                    right += 1
                held = [leaf for fact in task.goals[0].facts for leaf in leaves(fact.value)]
                for name, wire in tool.inputs.items():
                    value = call.arguments.get(wire)
                    worked_out = tool.kinds.get(name) in WORKED_OUT and json.dumps(value) not in held
                    for other in others(session, tool, name, value) if value is not None and not worked_out else ():
                        arguments = {**call.arguments, wire: other}
                        if arguments in [each.arguments for each in task.gold if each.name == call.name]:
                            continue  # as wished for the other seat
                        if is_another_end(task, session, call, arguments):
                            found = answer(wanted, session, tool, arguments)
                            assert found is not None, (task.goals[0].kind, call.name, wire, other, call.arguments)
                            declined += 1
    assert right > 0 and (declined > 0 or world == "kiosk")


@pytest.mark.parametrize("world", ["banking", "budget", "shopping"])
def test_a_wish_that_may_not_be_granted_is_approved_like_any_other(world: str) -> None:
    domain, found = get_domain(world), 0
    for task in domain.tasks("test", "v2"):
        goal = task.goals[0]
        declared = next((each for each in domain.goals if each.name == goal.kind), None)
        if goal.outcome != "refused" or declared is None or declared.tool.kind != "write":
            continue
        facts = {fact.name: fact.value for fact in goal.facts if fact.name in declared.tool.inputs}
        arguments = {declared.tool.inputs[name]: value for name, value in {**declared.fixed, **facts}.items()}
        with Session(task.domain, task=task) as session:
            call = ToolCall(name=declared.tool.name, arguments=arguments)
            shown = shown_call(session, declared.tool, call)
            if shown is not None:
                assert Wanted(task, goal).contradicts(call, shown) is None, (task.id, arguments)
                found += 1
    assert found > 2


PAY = Task(
    id="banking-mine",
    domain="banking",
    owner=get_domain("banking").tasks("test", "v2")[1].owner,
    data="unseen",
    goals=get_domain("banking").tasks("test", "v2")[1].goals[:1],
    gold=get_domain("banking").tasks("test", "v2")[1].gold,
    now=get_domain("banking").tasks("test", "v2")[1].now,
)


async def approvals(task: Task, *changes: dict[str, Any]) -> list[Approval]:
    """What a user says to calls of its first wish's last tool with other arguments, one after the other."""
    call = task.goals[0].calls[-1]
    assert isinstance(call.arguments, dict)
    player = make_user("scripted", {"style": "terse"}).open(task, seed=1)
    await player.reply([])
    said = []
    with Session(task.domain, task=task) as session:
        tool = session.tools_of("agent")[call.name]
        for change in changes:
            proposed = ToolCall(name=call.name, arguments=call.arguments | change)
            shown = shown_call(session, tool, proposed)
            assert shown is not None
            said.append(await player.approve(proposed, shown))  # type: ignore[attr-defined]
    return said


async def test_a_no_names_the_right_value_only_where_the_user_has_said_it() -> None:
    told = PAY.goals[0].facts[2]
    assert told.name == "amount_cents" and told.words in PAY.goals[0].utterance
    (said,) = await approvals(PAY, {"amount_cents": told.value + 100})
    assert not said.approved and said.sentence == f"No, {told.words}, please."
    silent = PAY.goals[0].model_copy(update={"utterance": "I want to pay somebody."})
    (said,) = await approvals(PAY.model_copy(update={"goals": (silent,)}), {"amount_cents": told.value + 100})
    assert said.sentence == "No, that is not what I asked for."


async def test_whoever_only_tries_out_is_asked_to_ask_and_then_left() -> None:
    wrong = [{"amount_cents": PAY.goals[0].facts[2].value + number} for number in (1, 2, 3)]
    first, second, third = await approvals(PAY, *wrong)
    assert not any(each.approved for each in (first, second, third))
    assert second.sentence == "Please ask me what I want." and third.leaves and not (first.leaves or second.leaves)


async def test_another_action_is_declined_and_the_right_one_approved() -> None:
    (said,) = await approvals(PAY, {})
    assert said == Approval(approved=True)
    question = Goal(kind="ask_spent", utterance="How much did I spend?", outcome="answered")
    with Session("banking", task=PAY) as session:
        call = PAY.goals[0].calls[-1]
        shown = shown_call(session, session.tools_of("agent")[call.name], call)
        assert (
            shown is not None and Wanted(PAY, question).contradicts(call, shown) == "No, that is not what I asked for."
        )


PLAIN = ("money", "reference", "date", "choice")


def former(task: Task) -> dict[str, Any]:
    """The arguments of the last call as they were wished before the change of mind, where those differ."""
    call = task.goals[0].final.calls[-1]
    assert isinstance(call.arguments, dict)
    inputs = get_domain(task.domain).tools[call.name].inputs
    held = {inputs[fact.name]: fact.value for fact in task.goals[0].facts if fact.name in inputs and fact.kind in PLAIN}
    return held if any(call.arguments.get(wire, value) != value for wire, value in held.items()) else {}


async def test_what_is_wished_no_more_is_declined_however_often_it_is_put_up() -> None:
    domain = get_domain("banking")
    task, old = next(
        (each, old)
        for split in ("test", "train")
        for each in domain.tasks(split, "v2")
        if each.goals[0].revised_to is not None
        and each.goals[0].kind == each.goals[0].final.kind == "transfer_between_own_accounts"
        and (old := former(each))
    )
    later = task.goals[0].final
    call = later.calls[-1]
    assert isinstance(call.arguments, dict)
    tool = domain.tools[call.name]
    player = make_user("scripted", {"style": "terse"}).open(task, seed=1)
    await player.reply([])
    with Session("banking", task=task) as session:
        said = []
        for arguments in (call.arguments | old, call.arguments | old, call.arguments):
            proposed = ToolCall(name=call.name, arguments=arguments)
            shown = shown_call(session, tool, proposed)
            assert shown is not None
            said.append(await player.approve(proposed, shown))  # type: ignore[attr-defined]
    changed, again, right = said
    assert not changed.approved and later.utterance in changed.sentence
    assert not again.approved and right.approved


def test_a_wish_whose_condition_does_not_hold_is_approved_like_any_other() -> None:
    found = 0
    for world in ("banking", "budget", "email", "shopping"):
        domain = get_domain(world)
        for task in domain.tasks("test", "v2"):
            goal = task.goals[0]
            declared = next((each for each in domain.goals if each.name == goal.kind), None)
            if goal.outcome != "answered" or declared is None or declared.tool.kind != "write":
                continue
            held = {**declared.fixed, **{fact.name: fact.value for fact in goal.facts}}
            names = [name for name in held if name in declared.tool.inputs]
            call = ToolCall(
                name=declared.tool.name, arguments={declared.tool.inputs[name]: held[name] for name in names}
            )
            with Session(world, task=task) as session:
                shown = shown_call(session, declared.tool, call)
                if shown is not None:
                    assert Wanted(task, goal).contradicts(call, shown) is None, task.id
                    found += 1
    assert found > 0
