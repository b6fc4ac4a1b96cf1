"""Plays calls on tau2-bench's own environment, in tau2's own virtual environment: JSON lines in, JSON lines out.

Not imported by anything: the differential tests start it with the interpreter named by TOOLGYM_TAU2_PYTHON and the
name of a domain. An input line is an object of `setup` (a list of side, function, arguments), `calls` (a list of tool,
arguments, by) and `watch`; it is played in turn on the world as tau2-bench ships it. The output line is the list of
outcomes, `{"value": ...}` or `{"error": "..."}`, with `watch` each with the `state` after it (null: as before).
"""

import gc
import importlib
import json
import os
import sys

from loguru import logger


def plain(value: object) -> object:
    """A tool's result as JSON, without the keys that hold nothing."""
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", exclude_none=True)
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def outcome(world: object, name: str, arguments: dict, by: str) -> dict:
    """What a call comes to, as tau2-bench's environment tells it: a value or the text of whatever was raised."""
    requestor = "user" if by == "user" else "assistant"
    try:
        value = plain(world.make_tool_call(name, requestor=requestor, **arguments))
        world.sync_tools()
        return {"value": value}
    except Exception as error:  # tau2-bench's environment turns every exception of a tool into a message
        return {"error": f"{type(error).__name__}: {error}"}


def state(world: object) -> dict:
    """Both sides' databases."""
    user = world.user_tools.db.model_dump(mode="json") if world.user_tools is not None else None
    return {"agent": world.tools.db.model_dump(mode="json"), "user": user}


def played(world: object, play: dict) -> list[dict]:
    """The outcomes of one line."""
    for side, function, arguments in play["setup"]:
        getattr(world.user_tools if side == "user" else world.tools, function)(**arguments)
        world.sync_tools()
    outcomes, before = [], None
    for name, arguments, by in play["calls"]:
        found = outcome(world, name, arguments, by)
        if play["watch"]:
            after = state(world)
            found["state"] = None if after == before else after
            before = after
        outcomes.append(found)
    return outcomes


def main() -> None:
    """Answer lines until the input ends, each in a copy of this process, which the line's writes do not outlive."""
    logger.remove()
    world = importlib.import_module(f"tau2.domains.{sys.argv[1]}.environment").get_environment()
    gc.disable()
    gc.freeze()
    for line in sys.stdin:
        if os.fork() == 0:
            print(json.dumps(played(world, json.loads(line))), flush=True)
            os._exit(0)
        if os.wait()[1]:
            sys.exit("A line could not be played.")


main()
