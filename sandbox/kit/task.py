"""A task: what the user wants and knows, what a correct run writes, and what must be communicated.

Pure data. Generating tasks belongs to a domain's `tasks.py`, proving them sound to
`toolgym.sandbox.synthesis.proof.lint`.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError, model_validator

from toolgym.sandbox.kit import format_1
from toolgym.sandbox.kit.errors import BadInput, first_invalid, writing
from toolgym.sandbox.kit.message import Frozen, Returns, ToolCall
from toolgym.sandbox.kit.notebook import counted, html_table
from toolgym.sandbox.kit.telling import Told
from toolgym.sandbox.kit.text import Fields, Kept, Text

Difficulty = Literal["simple", "standard", "hard"]
Outcome = Literal["done", "answered", "refused", "transferred"]
OWN, UNSEEN = "own", "unseen"
"""The rows of our own worlds: those of training, and those in which dev and test play from version 2 on."""
LATER = ("v2", "v3")
"""The bodies of data that are later versions of a world's own tasks, and their folders in `splits`."""
UNREAD = ("v3",)
"""Of these, those whose tasks nobody has read yet who did not write them: they are played where they are named."""
Interaction = Literal["dialogue", "solo", "program"]
"""A user and an agent; a ticket that the agent works on alone; one structured answer whose calls use results."""
Information = Literal["complete", "withheld", "described"]
"""What the user's first words hold: everything, all but what must be asked for, or a description instead of a name."""


class Fact(Frozen):
    """Something the user knows.

    Attributes:
        name: what it is, e.g. `email`, `zip`, `order_id`; the vocabulary is the domain's.
        value: the fact itself.
        on_request: told only when asked.
        kind: what sort of value it is, such as `money` or `reference`; None where nobody said.
        words: how the user says it; empty where it is said as it is written.
        described: the user knows it by these words alone: the value, such as a key, has to be looked up.
        known_by: the columns that the description speaks of, with their values.
        meant: what the words come to once it is looked up, where they have a detail wrong or leave it to a rule.

    Examples:
        >>> from toolgym.kit import Fact
        >>> fact = Fact(name="email", value="ada@example.com", on_request=True)
        >>> fact.value
        'ada@example.com'
    """

    name: Text
    value: Kept
    on_request: bool = False
    kind: Text | None = None
    words: Text = ""
    described: bool = False
    known_by: Fields = {}
    meant: Text = Field(default="", exclude_if=lambda meant: not meant)


class Goal(Frozen):
    """One wish of the user.

    Attributes:
        kind: the domain's name for this sort of wish (usually the write tool it needs, or `ask`).
        utterance: the wish in the user's words, complete but for facts told on request.
        facts: what the user knows about this wish; a proposal that contradicts them is refused. The scenario or
            `utterance` says them as well: a language model or a person who plays the user is told only that.
        calls: the write calls that fulfil it; empty when nothing must be written.
        must_communicate: what the agent must tell, as texts whose wordings `|` separates, with what they mean where it
            is known (see `toolgym.sandbox.kit.telling`).
        outcome: done (written), answered (information), refused (policy forbids it), transferred (to a human).
        fallback: the wish that replaces this one when the agent says that this one is impossible; a wish that has
            calls of its own is possible, and a right run does not come to its `fallback`.
        revised_to: the wish that replaces this one midway, after the agent's first proposal.
    """

    kind: Text
    utterance: Text
    facts: tuple[Fact, ...] = ()
    calls: tuple[ToolCall, ...] = ()
    must_communicate: tuple[Told, ...] = ()
    outcome: Outcome = "done"
    fallback: Goal | None = None
    revised_to: Goal | None = None

    @property
    def final(self) -> Goal:
        """The wish that a right run ends with, once replacements are followed."""
        following = self.revised_to or (None if self.calls else self.fallback)
        return self if following is None else following.final

    def every(self) -> Iterator[Goal]:
        """This wish and all that may come to replace it, each before its own replacements."""
        yield self
        for following in (self.fallback, self.revised_to):
            if following is not None:
                yield from following.every()


