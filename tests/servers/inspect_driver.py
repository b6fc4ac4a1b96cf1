"""Inspect plays what standard input names, one evaluation after another, in a process of its own.

Input: a JSON list of keyword arguments of `inspect_ai.eval`; a model and a role may be `[name, base_url]` of an
endpoint, `solver` holds the arguments of toolgym's, and `inspect_evals` names a task of that package's tau2.
Output: one JSON line with the logs' places, in the same order.
"""

import json
import sys
from typing import Any

from inspect_ai import eval as inspect_eval
from inspect_ai.model import Model, get_model

from toolgym.inspect_registry import agent


def model(given: Any) -> str | Model:
    if isinstance(given, str):
        return given
    name, url = given
    return get_model(f"openai-api/local/{name}", base_url=url, api_key="none", memoize=False)


def main() -> None:
    places = []
    for wanted in json.load(sys.stdin):
        asked = dict(wanted, model=model(wanted.get("model", "mockllm/model")), display="none")
        asked["model_roles"] = {role: model(given) for role, given in wanted.get("model_roles", {}).items()} or None
        if "inspect_evals" in wanted:
            from inspect_evals.tau2 import tau2

            asked["tasks"] = getattr(tau2, asked.pop("inspect_evals"))(shuffle=False)
        if "solver" in wanted:
            asked["solver"] = agent(**wanted["solver"])
        places += [log.location for log in inspect_eval(**asked)]
    print(json.dumps(places))


main()
