"""The LLM user: a language model plays the customer, a thought first, then the reply, each reply checked.

ReAct style as in tau-bench (Yao et al. 2024, section 3) and TARL (appendix A): the thought stays in `reasoning`. A
reply that fails `toolgym.sandbox.users.reply_validation` is written again, a bounded number of times; what happened is
counted in `notes`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence

from toolgym.sandbox.kit.errors import BadInput, InfrastructureError
from toolgym.sandbox.kit.message import STOP, Json, Message, ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.models.chat import to_chat
from toolgym.sandbox.models.client import ChatClient, ModelGiven, client_for
from toolgym.sandbox.models.reply import Reply
from toolgym.sandbox.runtime.approval import Approval, Shown
from toolgym.sandbox.runtime.roles import Usage
from toolgym.sandbox.synthesis.value_words import fact_in_words
from toolgym.sandbox.users.reply_validation import CUT_OFF, PARTING, Problem, ReplyCheck, feedback

_ATTEMPTS = 4
"""Versions of one reply before the least faulty one is taken."""
_EXAMPLES = 5

_PART = """\
You play a customer who writes to a service agent. The other side is the agent; you are only ever the customer.

Your situation:
<situation>
{situation}
</situation>
{facts}{manner}
How to play:
- Your first message says who you are as far as you want to, and what you want first. Bring up one wish at a time.
- Write like a person in a chat: one or two short sentences, in your own words.
- Tell what you know when the agent asks for it. What your situation does not say, you do not know: say so instead of \
inventing an id, a name, an address or an amount.
- Say yes to what the agent proposes only when it is what you want; otherwise say what is wrong with it.
- When the agent says that something is impossible, follow what your situation says about that case.
- Do not quote these instructions, and do not do the agent's work.
- When everything has been done or finally refused, or you are handed over to a person, end with {stop} in your reply. \
That token closes the conversation at once, so never put it into a reply that the agent still has to act on.
{tools}
Answer in exactly this form:
Thought: <what the agent's message means for your situation, and what you do next>
Reply: <what you write to the agent>"""

_TOOLS = """\
- You can act yourself with the functions that you are given. Call one only when the agent asks you to do or to look \
at something; then report what you see.
"""

_SHOWN = """\
[Not from the agent: the system shows you a change that is about to be made for you.
{shown}
Is it what you want? Answer with one JSON object and nothing else: {{"approve": true}}, or \
{{"approve": false, "say": "<one short sentence: what is wrong>"}}]"""
"""A call that is shown, in place of the agent's next message."""

_BEGIN = "[The agent is there. Write your first message.]"
_FORM = re.compile(
    r"(?:\**Thought\**:\**(?P<thought>.*?))?(?:^|(?<=\s))\**(?:Reply|User Response)\**:\**\s*(?P<reply>.*)\Z",
    re.S | re.M,
)
_STOPS = re.compile(r"#{2,}\s*STOP\s*#{2,}")
"""Models miscount the number signs of the stop token."""


class LLMUser:
    """Plays the user with a language model.

    Args:
        model: the model's settings, their fields, or its name; the environment (TOOLGYM_USER_MODEL, ...) fills in. Or
            a client that answers in its place.
        check: whether replies are checked and written again.
    """

    def __init__(self, model: ModelGiven = None, *, check: bool = True) -> None:
        self._client = client_for("user", model)
        self._check = check

    def open(self, task: Task, *, seed: int, tools: Sequence[dict[str, Json]] = ()) -> _Player:
        """Start an episode."""
        return _Player(self._client, task, seed, tools, ReplyCheck(task) if self._check else None)


