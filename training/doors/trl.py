"""TRL's `environment_factory`: a class per world, whose methods are its tools and whose customer is one of them.

TRL reads a method's name, type hints and Google docstring, so that is what is made from a tool's schema; it renders a
schema of its own from them. Nothing of TRL is imported here.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from typing import Any, Literal, Union

from sandbox.kit.errors import BadInput, InfrastructureError
from sandbox.runtime.registry import domain_name
from training.doors.customer import CustomerRollout, offered, told
from training.doors.rollout import Row, conversations, newest

_TYPES: Mapping[str, type] = {"string": str, "integer": int, "number": float, "boolean": bool, "null": type(None)}


def environment(
    world: str,
    *,
    data: str | None = None,
    reward: str = "outcome",
    reward_options: Mapping[str, Any] | None = None,
    judge: str = "rules",
    judge_options: Mapping[str, Any] | None = None,
    user: str = "scripted",
    user_options: Mapping[str, Any] | None = None,
    max_turns: int = 30,
) -> type:
    """The class to give to `GRPOTrainer(environment_factory=...)`.

    Args:
        world: its name, with its newest tasks, or an environment's id.
        data: another body of data.
        reward: the reward's name: outcome, tarl, prove, tier or an installed one.
        reward_options: the reward's variants.
        judge: who scores turns, for rewards that need turn scores.
        judge_options: the judge's options.
        user: who plays the customer: scripted, llm or an installed name.
        user_options: the customer's options.
        max_turns: calls until the episode is cut.

    Returns:
        A class with `reset(task=, seed=)`, a method for every tool, `talk_to_customer`, and `get_reward`, which is
        None for an episode that broke: TRL leaves it out of its group.

    Raises:
        BadInput: there is no such world or reward, or one of its tools has a name that TRL keeps for itself.
    """

    def begin(self: Any) -> None:
        self._rollout = CustomerRollout(
            world,
            data=data,
            reward=reward,
            reward_options=reward_options,
            judge=judge,
            judge_options=judge_options,
            user=user,
            user_options=user_options,
            max_turns=max_turns,
        )

    def reset(self: Any, *, task: str, seed: int = 0, **_: Any) -> str:
        """Begin the episode of a row; what the customer says first."""
        return str(self._rollout.opening(task, seed))

    async def get_reward(self: Any) -> float | None:
        """The reward of the episode; None where it broke."""
        try:
            return float((await self._rollout.scored()).total)
        except InfrastructureError:
            return None

    name = domain_name(world)
    members: dict[str, Any] = {"__init__": begin, "reset": reset, "get_reward": get_reward}
    for tool in offered(name):
        method = _method(tool["function"])
        if method.__name__ in members or method.__name__.startswith("_"):
            raise BadInput(f"The tool {method.__name__} of {world} cannot be a method of TRL's environment; rename it.")
        members[method.__name__] = method
    made = type(name, (), members | {"__doc__": f"{name} as TRL plays it."})
    made()  # what is wrong with the settings is told here, not in the middle of a run
    return made


def rows(world: str, split: str | None = None, *, data: str | None = None, count: int | None = None) -> list[Row]:
    """The rows of a split for `datasets.Dataset.from_list`: `prompt`, `task`, `seed`, and `environment` for runs of
    several worlds, where the classes are given as a dictionary by these names.
    """
    name, data = domain_name(world), newest(world, data)
    return [
        {
            "prompt": [{"role": "system", "content": told(task)}, {"role": "user", "content": ""}],
            "task": task.id,
            "seed": task.seed,
            "environment": name,
        }
        for task in conversations(world, split, count, data)
    ]


def _method(tool: Mapping[str, Any]) -> Callable[..., str]:
    """A tool as a method with the signature and docstring that TRL reads."""

    def method(self: Any, /, **arguments: Any) -> str:
        return str(self._rollout.call(tool["name"], arguments))

    schema = tool["parameters"]
    properties, required = schema.get("properties", {}), schema.get("required", ())
    ordered = sorted(properties, key=lambda name: name not in required)
    parameters = [_parameter(name, properties[name], required=name in required) for name in ordered]
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    method.__name__ = method.__qualname__ = tool["name"]
    method.__signature__ = inspect.Signature([own, *parameters], return_annotation=str)  # type: ignore[attr-defined]
    method.__annotations__ = {each.name: each.annotation for each in parameters} | {"return": str}
    method.__doc__ = _docstring(tool["description"], {name: properties[name] for name in ordered})
    return method


def _parameter(name: str, schema: Mapping[str, Any], *, required: bool) -> inspect.Parameter:
    default = inspect.Parameter.empty if required else schema.get("default")
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=_hint(schema))


def _hint(schema: Mapping[str, Any]) -> Any:
    """The type of a value. What a type hint cannot say of it stands in the description."""
    if "anyOf" in schema:
        return Union[tuple(_hint(each) for each in schema["anyOf"])]  # noqa: UP007  # their number is not known
    if "enum" in schema:
        return Literal[tuple(schema["enum"])]
    if schema.get("type") == "array":
        return list[_hint(schema.get("items", {}))]  # type: ignore[misc]  # made when it runs
    return _TYPES.get(schema.get("type", ""), dict)


def _docstring(description: str, properties: Mapping[str, Mapping[str, Any]]) -> str:
    """Google's form, a line for each argument."""
    lines = [f"    {name}: {_line(schema)}" for name, schema in properties.items()]
    return "\n".join([description.strip(), "", "Args:", *lines] if lines else [description.strip()])


def _line(schema: Mapping[str, Any]) -> str:
    """What is said of an argument; of nested values with their schema, and of bounds."""
    said = " ".join(str(schema.get("description", "")).split()) or "see the tool's description."
    kept = {key: value for key, value in schema.items() if key not in ("description", "default", "enum", "title")}
    plain = {"type"} if schema.get("type") in _TYPES else set()
    if isinstance(schema.get("anyOf"), list) and all(each.keys() <= {"type", "enum"} for each in schema["anyOf"]):
        plain = {"anyOf"}
    more = {key: value for key, value in kept.items() if key not in plain}
    return f"{said} As JSON schema: {json.dumps(more, ensure_ascii=False)}." if more else said
