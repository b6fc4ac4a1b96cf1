"""Plays calls on tau2-bench's own toolkit, in tau2's own virtual environment: JSON lines in, JSON lines out.

Not imported by anything: the differential tests start it with the interpreter named by TOOLGYM_TAU2_PYTHON and the
name of a domain. Every input line is a list of `[tool, arguments]`, played in turn on the database as tau2-bench ships
it; the output line is the list of outcomes, `{"value": ...}` or `{"error": "..."}`.
"""

import gc
import importlib
import json
import pickle
import sys

from loguru import logger

TOOLKITS = {"retail": ("RetailTools", "RetailDB", "RETAIL_DB_PATH")}
"""The names of a domain's toolkit, database and data file."""


def plain(value: object) -> object:
    """A tool's result as JSON, without the keys that hold nothing."""
    return value.model_dump(mode="json", exclude_none=True) if hasattr(value, "model_dump") else value


def outcome(toolkit: object, name: str, arguments: dict) -> dict:
    """What a call comes to, as tau2-bench's environment tells it: a value or the text of whatever was raised."""
    try:
        return {"value": plain(toolkit.use_tool(name, **arguments))}
    except Exception as error:  # tau2-bench's environment turns every exception of a tool into a message
        return {"error": f"{type(error).__name__}: {error}"}


def main() -> None:
    """Answer lines until the input ends."""
    logger.remove()
    domain = sys.argv[1]
    toolkit_name, database_name, path_name = TOOLKITS[domain]
    toolkit = getattr(importlib.import_module(f"tau2.domains.{domain}.tools"), toolkit_name)
    database = getattr(importlib.import_module(f"tau2.domains.{domain}.data_model"), database_name)
    path = getattr(importlib.import_module(f"tau2.domains.{domain}.utils"), path_name)
    gc.disable()  # each line's database is dropped whole
    shipped = pickle.dumps(database.load(path))
    for line in sys.stdin:
        fresh = toolkit(pickle.loads(shipped))
        print(json.dumps([outcome(fresh, name, arguments) for name, arguments in json.loads(line)]), flush=True)


main()