class _Player:
    """One user in one episode."""

    def __init__(
        self, client: ChatClient, task: Task, seed: int, tools: Sequence[dict[str, Json]], check: ReplyCheck | None
    ) -> None:
        self._client, self._seed, self._tools, self._check = client, seed, tools, check
        self._system = {"role": "system", "content": _part(task, holds_tools=bool(tools))}
        self._usage: list[Usage] = []
        self._seen: Sequence[Message] = ()
        self._requests = self._said = self._replies = self._faulty = self._uncorrected = 0
        self._faults: Counter[str] = Counter()
        self._examples: list[Json] = []
        self._sent: list[Json] = []
        self._approved: list[ToolCall] = []

    @property
    def notes(self) -> dict[str, Json] | None:
        """The simulator's errors: `replies`, answers to shown calls among them, how many were `faulty` at first and
        `uncorrected` in the end, `faults` by sort over all versions, some `examples`, and what was `sent` with one.

        None before the first reply, and when nothing is checked.
        """
        if self._check is None or not self._replies:
            return None
        return {
            "replies": self._replies,
            "faulty": self._faulty,
            "uncorrected": self._uncorrected,
            "faults": dict(sorted(self._faults.items())),
            "examples": list(self._examples),
            **({"sent": list(self._sent)} if self._sent else {}),
        }

    def take_usage(self) -> list[Usage]:
        """What the replies since the last call cost."""
        taken, self._usage = self._usage, []
        return taken

    async def reply(self, messages: Sequence[Message]) -> Message:
        """The model's next message as the user."""
        self._seen = messages
        prompt = [self._system, {"role": "user", "content": _BEGIN}, *(_turned(message) for message in messages)]
        versions: list[tuple[list[Problem], Message]] = []
        fumbled = False
        for _ in range(_ATTEMPTS):
            self._requests += 1
            reply = await self._client.complete(prompt, tools=self._tools, seed=self._seed + self._requests)
            self._usage.append(reply.usage)
            message, problems = self._judged(reply, messages)
            if message is not None:
                versions.append((problems, message))
                if not problems:
                    break
            fumbled = True
            self._record(problems, reply)
            advice = f"[Not from the agent: this reply was not sent. {feedback(problems)} Write it again.]"
            prompt += [
                {"role": "assistant", "content": reply.raw.strip() or "[nothing]"},
                {"role": "user", "content": advice},
            ]
        if not versions:
            raise InfrastructureError("user", f"The user's model gave no usable reply in {_ATTEMPTS} attempts.")
        problems, message = min(versions, key=lambda version: len(version[0]))
        if {problem.fault for problem in problems} & PARTING and STOP not in (message.content or ""):
            message = message.model_copy(update={"content": f"{message.content} {STOP}"})
            problems = [problem for problem in problems if problem.fault != "stayed"]
        self._count(problems, fumbled=fumbled, message=self._said)
        self._said += 1
        return message

    async def approve(self, call: ToolCall, shown: Shown) -> Approval:
        """The model's yes or no to a call that is about to be made, asked for as JSON.

        Raises:
            InfrastructureError: it gives no such answer in several attempts.
        """
        told = _SHOWN.format(shown=json.dumps(shown.model_dump(mode="json", exclude_defaults=True), ensure_ascii=False))
        prompt = [self._system, {"role": "user", "content": _BEGIN}, *(_turned(message) for message in self._seen)]
        prompt.append({"role": "user", "content": told})
        answer, problems, fumbled = None, list[Problem](), False
        again = call.model_copy(update={"id": ""}) in self._approved
        for _ in range(_ATTEMPTS):
            self._requests += 1
            reply = await self._client.complete(prompt, seed=self._seed + self._requests)
            self._usage.append(reply.usage)
            found = _answer(reply.text)
            if found is None:
                continue
            answer = found
            problems = [] if self._check is None else self._check.of_approval(found, call, shown, again=again)
            if not problems:
                break
            fumbled = True
            self._record(problems, reply)
            advice = (
                f"[Not from the agent: this answer was not taken. {feedback(problems)} Answer with one JSON object.]"
            )
            prompt += [{"role": "assistant", "content": reply.raw.strip()}, {"role": "user", "content": advice}]
        if answer is None:
            raise InfrastructureError("user", f"The user's model answered no approval as JSON in {_ATTEMPTS} attempts.")
        if answer.approved:
            self._approved.append(call.model_copy(update={"id": ""}))
        self._count(problems, fumbled=fumbled, message=self._said - 1)
        return answer

    def _count(self, problems: Sequence[Problem], *, fumbled: bool, message: int) -> None:
        """Note a reply, or an answer to a call, that is given."""
        self._sent += [{"message": message, "fault": fault} for fault in sorted({each.fault for each in problems})]
        self._replies += 1
        self._faulty += fumbled
        self._uncorrected += bool(problems)

    def _judged(self, reply: Reply, messages: Sequence[Message]) -> tuple[Message | None, list[Problem]]:
        """The message in a reply and what is wrong with it; no message when there is nothing that could be sent."""
        if reply.tool_calls and self._tools:
            return Message(role="user", tool_calls=reply.tool_calls, reasoning=reply.reasoning), []
        try:
            thought, text = read_form(reply)
        except BadInput as error:
            return None, [Problem("unreadable", reply.raw[:80], str(error))]
        thoughts = "\n".join(part for part in (reply.reasoning, thought) if part)
        message = Message(role="user", content=text, reasoning=thoughts or None)
        if self._check is None:
            return message, []
        return message, [*([CUT_OFF] if reply.cut else []), *self._check.problems(text, messages)]

    def _record(self, problems: Sequence[Problem], reply: Reply) -> None:
        self._faults.update({problem.fault for problem in problems})
        for problem in problems:
            if len(self._examples) < _EXAMPLES:
                self._examples.append({"fault": problem.fault, "evidence": problem.evidence, "reply": reply.raw[:300]})


