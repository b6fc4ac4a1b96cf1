"""The rows of a training file: one schema for every kind of row, so that files and kinds can be mixed.

verl reads them as chat prompts; the agent loop named in `agent_name` plays each row. What a loop needs about its task
stands in `extra_info`, the task itself as JSON, so that a worker neither searches for it nor generates it again.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from toolgym.sandbox.agents.llm import NATIVE, system_prompt
from toolgym.sandbox.formats import Format, get_format
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.approval import Consent
from toolgym.sandbox.runtime.briefing import briefing
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.training.data.kinds import Kind

LOOPS: dict[Kind, str] = {
    "text": "toolgym",
    "speech": "toolgym_speech",
    "warmup": "toolgym",
    "math": "toolgym_math",
    "step": "toolgym_step",
    "program": "toolgym",
}
"""The agent loop that plays each kind."""

Row = dict[str, Any]

_TEXT, _NUMBER = pa.string(), pa.int64()
_INFO = {"index": _NUMBER, "seed": _NUMBER} | dict.fromkeys(
    ("kind", "domain", "data", "split", "task", "task_json", "modality", "format"), _TEXT
)
SCHEMA = pa.schema(
    {
        "data_source": _TEXT,
        "agent_name": _TEXT,
        "ability": _TEXT,
        "prompt": pa.list_(pa.struct({"role": _TEXT, "content": _TEXT})),
        "reward_model": pa.struct({"style": _TEXT, "ground_truth": _TEXT}),
        "extra_info": pa.struct(_INFO),
    }
)


def row(
    kind: Kind,
    prompt: Sequence[dict[str, str]],
    *,
    ability: str,
    truth: str = "",
    task: Task | None = None,
    name: str = "",
    split: str = "",
    text_format: str = NATIVE,
) -> Row:
    """One row; `index` is given when rows are written.

    Args:
        kind: what is played.
        prompt: the chat messages that the model starts from.
        ability: the domain, or `math`.
        truth: what a right answer is compared with, for rows without a session.
        task: the episode's task.
        name: identifies a row that has no task.
        split: its population, for rows without a task.
        text_format: the format that the prompt is written for; `native` leaves tools to the model's chat template.
    """
    info = {
        "index": 0,
        "seed": task.seed if task else 0,
        "kind": kind,
        "domain": task.domain if task else "",
        "data": task.data if task else "",
        "split": task.split if task else split,
        "task": task.id if task else name,
        "task_json": task.model_dump_json() if task else "",
        "modality": "speech" if kind == "speech" else "text",
        "format": text_format,
    }
    return {
        "data_source": f"toolgym/{kind}",
        "agent_name": LOOPS[kind],
        "ability": ability,
        "prompt": list(prompt),
        "reward_model": {"style": "rule", "ground_truth": truth},
        "extra_info": info,
    }


def format_of(name: str) -> Format | None:
    """The text format of that name; None for `native`."""
    return None if name == NATIVE else get_format(name)


def told(
    task: Task, text_format: str, *, full: bool = True, program: bool = False, consent: Consent = "words"
) -> dict[str, str]:
    """The system message of a task: policy and tools, or only the world's name for a model that knows its work."""
    domain = get_domain(task.domain)
    brief = briefing(domain, task, program=program, consent=consent)
    content = system_prompt(brief, format_of(text_format)) if full else domain.title
    return {"role": "system", "content": content}


def dialogue_rows(
    kind: Kind, tasks: Iterable[Task], text_format: str, *, full: bool = True, consent: Consent = "words"
) -> list[Row]:
    """A row per task: the prompt is the system message (see `told`); user or request are heard once it is played."""
    prompts: dict[Hashable, list[dict[str, str]]] = {}
    found = []
    for task in tasks:
        offer = (task.domain, task.data, task.tools, task.distractors)
        if offer not in prompts:
            prompts[offer] = [told(task, text_format, full=full, program=kind == "program", consent=consent)]
        found.append(row(kind, prompts[offer], ability=task.domain, task=task, text_format=text_format))
    return found


def write_rows(path: Path, rows: Sequence[Row]) -> None:
    """Write a parquet file, numbering the rows; equal rows in equal order give an equal table."""
    numbered = [{**item, "extra_info": {**item["extra_info"], "index": index}} for index, item in enumerate(rows)]
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(numbered, schema=SCHEMA), path, compression="zstd")


def read_rows(path: Path) -> list[Row]:
    """The rows of a file."""
    return list(pq.read_table(path).to_pylist())
