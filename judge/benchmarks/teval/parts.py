"""What T-Eval has: six dimensions, five of them in two forms, their files, and right answers to their rows."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Form = Literal["json", "str"]


@dataclass(frozen=True)
class Part:
    """One dimension in one form.

    Attributes:
        dimension: as T-Eval names it.
        form: in which the agent answers.
        file: that holds the rows.
        encoded: whether its evaluator needs a sentence encoder.
    """

    dimension: str
    form: Form
    file: str
    encoded: bool = False

    def rows(self, held: Mapping[str, Any]) -> dict[str, Any]:
        """Its rows of what the file holds: instruct has both forms in one file."""
        if self.dimension != "instruct":
            return dict(held)
        return {
            key: raw for key, raw in held.items() if (raw["meta_data"]["response_format"] == "json") == self.is_json
        }

    @property
    def is_json(self) -> bool:
        """Whether the agent answers in JSON."""
        return self.form == "json"

    def right(self, raw: Mapping[str, Any]) -> str:
        """A right answer as an agent writes it."""
        truth = raw["ground_truth"]
        if self.dimension == "review":
            return f"Answer: {truth['answer']}"
        if self.dimension == "instruct":
            return _instructed(truth, raw["template"], self.is_json)
        if isinstance(truth, str):
            truth = json.loads(truth)
        if self.is_json:
            return json.dumps(truth, ensure_ascii=False)
        if self.dimension == "plan":
            return "\n".join(f"{step['name']} with {step['args']}" for step in truth)
        return str(truth[{"reason": "thought", "retrieve": "name", "understand": "args"}[self.dimension]])


def _instructed(truth: Mapping[str, Any], template: Mapping[str, str], is_json: bool) -> str:
    said = {"thought": "It is asked for.", "action": truth["action"], "args": truth["args"]}
    if is_json:
        return json.dumps({template[key]: value for key, value in said.items()}, ensure_ascii=False)
    return "".join(f"{template[f'{key}_start']}{value}{template[f'{key}_end']}" for key, value in said.items())


_MIXED = "data/reason_retrieve_understand_json_v1.json"
PARTS = {
    "instruct_json": Part("instruct", "json", "data/instruct_v1.json"),
    "instruct_str": Part("instruct", "str", "data/instruct_v1.json"),
    "plan_json": Part("plan", "json", "data/plan_json_v1.json", encoded=True),
    "plan_str": Part("plan", "str", "data/plan_str_v1.json", encoded=True),
    "reason_json": Part("reason", "json", _MIXED, encoded=True),
    "reason_str": Part("reason", "str", "data/reason_str_v1.json", encoded=True),
    "retrieve_json": Part("retrieve", "json", _MIXED),
    "retrieve_str": Part("retrieve", "str", "data/retrieve_str_v1.json"),
    "understand_json": Part("understand", "json", _MIXED, encoded=True),
    "understand_str": Part("understand", "str", "data/understand_str_v1.json", encoded=True),
    "review": Part("review", "str", "data/review_str_v1.json"),
}
DIMENSIONS = tuple(dict.fromkeys(part.dimension for part in PARTS.values()))
PUBLISHED = {
    "data/instruct_v1.json": "68eb522904f6",
    "data/plan_json_v1.json": "45a6ae868d68",
    "data/plan_str_v1.json": "29cb4f98bbd3",
    _MIXED: "5d5e04f59167",
    "data/reason_str_v1.json": "b0564d05b1b0",
    "data/retrieve_str_v1.json": "28130f9dcd80",
    "data/understand_str_v1.json": "3141333a57ea",
    "data/review_str_v1.json": "c18ca6608e00",
}
"""How git's names of the published files begin."""


def said(prompt: Sequence[Mapping[str, str]], *roles: str) -> list[str]:
    """What some roles say in a row's prompt."""
    return [each["content"] for each in prompt if each["role"] in roles]
