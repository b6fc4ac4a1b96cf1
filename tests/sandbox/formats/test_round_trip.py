"""What a format renders it reads back, whatever the words, and what it cannot read it explains with a place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox import registry
from sandbox.domain import get_domain
from sandbox.formats import FormatError, get_format
from sandbox.message import Message, ToolCall

NAMES = registry.names("formats")
CALL_ONLY = {"json_ast", "xml_ast", "direct"}
"""Formats in which a message is calls or text, never both."""

nasty = st.sampled_from(
    ["</tool_call>", "<tool_call>", "</think>", '"', "\\", "{", "]", "\n", "é\u2028", "a < b & c", "API", "|", "'", ""]
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
arguments = st.dictionaries(st.sampled_from(["a", "order_id", "items"]), json_values, max_size=3)
calls = st.builds(ToolCall, name=st.sampled_from(["f", "get_order_details"]), arguments=arguments)
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
@given(message=messages())
def test_parse_reads_what_render_writes(name: str, message: Message) -> None:
    text_format = get_format(name)
    assert text_format.parse(text_format.render(message)) == message


@pytest.mark.parametrize("name", ["openai", "hermes"])
@given(made=st.lists(calls, min_size=1, max_size=2), content=plain)
def test_words_beside_calls(name: str, made: list[ToolCall], content: str) -> None:
    message = Message(role="assistant", content=content, tool_calls=tuple(made))
    assert get_format(name).parse(get_format(name).render(message)) == message


@pytest.mark.parametrize("name", NAMES)
@given(text=st.text() | words)
def test_any_text_is_read_or_explained(name: str, text: str) -> None:
    try:
        message = get_format(name).parse(text)
    except FormatError as error:
        assert 0 <= error.offset <= len(text) and "line" in str(error)
    else:
        assert message.role == "assistant"


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
