"""The LLM user over real HTTP, and the consistency check of its replies."""

import dataclasses

import pytest
from openai_server import OpenAIServer

from toolgym.domains.kiosk import tools as kiosk_tools
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import STOP, Message
from toolgym.sandbox.kit.task import Fact, Goal, Task
from toolgym.sandbox.kit.tool import ToolSet
from toolgym.sandbox.models.reply import Reply
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.info import UserChecks
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import Usage, make_agent, make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.users.llm import read_form
from toolgym.sandbox.users.reply_validation import ReplyCheck


@pytest.fixture
def server():
    with OpenAIServer() as running:
        yield running


def make(server, **options):
    return make_user(
        "llm", {"model": {"model": "user", "base_url": server.url, "timeout": 5.0, "retries": 2}} | options
    )


async def play(server, identifier="kiosk-4", domain=None, **options):
    domain = domain or get_domain("kiosk")
    task = get_domain("kiosk").task(identifier)
    with Session(domain, task=task) as session:
        episode = Episode(domain, task, session, make(server, **options), seed=5)
        return await run_episode(episode, make_agent("rules"))


# --- the player ---


async def test_a_conversation_with_thoughts_kept_apart(server):
    trajectory = await play(server)
    assert trajectory.termination == "user_stop"
    spoken = [message for message in trajectory.messages if message.role == "user"]
    assert all("Thought" not in message.content and message.reasoning for message in spoken)
    assert trajectory.info.user == UserChecks(replies=len(spoken), faulty=0, uncorrected=0, faults={}, examples=[])
    assert trajectory.usage[-1].role == "user" and trajectory.usage[-1].requests == len(spoken)


async def test_the_prompt_holds_the_situation_and_never_the_solution(server):
    trajectory = await play(server)
    prompt = server.requests[0]["messages"][0]["content"]
    assert trajectory.task.scenario in prompt and "Ines Costa" in prompt and STOP in prompt
    assert "T118" not in prompt and "reserve_ticket" not in prompt
    roles = [message["role"] for message in server.requests[1]["messages"]]
    assert roles == ["system", "user", "assistant", "user"]


@pytest.mark.parametrize("fault", ["empty", "refusal", "invented", "leaves", "no_thought"])
async def test_a_faulty_reply_is_written_again_and_counted(server, fault):
    server.misbehave("user", fault)
    trajectory = await play(server)
    assert trajectory.termination == "user_stop"
    checks = trajectory.info.user
    assert (checks.faulty, checks.uncorrected) == (1, 0)
    assert len(checks.examples) >= 1
    assert "was not sent" in server.requests[1]["messages"][-1]["content"]
    assert "eve@example.com" not in trajectory.model_dump_json(include={"messages"})


async def test_a_fault_that_stays_is_played_and_reported(server):
    server.misbehave("user", *["leaves"] * 4)
    trajectory = await play(server)
    assert trajectory.termination == "user_stop"
    assert trajectory.info.user.uncorrected == 1
    assert trajectory.info.user.faults == {"left_early": 4}


async def test_a_user_that_cannot_speak_is_an_infrastructure_failure(server):
    server.misbehave("user", *["refusal"] * 4)
    trajectory = await play(server)
    assert trajectory.termination == "infrastructure_error"
    assert trajectory.fault.boundary == "user"
    assert trajectory.usage[0].requests == 4


async def test_without_the_check_the_reply_goes_out_as_it_is(server):
    server.misbehave("user", "invented")
    trajectory = await play(server, check=False)
    assert "W9988776" in trajectory.messages[0].content
    assert trajectory.info.user is None


