"""TIER's direct form: a list of calls as code, `["f(a=1)", "g(b='x')"]` or `[f(a=1), g(b=API_RESPONSE_0)]`.

The code is parsed and never run: names, keyword arguments and literals only. Facts from TIER, appendix: every result
is the answer; a program of which only the last one is says so as the other forms do, by `return="one"`. The released
reader of TIER's repository takes references in quotes alone, and both are read here. References are told to models
only where they write programs: see `json_ast`.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from keyword import iskeyword

from toolgym.sandbox.formats.base import FormatError, arguments_of
from toolgym.sandbox.formats.tags import Block, message_of, program_prompt, read_block, render_block, returned
from toolgym.sandbox.kit.message import Json, Message, ToolCall
from toolgym.sandbox.runtime.references import REFERENCE

_NAME = re.compile(r"\w+(?:\.\w+)*")


class DirectFormat:
    """A list of calls as code.

    Args:
        quoted: references are written in quotes, as the released reader takes them.
    """

    name = "direct"
    no_call = "<tool_call>[]</tool_call>"

    def __init__(self, quoted: bool = False) -> None:
        self._quoted = quoted

    def render_tools(self, tools: Sequence[dict[str, Json]]) -> str:
        """The tools, and how to call them."""
        lines = "\n".join(json.dumps(entry["function"], ensure_ascii=False) for entry in tools)
        return (
            f"You can call these tools:\n{lines}\n"
            'To call them, write <tool_call>["TOOL(PARAMETER=VALUE)", "TOOL(...)"]</tool_call>. To talk to the user, '
            "write plain text."
        )

    def program_tools(self, tools: Sequence[dict[str, Json]]) -> str:
        """The tools, and how to answer with a program."""
        return program_prompt(
            tools,
            'Write one program: <tool_call return="one">["TOOL(PARAMETER=VALUE)", "TOOL(...)"]</tool_call>, its calls '
            "counted from 0; [] is a program without calls. A VALUE may be API_RESPONSE_0.FIELD, "
            "API_RESPONSE_0.items[0].FIELD or so: that part of the result of call 0.",
        )

    def render(self, message: Message) -> str:
        """The message with its calls as a list of code texts."""
        mode = "" if message.returns == "all" else f' return="{message.returns}"'
        listed = json.dumps([self._code(call) for call in message.tool_calls])
        block = f"<tool_call{mode}>{_safe(listed)}</tool_call>"
        return render_block(message, block)

    def parse(self, text: str) -> Message:
        """The message that the text holds."""
        block = read_block(text)
        if block.attributes is None:
            return message_of(block, ())
        returns = returned(block, text, required=False)
        nodes = _nodes(block, text)
        return message_of(block, tuple(_call(node, text, place) for node, place in nodes), returns)

    def _code(self, call: ToolCall) -> str:
        given = [
            f"{name}={self._literal(value)}" if name.isidentifier() and not iskeyword(name) else f"**{ {name: value}!r}"
            for name, value in arguments_of(call).items()
        ]
        return f"{call.name}({', '.join(given)})"

    def _literal(self, value: Json) -> str:
        bare = not self._quoted and isinstance(value, str) and _bare(value)
        return str(value) if bare else repr(value)


def _safe(text: str) -> str:
    return text.replace("<", "\\u003c").replace(">", "\\u003e")


def _bare(text: str) -> bool:
    """Whether a text is a reference that code can hold without quotes."""
    if not REFERENCE.fullmatch(text):
        return False
    try:
        return ast.unparse(ast.parse(text, mode="eval")) == text
    except SyntaxError:
        return False


class _Quoting(ast.NodeTransformer):
    """Puts references that stand in code into quotes."""

    def visit(self, node: ast.AST) -> ast.AST:
        """The node, or the reference's text."""
        if isinstance(node, ast.Name | ast.Attribute | ast.Subscript) and REFERENCE.fullmatch(ast.unparse(node)):
            return ast.Constant(ast.unparse(node))
        return self.generic_visit(node)


def _tree(code: str, text: str, offset: int) -> ast.expr:
    try:
        return ast.parse(code.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise FormatError("The calls are not a list of calls", text, offset) from None


def _nodes(block: Block, text: str) -> Iterator[tuple[ast.expr, int]]:
    """The calls, each with its place in the text."""
    try:
        entries = json.loads(block.body)
    except (ValueError, RecursionError):
        tree = _tree(block.body, text, block.offset)
        if not isinstance(tree, ast.List):
            raise FormatError("The calls must stand in a list", text, block.offset) from None
        entries = [node.value if isinstance(node, ast.Constant) else node for node in tree.elts]
    if not isinstance(entries, list):
        raise FormatError("The calls must stand in a list", text, block.offset)
    place = 0
    for entry in entries:
        written = json.dumps(entry)[1:-1] if isinstance(entry, str) else ""
        place = max(place, block.body.find(written, place))
        offset = block.offset + place
        yield (_tree(entry, text, offset) if isinstance(entry, str) else entry), offset


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
    try:
        value = ast.literal_eval(_Quoting().visit(node))
        written = json.dumps(value, allow_nan=False, ensure_ascii=False)
        written.encode()
    except (ValueError, TypeError, RecursionError):
        raise FormatError(f"{code[:40]!r} is not a plain value", text, offset) from None
    if isinstance(value, dict) and not all(isinstance(key, str) for key in value):
        raise FormatError("The keys of an object must be texts", text, offset)
    return json.loads(written)
