"""The report: one self-contained HTML page about one or more runs, with every conversation readable."""

from __future__ import annotations

import base64
import gzip
import html
import json
import os
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from judge.comparison.board import compare
from judge.comparison.runs import side
from judge.evaluation.run_folder import RunFolder, write_lines
from judge.interop.opened import run_of
from judge.report.data import run_data
from sandbox.kit.errors import BadInput


def build(folders: Sequence[RunFolder], index: Path | None = None) -> str:
    """The page as HTML text.

    The data travel inside the page, compressed; the page loads nothing but the runs' recordings, from their folders.

    Args:
        folders: the runs.
        index: the folder where the page will be; the first run's by default.

    Raises:
        BadInput: no folder, or one that holds no finished trajectory.
    """
    if not folders:
        raise BadInput("A report needs at least one run folder.")
    here = (index or folders[0].path).resolve()
    data: dict[str, Any] = {
        "runs": [run_data(folder, os.path.relpath(folder.path.resolve(), here)) for folder in folders],
        "comparison": _compared(folders) if len(folders) > 1 else None,
    }
    packed = base64.b64encode(gzip.compress(json.dumps(data, ensure_ascii=False).encode(), mtime=0)).decode("ascii")
    own = files(__package__)
    page, style, script = (
        own.joinpath(name).read_text(encoding="utf-8") for name in ("page.html", "style.css", "page.js")
    )
    title = html.escape(" and ".join(run["name"] for run in data["runs"]))
    for mark, text in (("{{title}}", title), ("{{style}}", style), ("{{script}}", script), ("{{data}}", packed)):
        page = page.replace(mark, text)
    return page


def _compared(folders: Sequence[RunFolder]) -> dict[str, Any]:
    """The runs against the first one; why not, where they cannot be compared."""
    try:
        return compare([side(run_of(folder), None) for folder in folders])
    except BadInput as error:
        return {"refused": str(error)}


def write(folders: Sequence[RunFolder], path: Path) -> None:
    """Write the page to a file."""
    write_lines(path, [build(folders, path.parent)])
