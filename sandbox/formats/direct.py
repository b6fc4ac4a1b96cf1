"""TIER's direct form: a list of calls as code, `["f(a=1)", "g(b='x')"]` or `[f(a=1), g(b=API_RESPONSE_0)]`.

The code is parsed and never run: names, keyword arguments and literals only. Facts from TIER, appendix.
References are read and not told to models: see `json_ast`.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Sequence
from keyword import iskeyword

from sandbox.formats.base import FormatError, arguments_of
from sandbox.formats.tags import message_of, read_block, render_block
from sandbox.kit.message import Json, Message, ToolCall

_NAME = re.compile(r"\w+(?:\.\w+)*")
_REFERENCE = re.compile(r"API_RESPONSE_\d+(?:\.\w+)?")


class DirectFormat:
    """A list of calls as code."""

    name = "direct"

    def render_tools(self, tools: Sequence[dict[str, Json]]) -> str:
        """The tools, and how to call them."""
        lines = "\n".join(json.dumps(entry["function"], ensure_ascii=False) for entry in tools)
        return (
            f"You can call these tools:\n{lines}\n"
            'To call them, write <tool_call>["TOOL(PARAMETER=VALUE)", "TOOL(...)"]</tool_call>. To talk to the user, '
            "write plain text."
        )

    def render(self, message: Message) -> str:
        """The message with its calls as a list of code texts."""
        block = f"<tool_call>{_safe(json.dumps([_code(call) for call in message.tool_calls]))}</tool_call>"
        return render_block(message, block)

    def parse(self, text: str) -> Message:
        """The message that the text holds."""
        block = read_block(text)
        if block.attributes is None:
            return message_of(block, ())
        calls = tuple(_call(node, text, block.offset) for node in _nodes(block.body, text, block.offset))
        return message_of(block, calls)


def _safe(text: str) -> str:
    return text.replace("<", "\\u003c").replace(">", "\\u003e")


def _code(call: ToolCall) -> str:
    given = [
        f"{name}={_literal(value)}" if name.isidentifier() and not iskeyword(name) else f"**{ {name: value}!r}"
        for name, value in arguments_of(call).items()
    ]
    return f"{call.name}({', '.join(given)})"


def _literal(value: Json) -> str:
    return value if isinstance(value, str) and _REFERENCE.fullmatch(value) else repr(value)


def _tree(code: str, text: str, offset: int) -> ast.expr:
    try:
        return ast.parse(code.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise FormatError("The calls are not a list of calls", text, offset) from None


def _nodes(body: str, text: str, offset: int) -> list[ast.expr]:
    try:
        texts = json.loads(body)
    except (ValueError, RecursionError):
        tree = _tree(body, text, offset)
        if not isinstance(tree, ast.List):
            raise FormatError("The calls must stand in a list", text, offset) from None
        texts = [node.value if isinstance(node, ast.Constant) else node for node in tree.elts]
    if not isinstance(texts, list):
        raise FormatError("The calls must stand in a list", text, offset)
    return [_tree(item, text, offset) if isinstance(item, str) else item for item in texts]


def _call(node: ast.expr, text: str, offset: int) -> ToolCall:
    name = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
    if not isinstance(node, ast.Call) or not _NAME.fullmatch(name):
        raise FormatError("Each entry must be a call such as f(a=1)", text, offset)
    if node.args:
        raise FormatError(f"{name}: name every parameter, as in f(a=1)", text, offset)
    arguments: dict[str, Json] = {}
    for keyword in node.keywords:
        value = _value(keyword.value, text, offset)
        if keyword.arg is None and not isinstance(value, dict):
            raise FormatError(f"{name}: ** takes an object, as in f(**{{'a': 1}})", text, offset)
        arguments |= value if keyword.arg is None else {keyword.arg: value}
    return ToolCall(name=name, arguments=arguments)


def _value(node: ast.expr, text: str, offset: int) -> Json:
    code = ast.unparse(node)
    if _REFERENCE.fullmatch(code):
        return code
    try:
        value = ast.literal_eval(node)
        written = json.dumps(value, allow_nan=False, ensure_ascii=False)
        written.encode()
    except (ValueError, TypeError, RecursionError):
        raise FormatError(f"{code[:40]!r} is not a plain value", text, offset) from None
    if isinstance(value, dict) and not all(isinstance(key, str) for key in value):
        raise FormatError("The keys of an object must be texts", text, offset)
    return json.loads(written)
