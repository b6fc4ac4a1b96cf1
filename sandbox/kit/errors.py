"""The error family: every failure toolgym raises on purpose, each with one sentence meant for a person.

Not for refusals recorded in a log: a refused tool call becomes a `ToolResult`, see `toolgym.sandbox.kit.tool`.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from toolgym.sandbox.kit.masking import masked

if TYPE_CHECKING:
    from pydantic import ValidationError

Boundary = Literal["model", "tool", "session", "task", "judge", "user", "configuration"]
"""Where a failure happened; every infrastructure failure names exactly one."""


TEMPORARY = "temporarily_unavailable"
"""Code of a refusal of which nothing was done and that goes away when the same call is made again."""


class ToolgymError(Exception):
    """Base of every error toolgym raises on purpose; `str(error)` is a sentence for people.

    Examples:
        >>> from toolgym.kit import ToolgymError, get_domain
        >>> try:
        ...     get_domain("retial")
        ... except ToolgymError as error:
        ...     print(str(error).partition(" Known")[0])
        There is no domain 'retial'; did you mean 'retail'?
    """


class BadInput(ToolgymError, ValueError):
    """The caller passed something that cannot be accepted; the sentence says what is.

    Examples:
        >>> from toolgym import BadInput, tools_of
        >>> try:
        ...     tools_of("kisok")
        ... except BadInput as error:
        ...     print(str(error).partition(" There are")[0])
        There is no environment 'kisok'; did you mean 'kiosk'?
    """


class Unreadable(BadInput):
    """Text that was meant as an agent's action and cannot be read as one.

    Attributes:
        text: the text.
    """

    def __init__(self, sentence: str, text: str) -> None:
        super().__init__(sentence)
        self.text = text


class ConfigurationError(ToolgymError):
    """Settings, an installation, a domain's definition or a plug-in's code do not work; the sentence says where.

    Examples:
        >>> from toolgym import ConfigurationError
        >>> from toolgym.kit import tool
        >>> try:
        ...
        ...     @tool("read")
        ...     def count(db, day): ...
        ... except ConfigurationError as error:
        ...     print(error)
        Tool count: its first parameter must be annotated `Database`.
    """

    def __init__(self, message: str) -> None:
        super().__init__(masked(message))


class Refusal(ToolgymError):
    """A domain's own rule refuses a call: a stable code and a sentence an agent can act on.

    Raise it from a tool before or between writes; the session undoes whatever the call wrote.

    Examples:
        >>> from toolgym import Refusal, Session
        >>> Refusal("sold_out", "Nothing is left on Friday; name another evening.").code
        'sold_out'
        >>> Session("kiosk").call("reserve_ticket", {"ticket_id": "T101", "holder": "Bo Lind"}).text
        'Error: Ticket T101 is taken; choose a free one. [ticket_taken]'
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    def __reduce__(self) -> tuple[type[Refusal], tuple[str, str]]:
        return Refusal, (self.code, self.message)


