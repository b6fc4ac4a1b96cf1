"""How long a run's prompts are, before anything starts: one that does not fit would be lost at every step.

Counted are the rows with the most characters, by the model's own tokenizer and chat template. Where that is not on this
machine (a plan is being looked at), the length is estimated. What the user of a conversation says first is not counted:
it is said once the row is played.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from heapq import nlargest
from typing import Any

from toolgym.sandbox.agents.llm import NATIVE
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.briefing import briefing
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.training.data.rows import Row

CHARS = 4.0
"""Characters that a token of English and JSON has, about."""
_COUNTED = 8
"""Rows that are tokenised, of the longest by characters."""


@dataclass(frozen=True)
class Longest:
    """The longest prompt of some rows.

    Attributes:
        tokens: how many it has.
        row: the task's id, or the row's name.
        estimated: by characters, as the model's tokenizer is not here.
    """

    tokens: int
    row: str
    estimated: bool

    def __str__(self) -> str:
        return f"{'about ' if self.estimated else ''}{self.tokens:,}"


def tokenizer_of(model: str) -> Any:
    """The tokenizer of a model that is on this machine, or None."""
    from transformers import AutoTokenizer

    try:
        return AutoTokenizer.from_pretrained(model, local_files_only=True)
    except (OSError, ValueError):
        return None


def longest(rows: Iterable[Row], tokenizer: Any) -> Longest:
    """The longest prompt; estimated without a tokenizer."""
    shown = {str((row["prompt"], row["extra_info"]["format"], _asked(row))): row for row in rows}
    most = nlargest(_COUNTED, shown.values(), key=lambda row: len(_text(row)))
    found = [(_tokens(row, tokenizer), row["extra_info"]["task"]) for row in most]
    tokens, name = max(found, default=(0, ""))
    return Longest(tokens, name, tokenizer is None)


def require_fit(rows: Iterable[Row], model: str, allowed: int) -> Longest:
    """The longest prompt, once it is known that it fits.

    Raises:
        BadInput: it does not; the sentence says how much it takes.
    """
    found = longest(rows, tokenizer_of(model))
    if found.tokens > allowed and not found.estimated:
        raise BadInput(
            f"The longest prompt ({found.row}) has {found.tokens:,} tokens and prompt_tokens allows {allowed:,}: set "
            f"prompt_tokens={found.tokens + 256} or more, which leaves room for what the user says first."
        )
    return found


def _tokens(row: Row, tokenizer: Any) -> int:
    if tokenizer is None:
        return round(len(_text(row)) / CHARS)
    asked = [{"role": "user", "content": _asked(row)}] if _asked(row) else []
    shown = tokenizer.apply_chat_template(
        [*row["prompt"], *asked], tools=_tools(row), add_generation_prompt=True, tokenize=False
    )
    return len(tokenizer(shown, add_special_tokens=False)["input_ids"])


def _text(row: Row) -> str:
    return "".join(message["content"] for message in row["prompt"]) + _asked(row) + str(_tools(row) or "")


def _asked(row: Row) -> str:
    """The request that a program answers."""
    if row["extra_info"]["kind"] != "program":
        return ""
    task = Task.model_validate_json(row["extra_info"]["task_json"])
    return task.ticket or task.scenario


def _tools(row: Row) -> list[Any] | None:
    """The tools that the chat template lists."""
    info = row["extra_info"]
    if info["format"] != NATIVE or not info["task_json"]:
        return None
    task = Task.model_validate_json(info["task_json"])
    return list(briefing(get_domain(task.domain), task, program=info["kind"] == "program").tools)
