"""Recipes: readable YAML files that say what a published set-up is, and the variants that can be put together.

A recipe has `settings` (toolgym's), `verl` (merged into verl's configuration) and `variants`. A variant changes some of
both; `variant=grpo+judge` applies two in that order. Variants of one `group` exclude each other, and the group's
`default` one is taken when none is named. A variant's `with` changes more when another one is chosen too. A file may
say `extends: RECIPE` and hold only what differs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from toolgym.sandbox.kit.errors import BadInput, first_invalid, unknown
from toolgym.sandbox.runtime import foreign_domain
from toolgym.sandbox.runtime.registry import FOREIGN
from toolgym.training.settings import TrainSettings, from_text, validated

RECORDED = "toolgym.sandbox.synthesis.teaching.user:RecordedUser"
"""Who plays the user in rows of `toolgym synth`."""
FOLDER = Path(__file__).parent / "recipes"
Values = dict[str, Any]


class Part(BaseModel):
    """Changes to a set-up: toolgym's settings and verl's."""

    model_config = ConfigDict(extra="forbid")
    settings: Values = {}
    verl: Values = {}


class Variant(Part):
    """A named change.

    Attributes:
        about: what it is, in one line.
        group: variants of a group exclude each other.
        default: taken when no other of its group is named.
        combined: further changes when another variant is chosen too, by its name; `with` in the file.
    """

    about: str
    group: str | None = None
    default: bool = False
    combined: dict[str, Part] = {}


class Recipe(Part):
    """A recipe file.

    Attributes:
        title: what it trains, in one line.
        source: the paper and tables the numbers are from.
        variants: by name.
    """

    title: str
    source: str = ""
    variants: dict[str, Variant] = {}


@dataclass(frozen=True)
class Setup:
    """A recipe with its variants and the command line applied.

    Attributes:
        name: of the recipe.
        title: what it trains.
        variants: the chosen ones, defaults included.
        settings: toolgym's.
        verl: to merge into verl's configuration.
        keys: verl keys from the command line, which must exist, with their values as text.
    """

    name: str
    title: str
    variants: tuple[str, ...]
    settings: TrainSettings
    verl: Values
    keys: dict[str, str]

    @property
    def out(self) -> Path:
        """The run's folder."""
        return self.settings.out or Path("runs") / "train" / "-".join((self.name, *self.variants))