def read_form(reply: Reply) -> tuple[str | None, str]:
    """The thought and the reply in a model's text; a text without the two labels is all reply.

    Raises:
        BadInput: nothing that could be sent, or a refusal to play.
    """
    if reply.refused:
        raise BadInput("It refuses to play the customer.")
    found = _FORM.search(reply.text)
    thought, text = (found["thought"], found["reply"]) if found else (None, reply.text)
    if found is None and re.match(r"\W*Thought\W*:", text, re.IGNORECASE):
        raise BadInput("It holds a thought but no line that begins with 'Reply:'.")
    text = _STOPS.sub(STOP, text).strip()
    if not text:
        raise BadInput("It says nothing.")
    return (thought or "").strip() or None, text


def _answer(text: str) -> Approval | None:
    """The answer to a call in a model's text; None where there is none."""
    found = re.search(r"\{.*\}", text, re.DOTALL)
    try:
        told = json.loads(found[0]) if found else None
    except ValueError:
        return None
    if not isinstance(told, dict) or not isinstance(told.get("approve"), bool):
        return None
    return Approval(approved=told["approve"], sentence=str(told.get("say") or ""))


def _part(task: Task, *, holds_tools: bool) -> str:
    told = [fact for fact in task.facts if fact.name not in {"known_info", "unknown_info"}]
    lines = [
        f"- {fact.name.replace('_', ' ')}: {fact_in_words(fact.value)}"
        f"{' (tell it when asked)' if fact.on_request else ''}"
        for fact in told
    ]
    facts = "\n".join(["\nAbout you:", *lines, ""]) if lines else ""
    situation = task.scenario or " ".join(goal.utterance for goal in task.goals)
    manner = f"\nYour manner: {task.persona}\n" if task.persona else ""
    tools = _TOOLS if holds_tools else ""
    return _PART.format(situation=situation.strip(), facts=facts, manner=manner, stop=STOP, tools=tools)


def _turned(message: Message) -> dict[str, Json]:
    """A message with the sides changed: for the model that plays the user, the agent is the other side."""
    role = {"assistant": "user", "user": "assistant"}.get(message.role, message.role)
    return to_chat(message.model_copy(update={"role": role}))
