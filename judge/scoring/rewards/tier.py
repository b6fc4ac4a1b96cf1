"""TIER: rewards of execution that read no gold trajectory.

Paper: TIER, section 2.2.

    R = (R_format + R_parse + R_exec + R_answer) / 10
    R_format in {0, 1}: every action could be read; 0 makes everything 0
    R_parse  = R_name + R_param + R_dtype in [0, 3]: R_name = 1 iff every tool name exists (else R_parse = 0),
               R_param, R_dtype = clip(1 - 0.25 p, 0, 1) with p mismatches over all calls (missing and unexpected
               parameters; wrong types)
    R_exec in {0, 1}: every call succeeds
    R_answer = 5 iff the answer is right

A program is scored as the paper does: the last one is read whole, whether or not a fault stopped it, a reference has
the right type, and its answer is the verifier's. In a conversation the sequence is all calls of the agent, and the
answer what the verifier sees: the end state and, where something had to be told, the words. The
components as printed in the paper sum to at most 10; the released code weighs the parts 0.1 each and the answer 0.5,
which is the same. The released code gives R_param and R_dtype credit beside an unknown name; the paper's gate is used
here. Ablations keep format and answer and put the total back on [0, 1].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from toolgym.judge.scoring.reward import RewardResult, TurnScores
from toolgym.judge.scoring.verifier import Verdict
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.distractors import domain_of_task
from toolgym.sandbox.runtime.references import is_reference
from toolgym.sandbox.runtime.trajectory import Trajectory

LAMBDA = 0.25
WEIGHTS = {"format": 1.0, "name": 1.0, "parameters": 1.0, "types": 1.0, "execution": 1.0, "answer": 5.0}
PARTS: dict[str, frozenset[str]] = {
    "full": frozenset(WEIGHTS),
    "execution": frozenset({"format", "execution", "answer"}),
    "parsing": frozenset({"format", "name", "parameters", "types", "answer"}),
    "simple": frozenset({"format", "answer"}),
}
_JSON_TYPES: dict[str, Any] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": type(None),
}


@dataclass(frozen=True)
class Tier:
    """The reward or one of the paper's ablations.

    Attributes:
        variant: full, execution (without parsing), parsing (without execution), simple (format and answer).
        thoughts: an action without thoughts has no format, as in the released code.
    """

    variant: Literal["full", "execution", "parsing", "simple"] = "full"
    thoughts: bool = False

    def __call__(
        self, trajectory: Trajectory, *, verdict: Verdict, scores: TurnScores | None = None, progress: float = 0.0
    ) -> RewardResult:
        """The reward of a whole episode."""
        calls = _programmed(trajectory) if trajectory.by_program else trajectory.of_agent(trajectory.reached)
        formed = readable(trajectory) and not (self.thoughts and _thoughtless(trajectory))
        terms = self._terms(calls, trajectory, verdict) if formed else dict.fromkeys(WEIGHTS, 0.0)
        kept = {name: value for name, value in terms.items() if name in PARTS[self.variant]}
        total = sum(kept.values()) / sum(WEIGHTS[name] for name in kept) if terms["format"] else 0.0
        return RewardResult("tier", total, kept)

    @staticmethod
    def _terms(calls: list[CallRecord], trajectory: Trajectory, verdict: Verdict) -> dict[str, float]:
        domain = domain_of_task(trajectory.task)
        known = all(record.name in domain.tools_of(record.by) for record in calls)
        parameters = types = 0
        for record in calls if known else ():
            wrong = mismatches(record.arguments, domain.tools_of(record.by)[record.name].parameters)
            parameters, types = parameters + wrong[0], types + wrong[1]
        answer = verdict.passed() and verdict.told is not False
        return {
            "format": 1.0,
            "name": float(known),
            "parameters": _graded(parameters) if known else 0.0,
            "types": _graded(types) if known else 0.0,
            "execution": float(all(record.ok for record in calls) and not _stopped(trajectory)),
            "answer": WEIGHTS["answer"] * answer,
        }


tier = Tier()


def _programmed(trajectory: Trajectory) -> list[CallRecord]:
    """The calls of the last program as it was written."""
    last = trajectory.turns()[-1].action
    return [CallRecord(call.name, call.arguments, call.by) for call in last.tool_calls]


def _stopped(trajectory: Trajectory) -> bool:
    """Whether a fault stopped the last program."""
    return trajectory.by_program and trajectory.info.programs[-1].fault is not None


def _thoughtless(trajectory: Trajectory) -> bool:
    """Whether an action has no thoughts; of several programs only the last one counts."""
    turns = trajectory.turns()[-1:] if trajectory.by_program else trajectory.turns()
    return any(not turn.action.reasoning for turn in turns)


def readable(trajectory: Trajectory) -> bool:
    """Whether every action could be read: no call kept its arguments as text, no message was handed back unread; of
    several programs only the last one counts.
    """
    if trajectory.by_program:
        last = trajectory.turns()[-1]
        return not last.unread and all(isinstance(call.arguments, dict) for call in last.action.tool_calls)
    calls = trajectory.of_agent(trajectory.reached)
    return not trajectory.info.unread and all(isinstance(record.arguments, dict) for record in calls)


def mismatches(arguments: dict[str, Json] | str, schema: dict[str, Json]) -> tuple[int, int]:
    """How many parameters are missing or unexpected, and how many have a value of the wrong type."""
    if isinstance(arguments, str):
        return len(schema.get("required", ())), 0
    properties = schema["properties"]
    missing = sum(name not in arguments for name in schema.get("required", ()))
    unexpected = sum(name not in properties for name in arguments)
    wrong = sum(not fits(value, properties[name]) for name, value in arguments.items() if name in properties)
    return missing + unexpected, wrong


def has_required(arguments: dict[str, Json] | str, schema: dict[str, Json]) -> bool:
    """Whether the required parameters are there, and what is given has its JSON type, whatever else is given."""
    if isinstance(arguments, str) or not set(schema.get("required", ())) <= arguments.keys():
        return False
    return mismatches(arguments, schema)[1] == 0


def fits(value: Json, schema: dict[str, Json]) -> bool:
    """Whether a value has a schema's type, elements of arrays and properties of objects included.

    What a reference to an earlier result will be nobody knows before, so that it has every type.
    """
    if is_reference(value):
        return True
    if "anyOf" in schema:
        return any(fits(value, option) for option in schema["anyOf"])
    kind = schema.get("type")
    if kind is None:
        return True
    if isinstance(value, bool) and kind != "boolean":
        return False
    if not isinstance(value, _JSON_TYPES[kind]):
        return False
    if kind == "array":
        return all(fits(item, schema.get("items", {})) for item in value)
    if kind == "object":
        inner = schema.get("properties", {})
        return all(fits(item, inner[name]) for name, item in value.items() if name in inner)
    return True


def _graded(count: int) -> float:
    return min(1.0, max(0.0, 1 - LAMBDA * count))
