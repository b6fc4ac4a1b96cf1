"""A tool: an ordinary typed function whose signature and docstring give its schema and its argument checks, once.

The same `Tool` serves REST, MCP, OpenAI function calling and prompts. Running a tool inside a session is
`toolgym.sandbox.runtime.session`'s job.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any, Concatenate, Literal, Protocol, cast, get_args, get_type_hints

from docstring_parser import parse as parse_docstring
from pydantic import BaseModel, ConfigDict, Field, PydanticUserError, TypeAdapter, ValidationError, create_model
from pydantic_core import ErrorDetails
from sqlalchemy.orm import DeclarativeBase

from toolgym.sandbox.kit.argument_errors import argument_error
from toolgym.sandbox.kit.bounds import beyond
from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.errors import ConfigurationError, Refusal, nearest, unknown
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.reference import Kind as ValueKind
from toolgym.sandbox.kit.reference import Reference, kind_of, reference_of, resolver, shown_name, tables_taken
from toolgym.sandbox.kit.table import example_key, noun
from toolgym.sandbox.kit.text import is_plain
from toolgym.sandbox.kit.view import plain, tables_of

Kind = Literal["read", "write", "neutral"]
MAX_ARGUMENT_BYTES = 100_000
MOMENT = r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$"
"""A moment on the world's own clock: no seconds and no zone, which JSON Schema's `date-time` asks for."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a call was refused: a stable code and a sentence an agent can act on."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a call returned: a JSON value, or the reason it was refused."""

    value: Json = None
    error: Failure | None = None

    @property
    def ok(self) -> bool:
        """Whether the call succeeded."""
        return self.error is None

    @property
    def text(self) -> str:
        """What the caller reads: text as it is, other values as JSON, a refusal as `Error: sentence [code]`."""
        if self.error is not None:
            return f"Error: {self.error.message} [{self.error.code}]"
        return self.value if isinstance(self.value, str) else json.dumps(self.value, ensure_ascii=False)


class Enforced(Protocol):
    """A rule that tools hold (see `toolgym.sandbox.kit.rule`)."""

    def require(self, database: Database, arguments: Mapping[str, Any]) -> None:
        """Refuse a call that breaks it."""
        ...


class Tool:
    """A typed function of a session's database.

    Attributes:
        name: the function's name.
        kind: `read`, `write`, or `neutral` (touches no row but scratch ones, see
            `toolgym.sandbox.kit.table.is_scratch`).
        ends_episode: a successful call hands the conversation over and ends it.
        description: the docstring without its argument section.
        parameters: JSON Schema of the arguments, references resolved.
        returns: JSON Schema of the result, or None when the return type is not annotated precisely.
        function: the function itself; the first parameter is the database.
        confirm: whether a call needs the user's yes before it; writes do unless their author says otherwise.
        inputs: the function's parameters with what agents call them.
        references: the tables that parameters refer to, by parameter.
        takes: the tables whose keys parameters take, references among them.
        kinds: what sort of value each parameter holds.
        shows: the tables whose rows the result shows.
        lists: those of which it shows several.
        own_name: what its own world calls it, where a session of several worlds calls it otherwise.
        world: the joined world in whose rows it works; empty in the session's first one.
    """

    world = ""

    def __init__(
        self, function: Callable[..., Any], kind: Kind, *, ends_episode: bool = False, confirm: bool | None = None
    ) -> None:
        self.function = function
        self.name = self.own_name = function.__name__
        self.kind: Kind = kind
        self.ends_episode = ends_episode
        self.confirm = kind == "write" if confirm is None else confirm
        document = parse_docstring(inspect.getdoc(function) or "")
        parts = (document.short_description, document.long_description)
        self.description = "\n\n".join(part for part in parts if part)
        hints = get_type_hints(function, include_extras=True)
        names = list(inspect.signature(function).parameters)
        if not names or hints.get(names[0]) is not Database:
            raise ConfigurationError(f"Tool {self.name}: its first parameter must be annotated `Database`.")
        missing = [name for name in names[1:] if name not in hints]
        if missing:
            raise ConfigurationError(f"Tool {self.name}: annotate {', '.join(missing)} so that a schema can be made.")
        about = {entry.arg_name: entry.description for entry in document.params}
        self.inputs = {name: shown_name(name, hints[name]) for name in names[1:]}
        self.kinds: dict[str, ValueKind] = {name: kind_of(name, hints[name]) for name in names[1:]}
        found = {name: reference_of(hints[name]) for name in names[1:]}
        self.references: dict[str, type[DeclarativeBase]] = {name: each[0] for name, each in found.items() if each}
        self.takes = {name: tables for name in names[1:] if (tables := tables_taken(hints[name]))}
        self.shows = tables_of(hints.get("return"))
        self.lists = tables_of(hints.get("return"), lists=True)
        self._resolvers = [(name, made) for name in names[1:] if (made := resolver(hints[name])) is not None]
        fields: dict[str, Any] = {}
        for name, parameter in list(inspect.signature(function).parameters.items())[1:]:
            default = ... if parameter.default is inspect.Parameter.empty else parameter.default
            each = found[name]
            text = about.get(name) or (_about_reference(*each) if each else None)
            fields[self.inputs[name]] = (hints[name], Field(default, description=text))
        config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)
        self._arguments: type[BaseModel] = create_model(self.name, __config__=config, **fields)
        self.parameters = _plain_schema(self._arguments.model_json_schema())
        self.returns = _result_schema(hints.get("return"))
        # results without rows, days and moments are JSON as they are; writing them out once more would cost time
        told = json.dumps(self.returns)  # days have a format there, moments a pattern
        told_as_text = '"format"' in told or '"pattern"' in told
        self._is_json = not self.shows and self.returns is not None and not told_as_text

    def __call__(self, database: Database, **arguments: Any) -> Any:
        """Run the bare function: for a domain's own tests and for tools that build on one another."""
        return self.function(database, **arguments)

    def resolved(self, database: Database, checked: Mapping[str, Any]) -> dict[str, Any]:
        """Checked arguments by the function's own names, rows in place of keys.

        Raises:
            Refusal: a reference names no row that the session's owner has.
        """
        arguments = {name: checked[shown] for name, shown in self.inputs.items()}
        for name, resolve in self._resolvers:
            arguments[name] = resolve(database, arguments[name], arguments)
        return arguments

    def run(self, database: Database, checked: Mapping[str, Any], rules: Sequence[Enforced] = ()) -> Json:
        """Run with checked arguments: rows are found, rules held, and the result is plain JSON.

        Raises:
            Refusal: a row that does not exist, a broken rule, or the tool's own reason.
        """
        if not self._resolvers and not rules and not self.shows:
            return cast(Json, self.function(database, **checked))
        arguments = self.resolved(database, checked)
        for rule in rules:
            rule.require(database, arguments)
        result = self.function(database, **arguments)
        return cast(Json, result) if self._is_json else plain(result, database)

    def __repr__(self) -> str:
        return f"Tool({self.name}, {self.kind})"

    def without_enums(self) -> Tool:
        """The same tool, whose schema does not list the values of a choice."""
        twin = copy(self)
        twin.parameters = cast("dict[str, Json]", _unlisted(self.parameters))
        return twin

    @property
    def summary(self) -> str:
        """The first line of the description."""
        return self.description.split("\n", 1)[0]

    def renamed(self, name: str, world: str) -> Tool:
        """The same tool as a session of several worlds offers it."""
        twin = copy(self)
        twin.name, twin.world = name, world
        return twin

    def to_openai(self) -> dict[str, Json]:
        """The tool as an entry of OpenAI's `tools` list."""
        body = {"name": self.name, "description": self.description, "parameters": self.parameters}
        return {"type": "function", "function": body}

    def validate(self, arguments: Mapping[str, Json] | str) -> dict[str, Any]:
        """Checked arguments, ready to pass to the function.

        Args:
            arguments: by name, or the JSON text of such an object.

        Raises:
            Refusal: code `invalid_arguments`; the sentence names every argument that is wrong, unknown or missing.
        """
        try:
            text = arguments if isinstance(arguments, str) else json.dumps(arguments)
            if len(text) > MAX_ARGUMENT_BYTES:
                raise Refusal(
                    "invalid_arguments",
                    f"The arguments of {self.name} are longer than {MAX_ARGUMENT_BYTES} characters.",
                )
            if "\\ud" in text and not is_plain(arguments):
                text = ""  # no JSON: two halves side by side in a Python string would be read as one whole sign
            checked = self._arguments.model_validate_json(text)
        except (TypeError, RecursionError, UnicodeError):
            raise Refusal("invalid_arguments", f"The arguments of {self.name} must be a plain JSON object.") from None
        except ValidationError as error:
            raise Refusal("invalid_arguments", self._explain(error.errors(include_url=False))) from None
        values = dict(checked.__dict__)
        for name, value in values.items():
            if value is not None and (problem := beyond(value)):
                raise Refusal("invalid_arguments", f"{self.name}: {name} {problem}.")
        return values

    def _explain(self, problems: Sequence[ErrorDetails]) -> str:
        sentences = []
        for problem in problems:
            sentence = argument_error(problem, list(self.parameters["properties"]))
            if sentence not in sentences:
                sentences.append(sentence)
        names = ", ".join(self.parameters["properties"]) or "none"
        return f"{self.name}: {'; '.join(sentences)}. Its arguments are: {names}."


