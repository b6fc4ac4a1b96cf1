"""Our agents on tau2 as inspect_evals has it: its data, tools, user and scorers, and an agent of toolgym's.

It stands in for that package's own loop, which asks one model for both sides, and keeps what its scorers read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from inspect_ai.model import ChatMessage, ChatMessageUser, GenerateConfig, ModelOutput, execute_tools, get_model
from inspect_ai.solver import Generate, TaskState
from inspect_ai.tool import Tool, ToolDef
from inspect_ai.util import store_as

from toolgym.judge.interop.inspect.episode import MODEL
from toolgym.judge.interop.inspect.messages import to_inspect
from toolgym.judge.interop.inspect.model import InspectClient
from toolgym.sandbox.agents.llm import LLMAgent
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import BadInput, Unreadable
from toolgym.sandbox.kit.message import STOP, Json, Message
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.episode import UNREAD
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import Agent, AgentPlayer, Briefing, User, UserPlayer, make_agent

_STOPS = (STOP, "###OUT-OF-SCOPE###", "###TRANSFER###")
_STEPS = 200
"""Messages of either side until a conversation is cut; that package's own limit is of the same size."""


@dataclass(frozen=True)
class World:
    """A domain of theirs.

    Attributes:
        domain: our world of the same tables.
        policy: what binds the agent, as they word it.
        tools, user_tools: what the two sides may call.
        prepare: sets up a sample's world, where that takes a step of its own.
    """

    domain: Domain
    policy: str
    tools: list[Tool]
    user_tools: list[Tool]
    prepare: Callable[[TaskState, Generate], Any] | None = None


def is_sample(state: TaskState) -> bool:
    """Whether a sample is one of tau2 in inspect_evals."""
    return str(state.metadata.get("instance", "")).endswith("Agent") and "task" in state.metadata


def world_of(state: TaskState) -> World:
    """The domain that a sample is about.

    Raises:
        BadInput: it is none that our agents know.
    """
    name = str(state.metadata["instance"]).removesuffix("Agent").lower()
    if name not in ("airline", "retail", "telecom"):
        raise BadInput(f"toolgym's agents know tau2's airline, retail and telecom; this sample is of {name}.")
    agents, tools = (import_module(f"inspect_evals.tau2.{name}.{part}") for part in ("agents", "tools"))
    if name != "telecom":
        made = [make() for make in getattr(tools, f"all_{name}_tools")]
        return World(get_domain(name), agents.get_domain_policy(), made, [])
    theirs, begin = (import_module(f"inspect_evals.tau2.telecom.{part}") for part in ("user_tools", "solver"))
    return World(
        get_domain(name),
        agents.get_domain_policy(workflow=False),
        [make() for make in tools.all_telecom_agent_tools],
        [make() for make in theirs.all_telecom_user_tools],
        begin.telecom_initializer(),
    )


