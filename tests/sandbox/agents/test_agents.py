"""Agents on the kiosk in real sessions: the oracle is the upper bound, `rules` is honest, the rest are floors."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from toolgym.domains.kiosk.rules_agent import rules_agent
from toolgym.sandbox.agents.rules import RulesAgent
from toolgym.sandbox.kit.errors import BadInput, ConfigurationError
from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.kit.task import Fact, Goal, Task
from toolgym.sandbox.language.text_match import mentions_all
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import Briefing, make_agent, make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.users.scripted import ScriptedUser

KIOSK = get_domain("kiosk")
TASKS = [task for split in ("train", "dev", "test") for task in KIOSK.tasks(split)]
AGENTS = ("oracle", "rules", "inert", "random")


def call(name: str, **arguments: str) -> ToolCall:
    return ToolCall(name=name, arguments=dict(arguments))


BOOK_A2 = Goal(
    kind="reserve_ticket",
    utterance="I would like to book seat A2 on Friday.",
    facts=(Fact(name="evening", value="Friday"), Fact(name="seat", value="A2")),
    calls=(call("reserve_ticket", ticket_id="T102", holder="Greta Olsen"),),
)
BOOK_B3 = BOOK_A2.model_copy(
    update={
        "utterance": "I would like to book seat B3 on Friday.",
        "facts": (Fact(name="evening", value="Friday"), Fact(name="seat", value="B3")),
        "calls": (call("reserve_ticket", ticket_id="T107", holder="Greta Olsen"),),
    }
)
TAKEN = BOOK_A2.model_copy(
    update={
        "utterance": "I would like to book seat A1 on Friday.",
        "facts": (Fact(name="evening", value="Friday"), Fact(name="seat", value="A1")),
        "calls": (),
        "fallback": BOOK_B3,
    }
)
COUNT = Goal(
    kind="ask", utterance="How many seats are still free on Sunday?", must_communicate=("6",), outcome="answered"
)


def make_task(name: str, *goals: Goal, gold: Sequence[ToolCall]) -> Task:
    me = (Fact(name="name", value="Greta Olsen", on_request=True),)
    return Task(id=name, domain="kiosk", goals=goals, facts=me, gold=tuple(gold), persona="polite")


CONDITIONAL = make_task("conditional", TAKEN, gold=BOOK_B3.calls)
MIDWAY = make_task("midway", BOOK_A2.model_copy(update={"revised_to": BOOK_B3}), gold=BOOK_B3.calls)
SEVERAL = make_task("several", BOOK_A2, COUNT, gold=(*BOOK_A2.calls, call("list_free_seats", evening="Sunday")))
MORE = [CONDITIONAL, MIDWAY, SEVERAL]


async def play(agent: str, task: Task, seed: int = 0) -> Trajectory:
    with Session(KIOSK, task=task) as session:
        episode = Episode(KIOSK, task, session, make_user("scripted"), seed=seed)
        return await run_episode(episode, make_agent(agent))


def run(agent: str, task: Task, seed: int = 0) -> Trajectory:
    return asyncio.run(play(agent, task, seed))


def writes(calls: Sequence[ToolCall]) -> list[tuple[str, object]]:
    return sorted((c.name, c.arguments) for c in calls if KIOSK.tools[c.name].kind == "write")  # type: ignore[type-var]


def solved(trajectory: Trajectory) -> bool:
    done = [ToolCall(name=c.name, arguments=c.arguments) for c in trajectory.calls if c.wrote]
    return writes(done) == writes(trajectory.task.gold) and mentions_all(
        trajectory.task.communicate, trajectory.agent_text()
    )


@pytest.mark.parametrize("agent", ["oracle", "rules"])
@pytest.mark.parametrize("task", [*TASKS, *MORE], ids=lambda task: task.id)
def test_the_able_agents_solve_every_kiosk_task(agent: str, task: Task) -> None:
    for seed in range(8):
        trajectory = run(agent, task, seed)
        assert trajectory.termination == "user_stop", trajectory
        assert solved(trajectory), trajectory.to_line()


@pytest.mark.parametrize("task", [*TASKS, *MORE], ids=lambda task: task.id)
def test_inert_writes_and_tells_nothing(task: Task) -> None:
    trajectory = run("inert", task)
    assert not trajectory.calls and not trajectory.diff and trajectory.termination == "user_stop"
    assert solved(trajectory) is (not writes(task.gold) and not task.communicate)


@pytest.mark.slow
def test_random_never_breaks_an_episode() -> None:
    calls = 0
    for seed in range(40):
        for task in TASKS:
            trajectory = run("random", task, seed)
            assert trajectory.fault is None
            calls += sum(record.ok for record in trajectory.calls)
    assert calls > 100


def test_random_arguments_fit_their_schemas() -> None:
    refused = [
        record.message
        for seed in range(10)
        for task in TASKS
        for record in run("random", task, seed).calls
        if record.error == "invalid_arguments"
    ]
    assert not refused


@pytest.mark.parametrize("agent", AGENTS)
def test_the_same_seed_gives_the_same_trajectory_at_any_concurrency(agent: str) -> None:
    jobs = [(task, seed) for task in (*TASKS, *MORE) for seed in range(3)]
    alone = [run(agent, task, seed).canonical() for task, seed in jobs]

    async def together() -> list[str]:
        played = await asyncio.gather(*(play(agent, task, seed) for task, seed in reversed(jobs)))
        return [trajectory.canonical() for trajectory in reversed(played)]

    assert asyncio.run(together()) == alone


def test_only_the_oracle_is_privileged() -> None:
    assert [name for name in AGENTS if make_agent(name).privileged] == ["oracle"]
    with pytest.raises(ConfigurationError, match="shown the task"):
        make_agent("oracle").open(Briefing(domain="kiosk", policy="", tools=()))


def test_the_rules_agent_asks_before_it_writes() -> None:
    trajectory = run("rules", TASKS[0])
    index = next(n for n, m in enumerate(trajectory.messages) for c in m.tool_calls if c.name == "reserve_ticket")
    before = trajectory.messages[index - 2]
    assert before.role == "assistant" and "yes/no" in (before.content or "")


def test_a_domain_without_a_rules_agent_is_a_sentence() -> None:
    with pytest.raises(BadInput, match=r"no domain 'nowhere'.*kiosk"):
        make_agent("rules").open(Briefing(domain="nowhere", policy="", tools=()))


@pytest.mark.parametrize("group", ["clerks", "rules_agents"])
def test_a_script_is_found_in_its_group_and_in_the_group_of_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, group: str
) -> None:
    described = tmp_path / "theirs-1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n", encoding="utf-8")
    points = f"[toolgym.{group}]\ntheirs = toolgym.domains.kiosk.rules_agent:rules_agent\n"
    (described / "entry_points.txt").write_text(points, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    registry._entries.cache_clear()
    try:
        assert registry.load("rules_agents", "theirs") is rules_agent
    finally:
        registry._entries.cache_clear()
        registry.load.cache_clear()


def test_the_rules_agent_of_the_documentation(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (Path(__file__).parents[3] / "docs" / "users.md").read_text(encoding="utf-8")
    space: dict[str, Any] = {}
    exec(text.split("```python\n")[1].split("```")[0], space)
    load = registry.load
    monkeypatch.setattr(
        registry, "load", lambda group, name: space["rules_agent"] if group == "rules_agents" else load(group, name)
    )
    rules = RulesAgent()

    async def solo() -> Trajectory:
        task = make_task("count", COUNT, gold=())
        with Session(KIOSK, task=task) as session:
            return await run_episode(Episode(KIOSK, task, session, ScriptedUser(), seed=0), rules)

    trajectory = asyncio.run(solo())
    assert trajectory.termination == "user_stop" and "6 free seats" in trajectory.agent_text()
