"""The one way to a person's terminal: what models, users, servers and runs of strangers say cannot command it.

An escape sequence in a conversation or in a tool's name could retitle a window, hide a line or write backwards.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

_COMMANDS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""C0 and C1 controls but tabs and ends of lines, and marks that turn the direction of writing."""


def readable(text: str) -> str:
    r"""The text with every control character as its escape.

    Examples:
        >>> print(readable("\x1b[2Jcleared"))
        \\x1b[2Jcleared
    """
    return _COMMANDS.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


class SafeConsole(Console):
    """A console that shows control characters instead of sending them."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The segments of what is printed, as `Console.render`; those by which rich itself moves the cursor stay."""
        for segment in super().render(renderable, options):
            if segment.control or not _COMMANDS.search(segment.text):
                yield segment
            else:
                yield Segment(readable(segment.text), segment.style)
