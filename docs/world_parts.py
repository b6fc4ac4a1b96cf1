"""Parts of a world's page: tables, tools, rules, goals, as they are declared. `docs/world_pages.py` joins them."""

import gzip
import json
import re
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

from sqlalchemy import Table

from toolgym import domains
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.goal import Goal
from toolgym.sandbox.kit.rule import Rule
from toolgym.sandbox.kit.tool import Tool

EVERY = 3  # of so many tools one has a sentence beside its goals


def rows_of(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell(each) for each in line) + " |" for line in lines)


def cell(value: object) -> str:
    """What stands in a table's cell."""
    return " ".join(str(value).split()).replace("|", "\\|")


def code(words: Iterable[str]) -> str:
    """Names in a row."""
    return ", ".join(f"`{word}`" for word in words)


def behaviour(domain: Domain) -> str:
    """What a world does that lists of rows do not, where its package says so behind its first line."""
    return "\n".join((sys.modules[domain.base.__module__.rpartition(".")[0]].__doc__ or "").split("\n")[2:]).strip()


# --- tables ---


def tables(domain: Domain) -> str:
    """Each table with what it holds and how many rows there are."""
    bodies = [data for data in ("own", "unseen") if data in domain.data]
    lines = []
    for model in domain.models:
        name = cast(Table, model.__table__).name
        counts = ", ".join(f"{count(domain, data, name):,}" for data in bodies)
        lines.append(f"- `{name}` ({counts}): {first(model.__doc__ or '')}")
    split = "Rows of training, then of dev and test. " if "unseen" in bodies else ""
    return "\n".join([f"{split}`toolgym view` shows columns and rows.", "", *lines])


def count(domain: Domain, data: str, table: str) -> int:
    """How many rows a body of data has."""
    return int(domain.template(data).reader.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0])


def first(text: str) -> str:
    """A text's first sentence."""
    return re.split(r"(?<=\.)\s", " ".join(text.split()), maxsplit=1)[0]


# --- tools, rules, goals ---


def tool_list(found: Iterable[Tool]) -> str:
    """Tools with their kinds, which are read unless they say otherwise."""
    lines = []
    for tool in found:
        does = first(tool.summary) + (" Ends the conversation." if tool.ends_episode else "")
        asks = "" if tool.confirm == (tool.kind == "write") else f", {'after a' if tool.confirm else 'without a'} yes"
        mark = "" if tool.kind == "read" else f" ({tool.kind}{asks})"
        lines.append(f"- `{tool.name}`{mark}: {does}")
    return "\n".join(lines)


def rules(domain: Domain) -> str:
    """Rules; of those that no tool enforces, that the agent must."""
    by = {"the agent": " (the agent)", "the tool": ""}
    lines = (f"- `{rule.name}`{by[holder(rule)]}: {rule.sentence}" for rule in domain.rules)
    return "\n".join(dict.fromkeys(lines))


def holder(rule: Rule) -> str:
    """Who keeps a rule: the tool refuses, or only the agent can."""
    if rule.by == "policy":
        return "the agent"
    return "the tool"


def goals(domain: Domain) -> str:
    """What people come for, by the tool that does it, and how some of them say it."""
    said, lines = sentences(domain.name), []
    tools = list(dict.fromkeys(goal.tool.name for goal in domain.goals))
    for place, tool in enumerate(tools):
        of = [goal for goal in domain.goals if goal.tool.name == tool]
        words = first(said.get(of[0].name) or of[0].says[0])
        is_said = place % EVERY == 0 and "{" not in words
        lines.append(f"- `{tool}`: {', '.join(map(called, of))}." + (f' "{words}"' if is_said else ""))
    return "\n".join(lines)


def called(goal: Goal) -> str:
    """A goal's name, and the rule that its very words break."""
    return f"{goal.name} (breaks `{goal.against.name}`)" if goal.against else goal.name


@cache
def stored(world: str, split: str, version: str = "v2") -> tuple[dict[str, Any], ...]:
    """The tasks of a stored split as they stand in its file."""
    path = Path(domains.__path__[0]) / world / "splits" / version / f"{split}.jsonl.gz"
    if not path.is_file():
        return ()
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return tuple(json.loads(line) for line in lines)


def sentences(world: str) -> dict[str, str]:
    """By goal, the first words of a person who wants it."""
    found: dict[str, str] = {}
    for split in ("test", "dev", "train"):
        for task in stored(world, split):
            wish = task["goals"][0] if task["goals"] else None
            if wish is not None:
                found.setdefault(wish["kind"], wish["utterance"])
    return found
