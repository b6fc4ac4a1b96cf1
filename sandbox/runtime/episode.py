"""An episode: the loop of one task from the user's first message to the end, as steps anybody can drive.

`Episode` is what the Gymnasium environment, the evaluation and the trainer share; `run_episode` plays one to its end
with an agent. Nothing here knows how agents or users think.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal, TypeVar

from toolgym.sandbox.kit.author_errors import failed_at
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import BadInput, InfrastructureError, ToolgymError, Unreadable
from toolgym.sandbox.kit.message import STOP, Json, Message, Party, ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.tool import ToolResult
from toolgym.sandbox.runtime.approval import (
    DECLINED,
    NOT_ASKED,
    ApprovalRecord,
    Approve,
    Consent,
    approver_of,
    decline,
    own_session,
    require_possible,
    shown_call,
)
from toolgym.sandbox.runtime.briefing import briefing
from toolgym.sandbox.runtime.distractors import with_distractors
from toolgym.sandbox.runtime.events import events_of
from toolgym.sandbox.runtime.info import Info, ProgramAttempt, ProgramFault
from toolgym.sandbox.runtime.limits import Limits
from toolgym.sandbox.runtime.program import Step, play
from toolgym.sandbox.runtime.registry import is_own_data
from toolgym.sandbox.runtime.roles import Agent, AgentPlayer, Usage, User
from toolgym.sandbox.runtime.run_in_thread import run_in_thread
from toolgym.sandbox.runtime.session import RowChange
from toolgym.sandbox.runtime.session_like import SessionLike
from toolgym.sandbox.runtime.trajectory import Fault, Termination, Timing, Trajectory
from toolgym.sandbox.runtime.usage import summed
from toolgym.sandbox.runtime.visible import visible

Value = TypeVar("Value")

UNREAD = "[Your message could not be read and was not delivered: {}]"
"""What an agent is told whose message could not be read."""


class Episode:
    """One conversation about one task.

    Args:
        domain: where it happens.
        task: what it is about.
        session: the episode's private world; the caller closes it.
        user: who plays the user; None for solo work on the task's ticket.
        seed: seeds the user.
        limits: bounds.
        profile: what the agent is told about its user, who then counts as authenticated.
        program: nobody plays the user: the agent answers the task's request once, by a program.
        consent: how the user agrees to changes; `call` shows each to the user before it is made.

    Attributes:
        messages: the conversation so far.
    """

    def __init__(
        self,
        domain: Domain,
        task: Task,
        session: SessionLike,
        user: User | None,
        *,
        seed: int = 0,
        limits: Limits | None = None,
        profile: Json = None,
        program: bool = False,
        consent: Consent = "words",
    ) -> None:
        if program and user is not None:
            raise BadInput("A program answers a request; nobody plays a user then.")
        require_possible(consent, task.data, user=user is not None)
        self.program = program
        self._attempts: list[ProgramAttempt] = []
        self.domain = with_distractors(domain, task)
        self.task, self.session, self.seed = task, session, seed
        self.profile = profile
        self.limits = limits or Limits()
        self.messages: list[Message] = []
        self._termination: Termination | None = None
        self._fault: Fault | None = None
        self._unread: list[int] = []
        self.turns = self._user_turns = 0
        self._errors = 0
        self._calls = 0
        self._user_view: list[Message] = []
        self._usage: list[Usage] = []
        self._seconds = {"environment": 0.0, "agent": 0.0, "user": 0.0}
        self._started = time.perf_counter()
        user_tools = self.domain.user_tools.to_openai()
        self._player = user.open(task, seed=seed, tools=user_tools) if user is not None else None
        self.consent: Consent = consent
        self._approvals: list[ApprovalRecord] = []
        self._approve = approver_of(self._player, session) if consent == "call" else None
        self._sees = is_own_data(task.data) and hasattr(self._player, "see")  # others' scores mean words alone

    @property
    def termination(self) -> Termination | None:
        """Why the episode ended, or None while it runs."""
        return self._termination

    @property
    def fault(self) -> Fault | None:
        """What broke, where that is why the episode ended."""
        return self._fault

    @property
    def done(self) -> bool:
        """Whether the episode has ended."""
        return self.termination is not None

    @property
    def truncated(self) -> bool:
        """Whether a limit cut the conversation; an answer by a program ends where it stops."""
        return not self.program and self.termination in ("max_turns", "max_errors", "time_limit")

    def end(self, reason: Termination, fault: Fault | None = None) -> None:
        """End the episode, from within or from outside; of several reasons the first one stands."""
        if not self.done:
            self._termination, self._fault = reason, fault

    def fail(self, error: InfrastructureError) -> None:
        """End the episode as an infrastructure failure."""
        self.end("infrastructure_error", Fault(boundary=error.boundary, message=error.message))

    @property
    def solo(self) -> bool:
        """Whether the agent works alone, on the task's ticket and with both sides' tools."""
        return self._player is None

    @property
    def last_action(self) -> Message:
        """The agent's last message as recorded, with its call ids."""
        return next(message for message in reversed(self.messages) if message.role == "assistant")

    @property
    def user_notes(self) -> Json:
        """What the user's player noted about itself (its `notes` attribute), or None."""
        return getattr(self._player, "notes", None)

    async def start(self) -> list[Message]:
        """The messages that open the conversation: the user's first one, or the ticket in solo work."""
        if self._player is None:
            opening = [Message(role="user", content=self.task.ticket or self.task.scenario)]
            self.messages += opening
            return opening
        return await self._ask_user()

    async def step(self, action: Message) -> list[Message]:
        """Play one agent message: run its tool calls, or pass its text to the user.

        Returns:
            The feedback: tool messages, or the user's reply. Empty when the message ended the episode.

        Raises:
            ToolgymError: the episode has ended already.
        """
        if self.done:
            raise ToolgymError("This episode has ended; start another.")
        if action.tool_calls:
            calls = tuple(self._addressed(self._numbered(call)) for call in action.tool_calls)
            action = action.model_copy(update={"tool_calls": calls})
        self.messages.append(action)
        self.turns += 1
        feedback: list[Message] = []
        try:
            if self.program:
                feedback = await self._run_program(action)
            elif action.tool_calls:
                feedback = await self._run_calls(action)
            elif self._player is None:
                self.end("agent_stop")
            elif self._user_turns == self.limits.max_user_turns:
                self.end("max_turns")
            else:
                self._user_view.append(Message(role="assistant", content=visible(action.content or "")))
                feedback = await self._ask_user()
        except InfrastructureError as error:
            self.fail(error)
            return []
        if self.turns >= self.limits.max_turns:
            self.end("max_turns")
        if time.perf_counter() - self._started > self.limits.episode_seconds:
            self.end("time_limit")
        return feedback

    def reject(self, text: str, error: object) -> list[Message]:
        """Record agent text that could not be read; it costs a turn. Returns the notice that says so."""
        notice = Message(role="user", content=UNREAD.format(error))
        self._unread.append(len(self.messages))
        self.messages += [Message(role="assistant", content=self._shortened(text)), notice]
        self.turns += 1
        if self.program:
            self._attempted(0, ProgramFault(code="unreadable", message=str(error)))
        if self.turns >= self.limits.max_turns:
            self.end("max_turns")
        return [notice]

    def record_usage(self, usage: Usage) -> None:
        """Add what a model reply cost."""
        self._usage.append(usage)

    async def timed(self, part: Party, work: Awaitable[Value]) -> Value:
        """Await a role's reply within `model_seconds`, a user's within `user_seconds`, charging the time to it.

        Raises:
            InfrastructureError: no reply in time, or the role's code failed.
            ToolgymError: the role says that it cannot work at all (its settings are wrong).
        """
        boundary: Literal["model", "user"] = "model" if part == "agent" else "user"
        seconds = self.limits.model_seconds
        if part == "user" and self.limits.user_seconds is not None:
            seconds = self.limits.user_seconds
        started = time.perf_counter()
        try:
            async with asyncio.timeout(seconds):  # unlike wait_for, makes no task
                return await work
        except TimeoutError as error:
            raise InfrastructureError(boundary, f"The {part} gave no reply in {seconds:g} s.") from error
        except ToolgymError:
            raise
        except Exception as error:  # the boundary of an author's code: one bug must not end a run of thousands
            raise InfrastructureError(boundary, f"The {part} failed: {failed_at(error)}") from error
        finally:
            self._seconds[part] += time.perf_counter() - started

    def trajectory(
        self, *, trial: int = 0, agent: str = "", user: str = "", notes: Mapping[str, Json] | None = None
    ) -> Trajectory:
        """The record of this episode; call it once it has ended.

        Args:
            trial: repetition number from 0.
            agent: who played the agent.
            user: who played the user.
            notes: what the two noted about themselves, by `agent` and `user`.
        """
        if self.termination is None:
            raise ToolgymError("This episode is still running; it has no trajectory yet.")
        diff: Sequence[RowChange] = ()
        if self.fault is None or self.fault.boundary not in {"session", "tool"}:
            diff = self.session.diff()
        return Trajectory(
            task=self.task,
            trial=trial,
            seed=self.seed,
            agent=agent,
            user=user,
            messages=tuple(self.messages),
            calls=tuple(self.session.log),
            diff=tuple(diff),
            termination=self.termination,
            fault=self.fault,
            usage=summed(self._usage),
            timing=Timing(total=time.perf_counter() - self._started, **self._seconds),
            consent=self.consent,
            approvals=tuple(record.model_copy(update={"by": user}) for record in self._approvals),
            info=self._info(notes or {}),
        )

    def _info(self, notes: Mapping[str, Json]) -> Info:
        found = {"solo": self.solo, "unread": self._unread, "programs": self._attempts, **notes}
        return Info.model_validate({name: value for name, value in found.items() if value})

    def _numbered(self, call: ToolCall) -> ToolCall:
        self._calls += 1
        return call if call.id else call.model_copy(update={"id": f"call_{self._calls}"})

    def _addressed(self, call: ToolCall) -> ToolCall:
        """The call with whose tool set it means; an agent that works alone holds the user's as well."""
        theirs = self.solo and call.name in self.domain.user_tools and call.name not in self.domain.tools
        return call.model_copy(update={"by": "user" if theirs else "agent"})

    async def _run_calls(self, action: Message) -> list[Message]:
        feedback = []
        for position, call in enumerate(action.tool_calls):
            if position >= self.limits.max_calls_per_turn:
                text = f"Error: at most {self.limits.max_calls_per_turn} calls are run per message [too_many_calls]"
                feedback.append(self._tool_message(call, text))
                continue
            result = await self._declined(call, self._approve) if self._approve is not None else None
            if result is None:
                result = await self._call(call, by=call.by)
            feedback.append(self._tool_message(call, result.text))
            self._errors = 0 if result.ok else self._errors + 1
            if result.error is not None and result.error.code == DECLINED:
                rest = action.tool_calls[position + 1 :]
                feedback += [self._tool_message(each, self._not_asked(each).text) for each in rest]
                break
            tool = self.domain.tools.get(call.name)
            if result.ok and tool is not None and tool.ends_episode:
                self.end("transfer")
                break
            if self._errors >= self.limits.max_errors:
                self.end("max_errors")
                break
        self.messages += feedback
        return feedback

    async def _declined(self, call: ToolCall, approve: Approve) -> ToolResult | None:
        """Show a change to the user; the refusal that a no is, None where the call may be made.

        A call that the tool would not take in any case is not shown, nor one that needs nobody's yes.
        """
        session = own_session(self.session)
        assert session is not None
        tool = session.tools_of("agent").get(call.name) if call.by == "agent" else None
        shown = shown_call(session, tool, call) if tool is not None and tool.confirm else None
        if shown is None:
            return None
        answer = await self.timed("user", approve(call, shown))
        for usage in getattr(self._player, "take_usage", tuple)():
            self.record_usage(usage)
        record = {"call": len(self.session.log), "shown": shown, "approved": answer.approved}
        self._approvals.append(ApprovalRecord.model_validate(record | {"sentence": answer.sentence}))
        if answer.approved:
            return None
        if answer.leaves:
            self.end("user_stop")
        return decline(self.session, call, DECLINED, answer.sentence or "The user said no.")

    def _not_asked(self, call: ToolCall) -> ToolResult:
        return decline(
            self.session, call, NOT_ASKED, "The user declined the call before this one; this one was not made."
        )

    async def _run_program(self, action: Message) -> list[Message]:
        """Play a program; what each call came to, those that were not made included."""
        steps, fault = await play(
            action.tool_calls,
            lambda call: self._call(call, by=call.by),
            lambda call: self.domain.tools_of(call.by).get(call.name),
            self.limits.max_calls_per_turn,
        )
        feedback = [self._tool_message(step.call, step.text) for step in steps]
        self.messages += feedback
        if any(self._hands_over(step) for step in steps):
            self.end("transfer")
        self._attempted(sum(step.made for step in steps), fault)
        return feedback

    def _attempted(self, results: int, fault: ProgramFault | None) -> None:
        """Note a program; the episode ends with it, unless it was stopped by a fault and another try is left."""
        first = sum(attempt.results for attempt in self._attempts)
        noted = {"first": first, "results": results} | ({"fault": fault} if fault else {})
        self._attempts.append(ProgramAttempt.model_validate(noted))
        if fault is None:
            self.end("agent_stop")
        elif len(self._attempts) > self.limits.max_retries:
            self.end("max_errors")

    def _hands_over(self, step: Step) -> bool:
        tool = self.domain.tools.get(step.call.name)
        return step.ok and tool is not None and tool.ends_episode

    async def _call(self, call: ToolCall, *, by: Party) -> ToolResult:
        started = time.perf_counter()
        try:
            if not self.session.blocking:
                return self.session.call(call.name, call.arguments, by=by)
            work = partial(self.session.call, call.name, call.arguments, by=by)
            return await run_in_thread(work, self.limits.tool_seconds)
        except TimeoutError as error:
            raise InfrastructureError(
                "tool", f"{call.name} gave no result in {self.limits.tool_seconds:g} s."
            ) from error
        finally:
            self._seconds["environment"] += time.perf_counter() - started

    def _tool_message(self, call: ToolCall, text: str) -> Message:
        return Message(role="tool", content=self._shortened(text), tool_call_id=call.id, name=call.name)

    def _shortened(self, text: str) -> str:
        limit = self.limits.max_result_chars
        return text if len(text) <= limit else text[:limit] + f"... [{len(text) - limit} more characters]"

    async def _ask_user(self) -> list[Message]:
        """The user's next words; calls of the user's own tools are run on the way and hidden from the agent."""
        assert self._player is not None
        self._user_turns += 1
        own = own_session(self.session)
        if self._sees and own is not None:
            self._player.see(events_of(own))  # type: ignore[attr-defined]  # found above
        for _ in range(self.limits.max_user_calls):
            try:
                reply = await self.timed("user", self._player.reply(tuple(self._user_view)))
            finally:
                for usage in getattr(self._player, "take_usage", tuple)():
                    self.record_usage(usage)
            if not reply.tool_calls:
                break
            calls = tuple(self._numbered(call.model_copy(update={"by": "user"})) for call in reply.tool_calls)
            reply = reply.model_copy(update={"tool_calls": calls})
            self._remember(reply)
            for call in calls:
                result = await self._call(call, by="user")
                self._remember(self._tool_message(call, result.text))
        else:
            raise InfrastructureError(
                "user", f"The user made {self.limits.max_user_calls} rounds of calls and said nothing."
            )
        self._remember(reply)
        if reply.content and STOP in reply.content:
            self.end("user_stop")
        return [reply]

    def _remember(self, message: Message) -> None:
        self._user_view.append(message)
        self.messages.append(message)