class Conversation:
    """One sample.

    Args:
        state: Inspect's; its messages are the user's side, as that package's scorers want it.
        agent: `model`, or an installed agent's name.
        format: how the model writes calls.
        user: who plays the user; None for that package's own, a model in the role `user`.
        seed: seeds everything random of toolgym's.
    """

    def __init__(self, state: TaskState, agent: str, format: str, user: User | None, seed: int) -> None:
        self.state, self.world = state, world_of(state)
        common = import_module("inspect_evals.tau2.common.agents")
        self._entry, self._their_loop = common.TrajectoryMessage, common.generate_loop
        self._kept: Any = store_as(common.StoredAgentState, state.metadata["instance"])
        player: Agent = (
            LLMAgent(InspectClient(get_model(), "agent"), format=format) if agent == MODEL else make_agent(agent)
        )
        task = self._task() if player.privileged or user is not None else None
        told = Briefing(
            domain=self.world.domain.name,
            policy=self.world.policy,
            tools=_openai(self.world.tools),
            seed=seed,
            task=task if player.privileged else None,
        )
        self._agent: AgentPlayer = player.open(told)
        user_tools = _openai(self.world.user_tools)
        self._user: UserPlayer | None = user.open(task, seed=seed, tools=user_tools) if user and task else None
        self._heard: list[Message] = []
        self._user_heard: list[Message] = []
        self._steps = self._calls = 0
        self._over = False

    def _task(self) -> Task:
        """Their task as one of ours; it is theirs already that says what is right."""
        convert = self.world.domain.open_data("tau2").convert
        assert convert is not None
        return convert(self.state.metadata["task"])

    async def play(self, generate: Generate) -> None:
        """Play to the user's stop word, a hand-over or the limit of steps."""
        if self.world.prepare is not None:
            await self.world.prepare(self.state, generate)
        self._kept.messages = [to_inspect(Message(role="system", content=self.world.policy))]
        said = ""
        while not self._over and self._steps < _STEPS:
            said = await (self._users_turn() if self._user is not None else self._their_users_turn())
            if self._over:
                break
            self._hear(said)
            said = await self._agents_turn()
            self.state.messages.append(ChatMessageUser(content=said))
            self._user_heard.append(Message(role="assistant", content=said))
        self.state.output = ModelOutput.from_content(model="toolgym", content=said)
        self.state.completed = True

    def _hear(self, said: str) -> None:
        self._heard.append(Message(role="user", content=said))
        self._kept.messages.append(ChatMessageUser(content=said))

    # --- the agent ---

    async def _agents_turn(self) -> str:
        """What the agent says, after the calls that it makes first; nothing where it hands the conversation over."""
        while self._steps < _STEPS:
            try:
                action = await self._step("assistant", await self._agent.act(tuple(self._heard)))
            except Unreadable as error:  # nothing of it is said or done, and it costs a step
                self._steps += 1
                notice = Message(role="user", content=UNREAD.format(error))
                self._heard += [Message(role="assistant", content=error.text), notice]
                continue
            self._heard.append(action)
            self._keep("assistant", self._kept.messages, to_inspect(action))
            if not action.tool_calls:
                return action.content or ""
            self._heard += await self._execute("assistant", self._kept.messages, self.world.tools)
            named = (self.world.domain.tools.get(call.name) for call in action.tool_calls)
            if any(tool is not None and tool.ends_episode for tool in named):
                self._over = True
                return ""
        return ""

    # --- the user ---

    async def _users_turn(self) -> str:
        """What our user says, after what it does with tools of its own."""
        assert self._user is not None
        while self._steps < _STEPS:
            reply = await self._step("user", await self._user.reply(tuple(self._user_heard)))
            self._user_heard.append(reply)
            told = to_inspect(reply.model_copy(update={"role": "assistant"}))
            self._keep("user", self.state.messages, told)
            if not reply.tool_calls:
                return self._ended(reply.content or "")
            self._user_heard += await self._execute("user", self.state.messages, self.world.user_tools)
        return ""

    async def _their_users_turn(self) -> str:
        """What that package's user says: a model that is told its scenario and may call tools."""
        model = get_model(role="user", config=GenerateConfig(temperature=0.0))
        tools, kept = self.world.user_tools, self._kept.trajectory
        output = await self._their_loop("user", model, self.state.messages, tools=tools, trajectory=kept)
        self._steps += 1
        return self._ended(output.completion)

    def _ended(self, said: str) -> str:
        self._over = any(stop in said for stop in _STOPS)
        return said

    # --- both ---

    async def _step(self, side: str, message: Message) -> Message:
        """A side's message, its calls numbered."""
        self._steps += 1
        calls = []
        for call in message.tool_calls:
            self._calls += 1
            calls.append(call.model_copy(update={"id": f"{side}_{self._calls}"}))
        return message.model_copy(update={"tool_calls": tuple(calls)})

    def _keep(self, side: str, messages: Any, message: ChatMessage) -> None:
        messages.append(message)
        self._kept.trajectory.append(self._entry(role=side, message=message))

    async def _execute(self, side: str, messages: Any, tools: Sequence[Tool]) -> list[Message]:
        """Run the last message's calls with their tools; the results as our side reads them."""
        found = []
        for result in (await execute_tools(list(messages), list(tools))).messages:
            self._keep(side, messages, result)
            error = getattr(result, "error", None)
            text = f"Error: {error.message}" if error is not None else result.text
            call, name = getattr(result, "tool_call_id", None), getattr(result, "function", None)
            found.append(Message(role="tool", content=text, tool_call_id=call, name=name))
        return found


def _openai(tools: Sequence[Tool]) -> list[dict[str, Json]]:
    """Inspect's tools as OpenAI's `tools` list."""
    found = []
    for tool in map(ToolDef, tools):
        schema = tool.parameters.model_dump(mode="json", exclude_none=True)
        function = {"name": tool.name, "description": tool.description, "parameters": schema}
        found.append({"type": "function", "function": function})
    return found
