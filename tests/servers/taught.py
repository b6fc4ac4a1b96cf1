"""Runs of the teaching pipeline: scripted teachers behind a real endpoint, and conversations led one by one."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from openai_server import OpenAIServer

from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.teaching.conversation import Conversation
from toolgym.sandbox.synthesis.teaching.knobs import Shares
from toolgym.sandbox.synthesis.teaching.machine import lead
from toolgym.sandbox.synthesis.teaching.opening import Opening
from toolgym.sandbox.synthesis.teaching.scripted import ScriptedTeacher
from toolgym.sandbox.synthesis.teaching.source import WorldSource
from toolgym.sandbox.synthesis.teaching.teacher import Teacher

PLAIN = Shares(distractors=0, strip_enums=0, irrelevant=0, missing_function=0)


@contextmanager
def endpoint(kind: str = "good", *, delay: float = 0.0) -> Iterator[OpenAIServer]:
    """A scripted teacher behind HTTP, as the model `teacher`."""
    teacher = ScriptedTeacher(kind)

    async def brain(body):
        return teacher.answer(body["messages"], body.get("tools") or (), body.get("seed") or 0)

    with OpenAIServer(delay=delay) as server:
        server.brains["teacher"] = brain
        yield server


def opening(world: str = "kiosk", shares: Shares = PLAIN, seed: int = 0) -> Opening:
    source = WorldSource(get_domain(world), seed)
    return Opening([source], source, shares, seed)


def led(teacher: ScriptedTeacher, count: int, shares: Shares = PLAIN, world: str = "kiosk") -> list[Conversation]:
    """So many conversations, led to their end."""
    begins, asked = opening(world, shares), Teacher(teacher)

    async def every() -> list[Conversation]:
        talks = [begins.begin(number, asked) for number in range(count)]
        for talk in talks:
            await lead(talk)
        return talks

    return asyncio.run(every())


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def timeless(path: Path) -> list[dict]:
    """A run's conversations without their wall times."""
    found = lines(path / "conversations.jsonl")
    for record in found:
        del record["trajectory"]["timing"]
        for call in record["trajectory"]["calls"]:
            del call["seconds"]
    return found
