"""The LLM agent over real HTTP: native calls and text formats, feedback on what cannot be read, thoughts apart."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from openai_server import OpenAIServer

from toolgym.judge.scoring.judges.lines import lines_of
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.agents.llm import LLMAgent
from toolgym.sandbox.formats.program import program_format, render_program
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import Message, ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.models.chat import to_chat
from toolgym.sandbox.models.constrain import program
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.limits import Limits
from toolgym.sandbox.runtime.references import is_reference
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import Briefing, make_agent, make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.generator import Cell, Generator
from toolgym.sandbox.synthesis.program import program_of


@pytest.fixture
def server():
    with OpenAIServer() as running:
        yield running


def make(server, model="agent", **options):
    fields = {"model": model, "base_url": server.url, "timeout": 600.0, "retries": 2}
    return make_agent("llm", {"model": fields} | options)


async def play(server, agent, **limits):
    domain = get_domain("kiosk")
    task = domain.task("kiosk-4")
    with Session(domain, task=task) as session:
        episode = Episode(domain, task, session, make_user("scripted"), seed=5, limits=Limits(**limits))
        return await run_episode(episode, agent)


@pytest.mark.parametrize(("model", "format"), [("agent", "native"), ("hermes", "hermes")])
async def test_an_episode_with_native_calls_and_with_calls_in_text(server, model, format):
    trajectory = await play(server, make(server, model, format=format))
    assert trajectory.termination == "user_stop"
    assert [call.name for call in trajectory.calls if call.wrote] == ["reserve_ticket"]
    first = server.requests[0]
    assert get_domain("kiosk").policy.strip() in first["messages"][0]["content"]
    assert ("tools" in first) == (format == "native")
    assert ("list_free_seats" in first["messages"][0]["content"]) == (format != "native")
    ids = [call.id for message in trajectory.messages for call in message.tool_calls]
    assert len(set(ids)) == len(ids) == 3


async def test_a_refused_call_is_answered_by_the_session(server):
    server.misbehave("agent", "unknown_tool", "broken_arguments")
    trajectory = await play(server, make(server))
    assert [call.error for call in trajectory.calls][:2] == ["unknown_tool", "invalid_arguments"]
    assert trajectory.calls[-1].wrote
    resent = server.requests[-1]["messages"]
    arguments = [call["function"]["arguments"] for message in resent for call in message.get("tool_calls", ())]
    assert all(isinstance(json.loads(text), dict) for text in arguments)


async def test_refused_calls_without_end_end_the_episode(server):
    server.misbehave("agent", *["unknown_tool"] * 9)
    trajectory = await play(server, make(server), max_errors=4)
    assert trajectory.termination == "max_errors"
    assert len(server.requests) == 4


async def test_an_empty_reply_goes_back_and_is_counted(server):
    server.misbehave("agent", "empty", "cut")
    trajectory = await play(server, make(server))
    assert trajectory.info.agent == {"unusable_replies": {"empty": 2}, "noticed": {"cut": 1}}
    assert "neither text nor a tool call" in server.requests[1]["messages"][-1]["content"]
    assert "token limit" in server.requests[2]["messages"][-1]["content"]
    assert trajectory.calls[-1].wrote


async def test_text_that_breaks_its_format_goes_back_with_the_place(server):
    plain = server.brains["hermes"]
    broken = iter(['<tool_call>\n{"name": "find_tickets", </tool_call>'])

    async def brain(body):
        text = next(broken, None)
        return {"role": "assistant", "content": text} if text else await plain(body)

    server.brains["hermes"] = brain
    trajectory = await play(server, make(server, "hermes", format="hermes"))
    assert trajectory.info.agent == {"unusable_replies": {"format": 1}}
    assert "line 2, column" in server.requests[1]["messages"][-1]["content"]


async def test_replies_that_stay_unusable_are_taken_as_they_are(server):
    server.misbehave("agent", *["empty"] * 99)
    trajectory = await play(server, make(server), max_turns=2)
    assert trajectory.termination == "max_turns"
    assert len(server.requests) == 2 * 3
    assert trajectory.usage[0].requests == 6


def says(server, *replies):
    """The server's model gives these messages, then goes on as the rules agent."""
    plain, queue = server.brains["agent"], iter(replies)

    async def brain(body):
        return {"role": "assistant", "content": None} | (next(queue, None) or await plain(body))

    server.brains["agent"] = brain


CALL = {"name": "find_tickets", "arguments": {"holder": "Ines Costa"}}
STRAY = [
    f"<tool_call>{json.dumps(CALL)}</tool_call>",
    f"I look it up.\n```json\n{json.dumps(CALL)}\n```",
    json.dumps({"name": "find_tickets", "parameters": CALL["arguments"]}),
    json.dumps({"name": "find_tickets", "holder": "Ines Costa"}),
    '[find_tickets(holder="Ines Costa")]',
]


