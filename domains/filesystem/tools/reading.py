"""What is in files, and where something is."""

from __future__ import annotations

import zlib
from datetime import date
from difflib import SequenceMatcher
from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from toolgym.domains.filesystem.paths import ARCHIVE, FileAt, Path, led_to, text_of
from toolgym.domains.filesystem.schema import VISIBLE, File, Person, size_of
from toolgym.domains.filesystem.tools.looking import PAGE
from toolgym.sandbox.kit.world import Database, Page, PageNumber, Refusal, tool

LineNumber = Annotated[int, Field(ge=1, le=100_000)]


class Hit(TypedDict):
    """A line that holds what was looked for."""

    path: str
    line_number: int
    line: str


class Hits(TypedDict):
    """A page of such lines."""

    items: list[Hit]
    page: int
    pages: int
    total: int


@tool("read")
def read_file(
    db: Database, path: FileAt, from_line: LineNumber = 1, lines: Annotated[int, Field(ge=1, le=200)] = 100
) -> dict[str, Any]:
    """Read lines of a text file.

    Args:
        from_line: the first line to read.
        lines: how many at most.
    """
    node, text = text_of(db, path)
    every = text.splitlines()
    start = from_line - 1
    return {"path": node.path, "from_line": from_line, "lines": every[start : start + lines], "total": len(every)}


@tool("read")
def search_names(
    db: Database,
    name: Annotated[str, Field(min_length=1, max_length=80)],
    under: Annotated[File, Path("under")] | None = None,
    kind: Literal["file", "folder", "link"] | None = None,
    changed_since: date | None = None,
    page: PageNumber = 1,
) -> Page[File]:
    """Find files, folders and links by name, the latest changed first.

    Args:
        name: the whole name, in which * stands for any signs and ? for one, such as *.log; capitals do not matter.
        under: only below this folder; everywhere without it.
        kind: only these.
        changed_since: only what was changed on this day or later.
        page: twenty a page.
    """
    words = {"name": name.strip().lower().replace("[", "[[]"), "owner": db.owner(Person).email}
    words |= {"kind": kind or "", "since": changed_since.isoformat() if changed_since else ""} | _under(db, under)
    fits = "GLOB"
    if not {"*", "?"} & {*name}:  # a whole name is found by an index
        fits, words["name"] = "=", name.strip().lower()
    condition = f"""lower(name) {fits} :name AND (:kind = '' OR kind = :kind) AND changed_at >= :since
        AND path > :first AND path < :after AND ({VISIBLE}) ORDER BY changed_at DESC, path"""
    return Page(db.select(File, condition, **words), page, size=PAGE)


@tool("read")
def search_contents(
    db: Database,
    text: Annotated[str, Field(min_length=2, max_length=80)],
    under: Annotated[File, Path("under")] | None = None,
    page: PageNumber = 1,
) -> Hits:
    """Find the lines of text files that hold some words; capitals do not matter.

    Args:
        text: the words.
        under: only in files below this folder; everywhere without it.
        page: twenty a page.
    """
    sought = text.strip().lower()
    condition = f"""path > :first AND path < :after AND ({VISIBLE}) AND name NOT LIKE '%{ARCHIVE}'
        AND instr(lower(text), :text) ORDER BY path"""
    words = {"text": sought, "owner": db.owner(Person).email} | _under(db, under)
    hits: list[Hit] = [
        {"path": node.path, "line_number": number, "line": line}
        for node in db.select(File, condition, **words)
        for number, line in enumerate((node.text or "").splitlines(), 1)
        if sought in line.lower()
    ]
    start, pages = (page - 1) * PAGE, -(-len(hits) // PAGE)
    return {"items": hits[start : start + PAGE], "page": page, "pages": pages, "total": len(hits)}


@tool("read")
def count_lines(db: Database, path: FileAt) -> dict[str, str | int]:
    """Count the lines, words and bytes of a text file."""
    node, text = text_of(db, path)
    return {"path": node.path, "lines": len(text.splitlines()), "words": len(text.split()), "bytes": size_of(node)}


@tool("read")
def compare_files(
    db: Database, left: Annotated[File, Path("left")], right: Annotated[File, Path("right")]
) -> dict[str, Any]:
    """Compare two text files line by line.

    Args:
        left: the first file.
        right: the second one.
    """
    (one, old), (other, new) = text_of(db, left), text_of(db, right)
    before, after = old.splitlines(), new.splitlines()
    blocks = [block for block in SequenceMatcher(None, before, after).get_opcodes() if block[0] != "equal"]
    differ = [
        {"left_from": low + 1, "left_lines": before[low:high], "right_from": first + 1, "right_lines": after[first:end]}
        for _, low, high, first, end in blocks
    ]
    return {"left": one.path, "right": other.path, "equal": not differ, "differences": differ}


@tool("read")
def get_checksum(db: Database, path: FileAt) -> dict[str, str]:
    """Get the checksum of a file: eight signs that differ where the content does."""
    node = led_to(db, path)
    if node.kind != "file":
        raise Refusal("invalid_argument", f"{node.path} is a {node.kind}, not a file.")
    content = node.text if node.text is not None else f"{node.name}:{node.size}"
    return {"path": node.path, "checksum": f"{zlib.crc32(content.encode()):08x}"}


def _under(db: Database, under: File | None) -> dict[str, str]:
    """The range of paths below a folder."""
    start = "" if under is None else led_to(db, under).path.rstrip("/")
    return {"first": f"{start}/", "after": f"{start}0"}
