"""Parts of a world's page: tables, tools, rules, goals, as they are declared. `docs/world_pages.py` joins them."""

import gzip
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

from sqlalchemy import Table

from toolgym import domains
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.goal import Goal
from toolgym.sandbox.kit.rule import Rule
from toolgym.sandbox.kit.table import computed
from toolgym.sandbox.kit.tool import Tool


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


# --- tables ---


def tables(domain: Domain) -> str:
    """Each table with its columns and how many rows there are."""
    bodies = [data for data in ("own", "unseen") if data in domain.data]
    parts = [] if "unseen" not in bodies else ["Rows: those of training, then those of dev and test."]
    for model in domain.models:
        table = cast(Table, model.__table__)
        counts = " and ".join(f"{count(domain, data, table.name):,}" for data in bodies)
        said = " ".join((model.__doc__ or "").split())
        columns = [*((column.name, kind(column.type), note(column)) for column in table.columns)]
        columns += [
            (each.name, "", f"worked out. {' '.join((each.__doc__ or '').split())}".strip())
            for each in vars(model).values()
            if isinstance(each, computed)
        ]
        shown = ((f"`{name}`", sort, remark) for name, sort, remark in columns)
        parts.append(f"### {table.name}\n\n{said} {counts} rows.\n\n{rows_of(('column', 'type', 'note'), shown)}")
    return "\n\n".join(parts)


def count(domain: Domain, data: str, table: str) -> int:
    """How many rows a body of data has."""
    return int(domain.template(data).reader.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0])


def kind(sort: object) -> str:
    """A column's type in words."""
    names = {"String": "text", "Integer": "whole number", "Boolean": "yes or no", "Date": "day", "DateTime": "moment"}
    return names.get(type(sort).__name__, type(sort).__name__)


def note(column: Any) -> str:
    """What is said of a column besides."""
    found = [f"key, such as `{column.info['example']}`" if "example" in column.info else "key"] * column.primary_key
    found += [f"of `{foreign.column.table.name}`" for foreign in column.foreign_keys]
    marks = {
        "hidden": "never shown",
        "personal": "told only to whom it belongs",
        "part": "shown within a worked-out one",
    }
    found += [words for mark, words in marks.items() if column.info.get(mark)]
    found += ["may be empty"] * bool(column.nullable)
    return "; ".join(found)


# --- tools, rules, goals ---


def tool_list(found: Iterable[Tool]) -> str:
    """Tools with kinds and parameters."""
    rows = []
    for tool in found:
        does = tool.summary + (" Ends the conversation." if tool.ends_episode else "")
        sort = (
            tool.kind
            if tool.confirm == (tool.kind == "write")
            else f"{tool.kind}, {'after a' if tool.confirm else 'without a'} yes"
        )
        given = [f"`{name}`: {parameter(tool, name)}" for name in tool.parameters.get("properties", {})]
        rows.append((f"`{tool.name}`", sort, does, "; ".join(given)))
    return rows_of(("tool", "kind", "what it does", "parameters"), rows) if rows else ""


def parameter(tool: Tool, name: str) -> str:
    """What a parameter takes."""
    schema = tool.parameters["properties"][name]
    own = next((each for each, shown in tool.inputs.items() if shown == name), name)
    taken = [cast(Table, table.__table__).name for table in tool.takes.get(own, ())]
    told = f"key of {code(taken)}" if taken and "array" not in json.dumps(schema) else typed(schema)
    return told if name in tool.parameters.get("required", ()) else f"{told}, or left out"


def typed(schema: Mapping[str, Any]) -> str:
    """A JSON schema in a few words."""
    if "enum" in schema or "const" in schema:
        values = schema.get("enum", [schema.get("const")])
        return (
            "one of " + ", ".join(json.dumps(value) for value in values) if len(values) > 1 else json.dumps(values[0])
        )
    ways = [each for each in schema.get("anyOf", ()) if each.get("type") != "null"]
    if ways:
        return " or ".join(dict.fromkeys(typed(each) for each in ways))
    if schema.get("type") == "array":
        return f"list of {typed(schema.get('items', {}))}"
    if schema.get("type") == "object" and schema.get("properties"):
        return "object with " + code(schema["properties"])
    words = {
        "string": "text",
        "integer": "whole number",
        "number": "number",
        "boolean": "yes or no",
        "object": "object",
    }
    if "pattern" in schema and schema.get("type") == "string":
        return "moment" if "T" in schema["pattern"] else "text"
    return "day" if schema.get("format") == "date" else words.get(str(schema.get("type")), "any value")


def rules(domain: Domain) -> str:
    """Rules with the tools that they hold, are seen by and are mended by."""
    rows = ((f"`{rule.name}`", rule.sentence, holder(rule), why(rule), edges(rule)) for rule in domain.rules)
    return (
        rows_of(("rule", "sentence of the policy", "held by", "a refusal says", "tools"), rows) if domain.rules else ""
    )


def holder(rule: Rule) -> str:
    """Who keeps a rule: the tool refuses, or only the agent can."""
    if rule.by == "policy":
        return "the agent"
    return f"the tool, as `{rule.inside}`" if rule.inside else "the tool"


def why(rule: Rule) -> str:
    """The words of a refusal; the rule's own sentence is not said twice."""
    words = rule.why.split("|", 1)[0]
    return "its sentence" if words == rule.sentence else words


def edges(rule: Rule) -> str:
    """The tools that a rule has to do with."""
    found = [f"on {code(tool.name for tool in rule.on)}"]
    found += [f"seen by {code(tool.name for tool in rule.reads)}"] if rule.reads else []
    found += [f"mended by `{rule.remedy.name}`"] if rule.remedy else []
    return "; ".join(found)


def goals(domain: Domain) -> str:
    """What people come for, each with a sentence from a stored task."""
    said = sentences(domain.name)
    rows = (
        (f"`{goal.name}`", called(goal), said.get(goal.name) or f"{goal.says[0]} (pattern)", len(goal.says))
        for goal in domain.goals
    )
    told = (
        "A sentence is from a stored task; the last column counts the patterns it is drawn from. In a pattern, places "
    )
    told += "are in braces and what may be left unsaid is in brackets."
    return f"{told}\n\n{rows_of(('goal', 'tool', 'a person says', 'patterns'), rows)}" if domain.goals else ""


def called(goal: Goal) -> str:
    """A goal's tool, and the rule that its very words break."""
    return f"`{goal.tool.name}`" + (f"; breaks `{goal.against.name}`, never granted" if goal.against else "")


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
