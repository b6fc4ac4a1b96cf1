"""The Gymnasium environment: one task per episode, the agent's text as action, new messages as observation.

`toolgym.sandbox.gym.registration` registers the ids. The episode itself is `toolgym.sandbox.runtime.episode`; the
reward is the installed verifier's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import partial
from inspect import signature
from typing import Any, Literal

import gymnasium

from toolgym.sandbox.formats.action import parse_action, read_action
from toolgym.sandbox.formats.base import FormatError, get_format
from toolgym.sandbox.formats.program import parse_program
from toolgym.sandbox.gym.spaces import AnyText
from toolgym.sandbox.kit.errors import BadInput, InfrastructureError, ToolgymError, unknown
from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.text import escaped
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.approval import Consent, require_possible
from toolgym.sandbox.runtime.background_loop import run_sync
from toolgym.sandbox.runtime.briefing import briefing
from toolgym.sandbox.runtime.episode import Episode
from toolgym.sandbox.runtime.limits import Limits
from toolgym.sandbox.runtime.preauthenticate import Auth, authenticated
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import User, make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory


class ToolEnv(gymnasium.Env[Any, str]):
    """A conversation with a simulated user about one task.

    Args:
        domain: the world.
        user: who plays the user: `scripted`, `llm` or an installed name, or a user object; None for solo work, on the
            task's ticket and with both sides' tools.
        user_options: options of a user given by name.
        data: body of data: `own`, `v2`, `tau2`, ...; by default what an id plays, and a world's newest.
        split: the split that tasks are drawn from; by default `train`, or the data's first one where there is none.
        task: always play this task id; otherwise each reset draws one.
        interaction: `dialogue`, or `program`: nobody plays the user, and the first action answers the task's request by
            a program (docs/programs.md).
        retries: times a program may be tried again after a fault.
        max_turns: agent steps until the episode is truncated.
        basis: `state` or `writes`, see `toolgym.judge.scoring.verifier`.
        auth: `spoken` (the user says who they are) or `profile` (the agent is told, as `info["profile"]`).
        consent: `words`, or `call`: each change is shown to the user before it is made, who approves or declines it; a
            declined call comes back with the code `declined`.
        action_format: the format of actions; found out by looking when None, of programs `json_ast` then.
        render_mode: `ansi` for a transcript.

    Actions are text: a message to the user, or tool calls as OpenAI-style JSON or in `<tool_call>` tags. Observations
    are text: a JSON list of the new messages (OpenAI's chat format). The reward is 0 until the end and then the
    verifier's 0 or 1. `info` holds `messages` (all so far), `tools`, `policy`, `task_id`, and at the end `verdict`,
    `termination`, `trajectory` (one line, see docs/trajectory.md) and `user`, what the user noted about itself, where
    it did: a language model's faulty replies, what the scripted one did not understand.

    An environment can be pickled and deep-copied, within an episode too: the copy plays the same actions again.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        domain: str,
        *,
        user: str | User | None = "scripted",
        user_options: Mapping[str, Any] | None = None,
        data: str | None = None,
        split: str | None = None,
        task: str | None = None,
        interaction: Literal["dialogue", "program"] = "dialogue",
        retries: int = 0,
        max_turns: int = 30,
        basis: Literal["state", "writes"] = "state",
        auth: Auth = "spoken",
        consent: Consent = "words",
        action_format: str | None = None,
        render_mode: str | None = None,
    ) -> None:
        given = locals()
        self._made_with = {name: given[name] for name in signature(ToolEnv).parameters}
        if render_mode not in (None, "ansi"):
            raise BadInput(f"There is no render mode {render_mode!r}; 'ansi' gives the transcript as text.")
        self.render_mode = render_mode
        self.domain = get_domain(domain)
        self._data, self._fixed, self._basis, self._auth = data or self.domain.newest_data, task, basis, auth
        self._split = split or self.domain.usual_split(self._data)
        self._tasks = self.domain.tasks(self._split, self._data)
        if task is not None:
            self.domain.task(task, self._data)
        if interaction not in ("dialogue", "program"):
            raise unknown("interaction", str(interaction), ["dialogue", "program"])
        self._program = interaction == "program"
        user = None if self._program else user
        self._user = make_user(user, user_options) if isinstance(user, str) else user
        self._parse = _reader(action_format, program=self._program)
        require_possible(consent, self._data, user=self._user is not None)
        self._consent: Consent = consent
        self._limits = Limits(max_turns=max_turns, max_retries=retries)
        self._session: Session | None = None
        self._episode: Episode | None = None
        self._begun: dict[str, Any] = {}
        self._actions: list[str] = []
        self.action_space = AnyText()
        self.observation_space: gymnasium.Space[Any] = AnyText()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start an episode.

        Args:
            seed: seeds the choice of task and the user.
            options: `{"task": id}` plays that task.

        Returns:
            The user's opening messages and `info`.
        """
        super().reset(seed=seed)
        begun = self.np_random.bit_generator.state
        task = self._choose(dict(options or {}))
        self._close_session()
        self._episode, self._begun, self._actions = None, {"options": options, "chance": begun}, []
        task, profile = authenticated(self.domain, task) if self._auth == "profile" else (task, None)
        self._session = Session(self.domain, task=task)
        episode_seed = int(self.np_random.integers(2**31))
        user = self._user_of(task, episode_seed)
        self._episode = Episode(
            self.domain,
            task,
            self._session,
            user,
            seed=episode_seed,
            limits=self._limits,
            profile=profile,
            program=self._program,
            consent=self._consent,
        )
        opening = run_sync(self._episode.start())
        self._require_sound(self._episode)
        return self._observed(opening), self._info()

    def step(self, action: str) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play one agent message.

        A malformed action is answered with a message that says what is wrong; it costs a turn.

        Returns:
            Observation, reward, terminated (the conversation came to its end), truncated (a limit was reached), info.
        """
        if not isinstance(action, str):
            raise BadInput(f"An action is text: a message to the user, or tool calls; got {action!r}.")
        episode = self._running()
        self._actions.append(action)
        action = escaped(action)
        try:
            message = self._parse(action)
        except FormatError as error:
            feedback = episode.reject(action, error)
        else:
            feedback = run_sync(episode.step(message))
        self._require_sound(episode)
        truncated = episode.truncated
        terminated = episode.done and not truncated
        reward, info = 0.0, self._info()
        if episode.done:
            reward = self._finish(episode, info)
        return self._observed(feedback), reward, terminated, truncated, info

    def leave(self) -> tuple[float, dict[str, Any]]:
        """End the running episode by the agent's own decision, before the user has.

        Returns:
            Reward and info, as the last step's.
        """
        episode = self._running()
        episode.end("agent_stop")
        info = self._info()
        return self._finish(episode, info), info

    def render(self) -> str | None:
        """The transcript so far, in render mode `ansi`."""
        if self.render_mode != "ansi" or self._episode is None:
            return None
        return "\n".join(_line(message) for message in self._episode.messages)

    def close(self) -> None:
        """Free the session."""
        self._close_session()

    # --- copies ---

    def __getstate__(self) -> dict[str, Any]:
        """What `pickle` and `copy` take: how the environment was made, and what was done in the running episode."""
        running = self._episode is not None and not self._episode.done
        return {
            "made_with": self._made_with,
            "spec": self.spec,
            "chance": (self._np_random, self._np_random_seed),
            "begun": self._begun if running else {},
            "actions": self._actions if running else (),
            "messages": self._episode.messages if running and self._episode is not None else (),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Make the environment again and play the running episode again; a finished one waits for its `reset`.

        Raises:
            BadInput: the episode comes out otherwise, as with a user that a language model plays.
        """
        self.__init__(**state["made_with"])  # type: ignore[misc]  # as gymnasium.utils.EzPickle does
        self.spec = state["spec"]
        if state["begun"]:
            self.np_random.bit_generator.state = state["begun"]["chance"]
            self.reset(options=state["begun"]["options"])
            for action in state["actions"]:
                self.step(action)
            if self._episode is None or self._episode.messages != state["messages"]:
                raise BadInput(
                    "This environment cannot be copied within an episode: played again, its user says something else."
                )
        self._np_random, self._np_random_seed = state["chance"]

    # --- what a modality changes ---

    def _user_of(self, task: Task, seed: int) -> User | None:
        """Who plays the user of an episode."""
        return self._user

    def _observed(self, messages: list[Message]) -> Any:
        """New messages as an observation."""
        return json.dumps([message.to_openai() for message in messages], ensure_ascii=False)

    def _recorded(self, trajectory: Trajectory) -> Trajectory:
        """The finished trajectory, completed."""
        return trajectory

    # --- machinery ---

    def _running(self) -> Episode:
        if self._episode is None or self._episode.done:
            raise ToolgymError("Call reset() before step(): there is no running episode.")
        return self._episode

    @staticmethod
    def _require_sound(episode: Episode) -> None:
        if episode.fault is not None:
            raise InfrastructureError(episode.fault.boundary, episode.fault.message)

    def _choose(self, options: dict[str, Any]) -> Task:
        wanted = options.pop("task", self._fixed)
        if options:
            raise unknown("reset option", next(iter(options)), ["task"])
        if wanted is not None:
            return self.domain.task(str(wanted), self._data)
        if not self._tasks:
            raise BadInput(f"The split {self._split!r} of {self.domain.name} ({self._data}) holds no task.")
        return self._tasks[int(self.np_random.integers(len(self._tasks)))]

    def _finish(self, episode: Episode, info: dict[str, Any]) -> float:
        notes = {"user": episode.user_notes}
        trajectory = self._recorded(episode.trajectory(agent="gymnasium", notes=notes))
        verdict = registry.load("verifiers", "rules")(trajectory)
        info |= {
            "verdict": verdict.to_json(),
            "termination": trajectory.termination,
            "trajectory": trajectory.to_line(),
            **({} if episode.user_notes is None else {"user": deepcopy(episode.user_notes)}),
        }
        self._close_session()
        return float(verdict.passed(self._basis))

    def _info(self) -> dict[str, Any]:
        assert self._episode is not None
        told = briefing(
            self.domain,
            self._episode.task,
            solo=self._episode.solo,
            program=self._program,
            consent=self._consent,
        )
        known = {} if self._episode.profile is None else {"profile": deepcopy(self._episode.profile)}
        return {
            "task_id": self._episode.task.id,
            "policy": told.policy,
            "tools": list(told.tools),
            "messages": [message.to_openai() for message in self._episode.messages],
            **known,
        }

    def _close_session(self) -> None:
        if self._session is not None:
            self._session.close()
            self._session = None


def _reader(name: str | None, *, program: bool) -> Callable[[str], Message]:
    """What reads actions."""
    if program:
        return partial(parse_program, text_format=get_format(name or "json_ast"))
    return partial(read_action, text_format=get_format(name)) if name else parse_action


def _line(message: Message) -> str:
    calls = "".join(f" {call.name}({call.arguments_text()})" for call in message.tool_calls)
    return f"{message.role}: {message.content or ''}{calls}"
