"""What of a model's text is thought and what is said: one reading for text formats and native replies alike.

Thoughts stand in `<think>` tags at the beginning, in the middle or at the end; chat templates often put the opening tag
into the prompt, and a reply that was cut may lack the closing one. Tags that a call quotes are part of the call.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

_NAMES = "think|thinking|thought|reasoning"
_OPEN = re.compile(f"<({_NAMES})>")
_CLOSE = re.compile(f"</({_NAMES})>")
_CALL = re.compile(r"<tool_call[^>]*>|^Action Input:", re.MULTILINE)
"""Where a call begins whose arguments may quote a tag."""
_NO_THOUGHT = re.compile(rf"\A\s*(?:[\[{{]|(?:Thought|Action|Answer):)|<(?:{_NAMES})>|<tool_call|<response>")
"""What stands before a closing tag that is only quoted."""
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Spoken:
    """A text in its two parts.

    Attributes:
        thoughts: what stands in tags, blocks joined by line breaks; None where there is no tag.
        words: the rest, calls included.
        unclosed: where in the text a block begins that is never closed (all after it is thought), or None.
    """

    thoughts: str | None
    words: str
    unclosed: int | None
    _pieces: tuple[tuple[int, int], ...]

    def place(self, index: int) -> int:
        """Where a character of the words stands in the whole text."""
        words, text = max(piece for piece in self._pieces if piece[0] <= index)
        return text + index - words


def read_thoughts(text: str, *, calls: bool = True) -> Spoken:
    """A text's thoughts and words.

    Args:
        text: as the model wrote it.
        calls: calls are written in it, so that what stands before a lone closing tag may be one that quotes the tag;
            else it is thought.
    """
    thoughts: list[str] = []
    words, position, unclosed = "", 0, None
    pieces = [(0, 0)]
    close = _CLOSE.search(text)
    if close is not None and _is_thought(text, close.start(), calls):
        thoughts.append(text[: close.start()])
        position = close.end()
    while True:
        opening = _next_opening(text, position)
        piece = text[position : opening.start() if opening else len(text)]
        words = _joined(words, piece, position, pieces) if thoughts else piece
        if opening is None:
            break
        end = _CLOSE.search(text, opening.end())
        thoughts.append(text[opening.end() : end.start() if end else len(text)])
        if end is None:
            unclosed = opening.start()
            break
        position = end.end()
    if thoughts and not words.strip():
        words = ""
    kept = [block for thought in thoughts if (block := thought.strip("\n"))]
    return Spoken("\n".join(kept) if thoughts else None, words, unclosed, tuple(pieces))


def _is_thought(text: str, end: int, calls: bool) -> bool:
    """Whether all that stands before a closing tag is thought whose opening tag is in the prompt."""
    return not (_NO_THOUGHT if calls else _OPEN).search(text, 0, end)


def _joined(words: str, piece: str, position: int, pieces: list[tuple[int, int]]) -> str:
    """The words with those behind a block of thoughts, as if it had not stood between them."""
    bare = piece.lstrip() if words.strip() else piece.lstrip("\n")
    if not bare.strip():
        return words
    before = words.rstrip()
    gap = words[len(before) :] + piece[: len(piece) - len(bare)]
    between = "" if not before else "\n" if "\n" in gap else " "
    pieces.append((len(before) + len(between), position + len(piece) - len(bare)))
    return before + between + bare


def _next_opening(text: str, position: int) -> re.Match[str] | None:
    """The next opening tag that no call quotes."""
    body = position + len(text[position:]) - len(text[position:].lstrip())
    if text[body : body + 1] in ("{", "["):
        position = end_of_json(text, body)
    while (opening := _OPEN.search(text, position)) is not None:
        call = _CALL.search(text, position, opening.start())
        if call is None:
            return opening
        position = _end_of_call(text, call)
    return None


def _end_of_call(text: str, call: re.Match[str]) -> int:
    if call[0].startswith("Action"):
        end, width = text.find("\n", call.end()), 1
    else:
        end, width = text.find("</tool_call>", end_of_json(text, call.end())), len("</tool_call>")
    return len(text) if end < 0 else end + width


def end_of_json(text: str, begin: int) -> int:
    """Where the JSON value ends that begins at a place, blanks aside; the place itself where there is none."""
    start = begin + len(text[begin:]) - len(text[begin:].lstrip())
    try:
        return _DECODER.raw_decode(text, start)[1]
    except (ValueError, RecursionError):
        return start
