"""Writes docs/training-settings.md: the settings of training and of a warm start, from the models that check them.

python docs/training_settings.py
"""

from pathlib import Path
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from annotated_types import Ge, Gt, Le, MinLen
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from toolgym.commands.sft import SFTRun
from toolgym.training.settings import NOT_IDENTITY, TrainSettings

PAGE = Path(__file__).with_name("training-settings.md")
HEAD = """# Training settings

The page is written by `python docs/training_settings.py` from the models that check the settings. Units stand in the
meanings. What each recipe gives is in `training/recipes`; `toolgym train RECIPE --dry-run` shows what a command comes
to.
"""
TRAIN = """## toolgym train

Written `KEY=VALUE` behind the recipe, or under `settings` in a recipe file; what must be given, either may give. A list
is written `a,b` or `[a,b]`, a mapping `{a: 1, b: 2}`, none `null`. verl's own settings are written with their dots and
are verl's to explain. What is marked \\* may change when a run is resumed.
"""
SFT = """## toolgym sft

Written as flags, `--max-tokens 4096`, in the TOML file of `--config`, `max_tokens = 4096`, or in the environment,
`TOOLGYM_MAX_TOKENS=4096`; the run's folder stands first, without a flag.
"""
PLAIN = {bool: "`true` or `false`", dict: "mapping", float: "number", int: "whole number", str: "text", Path: "path"}


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, TRAIN, *table(TrainSettings, NOT_IDENTITY), SFT, *table(SFTRun, set())])


def table(model: type[BaseModel], marked: set[str]) -> list[str]:
    """The settings of a model, a line each, in its order."""
    rows = []
    for name, field in model.model_fields.items():
        mark = " \\*" if name in marked else ""
        rows.append(f"| `{name}`{mark} | {accepted(field)} | {default(field)} | {field.description} |")
    return ["| setting | values | default | meaning |", "| --- | --- | --- | --- |", *rows, ""]


def accepted(field: FieldInfo) -> str:
    """The values that a setting takes, in words."""
    words = kind(field.annotation)
    for bound in field.metadata:
        match bound:
            case Ge(ge=least):
                words += f", {least} or more"
            case Gt(gt=below):
                words += f" above {below}"
            case Le(le=most):
                words += f", at most {most}"
            case MinLen():
                words += ", one or more"
            case _:
                raise TypeError(f"No words for {bound!r}.")
    return words


def kind(annotation: Any) -> str:
    """A type in words."""
    origin, parts = get_origin(annotation), get_args(annotation)
    if NoneType in parts:
        return kind(next(part for part in parts if part is not NoneType))
    if origin is Literal:
        return ", ".join(f"`{value}`" for value in parts)
    if origin is tuple:
        return f"list of {kind(parts[0])}"
    return PLAIN[origin or annotation]


def default(field: FieldInfo) -> str:
    """A setting's value where none is given."""
    if field.is_required():
        return "must be given"
    value = field.default
    if value is None or value in ((), {}):
        return "none"
    text = ",".join(value) if isinstance(value, tuple) else str(value).lower() if isinstance(value, bool) else value
    return f"`{text}`"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
