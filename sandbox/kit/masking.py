"""Takes API keys and passwords out of text before it is kept or shown: an endpoint may repeat whatever it was sent.

Not for what belongs to people in a conversation: see `toolgym.judge.report.redaction`.
"""

from __future__ import annotations

import os
import re
from urllib.parse import parse_qsl, unquote, urlsplit

INSTEAD = "[key]"
_LEAST = 8
"""Characters of a secret that is known by itself; a shorter one is a word such as `none`, `EMPTY` or `test`."""
_SECRET = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD)$")
"""Names of environment variables that hold one, such as TOOLGYM_API_KEY and HF_TOKEN."""
_FORMS = (
    re.compile(r"(?<=://)[^/\s\"'<>@]+@()"),  # http://user:password@host
    re.compile(r"([?&][\w-]*(?:key|token|secret|password|auth|sig|signature)=)[^&#\s\"'<>\\]+", re.IGNORECASE),
    re.compile(r"(\bBearer +)[\w.~+/=-]{8,}"),
    re.compile(r"(--[\w-]*(?:key|token|secret|password)[ =])[^\s\"'\\]+", re.IGNORECASE),  # in a command
    re.compile(r"(\b\w*(?:API_?KEY|TOKEN|SECRET|PASSWORD)=)[^\s\"'\\]+"),
    re.compile(r"(\bsk-)[\w-]{12,}"),
)
"""What a secret looks like where it is not known, behind what stays of the text."""
_met: set[str] = set()


def meet(address: str | None) -> None:
    """Know the user, password and query of an address, wherever they come up again."""
    try:
        parts = urlsplit(address or "")
        values = [parts.username, parts.password, *(value for _, value in parse_qsl(parts.query))]
    except ValueError:  # it is no address, which whoever connects to it says
        return
    _met.update(text for value in values if value for text in (value, unquote(value)) if len(text) >= _LEAST)


def masked(text: str) -> str:
    """The text without keys, tokens and passwords: those of this process's environment and addresses, and what looks
    like one.

    Examples:
        >>> masked("no answer from http://ada:opensesame@host/v1?key=17")
        'no answer from http://host/v1?key=[key]'
    """
    for secret in sorted(_known(), key=len, reverse=True):
        text = text.replace(secret, INSTEAD)
    for form in _FORMS:
        text = form.sub(lambda found: found[1] and f"{found[1]}{INSTEAD}", text)
    return text


def _known() -> set[str]:
    named = {value for name, value in os.environ.items() if _SECRET.search(name) and len(value) >= _LEAST}
    return named | _met
