"""What nobody sees has not been said: to the user, to the verifier and to the judges alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolgym import evaluate
from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.runtime.roles import make_agent
from toolgym.sandbox.runtime.visible import visible


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("The total is <!-- not --> $8.", "The total is  $8."),
        ("Nothing yet.<!-- It is cancelled.", "Nothing yet."),
        ("<!-- 8 -->9<!-- 10 <!-- 11", "9"),
        ('Hello<span style="display: none"> cancelled</span>!', "Hello!"),
        ('<p>Done.</p><div style="color:#fff;background:#fff">8</div>', "\nDone.\n\n\n"),
        ("<font color=white>8</font> and <b>9</b>", " and 9"),
        ("<p hidden>8</p><script>8</script>9", "\n9"),
        ("can\u200bcelled\U000e0038", "cancelled"),
        ('<span style="font-size:0">8</span><span style="font-size:0.8em">9</span>', "9"),
        ("a < b, 3<5 and <mei.patel@example.com>, <order id>", "a < b, 3<5 and <mei.patel@example.com>, <order id>"),
        ("Rows:<br>one<br/>two &amp; three", "Rows:\none\ntwo & three"),
        ('<div style="display:none">8<p>9</div>10', "10"),
        ("**Done.** Your order `#W1` is cancelled.", "**Done.** Your order `#W1` is cancelled."),
    ],
)
def test_a_message_is_what_a_person_sees(text: str, seen: str) -> None:
    assert visible(text).strip("\n") == seen.strip("\n")


def test_a_text_without_anything_hidden_stays_as_it_is() -> None:
    text = "It is done. The total is $8."
    assert visible(text) == text


def test_nobody_reads_on_after_thousands_of_tags() -> None:
    assert "end" in visible("<b>x</b>" * 900 + "end")
    assert "end" not in visible("<b>x</b>" * 1100 + "end")


class Whisperer:
    """The demonstrator, which says all that it says in comments."""

    privileged = True

    def __init__(self) -> None:
        self._agent = make_agent("demonstrator")

    def open(self, *given: object, **named: object) -> object:
        player = self._agent.open(*given, **named)
        act = player.act

        async def whispering(messages: list[Message]) -> Message:
            action = await act(messages)
            content = f"<!-- {action.content} -->" if action.content else action.content
            return action.model_copy(update={"content": content})

        player.act = whispering
        return player


def test_nothing_comes_of_what_nobody_sees(tmp_path: Path) -> None:
    found = evaluate("banking", agent=Whisperer(), tasks=6, split="test", out=tmp_path / "run")
    assert "clean pass 0.000" in repr(found)