async def test_a_user_with_tools_calls_them_natively(server):
    domain = dataclasses.replace(get_domain("kiosk"), user_tools=ToolSet([kiosk_tools.find_tickets]))
    plain = server.brains["user"]

    async def brain(body):
        if len(body["messages"]) == 4:
            call = {"name": "find_tickets", "arguments": '{"holder": "Ines Costa"}'}
            return {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "a", "type": "function", "function": call}],
            }
        kept = [message for message in body["messages"] if message["role"] != "tool" and not message.get("tool_calls")]
        return await plain(body | {"messages": kept})

    server.brains["user"] = brain
    trajectory = await play(server, domain=domain)
    assert [tool["function"]["name"] for tool in server.requests[0]["tools"]] == ["find_tickets"]
    calls = [call for call in trajectory.calls if call.by == "user"]
    assert [call.name for call in calls] == ["find_tickets"]
    assert trajectory.termination == "user_stop"


# --- the form ---


def said(text):
    return Reply(text, text, (), None, None, False, False, Usage("user"))


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Thought: a\nb\nReply: Hi.\nBye.", ("a\nb", "Hi.\nBye.")),
        ("**Thought:** a\n**Reply:** Hi.", ("a", "Hi.")),
        ("Thought: a Reply: Hi.", ("a", "Hi.")),
        ("Reply: Hi.", (None, "Hi.")),
        ("Hi there.", (None, "Hi there.")),
        ("Thought: done.\nReply: Bye. ##STOP##", ("done.", f"Bye. {STOP}")),
    ],
)
def test_the_form_is_read(text, parts):
    assert read_form(said(text)) == parts


@pytest.mark.parametrize("text", ["", "Thought: only this", "Thought: a\nReply:"])
def test_a_form_without_a_reply_is_refused(text):
    with pytest.raises(BadInput):
        read_form(said(text))


# --- the check ---

TASK = Task(
    id="t",
    domain="retail",
    scenario="You are Yusuf Rossi in zip code 19122. You want to exchange a keyboard of order #W2378156, and to know "
    "how much you paid for order #W1111111.",
    facts=(Fact(name="email", value="yusuf.rossi@example.com", on_request=True),),
    goals=(
        Goal(
            kind="exchange",
            utterance="I want to exchange my mechanical keyboard for a clicky one.",
            facts=(Fact(name="order_id", value="#W2378156"),),
        ),
        Goal(kind="ask", utterance="How much did I pay for order #W1111111?", outcome="answered"),
    ),
)


def talk(*lines):
    return [Message(role="user" if n % 2 == 0 else "assistant", content=line) for n, line in enumerate(lines)]


FULL = talk("I want to exchange the keyboard of #W2378156, and know what I paid for W1111111.", "It was $1,204.10.")


@pytest.mark.parametrize(
    "reply",
    [
        "Hi, I'm Yusuf Rossi. Order W2378156, please.",
        "My zip is 19122 and my e-mail is yusuf.rossi@example.com.",
        "I want the 13-inch one with 64GB and 2 switches, I ordered it in 2024.",
        "I'd like to Exchange it on Friday, my Credit Card please.",
        "I don't remember my email.",
        "Yes, please go ahead.",
        "I don't have it with me. Anything else I can do?",
        "Then I'll exchange it in the shop.",
    ],
)
def test_a_consistent_reply_passes(reply):
    assert ReplyCheck(TASK).problems(reply, talk("Hello", "Sorry, which one?")) == []


@pytest.mark.parametrize(
    ("reply", "evidence"),
    [
        ("My order is W9999999.", "W9999999"),
        ("It is #W237815.", "W237815"),
        ("Write to me at y.rossi@mail.com.", "y.rossi@mail.com"),
        ("My zip code is 90210.", "90210"),
        ("My user id is yusuf_rossi_1234.", "yusuf_rossi_1234"),
        ("Call me at 555-123-4567.", "555-123-4567"),
        ("I paid $35.50 for it.", "$35.5"),
        ("It cost 80 dollars.", "$80"),
        ("My name is Emma Stone.", "Emma Stone"),
        ("Please send it to my friend Nils Berg instead.", "Nils Berg"),
    ],
)
def test_invented_facts_are_found(reply, evidence):
    found = ReplyCheck(TASK).problems(reply, talk("Hello", "Sorry?"))
    assert [(problem.fault, problem.evidence) for problem in found] == [("invented", evidence)]


