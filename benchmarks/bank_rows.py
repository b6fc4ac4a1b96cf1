"""The bank's rows and tasks: read, drawn, shown and packed. What a user makes of a row is the business of `bank.py`.

`tasks.jsonl.gz` and `rows.jsonl.gz` are JSON lines; `gzip -dc rows.jsonl.gz > rows.jsonl` takes one out, `pack` puts it
back sorted, so that the same rows are always the same bytes.
"""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from toolgym.sandbox.kit.task import Task, read_tasks

FOLDER = Path(__file__).parent / "bank"
PARTS = ("tuned", "sentences")
"""Parts that may be read."""
HELD_OUT = ("validation",)
"""Parts of which only counts are looked at."""
FILES = (
    "confirmations", "wrong_proposals", "reports", "not_reports", "questions", "refusals_heard", "not_refusals",
    "refusals_reason", "no_reasons", "answers", "wrong_answers", "dialogues",
)  # fmt: skip
COLUMNS = ("part", "file", "hand", "kind", "task", "wish")
"""Those that every row has, in the order in which they are written; of a whole conversation the wish is the first."""
Row = dict[str, Any]


@cache
def _tasks_of(folder: Path) -> dict[str, Task]:
    """The tasks of a bank by name, read once for all its parts."""
    return {task.id: task for task in read_tasks(folder / "tasks.jsonl.gz")}


def read_lines(path: Path) -> list[Row]:
    """The objects of a file of JSON lines, packed or not."""
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in content.decode().splitlines()]


@cache
def _rows_of(folder: Path) -> Mapping[tuple[str, str], list[Row]]:
    """The rows of a bank by part and file, and by hand and file."""
    found: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in read_lines(folder / "rows.jsonl.gz"):
        for name in {row["part"], row["hand"]}:
            found[name, row["file"]].append(row)
    return dict(found)


class Bank:
    """Rows and the tasks that they speak of.

    Args:
        folder: with `tasks.jsonl.gz` and `rows.jsonl.gz`.
        part: one of `PARTS` and `HELD_OUT`, or a hand, such as `tune_8`.
    """

    def __init__(self, folder: Path, part: str) -> None:
        if not (folder / "rows.jsonl.gz").is_file():
            raise SystemExit(f"There is no bank in {folder}: it needs tasks.jsonl.gz and rows.jsonl.gz.")
        self.tasks = _tasks_of(folder)
        self._rows, self._part = _rows_of(folder), part

    def rows(self, name: str) -> list[Row]:
        """The rows of a file; none where the part has no such file."""
        return self._rows.get((self._part, name), [])

    def task(self, row: Row) -> Task:
        """The task as its user has it from the row's wish on; wishes count from 1."""
        task = self.tasks[row["task"]]
        return task.model_copy(update={"goals": task.goals[int(row.get("wish", 1)) - 1 :]})


def drawn(folder: Path, count: int, parts: Sequence[str] = PARTS) -> list[Row]:
    """So many rows of some parts, the same share of each file; rows added later move few of them."""
    share = count // len(FILES)
    every = ([row for part in parts for row in Bank(folder, part).rows(name)] for name in FILES)
    return [row for rows in every for row in sorted(rows, key=_lot)[:share]]


def _lot(row: Row) -> str:
    return sha256(f"{row['task']} {row['says']}".encode()).hexdigest()


# --- shown ---


def shown(rows: Iterable[Row], given: Mapping[str, str | None], find: str = "") -> Iterator[Row]:
    """The rows whose columns are as given, of a world where `world` is, and that hold a text in any case."""
    wanted = {name: value for name, value in given.items() if value is not None}
    world = wanted.pop("world", None)
    for row in rows:
        if (
            all(row[name] == value for name, value in wanted.items())
            and (world is None or row["task"].startswith(f"{world}-"))
            and find.casefold() in json.dumps(row, ensure_ascii=False).casefold()
        ):
            yield row


def in_lines(row: Row) -> str:
    """A row as a person reads it: where it belongs, then who says what and what is to come of it."""
    where = " ".join(str(row[name]) for name in COLUMNS if row.get(name))
    rest = {name: value for name, value in row.items() if name not in COLUMNS}
    if row["file"] != "dialogues":
        return "\n".join([where, *(f"  {name}: {_plain(value)}" for name, value in rest.items())])
    turns = (f"  says: {says}\n    wants: {wants}" for says, wants in zip(row["says"], row["wants"], strict=False))
    return "\n".join([where, *turns])


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


# --- packed ---


def packed(lines: Iterable[Row]) -> bytes:
    """Rows as `rows.jsonl.gz` holds them: sorted, each once, with the columns first and no time of writing.

    Raises:
        SystemExit: a row lacks a column, or is of a file that there is none of.
    """
    whole = []
    for row in lines:
        missing = [name for name in COLUMNS if name not in row and (name, row.get("file")) != ("wish", "dialogues")]
        if missing or row["file"] not in FILES:
            said = f"lacks {', '.join(missing)}" if missing else f"is of no file of the bank: {', '.join(FILES)}"
            raise SystemExit(f"A row {said}: {json.dumps(row, ensure_ascii=False)}")
        whole.append({name: row[name] for name in (*COLUMNS, *row) if name in row})
    texts = {json.dumps(row, ensure_ascii=False): row for row in whole}
    ordered = sorted(texts, key=lambda text: (*(_key(texts[text].get(name)) for name in COLUMNS), text))
    return packed_lines(ordered)


def packed_lines(lines: Iterable[str]) -> bytes:
    """Lines of text, compressed to the same bytes whenever it is done."""
    return gzip.compress("".join(f"{line}\n" for line in lines).encode(), compresslevel=9, mtime=0)


def _key(value: object) -> str:
    return f"{value:03}" if isinstance(value, int) else str(value)
