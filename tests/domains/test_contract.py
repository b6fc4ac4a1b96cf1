"""What holds in every installed world, whoever wrote it: one contract, played and not read.

Worlds that declare rules and goals have a second part. Tests of one world alone cover only its own arithmetic.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import interfaces
import pytest
from call_sequences import Plan, task_plans
from gymnasium.utils.env_checker import check_env
from interfaces import result_bytes
from mcp.client import Client
from sqlalchemy import Column
from sqlalchemy.orm import DeclarativeBase
from toolgym_server import Running
from world_tasks import DECLARED, WORLDS, played, some_tasks

from toolgym import make
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.goal import Goal
from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.kit.rule import Rule
from toolgym.sandbox.kit.table import key_column, shown_columns
from toolgym.sandbox.kit.task import write_tasks
from toolgym.sandbox.kit.trouble import broken_by
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.arguments import call_of
from toolgym.sandbox.synthesis.proof.check import check
from toolgym.sandbox.synthesis.sampler import Sampler

SERVERS = Path(__file__).parents[1] / "servers"
CODE = re.compile(r"[a-z][a-z0-9_]*")
SENTENCE = re.compile(r"[^\s].*[.!?]", re.DOTALL)
PYTHON = re.compile(r"Traceback|NoneType|object at 0x|positional argument|\w+Error\b|\w+Exception\b|sqlite|pydantic")
pytestmark = pytest.mark.xdist_group("contract")
worlds = pytest.mark.parametrize("world", WORLDS)
declared = pytest.mark.parametrize("world", DECLARED)


@cache
def plans(world: str) -> list[Plan]:
    """Some tasks' gold calls among calls that are wrong in every way."""
    tasks = some_tasks(world)
    return task_plans(get_domain(world), tasks[:: max(1, len(tasks) // 5)], sequences=12)


def opened(plan: Plan) -> Session:
    return Session(plan.domain, seed=plan.seed, task=plan.task)


# --- every world ---


@pytest.mark.slow
@worlds
def test_the_checker_finds_nothing(world: str) -> None:
    """With few of the published tasks: all of them are proven where their splits are tested."""
    domain = get_domain(world)
    opened = domain.open_data()
    few = replace(opened, tasks=lambda split: opened.tasks(split)[::80])
    assert check(replace(domain, data={"own": lambda path: few})) == []


@pytest.mark.slow
@worlds
def test_sessions_never_see_each_other(world: str) -> None:
    alone = [interfaces.play_in_process(plan) for plan in plans(world)]
    sessions = [opened(plan) for plan in plans(world)]
    calls = [list(plan.calls()) for plan in plans(world)]
    results: list[list[bytes]] = [[] for _ in sessions]
    for step in range(max(map(len, calls))):  # all of them in turn
        for session, path, got in zip(sessions, calls, results, strict=True):
            if step < len(path):
                call = path[step]
                got.append(result_bytes(session.call(call.name, call.arguments, by=call.by)))
    assert [(got, session.digest()) for got, session in zip(results, sessions, strict=True)] == alone
    assert len({digest for _, digest in alone}) > 1, "something is written"


@worlds
def test_a_refused_call_changes_nothing_and_says_why(world: str) -> None:
    refused = []
    for plan in plans(world)[:3]:
        with opened(plan) as session, opened(plan) as writes_alone:
            results = [session.call(call.name, call.arguments, by=call.by) for call in plan.calls()]
            assert writes_alone.replay(session.log) == [], "it repeats what was written and no more"
            assert writes_alone.dump() == session.dump()
            refused += [result for result in results if result.error is not None]
    for result in refused:
        assert result.error is not None
        assert CODE.fullmatch(result.error.code), result.text
        assert SENTENCE.fullmatch(result.error.message) and not PYTHON.search(result.error.message), result.text
    assert len(refused) >= 20


# --- every door ---


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("contract")) as running:
        yield running


@pytest.mark.slow
@worlds
async def test_every_door_lists_the_same_tools(server: Running, world: str) -> None:
    domain = get_domain(world)
    path = server.open(world)
    for by, tools, address in (("agent", domain.tools, "mcp"), ("user", domain.user_tools, "user/mcp")):
        expected = {name: (tool.description, tool.parameters) for name, tool in tools.items()}
        functions = [entry["function"] for entry in tools.to_openai()]
        assert {each["name"]: (each["description"], each["parameters"]) for each in functions} == expected  # type: ignore[index,call-overload]
        if not tools:
            continue
        async with Client(f"{server.url}{path}/{address}") as client:
            listed = (await client.list_tools()).tools
        assert {tool.name: (tool.description, tool.input_schema) for tool in listed} == expected, by
        answer = server.request("GET", f"{path}/tools").json()["tools"]
        own = {tool["name"]: (tool["description"], tool["parameters"]) for tool in answer if tool["by"] == by}
        assert own == expected


@pytest.mark.slow
@worlds
async def test_every_door_gives_the_same_results(server: Running, world: str) -> None:
    plan = plans(world)[0]
    expected = interfaces.play_in_process(plan)
    assert interfaces.play_rest(server.url, plan) == expected
    assert await interfaces.play_mcp(server.url, plan, "2026-07-28") == expected


@pytest.mark.slow
@worlds
async def test_a_server_of_its_own_gives_the_same_results(world: str) -> None:
    """MCP over standard input and output; the calls of whoever has no agent's tools are left out."""
    given = plans(world)[0]
    calls = tuple(call for call in given.calls() if call.by == "agent")
    plan = replace(given, task=None, sequences=(calls,))
    assert await interfaces.play_stdio(plan, "2026-07-28", {}) == interfaces.play_in_process(plan)[0]


@pytest.mark.slow
@declared
def test_openenv_and_gymnasium_play_drawn_tasks(server: Running, world: str, tmp_path: Path) -> None:
    tasks = some_tasks(world)[:2]
    [trajectory] = played(world, "demonstrator", tasks[:1])
    assert verify(trajectory).passed()
    answer = interfaces.play_openenv(server.url, tasks[0], trajectory)
    assert (answer["done"], answer["reward"]) == (True, 1.0), answer
    write_tasks(tmp_path / "tasks.jsonl", tasks)
    env = make(world, data=f"own:{tmp_path / 'tasks.jsonl'}", split="test")
    check_env(env, skip_render_check=True)
    assert {env.reset(seed=seed)[1]["task_id"] for seed in range(8)} <= {task.id for task in tasks}
    env.close()


# --- every process ---


@pytest.fixture(scope="module")
def digests(request: pytest.FixtureRequest) -> list[dict[str, dict[str, str]]]:
    """What two processes with different hash seeds make of the worlds that are tested."""
    tested = {item.callspec.params["world"] for item in request.session.items if "digests" in item.fixturenames}
    command = [sys.executable, str(SERVERS / "world_digests.py"), *sorted(tested)]
    running = [
        subprocess.Popen(command, env=os.environ | {"PYTHONHASHSEED": seed}, stdout=subprocess.PIPE, text=True)
        for seed in ("1", "2")
    ]
    printed = [process.communicate(timeout=600)[0] for process in running]
    assert [process.returncode for process in running] == [0, 0]
    return [json.loads(text) for text in printed]


@pytest.mark.slow
@worlds
def test_every_process_makes_the_same_of_it(world: str, digests: list[dict[str, dict[str, str]]]) -> None:
    assert digests[0][world] == digests[1][world]


# --- solved by the oracle, and by nobody idle ---


@worlds
def test_the_oracle_passes_and_whoever_does_nothing_does_not(world: str) -> None:
    tasks = some_tasks(world)
    assert [each.task.id for each in played(world, "oracle", tasks) if not verify(each).passed()] == []
    assert [each.task.id for each in played(world, "inert", tasks) if verify(each).passed()] == []


# --- worlds that declare ---


@pytest.mark.slow
@declared
def test_a_drawn_wish_breaks_the_rule_that_it_is_to_break(world: str) -> None:
    """The tool refuses by the rule's name, or, where the rule is left to the agent, lets the call through."""
    domain = get_domain(world)
    for rule in domain.rules:
        met = [*outcomes(domain, rule, slice(8))] or [*islice(outcomes(domain, rule, slice(8, 120)), 1)]
        assert met or rule in broken_by(domain.troubles), f"no goal meets {rule.name}"
        if not met:
            continue
        if rule.by == "tool":
            assert set(met) == {rule.inside or rule.name}
        else:  # the tool knows nothing of the rule; a reason of its own may stand in the way all the same
            assert not set(met) & {each.inside or each.name for each in domain.rules}


def outcomes(domain: Domain, rule: Rule, people: slice) -> Iterator[str]:
    """What comes of wishes that break a rule, for every goal that some of these people have."""
    for goal in domain.goals:
        if rule.applies(goal.tool) and goal.against in (None, rule):
            found = outcome(domain, rule, goal, domain.owner_keys()[people])
            if found is not None:
                yield found


def outcome(domain: Domain, rule: Rule, goal: Goal, people: Sequence[Any]) -> str | None:
    """What comes of a wish that breaks a rule: "done" or the refusal's code; None where nobody has such a wish."""
    for number, key in enumerate(people):
        for now in (domain.now, *domain.clocks):
            sampler, rng = Sampler(domain, key, now), Random(number)
            arguments = sampler.draw(goal, rng) if rule.remedy else sampler.forbidden(goal, rule, rng)
            if arguments is None or sampler.holds(rule, arguments):
                continue
            wanted = call_of(goal.tool, arguments, sampler.database)
            if rule.remedy is None:
                for call in remedies(sampler, goal):
                    assert sampler.session.call(call.name, call.arguments).ok
            drawing = sampler.drawing(rng, arguments)
            for slot in goal.slots:  # such as a quote, which is void in any other session
                for tool, given in slot.reads(drawing) if slot.reads else ():
                    look = call_of(tool, given, sampler.database)
                    if tool.kind == "neutral":
                        assert sampler.session.call(look.name, look.arguments).ok
            result = sampler.session.call(wanted.name, wanted.arguments)
            return "done" if result.error is None else result.error.code
    return None


def remedies(sampler: Sampler, goal: Goal) -> list[ToolCall]:
    """The calls that make hold what can be made to hold, with what stands in the person's row, such as a PIN."""
    tools = [rule.remedy for rule in sampler.domain.rules if rule.remedy and rule.applies(goal.tool)]
    given = [{name: getattr(sampler.person, name) for name in tool.inputs} for tool in tools]
    return [call_of(tool, known, sampler.database) for tool, known in zip(tools, given, strict=True)]


@declared
def test_every_rule_stands_in_the_policy(world: str) -> None:
    domain = get_domain(world)
    for solo in (False, True):
        assert [rule.name for rule in domain.rules if rule.sentence not in domain.policy_for(solo=solo)] == []


@declared
def test_hidden_columns_are_nowhere_to_be_seen(world: str) -> None:
    """Every hidden text of its own is exchanged for a mark; no result, refusal, policy or schema shows one."""
    domain = marked(get_domain(world))
    hidden = {column.name for model in domain.models for column in columns(model) if column.info.get("hidden")}
    declared = json.dumps([tool.returns for tool in domain.tools.values()])
    shown = {name for model in domain.models for name in shown_columns(model)}
    names = {name for name in hidden - shown if f'"{name}"' not in declared}
    answers = [domain.policy_for(), json.dumps(domain.tools.to_openai())]
    for plan in plans(world):
        with Session(domain, seed=plan.seed, task=plan.task) as session:
            answers += [session.call(call.name, call.arguments, by=call.by).text for call in plan.calls()]
    assert len(answers) > 150
    assert [text for text in answers if MARK in text] == []
    assert [text for text in answers[2:] for name in names if f'"{name}":' in text] == []


@pytest.mark.parametrize("world", [name for name in DECLARED if get_domain(name).owner])
def test_what_belongs_to_somebody_else_is_nowhere_to_be_seen(world: str) -> None:
    for plan in plans(world):
        with opened(plan) as session:
            database = session.database
            rows = [(model, row) for model in plan.domain.models for row in database.find(model)]
            strange = {str(getattr(row, key_column(model))) for model, row in rows if not database.is_own(row)}
            results = [session.call(call.name, call.arguments, by=call.by) for call in plan.calls()]
        words = {word for result in results if result.ok for word in re.findall(r"[\w@.-]+", result.text)}
        assert strange and not words & strange


MARK = "hush-7c1f"


def columns(model: type[DeclarativeBase]) -> list[Column[Any]]:
    return list(model.__table__.columns)


def marked(domain: Domain) -> Domain:
    """The world with a mark in hidden texts, those apart that are keys or one of a few choices."""
    opened = domain.open_data()

    def fill(db: Database) -> None:
        opened.fill(db)
        for model in domain.models:
            for name in [each.name for each in columns(model) if each.info.get("hidden") and not each.foreign_keys]:
                rows = db.find(model)
                values = {getattr(row, name) for row in rows}
                if len(values) > len(rows) // 2 and all(isinstance(value, str) for value in values):
                    for row in rows:
                        db.update(row, **{name: f"{MARK} {getattr(row, name)}"})

    return replace(domain, data={"own": lambda path: replace(opened, fill=fill)})