def test_what_the_agent_or_a_tool_said_is_known():
    talked = [
        *talk("Hello", "Is it order W5555555 for $1,200.50, Ms. Emma Stone?"),
        Message(role="tool", content="ID A77"),
    ]
    assert ReplyCheck(TASK).problems("W5555555, yes, $1200.50, code A77, Emma Stone.", talked) == []


@pytest.mark.parametrize(
    ("reply", "conversation"),
    [
        (f"Bye. {STOP}", []),
        (f"Thanks. {STOP}", talk("I want to exchange my keyboard of order W2378156.", "It is done.")),
        (
            f"Yes, go ahead. {STOP}",
            [*FULL[:1], Message(role="assistant", content="I would exchange it. Shall I proceed?")],
        ),
    ],
)
def test_leaving_early_is_found(reply, conversation):
    assert "left_early" in {problem.fault for problem in ReplyCheck(TASK).problems(reply, conversation)}


@pytest.mark.parametrize("reply", [f"Thanks, bye. {STOP}", f"No, that is all. {STOP}"])
def test_leaving_in_time_passes(reply):
    assert ReplyCheck(TASK).problems(reply, FULL) == []
    asked = [*FULL[:1], Message(role="assistant", content="It was $10. Would you like me to cancel it?")]
    assert ReplyCheck(TASK).problems(reply, asked) == []


@pytest.mark.parametrize(
    "reply",
    [
        "How can I help you today?",
        "I have cancelled your order.",
        "Your order has been processed.",
        "Could you please provide your order number?",
        "Agent: The order is found.",
        "As an AI language model, I cannot do that.",
        "Thank you for contacting us.",
        "I am a customer service representative.",
        "I'm sorry, but I can't assist with that.",
        "Hello, I'm Yusuf Rossi from your customer service department.",
        "Thank you for letting me know. I will exchange the keyboard now.",
    ],
)
def test_speaking_as_the_agent_is_found(reply):
    assert "speaks_as_agent" in {problem.fault for problem in ReplyCheck(TASK).problems(reply, FULL)}


@pytest.mark.slow
async def test_the_scripted_user_passes_the_check_wherever_it_is_served():
    domain = get_domain("retail")
    replies = 0
    for task in list(domain.tasks("train", "own"))[:60]:
        with Session(domain, task=task) as session:
            trajectory = await run_episode(Episode(domain, task, session, make_user("scripted")), make_agent("rules"))
        if not verify(trajectory).passed():
            continue  # a user who gives up may leave wishes unsaid
        check, view = ReplyCheck(task), []
        for message in trajectory.messages:
            if message.role == "user":
                assert check.problems(message.content, view) == []
                replies += 1
            if message.content and message.role != "tool":
                view.append(message)
    assert replies > 150


@pytest.mark.parametrize("reply", ["[I inform the agent that I am Yusuf Rossi.]", "I tell the agent that it is mine."])
def test_stage_directions_are_found(reply):
    assert "narrates" in {problem.fault for problem in ReplyCheck(TASK).problems(reply, FULL)}


def test_the_third_time_is_a_repetition_and_the_second_is_not():
    line, more = "Could you look again, please?", "Sorry, I do not understand."
    once, twice = talk("Hello.", more, line, more), talk("Hello.", more, line, more, line, more)
    assert "repeats" not in {problem.fault for problem in ReplyCheck(TASK).problems(line, once)}
    assert "repeats" in {problem.fault for problem in ReplyCheck(TASK).problems(line, twice)}


async def test_a_reply_that_was_cut_off_is_written_again(server):
    plain, sent = server.brains["user"], []

    async def brain(body):
        sent.append(body)
        return await plain(body) | ({"finish_reason": "length"} if len(sent) == 1 else {})

    server.brains["user"] = brain
    trajectory = await play(server)
    assert trajectory.termination == "user_stop" and trajectory.info.user.faults == {"cut_off": 1}
    assert "one or two short sentences" in server.requests[1]["messages"][-1]["content"]
