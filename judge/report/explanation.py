"""Why an episode passed, failed or counts for nothing, in sentences: from the verdict, the violations and the rows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from toolgym.judge.report.end_rows import EndRow
from toolgym.judge.scoring.communication import untold_texts
from toolgym.judge.scoring.conduct.scene import scene_of
from toolgym.judge.scoring.judges.deviation import deviation
from toolgym.judge.scoring.verifier import Basis, Verdict
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.language.text_match import first_wording, mentions
from toolgym.sandbox.runtime.program import answered
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Termination, Trajectory

ENDINGS: Mapping[Termination, str] = {
    "user_stop": "the user ended it",
    "agent_stop": "the agent ended it",
    "transfer": "it was handed over to a human",
    "max_turns": "it was cut off at the limit of turns",
    "max_tokens": "it was cut off at the limit of tokens",
    "max_errors": "it was cut off after too many refused calls or unusable answers",
    "time_limit": "it was cut off at the time limit",
    "infrastructure_error": "something outside the agent broke",
}
_NAMED = 4
"""Rows that a sentence names; the others are counted."""
_NOT_HANDED_OVER = "The customer had to be handed over to a human and was not."
_SHOWN = 60
"""Characters of a value that a sentence quotes."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why an episode came to its result.

    Attributes:
        sentences: the reason first, then what else is to be known.
        turn: the agent's turn that decided it; None where none did.
    """

    sentences: tuple[str, ...]
    turn: int | None = None


def explain(trajectory: Trajectory, verdict: Verdict, basis: Basis, rows: Sequence[EndRow]) -> Explanation:
    """The reason of a result, as a reader of the page wants it.

    Args:
        trajectory: the record, of an episode that infrastructure did not cut.
        verdict: what the verifier found.
        basis: what success compares.
        rows: the end beside a right one.
    """
    if verdict.passed(basis):
        return _of_a_pass(trajectory, verdict)
    decisive = deviation(scene_of(trajectory), verdict) if not verdict.passed() else None
    details = list(_details(trajectory, verdict, basis, rows))
    turn = decisive.turn if decisive is not None else None
    # the judge's sentence on untold things does not say which; the details do
    known = decisive is not None and not decisive.reason.startswith("What had to be communicated")
    details = [detail for detail in details if decisive is None or detail != decisive.reason]
    first = [f"Failed at turn {turn}: {decisive.reason}"] if known and decisive is not None else []
    if not first and details:
        first = [f"Failed{f' at turn {turn}' if turn is not None else ''}: {_small(details.pop(0))}"]
    return Explanation((*(first or ["Failed."]), *details), turn)


def _of_a_pass(trajectory: Trajectory, verdict: Verdict) -> Explanation:
    if verdict.clean:
        return Explanation(("Passed, told everything and broke no rule.",))
    said = [f"Turn {each.turn}: {each.sentence}" for each in verdict.violations]
    said += [] if verdict.told is not False else [*_untold(trajectory)]
    turn = verdict.violations[0].turn if verdict.violations else None
    return Explanation(("Passed, but not clean.", *said), turn)


def _details(trajectory: Trajectory, verdict: Verdict, basis: Basis, rows: Sequence[EndRow]) -> Iterator[str]:
    """Everything that stands against a pass, each in a sentence."""
    if not verdict.orderly:
        yield f"It did not come to its own end: {ENDINGS[trajectory.termination]}."
    if verdict.assertions is False:
        yield from _broken_assertions(trajectory)
    elif verdict.assertions is None and basis == "state" and not verdict.state:
        yield from row_sentences(rows)
    elif verdict.assertions is None and basis == "writes" and not verdict.writes:
        yield "The calls that wrote are not those of a right run" + (", though the rows are." if verdict.state else ".")
    if verdict.handed_over is False:
        yield _NOT_HANDED_OVER
    if verdict.answer is False and not trajectory.by_program:
        yield f"No call of {trajectory.task.gold[-1].name} came to what the task asks for."
    elif verdict.answer is False and trajectory.task.answer is not None:
        given, right = answered(trajectory), trajectory.task.answer.values
        came = "no answer" if given is None else " and ".join(map(_value, given)) or "nothing"
        due = f"the answer is {' and '.join(map(_value, right))}" if right else "nothing had to be looked up"
        yield f"The program came to {came}; {due}."
    if verdict.told is False:
        yield from _untold(trajectory)


def _untold(trajectory: Trajectory) -> Iterator[str]:
    if trajectory.task.is_own:
        missing = untold_texts(scene_of(trajectory).conversation)
    else:
        speech = trajectory.agent_text()
        missing = [f"“{first_wording(text)}”" for text in trajectory.task.communicate if not mentions(text, speech)]
    if missing:
        yield f"The user was not told {', nor '.join(missing)}."


def _broken_assertions(trajectory: Trajectory) -> Iterator[str]:
    task = trajectory.task
    with Session(task.domain, task=task) as session:
        session.replay(trajectory.calls)
        for assertion in task.assertions:
            if not session.holds(assertion):
                arguments = ", ".join(f"{name} {_value(value)}" for name, value in assertion.arguments.items())
                found = "does not hold" if assertion.expected else "holds, and must not"
                yield f"At the end {assertion.name}({arguments}) {found}."
    worlds = {f"{name.partition('.')[0]}." for name in task.distractors}
    for row in trajectory.diff:
        if row.table.startswith(tuple(worlds)):
            yield f"{row.table} {_key(row.key)} of another world was changed."


# --- rows ---


def row_sentences(rows: Sequence[EndRow]) -> list[str]:
    """What is missing, extra and wrong among the rows, each sort in a sentence."""
    wrong = [row for row in rows if row.standing == "wrong"]
    missing = [row for row in rows if row.standing == "missing"]
    extra = [row for row in rows if row.standing == "extra"]
    made = {"inserted": "added", "updated": "changed", "deleted": "deleted"}
    said = [_sentence(wrong, _wrong_row, "; ")]
    for deed, word in made.items():
        said.append(_sentence([row for row in missing if row.due == deed], _named_row, ", ", f"Was not {word}: "))
        said.append(
            _sentence([row for row in extra if row.made == deed], _named_row, ", ", f"Was {word} for nothing: ")
        )
    return [sentence for sentence in said if sentence]


def _sentence(rows: Sequence[EndRow], say: Callable[[EndRow], str], sign: str, start: str = "") -> str:
    if not rows:
        return ""
    said = Counter(map(say, rows))
    named = [name if count == 1 else f"{name} ({count} times)" for name, count in said.items()][:_NAMED]
    more = f"{sign}and {len(said) - _NAMED} more" if len(said) > _NAMED else ""
    return f"{start}{sign.join(named)}{more}."


def _named_row(row: EndRow) -> str:
    cells = [f"{cell.column} {_value(cell.gold)}" for cell in row.cells if row.due == "updated"]
    due = f" ({', '.join(cells[:2])})" if row.standing == "missing" and cells else ""
    # a new row's key is chance, so that the one it would have had says nothing
    return f"{row.table} {_key(row.key or row.gold_key)}{due}" if row.due != "inserted" else f"a row of {row.table}"


def _wrong_row(row: EndRow) -> str:
    name = f"{row.table} {_key(row.key)}"
    if row.made != row.due:
        return f"{name} was {row.made or 'left alone'}, and had to be {row.due or 'left alone'}"
    cells = [cell for cell in row.cells if cell.standing == "wrong"]
    said = [f"{cell.column} is {_value(cell.mine)}, not {_value(cell.gold)}" for cell in cells[:2]]
    more = f" (and {len(cells) - 2} more columns)" if len(cells) > 2 else ""
    return f"{name}: {' and '.join(said)}{more}"


def _key(key: Sequence[Json]) -> str:
    return ", ".join(map(str, key))


def _value(value: Json) -> str:
    text = (
        "empty" if value in (None, "") else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    )
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def _small(sentence: str) -> str:
    """A sentence as it goes on after a colon; names of tables and columns are small already."""
    return sentence[:1].lower() + sentence[1:] if sentence[:2].istitle() or sentence[1:2] == " " else sentence
