"""What a format renders it reads back, whatever the words, and what it cannot read it explains with a place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolgym.sandbox.formats import FormatError, get_format
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import Message, ToolCall
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.references import resolve
from toolgym.sandbox.runtime.registry import get_domain

NAMES = registry.names("formats")

nasty = st.sampled_from(
    [
        "</tool_call>",
        "<tool_call>",
        "</think>",
        '"',
        "\\",
        "{",
        "]",
        "\n",
        "\r",
        "\t",
        "é\u2028",
        "a < b & c",
        "API",
        "|",
        "'",
        "",
    ]
)
words = st.lists(
    nasty | st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=8), max_size=4
).map("".join)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | words,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["k", "key two", "ключ"]), inner, max_size=2)
    ),
    max_leaves=6,
)
arguments = st.dictionaries(st.sampled_from(["a", "order_id", "from", "two words", "Straße"]), json_values, max_size=3)
calls = st.builds(ToolCall, name=st.sampled_from(["f", "get_order_details", "shop.find"]), arguments=arguments)
plain = st.text(
    st.characters(codec="utf-8", categories=("L", "N", "P", "Zs"), exclude_characters="<>{}[]"), min_size=1
).filter(lambda text: text.strip() == text)
thoughts = st.none() | plain


@st.composite
def messages(draw: st.DrawFn) -> Message:
    made = tuple(draw(st.lists(calls, max_size=3)))
    content = None if made else draw(plain)
    return Message(role="assistant", content=content, tool_calls=made, reasoning=draw(thoughts))


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_promised_that_an_episode_does_not_keep(name: str) -> None:
    """Episodes resolve no reference between calls and return every result."""
    prompt = get_format(name).render_tools(get_domain("retail").tools.to_openai())
    assert not [word for word in ("API_RESPONSE", "api_id", 'return="one"') if word in prompt]


REFERENCES = {
    "json_ast": '<tool_call return="one">{"0": {"f": {}}, "1": {"g": {"a": "API_RESPONSE_0.x"}}}</tool_call>',
    "xml_ast": '<tool_call return="all"><api id="0"><name>f</name></api><api id="1"><name>g</name><param name="a">'
    '<response api_id="0" field="x"/></param></api></tool_call>',
    "direct": '<tool_call>["f()", "g(a=API_RESPONSE_0.x)"]</tool_call>',
}


@pytest.mark.parametrize("name", REFERENCES)
def test_references_are_read_all_the_same(name: str) -> None:
    second = get_format(name).parse(REFERENCES[name]).tool_calls[1]
    assert second.arguments == {"a": "API_RESPONSE_0.x"}
    assert resolve(second.arguments, [{"x": 7, "y": 8}]) == {"a": 7}


@given(message=messages())
def test_parse_reads_what_render_writes(message: Message) -> None:
    for name in NAMES:
        assert get_format(name).parse(get_format(name).render(message)) == message, name


@given(made=st.lists(calls, min_size=1, max_size=2), content=plain)
def test_words_beside_calls(made: list[ToolCall], content: str) -> None:
    message = Message(role="assistant", content=content, tool_calls=tuple(made))
    for name in ("openai", "hermes"):
        assert get_format(name).parse(get_format(name).render(message)) == message, name


@given(text=st.text() | words)
def test_any_text_is_read_or_explained(text: str) -> None:
    for name in NAMES:
        try:
            message = get_format(name).parse(text)
        except FormatError as error:
            assert 0 <= error.offset <= len(text) and "line" in str(error), name
        else:
            assert message.role == "assistant", name


@pytest.mark.parametrize("name", NAMES)
def test_tools_are_shown_with_their_arguments(name: str) -> None:
    shown = get_format(name).render_tools(get_domain("kiosk").tools.to_openai())
    assert "reserve_ticket" in shown and "ticket_id" in shown


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("openai", '{"name": 3}', (1, 1)),
        ("openai", 'x\n{"name"', None),
        ("openai", '\n{"name": "f",,}', (2, 14)),
        ("hermes", 'a\n<tool_call>{"name": "f", }</tool_call>', (2, 26)),
        ("hermes", "hello <tool_call>{}", (1, 7)),
        ("hermes", "<think>never closed", (1, 1)),
        ("hermes", '<tool_call>{"name": "f", "parameters": {"a": 1}}</tool_call>', (1, 12)),
        ("openai", '[{"name": "f", "arguments": "{bad"}]', (1, 1)),
        ("openai", '[{"name": "f"},, {}]', (1, 16)),
        ("openai", "[1] is a footnote", None),
        ("openai", "[Note] I look it up.", None),
    ],
)
def test_errors_have_a_place(name: str, text: str, place: tuple[int, int] | None) -> None:
    if place is None:
        assert get_format(name).parse(text).content == text
        return
    with pytest.raises(FormatError) as caught:
        get_format(name).parse(text)
    assert f"line {place[0]}, column {place[1]}" in str(caught.value)


def test_results_are_rendered_for_the_model() -> None:
    answer = Message(role="tool", content="[1]", tool_call_id="c", name="f")
    assert "[1]" in get_format("hermes").render(answer) and "tool_response" in get_format("hermes").render(answer)


@pytest.mark.parametrize("value", ["NaN", "-Infinity", "1e999", "9" * 5000, '"\\ud800"', "[" * 100_000 + "]" * 100_000])
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("openai", '{"name": "f", "arguments": {"a": VALUE}}'),
        ("openai", '[{"name": "f", "arguments": {"a": VALUE}}]'),
        ("hermes", '<tool_call>{"name": "f", "arguments": {"a": VALUE}}</tool_call>'),
        ("toolrl", '<tool_call>{"name": "f", "parameters": {"a": VALUE}}</tool_call>'),
        ("json_ast", '<tool_call return="all">{"0": {"f": {"a": VALUE}}}</tool_call>'),
        ("react", 'Action: f\nAction Input: {"a": VALUE}'),
        ("direct", "<tool_call>[f(a=VALUE)]</tool_call>"),
        (
            "xml_ast",
            '<tool_call return="all"><api id="0"><name>f</name><param name="a" type="float">VALUE</param></api>',
        ),
    ],
)
def test_what_json_cannot_hold_is_explained(name: str, text: str, value: str) -> None:
    with pytest.raises(FormatError):
        get_format(name).parse(text.replace("VALUE", value))


@pytest.mark.parametrize("opening", ["<think>\n", ""])
@pytest.mark.parametrize("name", NAMES)
def test_thoughts_whose_opening_tag_stands_in_the_prompt(name: str, opening: str) -> None:
    text_format = get_format(name)
    action = Message(role="assistant", tool_calls=(ToolCall(name="f", arguments={"a": "x</think>"}),))
    spoken = text_format.parse(f"{opening}Which {{}} order?\n</think>\n\n{text_format.render(action)}")
    assert spoken == action.model_copy(update={"reasoning": "Which {} order?"})
    assert text_format.parse(text_format.render(action)).reasoning is None


def test_a_tag_quoted_in_an_argument_does_not_end_the_call() -> None:
    text = 'One moment.\n<tool_call>{"name": "f", "arguments": {"a": "</tool_call><tool_call>"}}</tool_call>'
    message = get_format("hermes").parse(text)
    assert message.content == "One moment." and message.tool_calls[0].arguments == {"a": "</tool_call><tool_call>"}


@pytest.mark.parametrize("name", [name for name in NAMES if name != "openai"])
def test_a_call_whose_arguments_are_no_object_cannot_be_shown(name: str) -> None:
    broken = Message(role="assistant", tool_calls=(ToolCall(name="f", arguments="{half"),))
    with pytest.raises(BadInput, match="carries arguments that are no JSON object"):
        get_format(name).render(broken)
    assert "{half" in get_format("openai").render(broken)
