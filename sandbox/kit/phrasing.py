"""How people ask for what a world's goals grant: the sentences of its `sentences.toml`, which are data and no code.

Not for the places in them: see `toolgym.sandbox.kit.sentence`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from toolgym.sandbox.kit.errors import ConfigurationError

SENTENCES = "sentences.toml"


def sentences_of(goal: str, declared_in: str) -> Sequence[str]:
    """Ways to ask for a goal, from the sentences of the world that declares it.

    Args:
        goal: its name.
        declared_in: the file in which it stands; the sentences lie beside it, or in the folder of the package above.

    Raises:
        ConfigurationError: there are none, or the file cannot be read.
    """
    path = _beside(Path(declared_in))
    found = {} if path is None else _read(path)
    if goal not in found:
        where = SENTENCES if path is None else str(path)
        raise ConfigurationError(
            f"The goal {goal!r} has no sentences; write them as `{goal} = [...]` into {where}, or give it `says`."
        )
    return found[goal]


def _beside(declared_in: Path) -> Path | None:
    """The file of sentences nearest to a module of a package."""
    folder = declared_in.parent
    while not (folder / SENTENCES).is_file():
        if not (folder / "__init__.py").is_file():
            return None
        folder = folder.parent
    return folder / SENTENCES


@cache
def _read(path: Path) -> dict[str, tuple[str, ...]]:
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigurationError(f"{path} cannot be read: {error}") from error
    for goal, says in found.items():
        if not (isinstance(says, list) and says and all(isinstance(sentence, str) for sentence in says)):
            raise ConfigurationError(f"{path}: {goal} is a list of sentences, at least one.")
    return {goal: tuple(says) for goal, says in found.items()}