def _about_reference(model: type[DeclarativeBase], mark: Reference) -> str:
    example = example_key(model)
    return mark.about or f"The {noun(model)}'s key{f', such as {example}' if example else ''}."


def tool(
    kind: Kind, *, ends_episode: bool = False, confirm: bool | None = None
) -> Callable[[Callable[Concatenate[Database, ...], Any]], Tool]:
    """Declare a function as a tool that reads, writes or is neutral.

    Args:
        kind: what it does.
        ends_episode: a successful call hands the conversation over and ends it.
        confirm: whether a call needs the user's yes before it; without a word, every write does.

    Raises:
        BadInput: no such kind.

    Examples:
        >>> from toolgym.domains.kiosk.schema import Ticket
        >>> from toolgym import Session
        >>> from toolgym.kit import Database, tool
        >>> @tool("read")
        ... def count_free(db: Database, evening: str) -> int:
        ...     return len(db.find(Ticket, evening=evening, holder=None))
        >>> count_free.kind, count_free(Session("kiosk").database, evening="Friday")
        ('read', 6)
    """
    if kind not in get_args(Kind):
        raise unknown("tool kind", str(kind), get_args(Kind))
    return lambda function: Tool(function, kind, ends_episode=ends_episode, confirm=confirm)


class ToolSet(Mapping[str, Tool]):
    """Tools by name, in the order of their definition.

    Args:
        tools: a module's tools, or a list of tools and modules.

    Examples:
        >>> from toolgym.domains.kiosk import tools
        >>> from toolgym.kit import ToolSet
        >>> found = ToolSet(tools)
        >>> list(found.offered(["find_tickets", "reserve_ticket"]))
        ['find_tickets', 'reserve_ticket']
        >>> found["reserve_ticket"].kind
        'write'
    """

    def __init__(self, tools: Sequence[Tool | ModuleType] | ModuleType = ()) -> None:
        self._tools: dict[str, Tool] = {}
        for given in [tools] if isinstance(tools, ModuleType) else tools:
            found = vars(given).values() if isinstance(given, ModuleType) else [given]
            self._tools |= {entry.name: entry for entry in found if isinstance(entry, Tool)}

    def __getitem__(self, name: str) -> Tool:
        return self._tools[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tools)

    def __len__(self) -> int:
        return len(self._tools)

    def __repr__(self) -> str:
        return f"<ToolSet {', '.join(self._tools)}>"

    def find(self, name: str) -> Tool:
        """The tool of that name.

        Raises:
            Refusal: code `unknown_tool`, with the nearest name.
        """
        if name in self._tools:
            return self._tools[name]
        close = nearest(name, self._tools)
        shown = name if len(name) <= 80 else name[:77] + "..."
        hint = f" Did you mean {close}?" if close else ""
        raise Refusal("unknown_tool", f"There is no tool {shown!r}.{hint} Tools: {', '.join(self._tools)}.")

    def offered(self, names: Collection[str] | None) -> ToolSet:
        """Those among some names, in the order of their definition; all of them for None."""
        return self if names is None else ToolSet([entry for entry in self._tools.values() if entry.name in names])

    @cached_property
    def without_enums(self) -> ToolSet:
        """The same tools, whose schemas do not list the values of a choice."""
        return ToolSet([entry.without_enums() for entry in self._tools.values()])

    def to_openai(self) -> list[dict[str, Json]]:
        """OpenAI's `tools` list."""
        return [entry.to_openai() for entry in self._tools.values()]


