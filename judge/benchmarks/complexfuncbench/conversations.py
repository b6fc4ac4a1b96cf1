"""The rows of the wheel as conversations again: values in place of references, calls in turns.

The wheel keeps a flat list of calls, `{name, arguments, label, response}`, in which a value that an earlier response
holds is written as `$LABEL.path$`. The turns are lost: here calls stand in one turn that wait for the same results. A
call waits for what it refers to, and for a result that holds one of its values where the question does not.
"""

import json
import re
from typing import Any

_LONG = 5
"""Characters of a value that one takes from a result and not from one's head, such as a hotel's number."""
_REFERENCE = re.compile(r"\$(var\d+)\.(.+)\$")


def at_path(response: Any, path: str) -> Any:
    """What a path leads to in a response; of a list its first element is meant (KeyError where it leads nowhere)."""
    if isinstance(response, dict) and "data" in response and path.split(".")[0] not in response:
        response = response["data"]
    for part in path.split("."):
        while isinstance(response, list):
            if not response:
                raise KeyError(path)
            response = response[0]
        response = response[part]
    return response


def _told(response: Any) -> set[str]:
    """Every value in a response that is long enough to be told from another by chance."""
    if isinstance(response, dict):
        return set().union(*map(_told, response.values())) if response else set()
    if isinstance(response, list):
        return set().union(*map(_told, response)) if response else set()
    return {str(response)} if len(str(response)) >= _LONG and not isinstance(response, bool) else set()


def turns_of(
    question: str, calls: list[dict[str, Any]], types: dict[str, dict[str, str]]
) -> list[list[dict[str, Any]]]:
    """The calls of a row in turns, each `{name, arguments, response}` with values as the model would write them.

    Args:
        question: what the user says.
        calls: the wheel's.
        types: the JSON type of every parameter, by function.
    """
    found: list[list[dict[str, Any]]] = []
    turn_of: dict[str, int] = {}
    responses: dict[str, Any] = {}
    known: dict[str, int] = {}
    for call in calls:
        arguments, turn = {}, max(0, len(found) - 1)
        for name, value in call["arguments"].items():
            match = _REFERENCE.fullmatch(value) if isinstance(value, str) else None
            if match is not None:
                turn = max(turn, turn_of[match[1]] + 1)
                value = at_path(responses[match[1]], match[2])
            elif str(value) not in question:
                turn = max(turn, known.get(str(value), -1) + 1)
            arguments[name] = _typed(value, types[call["name"]].get(name))
        while len(found) <= turn:
            found.append([])
        found[turn].append({"name": call["name"], "arguments": arguments, "response": call["response"]})
        turn_of[call["label"]], responses[call["label"]] = turn, call["response"]
        for value in _told(call["response"]):
            known.setdefault(value, turn)
    return found


def _typed(value: Any, kind: str | None) -> Any:
    """A value with the type that the function declares: a number taken from a response is told as text where so."""
    if kind == "string" and not isinstance(value, str):
        return json.dumps(value)
    if kind == "number" and isinstance(value, str):
        return json.loads(value)
    return value


def functions_of(specification: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The functions as the checker and models are shown them."""
    found = []
    for api in specification:
        given = api["query_parameters"]
        properties = {name: _property(about) for name, about in given.items()}
        required = [name for name, about in given.items() if about["required"]]
        parameters = {"type": "object", "properties": properties, "required": required}
        found.append({"name": api["name"], "description": api["description"], "parameters": parameters})
    return found


def _property(about: dict[str, Any]) -> dict[str, Any]:
    schema = {"type": about["type"], "description": about["description"] or ""}
    if about.get("enum"):
        schema["enum"] = about["enum"]
    return schema | ({"items": {"type": "object"}} if about["type"] == "array" else {})
