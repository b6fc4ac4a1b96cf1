"""Single steps from a file in the form that ToolRL's authors released their data in.

Two forms: the JSON list from which they start (`instruction`, `input`, `output`), and the parquet file that they train
on (`prompt`, `reward_model.ground_truth`). Prompts stay as they are. Thoughts are taken out of the gold, since only
format and calls are scored: where they quote a tag, the released scorer takes them for the answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from toolgym.sandbox.kit.errors import BadInput
from toolgym.training.data.rows import Row, row

RELEASED = frozenset({".json", ".parquet"})
_FORM = "toolrl"


def released_rows(path: Path) -> list[Row]:
    """The steps of a file, in its order.

    Raises:
        BadInput: there is no such file, or a row of it is no step; the sentence names the row.
    """
    if not path.is_file():
        raise BadInput(
            f"There is no file {path} of ToolRL's steps; give rlla_rl.json or train.parquet of its repository."
        )
    found = []
    for number, raw in enumerate(_read(path)):
        try:
            system, user, gold = _json_step(raw) if "instruction" in raw else _parquet_step(raw)
        except (KeyError, TypeError, ValueError):
            raise BadInput(
                f"{path}, row {number} is no step of ToolRL: it has neither instruction, input and output nor a prompt "
                "of two messages and reward_model.ground_truth."
            ) from None
        prompt = [{"role": "system", "content": system}, {"role": "user", "content": user}]
        name = f"{path.stem}-{number}"
        found.append(row("step", prompt, ability=_FORM, truth=gold, name=name, split="train", text_format=_FORM))
    if not found:
        raise BadInput(f"{path} holds no step.")
    return found


def _read(path: Path) -> Iterator[Any]:
    try:
        rows = pq.read_table(path).to_pylist() if path.suffix == ".parquet" else json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, pa.ArrowException) as error:
        reason = str(error).splitlines()[0]
        raise BadInput(
            f"{path} cannot be read: {reason}; is it the file itself, and not Git's pointer to it?"
        ) from None
    if not isinstance(rows, list):
        raise BadInput(f"{path} holds no list of steps.")
    return iter(rows)


def _json_step(raw: Any) -> tuple[str, str, str]:
    return _texts(raw["instruction"], raw["input"], raw["output"])


def _parquet_step(raw: Any) -> tuple[str, str, str]:
    system, user = (message["content"] for message in raw["prompt"])
    return _texts(system, user, raw["reward_model"]["ground_truth"])


def _texts(system: Any, user: Any, gold: Any) -> tuple[str, str, str]:
    if not all(isinstance(text, str) for text in (system, user, gold)):
        raise TypeError
    return system, user, gold.rpartition("</think>")[2].strip()
