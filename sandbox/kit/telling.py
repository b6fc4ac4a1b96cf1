"""What an agent must tell its user: a text with what it means, so that it is found by meaning and not by characters."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import core_schema

from toolgym.sandbox.kit.text import Json, Kept, Text, escaped

TellingKind = Literal[
    "number", "money", "date", "time", "moment", "duration", "identifier", "term", "flag", "refusal", "reason"
]
"""A value of a sort, that something is not possible (refusal), or why (reason)."""


class Telling(str):
    """The text of something that must be told, `|` between its wordings, the plainest first; and what it means.

    Attributes:
        kind: what it is; None where only the form of the text tells.
        value: cents for money, minutes for a duration, ISO text for a date, a time or a moment; None without a kind.
        near: its unit or its thing, one of which stands with it, so that an 8 elsewhere is not this 8.
        rule: of a reason, the name of the broken rule.
    """

    kind: TellingKind | None
    value: Json
    near: tuple[str, ...]
    rule: str

    def __new__(
        cls,
        text: str,
        kind: TellingKind | None = None,
        value: Json = None,
        near: tuple[str, ...] = (),
        rule: str = "",
    ) -> Telling:
        """A text, typed or not."""
        made = super().__new__(cls, text)
        made.kind, made.value, made.near, made.rule = kind, value, near, rule
        return made

    @property
    def wordings(self) -> list[str]:
        """The ways to say it."""
        return self.split("|")

    @classmethod
    def of(cls, text: str) -> Telling:
        """A text as a telling, whether or not it says what it is."""
        return text if isinstance(text, Telling) else cls(text)


class _Written(BaseModel):
    """A telling in a file; one that says no more than its text is written as that text."""

    model_config = ConfigDict(extra="forbid")

    text: Text
    kind: TellingKind | None = None
    value: Kept = None
    near: tuple[Text, ...] = ()
    rule: Text = ""


class _Record:
    """How pydantic reads and writes a telling."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(
            _read, serialization=core_schema.plain_serializer_function_ser_schema(_write)
        )

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {"anyOf": [{"type": "string"}, _Written.model_json_schema()]}


Told = Annotated[str, _Record()]
"""A text that must be told, in a record; read as a `Telling`."""


def _read(given: Any) -> Telling:
    if isinstance(given, Telling):
        return given
    if isinstance(given, str):
        return Telling(escaped(given))
    return Telling(**_Written.model_validate(given).model_dump())


def _write(told: str) -> Any:
    if not isinstance(told, Telling) or told.kind is None:
        return str(told)
    written = {"text": str(told), "kind": told.kind, "value": told.value, "near": list(told.near), "rule": told.rule}
    return {name: value for name, value in written.items() if value not in (None, "", [])}
