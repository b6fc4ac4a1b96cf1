"""TIER's XML form: `<api id="0"><name>F</name><param name="p" type="string">v</param></api>` in one block.

Facts from TIER, appendix: objects nest `<field>`, arrays `<item>`, `<none/>` is no call, and
`<response api_id="0" field="x"/>` inside a parameter stands for an earlier result (read, and not told to models: see
`json_ast`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from xml.etree import ElementTree

from sandbox.formats.base import FormatError, arguments_of, read_json
from sandbox.formats.tags import check_return, message_of, read_block, render_block
from sandbox.kit.errors import BadInput
from sandbox.kit.message import Json, Message, ToolCall

_NOT_XML = re.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\ufffe\\uffff]")


class XMLASTFormat:
    """Numbered calls as XML."""

    name = "xml_ast"

    def render_tools(self, tools: Sequence[dict[str, Json]]) -> str:
        """The tools, and how to call them."""
        lines = "\n".join(json.dumps(entry["function"], ensure_ascii=False) for entry in tools)
        return (
            f"You can call these tools:\n{lines}\n"
            'To call them, write <tool_call return="all"><api id="0"><name>TOOL</name><param name="PARAMETER" '
            'type="TYPE">VALUE</param></api></tool_call>, numbered from 0. TYPE is string, integer, float, boolean, '
            "null, array (with <item type=...>) or object (with <field name=... type=...>). "
            "To talk to the user, write plain text."
        )

    def render(self, message: Message) -> str:
        """The message with its calls in one block."""
        calls = "".join(_api(index, call) for index, call in enumerate(message.tool_calls))
        block = f'<tool_call return="all">{calls}</tool_call>'
        return render_block(message, block)

    def parse(self, text: str) -> Message:
        """The message that the text holds."""
        block = read_block(text)
        if block.attributes is None:
            return message_of(block, ())
        check_return(block, text)
        try:
            root = ElementTree.fromstring(f"<calls>{block.body}</calls>")
        except (ElementTree.ParseError, ValueError) as error:
            raise FormatError(f"The calls are not valid XML: {error}", text, block.offset) from None
        calls = []
        for index, node in enumerate(child for child in root if child.tag != "none"):
            if node.tag != "api" or node.get("id") != str(index):
                raise FormatError(f'Expected <api id="{index}">', text, block.offset)
            name = node.findtext("name")
            if not name:
                raise FormatError(f'<api id="{index}"> has no <name>', text, block.offset)
            given = {param.get("name") or "": _read(param, text, block.offset) for param in node.findall("param")}
            calls.append(ToolCall(name=name, arguments=given))
        return message_of(block, calls)


def _api(index: int, call: ToolCall) -> str:
    node = ElementTree.Element("api", id=str(index))
    ElementTree.SubElement(node, "name").text = call.name
    for name, value in arguments_of(call).items():
        _write(ElementTree.SubElement(node, "param", name=name), value)
    written = ElementTree.tostring(node, encoding="unicode")
    if _NOT_XML.search(written):
        raise BadInput(f"The call of {call.name} holds a control character, which XML cannot write.")
    return written.replace("\r", "&#13;")  # a bare one would be read as a line feed


def _write(node: ElementTree.Element, value: Json) -> None:
    if isinstance(value, dict):
        node.set("type", "object")
        for name, item in value.items():
            _write(ElementTree.SubElement(node, "field", name=name), item)
    elif isinstance(value, list):
        node.set("type", "array")
        for item in value:
            _write(ElementTree.SubElement(node, "item"), item)
    elif isinstance(value, str):
        node.set("type", "string")
        node.text = value
    else:
        kinds = {bool: "boolean", int: "integer", float: "float"}
        node.set("type", "null" if value is None else kinds[type(value)])
        node.text = json.dumps(value)


def _read(node: ElementTree.Element, text: str, offset: int) -> Json:
    response = node.find("response")
    if response is not None:
        field = response.get("field")
        return f"API_RESPONSE_{response.get('api_id')}" + (f".{field}" if field else "")
    kind = node.get("type", "string")
    if kind == "object":
        return {field.get("name") or "": _read(field, text, offset) for field in node.findall("field")}
    if kind == "array":
        return [_read(item, text, offset) for item in node.findall("item")]
    written = node.text or ""
    if kind == "string":
        return written
    expected: dict[str, tuple[type, ...]] = {
        "boolean": (bool,),
        "integer": (int,),
        "float": (float, int),
        "null": (type(None),),
    }
    try:
        value: Json = read_json(written, text, offset)
    except FormatError:
        value = ...
    if kind not in expected or not isinstance(value, expected[kind]):
        raise FormatError(f"{written[:40]!r} is not of type {kind}", text, offset)
    return float(written) if kind == "float" else value