class Assertion(Frozen):
    """A statement about the world's end state: a domain's assertion function, its arguments, the expected truth."""

    name: Text
    arguments: Fields = {}
    expected: bool = True


class Answer(Frozen):
    """What a program that writes nothing has to come to.

    Attributes:
        values: what the results that are the answer hold, one each, in any order. Of an object only the named fields
            are compared; numbers are equal whatever their type, lists in any order.
        ordered: lists are equal only in the same order.
    """

    values: tuple[Kept, ...] = ()
    ordered: bool = False


class Task(Frozen):
    """What one episode is about.

    A record without a number, or with 1, is read as format 1, which had other names for some fields.

    Attributes:
        format_version: number of this format.
        id: unique within its domain and data.
        domain: the domain's name.
        data: in whose rows the task plays: `own`, `unseen`, or an imported benchmark's name.
        split: train, dev, test, or an imported benchmark's split.
        family: the sort of task, e.g. `cancel`, `conditional`, `forbidden`.
        difficulty: how plainly the scenario says what to do (TARL's simplified, plain and rewritten instructions).
        depth: the longest chain of calls in which each needs an earlier one's result (TIER).
        structure: the shape of the needed calls, e.g. `single`, `chain`, `parallel`, `mixed`.
        scenario: the user's situation in natural language, for LLM and human users.
        persona: how the user talks.
        facts: what the user knows about themselves (identity first).
        goals: the user's wishes in order.
        setup: calls of the domain's world tools that prepare the database before the first message.
        gold: every call of a correct run, reads included, in a possible order.
        communicate: what the agent must tell in all, as in `Goal.must_communicate`.
        assertions: statements about the end state, where the domain judges by them.
        ticket: the whole problem in words, for an agent that works without a user.
        seed: seeds the session's ids and the scripted user's wording.
        interaction: what the task is made for.
        information: how the user puts the wish; None where nobody said.
        tools: names of the agent's tools that are offered; None for all. A tool that is not offered does not exist for
            the agent; the user's own tools are never held back.
        strip_enums: the offered schemas do not list the values of a choice; calls are checked as ever.
        distractors: tools of other worlds that the agent is offered as well, as `world.tool`. They are live, and what
            one writes is damage.
        now: the frozen clock of this task; None for the world's.
        owner: key of the session's owner, where a world's rows have owners; None where they have none.
        free: columns, as `table.column`, whose end value the wish leaves open: any value is right.
        mentions: what the text in such a column must mention, by `table.column`; `|` separates spellings.
        alternatives: the write calls of other runs that are just as right: an episode may end as one of them does.
        answer: what a program that answers this task comes to; None where what is written decides.
        returns: the gold calls are a program as it stands, with references, and this of it is the answer (see
            `Message.returns`); None where references follow from what the calls come to.
        metadata: fields of an imported task that toolgym does not use.

    Examples:
        >>> from toolgym import Session, Task, ToolCall
        >>> gold = ToolCall(name="reserve_ticket", arguments={"ticket_id": "T102", "holder": "Ada Moreau"})
        >>> task = Task(id="mine-1", domain="kiosk", ticket="Book T102 for Ada Moreau.", gold=(gold,))
        >>> Session("kiosk", task=task).call(gold.name, gold.arguments).ok
        True
    """

    format_version: Literal[2] = format_1.TASK
    id: Text
    domain: Text
    data: Text = "own"
    split: Text = "train"
    family: Text = ""
    difficulty: Difficulty = "standard"
    depth: int = 0
    structure: Text = "single"
    scenario: Text = ""
    persona: Text = ""
    facts: tuple[Fact, ...] = ()
    goals: tuple[Goal, ...] = ()
    setup: tuple[ToolCall, ...] = ()
    gold: tuple[ToolCall, ...] = ()
    communicate: tuple[Told, ...] = ()
    assertions: tuple[Assertion, ...] = ()
    ticket: Text | None = None
    seed: int = 0
    interaction: Interaction = "dialogue"
    information: Information | None = None
    tools: tuple[Text, ...] | None = None
    strip_enums: bool = False
    distractors: tuple[Text, ...] = ()
    now: datetime | None = None
    owner: Kept = None
    free: tuple[Text, ...] = ()
    mentions: Fields = {}
    alternatives: tuple[tuple[ToolCall, ...], ...] = ()
    answer: Answer | None = Field(default=None, exclude_if=lambda answer: answer is None)
    returns: Returns | None = Field(default=None, exclude_if=lambda returns: returns is None)
    metadata: Fields = {}

    @model_validator(mode="before")
    @classmethod
    def _of_any_format(cls, record: Any) -> Any:
        return format_1.read_task(record)

    def __repr__(self) -> str:
        wishes, calls = counted(len(self.goals), "goal"), counted(len(self.gold), "gold call")
        return f"<Task {self.id} of {self.domain}: {wishes}, {calls}>"

    def __str__(self) -> str:
        return repr(self)

    def _repr_html_(self) -> str:
        """What a notebook shows: the wishes and the gold calls."""
        wished = [(goal.kind, goal.utterance) for goal in self.goals]
        ticket = [("ticket", self.ticket)] if self.ticket and not wished else []
        gold = [("gold call", f"{call.name}({call.arguments_text()})") for call in self.gold]
        return html_table(repr(self), ("part", "text"), [*wished, *ticket, *gold])

    @property
    def is_own(self) -> bool:
        """Whether it is one of our worlds' own, and not of an imported benchmark."""
        return self.data in (OWN, UNSEEN)

    def every_goal(self) -> Iterator[Goal]:
        """The wishes in order, each followed by those that may come to replace it."""
        for goal in self.goals:
            yield from goal.every()


