"""Training reads a turn's text as evaluation does: thoughts are no words, a call that nobody reads is none either."""

import pytest

from toolgym.sandbox.formats import FormatError
from toolgym.training.loop.conversation import shape_of

SHAPES = ("native", "hermes", "openai", "toolrl")


@pytest.mark.parametrize("name", SHAPES)
def test_thoughts_in_the_middle_reach_nobody(name: str) -> None:
    message = shape_of(name).read("Let me see. <think>the zip is 20086</think> May I have it?")
    assert (message.content, message.reasoning) == ("Let me see. May I have it?", "the zip is 20086")


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('```json\n{"name": "find_tickets", "arguments": {"holder": "Ada"}}\n```', "call_as_text"),
        ('find_tickets(holder="Ada")', "call_as_text"),
        ("One moment. <think>the zip is", "unclosed_thoughts"),
    ],
)
def test_what_is_no_word_to_the_customer_goes_back(name: str, text: str, kind: str) -> None:
    with pytest.raises(FormatError) as caught:
        shape_of(name).read(text, {"find_tickets"})
    assert caught.value.kind == kind
