"""A checkout of TIER's repository: its rows and its tools' definitions, found and checked before anything runs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import Json

ROWS = Path("data/depthbench/full_dataset.json")
DEFINITIONS = Path("src/tier/prompts/function_definitions.json")
ENVIRONMENT = Path("src/tier/environment")
_SOURCES = tuple(ENVIRONMENT / name for name in ("api_base.py", "depthbench_apis.py", "food_apis.py", "simulator.py"))
_GET_IT = "it is a checkout of github.com/anaykulkarni/TIER, as `git clone` makes it"
_FIELDS = {"prompt": str, "num_calls": int, "return_all": bool, "tag": str, "apis": list}


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the benchmark.

    Attributes:
        id: its key in the file.
        prompt: the request.
        calls: how many calls the authors count: the depth they report by.
        tag: the letter of the person's situation, or nothing.
        tools: the tools that the request is about.
        program: the right calls in their order, each a name with its arguments; empty where no call is right.
        answers: what they come to, in order.
        all: every result is the answer, not the last one alone.
    """

    id: str
    prompt: str
    calls: int
    tag: str
    tools: tuple[str, ...]
    program: tuple[tuple[str, dict[str, Json]], ...]
    answers: tuple[Json, ...]
    all: bool


@dataclass(frozen=True, slots=True)
class Checkout:
    """What the benchmark is read from.

    Attributes:
        folder: the checkout.
        rows: in the file's order.
        definitions: the tools by name, as the authors show them to models.
    """

    folder: Path
    rows: tuple[Row, ...]
    definitions: dict[str, Any]

    @staticmethod
    def read(path: str) -> Checkout:
        """Read a checkout.

        Raises:
            BadInput: the folder, a file or a row is missing or damaged.
        """
        folder = Path(path).expanduser().resolve()
        if not folder.is_dir():
            raise BadInput(f"There is no folder {folder} with DepthBench; {_GET_IT}.")
        for file in (ROWS, DEFINITIONS, *_SOURCES, ENVIRONMENT / "api_data"):
            if not (folder / file).exists():
                raise BadInput(f"{folder} holds no DepthBench: {file} is missing; {_GET_IT}.")
        rows = tuple(_row(key, raw, folder) for key, raw in _object(folder / ROWS).items())
        definitions = _object(folder / DEFINITIONS)
        if not rows or not definitions:
            raise BadInput(f"{folder / (DEFINITIONS if rows else ROWS)} is empty; {_GET_IT}.")
        for name, definition in definitions.items():
            if not isinstance(definition, dict) or not isinstance(definition.get("parameters"), dict):
                raise BadInput(f"{folder / DEFINITIONS}: {name} defines no tool with `parameters`; {_GET_IT}.")
        for row in rows:
            if unknown := {*row.tools, *(name for name, _ in row.program)} - definitions.keys():
                named = ", ".join(sorted(unknown))
                raise BadInput(f"{folder / ROWS}, row {row.id} uses {named}, which {DEFINITIONS} does not define.")
        return Checkout(folder, rows, definitions)


def _object(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise BadInput(f"{path} is damaged ({error}); {_GET_IT}.") from None
    if not isinstance(value, dict):
        raise BadInput(f"{path} holds no object by keys; {_GET_IT}.")
    return value


def _row(key: str, raw: Any, folder: Path) -> Row:
    try:
        wrong = next((name for name, kind in _FIELDS.items() if not isinstance(raw[name], kind)), None)
        calls, answers = _numbered(raw["api_calls"]), _numbered(raw["response"])
        program = tuple((name, _without_tag(given)) for call in calls for name, given in [*call.items()][:1])
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise BadInput(f"{folder / ROWS}, row {key} is damaged ({type(error).__name__}: {error}); {_GET_IT}.") from None
    if wrong is not None:
        raise BadInput(f"{folder / ROWS}, row {key} is damaged (no right {wrong}); {_GET_IT}.")
    every, tools = bool(raw["return_all"]), tuple(map(str, raw["apis"]))
    return Row(key, raw["prompt"], raw["num_calls"], raw["tag"], tools, program, tuple(answers), every)


def _without_tag(given: dict[str, Json]) -> dict[str, Json]:
    """The arguments as a model has to write them: the letter of the situation is added to calls, nobody is told it."""
    return {name: value for name, value in given.items() if name != "tag"}


def _numbered(text: str) -> list[Any]:
    """The values of an object whose keys are numbers, in their order; nothing for no text."""
    found = json.loads(text) if text else {}
    return [found[number] for number in sorted(found, key=int)]
