"""Programs of every world read back as they were written, with their references and their return mode."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolgym.sandbox.formats.base import FormatError
from toolgym.sandbox.formats.direct import DirectFormat
from toolgym.sandbox.formats.program import parse_program, program_format, render_program
from toolgym.sandbox.kit.errors import BadInput, Refusal
from toolgym.sandbox.kit.message import Json, Message, ToolCall
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.references import is_reference, resolve, sources
from toolgym.sandbox.runtime.registry import get_domain

FORMATS = ("json_ast", "xml_ast", "direct")
TOOLS = [
    (tool.name, tuple(tool.parameters["properties"]))
    for world in registry.names("domains")
    for tool in (*get_domain(world).tools.values(), *get_domain(world).user_tools.values())
]
texts = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=8)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["k", "key two"]), inner, max_size=2),
    max_leaves=4,
)
references = st.from_regex(r"API_RESPONSE_[0-9]{1,2}(\.[a-z_][a-z_0-9]{0,9}|\[[0-9]{1,2}\]){0,4}", fullmatch=True)
values = json_values | references | st.lists(references, max_size=2) | st.fixed_dictionaries({"k": references})


@st.composite
def programs(draw: st.DrawFn) -> Message:
    calls = []
    for name, parameters in draw(st.lists(st.sampled_from(TOOLS), max_size=4)):
        given = {each: draw(values) for each in parameters if draw(st.booleans())}
        calls.append(ToolCall(name=name, arguments=given))
    mode = draw(st.sampled_from(["one", "all"])) if calls else "all"
    return Message(role="assistant", tool_calls=tuple(calls), returns=mode)


@given(program=programs())
def test_a_program_reads_back_as_it_was_written_also_with_references_in_quotes(program: Message) -> None:
    for text_format in map(program_format, FORMATS):
        assert parse_program(render_program(program, text_format), text_format) == program, text_format.name
    assert parse_program(render_program(program, DirectFormat(quoted=True)), DirectFormat()) == program


@given(text=references)
def test_every_such_text_is_a_reference_and_is_followed_or_refused_in_a_sentence(text: str) -> None:
    assert is_reference(text) and len(list(sources([text]))) == 1
    try:
        resolve(text, [{"items": [{"a": 1}]}, 7, []])
    except Refusal as refusal:
        assert refusal.code == "bad_reference" and refusal.message.endswith(".")


@pytest.mark.parametrize(
    ("text", "keys", "found"),
    [
        ("API_RESPONSE_0.items[0].account_id", (), "A-1"),
        ("API_RESPONSE_0", ("account_id",), "A-1"),
        ("API_RESPONSE_1", ("account_id",), "A-2"),
        ("API_RESPONSE_1", (), 3),
        ("API_RESPONSE_2", ("account_id",), "A-9"),
        (["API_RESPONSE_1.kind", {"deep": "API_RESPONSE_2"}, "API"], (), ["debit", {"deep": "A-9"}, "API"]),
    ],
)
def test_what_references_stand_for(text: Json, keys: tuple[str, ...], found: Json) -> None:
    listed = {"items": [{"account_id": "A-1"}], "total": 1}
    row = {"account_id": "A-2", "kind": "debit", "balance": 3, "status_code": 200}
    assert resolve(text, [listed, row, "A-9"], keys) == found


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("json_ast", '<tool_call return="one">\n{"0": {"f": {}},\n "2": {"g": {}}}</tool_call>', "line 3, column 2"),
        ("json_ast", '<tool_call return="one">{"0": {"f": {}}, "1": {"g": 3}}</tool_call>', 'parameters of call "1"'),
        ("json_ast", '<tool_call return="last">{}</tool_call>', 'return="one" or return="all"'),
        ("json_ast", '<tool_call>{"0": {"f": {}}}</tool_call>', 'return="one" or return="all"'),
        ("xml_ast", '<tool_call return="one"><api id="0"><name>f</name></api>\n<api id="5"/></tool_call>', "line 2"),
        ("xml_ast", '<tool_call return="one"><api id="0">\n</api</tool_call>', "line 2"),
        ("xml_ast", '<tool_call return="one"><none/>x<response api_id="no"/></tool_call>', 'Expected <api id="0">'),
        ("direct", '<tool_call>["f()", "g(a=1"]</tool_call>', "column 21"),
        ("direct", '<tool_call>["f()", "g(a=API_RESPONSE_0 + 1)"]</tool_call>', "not a plain value"),
        ("direct", "<tool_call>f()</tool_call>", "must stand in a list"),
    ],
)
def test_what_cannot_be_read_is_said_with_its_place(name: str, text: str, why: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_program(text, program_format(name))
    assert why in str(caught.value) and "(line " in str(caught.value)


@pytest.mark.parametrize("name", FORMATS)
def test_words_around_a_program_change_nothing_though_it_has_no_calls(name: str) -> None:
    form = program_format(name)
    read = parse_program(f"<think>None fits.</think>\n{form.no_call}\nI cannot help.", form)
    assert read.tool_calls == () and read.content is None and read.reasoning == "None fits."
    with pytest.raises(FormatError, match="There is no program"):
        parse_program("<think>None fits.</think>\nI cannot help.", form)


def test_other_formats_hold_no_programs() -> None:
    with pytest.raises(BadInput, match="Known: direct, json_ast, xml_ast"):
        program_format("hermes")
