"""The domain checker: tells an author what is wrong or missing, as Gymnasium's checker does for environments.

Everything is tried: tools are called with arguments drawn from their schemas, sessions are forked, rolled
back and replayed, images built twice, tasks linted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from toolgym.sandbox.kit.author_errors import broken
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import ToolgymError
from toolgym.sandbox.kit.template import DatabaseTemplate
from toolgym.sandbox.synthesis.proof.declarations import declarations
from toolgym.sandbox.synthesis.proof.drawable import drawable
from toolgym.sandbox.synthesis.proof.evasion import evaded
from toolgym.sandbox.synthesis.proof.lint import lint
from toolgym.sandbox.synthesis.proof.random_calls import calls, time_travel
from toolgym.sandbox.synthesis.proof.refusals import untested


def check(domain: Domain, step: Callable[[str], None] = lambda name: None) -> list[str]:
    """What is wrong, one sentence each; nothing when the domain is sound.

    Args:
        domain: the domain.
        step: told the name of each part before it is checked.
    """
    problems: list[str] = []
    for name, part in (
        ("definition", _definition),
        ("tools", _tools),
        ("declarations", declarations),
        ("seed data", _image),
        ("calls", calls),
        ("time travel", time_travel),
        ("goals", drawable),
        ("rules", evaded),
        ("refusals", untested),
        ("tasks", _tasks),
    ):
        step(name)
        try:
            problems += part(domain)
        except ToolgymError as error:
            if not any(problem.endswith(str(error)) for problem in problems):  # later parts break by the same cause
                problems.append(f"{name}: {error}")
        except Exception as error:  # the boundary of an author's code: what breaks is the finding
            problems.append(f"{name}: {broken(f'The domain {domain.name!r}', domain.base.__module__, error)}")
    return problems


def _definition(domain: Domain) -> Iterator[str]:
    if not domain.policy.strip():
        yield "policy: the policy is empty; agents need the rules they must follow (policy.md)."
    if "own" not in domain.data:
        yield "data: there is no data named 'own'; it is the default (tasks.py)."
    if not domain.tools:
        yield "tools: the domain has no tool (tools.py)."
    elif not any(tool.kind == "write" for tool in domain.tools.values()):
        yield "tools: no tool is declared @tool('write'), so no task can change anything (tools.py)."


def _tools(domain: Domain) -> Iterator[str]:
    for tool in (*domain.tools.values(), *domain.user_tools.values()):
        where = f"tool {tool.name}"
        if not tool.description:
            yield f"{where}: it has no docstring; the agent reads its first line (tools.py)."
        if tool.returns is None:
            yield f"{where}: annotate what it returns precisely, so that clients get a schema (tools.py)."
        for name, schema in tool.parameters["properties"].items():
            if not schema.get("description"):
                yield f"{where}: the argument {name} is not described; add it to the docstring's Args (tools.py)."


def _image(domain: Domain) -> Iterator[str]:
    fill = domain.open_data().fill
    if (
        DatabaseTemplate(domain.base, fill, domain.now).content
        != DatabaseTemplate(domain.base, fill, domain.now).content
    ):
        yield "seed data: two fillings give different bytes; draw from random.Random(seed) and read no clock (seed.py)."


def _tasks(domain: Domain) -> Iterator[str]:
    data = domain.open_data()
    if not data.splits and domain.goals:
        return  # they are drawn
    if not data.splits or not any(data.tasks(split) for split in data.splits):
        yield "tasks: there is no task, and no goal from which one could be drawn (goals.py)."
        return
    for split in data.splits:
        for problem in lint(data.tasks(split)).problems[:20]:
            yield f"task {problem}"