def _plain_schema(schema: dict[str, Json]) -> dict[str, Json]:
    """The schema without titles and with every reference replaced by what it points to."""
    definitions = schema.pop("$defs", {})

    def plain(node: Json, *, names: bool = False) -> Json:
        if isinstance(node, list):
            return [plain(item) for item in node]
        if not isinstance(node, dict):
            return node
        if "$ref" in node:
            target = plain(definitions[node["$ref"].rsplit("/", 1)[-1]])
            return target | {key: plain(value) for key, value in node.items() if key != "$ref"}
        kept = {key: value for key, value in node.items() if names or key != "title"}
        if not names and kept.get("format") == "date-time":
            kept = {key: value for key, value in kept.items() if key != "format"} | {"pattern": MOMENT}
        return {key: plain(value, names=key == "properties" and not names) for key, value in kept.items()}

    return cast("dict[str, Json]", plain(schema))


def _unlisted(node: Json) -> Json:
    """A schema without lists of values; one value alone stays, as it tells forms of an argument apart."""
    if isinstance(node, list):
        return [_unlisted(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {key: _unlisted(value) for key, value in node.items() if not (key == "enum" and isinstance(value, list))}


def _result_schema(annotation: Any) -> dict[str, Json] | None:
    if annotation is None or annotation is Any:
        return None
    try:
        return _plain_schema(TypeAdapter(annotation).json_schema(mode="serialization"))
    except PydanticUserError as error:
        raise ConfigurationError(f"The return type {annotation!r} has no JSON schema: {error}") from error
