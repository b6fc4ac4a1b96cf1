"""Values as literals of Java, in which BFCL's rows of that language take arguments, as its evaluator reads them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

_SUFFIXES = {"long": "L", "float": "f"}


def java(value: Any, schema: Mapping[str, Any]) -> str:
    """A value of the schema's type as text."""
    kind = str(schema.get("type"))
    inner = str(schema.get("items", {}).get("type", "")) if isinstance(schema.get("items"), dict) else ""
    if kind == "Array" and isinstance(value, list):
        return f"new {inner or 'Object'}[]{{{', '.join(_element(each, inner, quoted=False) for each in value)}}}"
    if kind == "ArrayList" and isinstance(value, list):
        listed = ", ".join(_element(each, inner, quoted=True) for each in value)
        return f"new ArrayList<>(Arrays.asList({listed}))" if value else "new ArrayList<>()"
    if kind == "HashMap" and isinstance(value, dict):
        puts = " ".join(f"put({json.dumps(key)}, {_element(each, '', quoted=True)});" for key, each in value.items())
        return f"new HashMap<String, Object>() {{{{ {puts} }}}}"
    return _scalar(value, kind)


def _element(value: Any, kind: str, *, quoted: bool) -> str:
    """An element; texts of an array of texts stand there bare, as the evaluator would keep the quotes."""
    if isinstance(value, str) and (quoted or kind not in ("String", "any")):
        return json.dumps(value, ensure_ascii=False)
    return _scalar(value, kind)


def _scalar(value: Any, kind: str) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False) + _SUFFIXES.get(kind, "")
