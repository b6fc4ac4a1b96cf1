"""One client's environment: episodes one after another, each in a session of the server."""

from __future__ import annotations

import asyncio
import json
import secrets
from random import Random
from typing import Any

from toolgym.sandbox.formats.action import parse_action
from toolgym.sandbox.formats.base import FormatError, get_format
from toolgym.sandbox.formats.program import parse_program
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import Json, Message, ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.tool import ToolResult
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.briefing import briefing
from toolgym.sandbox.runtime.episode import Episode
from toolgym.sandbox.runtime.limits import Limits
from toolgym.sandbox.runtime.roles import Briefing, make_user
from toolgym.sandbox.server.openenv import wire
from toolgym.sandbox.server.openenv.stored_session import StoredSession
from toolgym.sandbox.server.openenv.wire import WireError
from toolgym.sandbox.server.schemas import OpenRequest
from toolgym.sandbox.server.service import Service
from toolgym.sandbox.server.session_factory import open_as_asked, require_data


class Environment:
    """A world as one client plays it.

    Args:
        service: the worker.
        world: which one.
    """

    def __init__(self, service: Service, world: Domain) -> None:
        self._service, self.world = service, world
        self._episode: Episode | None = None
        self._session: StoredSession | None = None
        self._id: str | None = None
        self._reward: float | None = None
        self._turn = asyncio.Lock()

    async def reset(self, asked: wire.Reset) -> dict[str, Json]:
        """Begin an episode; the one before, if any, is over.

        Raises:
            BadInput: there is no such task, or no room for another session.
            InfrastructureError: something broke.
        """
        async with self._turn:
            await self._leave()
            self._episode = None  # so that none goes on where this one cannot begin
            episode = await self._opened(asked)
            opening = await episode.start()
            await self._require_sound()
            told = self._told()
            observation = wire.Opening(
                messages=[message.to_openai() for message in opening],
                task_id=episode.task.id,
                policy=told.policy,
                tools=[dict(tool) for tool in told.tools],
            )
            return wire.observed(observation, None, done=False)

    async def step(self, given: dict[str, Any]) -> dict[str, Json]:
        """Play one action.

        Raises:
            WireError: it is no action, no episode is running, or something broke; then there is no reward.
        """
        if given.get("type") == "list_tools":
            return {"type": "observation", "data": {"observation": self.tools(), "reward": None, "done": False}}
        action = wire.action_of(given)
        async with self._turn:
            episode = self._running()
            feedback = await _played(episode, action)
            return await self._observed(feedback)

    async def call(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        """Call one tool as an action of its own.

        Raises:
            WireError: no episode is running, or something broke.
        """
        async with self._turn:
            episode, session = self._running(), self._session
            assert session is not None
            call = ToolCall(name=name, arguments=arguments)
            feedback = await episode.step(Message(role="assistant", tool_calls=(call,)))
            await self._observed(feedback)
            assert session.last is not None
            return session.last

    def tools(self) -> dict[str, Json]:
        """The tools of the running episode, or else of the world, as MCP lists them."""
        offered = self._told().tools if self._episode is not None else self.world.tools.to_openai()
        return {
            "tools": [
                {
                    "name": tool["function"]["name"],
                    "description": tool["function"]["description"],
                    "input_schema": tool["function"]["parameters"],
                }
                for tool in offered
            ]
        }

    def state(self) -> dict[str, Json]:
        """Where the episode stands."""
        episode = self._episode
        state = wire.State(world=self.world.name)
        if episode is not None:
            state = wire.State(
                episode_id=self._id,
                step_count=episode.turns,
                world=self.world.name,
                task_id=episode.task.id,
                done=episode.done,
                termination=episode.termination,
                reward=self._reward,
            )
        return {"type": "state", "data": state.model_dump(mode="json")}

    async def close(self) -> None:
        """Free the session."""
        async with self._turn:
            await self._leave()

    # --- machinery ---

    async def _opened(self, asked: wire.Reset) -> Episode:
        """A new episode in a new session."""
        data = asked.data or (asked.task.data if isinstance(asked.task, Task) else self.world.newest_data)
        chosen = await self._chosen(asked, data)
        wanted = OpenRequest(domain=self.world.name, data=data, task=chosen, seed=None, now=None, ttl=None)
        session = await open_as_asked(wanted, self._service)
        task = session.task
        assert task is not None
        self._session = StoredSession(self._service, session)
        program = task.interaction == "program"
        user = None if program or task.interaction == "solo" else make_user("scripted")
        self._episode = Episode(
            self.world,
            task,
            self._session,
            user,
            seed=Random(asked.seed).getrandbits(31),
            limits=Limits(max_turns=asked.max_turns),
            program=program,
            consent=asked.consent,
        )
        self._id, self._reward = asked.episode_id or secrets.token_hex(8), None
        return self._episode

    async def _chosen(self, asked: wire.Reset, data: str) -> str | Task:
        """The task that a reset brings, or the id of the one that it names or draws."""
        if asked.task is not None:
            return asked.task if isinstance(asked.task, str | Task) else asked.task.id
        require_data(self.world, data)
        split = asked.split or self.world.usual_split(data)
        tasks = await self._service.tasks(self.world, data, split)
        if not tasks:
            raise BadInput(f"The split {split!r} of {self.world.name} ({data}) holds no task.")
        if asked.index is None:
            return Random(asked.seed).choice(tasks).id
        if asked.index >= len(tasks):
            raise BadInput(f"The split {split!r} has {len(tasks)} tasks, from 0 on; there is no {asked.index}.")
        return tasks[asked.index].id

    def _running(self) -> Episode:
        if self._episode is None:
            raise WireError("SESSION_ERROR", "There is no episode yet; send a reset first.")
        if self._episode.done:
            raise WireError("SESSION_ERROR", f"The episode has ended ({self._episode.termination}); send a reset.")
        return self._episode

    def _told(self) -> Briefing:
        episode = self._episode
        assert episode is not None
        return briefing(self.world, episode.task, solo=episode.solo, program=episode.program, consent=episode.consent)

    async def _observed(self, feedback: list[Message]) -> dict[str, Json]:
        """New messages; at the end with the verifier's reward."""
        episode = self._episode
        assert episode is not None
        await self._require_sound()
        await self._service.settle()
        observation = wire.Observation(messages=[message.to_openai() for message in feedback])
        if not episode.done:
            return wire.observed(observation, 0.0, done=False)
        noted = episode.user_notes
        user = "" if episode.solo else "scripted"
        trajectory = episode.trajectory(agent="openenv", user=user, notes={"user": noted})
        verdict = registry.load("verifiers", "rules")(trajectory)
        observation.metadata = {
            "termination": trajectory.termination,
            "truncated": episode.truncated,
            "verdict": verdict.to_json(),
            "trajectory": trajectory.to_line(),
            **({} if noted is None else {"user": noted}),
        }
        self._reward = float(verdict.passed())
        await self._leave()
        return wire.observed(observation, self._reward, done=True)

    async def _require_sound(self) -> None:
        """Say what broke, if anything did: an infrastructure failure is an error, and never a reward."""
        assert self._episode is not None
        fault = self._episode.fault
        if fault is not None:
            await self._leave()
            raise WireError("EXECUTION_ERROR", f"The episode broke off: {fault.message}")

    async def _leave(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            await session.close()


async def _played(episode: Episode, action: wire.Action) -> list[Message]:
    try:
        message = _message(action, program=episode.program)
    except FormatError as error:
        return episode.reject(action.message, error)
    return await episode.step(message)


def _message(action: wire.Action, *, program: bool) -> Message:
    """An action as the episode takes it."""
    if action.tool_calls:
        calls = [call.model_dump() for call in action.tool_calls]
        return get_format("openai").parse(json.dumps({"content": action.message or None, "tool_calls": calls}))
    if program:
        return parse_program(action.message, get_format("json_ast"))
    return parse_action(action.message)
