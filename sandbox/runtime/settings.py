"""One pydantic model feeds a command's flags, help, TOML file, environment and the copy saved beside results.

Precedence: flags, then environment (TOOLGYM_<FIELD>), then the TOML file given with --config, then defaults. A small
mapping of our own: pydantic-settings' command line starts slower and reports mistakes as validation dumps.
"""

from __future__ import annotations

import argparse
import inspect
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, SecretStr, ValidationError

from toolgym.sandbox.kit.errors import BadInput, first_invalid, unknown

Settings = TypeVar("Settings", bound=BaseModel)


def add_flags(parser: argparse.ArgumentParser, model: type[BaseModel], positional: tuple[str, ...] = ()) -> None:
    """Add a flag for every field: `max_turns` becomes `--max-turns`; descriptions become help."""
    parser.usage = " ".join([parser.prog, *(f"[{name.upper()}]" for name in positional), "[options]"])
    groups: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        title = "" if name in model.__annotations__ else _group(model, name)
        if title and title not in groups:
            groups[title] = parser.add_argument_group(title)
        target = groups.get(title, parser)
        kind = _plain(field.annotation)
        shown = (
            "" if field.is_required() or field.default in (None, "", (), {}) else f" (default: {_show(field.default)})"
        )
        options: dict[str, Any] = {"default": None, "help": f"{field.description or ''}{shown}".replace("%", "%%")}
        if get_origin(kind) is Literal:
            options["choices"] = [str(choice) for choice in get_args(kind)]
        elif kind is bool:
            options["action"] = argparse.BooleanOptionalAction
        elif get_origin(kind) in (tuple, list):
            options |= {"nargs": "+", "action": "extend", "metavar": name.upper().rstrip("S")}
        elif get_origin(kind) is dict:
            options |= {"nargs": "+", "action": "extend", "metavar": "KEY=VALUE"}
        else:
            options["metavar"] = {int: "N", float: "X", Path: "PATH"}.get(kind, name.upper())
        if name in positional:
            options.pop("metavar", None)
            parser.add_argument(name, nargs="?", metavar=name.upper(), **options)
        else:
            target.add_argument(f"--{name.replace('_', '-')}", dest=name, **options)
    parser.add_argument("--config", default=None, metavar="FILE", help="TOML file with any of these settings")


def _group(model: type[BaseModel], name: str) -> str:
    """Under which heading an inherited field is listed: what its class says, or `models`."""
    owner = next(base for base in model.__mro__ if name in inspect.get_annotations(base))
    return str(getattr(owner, "heading", "models"))


def resolve(model: type[Settings], arguments: argparse.Namespace) -> Settings:
    """The settings that flags, environment and file come to.

    Raises:
        BadInput: a value that does not fit, or a key that does not exist, with the nearest right one.
    """
    values = _from_file(model, arguments.config) if arguments.config else {}
    values |= _from_environment(model)
    for name, field in model.model_fields.items():
        given = getattr(arguments, name)
        if given is not None:
            values[name] = _pairs(name, given) if get_origin(_plain(field.annotation)) is dict else given
    try:
        return model.model_validate(values)
    except ValidationError as error:
        problem = first_invalid(error)
        name = problem.field
        flag = f"--{name.replace('_', '-')}" if name else "the settings"
        if problem.kind == "missing":
            raise BadInput(f"{flag.removeprefix('--').upper()} is missing; see --help.") from None
        message = problem.message
        raise BadInput(f"{flag}: {message}{_got(model, name, problem.given)}.") from None


def _got(model: type[BaseModel], name: str, given: object) -> str:
    """What was given, for the message; not where it is a secret, or all settings with the secrets among them."""
    secret = name not in model.model_fields or _plain(model.model_fields[name].annotation) is SecretStr
    return "" if secret else f"; got {given!r}"


def _from_file(model: type[BaseModel], path: str) -> dict[str, Any]:
    try:
        with Path(path).open("rb") as file:
            values = tomllib.load(file)
    except OSError:
        raise BadInput(f"There is no settings file {path}.") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path} is not UTF-8 text; save the file as UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{path} is not TOML: {error}.") from None
    values = {name.replace("-", "_"): value for name, value in values.items()}
    for name, value in values.items():
        if name not in model.model_fields:
            raise unknown("setting", name, model.model_fields, f"(in {path})")
        if get_origin(_plain(model.model_fields[name].annotation)) in (tuple, list):  # `tasks = 30`, as on the line
            values[name] = [str(item) for item in (value if isinstance(value, list) else [value])]
    return values


def _from_environment(model: type[BaseModel]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        text = os.environ.get(f"TOOLGYM_{name.upper()}")
        if text is None:
            continue
        kind = get_origin(_plain(field.annotation))
        found[name] = text.split() if kind in (tuple, list) else _pairs(name, text.split()) if kind is dict else text
    return found


def _pairs(name: str, items: list[str] | Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(items, Mapping):
        return dict(items)
    wrong = [item for item in items if "=" not in item]
    if wrong:
        raise BadInput(f"--{name.replace('_', '-')} takes KEY=VALUE; got {wrong[0]!r}.")
    return {key: _value(value) for key, _, value in (item.partition("=") for item in items)}


def _value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _plain(annotation: Any) -> Any:
    """The annotation without `| None`."""
    if get_origin(annotation) in (Union, UnionType):
        rest = [part for part in get_args(annotation) if part is not NoneType]
        return rest[0]
    return annotation


def _show(default: Any) -> str:
    return " ".join(str(item) for item in default) if isinstance(default, tuple) else str(default)
