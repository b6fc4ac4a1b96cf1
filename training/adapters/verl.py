"""verl's own tool agent on our worlds: its configuration of tools, rows, and the reward function.

verl 0.9.1 has no user turn, so the customer is a tool. Its tools live for one call each: what a trajectory's calls
share is kept with the loop's own data of it, and the reward function, which runs elsewhere, plays the calls again.
"""

from __future__ import annotations

import asyncio
import json
import weakref
from pathlib import Path
from typing import Any

from toolgym.sandbox.kit.errors import InfrastructureError, unknown
from toolgym.sandbox.runtime.approval import Consent
from toolgym.sandbox.runtime.extras import missing
from toolgym.sandbox.runtime.registry import domain_name
from toolgym.training.adapters.customer import CustomerRollout, offered, told
from toolgym.training.adapters.rollout import Row, conversations, newest
from toolgym.training.adapters.signatures import as_method

try:
    from transformers.utils import get_json_schema
    from verl.tools.base_tool import BaseTool
    from verl.tools.schemas import OpenAIFunctionToolSchema, ToolResponse
except ModuleNotFoundError as error:
    raise missing(error, "The adapter for verl", "train") from error

_ROW, _CALLS, _FAULT = "toolgym", "toolgym_calls", "toolgym_fault"


class WorldTool(BaseTool):
    """One tool of a world, or `talk_to_customer`, as `write_tools` names it in verl's configuration of tools."""

    def __init__(self, config: dict[str, Any], tool_schema: OpenAIFunctionToolSchema | None) -> None:
        super().__init__(config, tool_schema or _schema(config["world"], config["tool"]))

    async def execute(
        self, instance_id: str, parameters: dict[str, Any], *, agent_data: Any, **_: Any
    ) -> tuple[ToolResponse, float, dict[str, Any]]:
        """Call the tool in the trajectory's episode."""
        text = await _played_in(agent_data).call(self.name, parameters)
        return ToolResponse(text=text), 0.0, {}


class _Played:
    """The episode of a trajectory, and the record of its calls in the trajectory's extra fields."""

    def __init__(self, agent_data: Any) -> None:
        self._row, self._fields = dict(agent_data.tools_kwargs[_ROW]), agent_data.extra_fields
        self._calls: list[tuple[str, dict[str, Any]]] = []
        self._rollout: CustomerRollout | None = None
        self._turn = asyncio.Lock()

    async def call(self, name: str, arguments: dict[str, Any]) -> str:
        async with self._turn:
            if self._rollout is None:
                self._rollout = await asyncio.to_thread(_opened, self._row)
                weakref.finalize(self, self._rollout.close)
            heard = await asyncio.to_thread(self._rollout.call, name, arguments)
            self._calls.append((name, arguments))
            self._fields[_CALLS] = json.dumps(self._calls)
            if self._rollout.fault is not None:
                self._fields[_FAULT] = self._rollout.fault.message
            return heard


async def compute_score(
    data_source: str, solution_str: str, ground_truth: str, extra_info: dict[str, Any], **settings: Any
) -> dict[str, float]:
    """verl's `custom_reward_function`: the calls of a trajectory are played again, and the episode is scored.

    Args:
        data_source, solution_str, ground_truth: verl's; not read.
        extra_info: of the row, with what the trajectory's tools noted.
        settings: verl's `reward_kwargs`: `reward`, `judge`, ... of `toolgym.training.adapters.rollout.Rollout`.

    Raises:
        InfrastructureError: the episode broke; the trajectory has no reward.
    """
    if extra_info.get(_FAULT):
        raise InfrastructureError("tool", f"The episode broke off: {extra_info[_FAULT]}")
    settings = {name: value for name, value in settings.items() if not name.startswith("reward_router")}
    played = await asyncio.to_thread(_opened, extra_info["tools_kwargs"][_ROW], **settings)
    try:
        for name, arguments in json.loads(extra_info.get(_CALLS) or "[]"):
            await asyncio.to_thread(played.call, name, arguments)
        scored = await played.scored()
    finally:
        played.close()
    return {"score": scored.total, "acc": float(scored.passed), "clean": float(scored.clean)}


def write_tools(world: str, path: Path) -> None:
    """Write verl's configuration of a world's tools, for `actor_rollout_ref.rollout.multi_turn.tool_config_path`."""
    name = domain_name(world)
    tools = [
        {
            "class_name": f"{__name__}.{WorldTool.__name__}",
            "config": {"type": "native", "world": name, "tool": tool["function"]["name"]},
        }
        for tool in offered(name)
    ]
    path.write_text(json.dumps({"tools": tools}, indent=1) + "\n", encoding="utf-8")  # JSON is YAML


def rows(
    world: str,
    split: str | None = None,
    *,
    data: str | None = None,
    count: int | None = None,
    consent: Consent = "words",
) -> list[Row]:
    """The rows of a split for a parquet file of verl's; the customer's first words stand in the prompt."""
    name, data = domain_name(world), newest(world, data)
    found = []
    with CustomerRollout(name, data=data, consent=consent) as played:
        for index, task in enumerate(conversations(world, split, count, data, consent)):
            opening = {"role": "user", "content": played.opening(task.id, task.seed)}
            row = {"world": name, "data": data, "task": task.id, "seed": task.seed, "consent": consent}
            found.append(
                {
                    "data_source": f"toolgym/{name}",
                    "agent_name": "tool_agent",
                    "prompt": [{"role": "system", "content": told(task, consent)}, opening],
                    "reward_model": {"style": "rule", "ground_truth": ""},
                    "extra_info": {"index": index, "tools_kwargs": {_ROW: row}},
                }
            )
    return found


def _played_in(agent_data: Any) -> _Played:
    """The episode of a trajectory, which lives as long as the loop's data of it."""
    if not hasattr(agent_data, "toolgym_played"):
        agent_data.toolgym_played = _Played(agent_data)
    return agent_data.toolgym_played  # type: ignore[no-any-return]  # set above


def _opened(row: dict[str, Any], **settings: Any) -> CustomerRollout:
    """The episode of a row, begun; what breaks while it begins is kept for its score."""
    played = CustomerRollout(row["world"], data=row["data"], consent=row.get("consent", "words"), **settings)
    played.opening(row["task"], int(row["seed"]))
    return played


def _schema(world: str, tool: str) -> OpenAIFunctionToolSchema:
    """A tool's schema as verl can hold it: what it has no field for stands in the descriptions."""
    tools = {each["function"]["name"]: each["function"] for each in offered(world)}
    if tool not in tools:
        raise unknown(f"tool of {world}", tool, tools)
    read = get_json_schema(as_method(tools[tool], lambda *_: ""))
    return OpenAIFunctionToolSchema.model_validate(read)
