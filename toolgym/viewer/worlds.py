"""The installed worlds as pages: tables with their rows, tools to try on a scratch session, rules, the graph, tasks.

A scratch session is kept by nobody: whoever tries tools sends all calls so far, and they are made again in a fresh one.
"""

from __future__ import annotations

from typing import Annotated, Any, cast

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field
from sqlalchemy import Table
from sqlalchemy.orm import DeclarativeBase

from toolgym.judge.report.episode_data import changes
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import BadInput, ToolgymError, unknown
from toolgym.sandbox.kit.message import Json, Party
from toolgym.sandbox.runtime.registry import get_domain, names
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.graph.declared import declared_links
from toolgym.viewer import world_edges
from toolgym.viewer.world_graph import Measurements

_PAGE = 50
"""Rows of a page."""
_MOST = 200
"""Calls of a scratch session."""


class ScratchCall(BaseModel):
    """A call that is tried."""

    name: str
    arguments: dict[str, Json] = {}
    by: Party = "agent"


class Scratch(BaseModel):
    """The calls of a scratch session, in order."""

    calls: list[ScratchCall] = Field(max_length=_MOST)


def routes() -> APIRouter:
    """The routes; nothing that they do outlives an answer but a measured graph, which `toolgym graph` keeps."""
    api, measurements = APIRouter(prefix="/api"), Measurements()

    @api.get("/worlds")
    def worlds() -> dict[str, Any]:
        return {"worlds": [_line(name) for name in names("domains")]}

    @api.get("/world")
    def world(name: str) -> dict[str, Any]:
        return _about(get_domain(name))

    @api.get("/tasks")
    def tasks(name: str) -> dict[str, Any]:
        return {"splits": _tasks(get_domain(name))}

    @api.get("/edges")
    def edges(name: str) -> dict[str, Any]:
        return {"edges": world_edges.edges(get_domain(name))}

    @api.get("/graph")
    def measured(name: str) -> dict[str, Any]:
        return measurements.look(get_domain(name))

    @api.post("/graph")
    def measure(name: str) -> dict[str, Any]:
        return measurements.begin(get_domain(name))

    @api.get("/rows")
    def rows(name: str, table: str, page: Annotated[int, Query(ge=0)] = 0, q: str = "") -> dict[str, Any]:
        return _rows(get_domain(name), table, page, q)

    @api.post("/scratch")
    def scratch(name: str, given: Scratch) -> dict[str, Any]:
        return {"calls": _tried(get_domain(name), given.calls)}

    return api


def _line(name: str) -> dict[str, Any]:
    """A world in the list; one that cannot be loaded says why."""
    try:
        domain = get_domain(name)
    except ToolgymError as problem:
        return {"name": name, "problem": str(problem)}
    counts = {
        "tools": len(domain.tools),
        "tables": len(domain.models),
        "rules": len({rule.name for rule in domain.rules}),
    }
    return {"name": name, "title": domain.title, "goals": len(domain.goals), "problem": None} | counts


def _about(domain: Domain) -> dict[str, Any]:
    reader = domain.template().reader
    tables = [
        _table(model) | {"rows": reader.execute(f'SELECT COUNT(*) FROM "{model.__tablename__}"').fetchone()[0]}
        for model in domain.models
    ]
    tools = [_tool(domain, by, spec["function"]) for by in ("agent", "user") for spec in _specs(domain, by)]
    rules = [
        {
            "name": rule.name,
            "sentence": rule.sentence,
            "by": rule.by,
            "on": [tool.name for tool in rule.on],
            "reads": [tool.name for tool in rule.reads],
            "remedy": rule.remedy.name if rule.remedy else None,
        }
        for rule in domain.rules
    ]
    return {
        "name": domain.name,
        "title": domain.title,
        "now": domain.now.isoformat(),
        "policy": domain.policy_for(),
        "tables": tables,
        "tools": tools,
        "rules": rules,
        "goals": [{"name": goal.name, "tool": goal.tool.name} for goal in domain.goals],
        "links": sorted(declared_links(domain)),
    }


def _specs(domain: Domain, by: Party) -> list[dict[str, Any]]:
    return domain.tools_of(by).to_openai()


def _tool(domain: Domain, by: Party, spec: dict[str, Any]) -> dict[str, Any]:
    return spec | {"by": by, "kind": domain.tools_of(by)[spec["name"]].kind}


def _table(model: type[DeclarativeBase]) -> dict[str, Any]:
    columns = [
        {
            "name": column.name,
            "type": str(column.type).lower(),
            "key": column.primary_key,
            "hidden": "hidden" in column.info,
            "personal": "personal" in column.info,
            "refers": next((foreign.column.table.name for foreign in column.foreign_keys), None),
        }
        for column in cast(Table, model.__table__).columns
    ]
    return {"name": model.__tablename__, "columns": columns}


def _tasks(domain: Domain) -> list[dict[str, Any]]:
    """How many tasks each stored split of the world's own data holds, by family."""
    found = []
    for data in ("own", "v2"):
        splits = domain.open_data(data).splits if data in domain.data else ()
        for split in splits:
            families: dict[str, int] = {}
            tasks = domain.tasks(split, data)
            for task in tasks:
                families[task.family] = families.get(task.family, 0) + 1
            found.append(
                {"data": data, "split": split, "tasks": len(tasks), "families": dict(sorted(families.items()))}
            )
    return found


def _rows(domain: Domain, table: str, page: int, words: str) -> dict[str, Any]:
    """A page of a table's rows in the order of their keys; those that hold some words in any column."""
    models = {model.__tablename__: cast(Table, model.__table__) for model in domain.models}
    if table not in models:
        raise unknown(f"table of {domain.name}", table, models)
    columns = [column.name for column in models[table].columns]
    keys = ", ".join(f'"{column.name}"' for column in models[table].primary_key.columns)
    where = " OR ".join(f'instr(lower(CAST("{name}" AS TEXT)), ?) > 0' for name in columns) if words else "TRUE"
    given = [words.lower()] * len(columns) if words else []
    reader = domain.template().reader
    total = reader.execute(f'SELECT COUNT(*) FROM "{table}" WHERE {where}', given).fetchone()[0]
    shown = ", ".join(f'"{name}"' for name in columns)
    listed = f'SELECT {shown} FROM "{table}" WHERE {where} ORDER BY {keys} LIMIT {_PAGE} OFFSET {page * _PAGE}'
    rows = [list(row) for row in reader.execute(listed, given)]
    return {"columns": columns, "rows": rows, "total": total, "page": page, "size": _PAGE}


def _tried(domain: Domain, calls: list[ScratchCall]) -> list[dict[str, Any]]:
    if not calls:
        raise BadInput("Send at least one call.")
    found = []
    with Session(domain) as session:
        for number, call in enumerate(calls):
            result = session.call(call.name, call.arguments, by=call.by)
            found.append(
                {
                    "name": call.name,
                    "arguments": call.arguments,
                    "text": result.text,
                    "ok": result.ok,
                    "error": result.error.code if result.error else None,
                    "changes": changes(session.diff(since=number)),
                }
            )
    return found
