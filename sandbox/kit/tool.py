"""A tool: an ordinary typed function whose signature and docstring give its schema and its argument checks, once.

The same `Tool` serves REST, MCP, OpenAI function calling and prompts. Running a tool inside a session is
`sandbox.runtime.session`'s job.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Literal, cast, get_args, get_type_hints

from docstring_parser import parse as parse_docstring
from pydantic import BaseModel, ConfigDict, Field, PydanticUserError, TypeAdapter, ValidationError, create_model
from pydantic_core import ErrorDetails

from sandbox.kit.database import Database
from sandbox.kit.errors import ConfigurationError, Refusal, nearest, unknown
from sandbox.kit.message import Json
from sandbox.kit.text import is_plain

Kind = Literal["read", "write", "neutral"]
MAX_ARGUMENT_BYTES = 100_000


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


class Tool:
    """A typed function of a session's database.

    Attributes:
        name: the function's name.
        kind: `read`, `write`, or `neutral` (touches no row).
        ends_episode: a successful call hands the conversation over and ends it.
        description: the docstring without its argument section.
        parameters: JSON Schema of the arguments, references resolved.
        returns: JSON Schema of the result, or None when the return type is not annotated precisely.
        function: the function itself; the first parameter is the database.
    """

    def __init__(self, function: Callable[..., Any], kind: Kind, *, ends_episode: bool = False) -> None:
        self.function = function
        self.name = function.__name__
        self.kind: Kind = kind
        self.ends_episode = ends_episode
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
        fields: dict[str, Any] = {}
        for name, parameter in list(inspect.signature(function).parameters.items())[1:]:
            default = ... if parameter.default is inspect.Parameter.empty else parameter.default
            fields[name] = (hints[name], Field(default, description=about.get(name)))
        config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)
        self._arguments: type[BaseModel] = create_model(self.name, __config__=config, **fields)
        self.parameters = _plain_schema(self._arguments.model_json_schema())
        self.returns = _result_schema(hints.get("return"))

    def __call__(self, database: Database, **arguments: Any) -> Any:
        """Run the bare function: for a domain's own tests and for tools that build on one another."""
        return self.function(database, **arguments)

    def __repr__(self) -> str:
        return f"Tool({self.name}, {self.kind})"

    @property
    def summary(self) -> str:
        """The first line of the description."""
        return self.description.split("\n", 1)[0]

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
            if _too_large(value):
                raise Refusal("invalid_arguments", f"{self.name}: {name} holds a number that is too large.")
        return values

    def _explain(self, problems: Sequence[ErrorDetails]) -> str:
        sentences = []
        for problem in problems:
            sentence = _sentence(problem, list(self.parameters["properties"]))
            if sentence not in sentences:
                sentences.append(sentence)
        names = ", ".join(self.parameters["properties"]) or "none"
        return f"{self.name}: {'; '.join(sentences)}. Its arguments are: {names}."


def tool(kind: Kind, *, ends_episode: bool = False) -> Callable[[Callable[..., Any]], Tool]:
    """Declare a function as a tool that reads, writes or is neutral.

    Raises:
        BadInput: no such kind.
    """
    if kind not in get_args(Kind):
        raise unknown("tool kind", str(kind), get_args(Kind))
    return lambda function: Tool(function, kind, ends_episode=ends_episode)


class ToolSet(Mapping[str, Tool]):
    """Tools by name, in the order of their definition."""

    def __init__(self, tools: Sequence[Tool] | ModuleType = ()) -> None:
        found = (
            [value for value in vars(tools).values() if isinstance(value, Tool)]
            if isinstance(tools, ModuleType)
            else list(tools)
        )
        self._tools = {entry.name: entry for entry in found}

    def __getitem__(self, name: str) -> Tool:
        return self._tools[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tools)

    def __len__(self) -> int:
        return len(self._tools)

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

    def to_openai(self) -> list[dict[str, Json]]:
        """OpenAI's `tools` list."""
        return [entry.to_openai() for entry in self._tools.values()]


_TYPES = {
    "string_type": "a string",
    "string_unicode": "a string of valid Unicode",
    "int_type": "an integer",
    "int_from_float": "an integer",
    "int_parsing_size": "an integer of ordinary size",
    "float_type": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
    "dataclass_type": "an object",
    "none_required": "null",
}


def _sentence(problem: ErrorDetails, known: Sequence[str]) -> str:
    kind, context = problem["type"], problem.get("ctx", {})
    argument = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in problem["loc"]).lstrip(".")
    if kind == "missing":
        return f"{argument} is missing"
    if kind == "extra_forbidden":
        close = nearest(argument, known)
        return f"{argument} is not an argument" + (f" (did you mean {close}?)" if close else "")
    if kind == "json_invalid":
        return "the arguments are not valid JSON"
    if not argument:
        return "the arguments must be a JSON object"
    if kind in {"literal_error", "enum"}:
        return f"{argument} must be one of {re.sub(chr(39), chr(34), str(context.get('expected')))}"
    if kind in _TYPES:
        return f"{argument} must be {_TYPES[kind]}"
    if kind in _LIMITS:
        return f"{argument} must be {_LIMITS[kind].format(**context)}"
    return f"{argument} is not of the right type"


_LIMITS = {
    "greater_than": "greater than {gt}",
    "greater_than_equal": "at least {ge}",
    "less_than": "less than {lt}",
    "less_than_equal": "at most {le}",
    "string_pattern_mismatch": "text of the form {pattern}",
    "too_short": "a list of at least {min_length} item(s)",
    "too_long": "a list of at most {max_length} items",
    "string_too_short": "text of at least {min_length} character(s)",
    "string_too_long": "text of at most {max_length} characters",
}


def _too_large(value: Any) -> bool:
    if isinstance(value, str):
        return False
    if isinstance(value, int):
        return not -(2**63) <= value < 2**63
    if isinstance(value, BaseModel):
        return any(_too_large(item) for item in value.__dict__.values())
    if isinstance(value, Mapping):
        return any(_too_large(item) for item in value.values())
    return isinstance(value, list | tuple) and any(_too_large(item) for item in value)


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
        return {key: plain(value, names=key == "properties" and not names) for key, value in kept.items()}

    return cast("dict[str, Json]", plain(schema))


def _result_schema(annotation: Any) -> dict[str, Json] | None:
    if annotation is None or annotation is Any:
        return None
    try:
        return _plain_schema(TypeAdapter(annotation).json_schema(mode="serialization"))
    except PydanticUserError as error:
        raise ConfigurationError(f"The return type {annotation!r} has no JSON schema: {error}") from error
