"""Writes a finished synthesis in every form that something here learns from; the card beside it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path

from toolgym.judge.evaluation.run_folder import write_json, write_lines
from toolgym.judge.interop.chat import training_lines
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import writing
from toolgym.sandbox.kit.message import Json, ToolCall
from toolgym.sandbox.kit.task import Task, write_tasks
from toolgym.sandbox.runtime import foreign_domain
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.synthesis.teaching.card import Card
from toolgym.sandbox.synthesis.teaching.row import ORIGIN
from toolgym.sandbox.synthesis.teaching.run import Made

HELD_OUT = 20
"""Of so many rows of a world one is kept for validation (split `dev`)."""
_CARD = """\
---
configs:
- config_name: default
  data_files:
  - {split: train, path: data/train.jsonl}
  - {split: validation, path: data/dev.jsonl}
---

"""


def write_all(out: Path, conversations: Iterable[Made], card: Card, domains: Sequence[Domain]) -> None:
    """Count every conversation, and write the rows among them.

    Args:
        out: the run's folder.
        conversations: in their order.
        card: counts them.
        domains: the worlds, of which foreign ones leave their listings.
    """
    rows: list[Trajectory] = []
    so_far: Counter[str] = Counter()
    for made in conversations:
        card.add(made)
        if made.cause is None:
            split = "dev" if so_far[made.trajectory.task.domain] % HELD_OUT == 1 else "train"
            so_far[made.trajectory.task.domain] += 1
            task = made.trajectory.task.model_copy(update={"split": split})
            rows.append(made.trajectory.model_copy(update={"task": task}))
    foreign_domain.keep(out, domains)
    with writing(out / "tasks"):
        (out / "tasks").mkdir(exist_ok=True)
        (out / "hub" / "data").mkdir(parents=True, exist_ok=True)
    write_lines(out / "trajectories.jsonl", (row.to_line() for row in rows))
    write_lines(out / "messages.jsonl", map(_masked, rows, training_lines(rows)))
    worlds: dict[str, list[Task]] = {}
    for row in rows:
        worlds.setdefault(row.task.domain, []).append(row.task)
    for world, tasks in worlds.items():
        write_tasks(out / "tasks" / f"{world}.jsonl", tasks)
    for split in ("train", "dev"):
        chosen = [row for row in rows if row.task.split == split]
        write_lines(out / "hub" / "data" / f"{split}.jsonl", map(_hub, chosen, training_lines(chosen)))
        if find_spec("pyarrow") is not None:
            from toolgym.training.data.rows import dialogue_rows, write_rows  # needs an extra

            write_rows(out / f"{split}.parquet", dialogue_rows("text", [row.task for row in chosen], "native"))
    write_json(out / "card.json", card.to_json())
    page = card.page()
    write_lines(out / "card.md", [page.rstrip("\n")])
    write_lines(out / "hub" / "README.md", [_CARD + page.rstrip("\n")])


def _masked(trajectory: Trajectory, line: str) -> str:
    """A conversation for supervised learning, with OpenAI's weights: only what the assistant did right is learnt."""
    record = json.loads(line)
    refused = {call.id for call, made in zip(_calls(trajectory), trajectory.calls, strict=False) if not made.ok}
    for message in record["messages"]:
        if message["role"] == "assistant":
            message["weight"] = int(not any(call["id"] in refused for call in message.get("tool_calls", ())))
    return json.dumps(record, ensure_ascii=False)


def _calls(trajectory: Trajectory) -> list[ToolCall]:
    return [call for message in trajectory.messages for call in message.tool_calls]


def _hub(trajectory: Trajectory, line: str) -> str:
    """A row of the data set; what differs in form from row to row is JSON text."""
    task, record = trajectory.task, json.loads(_masked(trajectory, line))
    gold: Json = [{"name": call.name, "arguments": call.arguments} for call in task.gold]
    told = {
        **{"id": task.id, "world": task.domain, "family": task.family, "information": task.information or ""},
        "origin": str(task.metadata.get(ORIGIN, "made here")),
        **{name: json.dumps(record[name], ensure_ascii=False) for name in ("messages", "tools")},
        **{"gold": json.dumps(gold, ensure_ascii=False), "needs": json.dumps(task.metadata["needs"])},
        "task": task.model_dump_json(),
    }
    return json.dumps(told, ensure_ascii=False)
