"""Annotated turns with their text: what is exported, and what examples for a judge are drawn from.

A line stands for itself: it holds the turn, what came before it and what judges said, so that it can be read without
the run.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from toolgym.judge.annotation import file
from toolgym.judge.annotation.file import Given
from toolgym.judge.annotation.judges import judges_of
from toolgym.judge.annotation.record import FORMAT, Annotation, Score, digest_of
from toolgym.judge.evaluation.run_folder import Key, RunFolder
from toolgym.sandbox.kit.errors import BadInput, in_words
from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.kit.text import Text, read_lines
from toolgym.sandbox.runtime.trajectory import Trajectory

_BEFORE = 4
"""Messages that came before the turn."""
_CELL = 2000
"""Signs of a turn's text in a cell of CSV."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class LabelledTurn(Annotation):
    """An annotation with the turn that it is of.

    Attributes:
        world: the domain.
        situation: of the user.
        judges: what each judge said of the turn.
        before: the last messages before it.
        messages: the agent's, and what came back.
    """

    score: Score
    world: Text
    situation: Text
    judges: dict[str, int]
    before: tuple[Message, ...]
    messages: tuple[Message, ...]

    def to_line(self) -> str:
        """The line, without its end."""
        return self.model_dump_json(exclude_defaults=False)


def labelled(
    given: Given, episode: Callable[[Key], Trajectory], score: Callable[[Key], Mapping[str, Any]]
) -> Iterator[LabelledTurn]:
    """The last score of each annotator for each turn, in order; those of another text than the present one left out.

    Args:
        given: what people said last.
        episode: the record of an episode; BadInput where there is none.
        score: its line of scores.jsonl, empty where there is none.
    """
    for key in dict.fromkeys((task, trial) for task, trial, _ in sorted(given)):
        try:
            trajectory = episode(key)
        except BadInput:
            continue
        turns, judges = trajectory.turns(), judges_of(trajectory, score(key))
        starts = [position for position, message in enumerate(trajectory.messages) if message.role == "assistant"]
        for task, trial, at in sorted(place for place in given if place[:2] == key and place[2] < len(turns)):
            digest = digest_of(turns[at])
            for entry in given[task, trial, at].values():
                if entry.digest == digest:
                    yield LabelledTurn(
                        **entry.model_dump(),
                        world=trajectory.task.domain,
                        situation=trajectory.task.scenario,
                        judges={name: found.scores[at] for name, found in judges.items() if found.scores},
                        before=trajectory.messages[max(0, starts[at] - _BEFORE) : starts[at]],
                        messages=(turns[at].action, *turns[at].feedback),
                    )


def of_run(folder: RunFolder) -> list[LabelledTurn]:
    """The annotated turns of a run.

    Raises:
        BadInput: it has none.
    """
    given = file.latest(file.read(folder.path).entries)
    if not given:
        raise BadInput(f"{folder.path} holds no annotation; score its turns in `toolgym view`, under annotate.")
    keys = {place[:2] for place in given}
    episodes = {key: each for each in folder.trajectories() if (key := (each.task.id, each.trial)) in keys}
    scores = folder.scores()

    def episode(key: Key) -> Trajectory:
        if key not in episodes:
            raise BadInput(f"There is no episode {key[0]}, trial {key[1]} in {folder.path}.")
        return episodes[key]

    return list(labelled(given, episode, lambda key: scores.get(key, {})))


def read(path: Path) -> list[LabelledTurn]:
    """Annotated turns of a run's folder, of its annotations.jsonl, or of an exported file.

    Raises:
        BadInput: there are none, or a line is none.
    """
    folder = RunFolder(path.parent if path.name == file.NAME else path)
    if folder.trajectories_file.is_file():
        return of_run(folder)
    if not path.is_file():
        raise BadInput(f"There is no annotated run and no exported file {path}.")
    found = [_parsed(line, f"{path}, line {number}") for number, line in read_lines(path) if line.strip()]
    if not found:
        raise BadInput(f"{path} holds no annotation.")
    return found


def _parsed(line: str, where: str) -> LabelledTurn:
    try:
        return LabelledTurn.model_validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        what = ".".join(map(str, first["loc"])) or "the line"
        raise BadInput(
            f"{where} is no exported annotation of format {FORMAT} ({what}: {in_words(first)}). The viewer's agreement "
            "page and `toolgym export RUN --to annotations` write such a file; an annotated run's folder does as well."
        ) from None


def to_csv(turns: Sequence[LabelledTurn]) -> str:
    """The turns as a table with a column for each judge.

    A text that a spreadsheet would take for a formula begins with an apostrophe, and long ones are cut: the JSON lines
    have them as they are.
    """
    judges = sorted({name for each in turns for name in each.judges})
    fields = ["run", "task", "trial", "turn", "annotator", "score", "reason", "blind", "time", "digest"]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*fields, *(f"judge {name}" for name in judges), "text"])
    for each in turns:
        own = [getattr(each, name) for name in fields]
        said = [each.judges.get(name, "") for name in judges]
        writer.writerow([*map(_cell, own), *said, _cell(_text(each.messages))])
    return out.getvalue()


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def _text(messages: Iterable[Message]) -> str:
    said = []
    for message in messages:
        calls = [f"{call.name}({call.arguments_text()})" for call in message.tool_calls]
        said.append(f"{message.role}: {' '.join(filter(None, (message.content, *calls)))}")
    return "\n".join(said)[:_CELL]
