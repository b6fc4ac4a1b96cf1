"""The teacher without a model: the offline default.

It plays both sides of the state machine as any model does, from the messages that it is sent: it writes a request from
the plan in the prompt, remembers what it meant by these words, and makes the calls by what the results show.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from random import Random
from typing import Any

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.models.reply import Completion, Reply, read_reply
from toolgym.sandbox.runtime.roles import Usage
from toolgym.sandbox.synthesis.graph.records import leaves, read, telling
from toolgym.sandbox.synthesis.graph.slots import replaced
from toolgym.sandbox.synthesis.teaching import pairs, query
from toolgym.sandbox.synthesis.teaching.nowhere import from_nowhere, told_values
from toolgym.sandbox.synthesis.teaching.recovery import NOTES

_OPENINGS = ("Please {}.", "Could you {}?", "I would like you to {}.", "Hello! Please {}.", "I need you to {}, please.")
_FURTHER = ("Thanks. Now {}.", "Next, please {}.", "And could you also {}?", "One more thing: {}.")
_SHOWN = 3
"""Values of a result that an answer tells."""
Plan = list[dict[str, Any]]
Told = Mapping[str, Any]
Call = tuple[str, dict[str, Json]]


class ScriptedTeacher:
    """A teacher by rules; what it says follows from the messages and the seed."""

    name = "scripted"

    def __init__(self) -> None:
        self._meant: dict[str, tuple[Plan, dict[str, Json]]] = {}

    async def complete(
        self,
        messages: Sequence[Mapping[str, Json]],
        *,
        tools: Sequence[Mapping[str, Json]] = (),
        response_format: Mapping[str, Json] | None = None,
        seed: int | None = None,
    ) -> Reply:
        """Its reply, read as an endpoint's is."""
        choice = {"message": self.answer(messages, tools, seed or 0), "finish_reason": "stop"}
        return read_reply(Completion.model_validate({"choices": [choice]}), Usage("user"))

    def answer(
        self, messages: Sequence[Mapping[str, Json]], tools: Sequence[Mapping[str, Json]], seed: int
    ) -> dict[str, Json]:
        """Its message, in OpenAI's form."""
        asked = messages[0]["content"]
        if asked == pairs.PROMPT:
            return message_of(json.dumps(_relation(*map(json.loads, messages[1]["content"].splitlines()))), None)
        if asked == query.PROMPT:
            return message_of(self.as_user(json.loads(messages[1]["content"]), Random(seed)), None)
        offered = {tool["function"]["name"]: tool["function"] for tool in tools}
        return message_of(*self.as_assistant(messages, offered))

    # --- the user's side ---

    def as_user(self, asked: Told, rng: Random) -> str:
        """What the user says."""
        if asked["write"] == "clarification":
            told = ", ".join(f"the {name} is {said(value)}" for name, value in asked["tell"].items())
            return f"{told[:1].upper()}{told[1:]}." if told else "Yes, please."
        plan, hidden = asked["plan"], list(asked["withhold"].values())
        parts = [_request(step, hidden) for step in plan]
        wish = _words(plan[-1]["tool"]) if asked["detail"] == "minimal" else ", then ".join(parts)
        text = rng.choice(_OPENINGS if asked["write"] == "query" else _FURTHER).format(wish)
        self._meant[text] = plan, asked["withhold"]
        return text

    # --- the assistant's side ---

    def as_assistant(
        self, messages: Sequence[Mapping[str, Json]], tools: Mapping[str, Told]
    ) -> tuple[str, Call | None]:
        """What the assistant does next: words, or a call."""
        start = max((at for at, each in enumerate(messages) if each["content"] in self._meant), default=None)
        if start is None:
            return "How can I help?", None
        plan, hidden = self._meant[messages[start]["content"]]
        if any(step["tool"] not in tools for step in plan):
            return "I am sorry, I cannot do that: none of my tools does it.", None
        since = messages[start:]
        heard = "\n".join(str(each["content"] or "") for each in messages).lower()
        lacking = [name for name, value in hidden.items() if said(value).lower() not in heard]
        if lacking:
            return f"Could you tell me the {' and the '.join(lacking)}?", None
        results = [str(each["content"]) for each in since if each["role"] == "tool"]
        if NOTES["give up"] in messages[0]["content"] or (results and results[-1].startswith("Error: ")):
            return f"I am sorry, that cannot be done. {results[-1].partition(' [')[0] if results else ''}".strip(), None
        if len(results) >= len(plan):
            return _report(plan[-1]["tool"], results[-1]), None
        step = plan[len(results)]
        arguments = _filled(step, results, heard, tools[step["tool"]]["parameters"])
        if arguments is None:
            return "I am sorry, I found nothing that fits.", None
        if step["writes"] and not any(_is_asking(each) for each in since):
            planned = _request({**step, "given": arguments, "found": {}}, ())
            return f"I am going to {planned}. Shall I go ahead?", None
        return "", (step["tool"], arguments)