def names() -> list[str]:
    """The recipes that ship with toolgym."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def load(name: str) -> Recipe:
    """A recipe by name or by the path of a file.

    Raises:
        BadInput: no such recipe, or a file that is none; the sentence says where.
    """
    path = Path(name) if name.endswith((".yaml", ".yml")) else FOLDER / f"{name}.yaml"
    if not path.is_file():
        if path.parent != FOLDER:
            raise BadInput(f"There is no recipe file {path}.")
        raise unknown("recipe", name, names(), "A path ending in .yaml names a file of your own.")
    content = _read(path)
    base = content.pop("extends", None)
    for variant in content.get("variants", {}).values():
        variant["combined"] = variant.pop("with", {})
    if base is not None:
        content = merge(load(base).model_dump(), content)
    try:
        return Recipe.model_validate(content)
    except ValidationError as error:
        raise BadInput(f"{path} is no recipe: {first_invalid(error).sentence}.") from None


def _read(path: Path) -> Values:
    from omegaconf import OmegaConf
    from yaml import YAMLError

    try:
        content = OmegaConf.to_container(OmegaConf.load(path))
    except YAMLError as error:
        where, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
        line = f", line {where.line + 1}," if where else ""
        raise BadInput(f"{path}{line} is not YAML: {problem or str(error).splitlines()[0]}.") from None
    if not isinstance(content, dict):
        raise BadInput(f"{path} is no recipe: it holds no mapping.")
    values = {str(key): value for key, value in content.items()}
    _refuse_glued(values, path)
    return values


def _refuse_glued(values: Values, path: Path) -> None:
    """YAML takes `{a:b}` for a key `a:b` without a value, which nothing would ever read."""
    for key, value in values.items():
        if isinstance(value, dict):
            _refuse_glued(value, path)
        elif value is None and ":" in str(key):
            raise BadInput(f"{path}: {key!r} is a key without a value; YAML wants a space after the colon.")


def merge(base: Mapping[str, Any], change: Mapping[str, Any]) -> Values:
    """`base` with `change` on top; mappings are merged, everything else is replaced."""
    result = dict(base)
    for key, value in change.items():
        old = result.get(key)
        result[key] = merge(old, value) if isinstance(old, Mapping) and isinstance(value, Mapping) else value
    return result


def chosen(recipe: Recipe, named: Sequence[str], name: str) -> tuple[str, ...]:
    """The variants that apply: those named, and the default of every group from which none is named.

    Raises:
        BadInput: an unknown variant, or two of one group.
    """
    by_group: dict[str, str] = {}
    for variant in named:
        if variant not in recipe.variants:
            raise unknown(f"variant of {name}", variant, recipe.variants)
        group = recipe.variants[variant].group
        if group is not None:
            if group in by_group:
                raise BadInput(f"The variants {by_group[group]} and {variant} of {name} exclude each other ({group}).")
            by_group[group] = variant
    defaults = [key for key, value in recipe.variants.items() if value.default and value.group not in by_group]
    return (*defaults, *named)


def setup(name: str, assignments: Sequence[str] = ()) -> Setup:
    """A recipe with `key=value` assignments applied.

    Args:
        name: a recipe's name or file.
        assignments: `variant=A+B`, toolgym's settings by name, verl's by their dotted keys.

    Raises:
        BadInput: no such recipe, variant or setting, or a value that does not fit.
    """
    recipe = load(name)
    given = dict(_split(assignment) for assignment in assignments)
    named = [part for part in given.pop("variant", "").split("+") if part]
    variants = chosen(recipe, named, name)
    settings, verl = dict(recipe.settings), dict(recipe.verl)
    for variant in variants:
        part = recipe.variants[variant]
        for change in (part, *(extra for other, extra in part.combined.items() if other in variants)):
            settings, verl = merge(settings, change.settings), merge(verl, change.verl)
    keys = {key: value for key, value in given.items() if "." in key and key not in TrainSettings.model_fields}
    for key in given.keys() - keys.keys():
        if key not in TrainSettings.model_fields:
            advice = (
                "verl's own settings are written with their dots, such as actor_rollout_ref.actor.optim.clip_grad=0.5."
            )
            raise unknown("training setting", key, ["variant", *TrainSettings.model_fields], advice)
        settings[key] = from_text(key, given[key])
    settings |= of_synthesis(settings.get("data"), given)
    short = Path(name).stem
    return Setup(short, recipe.title, variants, validated(settings, f"recipe {short}"), verl, keys)


def of_synthesis(data: Any, given: Mapping[str, str]) -> Values:
    """What `data=FOLDER` means where `toolgym synth` has written the folder: its worlds, its tasks, and the user of its
    conversations, who says what was said then; a server of somebody's is played on as the folder says.

    Raises:
        BadInput: the folder holds no row.
    """
    folder = Path(str(data or ""))
    if not data or not (folder / "card.json").is_file():
        return {}
    foreign_domain.take_up(folder)
    worlds = tuple(sorted(path.stem for path in (folder / "tasks").glob("*.jsonl")))
    if not worlds:
        raise BadInput(f"{folder} holds no rows; `toolgym synth` goes on with the same command.")
    found: Values = {"data": f"own:{folder / 'tasks'}"}
    found |= {} if "env" in given else {"env": worlds}
    found |= {} if "user" in given else {"user": RECORDED}
    return found | ({"servers": folder} if any(world.startswith(FOREIGN) for world in worlds) else {})


def _split(assignment: str) -> tuple[str, str]:
    key, sign, value = assignment.partition("=")
    if not sign:
        raise BadInput(f"Settings are written KEY=VALUE; got {assignment!r}.")
    return key.strip(), value
