"""What a language model as the user must not do, in every declared world: found by rules, over real HTTP repaired."""

from __future__ import annotations

import asyncio
import json
from functools import cache
from itertools import chain, islice

import pytest
from openai_server import OpenAIServer
from user_proposals import Proposals

from toolgym.judge.redteam.arena import drawn_tasks
from toolgym.sandbox.kit.message import STOP, Message
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.info import UserChecks
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import make_agent, make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.synthesis.generator import dev_tasks
from toolgym.sandbox.users.reply_validation import ReplyCheck

WORLDS = [name for name in registry.names("domains") if get_domain(name).goals]
each_world = pytest.mark.parametrize("world", WORLDS)
SHORT = ("Yes, go ahead.", "OK", "Perfect, that works for me.", "Great.")
"""Ways to agree: whatever neither asks, denies nor corrects lets a proposal pass."""
OPEN = ("bare", "without", "negated")
"""Proposals that leave something open or deny themselves: the scripted user says no yes, and a model's is not wrong."""


def faults(task: Task, reply: str, *lines: str) -> set[str]:
    """The sorts of fault in a reply, after the user's first words and lines of agent and user in turn."""
    talk = [Message(role="user", content=task.goals[0].utterance)]
    talk += [Message(role=("assistant", "user")[place % 2], content=line) for place, line in enumerate(lines)]
    return {problem.fault for problem in ReplyCheck(task).problems(reply, talk)}


@cache
def tasks_of(world: str) -> list[Task]:
    return list(drawn_tasks(get_domain(world), 24, 2, None))


@cache
def a_proposal(world: str) -> Proposals:
    """What may be proposed about the first wish that a world grants."""
    domain = get_domain(world)
    writes = {goal.name for goal in domain.goals if goal.tool.kind == "write"}
    for task in tasks_of(world):
        wish = task.goals[0]
        if (
            len(task.goals) == 1
            and wish.kind in writes
            and wish.outcome == "done"
            and not (wish.fallback or wish.revised_to)
            and wish.facts
        ):
            return Proposals(domain, task)
    raise AssertionError(world)


# --- a yes to what is not wanted ---


@pytest.mark.slow
def test_a_yes_to_a_wrong_proposal_is_found_and_one_to_the_right_one_is_not():
    found, alarms = [], []
    for world in WORLDS[::2]:
        proposals = a_proposal(world)
        wrong = [text for what, text in proposals.wrong_ones() if not what.startswith(OPEN)]
        here = [
            "wrong_yes" in faults(proposals.task, SHORT[place % len(SHORT)], text)
            for place, text in enumerate(wrong[:16])
        ]
        found += here
        right = islice(proposals.right_ones(), 15)
        alarms += ["wrong_yes" in faults(proposals.task, SHORT[1], text) for text in right]
    assert sum(found) >= 0.8 * len(found) and len(found) > 90
    assert sum(alarms) <= 0.02 * len(alarms) and len(alarms) > 50


@pytest.mark.slow
def test_a_no_to_the_right_proposal_is_found_and_one_to_a_wrong_one_is_not():
    found, alarms = [], []
    for world in WORLDS[::2]:
        proposals = a_proposal(world)
        noes = ("No.", "No, that's not what I want.", "I'd rather not.", "Don't, please.")
        right = islice(proposals.right_ones(), 15)
        found += ["wrong_no" in faults(proposals.task, noes[n % 4], text) for n, text in enumerate(right)]
        wrong = [text for what, text in proposals.wrong_ones() if not what.startswith(OPEN)]
        alarms += ["wrong_no" in faults(proposals.task, noes[n % 4], text) for n, text in enumerate(wrong[:16])]
    assert sum(found) >= 0.8 * len(found) and len(found) > 50
    assert (
        sum(alarms) <= 0.04 * len(alarms) and len(alarms) > 90
    )  # maps: "I'll also send email: ..." reads as a courtesy


@pytest.mark.parametrize(
    "reply", ["Yes.", "No, what does it cost first?", "Please tell me the fee first.", "Wait, why?"]
)
def test_whoever_asks_first_says_no_wrong_no(reply):
    proposals = a_proposal("banking")
    assert "wrong_no" in faults(proposals.task, "No, I don't want that.", next(proposals.right_ones()))
    assert "wrong_no" not in faults(proposals.task, reply, next(proposals.right_ones()))


def test_an_invention_that_went_out_is_none_the_less_one():
    task = a_proposal("banking").task
    talk = ("Which order is it?", "It is W9999999.", "I find no order W9999999 here. Which one is it?")
    assert "invented" in faults(task, "It is W9999999.", *talk)
    assert "invented" not in faults(task, "It is W9999999.", "Is it order W9999999?")


@pytest.mark.parametrize("reply", ["No, not that.", "Hm, which one is it?", "I'd rather not.", "What would it cost?"])
def test_whoever_does_not_agree_says_no_wrong_yes(reply):
    proposals = a_proposal("banking")
    wrong = next(text for what, text in proposals.wrong_ones() if not what.startswith(OPEN))
    assert "wrong_yes" not in faults(proposals.task, reply, wrong)


