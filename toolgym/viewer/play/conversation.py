"""A conversation that is played in the page: an episode whose two seats the person and players share."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import os
import time
from collections.abc import Mapping
from typing import Any, Literal

from toolgym.judge.report.episode_data import episode_data
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import BadInput, Unreadable
from toolgym.sandbox.kit.message import STOP, Json, Message, Party, ToolCall
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.approval import Approval
from toolgym.sandbox.runtime.briefing import briefing
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.limits import Limits
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import make_agent, make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.viewer.play.beginning import Beginning, Said, Side
from toolgym.viewer.play.records import Journal
from toolgym.viewer.play.seat import HUMAN, AgentSeat, Recorded, Seat, UserSeat

LIMITS = Limits(max_turns=200, max_user_calls=200, model_seconds=1e7, episode_seconds=1e7)
"""A person takes their time, and calls one tool a step."""
_MODEL_RETRIES = 1
"""Further attempts at an endpoint: somebody is waiting, and may try again by hand."""
_PATIENCE = 0.3
"""Seconds for which a player's answer is waited for before the page shows that it thinks."""
_GOODBYE = "Thank you, goodbye."


class Conversation:
    """One conversation.

    Args:
        name: its id.
        beginning: how it begins.
        journal: where what is said is kept.

    Attributes:
        version: a number that grows with everything that is new.
        touched: when somebody last asked for it, by the monotonic clock.
        trajectory: the record, once it has ended.
        saved: the episode that it was saved as: run, task, trial.
        fault: why it could not be played on, if that is so.
    """

    def __init__(self, name: str, beginning: Beginning, journal: Journal) -> None:
        self.name, self.beginning, self.journal = name, beginning, journal
        self.version, self.touched, self._since = 0, time.monotonic(), time.time()
        self.trajectory: Trajectory | None = None
        self.saved: dict[str, Any] | None = None
        self.fault = ""
        self.domain: Domain = get_domain(beginning.task.domain)
        self._news = asyncio.Event()
        # the notice behind an unreadable message and the ticket of solo work are nobody's words
        self._written = len(beginning.recorded) + sum(each.unread for each in beginning.recorded)
        self._written += beginning.user is None
        self._talk: tuple[int, dict[str, Any]] | None = None
        self.agent = AgentSeat(self.changed, beginning.task)
        self.user = UserSeat(self.changed) if beginning.user is not None else None
        self.seat("agent", beginning.agent)
        if self.user is not None and beginning.user is not None:
            self.seat("user", beginning.user)
            self.user.repeat_approvals(beginning.approvals)
        for role, seat in (("assistant", self.agent), ("user", self.user)):
            if seat is not None:
                seat.repeat((_repeated(each), each.by) for each in beginning.recorded if each.said.role == role)
        self._session: Session | None = None
        self._episode: Episode | None = None
        self._task: asyncio.Task[None] | None = None

    # --- the course of it ---

    def start(self) -> None:
        """Begin to play, on the running loop."""
        self._task = asyncio.get_running_loop().create_task(self._play())

    async def _play(self) -> None:
        begin = self.beginning
        try:
            with Session(self.domain, task=begin.task) as session:
                self._session = session
                self._episode = Episode(
                    self.domain,
                    begin.task,
                    session,
                    self.user,
                    seed=begin.seed,
                    limits=LIMITS,
                    profile=begin.profile,
                    consent=begin.consent,
                )
                played = await run_episode(self._episode, self.agent)
        except Exception as error:  # the boundary of a world's code: the page says what happened
            self.fault = f"It cannot be played on: {error}"
        else:
            names = {"agent": _named(self.agent), "user": _named(self.user) if self.user else "none"}
            self.trajectory = played.model_copy(update=names)
        self.changed()

    def changed(self) -> None:
        """Tell whoever looks that there is something new."""
        self._write()
        self.version += 1
        self._news.set()
        self._news = asyncio.Event()

    def _write(self) -> None:
        if self._episode is None:
            return
        said = [message for message in self._episode.messages if message.role in ("assistant", "user")]
        for message in said[self._written :]:
            seat: Seat | None = self.agent if message.role == "assistant" else self.user
            by = seat.movers[-1] if seat is not None and seat.movers else ""
            self.journal.add(Said(said=message, by=by).model_dump(mode="json"))
        self._written = max(self._written, len(said))

    async def later(self, version: int, seconds: float) -> bool:
        """Wait until there is something newer than a version; whether there is."""
        if self.version == version:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), seconds)
        return self.version != version

    async def settled(self, seconds: float = 5.0) -> None:
        """Wait until it is the person's move, a player has thought for a while, or it is over."""
        end = time.monotonic() + seconds
        while not (self.over or self._due() or self._thinking() > _PATIENCE) and time.monotonic() < end:
            await self.later(self.version, 0.05)

    @property
    def over(self) -> bool:
        """Whether nothing more can be said."""
        return self.trajectory is not None or bool(self.fault)

    def _due(self) -> Party | None:
        if self.agent.waiting:
            return "agent"
        return "user" if self.user is not None and (self.user.waiting or self.user.deciding) else None

    def _thinking(self) -> float:
        """Seconds that a player has thought."""
        since = [seat.since for seat in (self.agent, self.user) if seat is not None and seat.since is not None]
        return time.time() - min(since) if since else 0.0

    async def close(self) -> None:
        """Put it aside; its journal stays."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    # --- what the person does ---

    def seat(self, side: Party, given: Side) -> None:
        """Seat a player, or the person, on a side.

        Raises:
            ToolgymError: there is no such player, it has no model, or it does not take these options.
        """
        seat = self._seat(side)
        if given.name == HUMAN:
            seat.vacate()
            return
        options = dict(given.options)
        made = registry.load("agents" if side == "agent" else "users", given.name)
        takes = "model" in inspect.signature(made).parameters
        if takes:
            named = {"model": given.model, "base_url": given.base_url}
            options["model"] = {name: value for name, value in named.items() if value} | {"retries": _MODEL_RETRIES}
        elif given.model or given.base_url:
            raise BadInput(f"The {side} {given.name!r} uses no model; leave the model out, or choose llm.")
        label = f"{given.name}:{given.model}" if takes and given.model else given.name
        if isinstance(seat, AgentSeat):
            seat.sit(make_agent(given.name, options), label, follows=not takes)
        elif isinstance(seat, UserSeat):
            seat.sit(make_user(given.name, options), label, follows=not takes)
        seat.hand_over("hand" if given.hand else "player")

    def reseat(self, side: Party, given: Side) -> None:
        """Seat another player in the course of the conversation; raises as `seat` does."""
        self.seat(side, given)
        self.journal.add({"side": side, "given": given.model_dump(mode="json")})
        self.changed()

    def hand_over(self, side: Party, by: Literal["hand", "player"]) -> None:
        """Let the player of a side go on, or take the side over by hand (a player that thinks is stopped)."""
        seat = self._seat(side)
        if by == "player" and not seat.name:
            raise BadInput(f"Nobody but you plays the {side} here; choose an agent or user for it first.")
        seat.hand_over(by)
        self.journal.add({"side": side, "hand": by == "hand"})
        self.changed()

    def say(self, text: str, *, goodbye: bool = False) -> None:
        """Say something as the side whose move it is; a customer who says goodbye ends the conversation.

        Raises:
            BadInput: it is nobody's move, or there is nothing to say.
        """
        side, text = self._movable(), text.strip()
        if goodbye and side == "user":
            text = f"{text or _GOODBYE} {STOP}"
        if not text:
            raise BadInput("Write something to say.")
        self._seat(side).put(Message(role="user" if side == "user" else "assistant", content=text))

    def call(self, tool: str, arguments: Mapping[str, Json]) -> None:
        """Call a tool as the side whose move it is.

        Raises:
            BadInput: it is nobody's move, or the side has no tools.
        """
        side = self._movable()
        if side == "user" and not self.domain.user_tools.to_openai():
            raise BadInput("The customer has no tools in this world.")
        made = ToolCall(name=tool, arguments=dict(arguments), by=side)
        self._seat(side).put(Message(role="user" if side == "user" else "assistant", tool_calls=(made,)))

    def decide(self, answer: Approval) -> None:
        """Approve or decline the call that is shown, as the customer (BadInput where none is)."""
        if self.user is None or not self.user.deciding:
            raise BadInput("No call waits for an answer.")
        self.journal.add({"approval": answer.model_dump(mode="json")})
        self.user.decide(answer)

    def end(self) -> None:
        """End the conversation here, as the agent."""
        if self.over or self._episode is None:
            raise BadInput("The conversation is over.")
        self._episode.end("agent_stop")
        self.journal.add({"ended": True})
        for seat in (self.agent, self.user):
            if seat is not None:
                seat.leave()

    def _movable(self) -> Party:
        due = self._due()
        if self.user is not None and self.user.deciding:
            raise BadInput("A call waits for the customer's answer; approve it or decline it first.")
        if due is None:
            raise BadInput("The conversation is over." if self.over else "It is not your move yet.")
        return due

    def _seat(self, side: Party) -> Seat:
        if side == "user" and self.user is None:
            raise BadInput("Nobody plays the user here: the agent works alone on its ticket.")
        return self.agent if side == "agent" or self.user is None else self.user

    # --- what is shown ---

    async def state(self) -> dict[str, Any]:
        """Everything the page shows; what takes long (10 to 80 ms) is worked out beside the loop."""
        begin, talk = self.beginning, self._talk
        told = {
            "id": self.name,
            "version": self.version,
            "since": self._since,  # numbers of versions begin anew when it is taken up again
            "world": self.domain.name,
            "title": self.domain.title,
            "due": self._due(),
            "pending": self.user.pending.model_dump(mode="json")
            if self.user is not None and self.user.pending is not None and self.user.deciding
            else None,
            "over": self.over,
            "fault": self.fault,
            "sides": {side: self._side(side) for side in ("agent", "user")},
            "notes": self._notes(),
            "origin": begin.origin.model_dump() if begin.origin else None,
            "saved": self.saved,
            "unkept": self.journal.problem,
        }
        if talk is None or talk[0] != self.version:
            talk = (self.version, await asyncio.to_thread(_shown, self.trajectory or self._so_far(), over=self.over))
            self._talk = talk
        return told | {"talk": talk[1]}

    def _so_far(self) -> Trajectory:
        """What a record of it would hold by now."""
        messages = tuple(self._episode.messages) if self._episode else ()
        calls = tuple(self._session.log) if self._session else ()
        # calls whose messages are still to come are left out, so that each call has its place
        told = sum(message.role == "tool" for message in messages)
        return Trajectory(task=self.beginning.task, messages=messages, calls=calls[:told], termination="agent_stop")

    def _side(self, side: Party) -> dict[str, Any] | None:
        seat = self.agent if side == "agent" else self.user
        if seat is None:
            return None
        return {"by": seat.by, "name": seat.name, "since": seat.since, "problem": seat.problem, "waiting": seat.waiting}

    def _notes(self) -> list[str]:
        """What is not as it was where recorded words are repeated."""
        said = []
        if self.user is not None and self.user.differing:
            was, now = self.user.differing[0]
            said.append(
                f"The {self.user.name} user would say other words today in {len(self.user.differing)} of the recorded "
                f"messages; its memory may differ. Recorded: {was!r}. Now: {now!r}."
            )
        if self.agent.differing:
            was, now = self.agent.differing[0]
            said.append(
                f"The agent {self.agent.name} would act otherwise in {len(self.agent.differing)} recorded turns. "
                f"Recorded: {was!r}. Now: {now!r}."
            )
        return said

    def said(self, message: int) -> str:
        """The words of a message by its place (BadInput where there is none)."""
        messages = self._so_far().messages
        if not 0 <= message < len(messages):
            raise BadInput(f"There is no message {message} in this conversation.")
        return messages[message].content or ""

    def hints(self) -> dict[str, Any]:
        """What does not change: the policy and the tools of the agent, the customer's situation and tools."""
        task = self.beginning.task
        told = briefing(
            self.domain, task, seed=self.beginning.seed, solo=self.user is None, consent=self.beginning.consent
        )
        facts = [(fact.name.replace("_", " "), fact.value, fact.on_request) for fact in task.facts]
        return {
            "policy": told.policy,
            "tools": [tool["function"] for tool in told.tools],
            "kinds": {name: tool.kind for name, tool in self.domain.tools.items()},
            "situation": task.scenario or " ".join(goal.utterance for goal in task.goals),
            "persona": task.persona,
            "facts": facts,
            "ticket": told.ticket,
            "profile": self.beginning.profile,
            "user_tools": [tool["function"] for tool in self.domain.user_tools.to_openai()],
        }


_RUNNING = (
    *("task", "trial", "domain", "data", "split", "family", "difficulty", "depth", "interaction", "modality"),
    *("messages", "calls", "database"),
)
"""What the page is told of an episode while it runs: nothing of what is right."""


def _shown(record: Trajectory, *, over: bool) -> dict[str, Any]:
    talk = episode_data(record, {})
    if over:
        return talk
    return {name: talk[name] for name in _RUNNING} | {"scores": [], "reasons": [], "violations": [], "ended": ""}


def environment_address(side: Party) -> str | None:
    """The endpoint that the server's environment names for a side's model."""
    return os.environ.get(f"TOOLGYM_{side.upper()}_BASE_URL") or os.environ.get("OPENAI_BASE_URL")


def _repeated(each: Said) -> Recorded:
    return Unreadable("It could not be read.", each.said.content or "") if each.unread else each.said


def _named(seat: Seat) -> str:
    """Who played a side: `llm:m, then human`."""
    return ", then ".join(seat.movers) or seat.name or HUMAN
