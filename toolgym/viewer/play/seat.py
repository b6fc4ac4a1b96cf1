"""One side of a conversation that is played in the page: recorded words first, then a player or the person.

A seat stands where an episode expects an agent or a user, and who sits in it may change between two moves. Nothing here
knows of pages or files.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Literal

from toolgym.sandbox.kit.errors import InfrastructureError, ToolgymError, Unreadable
from toolgym.sandbox.kit.message import Json, Message, ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.approval import Approval, Shown
from toolgym.sandbox.runtime.roles import Agent, AgentPlayer, Briefing, Usage, User, UserPlayer
from toolgym.sandbox.runtime.session import RowChange

HUMAN = "human"
"""The name of the person in the page, in records and settings."""

Recorded = Message | Unreadable
"""What was said, or text that could not be read as an action."""


class Seat:
    """What the two sides share.

    Args:
        changed: told whenever there is something new to show.

    Attributes:
        by: who moves next: the person, or the player.
        name: the player's name; empty where the seat has none.
        problem: why the player did not move, for the person.
        since: when the player began to think, in seconds since 1970; None while it does not.
        differing: what the player would have said in place of recorded words: (as recorded, as now).
        movers: who made the moves, in order, neighbours named once.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self.by: Literal["hand", "player"] = "hand"
        self.name = self.problem = ""
        self.since: float | None = None
        self.differing: list[tuple[str, str]] = []
        self.movers: list[str] = []
        self._recorded: deque[tuple[Recorded, str]] = deque()
        self._moves: list[tuple[tuple[Message, ...], Message, str]] = []
        self._followed = 0
        self._follows = False
        self._typed: asyncio.Future[Message | None] | None = None
        self._work: asyncio.Task[Message] | None = None
        self._player: Any = None
        self._spent: list[Usage] = []
        self._left = False

    # --- who sits here ---

    def repeat(self, recorded: Iterable[tuple[Recorded, str]]) -> None:
        """Say these words first, each of which somebody of that name said before."""
        self._recorded = deque(recorded)

    @property
    def waiting(self) -> bool:
        """Whether the person is to move."""
        return self._typed is not None and not self._typed.done()

    def _sit(self, name: str, *, follows: bool) -> None:
        self._spent += getattr(self._player, "take_usage", list)()
        self.name, self._follows, self._player, self._followed = name, follows, None, 0
        self.problem, self.differing = "", []

    def vacate(self) -> None:
        """Leave the seat to the person."""
        self._sit("", follows=False)
        self.hand_over("hand")

    def hand_over(self, by: Literal["hand", "player"]) -> None:
        """Let the player or the person move from now on; a player that thinks is stopped."""
        self.by = by
        if by == "hand":
            self._stop()
        elif self.waiting and self._typed is not None:
            self._typed.set_result(None)

    def _stop(self) -> None:
        if self._work is not None:
            self._work.cancel()

    # --- moving ---

    def put(self, message: Message) -> None:
        """The person's move; `waiting` says when it is due."""
        if self.waiting and self._typed is not None:
            self._typed.set_result(message)

    def leave(self) -> None:
        """Break off whatever is awaited, now or later: the episode has been ended."""
        self._left = True
        self._stop()
        if self.waiting and self._typed is not None:
            self._typed.set_exception(_ended())

    async def _move(self, heard: Sequence[Message]) -> Message:
        """The next move, whoever makes it."""
        seen = tuple(heard)
        while True:
            if self._left:  # a player that thought when it was told so comes back here, stopped
                raise _ended()
            recorded = bool(self._recorded)
            if recorded:
                again, who = self._recorded.popleft()
                if isinstance(again, Unreadable):
                    raise again
                said: Message | None = again
            elif self.by == "player":
                who, said = self.name, await self._thought(seen)
            else:
                who, said = HUMAN, await self._by_hand()
            if said is not None:
                break
        if self.movers[-1:] != [who]:
            self.movers.append(who)
        self._moves.append((seen, said, who if recorded else ""))
        if recorded or who == HUMAN:
            await self._follow()
        else:
            self._followed = len(self._moves)
        return said

    async def _by_hand(self) -> Message | None:
        self._typed = asyncio.get_running_loop().create_future()
        self._changed()
        try:
            return await self._typed
        finally:
            self._typed = None
            self._changed()

    async def _thought(self, heard: tuple[Message, ...]) -> Message | None:
        """The player's move; None where it was stopped or failed, and the person is to move."""
        self.problem, self.since = "", time.time()
        self._work = asyncio.ensure_future(self._asked(heard))
        self._changed()
        try:
            await asyncio.wait({self._work})
            if self._work.cancelled():
                self.problem = f"{self.name} was stopped. Go on by hand, or let it try again."
            elif error := self._work.exception():
                self.problem = _sentence(self.name, error)
            else:
                return self._work.result()
        finally:
            self._work.cancel()
            self._work = self.since = None
            self._changed()
        self.by = "hand"
        return None

    async def _asked(self, heard: tuple[Message, ...]) -> Message:
        await self._follow()
        return await self._ask(heard)

    async def _follow(self) -> None:
        """Let a player that keeps a state of its own hear what it missed; what it says to that is thrown away."""
        if not (self.name and self._follows and self._opened()):
            return
        for heard, said, recorded_by in self._moves[self._followed :]:
            self._followed += 1
            try:
                now = await self._ask(heard)
            except Exception as error:  # the boundary of a player's code, whose words were not needed
                self.problem = _sentence(self.name, error)
                return
            if self._compares(recorded_by) and _shown(now) != _shown(said):
                self.differing.append((_shown(said), _shown(now)))

    def _compares(self, recorded_by: str) -> bool:
        """Whether it matters that the player would have said other words than somebody did."""
        return recorded_by == self.name

    def _opened(self) -> bool:
        raise NotImplementedError

    def _ask(self, heard: tuple[Message, ...]) -> Awaitable[Message]:
        raise NotImplementedError

    # --- what the episode asks for at its end ---

    @property
    def notes(self) -> Json:
        """What the player noted about itself."""
        return getattr(self._player, "notes", None)

    def take_usage(self) -> list[Usage]:
        """What the replies of whoever sat here cost since the last call."""
        taken, self._spent = [*self._spent, *getattr(self._player, "take_usage", tuple)()], []
        return taken


