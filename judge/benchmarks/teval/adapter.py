"""T-Eval's rows and its own evaluators behind the contract of a benchmark."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from toolgym.judge.benchmarks.checkout import Checker, Checkout, named_by_git
from toolgym.judge.benchmarks.contract import Facts, Found, Group, Row, Score
from toolgym.judge.benchmarks.exchange import OneExchange, answer_of
from toolgym.judge.benchmarks.teval.parts import DIMENSIONS, PARTS, PUBLISHED, said
from toolgym.sandbox.kit.errors import ConfigurationError, unknown
from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.runtime.trajectory import Trajectory

_EVALUATORS = ("instruct", "planning", "reason_retrieve_understand", "review")
TEVAL = Checkout(
    title="T-Eval",
    variable="TOOLGYM_TEVAL",
    get=(
        "git clone https://github.com/open-compass/T-Eval FOLDER && git -C FOLDER checkout 818d5a7",
        "export TOOLGYM_TEVAL=FOLDER",
    ),
    files=(
        PARTS["review"].file,
        "teval/schema.py",
        *(f"teval/evaluators/{name}_evaluator.py" for name in _EVALUATORS),
        "teval/utils/format_load.py",
        "teval/utils/template.py",
    ),
    version="T-Eval 818d5a7 (2024-01-03), data version 1",
    digest="c6ebd57846646f87",
)
ENCODER = Checkout(
    title="The sentence encoder of T-Eval (all-mpnet-base-v2)",
    variable="TOOLGYM_TEVAL_ENCODER",
    get=(
        "pip install sentence-transformers",
        "export TOOLGYM_TEVAL_ENCODER=FOLDER3        # all-mpnet-base-v2 as sentence-transformers keeps it",
    ),
    files=("modules.json", "config.json"),
    version="",
    digest="",
)


class TEval(OneExchange):
    """Its six dimensions, as far as their files and the encoder are here."""

    name = "teval"
    policy = ""

    def __init__(self) -> None:
        program = Path(__file__).with_name("serve.py")
        self._checker = Checker("T-Eval", program, TEVAL)
        self._encoding = Checker("T-Eval", program, TEVAL, ENCODER)

    def facts(self) -> Facts:
        """What it is."""
        left_out = {
            "plan, reason and understand without a sentence encoder": f"{ENCODER.variable} names its folder",
            "version 2 of its data": "not in the repository",
        }
        source = "github.com/open-compass/T-Eval, commit 818d5a7, the last one with data in the repository"
        return Facts("T-Eval version 1", "Apache-2.0", source, (*TEVAL.get, *ENCODER.get), left_out)

    def find(self) -> Found:
        """What is here: the parts whose files are, and those that an encoder scores where there is one."""
        version, digest, known = TEVAL.found()
        names = {file: named_by_git(TEVAL.folder() / file) for file in sorted({PARTS[name].file for name in _here()})}
        data = hashlib.sha256(repr(sorted(names.items())).encode()).hexdigest()[:8]
        known = known and all(PUBLISHED[file] == name for file, name in names.items())
        rows = {name: len(PARTS[name].rows(TEVAL.read(PARTS[name].file))) for name in _here()}
        encoder = f"-{ENCODER.found()[1][:8]}" if _encoder() else ""
        return Found(version if known else "unknown version", f"{digest}-{data}{encoder}", rows, known)

    def named(self, category: str) -> Sequence[str]:
        """A part; a dimension: its parts; all: what is here.

        Raises:
            ConfigurationError: its file or its encoder is not here.
        """
        if category == "all":
            return _here()
        found = tuple(name for name, part in PARTS.items() if category in (name, part.dimension))
        if not found:
            raise unknown(f"category of {self.name}", category, [*PARTS, *DIMENSIONS, "all"])
        for name in found:
            if not (TEVAL.folder() / PARTS[name].file).is_file():
                how = "\n".join(f"  {line}" for line in TEVAL.get)
                raise ConfigurationError(f"{TEVAL.folder()} lacks {PARTS[name].file} of T-Eval. Do:\n{how}")
            if PARTS[name].encoded:
                ENCODER.folder()
        return found

    def rows(self, category: str) -> Sequence[Row]:
        """A part's rows, with the file's own instructions."""
        part = PARTS[category]
        return [
            Row(
                id=f"{category}-{key}",
                category=category,
                opening=tuple(
                    Message(role="assistant" if each["role"] == "assistant" else "user", content=each["content"])
                    for each in raw["origin_prompt"]
                    if each["role"] != "system"
                ),
                system="\n".join(said(raw["origin_prompt"], "system")),
                record=raw,
            )
            for key, raw in part.rows(TEVAL.read(part.file)).items()
        ]

    def oracle(self, row: Row) -> Sequence[Message]:
        """The right answer."""
        return [Message(role="assistant", content=PARTS[row.category].right(row.record))]

    def score(self, row: Row, trajectory: Trajectory) -> Score:
        """What its evaluator says."""
        answer = answer_of(trajectory)
        return self.score_text(row, (answer.content if answer else "") or "")

    def score_text(self, row: Row, text: str) -> Score:
        """What its evaluator says of an agent's text: the dimension's measure."""
        part = PARTS[row.category]
        rows = {row.id: {**row.record, "prediction": text}}
        checker = self._encoding if part.encoded else self._checker
        found = checker.ask("score", dimension=part.dimension, form=part.form, rows=rows)
        value = min(1.0, found["value"])
        if value >= _WHOLE:
            return Score(1.0)
        why = "unreadable" if not found["read"] else "wrong"
        return Score(value, why, f"Right is {part.right(row.record)}")

    def groups(self, values: Mapping[str, tuple[float, int]]) -> Sequence[Group]:
        """Its table: every dimension, and their mean."""
        found = [Group(name, _mean(values, _parts(name)), " and ".join(_parts(name))) for name in DIMENSIONS]
        known = [group.value for group in found if group.value is not None]
        whole = sum(known) / len(known) if len(known) == len(DIMENSIONS) else None
        return [*found, Group("overall", whole, "mean of the six dimensions")]

    def close(self) -> None:
        """End its processes."""
        self._checker.close()
        self._encoding.close()


_WHOLE = 1 - 1e-6
"""A similarity that is 1 but for the rounding of its 32 bits."""


def _encoder() -> bool:
    return bool(os.environ.get(ENCODER.variable))


def _here() -> tuple[str, ...]:
    folder = TEVAL.folder()
    return tuple(
        name for name, part in PARTS.items() if (folder / part.file).is_file() and (_encoder() or not part.encoded)
    )


def _parts(dimension: str) -> list[str]:
    return [name for name, part in PARTS.items() if part.dimension == dimension]


def _mean(values: Mapping[str, tuple[float, int]], names: Sequence[str]) -> float | None:
    known = [values[name][0] for name in names if name in values]
    return sum(known) / len(known) if len(known) == len(names) else None