@pytest.mark.slow
@pytest.mark.parametrize("question", ["Is this about your own account?", "May I look that up for you?"])
def test_a_yes_to_a_question_is_no_consent(question):
    for world in WORLDS:
        assert "wrong_yes" not in faults(a_proposal(world).task, "Yes.", question)


# --- who speaks ---


def test_who_denies_to_be_itself_is_found():
    task = next(task for task in tasks_of("trading") if any(fact.name == "name" for fact in task.facts))
    name = next(fact.value for fact in task.facts if fact.name == "name")
    for reply in ("No, that's somebody else.", f"I am not {name}.", "You have the wrong person."):
        assert "denies_itself" in faults(task, reply, f"Am I speaking with {name}?")
    assert "denies_itself" not in faults(task, "No, not that one.", "Is it the trip to Rome?")
    assert "denies_itself" not in faults(task, "Yes, that's me.", f"Am I speaking with {name}?")


@pytest.mark.parametrize("reply", ["I am the user, my next message should say yes.", "As the customer I accept now."])
def test_a_thought_is_no_reply(reply):
    assert "narrates" in faults(a_proposal("banking").task, reply, "Who am I speaking to?")


# --- what is told only when asked ---


@cache
def withheld(world: str) -> tuple[Task, str, str]:
    """A task, the name of one of its withheld facts, and its words."""
    for task in chain(tasks_of(world), dev_tasks(get_domain(world), 100)):
        goal = task.goals[0]
        for fact in (*goal.facts, *task.facts):
            words = fact.words or str(fact.value)
            open_words = " ".join(
                each.words or str(each.value) for each in (*goal.facts, *task.facts) if not each.on_request
            )
            if (
                fact.on_request
                and fact.name != "name"
                and fact.kind != "free"
                and len(fact.name) > 2  # "what is the on?" is no question
                and words not in goal.utterance + open_words
            ):
                return task, fact.name.replace("_", " "), words
    raise AssertionError(world)


@each_world
def test_what_nobody_asked_for_is_given_away(world):
    task, name, words = withheld(world)
    telling = f"By the way: {words}."
    assert "gave_away" in {problem.fault for problem in ReplyCheck(task).problems(telling, [])}
    assert "gave_away" in faults(task, telling, "Could you tell me more?")
    assert "gave_away" in faults(task, telling, "Thank you, one moment please.")
    assert "gave_away" not in faults(task, telling, f"What is the {name}?")
    assert "gave_away" not in faults(task, telling, f"Is it this: {words}?")


# --- leaving while something is open ---


@pytest.mark.slow
@pytest.mark.parametrize(
    ("reply", "last", "is_early"),
    [
        ("It's me. ###STOP###", "Could you tell me who you are?", True),
        ("Thank you! ###STOP###", "One moment please, I am looking into it.", True),
        ("Thank you, bye! ###STOP###", "Thank you for the details, I have them here.", True),
        ("This leads nowhere. Bye. ###STOP###", "Could you tell me who you are?", False),
        ("Thank you, bye! ###STOP###", "I am sorry, that is not possible.", False),
        ("Thank you, bye! ###STOP###", "It is all done now. Is there anything else I can help you with?", False),
    ],
)
def test_leaving_while_something_is_open_is_early(reply, last, is_early):
    for world in WORLDS:
        assert ("left_early" in faults(a_proposal(world).task, reply, last)) == is_early, world


MORE = "It is all done now. Is there anything else I can help you with?"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("reply", "last", "stays"),
    [
        ("No, thank you. I will be leaving now.", MORE, True),
        ("Thanks, that's all. Have a nice day!", MORE, True),
        ("No, thank you, bye. ###STOP###", MORE, False),
        ("No, thank you. But what does it cost?", MORE, False),
        ("No, thank you.", "Would you like a receipt?", False),
    ],
)
def test_a_farewell_without_the_stop_token_is_found(reply, last, stays):
    for world in WORLDS:
        assert ("stayed" in faults(a_proposal(world).task, reply, last)) == stays, world


# --- no false alarm ---


@each_world
def test_the_scripted_user_makes_none_of_these_mistakes(world):
    domain, replies = get_domain(world), 0
    for task in tasks_of(world)[:4]:
        for agent in ("demonstrator", "reckless"):
            with Session(domain, task=task) as session:
                talk = asyncio.run(
                    run_episode(Episode(domain, task, session, make_user("scripted")), make_agent(agent))
                )
            check, view = ReplyCheck(task), []
            for message in talk.messages:
                if message.role == "user" and message.content:
                    found = check.problems(message.content, view)
                    assert [each for each in found if "never mentioned" not in each.evidence] == []
                    replies += 1
                view.append(message)
    assert replies > 15


# --- over HTTP ---