class AgentSeat(Seat):
    """The agent's side."""

    privileged = False

    def __init__(self, changed: Callable[[], None], task: Task) -> None:
        super().__init__(changed)
        self._task = task
        self._agent: Agent | None = None
        self._briefing: Briefing | None = None

    def sit(self, agent: Agent, name: str, *, follows: bool) -> None:
        """Seat an agent; `follows`: it keeps a state, and has to hear what was said before."""
        self._sit(name, follows=follows)
        self._agent = agent

    def open(self, briefing: Briefing) -> AgentPlayer:
        """Start the episode."""
        self._briefing = briefing
        return self

    async def act(self, messages: Sequence[Message]) -> Message:
        """The next move."""
        return await self._move(messages)

    def _opened(self) -> bool:
        if self._player is None and self._agent is not None and self._briefing is not None:
            told = replace(self._briefing, task=self._task) if self._agent.privileged else self._briefing
            self._player = self._agent.open(told)
        return self._player is not None

    def _ask(self, heard: tuple[Message, ...]) -> Awaitable[Message]:
        self._opened()
        acted: Awaitable[Message] = self._player.act(heard)
        return acted


class UserSeat(Seat):
    """The customer's side.

    Attributes:
        pending: the call that waits for an answer, as it is shown.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        super().__init__(changed)
        self._user: User | None = None
        self.pending: Shown | None = None
        self._answers: deque[Approval] = deque()
        self._decision: asyncio.Future[Approval] | None = None
        self._begin: tuple[Task, int, Sequence[dict[str, Json]]] | None = None
        self._rows: Sequence[RowChange] | None = None
        self._seen: dict[int, Sequence[RowChange]] = {}

    def sit(self, user: User, name: str, *, follows: bool) -> None:
        """Seat a user; `follows` as for an agent."""
        self._sit(name, follows=follows)
        self._user = user

    def open(self, task: Task, *, seed: int, tools: Sequence[dict[str, Json]] = ()) -> UserPlayer:
        """Start the episode."""
        self._begin = (task, seed, tools)
        return self

    def see(self, rows: Sequence[RowChange]) -> None:
        """Be told which rows stand changed; a player that follows later is told the same at the same place."""
        self._rows = rows

    async def reply(self, messages: Sequence[Message]) -> Message:
        """The next move."""
        if self._rows is not None:
            self._seen[len(messages)] = self._rows
        return await self._move(messages)

    def repeat_approvals(self, recorded: Iterable[Approval]) -> None:
        """Answer the first calls so, as somebody did before."""
        self._answers = deque(recorded)

    async def approve(self, call: ToolCall, shown: Shown) -> Approval:
        """The answer to a call that is about to be made, by whoever sits here; a player hears of every one."""
        await self._follow()
        meant, self.pending = None, shown
        if self._player is not None and hasattr(self._player, "approve"):
            try:
                meant = await self._player.approve(call, shown)
            except Exception as error:  # the boundary of a player's code; the person answers for it
                self.problem = _sentence(self.name, error)
        if self._answers:
            answer = self._answers.popleft()
        elif self.by == "player" and meant is not None:
            answer = meant
        else:
            self._decision = asyncio.get_running_loop().create_future()
            self._changed()
            answer = await self._decision
        self.pending = self._decision = None
        return answer

    def decide(self, answer: Approval) -> None:
        """The person's answer to the call that is shown."""
        if self._decision is not None and not self._decision.done():
            self._decision.set_result(answer)

    @property
    def deciding(self) -> bool:
        """Whether the person is to approve a call or decline it."""
        return self._decision is not None and not self._decision.done()

    def leave(self) -> None:
        """Break off whatever is awaited: the episode has been ended."""
        super().leave()
        if self.deciding and self._decision is not None:
            self._decision.set_exception(InfrastructureError("user", "The conversation was ended."))

    def _compares(self, recorded_by: str) -> bool:
        return recorded_by not in ("", HUMAN)  # what it wants was told by whoever spoke for it

    def _opened(self) -> bool:
        if self._player is None and self._user is not None and self._begin is not None:
            task, seed, tools = self._begin
            self._player = self._user.open(task, seed=seed, tools=tools)
        return self._player is not None

    def _ask(self, heard: tuple[Message, ...]) -> Awaitable[Message]:
        self._opened()
        if len(heard) in self._seen and hasattr(self._player, "see"):
            self._player.see(self._seen[len(heard)])
        replied: Awaitable[Message] = self._player.reply(heard)
        return replied


def _ended() -> InfrastructureError:
    return InfrastructureError("user", "The conversation was ended.")


def _sentence(name: str, error: BaseException) -> str:
    return str(error) if isinstance(error, ToolgymError) else f"{name} failed: {type(error).__name__}: {error}"


def _shown(message: Message) -> str:
    """A move in one line."""
    calls = "; ".join(f"{call.name}({call.arguments_text()})" for call in message.tool_calls)
    return calls or message.content or ""
