"""Calls drawn from the tools' schemas: refusals change nothing, sessions stay apart, time travel comes out the same."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import InfrastructureError
from toolgym.sandbox.kit.message import Json, Party
from toolgym.sandbox.kit.tool import Tool, ToolResult
from toolgym.sandbox.runtime.session import Session

Call = tuple[Party, str, dict[str, Json]]
"""Who calls which tool with what."""

CALLS = 300
_PYTHON = re.compile(r"Traceback|NoneType|object at 0x|positional argument|KeyError|ValueError|TypeError|sqlite3")
_CODE = re.compile(r"[a-z][a-z0-9_]*")


def calls(domain: Domain) -> Iterator[str]:
    """Random calls of both sides: refusals change nothing and speak no Python, and sessions stay apart."""
    rng = random.Random(0)
    words, doors = _words(domain), _doors(domain)
    seen: set[str] = set()
    questions = [(by, tool.name, _arguments(rng, tool, words)) for by, tool in doors if tool.kind == "read"]
    untouched = _answers(domain, questions)
    with Session(domain) as session:
        for _ in range(CALLS if doors else 0):
            by, tool = rng.choice(doors)
            arguments = _arguments(rng, tool, words)
            before = session.diff()
            try:
                result = session.call(tool.name, arguments, by=by)
            except InfrastructureError as error:
                sentence = (
                    f"tool {tool.name}: it crashes on {arguments}: {error.message} Refuse with Refusal(code, ...)."
                )
            else:
                sentence = _wrong(tool, result.text, None if result.error is None else result.error.code)
                if not result.ok and session.diff() != before:
                    sentence = f"tool {tool.name}: a refused call changed rows."
            if sentence and (key := sentence.split(":")[0] + sentence[-30:]) not in seen:
                seen.add(key)
                yield sentence
        with Session(domain) as again:  # dumping the world around every call would take minutes in a large one
            again.replay(session.log)
            if again.dump() != session.dump():
                yield "calls: a refused or reading call changed rows; write with db.insert, update and delete alone."
    if _answers(domain, questions) != untouched:
        yield "isolation: calls in one session are seen by another; keep nothing outside the database."


def _doors(domain: Domain) -> list[tuple[Party, Tool]]:
    """All tools with the side that may call them."""
    agent: list[tuple[Party, Tool]] = [("agent", tool) for tool in domain.tools.values()]
    return agent + [("user", tool) for tool in domain.user_tools.values()]


def _answers(domain: Domain, questions: list[Call]) -> list[Any]:
    """What a fresh session holds and answers."""
    with Session(domain) as fresh:
        return [fresh.dump(), *(_try(fresh, question) for question in questions)]


def _try(session: Session, call: Call) -> ToolResult | None:
    """A call's result; None when the tool crashes, which is reported elsewhere."""
    by, name, arguments = call
    try:
        return session.call(name, arguments, by=by)
    except InfrastructureError:
        return None


def _wrong(tool: Tool, text: str, code: str | None) -> str:
    if code is not None and not _CODE.fullmatch(code):
        return f"tool {tool.name}: the refusal code {code!r} is not a stable lower_case word."
    if code is not None and _PYTHON.search(text):
        return f"tool {tool.name}: a refusal speaks of the programming language: {text[:120]}"
    return ""


def _words(domain: Domain) -> list[str]:
    """Texts that occur in the seed data: most ids are among them."""
    found: set[str] = set()
    reader = domain.template().reader
    for model in domain.models:
        for row in reader.execute(f'SELECT * FROM "{model.__tablename__}" LIMIT 50'):
            found |= {value for value in row if isinstance(value, str)}
    return sorted(found) or ["x"]


def _arguments(rng: random.Random, tool: Tool, words: list[str]) -> dict[str, Json]:
    return {name: _value(rng, schema, words) for name, schema in tool.parameters["properties"].items()}


def _value(rng: random.Random, schema: dict[str, Any], words: list[str]) -> Json:
    if "enum" in schema:
        return rng.choice(schema["enum"])
    if "const" in schema:
        return schema["const"]
    if "anyOf" in schema:
        return _value(rng, rng.choice(schema["anyOf"]), words)
    kind = schema.get("type")
    if kind == "string":
        return rng.choice([*rng.choices(words, k=4), "", "'; DROP TABLE x; --", "é\n\u2028"])
    if kind == "array":
        return [_value(rng, schema.get("items", {}), words) for _ in range(rng.randint(0, 3))]
    if kind == "object":
        return {name: _value(rng, inner, words) for name, inner in schema.get("properties", {}).items()}
    numbers: list[Json] = [0, 1, -1, 7, 2**40]
    return {"boolean": rng.random() < 0.5, "null": None, "number": rng.uniform(-9, 9)}.get(
        str(kind), rng.choice(numbers)
    )


def time_travel(domain: Domain) -> Iterator[str]:
    """Whether a fork, a rollback and a replay come to what the same calls come to in a straight line."""
    rng, words = random.Random(1), _words(domain)
    doors = _doors(domain)
    path = [(by, tool.name, _arguments(rng, tool, words)) for by, tool in (rng.choices(doors, k=40) if doors else ())]
    with Session(domain) as straight, Session(domain) as winding, Session(domain) as replayed:
        for call in path:
            _try(straight, call)
        for call in path[:20]:
            _try(winding, call)
        with winding.fork() as fork:
            for call in path[20:]:
                _try(winding, call)
                _try(fork, call)
            if not straight.dump() == winding.dump() == fork.dump():
                yield "time travel: the same calls give another state; tools may use only the database they are given."
        winding.rollback(0)
        if winding.diff():
            yield "time travel: a rollback leaves changed rows."
        if replayed.replay(straight.log) or replayed.dump() != straight.dump():
            yield "time travel: replaying the log gives other results."
