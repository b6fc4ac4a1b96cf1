"""Looks up who a retail task's customer is, for agents that are told so beforehand."""

from __future__ import annotations

from collections.abc import Callable

from sandbox.kit.message import Json
from sandbox.kit.task import Task


def profile(task: Task, call: Callable[..., Json]) -> Json:
    """The customer's details; None where the task says neither the e-mail nor the name and zip code."""
    known = {fact.name: fact.value for fact in task.facts}
    if "email" in known:
        found = call("find_user_id_by_email", email=known["email"])
    elif {"first_name", "last_name", "zip"} <= known.keys():
        found = call(
            "find_user_id_by_name_zip",
            first_name=known["first_name"],
            last_name=known["last_name"],
            zip=str(known["zip"]),
        )
    else:
        return None
    return call("get_user_details", user_id=found)