class InfrastructureError(ToolgymError):
    """Something outside the agent's control broke; recorded as such and left out of averages.

    Raise it from an agent, a user or a judge; the episode is played again when its run is resumed.

    Attributes:
        boundary: where it broke: `model`, `tool`, `session`, `task`, `judge`, `user` or `configuration`.
        message: what broke, in a sentence; it is kept with the run and may hold others' words, so keys are masked.

    Examples:
        >>> from toolgym import InfrastructureError
        >>> InfrastructureError("model", "The model's server does not answer.").boundary
        'model'
    """

    def __init__(self, boundary: Boundary, message: str) -> None:
        self.boundary: Boundary = boundary
        self.message = masked(message)
        super().__init__(self.message)

    def __reduce__(self) -> tuple[type[InfrastructureError], tuple[Boundary, str]]:
        return type(self), (self.boundary, self.message)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name most like `name`, or None when nothing is close."""
    matches = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    return matches[0] if matches else None


_LISTED = 30
"""Names that a sentence can still list."""


def unknown(kind: str, name: str, known: Iterable[str], advice: str = "") -> BadInput:
    """The error for a name that does not exist: the nearest right one, then all of them (of very many, the likest).

    Args:
        kind: what it is the name of; what stands after `of` or `in` follows the name: `task in retail's test split`.
        name: the name.
        known: the names that exist.
        advice: a sentence to add.
    """
    names = sorted(known)
    close = nearest(name, names)
    hint = f"; did you mean {close!r}?" if close else "."
    noun, word, index = re.match(r"(.*?)(?:( of | in )(.*))?$", kind, re.DOTALL).groups(default="")  # type: ignore[union-attr]
    listing = f" Known: {', '.join(names)}." if names else " There are none."
    if len(names) > _LISTED:
        listing = f" There are {len(names)}, such as {', '.join(difflib.get_close_matches(name, names, 5, 0.0))}."
    return BadInput(f"There is no {noun} {name!r}{word}{index}{hint}{listing}{' ' + advice if advice else ''}")


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Says which file could not be written and why (BadInput) instead of the system's bare words."""
    try:
        yield
    except OSError as error:
        raise BadInput(
            f"{path} cannot be written: {error.strerror or error}. What was finished before is kept; make room or name "
            "another place, then run the same command again."
        ) from error


@dataclass(frozen=True, slots=True)
class InvalidValue:
    """What is wrong with a value that a pydantic model does not take.

    Attributes:
        path: to the field, from the outermost on; empty for the whole value.
        message: what is wrong, as `in_words` puts it.
        kind: pydantic's name for it, such as `missing` or `extra_forbidden`.
        given: the value.
    """

    path: tuple[str, ...]
    message: str
    kind: str
    given: object

    @property
    def where(self) -> str:
        """The path with dots."""
        return ".".join(self.path)

    @property
    def field(self) -> str:
        """The outermost field's name; empty for the whole value."""
        return next(iter(self.path), "")

    @property
    def sentence(self) -> str:
        """Where and what."""
        return f"{self.where}: {self.message}" if self.where else self.message


_WORDS = (
    ("int_type int_parsing int_parsing_size int_from_float", "must be a whole number"),
    ("float_type float_parsing", "must be a number"),
    ("bool_type bool_parsing", "must be true or false"),
    ("string_type", "must be text"),
    ("list_type tuple_type set_type iterable_type", "must be a list"),
    ("dict_type mapping_type model_type model_attributes_type dataclass_type", "must be an object"),
    ("path_type", "must be a path"),
    ("greater_than", "must be more than {gt}"),
    ("greater_than_equal", "must be at least {ge}"),
    ("less_than", "must be less than {lt}"),
    ("less_than_equal", "must be at most {le}"),
    ("literal_error enum", "must be {expected}"),
    ("string_too_short", "must have at least {min_length} characters"),
    ("string_too_long", "must have at most {max_length} characters"),
    ("too_short", "must have at least {min_length} entries"),
    ("too_long", "must have at most {max_length} entries"),
    ("missing", "is missing"),
    ("extra_forbidden", "is not known here"),
)
"""What people are told of pydantic's kinds of problems."""


def in_words(problem: Mapping[str, Any]) -> str:
    """What is wrong with a value, for people: of an entry of a pydantic error's `errors()`."""
    known = {kind: words for kinds, words in _WORDS for kind in kinds.split()}
    if problem["type"] in known:
        return known[problem["type"]].format(**problem.get("ctx", {}))
    text: str = problem["msg"]
    return text.removeprefix("Value error, ").replace("Input should", "must", 1)


def first_invalid(error: ValidationError) -> InvalidValue:
    """The first of a validation's problems: a sentence names one, and mending it shows the next."""
    problem = error.errors(include_url=False)[0]
    path = tuple(str(part) for part in problem["loc"])
    return InvalidValue(path, in_words(problem), problem["type"], problem["input"])
