"""Names the keys of verl that can be set and change nothing, because no line of verl reads them.

verl 0.9.1 keeps keys of older trainers in its configuration (`actor.grad_clip` is one). A key counts as read when its
name stands in verl's sources, outside its configuration's definitions, as an attribute or in quotes, or when the class
of its section uses it. That finds no key that is read under its name for another section only, and it says nothing
about sections that verl hands on whole.
"""

from __future__ import annotations

import importlib.util
import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from omegaconf import DictConfig, OmegaConf

from toolgym.sandbox.kit.errors import BadInput

REPLACED = {
    "actor_rollout_ref.actor.grad_clip": "actor_rollout_ref.actor.optim.clip_grad",
    "critic.grad_clip": "critic.optim.clip_grad",
}
"""Keys that verl does not read, to the ones that do what their names say."""

HANDED_ON = frozenset({"ray_kwargs", "transfer_queue", "global_profiler", "lora", "turbo_config", "tiled_mlp"})
"""Sections that verl gives to somebody else as they are: Ray, the transfer queue, profilers, PEFT."""

READ = re.compile(r"\.(\w+)\b(?!\s*\()|[\"'](\w+)[\"']")


def leaves(values: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    """The dotted keys of nested mappings."""
    for name, value in values.items():
        if isinstance(value, Mapping) and value:
            yield from leaves(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}"


def refuse_replaced(keys: Iterable[str]) -> None:
    """Refuse what verl ignores and has another key for.

    Raises:
        BadInput: the key, with the one to use.
    """
    for key in keys:
        if key in REPLACED:
            raise BadInput(f"verl reads {key} nowhere; the key that does it is {REPLACED[key]}.")


def dead(keys: Iterable[str], defaults: DictConfig) -> list[str]:
    """Those of the keys that verl has and does not read.

    Args:
        keys: dotted.
        defaults: verl's own configuration.
    """
    return [key for key in keys if not _is_read(key, defaults)]


def _is_read(key: str, defaults: DictConfig) -> bool:
    *path, name = key.split(".")
    section = OmegaConf.select(defaults, ".".join(path)) if path else defaults
    if not isinstance(section, DictConfig) or name not in section or HANDED_ON & set(path):
        return True  # free-form in verl, or handed on
    return name in _names() or _class_uses(str(section.get("_target_") or ""), name)


@cache
def _names() -> frozenset[str]:
    """Every name that stands in verl's code as an attribute or in quotes; its folders `config` only define names."""
    found = importlib.util.find_spec("verl")
    assert found is not None and found.submodule_search_locations is not None
    files = Path(found.submodule_search_locations[0]).rglob("*.py")
    code = (file.read_text(encoding="utf-8", errors="replace") for file in files if file.parent.name != "config")
    return frozenset(attribute or quoted for text in code for attribute, quoted in READ.findall(text))


def _class_uses(target: str, name: str) -> bool:
    """Whether the class that verl makes of a section uses the name in a method of its own."""
    if not target:
        return False
    from hydra.utils import get_class

    own = (base for base in get_class(target).__mro__ if base.__module__.startswith("verl."))
    return any(re.search(rf"\bself\.{name}\b", inspect.getsource(base)) for base in own)