@pytest.mark.parametrize("text", STRAY)
async def test_a_call_as_text_is_no_word_to_the_user(server, text):
    says(server, {"content": text})
    trajectory = await play(server, make(server))
    assert trajectory.info.agent == {"unusable_replies": {"call_as_text": 1}}
    assert "holds a call" in server.requests[1]["messages"][-1]["content"]
    assert not any("find_tickets" in (message.content or "") for message in trajectory.messages)
    assert trajectory.calls[-1].wrote


@pytest.mark.parametrize("text", STRAY)
async def test_a_call_as_text_is_made_where_repair_is_wanted(server, text):
    says(server, {"content": f"<think>Who?</think>{text}"})
    trajectory = await play(server, make(server, repair=True))
    first = trajectory.messages[1]
    assert (first.tool_calls[0].name, first.tool_calls[0].arguments) == ("find_tickets", {"holder": "Ines Costa"})
    assert first.reasoning == "Who?" and not first.content
    assert trajectory.info.agent == {"unusable_replies": {"call_as_text": 1}, "noticed": {"repaired": 1}}


async def test_what_stays_a_call_as_text_is_unread(server):
    says(server, *[{"content": STRAY[0]}] * 99)
    trajectory = await play(server, make(server), max_turns=2)
    assert trajectory.info.unread and not trajectory.calls
    assert "could not be read and was not delivered" in trajectory.messages[2].content
    assert trajectory.info.agent == {"unusable_replies": {"call_as_text": 6}}


def native(**function):
    return {"tool_calls": [{"id": "x", "type": "function", "function": function}]}


async def test_arguments_beside_the_name_are_never_left_out(server):
    says(server, native(name="find_tickets", holder="Ines Costa"))
    trajectory = await play(server, make(server))
    assert trajectory.info.agent == {"unusable_replies": {"beside_name": 1}}
    assert all(call.arguments for call in trajectory.calls)
    says(server, native(name="find_tickets", holder="Ines Costa"))
    trajectory = await play(server, make(server, repair=True))
    assert trajectory.calls[0].arguments == {"holder": "Ines Costa"}


async def test_thoughts_in_the_middle_are_kept_from_the_user_and_words_are_not_lost(server):
    text = "Let me see. <think>the name in my notes is Ada</think> May I have your name?"
    for form in ("native", "hermes", "openai"):
        server.requests.clear()
        says(server, {"content": text})
        trajectory = await play(server, make(server, format=form), max_turns=2)
        assert trajectory.messages[1].content == "Let me see. May I have your name?", form
        assert trajectory.messages[1].reasoning == "the name in my notes is Ada"
        judged = "\n".join(lines_of(trajectory))
        assert "notes is Ada" not in "".join(line for line in judged.splitlines() if "says:" in line)


async def test_thoughts_that_never_end_go_back(server):
    says(server, {"content": "One moment. <think>the name in my notes", "finish_reason": "length"})
    trajectory = await play(server, make(server))
    assert trajectory.info.agent == {"unusable_replies": {"unclosed_thoughts": 1}, "noticed": {"cut": 1}}
    assert not any("notes" in (message.content or "") for message in trajectory.messages)


async def test_a_reply_that_is_cut_is_played_and_counted(server):
    says(server, {"content": "Which evening would you", "finish_reason": "length"})
    trajectory = await play(server, make(server))
    assert trajectory.messages[1].content == "Which evening would you"
    assert trajectory.info.agent == {"noticed": {"cut": 1}}


async def test_blank_arguments_are_none_and_counted(server):
    says(server, *(native(name="list_free_seats", arguments=text) for text in ("null", "  ", '{}""', "")))
    trajectory = await play(server, make(server))
    assert [call.arguments for call in trajectory.calls[:4]] == [{}] * 4
    assert trajectory.info.agent == {"noticed": {"blank_arguments": 3}}


async def test_an_answer_without_choices_is_named(server):
    server.misbehave("agent", *["no_choices"] * 9)
    trajectory = await play(server, make(server))
    assert trajectory.fault.message.endswith(
        "answers with an empty list of choices: it generated nothing; look into its log."
    )


