"""One score that a person gave to a turn, as a line of annotations.jsonl."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, ValidationError

from toolgym.sandbox.kit.errors import BadInput, in_words
from toolgym.sandbox.kit.message import Frozen, Message
from toolgym.sandbox.kit.text import Text
from toolgym.sandbox.runtime.trajectory import Turn

FORMAT: Literal[1] = 1
"""Number of the line's format."""
_LONGEST_NAME, _LONGEST_REASON = 60, 2000

Score = Literal[-1, 0, 1]
Place = tuple[str, int, int]
"""Task id, trial and turn."""


def _name(given: str) -> str:
    name = " ".join(unicodedata.normalize("NFC", given).split())
    if not name or len(name) > _LONGEST_NAME or not name.isprintable():
        raise ValueError(f"a name has 1 to {_LONGEST_NAME} letters, figures or signs that can be printed")
    return name


Annotator = Annotated[Text, AfterValidator(_name)]
"""A person's name, its spaces made single."""


class Annotation(Frozen):
    """What one person said of one turn, once.

    Attributes:
        format: number of this format.
        run: the name of the run's folder.
        task, trial, turn: the turn, counted from 0.
        annotator: who said it.
        score: as a judge's (`toolgym.judge.scoring.reward.TurnScores`); None takes back what the same person said
            before.
        reason: in the annotator's words; may be empty.
        blind: whether the annotator had not been shown what judges and others say of the turn.
        time: when, in UTC (ISO 8601).
        digest: of the turn's text (`digest_of`), so that a score of another text is noticed.
    """

    format: Literal[1] = FORMAT
    run: Text
    task: Text
    trial: int = Field(ge=0)
    turn: int = Field(ge=0)
    annotator: Annotator
    score: Score | None
    reason: Annotated[Text, Field(max_length=_LONGEST_REASON)] = ""
    blind: bool = True
    time: str = Field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    digest: str

    @property
    def place(self) -> Place:
        """Which turn."""
        return self.task, self.trial, self.turn

    def to_line(self) -> str:
        """The line, without its end."""
        return json.dumps(self.model_dump(), ensure_ascii=False)


def named(given: str) -> str:
    """An annotator's name as it is kept.

    Raises:
        BadInput: it is none.
    """
    try:
        return _name(given)
    except ValueError as error:
        raise BadInput(f"{given!r} is no annotator's name: {error}.") from None


def parse(line: str, where: str) -> Annotation:
    """The annotation of a line.

    Raises:
        BadInput: it is none; the sentence begins with `where`.
    """
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        raise BadInput(f"{where} is no annotation: it is not JSON.") from None
    number = record.get("format") if isinstance(record, dict) else None
    if isinstance(number, int) and number > FORMAT:
        raise BadInput(f"{where} has format {number}, which a newer toolgym wrote; this one reads {FORMAT}.")
    try:
        return Annotation.model_validate(record)
    except ValidationError as error:
        first = error.errors()[0]
        what = ".".join(map(str, first["loc"])) or "the line"
        raise BadInput(f"{where} is no annotation: {what}: {in_words(first)}.") from None


def digest_of(turn: Turn) -> str:
    """A digest of what was thought, said, called and returned in a turn; ids of calls and recordings make no part."""
    shown = [[turn.unread], *(_shown(message) for message in (turn.action, *turn.feedback))]
    return hashlib.sha256(json.dumps(shown, sort_keys=True).encode()).hexdigest()[:16]


def _shown(message: Message) -> list[object]:
    calls = [[call.name, call.arguments, call.by] for call in message.tool_calls]
    return [message.role, message.content or "", message.reasoning or "", message.name or "", calls]