async def run_episode(
    episode: Episode, agent: Agent, *, trial: int = 0, agent_name: str = "", user_name: str = ""
) -> Trajectory:
    """Play an episode to its end with an agent. Infrastructure failures end it and are recorded, never raised."""
    domain, task = episode.domain, episode.task
    player: AgentPlayer | None = None
    try:
        told = briefing(
            domain,
            task,
            seed=episode.seed,
            privileged=agent.privileged,
            solo=episode.solo,
            program=episode.program,
            consent=episode.consent,
        )
        player = agent.open(replace(told, profile=episode.profile))
        heard = await episode.start()
        view = list(heard)
        while not episode.done:
            try:
                action = await episode.timed("agent", player.act(tuple(view)))
            except Unreadable as error:  # of an agent that hands its mistakes on, as programs' retries are counted
                feedback = episode.reject(error.text, error)
            else:
                feedback = await episode.step(action)
            view += [episode.last_action, *feedback]
    except InfrastructureError as error:
        episode.fail(error)
    for usage in getattr(player, "take_usage", tuple)():
        episode.record_usage(usage)
    notes = {"agent": getattr(player, "notes", None), "user": episode.user_notes}
    record = partial(episode.trajectory, trial=trial, agent=agent_name, user=user_name, notes=notes)
    return await run_in_thread(record, episode.limits.tool_seconds) if episode.session.blocking else record()