def write_tasks(path: Path, tasks: Iterable[Task]) -> None:
    """Write tasks to a file, one JSON object per line, compressed when its name ends in `.gz`.

    The same tasks give the same bytes, compressed or not.
    """
    content = b"".join(task.model_dump_json().encode() + b"\n" for task in tasks)
    with writing(path):
        path.write_bytes(gzip.compress(content, mtime=0) if path.suffix == ".gz" else content)


def read_tasks(path: Path) -> list[Task]:
    """The tasks of a file written by `write_tasks`.

    Raises:
        BadInput: there is no such file, it is damaged or empty, or a line of it is no task or an incomplete one.
    """
    if not path.is_file():
        raise BadInput(f"There is no task file {path}; `toolgym tasks generate` writes one.")
    try:
        content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise BadInput(f"{path} ends in .gz and is not a whole gzip file; write or copy it again.") from None
    lines = ((number, line) for number, line in enumerate(content.splitlines(), start=1) if line.strip())
    tasks = [_read(path, number, line) for number, line in lines]
    if not tasks:
        raise BadInput(f"{path} holds no task; `toolgym tasks generate` writes some.")
    return tasks


def _read(path: Path, number: int, line: bytes) -> Task:
    try:
        task = Task.model_validate_json(line)
    except ValidationError as error:
        raise BadInput(f"{path}, line {number} is not a task: {first_invalid(error).sentence}.") from None
    missing = _missing(task)
    if missing:
        raise BadInput(f"{path}, line {number} is not a whole task: {' and '.join(missing)}.")
    return task


def _missing(task: Task) -> list[str]:
    """What a task lacks to be played and judged; without it an agent that does nothing would pass."""
    wish = bool(task.goals or task.ticket)
    found = [] if wish else ["`goals` is missing (what the user wants; `ticket` for solo work)"]
    if not (task.gold or task.communicate or task.assertions or task.answer):
        found.append(
            "what a right run comes to is missing (`gold` calls, texts to `communicate`, `assertions` or an `answer`)"
        )
    return found
