"""A message as a person sees it: without comments, tags, hidden elements and signs that show nothing.

Agents write Markdown and sometimes HTML, which chat windows render. What they do not show has not been said: a report
in a comment reports nothing. Unknown tags stay as they are written, such as "<mei.patel@example.com>".
"""

from __future__ import annotations

import re
from functools import lru_cache
from html.parser import HTMLParser

_MARKUP = re.compile(r"<(?:!|/?[a-zA-Z])")
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\u3164"
    "\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
"""Signs that show nothing: soft hyphens, marks of direction, blanks without width, tags (Unicode's
Default_Ignorable_Code_Point, but for the variants of emoji)."""
_MOST = 2000
"""Signs that may begin a tag; no chat shows what comes after so many, and the parser would take its time over them."""
_BLOCKS = frozenset(
    "address article aside blockquote br caption dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 "
    "h4 h5 h6 header hr li main nav ol p pre section summary table tbody td tfoot th thead tr ul".split()
)
_INLINE = frozenset(
    "a abbr acronym b bdi bdo big button center cite code data del dfn em font i iframe img input ins kbd label mark "
    "marquee math meter object option output picture progress q rp rt ruby s samp select small source span strike "
    "strong sub sup svg textarea time tt u var video wbr body html".split()
)
_UNSHOWN = frozenset("audio embed head link meta noscript param script style template title".split())
_VOID = frozenset("br embed hr img input link meta param source wbr".split())
_HIDES = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?:opacity|font-size)\s*:\s*0*\.?0+(?![\d.]*[1-9])|"
    r"(?<![-\w])color\s*:\s*(?:white|transparent|#fff\b|#ffffff\b|rgba?\(\s*255\s*,\s*255\s*,\s*255)",
    re.IGNORECASE,
)
_WHITE = frozenset(("white", "transparent", "#fff", "#ffffff"))


class _Page(HTMLParser):
    """Keeps what is shown."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.shown: list[str] = []
        self._open: list[tuple[str, bool]] = []

    @property
    def _is_hidden(self) -> bool:
        return any(hides for _, hides in self._open)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _BLOCKS | _INLINE | _UNSHOWN:
            self.handle_data(self.get_starttag_text() or "")
            return
        said = dict(attrs)
        hides = tag in _UNSHOWN or "hidden" in said or _HIDES.search(said.get("style") or "") is not None
        hides = hides or (said.get("color") or "").lower() in _WHITE
        if tag not in _VOID:
            self._open.append((tag, hides))
        if tag in _BLOCKS:
            self.handle_data("\n")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        before = len(self._open)
        self.handle_starttag(tag, attrs)
        del self._open[before:]

    def handle_endtag(self, tag: str) -> None:
        if tag not in _BLOCKS | _INLINE | _UNSHOWN:
            self.handle_data(f"</{tag}>")
            return
        if any(name == tag for name, _ in self._open):
            while self._open.pop()[0] != tag:
                pass
        if tag in _BLOCKS:
            self.handle_data("\n")

    def handle_data(self, data: str) -> None:
        if not self._is_hidden:
            self.shown.append(data)


@lru_cache(maxsize=1024)
def visible(text: str) -> str:
    """What a person sees of a message; the same text where it holds nothing else."""
    seen = _UNSEEN.sub("", text)
    if _MARKUP.search(seen) is None:
        return seen
    parts = seen.split("<", _MOST + 1)
    seen = "<".join(parts[: _MOST + 1])
    endless = seen.find("<!--", seen.rfind("-->") + 1)  # nothing closes this comment: it hides all that follows
    page = _Page()
    page.feed(seen if endless < 0 else seen[:endless])
    page.close()
    return "".join(page.shown)
