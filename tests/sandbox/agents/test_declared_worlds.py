"""Agents in every world that declares goals, on freshly drawn tasks: ceilings pass all, floors nearly nothing."""

import asyncio
from collections.abc import Sequence
from functools import cache

import pytest

from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.errors import ConfigurationError
from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.language.consent import is_yes
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import Briefing, make_agent, make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.synthesis.generator import Generator

WORLDS = [name for name in registry.names("domains") if get_domain(name).goals]
COUNT = 40
PASSED = {
    "airline": {"demonstrator": 40, "inert": 0, "oracle": 40, "reckless": 0, "rules": 19},
    "banking": {"demonstrator": 40, "inert": 0, "oracle": 40, "reckless": 1, "rules": 40},
    "budget": {"demonstrator": 40, "inert": 0, "oracle": 40, "reckless": 0, "rules": 32},
    "calendar": {"demonstrator": 40, "inert": 0, "oracle": 40, "reckless": 0, "rules": 34},
    "crm": {"demonstrator": 40, "inert": 0, "oracle": 40, "reckless": 0, "rules": 13},
    "email": {"demonstrator": 40, "inert": 0, "oracle": 40, "reckless": 0, "rules": 14},
    "filesystem": {"demonstrator": 40, "inert": 0, "oracle": 40, "reckless": 0, "rules": 18},
    "iot_devices": {"demonstrator": 40, "inert": 0, "oracle": 40, "reckless": 0, "rules": 6},
    "issue_tracker": {"demonstrator": 40, "inert": 0, "oracle": 40, "reckless": 0, "rules": 6},
    "food_delivery": {"demonstrator": 40, "inert": 0, "oracle": 40, "reckless": 2, "rules": 23},
    "maps": {"demonstrator": 40, "inert": 0, "oracle": 40, "reckless": 0, "rules": 13},
    "marketplace": {"demonstrator": 40, "inert": 0, "oracle": 40, "reckless": 0, "rules": 15},
    "payments": {"demonstrator": 40, "inert": 0, "oracle": 40, "reckless": 0, "rules": 16},
    "retail": {"demonstrator": 40, "inert": 0, "oracle": 40, "reckless": 0, "rules": 40},
    "retail_chain": {"demonstrator": 40, "inert": 0, "oracle": 40, "reckless": 0, "rules": 20},
    "shopping": {"demonstrator": 40, "inert": 0, "oracle": 40, "reckless": 1, "rules": 19},
    "social_media": {"demonstrator": 40, "inert": 0, "oracle": 40, "reckless": 0, "rules": 10},
    "team_chat": {"demonstrator": 40, "inert": 0, "oracle": 40, "reckless": 0, "rules": 9},
    "telecom": {"demonstrator": 40, "inert": 0, "oracle": 40, "reckless": 0, "rules": 27},
    "trading": {"demonstrator": 40, "inert": 0, "oracle": 40, "reckless": 0, "rules": 16},
    "travel_booking": {"demonstrator": 40, "inert": 0, "oracle": 40, "reckless": 0, "rules": 10},
    "vehicle": {"demonstrator": 40, "inert": 0, "oracle": 40, "reckless": 0, "rules": 31},
    "video_meeting": {"demonstrator": 40, "inert": 0, "oracle": 40, "reckless": 0, "rules": 18},
}
"""How many of the tasks each agent passes."""


@cache
def tasks(world: str) -> Sequence[Task]:
    return list(Generator(get_domain(world), seed=11).tasks(COUNT))


@cache
def played(world: str, agent: str) -> Sequence[Trajectory]:
    async def all_of_them() -> list[Trajectory]:
        return [await _play(agent, task) for task in tasks(world)]

    return asyncio.run(all_of_them())


async def _play(agent: str, task: Task) -> Trajectory:
    domain = get_domain(task.domain)
    with Session(domain, task=task) as session:
        return await run_episode(Episode(domain, task, session, make_user("scripted")), make_agent(agent))


def failed(world: str, agent: str) -> list[str]:
    return [each.task.id for each in played(world, agent) if not verify(each).passed()]


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("agent", ["demonstrator", "inert", "oracle", "reckless", "rules"])
def test_an_agent_passes_what_is_pinned(world: str, agent: str) -> None:
    assert len(tasks(world)) == COUNT
    assert COUNT - len(failed(world, agent)) == PASSED[world][agent], failed(world, agent)


@pytest.mark.parametrize("world", WORLDS)
def test_the_demonstrator_changes_nothing_without_a_yes_and_is_refused_nothing(world: str) -> None:
    for trajectory in played(world, "demonstrator"):
        assert not [call.message for call in trajectory.calls if not call.ok], trajectory.task.id
        assert unconfirmed(trajectory) == [], trajectory.task.id


def unconfirmed(trajectory: Trajectory) -> list[str]:
    """The changes made although the user's last words were no yes."""
    tools, heard, found = get_domain(trajectory.task.domain).tools, "", []
    for message in trajectory.messages:
        heard = message.content or "" if message.role == "user" else heard
        calls = message.tool_calls if message.role == "assistant" else ()
        found += [call.name for call in calls if tools[call.name].confirm and not is_yes(heard)]
    return found


@pytest.mark.parametrize("world", WORLDS)
def test_the_demonstrator_uses_no_value_before_it_was_said_or_seen(world: str) -> None:
    """What is told only when asked is asked for: no secret is in a call before the user said it."""
    for trajectory in played(world, "demonstrator"):
        secrets = [str(fact.value) for fact in trajectory.task.facts if fact.kind == "secret"]
        for secret in secrets:
            assert _first(trajectory.messages, secret, "user") < _first(trajectory.messages, secret, "assistant")


def _first(messages: Sequence[Message], text: str, role: str) -> int:
    for index, message in enumerate(messages):
        said = [message.content or "", *(call.arguments_text() for call in message.tool_calls)]
        if message.role == role and any(text in each for each in said):
            return index
    return len(messages)


def test_the_demonstrators_words_vary() -> None:
    proposals = {
        message.content.split(" ")[0]
        for trajectory in played("banking", "demonstrator")
        for message in trajectory.messages
        if message.role == "assistant" and message.content
    }
    assert len(proposals) > 12


def test_the_demonstrator_must_be_shown_the_task() -> None:
    assert make_agent("demonstrator").privileged and not make_agent("reckless").privileged
    with pytest.raises(ConfigurationError, match="shown the task"):
        make_agent("demonstrator").open(Briefing(domain="kiosk", policy="", tools=()))


@pytest.mark.slow
@pytest.mark.parametrize("world", ["retail", "airline", "telecom", "kiosk"])
def test_the_demonstrator_passes_the_published_tasks(world: str) -> None:
    for task in get_domain(world).tasks("test", "own")[::3]:
        trajectory = asyncio.run(_play("demonstrator", task))
        assert verify(trajectory).passed(), task.id
