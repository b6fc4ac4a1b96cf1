"""The agent loop: one conversation in a session of its own becomes one trajectory of tokens, mask and rewards.

verl makes one loop per trajectory. Everything shared (user, judge, reward, settings) is made once per process.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, TypeVar
from uuid import uuid4

from omegaconf import OmegaConf
from verl.experimental.agent_loop.agent_loop import AgentLoopBase, register
from verl.utils.tokenizer.continuous_token import ContinuousTokenBuilder

from toolgym.sandbox.agents.llm import NATIVE
from toolgym.sandbox.formats import FormatError
from toolgym.sandbox.kit.errors import InfrastructureError
from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.briefing import briefing
from toolgym.sandbox.runtime.episode import Episode
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import User, make_user
from toolgym.training.cpu import ENGINE
from toolgym.training.loop import drift, intervention
from toolgym.training.loop.builder import SAME_TEMPLATE, Chat, make_builder
from toolgym.training.loop.conversation import ChatCodec, require_tools_shown, shape_of
from toolgym.training.loop.output import Costs, Played, TokenRewardOutput, numbers, output
from toolgym.training.loop.scoring import Scorer
from toolgym.training.loop.sessions import Opened, bounded, close_session, open_session
from toolgym.training.loop.settings import LoopSettings, read_settings
from toolgym.training.loop.transcript import Transcript

Value = TypeVar("Value")
log = logging.getLogger(__name__)
_DRIFTS_LOGGED = 3
"""Per process: a template that rewrites history does so in every trajectory, and the metric counts them."""
_drifts = itertools.count()

PAUSE = 2.0
"""Seconds before a second attempt, on average."""


@dataclass(frozen=True)
class Shared:
    """What all loops of a process with the same settings share."""

    user: User
    scorer: Scorer


@lru_cache
def _shared(written: str) -> Shared:
    settings = LoopSettings.model_validate_json(written)
    judge = settings.judge, settings.judge_options, settings.judge_seconds
    return Shared(
        make_user(settings.user, settings.user_options), Scorer(settings.reward, settings.reward_options, *judge)
    )


class ConfiguredLoop(AgentLoopBase):
    """What every toolgym loop has: its settings, how far training has come, and the model."""

    def __init__(self, *arguments: Any, tools: Any = None, hf_model_type: str | None = None, **options: Any) -> None:
        known = SAME_TEMPLATE.get(hf_model_type or "", hf_model_type)
        super().__init__(*arguments, hf_model_type=known, **options)
        if type(vars(self)["continuous_token_builder"]) is ContinuousTokenBuilder:  # verl does not know the model
            self.continuous_token_builder = make_builder(self.tokenizer, known, self.apply_chat_template_kwargs)
        given = (self.rollout_config.get("custom") or {}).get("toolgym") or {}
        self.settings = read_settings(_plain(given))

    def progress(self, row: dict[str, Any]) -> float:
        """Training progress from 0 to 1 at the step of a row, for rewards that follow a schedule."""
        step = int(row.get("global_steps") or 0)
        optim = self.config.actor_rollout_ref.actor.get("optim") or {}
        total = int(optim.get("total_training_steps") or -1)
        return min(1.0, max(0.0, (step - 1) / total)) if total > 0 else 0.0

    def transcript(self, messages: Sequence[Chat], tools: Sequence[Chat] | None) -> Transcript:
        """A transcript that opens with these messages (BadInput when they do not fit)."""
        return Transcript(
            self.continuous_token_builder,
            messages,
            tools=tools,
            prompt_length=self.rollout_config.prompt_length,
            response_length=self.rollout_config.response_length,
        )

    def seeded(self, sampling: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
        """verl's sampling settings with a seed that is this rollout's alone, so that a resumed run draws what it would
        have drawn; for the engine of ours, as others sample more slowly with seeds.
        """
        if self.rollout_config.get("name") != ENGINE:
            return sampling
        index = (row["extra_info"].get("split"), row.get("global_steps"), row.get("index"), row.get("session_id"))
        return {**sampling, "seed": ":".join(map(str, (self.rollout_config.get("seed"), *index)))}

    async def generate(
        self, transcript: Transcript, sampling: dict[str, Any], request: str, costs: Costs, limit: int
    ) -> str:
        """Let the model take a turn of at most `limit` tokens and append it; its text.

        Raises:
            InfrastructureError: the rollout server gave nothing.
        """
        started = time.perf_counter()
        reply = await self.server_manager.generate(
            request_id=request,
            prompt_ids=transcript.ids,
            sampling_params={**sampling, "max_tokens": limit},
            **transcript.media(),
        )
        costs.generate += time.perf_counter() - started
        costs.preempted += max(reply.num_preempted or 0, 0)
        versions = (reply.extra_fields.get("min_global_steps"), reply.extra_fields.get("max_global_steps"))
        costs.steps += [version for version in versions if version is not None]
        if not reply.token_ids:
            raise InfrastructureError("model", "The rollout server returned no token.")
        return transcript.add_reply(reply.token_ids[:limit], reply.log_probs and reply.log_probs[:limit])


@register("toolgym")
class ToolgymLoop(ConfiguredLoop):
    """Plays one task with the model in training as the agent."""

    turns = 0
    """What the attempt under way has come to; logged where it breaks off, as long ones must not be lost more often."""

    async def run(self, sampling_params: dict[str, Any], **row: Any) -> TokenRewardOutput:
        """Play, score, and place the reward.

        Args:
            sampling_params: verl's, for every turn.
            row: the columns of the data set, see docs/training-runtime.md.

        Raises:
            InfrastructureError: every attempt failed; verl drops the trajectory and goes on.
            BadInput: the prompt does not fit, or the settings do not fit together.
        """
        shared = _shared(self.settings.model_dump_json())
        play = partial(self._played, shared.user, row, self.seeded(sampling_params, row))
        attempts, played = await self._tried(play, "playing", row)
        _, scored = await self._tried(
            partial(shared.scorer.score, played.trajectory, self.progress(row)), "scoring", row
        )
        found = await asyncio.to_thread(drift.check, played.transcript) if self.settings.drift_check else None
        if found is not None and found.text_at is not None and next(_drifts) < _DRIFTS_LOGGED:
            log.warning("Task %s: tokenisation drift: %s", played.trajectory.task.id, found)
        info: dict[str, Any] = dict(numbers(played, scored, found, attempts))
        if row["extra_info"].get("split") != "train":
            info["trajectory"] = played.trajectory.to_line()  # the trainer writes validation's into a run folder
        return output(played, scored, self.settings.credit, info)

    async def _tried(self, work: Callable[[], Awaitable[Value]], what: str, row: dict[str, Any]) -> tuple[int, Value]:
        """The number of the attempt that came to its end, and its result; what fails is tried again after a pause.

        Pauses double and differ between trajectories, so that an endpoint that was overrun is not overrun again.
        """
        started, attempt = time.perf_counter(), 1
        while True:
            try:
                return attempt, await work()
            except InfrastructureError as error:
                passed, pause = time.perf_counter() - started, PAUSE * 2 ** (attempt - 1) * random.uniform(0.5, 1.5)
                log.warning(
                    "Task %s, %s, attempt %d, after %.0f s and %d turns: %s (%s)",
                    row["extra_info"].get("task"),
                    what,
                    attempt,
                    passed,
                    self.turns,
                    error.message,
                    error.boundary,
                )
                if attempt == self.settings.attempts or passed + pause > self.settings.episode_seconds:
                    raise
                await asyncio.sleep(pause)
                attempt += 1

    async def _played(self, user: User | None, row: dict[str, Any], sampling: dict[str, Any]) -> Played:
        """A row's task, played once."""
        info = _plain(row["extra_info"])
        task = Task.model_validate_json(info["task_json"])
        program = info.get("kind") == "program"
        shape = shape_of(info.get("format") or NATIVE, program=program)
        system = [dict(message) for message in row["raw_prompt"]]
        return await self._play(None if program else user, task, shape, system, sampling, int(info.get("seed") or 0))

    async def _play(
        self, user: User | None, task: Task, shape: ChatCodec, system: list[Chat], sampling: dict[str, Any], seed: int
    ) -> Played:
        """One attempt in a fresh session."""
        self.turns = 0
        session: Opened | None = await open_session(task, self.settings)
        assert session is not None
        seconds = self.settings.tool_seconds
        try:
            limits = self.settings.limits()
            domain, program = get_domain(task.domain), user is None
            episode = Episode(
                domain,
                task,
                session,
                user,
                seed=seed,
                limits=limits,
                program=program,
                consent=self.settings.consent,
            )
            transcript, costs = await self._converse(episode, shape, system, sampling)
            name, notes = "none" if program else self.settings.user, {"user": episode.user_notes}
            record = partial(episode.trajectory, agent="policy", user=name, notes=notes)
            return Played(await bounded(record, seconds, "read what the session changed"), transcript, costs)
        except InfrastructureError as error:
            if error.boundary in {"tool", "session"}:
                session = None  # a call may still be running in it
            raise
        finally:
            if session is not None:
                await close_session(session, seconds)

    async def _converse(
        self, episode: Episode, shape: ChatCodec, system: list[Chat], sampling: dict[str, Any]
    ) -> tuple[Transcript, Costs]:
        """Play an episode to its end."""
        costs, request = Costs(), uuid4().hex
        heard = await episode.start()
        tools = briefing(episode.domain, episode.task, solo=episode.solo).tools
        transcript = await asyncio.to_thread(self.transcript, [*system, *shape.show(heard)], shape.tools(tools))
        if shape.native:
            require_tools_shown(self.tokenizer, transcript.ids, tools)
        while not episode.done:
            turn = self._take_turn(
                episode, shape, transcript, partial(self.generate, transcript, sampling, request, costs)
            )
            feedback = await _act(episode, shape, await episode.timed("agent", turn))
            self.turns += 1
            if episode.done:
                break
            await asyncio.to_thread(transcript.add_context, shape.show(feedback))
            if transcript.room <= 0:
                episode.end("max_tokens")
        if episode.fault is not None:
            raise InfrastructureError(episode.fault.boundary, episode.fault.message)
        return transcript, costs

    async def _take_turn(
        self, episode: Episode, shape: ChatCodec, transcript: Transcript, generate: Callable[[int], Awaitable[str]]
    ) -> str:
        """The text of the model's turn; a wrong write call is stopped as often as the settings say."""
        budget = self.settings.turn_tokens or transcript.room
        text = await generate(min(budget, transcript.room))
        for _ in range(self.settings.interventions):
            if not _goes_wrong(episode, shape, text):
                break
            transcript.interject(intervention.DOUBT)
            if transcript.room <= 0:
                break
            text = await generate(min(budget, transcript.room))
        return text


def _goes_wrong(episode: Episode, shape: ChatCodec, text: str) -> bool:
    try:
        return intervention.wrong_call(episode, shape.read(text, episode.domain.tools)) is not None
    except FormatError:
        return False


async def _act(episode: Episode, shape: ChatCodec, text: str) -> list[Message]:
    """Play a turn's text; the environment's answer."""
    try:
        action = shape.read(text, episode.domain.tools)
    except FormatError as error:
        return episode.reject(text, error)
    return await episode.step(action)


def _plain(value: Any) -> Any:
    """OmegaConf's containers as Python's."""
    return OmegaConf.to_container(value, resolve=True) if OmegaConf.is_config(value) else value
