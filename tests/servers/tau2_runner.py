"""Makes tau2-bench result files with tau2-bench's own runner, scripted agents and a scripted user, no model anywhere.

Not imported by anything: the import tests start it in tau2-bench's own virtual environment. Standard input holds a list
of objects of `domain`, `tasks` (ids), `trials`, `out` and `solo`; LITELLM_LOCAL_MODEL_COST_MAP=True keeps it off the
network. Every episode follows one of `PLAYS`, chosen by task and seed.
"""

import contextlib
import gc
import json
import random
import sys

from loguru import logger
from tau2.agent.llm_agent import LLMAgentState, LLMGTAgent, LLMSoloAgent
from tau2.data_model.message import AssistantMessage, MultiToolMessage, ToolCall, ToolMessage, UserMessage
from tau2.registry import registry
from tau2.run import load_tasks, run_tasks
from tau2.user.user_simulator import UserSimulator

logger.remove()

PLAYS = ("gold", "gold", "silent", "short", "inert", "reordered", "again", "chatty", "lost", "stubborn")
"""What an agent does: the gold actions; without telling what must be told; without the last action; nothing; with
lists the other way round; the last action twice; words beside the calls; endless words; one bad call repeated."""
ASK = "Please do this: "
BYE = "Goodbye. "


def call(number: int, name: str, arguments: dict, by: str = "assistant") -> ToolCall:
    """A call as the runner wants it."""
    return ToolCall(id=f"{by}_{number}", name=name, arguments=arguments, requestor=by)


def turned(value: object) -> object:
    """A list the other way round, anything else as it is."""
    return value[::-1] if isinstance(value, list) else value


class ScriptedAgent(LLMGTAgent):
    """Plays one of `PLAYS`; what the user has to do with tools of their own is asked for as JSON."""

    def __init__(self, tools: list, domain_policy: str, task: object, llm: str, llm_args: dict) -> None:
        super(LLMGTAgent, self).__init__(tools=tools, domain_policy=domain_policy)
        self.task = task

    def set_seed(self, seed: int) -> None:
        """Choose the play and write it down."""
        chance = random.Random(f"{self.task.id}:{seed}")
        self.play = chance.choice(PLAYS)
        criteria = self.task.evaluation_criteria
        actions = [(action.requestor, action.name, action.arguments) for action in criteria.actions or []]
        if self.play == "inert":
            actions = []
        elif self.play == "short":
            actions = actions[:-1]
        elif self.play == "again":
            actions = actions + actions[-1:]
        elif self.play == "reordered":
            actions = [(by, name, {key: turned(item) for key, item in given.items()}) for by, name, given in actions]
        elif self.play == "stubborn":
            actions = [("assistant", "transfer_to_human_agents", {"wrong": 1})] * 100
        told = [] if self.play in ("silent", "inert") else criteria.communicate_info or []
        self.steps = [self.step(number, *action) for number, action in enumerate(actions)]
        if self.play == "lost":
            self.steps = [AssistantMessage(role="assistant", content=f"Let me think ({n}).") for n in range(100)]
        self.steps.append(AssistantMessage(role="assistant", content=BYE + " ".join(told)))

    def step(self, number: int, by: str, name: str, arguments: dict) -> AssistantMessage:
        """One action: a call, or words that make the user call."""
        if by == "user":
            return AssistantMessage(role="assistant", content=ASK + json.dumps([number, name, arguments]))
        words = "One moment." if self.play == "chatty" else None
        return AssistantMessage(role="assistant", content=words, tool_calls=[call(number, name, arguments)])

    def get_init_state(self, message_history: list | None = None) -> LLMAgentState:
        """Nothing to remember."""
        return LLMAgentState(system_messages=[], messages=message_history or [])

    def generate_next_message(self, message: object, state: LLMAgentState) -> tuple[AssistantMessage, LLMAgentState]:
        """The next step of the play, as a message of this very moment: the runner sorts messages by time."""
        step = self.steps.pop(0)
        return AssistantMessage(role="assistant", content=step.content, tool_calls=step.tool_calls), state


class ScriptedSoloAgent(LLMSoloAgent):
    """Works alone with both sides' tools: the gold actions, in every third task without the last."""

    def set_seed(self, seed: int) -> None:
        """Write the play down."""
        actions = self.task.evaluation_criteria.actions
        left = actions[:-1] if len(actions) > 1 and random.Random(f"{self.task.id}:{seed}").random() < 0.3 else actions
        self.steps = [
            AssistantMessage(role="assistant", tool_calls=[call(number, action.name, action.arguments)])
            for number, action in enumerate(left)
        ]
        self.steps.append(AssistantMessage(role="assistant", content=self.STOP_TOKEN))

    def generate_next_message(self, message: object, state: LLMAgentState) -> tuple[AssistantMessage, LLMAgentState]:
        """The next step of the play, as a message of this very moment."""
        step = self.steps.pop(0)
        return AssistantMessage(role="assistant", content=step.content, tool_calls=step.tool_calls), state


class ScriptedUser(UserSimulator):
    """Greets, does what it is asked for, and stops at the goodbye."""

    def generate_next_message(self, message: object, state: object) -> tuple[UserMessage, object]:
        """The answer to the agent's words, or to a tool's result."""
        if isinstance(message, ToolMessage | MultiToolMessage):
            return UserMessage(role="user", content="It says: " + str(getattr(message, "content", ""))), state
        words = message.content or ""
        if words.startswith(BYE.strip()):
            return UserMessage(role="user", content="Thank you. ###STOP###"), state
        if words.startswith(ASK):
            number, name, arguments = json.loads(words.removeprefix(ASK))
            return UserMessage(role="user", tool_calls=[call(number, name, arguments, by="user")]), state
        return UserMessage(role="user", content="Hello, please help me."), state


def main() -> None:
    """Run what standard input asks for."""
    gc.disable()
    registry.register_agent(ScriptedAgent, "scripted_agent")
    registry.register_agent(ScriptedSoloAgent, "scripted_solo_agent")
    registry.register_user(ScriptedUser, "scripted_user")
    with contextlib.redirect_stdout(sys.stderr):
        for wanted in json.load(sys.stdin):
            run(**wanted)


def run(domain: str, tasks: list[str], trials: int, out: str, solo: bool) -> None:
    """One domain's result file."""
    run_tasks(
        domain,
        [task for task in load_tasks(domain, "base") if task.id in tasks],
        "scripted_solo_agent" if solo else "scripted_agent",
        "dummy_user" if solo else "scripted_user",
        llm_agent="none",
        llm_args_agent={},
        llm_user="none",
        llm_args_user={},
        num_trials=trials,
        max_steps=60,
        max_errors=5,
        save_to=out,
        console_display=False,
        log_level="ERROR",
    )


main()
