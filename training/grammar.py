"""Reads what is written in Hydra's grammar: values on the command line, and overrides of verl's configuration.

YAML looks alike and is not: it takes `{a:b}` for a key named `a:b` without a value, and `1e-6` for text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override, QuotedString
from hydra.errors import HydraException

from toolgym.sandbox.kit.errors import BadInput


def read_value(text: str, name: str) -> Any:
    """The value of a setting as Hydra reads it.

    Args:
        text: such as `1e-6`, `[a,b]`, `{a: 1}` or `null`.
        name: of the setting, for the message.

    Raises:
        BadInput: it cannot be read.
    """
    return _value(_parsed(f"value={text}", f"{name}={text}"), f"{name}={text}")


def read_overrides(lines: Sequence[str]) -> dict[str, Any]:
    """Overrides as Hydra's command line takes them (`a.b=1`, `+a.b={c: d}`), as nested mappings."""
    found: dict[str, Any] = {}
    for line in lines:
        override = _parsed(line, line)
        *sections, last = override.key_or_group.split(".")
        inner = found
        for section in sections:
            inner = inner.setdefault(section, {})
        inner[last] = _value(override, line)
    return found


def _parsed(line: str, shown: str) -> Override:
    try:
        return OverridesParser.create().parse_override(line)
    except HydraException as error:
        reason = str(error).splitlines()[0]
        raise BadInput(
            f"{shown!r} cannot be read ({reason}). Lists are written [a,b], mappings {{a: 1}}, and text with other "
            "signs in quotes of its own: KEY='\"...\"'."
        ) from None


def _value(override: Override, shown: str) -> Any:
    if override.is_sweep_override():
        raise BadInput(f"{shown!r} names several values; a list is written [a,b].")
    return _plain(override.value())


def _plain(value: Any) -> Any:
    """The value without Hydra's own marks for quoted text."""
    if isinstance(value, QuotedString):
        return value.text
    if isinstance(value, dict):
        return {str(_plain(key)): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value
