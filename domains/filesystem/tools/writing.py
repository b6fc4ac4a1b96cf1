"""What changes the content of text files, and makes folders, files and links."""

from __future__ import annotations

import posixpath
from typing import Annotated

from pydantic import Field

from toolgym.domains.filesystem import paths
from toolgym.domains.filesystem.schema import File
from toolgym.domains.filesystem.tools.reading import LineNumber
from toolgym.sandbox.kit.world import Database, Free, Refusal, View, tool

Words = Annotated[str, Field(min_length=1, max_length=200)]
Lines = Annotated[str, Field(min_length=1, max_length=4000)]


@tool("write")
def create_folder(db: Database, path: paths.NewPath, parents: bool = False) -> View[File]:
    """Make a folder.

    Args:
        path: of the new folder.
        parents: whether to make the folders above it as well, where there are none.
    """
    whole = paths.absolute(db, path)
    above = posixpath.dirname(whole)
    if parents and db.get(File, above) is None:
        create_folder(db, path=above, parents=True)
    return View(paths.made(db, paths.free_path(db, whole), "folder"))


@tool("write")
def create_file(db: Database, path: paths.NewPath, text: Free = "") -> View[File]:
    """Make a text file; one that is there already is never overwritten.

    Args:
        path: of the new file.
        text: what it says.
    """
    whole = paths.free_path(db, path)
    paths.require_space(db, len(text.encode()))
    return View(paths.made(db, whole, "file", text=text))


@tool("write")
def append_to_file(db: Database, path: paths.FileAt, text: Lines) -> View[File]:
    """Add lines at the end of a text file.

    Args:
        text: the lines, word for word.
    """
    node, old = _writable(db, path)
    return View(paths.rewritten(db, node, _ended(old) + _ended(text)))


@tool("write")
def replace_in_file(
    db: Database, path: paths.FileAt, old: Words, new: str, every: bool = False
) -> dict[str, str | int]:
    """Replace words in a text file and tell how often.

    Args:
        old: the words as they stand there, capitals included.
        new: the words in their place; none to take them out.
        every: whether everywhere; only where they stand first without it.
    """
    node, text = _writable(db, path)
    count = text.count(old)
    if not count:
        raise Refusal("not_found", f"{node.path} does not hold these words; capitals matter.")
    paths.rewritten(db, node, text.replace(old, new, -1 if every else 1))
    return {"path": node.path, "replaced": count if every else 1}


@tool("write")
def delete_lines(db: Database, path: paths.FileAt, line: LineNumber, through: LineNumber) -> dict[str, str | int]:
    """Delete lines of a text file.

    Args:
        line: the first line to go.
        through: the last line to go; the same for one line.
    """
    node, text = _writable(db, path)
    lines = text.splitlines()
    if not line <= through <= len(lines):
        raise Refusal("invalid_argument", f"{node.path} has {len(lines)} lines; name the first and the last to go.")
    left = lines[: line - 1] + lines[through:]
    paths.rewritten(db, node, "".join(f"{each}\n" for each in left))
    return {"path": node.path, "deleted": through - line + 1, "left": len(left)}


@tool("write")
def sort_lines(
    db: Database, path: paths.FileAt, numeric: bool = False, descending: bool = False, unique: bool = False
) -> dict[str, str | int]:
    """Sort the lines of a text file in place.

    Args:
        numeric: by the number that a line begins with, instead of by letters.
        descending: the last or largest first.
        unique: keep only one of equal lines.
    """
    node, text = _writable(db, path)
    lines = list(dict.fromkeys(text.splitlines())) if unique else text.splitlines()
    lines.sort(key=_number if numeric else str.casefold, reverse=descending)
    paths.rewritten(db, node, "".join(f"{line}\n" for line in lines))
    return {"path": node.path, "lines": len(lines)}


@tool("write")
def make_link(db: Database, path: paths.NewPath, original: Annotated[File, paths.Path("target")]) -> View[File]:
    """Make a link, a second way to something.

    Args:
        path: of the new link.
        original: where it leads.
    """
    return View(paths.made(db, paths.free_path(db, path), "link", target=original.path))


def _writable(db: Database, path: File) -> tuple[File, str]:
    """A text file; one that is reached by a link has rights and a lock of its own."""
    node, text = paths.text_of(db, path)
    if node.path != path.path:
        raise Refusal("invalid_argument", f"{path.path} is a link; name the file that it leads to, {node.path}.")
    return node, text


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else f"{text}\n"


def _number(line: str) -> tuple[float, str]:
    """What a line begins with as a number; lines without one come first."""
    word = line.split(maxsplit=1)[0].rstrip(",;:") if line.split() else ""
    try:
        return float(word), line
    except ValueError:
        return float("-inf"), line
