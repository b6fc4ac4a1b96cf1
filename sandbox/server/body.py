"""What a request's body must be before anybody reads it: UTF-8, of bearable depth, and of whole characters."""

from __future__ import annotations

import json
import re
from itertools import accumulate

from toolgym.sandbox.server.http_errors import Refused, invalid

MAX_DEPTH = 64
_OTHERS = bytes(set(range(256)) - set(b'"[]{}'))
_STRINGS = re.compile(rb'"[^"]*"?')
_STEPS = bytes.maketrans(b"[{]}", b"\x01\x01\xff\xff")
"""Brackets as signed bytes: one level in, one level out."""
_HALF = re.compile(rb"\\u[dD][89a-fA-F]")


def require_json_text(body: bytes) -> None:
    """Refuse what is not UTF-8, the only encoding of JSON between programs, and what nests too far."""
    try:
        marked = body.decode().startswith("\ufeff")
    except UnicodeDecodeError:
        marked = True
    if marked:
        why = "The body is not UTF-8 without a byte order mark; JSON is sent in UTF-8 (RFC 8259, 8.1)."
        raise Refused(400, "invalid_json", why)
    if len(body) > MAX_DEPTH and too_deep(body):
        raise Refused(400, "too_deep", f"The body nests more than {MAX_DEPTH} lists or objects in one another.")


def require_whole_characters(body: bytes) -> None:
    """Refuse JSON whose strings hold half of a surrogate pair, which nothing could keep."""
    if _HALF.search(body) is None:
        return
    try:
        json.dumps(json.loads(body), ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise invalid(r"The body holds half of a surrogate pair (\ud800 to \udfff); send whole characters.") from None
    except ValueError:
        return  # no JSON: whoever reads it says so


def too_deep(body: bytes) -> bool:
    """Whether JSON text nests too far; strings do not count. Takes tens of milliseconds for a megabyte at most."""
    if body.count(b"[") + body.count(b"{") <= MAX_DEPTH:
        return False
    marks = body.replace(b"\\\\", b"").replace(b'\\"', b"").translate(None, _OTHERS)
    marks = marks.replace(b'""', b"")  # a string without brackets, or the border of two with some: either way no level
    steps = _STRINGS.sub(b"", marks).translate(_STEPS)
    return max(accumulate(memoryview(steps).cast("b")), default=0) > MAX_DEPTH
