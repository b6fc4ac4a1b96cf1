"""Thoughts and words of a model's text, wherever the tags stand."""

import pytest

from toolgym.sandbox.formats import FormatError, get_format
from toolgym.sandbox.formats.stray import stray_calls
from toolgym.sandbox.formats.thoughts import read_thoughts
from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.runtime import registry

NAMES = registry.names("formats")


@pytest.mark.parametrize(
    ("text", "thoughts", "words"),
    [
        ("<think>a</think>b", "a", "b"),
        ("a</think>\nb", "a", "b"),
        ("<think></think>b", "", "b"),
        (" b ", None, " b "),
        ("b <think>a</think> c", "a", "b c"),
        ("b\n<think>a</think>\n\nc", "a", "b\nc"),
        ("<think>a</think>b<thinking>c</thinking>", "a\nc", "b"),
        ("<think>a</think>\n<think>b</think>\n", "a\nb", ""),
        ("b <think>a", "a", "b"),
        (
            '<tool_call>{"a": "<think>x</think>"}</tool_call> <think>y</think>',
            "y",
            '<tool_call>{"a": "<think>x</think>"}</tool_call>',
        ),
        ('{"a": "<think>x</think>"}', None, '{"a": "<think>x</think>"}'),
    ],
)
def test_thoughts_are_taken_out_and_words_stay(text: str, thoughts: str | None, words: str) -> None:
    found = read_thoughts(text)
    assert (found.thoughts, found.words.rstrip() if thoughts is not None else found.words) == (thoughts, words)
    assert (found.unclosed is not None) == text.endswith("<think>a")
    for index, character in enumerate(found.words.rstrip()):
        assert character.isspace() or text[found.place(index)] == character


@pytest.mark.parametrize("name", NAMES)
def test_every_format_keeps_them_apart(name: str) -> None:
    text_format = get_format(name)
    spoken = text_format.render(Message(role="assistant", content="One moment. @ May I have it?"))
    message = text_format.parse(spoken.replace("@", "<think>It is 20086.</think>"))
    assert (message.content, message.reasoning) == ("One moment. May I have it?", "It is 20086.")
    with pytest.raises(FormatError, match="never closed"):
        text_format.parse(spoken.replace("@", "<think>It is 20086."))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("hermes", '<tool_call>{"name": "f", "kind": "savings"}</tool_call>'),
        ("hermes", '<tool_call>{"name": "f", "arguments": {}, "kind": "savings"}</tool_call>'),
        ("hermes", '<tool_call>{"name": "f", "id": "W12"}</tool_call>'),
        ("openai", '{"name": "f", "kind": "savings"}'),
        ("openai", '[{"type": "function", "function": {"name": "f"}, "arguments": {"kind": "savings"}}]'),
        ("toolrl", '<tool_call>\n{"name": "f", "kind": "savings"}\n</tool_call>'),
    ],
)
def test_arguments_beside_the_name_are_refused(name: str, text: str) -> None:
    with pytest.raises(FormatError, match="beside") as caught:
        get_format(name).parse(text)
    assert caught.value.kind == "beside_name"


@pytest.mark.parametrize("blank", ["null", '""', '"null"', '" "', '"{}"', "{}"])
def test_a_call_without_arguments(blank: str) -> None:
    call = get_format("hermes").parse(f'<tool_call>{{"name": "f", "arguments": {blank}}}</tool_call>').tool_calls[0]
    assert call.arguments == {}


@pytest.mark.parametrize(
    "words",
    [
        "The seat A2 [front row] costs {so much}.",
        "I will call find_tickets for you.",
        'Your record: {"name": "Ada Moreau", "seat": "A2"}',
        "Our function of the evening (see <b>here</b>) is free.",
        "1. reserve_ticket (done)\n2. pay",
    ],
)
def test_words_are_no_calls(words: str) -> None:
    assert stray_calls(words, {"find_tickets", "reserve_ticket"}) is None
