"""A wish that both sides work on step by step: each step of the agent is a proposal, and none of them is the end."""

import asyncio
from functools import cache

import pytest

from toolgym.sandbox.kit.message import STOP, Message, ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.language.consent import is_yes
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import make_user
from toolgym.sandbox.runtime.session import Session


@cache
def repair(*, steps: bool = True) -> Task:
    """A repair whose agent asks for a payment, resumes the line, enables roaming and adds data, or does nothing."""
    wanted = {"send_payment_request", "resume_line", "enable_roaming", "refuel_data"} if steps else set()
    tools = get_domain("telecom").tools
    return next(
        task
        for task in get_domain("telecom").tasks("dev", "own")
        if task.goals[0].kind == "repair"
        and task.goals[0].outcome == "done"
        and {call.name for call in task.gold if call.by == "agent" and tools[call.name].kind == "write"} == wanted
    )


def amount(task: Task) -> int:
    return next(int(call.arguments["gb_amount"]) for call in task.gold if call.name == "refuel_data")


def numbered(reply: Message) -> tuple[ToolCall, ...]:
    return tuple(
        call.model_copy(update={"id": f"{place}", "by": "user"}) for place, call in enumerate(reply.tool_calls)
    )


def said(*lines: str, steps: bool = True, with_device: bool = False) -> str:
    """The user's answer to the last of some messages."""

    async def talk() -> str:
        task = repair(steps=steps)
        with Session("telecom", task=task) as session:
            tools = session.domain.user_tools.to_openai() if with_device else []
            player = make_user("scripted", {"style": "polite"}).open(task, seed=1, tools=tools)
            messages = [await player.reply([])]
            for line in lines:
                messages.append(Message(role="assistant", content=line.format(gb=amount(task) if steps else 1)))
                while (reply := await player.reply(messages)).tool_calls:
                    results = [
                        (call.id, session.call(call.name, call.arguments, by="user")) for call in numbered(reply)
                    ]
                    messages.append(reply.model_copy(update={"tool_calls": numbered(reply)}))
                    messages += [Message(role="tool", content=result.text, tool_call_id=id) for id, result in results]
                messages.append(reply)
        return messages[-1].content or ""

    return asyncio.run(talk())


@pytest.mark.parametrize(
    "line",
    [
        "Is it alright if I send you a request to pay the overdue bill now?",
        "There is an open bill. I can send you a payment request, and then I'll reactivate the line. Shall I?",
        "I'll resume your line and then ask you to restart your phone. OK?",
        "The line is suspended, and no other bill is open. Do you want me to resume it?",
        "May I enable roaming on your line?",
        "All the data of your plan is used up. I can add {gb} GB to your line. Would you like that?",
    ],
)
def test_each_step_of_the_agent_is_agreed_to(line: str) -> None:
    assert is_yes(said(line))


@pytest.mark.parametrize(
    "line",
    [
        "Shall I suspend your line?",
        "I can add 9 GB to your line. Would you like that?",
        "Should I resume your line and disable roaming?",
        "I can move you to a bigger plan. Shall I?",
    ],
)
def test_what_is_no_step_gets_no_yes(line: str) -> None:
    assert not is_yes(said(line))


def test_how_much_is_told_where_a_step_leaves_it_open() -> None:
    assert f"{amount(repair())} GB" in said("Would you like me to add more data?")


def test_a_step_that_this_repair_does_not_take_gets_no_yes() -> None:
    assert not is_yes(said("May I resume your line?", steps=False))


def test_a_report_of_a_step_is_not_the_end() -> None:
    resume = ("May I resume your line?", "I've resumed your line.")
    assert STOP not in said(*resume)
    assert is_yes(said(*resume, "May I enable roaming on your line?"))


def test_whoever_thinks_that_it_is_over_is_asked_and_believed() -> None:
    lines = ("May I resume your line?", "I've resumed your line. Is there anything else?")
    assert "fixed" in said(*lines) and STOP not in said(*lines)
    assert STOP in said(*lines, "Yes, it is.")
    assert STOP in said("Everything is fixed now. Is there anything else?")


def test_a_message_that_orders_and_proposes_gets_both_answers() -> None:
    reply = said("Please check the SIM card. Also, may I add {gb} GB to your line?", with_device=True)
    assert reply.startswith("Yes") and "sim" in reply
    assert not said("Please check the SIM card. Also, may I add 9 GB to your line?", with_device=True).startswith("Yes")


def test_a_message_that_orders_and_asks_gets_both_answers() -> None:
    place = next(str(fact.value) for fact in repair().goals[0].facts if fact.name == "location")
    reply = said("Please check the SIM card. Where are you at the moment?", with_device=True)
    assert place in reply and "sim" in reply
