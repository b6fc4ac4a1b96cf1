"""Play: be the customer or the agent in the page, go on from a recorded turn, save what came of it. The routes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from typing import Any, Literal

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel, Field

from toolgym.sandbox.kit.errors import BadInput, unknown
from toolgym.sandbox.kit.message import Json, Party
from toolgym.sandbox.runtime.approval import Approval, Consent, require_possible
from toolgym.sandbox.runtime.registry import get_domain, names
from toolgym.viewer.open_run import OpenRuns
from toolgym.viewer.play import records, speech
from toolgym.viewer.play.beginning import Beginning, Origin, Side, forked
from toolgym.viewer.play.conversation import Conversation, environment_address
from toolgym.viewer.play.open_conversations import Conversations

_LOOK = 0.5
"""Seconds between two looks at whether the server is to end."""
_LONGEST = 20_000
"""Characters of one message."""


class Start(BaseModel):
    """A conversation about a task."""

    world: str
    task: str
    data: str | None = None
    agent: Side = Side()
    user: Side = Side(name="scripted")
    consent: Consent = "words"


class Fork(BaseModel):
    """A conversation that goes on from a turn of an episode."""

    origin: Origin
    agent: Side = Side()
    user: Side | None = None


class Move(BaseModel):
    """What the person does: says something, or calls a tool."""

    text: str = Field("", max_length=_LONGEST)
    goodbye: bool = False
    tool: str | None = None
    arguments: dict[str, Json] = {}


class Answer(BaseModel):
    """What the person answers, as the customer, to a call that is about to be made."""

    approved: bool
    sentence: str = Field("", max_length=_LONGEST)


class Seating(BaseModel):
    """Who takes a side from now on: the person, its player, or another player."""

    side: Party
    by: Literal["hand", "player"] = "player"
    given: Side | None = None


class Place(BaseModel):
    """Where a conversation is saved, below the folder that is viewed."""

    folder: str = records.FOLDER


def routes(runs: OpenRuns, ending: Callable[[], bool], *, shared: bool, kept: bool = True) -> APIRouter:
    """The routes of Play.

    Args:
        runs: the runs that are viewed.
        ending: whether the server is to end.
        shared: whether others than this machine reach the server.
        kept: whether the folder is there when the server has ended.
    """
    api = APIRouter(prefix="/api/play")
    held = Conversations(runs.folders.root, shared=shared)

    @api.get("/players")
    def players() -> dict[str, Any]:
        return {
            "agents": names("agents"),
            "users": [name for name in names("users") if name != "human"],
            "models": {side: environment_address(side) is not None for side in ("agent", "user")},
            "speech": speech.problem(),
            "kept": kept,
            "folder": records.FOLDER,
        }

    @api.get("/tasks")
    def tasks(world: str, split: str, data: str | None = None) -> dict[str, Any]:
        domain = get_domain(world)
        data = data or domain.newest_data
        splits = list(domain.open_data(data).splits)
        if split not in splits:
            raise unknown(f"split of {world}", split, splits)
        columns = ("id", "family", "difficulty", "depth", "information")
        rows = [
            [getattr(task, name) for name in columns]
            for task in domain.tasks(split, data)
            if task.goals or task.scenario
        ]
        return {"columns": columns, "rows": rows}

    @api.post("/start")
    async def start(given: Start) -> dict[str, Any]:
        domain = await asyncio.to_thread(get_domain, given.world)
        task = await asyncio.to_thread(domain.task, given.task, given.data)
        require_possible(given.consent, task.data, user=True)
        beginning = Beginning(task=task, seed=task.seed, agent=given.agent, user=given.user, consent=given.consent)
        return await _told(await held.begin(beginning))

    @api.post("/fork")
    async def fork(given: Fork) -> dict[str, Any]:
        origin = given.origin

        def beginning() -> Beginning:
            run = runs.get(origin.run)
            played = run.trajectory(origin.task, origin.trial)
            settings = run.folder.settings() if run.folder.settings_file.is_file() else {}
            return forked(played, settings, origin, given.agent, given.user)

        return await _told(await held.begin(await asyncio.to_thread(beginning)))

    @api.get("/state")
    async def state(id: str) -> dict[str, Any]:
        return await _told(await held.get(id))

    @api.get("/hints")
    async def hints(id: str) -> dict[str, Any]:
        return (await held.get(id)).hints()

    @api.get("/events", response_class=EventSourceResponse)
    async def stream(id: str, version: int = -1) -> AsyncIterator[ServerSentEvent]:
        conversation = await held.get(id)
        while not ending():
            conversation.touched = time.monotonic()
            if await conversation.later(version, _LOOK):
                told = await conversation.state()
                version = told["version"]
                yield ServerSentEvent(data=told)

    @api.post("/move")
    async def move(id: str, given: Move) -> dict[str, Any]:
        conversation = await held.get(id)
        if given.tool is None:
            conversation.say(given.text, goodbye=given.goodbye)
        else:
            conversation.call(given.tool, given.arguments)
        return await _told(conversation)

    @api.post("/approve")
    async def approve(id: str, given: Answer) -> dict[str, Any]:
        conversation = await held.get(id)
        conversation.decide(Approval(approved=given.approved, sentence=given.sentence.strip()))
        await asyncio.sleep(0)
        return await _told(conversation)

    @api.post("/seat")
    async def seat(id: str, given: Seating) -> dict[str, Any]:
        conversation = await held.get(id)
        if given.given is not None:
            held.admit(given.side, given.given)
            conversation.reseat(given.side, given.given)
        else:
            conversation.hand_over(given.side, given.by)
        await asyncio.sleep(0)
        return await _told(conversation)

    @api.post("/end")
    async def end(id: str) -> dict[str, Any]:
        conversation = await held.get(id)
        conversation.end()
        while not conversation.over:
            await conversation.later(conversation.version, 1.0)
        return await _told(conversation)

    @api.post("/save")
    async def save(id: str, given: Place) -> dict[str, Any]:
        conversation = await held.get(id)
        if conversation.trajectory is None:
            raise BadInput("Only a conversation that is over can be saved; end it first.")
        if conversation.saved is None:
            root = runs.folders.root
            conversation.saved = await asyncio.to_thread(records.save, root, conversation.trajectory, given.folder)
            conversation.journal.add({"saved": conversation.saved})
            conversation.changed()
        return await _told(conversation)

    @api.get("/record")
    async def record(id: str) -> Response:
        conversation = await held.get(id)
        if conversation.trajectory is None:
            raise BadInput("There is a record once the conversation is over; end it first.")
        headers = {"content-disposition": f'attachment; filename="{conversation.trajectory.task.id}.jsonl"'}
        return PlainTextResponse(conversation.trajectory.to_line() + "\n", headers=headers)

    @api.post("/hear")
    async def hear(request: Request) -> dict[str, Any]:
        return {"text": await asyncio.to_thread(speech.heard, await _body(request))}

    @api.get("/voice")
    async def voice(id: str, message: int) -> Response:
        conversation = await held.get(id)
        said = conversation.said(message)
        sound = await asyncio.to_thread(speech.spoken, said, conversation.beginning.task)
        return Response(sound, media_type="audio/wav")

    return api


async def _told(conversation: Conversation) -> dict[str, Any]:
    await conversation.settled()
    return await conversation.state()


async def _body(request: Request) -> bytes:
    """A recording, which is refused before it fills the memory."""
    found = bytearray()
    async for part in request.stream():
        found += part
        if len(found) > speech.LARGEST:
            raise BadInput(f"A recording may have {speech.LARGEST // 1_000_000} MB, two minutes; say it in parts.")
    return bytes(found)
