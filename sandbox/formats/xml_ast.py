"""TIER's XML form: `<api id="0"><name>F</name><param name="p" type="string">v</param></api>` in one block.

Facts from TIER, appendix: objects nest `<field>`, arrays `<item>`, `<none/>` is no call, and
`<response api_id="0" api_name="F" field="x"/>` inside a parameter stands for an earlier result (told to models only
where they write programs: see `json_ast`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from xml.etree import ElementTree

from toolgym.sandbox.formats.base import FormatError, arguments_of, read_json
from toolgym.sandbox.formats.tags import Block, message_of, program_prompt, read_block, render_block, returned
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import Json, Message, ToolCall
from toolgym.sandbox.runtime.references import REFERENCE, START

_ROOT = "<calls>"
_NOT_XML = re.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\ufffe\\uffff]")


class XMLASTFormat:
    """Numbered calls as XML."""

    name = "xml_ast"
    no_call = '<tool_call return="all"><none/></tool_call>'

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

    def program_tools(self, tools: Sequence[dict[str, Json]]) -> str:
        """The tools, and how to answer with a program."""
        return program_prompt(
            tools,
            'Write one program: <tool_call return="one"><api id="0"><name>TOOL</name><param name="PARAMETER" '
            'type="TYPE">VALUE</param></api><api id="1">...</api></tool_call>, its calls numbered from 0; <none/> '
            "stands for no call. TYPE is string, integer, float, boolean, null, array (with <item type=...>) or object "
            "(with <field name=... type=...>). In the place of a VALUE, without a type, may stand "
            '<response api_id="0" field="FIELD"/>, with a field such as items[0].FIELD: that part of the result of '
            "call 0.",
        )

    def render(self, message: Message) -> str:
        """The message with its calls in one block."""
        names = [call.name for call in message.tool_calls]
        calls = "".join(_api(index, call, names) for index, call in enumerate(message.tool_calls))
        block = f'<tool_call return="{message.returns}">{calls}</tool_call>'
        return render_block(message, block)

    def parse(self, text: str) -> Message:
        """The message that the text holds."""
        block = read_block(text)
        if block.attributes is None:
            return message_of(block, ())
        returns = returned(block, text)
        calls = []
        for index, node in enumerate(child for child in _tree(block, text) if child.tag != "none"):
            place = block.offset + max(0, block.body.find(f'<api id="{node.get("id")}"'))
            if node.tag != "api" or node.get("id") != str(index):
                raise FormatError(f'Expected <api id="{index}">', text, place)
            name = node.findtext("name")
            if not name:
                raise FormatError(f'<api id="{index}"> has no <name>', text, place)
            given = {param.get("name") or "": _read(param, text, place) for param in node.findall("param")}
            calls.append(ToolCall(name=name, arguments=given))
        return message_of(block, calls, returns)


def _tree(block: Block, text: str) -> ElementTree.Element:
    try:
        return ElementTree.fromstring(f"{_ROOT}{block.body}</calls>")
    except ElementTree.ParseError as error:
        line, column = error.position
        before = sum(len(each) + 1 for each in block.body.split("\n")[: line - 1])
        place = min(len(text), block.offset + max(0, before + column - (len(_ROOT) if line == 1 else 0)))
        raise FormatError(f"The calls are not valid XML: {error.msg.partition(':')[0]}", text, place) from None
    except ValueError as error:
        raise FormatError(f"The calls are not valid XML: {error}", text, block.offset) from None


def _api(index: int, call: ToolCall, names: Sequence[str]) -> str:
    node = ElementTree.Element("api", id=str(index))
    ElementTree.SubElement(node, "name").text = call.name
    for name, value in arguments_of(call).items():
        _write(ElementTree.SubElement(node, "param", name=name), value, names)
    written = ElementTree.tostring(node, encoding="unicode")
    if _NOT_XML.search(written):
        raise BadInput(f"The call of {call.name} holds a control character, which XML cannot write.")
    return written.replace("\r", "&#13;")  # a bare one would be read as a line feed


def _write(node: ElementTree.Element, value: Json, names: Sequence[str]) -> None:
    if isinstance(value, dict):
        node.set("type", "object")
        for name, item in value.items():
            _write(ElementTree.SubElement(node, "field", name=name), item, names)
    elif isinstance(value, list):
        node.set("type", "array")
        for item in value:
            _write(ElementTree.SubElement(node, "item"), item, names)
    elif isinstance(value, str) and (reference := REFERENCE.fullmatch(value)):
        _refer(node, reference[1], reference[2].removeprefix("."), names)
    elif isinstance(value, str):
        node.set("type", "string")
        node.text = value
    else:
        kinds = {bool: "boolean", int: "integer", float: "float"}
        node.set("type", "null" if value is None else kinds[type(value)])
        node.text = json.dumps(value)


def _refer(node: ElementTree.Element, number: str, field: str, names: Sequence[str]) -> None:
    """A reference, with the name of the call that it refers to where there is such a call."""
    called = {"api_name": names[int(number)]} if int(number) < len(names) else {}
    ElementTree.SubElement(node, "response", {"api_id": number, **called, **({"field": field} if field else {})})


def _referred(response: ElementTree.Element, text: str, offset: int) -> str:
    field = response.get("field") or ""
    written = f"{START}{response.get('api_id')}{'' if not field or field.startswith('[') else '.'}{field}"
    if not REFERENCE.fullmatch(written):
        raise FormatError('<response> needs a number as api_id and a field such as "items[0].name"', text, offset)
    return written


def _read(node: ElementTree.Element, text: str, offset: int) -> Json:
    response = node.find("response")
    if response is not None:
        return _referred(response, text, offset)
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