async def test_a_refusal_is_what_the_agent_says(server):
    server.misbehave("agent", "refusal")
    trajectory = await play(server, make(server), max_turns=1)
    assert trajectory.messages[1].content == "I'm sorry, I can't help with that."


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning", "tags"])
async def test_thoughts_are_kept_apart(server, field):
    async def brain(body):
        text = "Hello!"
        tags = {"content": f"<think>\nWait, who?\n</think>\n{text}"} if field == "tags" else {field: "Wait, who?"}
        return {"role": "assistant", "content": text} | tags

    server.brains["agent"] = brain
    trajectory = await play(server, make(server), max_turns=2)
    assert trajectory.messages[1].content == "Hello!"
    assert trajectory.messages[1].reasoning == "Wait, who?"
    assert "Wait, who?" not in json.dumps(server.requests[1])


async def test_a_broken_endpoint_cuts_the_episode_and_keeps_what_it_cost(server):
    server.misbehave("agent", "ok", "ok", *["503"] * 9)
    trajectory = await play(server, make(server))
    assert trajectory.termination == "infrastructure_error"
    assert trajectory.fault.boundary == "model"
    assert trajectory.usage[0].requests == 2


async def test_the_same_seed_sends_the_same_requests(server):
    await play(server, make(server))
    half = len(server.requests)
    await play(server, make(server))
    assert server.requests[:half] == server.requests[half:]


def test_solo_work_is_said_in_the_prompt(server):
    player = make(server).open(Briefing(domain="kiosk", policy="P", tools=[], ticket="T"))
    assert "no customer" in player._system["content"]


def test_a_wrong_format_is_said():
    with pytest.raises(BadInput, match="did you mean 'hermes'"):
        LLMAgent({"model": "m", "base_url": "http://127.0.0.1:9/v1"}, format="hermess")


def test_messages_are_safe_for_strict_servers():
    call = ToolCall(name="t", arguments="[1]", id="1")
    assert to_chat(Message(role="assistant", content="", tool_calls=()))["content"] == "[nothing]"
    sent = to_chat(Message(role="assistant", tool_calls=(call,)))["tool_calls"][0]["function"]["arguments"]
    assert json.loads(sent) == {"unreadable": "[1]"}


def balance() -> Task:
    """A question about an account that is answered by two calls."""
    cell = Cell(depth=(2, 2), interaction="program")
    tasks = Generator(get_domain("banking"), seed=4, cell=cell).tasks(60)
    return next(task for task in tasks if task.answer and task.gold[-1].name == "get_account")


def calls_of(task: Task) -> list[dict[str, Any]]:
    return [
        {"id": f"c{place}", "type": "function", "function": {"name": call.name, "arguments": call.arguments_text()}}
        for place, call in enumerate(program_of(task).tool_calls)
    ]


@pytest.mark.parametrize("form", ["native", "openai", "json_ast", "xml_ast", "direct"])
async def test_a_model_answers_by_a_program_and_tries_again_where_it_may(server, form):
    task, domain = balance(), get_domain("banking")
    if form == "native":
        right = {"tool_calls": calls_of(task)}
    elif form == "openai":
        right = {"content": json.dumps({"tool_calls": calls_of(task)})}
    else:
        right = {"content": render_program(program_of(task), program_format(form))}
    wrong = {"tool_calls": calls_of(task)[1:]} if form == "native" else {"content": '<tool_call return="one">{'}
    replies = iter([wrong, right])

    async def brain(body: dict[str, Any]) -> dict[str, Any]:
        return {"role": "assistant", "content": None} | next(replies)

    server.brains["programmer"] = brain
    with Session(domain, task=task) as session:
        episode = Episode(domain, task, session, None, limits=Limits(max_retries=1), program=True)
        played = await run_episode(episode, make(server, "programmer", format=form))
    assert verify(played).passed()
    first, second = played.info.programs
    assert first.fault is not None and second.fault is None
    told, shown = server.requests[0]["messages"][0]["content"], server.requests[1]["messages"]
    assert "API_RESPONSE_0" in told or "api_id" in told
    assert first.fault.message.partition(" (line")[0] in json.dumps(shown, ensure_ascii=False).replace('\\"', '"')


def test_a_program_can_be_bound_to_a_schema_that_knows_references():
    task, domain = balance(), get_domain("banking")
    schema = program(domain.tools.to_openai())
    answer = {"tool_calls": [{"name": call.name, "arguments": call.arguments} for call in program_of(task).tool_calls]}
    assert not list(Draft202012Validator(schema).iter_errors(answer))
    for reference in ("API_RESPONSE_0", "API_RESPONSE_12.items[0].account_id"):
        answer["tool_calls"][1]["arguments"]["account_id"] = reference
        assert Draft202012Validator(schema).is_valid(answer) and is_reference(reference)
    answer["tool_calls"][1]["arguments"] = {"account": "API_RESPONSE_0"}
    assert not Draft202012Validator(schema).is_valid(answer)
