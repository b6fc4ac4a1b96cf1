"""The words of a world's people: what they call things and how they ask, from its `sentences.toml`; data, no code.

    [things]
    Account = ["my {nickname} account"]  # ways to describe a row (`Thing`)

    [relations]
    Card.account_id = {says = "the account of {it}"}  # how one row leads to another (`Relation`)

    [goals.freeze_card]  # what people call the action, and how they ask for it (`Goal`)
    verbs = ["freeze"]
    says = ["I can't find {card}, so please freeze it."]
    what = "{card}[ because {reason}]"  # put into the ways to ask that all worlds share; without it, `says` is all

Not for the places in sentences: see `toolgym.sandbox.kit.sentence`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from toolgym.sandbox.kit.errors import ConfigurationError, first_invalid

SENTENCES = "sentences.toml"
Sentences = Annotated[tuple[str, ...], Field(min_length=1)]


class Asking(BaseModel):
    """The words of one goal.

    Attributes:
        says: ways to ask for it.
        what: what is done, or asked for, as it stands after a verb or after "tell me"; for the frames of all worlds.
        verbs: what people call the action.
    """

    model_config = ConfigDict(extra="forbid")

    says: tuple[str, ...] = ()
    what: str = ""
    verbs: tuple[str, ...] | None = None

    @model_validator(mode="after")
    def _says_something(self) -> Asking:
        if not (self.says or self.what):
            raise ValueError("it has neither `says` nor `what`")
        return self

    def sentences(self, verbs: Sequence[str], *, is_question: bool) -> tuple[str, ...]:
        """The ways to ask for it: its own, and the usual ones with its verbs in turn."""
        frames = _frames()["question" if is_question else "action"] if self.what else []
        usual = (
            frame.replace("{verb}", verbs[place % len(verbs)]).replace("{what}", self.what)
            for place, frame in enumerate(frames)
        )
        return (*self.says, *usual)


class Leading(BaseModel):
    """The words of one relation (see `toolgym.sandbox.kit.goal.Relation`)."""

    model_config = ConfigDict(extra="forbid")

    says: str = ""
    by: str = ""
    only: str = ""
    first: str = ""


class Words(BaseModel):
    """A world's words.

    Attributes:
        things: ways to describe a row, by its table's class.
        relations: by table and column, the words of a relation.
        goals: by name.
    """

    model_config = ConfigDict(extra="forbid")

    things: Mapping[str, Sentences] = {}
    relations: Mapping[str, Mapping[str, Leading]] = {}
    goals: Mapping[str, Asking] = {}


def words_beside(declared_in: str) -> Words:
    """The words that lie beside a module, or in the folder of a package above; none where there is no such file.

    Raises:
        ConfigurationError: the file cannot be read.
    """
    folder = Path(declared_in).parent
    while not (folder / SENTENCES).is_file():
        if not (folder / "__init__.py").is_file():
            return Words()
        folder = folder.parent
    return _read(folder / SENTENCES)


def lacking(what: str, entry: str) -> ConfigurationError:
    """The error where neither the declaration nor the file has the words."""
    return ConfigurationError(f"{what} has no words; give it `says`, or write `{entry}` into {SENTENCES} beside it.")


@cache
def _read(path: Path) -> Words:
    try:
        return Words.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except ValidationError as error:
        raise ConfigurationError(f"{path}: {first_invalid(error).sentence}") from error
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigurationError(f"{path} cannot be read: {error}") from error


@cache
def _frames() -> dict[str, list[str]]:
    return tomllib.loads(Path(__file__).with_name("frames.toml").read_text(encoding="utf-8"))
