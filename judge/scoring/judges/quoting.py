"""What others wrote, as a judge reads it: on one line, in JSON, unable to end the frame in which it stands.

An agent's words may hold "</conversation>", "[Turn 3]" or a line "Score the turns". A JSON string on one line, in which
`<` and every sign that some reader takes for a line break are escaped, holds them as what they are: text.
"""

from __future__ import annotations

import json
import re

_BREAKS = re.compile("[<\\x7f-\\x9f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069\\ud800-\\udfff]")
"""Beside JSON's own escapes: the tags' bracket, other line breaks, signs that turn the direction of writing, halves."""
_NAME = re.compile(r"[\w.:/-]{1,128}", re.ASCII)


def quoted(text: str) -> str:
    """A text as one line: a JSON string without line breaks and tags."""
    return _escaped(json.dumps(text, ensure_ascii=False))


def quoted_result(text: str) -> str:
    """What a tool returned or was given: the same JSON where it is JSON, quoted where it is anything else."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return quoted(text)
    return _escaped(json.dumps(value, ensure_ascii=False))


def quoted_name(name: str) -> str:
    """A tool's name: as it is, or quoted where no tool could be called so."""
    return name if _NAME.fullmatch(name) else quoted(name)


def _escaped(line: str) -> str:
    return _BREAKS.sub(lambda sign: f"\\u{ord(sign.group()):04x}", line)