def message_of(words: str, call: Call | None) -> dict[str, Json]:
    """An assistant's message in OpenAI's form."""
    if call is None:
        return {"role": "assistant", "content": words}
    function = {"name": call[0], "arguments": json.dumps(call[1], ensure_ascii=False)}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": "x", "type": "function", "function": function}]}


def _relation(one: Sequence[Any], other: Sequence[Any]) -> dict[str, str]:
    """Of two tools, each as name, description and schema: an id that one requires is shown by one that is named so."""
    for (first, _, own), (second, _, schema) in ((one, other), (other, one)):
        for needed in set(schema.get("required", ())) - set(own.get("required", ())):
            noun = needed.removesuffix("_id")
            if noun != needed and noun in first:
                return {"relation": "explicit", "first": first, "second": second}
    return {"relation": "none"}


def _is_asking(message: Mapping[str, Json]) -> bool:
    return message["role"] == "assistant" and str(message["content"] or "").endswith("Shall I go ahead?")


def _words(name: str) -> str:
    return name.replace("_", " ").replace("-", " ").strip()


def said(value: Json) -> str:
    """A value as a person writes it."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _request(step: Told, hidden: Sequence[Json]) -> str:
    """One planned call as a person asks for it."""
    given = [f"{_words(name)} {said(value)}" for name, value in step["given"].items() if value not in hidden]
    found = [
        f"the {_words(str(each['place'][0])).removesuffix(' id').removesuffix(' ids')} {each['words']}"
        for each in step["found"].values()
        if each["words"]
    ]
    parts = [_words(step["tool"])]
    parts += [f"with {' and '.join(given)}"] if given else []
    return " ".join(parts + ([f"for {' and '.join(dict.fromkeys(found))}"] if found else []))


def _filled(step: Told, results: Sequence[str], heard: str, schema: Told) -> dict[str, Json] | None:
    """A planned call's arguments by what was said and shown; None where a result does not hold what is needed."""
    required = schema.get("required", ())
    arguments = {
        name: deepcopy(value)
        for name, value in step["given"].items()
        if name in required or not list(told_values(value)) or from_nowhere(value, heard) is None
    }
    for feed in step["found"].values():
        value = read(read(results[feed["step"]])) if feed["step"] < len(results) else None
        found = [leaf for path, _, leaf in leaves(value) if list(path) == feed["path"]]
        if feed["number"] >= len(found):
            return None
        arguments = replaced(arguments, tuple(feed["place"]), found[feed["number"]])
    return arguments


def _report(tool: str, result: str) -> str:
    """What a result shows, in a sentence."""
    shown = [(path, leaf) for path, _, leaf in leaves(read(read(result))) if telling(leaf) and len(str(leaf)) < 80]
    told = [
        f"{_words(str(path[-1]))} {leaf}" if path and path[-1] != "*" else str(leaf) for path, leaf in shown[:_SHOWN]
    ]
    return f"Done: {_words(tool)}." + (f" It shows {', '.join(told)}." if told else " There is nothing to show.")
