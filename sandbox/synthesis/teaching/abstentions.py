"""Other people's requests for which no tool fits (section 3.2): rows of When2Call and of xLAM-Irrelevance.

They are read from files that the user names, as their authors publish them. Nothing runs behind their tools: a call is
refused, and is wrong in any case.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.kit.task import Goal, Task
from toolgym.sandbox.kit.text import kept, mended
from toolgym.sandbox.runtime.foreign_domain import ForeignDomain, Listed, foreign_domain
from toolgym.sandbox.runtime.info import Info
from toolgym.sandbox.runtime.registry import add
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.synthesis.teaching.row import NEEDS, ORIGIN, TURNS
from toolgym.sandbox.synthesis.teaching.run import Made
from toolgym.sandbox.synthesis.wording import NO

NAMES = "when2call_train_sft.jsonl and xlam-7.5k-irrelevancek.json"
PAPERS = {"When2Call": 806, "xLAM-Irrelevance": 316}
"""The paper's rows of each."""
_DECLINED = "I am sorry, I cannot do that: none of my tools does it."
"""What the assistant says in rows of xLAM-Irrelevance, which have no words of its own."""
_TYPES = {
    **{"dict": "object", "str": "string", "int": "integer", "float": "number", "bool": "boolean", "list": "array"},
    **{"tuple": "array", "set": "array", "object": "object", "string": "string", "integer": "integer"},
    **{"number": "number", "boolean": "boolean", "array": "array"},
}
"""JSON Schema's names for Python's, in which both describe parameters (`List[int]`, `str, optional`)."""
_TEST = ("correct_answer", "uuid")
"""Fields of When2Call's test, which is not for training."""


@dataclass(frozen=True)
class Abstention:
    """A request, the tools that do not fit it, and the words that answer it."""

    request: str
    tools: tuple[Listed, ...]
    reply: str


@dataclass(frozen=True)
class Requests:
    """The usable requests of a file, each once, and whose they are."""

    origin: str
    found: Sequence[Abstention]


def read(path: Path) -> Requests:
    """The requests of a file that come with tools and are declined.

    Raises:
        BadInput: it cannot be read, is When2Call's test, or is neither's.
    """
    is_test = False
    try:
        text = path.read_text(encoding="utf-8")
        raw = json.loads(text) if text.lstrip().startswith("[") else [json.loads(line) for line in text.splitlines()]
        is_test = set(_TEST) <= set(raw[0])
        origin = "When2Call" if "messages" in raw[0] else "xLAM-Irrelevance"
        found = {each.request: each for each in map(_when2call if origin == "When2Call" else _xlam, raw) if each}
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}.") from None
    except (ValueError, LookupError, TypeError, AttributeError):
        what = "is a test of When2Call's" if is_test else "holds rows neither of When2Call nor of xLAM-Irrelevance"
        raise BadInput(f"{path} {what}; their training data has the names {NAMES}.") from None
    return Requests(origin, list(found.values()))


def _when2call(raw: dict[str, Any]) -> Abstention | None:
    """A row for supervised learning, or one of preferences, whose chosen answer counts."""
    messages: list[dict[str, Any]] = raw["messages"] + [raw[name] for name in ("chosen_response",) if name in raw]
    asked, *said = messages
    tools = [json.loads(each) if isinstance(each, str) else each for each in raw["tools"]]
    if len(said) != 1 or not tools or "<TOOLCALL>" in said[0]["content"] or "?" in said[0]["content"]:
        return None  # one that asks back has a user to answer it, whom no file holds
    return Abstention(kept(asked["content"]), tuple(map(_listed, tools)), kept(said[0]["content"]))


def _xlam(raw: dict[str, Any]) -> Abstention | None:
    tools = json.loads(raw["tools"]) if isinstance(raw["tools"], str) else raw["tools"]
    is_call = raw["answers"] not in ("[]", [])
    return None if is_call or not tools else Abstention(kept(raw["query"]), tuple(map(_listed, tools)), _DECLINED)


def _listed(tool: dict[str, Any]) -> Listed:
    """A tool with JSON Schema's types; xLAM lists parameters without a schema around them."""
    told = tool.get("parameters") or {}
    schema = told if told.get("type") in ("dict", "object") and "properties" in told else {"properties": told}
    properties = {name: _typed(each) for name, each in schema["properties"].items()}
    required = schema.get("required", tool.get("required", []))
    parameters = mended({"type": "object", "properties": properties, "required": [*required]})
    return Listed(
        name=tool["name"], kind="read", description=kept(tool.get("description") or tool["name"]), parameters=parameters
    )


def _typed(told: dict[str, Any]) -> dict[str, Any]:
    plain, _, _ = str(told.get("type", "")).partition(",")
    name = _TYPES.get(plain.partition("[")[0].strip().lower())
    return {key: value for key, value in told.items() if key in ("description", "enum", "default")} | (
        {"type": name} if name else {}
    )


def rows(requests: Requests, count: int, seed: int) -> tuple[ForeignDomain, Iterator[Made]]:
    """The first so many of them in a drawn order, as rows, and the world of their tools.

    Raises:
        BadInput: there are fewer.
    """
    if len(requests.found) < count:
        raise BadInput(f"{count} requests of {requests.origin} are needed, and its file holds {len(requests.found)}.")
    chosen = Random(f"{seed}:{requests.origin}").sample(requests.found, len(requests.found))[:count]
    listed = {each.model_dump_json(): each for found in chosen for each in found.tools}
    domain = foreign_domain(requests.origin, list(listed.values()))
    add(domain)
    names = dict(zip(listed, domain.tools, strict=True))

    def made() -> Iterator[Made]:
        for number, found in enumerate(chosen):
            offered = tuple(dict.fromkeys(names[each.model_dump_json()] for each in found.tools))
            name = f"{requests.origin.lower()}-{seed}-{number:05}"
            yield Made(number, None, _trajectory(requests.origin, name, domain.name, offered, found))

    return domain, made()


def _trajectory(origin: str, name: str, domain: str, offered: tuple[str, ...], found: Abstention) -> Trajectory:
    task = Task(
        id=name,
        domain=domain,
        family="irrelevant",
        scenario=found.request,
        goals=(Goal(kind="ask", utterance=found.request, must_communicate=(NO,), outcome="refused"),),
        communicate=(NO,),
        tools=offered,
        structure="none",
        information="complete",
        metadata={TURNS: [found.request], NEEDS: [], ORIGIN: origin},
    )
    said = (Message(role="user", content=found.request), Message(role="assistant", content=found.reply))
    noted = {"detail": "complete", "transitions": [], "distractors": False, "replies": {}, "faults": []}
    return Trajectory(
        task=task,
        seed=0,
        agent=origin,
        user=origin,
        messages=said,
        termination="user_stop",
        info=Info.model_validate({"synthesis": noted}),
    )