class Adversary:
    """Plays the scripted user of a task over OpenAI's protocol, and now and then something worse first."""

    def __init__(self, task: Task, worse: dict[int, str], stubborn: bool = False) -> None:
        self.task, self.worse, self.stubborn = task, worse, stubborn

    async def __call__(self, body: dict) -> dict:
        lines = list(body["messages"][2:])
        notes = [place for place, line in enumerate(lines) if (line["content"] or "").startswith("[Not from the agent")]
        kept = [line for place, line in enumerate(lines) if place not in notes and place + 1 not in notes]
        player = make_user("scripted").open(self.task, seed=0)
        view: list[Message] = []
        for line in [*kept, None]:
            if line is None or line["role"] == "assistant":
                text = line["content"].split("Reply: ", 1)[-1] if line else (await player.reply(tuple(view))).content
                if line is not None:
                    await player.reply(tuple(view))
                view.append(Message(role="user", content=text))
            else:
                view.append(Message(role="assistant", content=line["content"]))
        turn = sum(message.role == "user" for message in view) - 1
        if turn in self.worse and (self.stubborn or not notes):
            text = self.worse[turn]
        return {"role": "assistant", "content": f"Thought: I go on.\nReply: {text}"}


class Pusher:
    """An agent that asks who is there, proposes something else than is wanted, and leaves it at that."""

    privileged = False

    def __init__(self, wrong: str) -> None:
        self.lines = ["Who am I speaking to?", wrong, "All right. I am sorry, I cannot help you with anything here."]

    def open(self, briefing):
        return self

    async def act(self, messages):
        said = sum(message.role == "assistant" for message in messages)
        return Message(role="assistant", content=self.lines[min(said, 2)])


def over_http(world: str, worse: dict[int, str], stubborn: bool = False) -> tuple[Trajectory, list[dict]]:
    proposals = a_proposal(world)
    wrong = next(text for what, text in proposals.wrong_ones() if what.startswith("tool"))
    domain, task = proposals.domain, proposals.task
    with OpenAIServer() as server, Session(domain, task=task) as session:
        server.brains["user"] = Adversary(task, worse, stubborn)
        user = make_user("llm", {"model": {"model": "user", "base_url": server.url, "timeout": 10.0, "retries": 0}})
        played = asyncio.run(run_episode(Episode(domain, task, session, user, seed=1), Pusher(wrong)))
        return played, server.requests


@each_world
def test_a_wrong_yes_is_taken_back_before_it_is_sent(world):
    played, requests = over_http(world, {2: "Yes, go ahead."})
    checks = played.info.user
    assert isinstance(checks, UserChecks) and checks.faults.get("wrong_yes") == 1
    assert (checks.faulty, checks.uncorrected) == (1, 0)
    assert not any(message.content == "Yes, go ahead." for message in played.messages)
    assert any("You agreed to" in line["content"] for body in requests for line in body["messages"] if line["content"])


def test_a_farewell_that_does_not_end_is_ended():
    proposals = a_proposal("banking")
    parting = Pusher("")
    parting.lines = ["That has been done. Is there anything else?"] * 3
    with OpenAIServer() as server, Session(proposals.domain, task=proposals.task) as session:
        server.brains["user"] = Adversary(proposals.task, {1: "No, thank you. I will be leaving now."}, stubborn=True)
        user = make_user("llm", {"model": {"model": "user", "base_url": server.url, "timeout": 10.0, "retries": 0}})
        played = asyncio.run(run_episode(Episode(proposals.domain, proposals.task, session, user, seed=1), parting))
    assert played.termination == "user_stop" and played.messages[-1].content.endswith(f"leaving now. {STOP}")
    checks = played.info.user
    assert isinstance(checks, UserChecks) and (checks.faulty, checks.uncorrected, checks.faults) == (
        1,
        0,
        {"stayed": 4},
    )


@pytest.mark.slow
def test_an_adversary_that_stays_so_is_counted():
    task = a_proposal("banking").task
    secret = next((str(fact.value) for fact in task.facts if fact.kind == "secret"), "8896")
    played, _ = over_http(
        "banking", {0: f"Hello, my PIN is {secret} and my order is W9999999.", 1: f"Bye. {STOP}"}, True
    )
    checks = played.info.user
    assert isinstance(checks, UserChecks) and checks.uncorrected >= 1
    assert checks.faults["invented"] >= 1 and checks.faults["left_early"] >= 1
    assert json.loads(played.to_line())["info"]["user"]["faults"] == checks.faults


def test_what_a_wish_in_prose_agrees_to_and_withholds_is_not_claimed():
    task = next(iter(get_domain("airline").tasks("base", "tau2")))
    assert faults(task, "Yes, go ahead.", "I would cancel every reservation that you have. Shall I go ahead?") == set()
    secrets = " ".join(str(fact.value) for fact in task.facts)
    assert "gave_away" not in {problem.fault for problem in ReplyCheck(task).problems(f"Hello. {secrets}", [])}
