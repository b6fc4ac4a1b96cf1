"""T-Eval's reviews behind the contract of a benchmark: what a tool's response says of the call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from judge.benchmarks.checkout import Checker, Checkout
from judge.benchmarks.contract import Facts, Found, Group, Row, Score
from judge.benchmarks.exchange import OneExchange, answer_of
from sandbox.kit.errors import BadInput, unknown
from sandbox.kit.message import Message
from sandbox.runtime.trajectory import Trajectory

_FILE = "data/review_str_v1.json"
_CATEGORY = "review"
_ROWS = 487
TEVAL = Checkout(
    title="T-Eval",
    variable="TOOLGYM_TEVAL",
    get=(
        "git clone https://github.com/open-compass/T-Eval FOLDER && git -C FOLDER checkout 818d5a7",
        "export TOOLGYM_TEVAL=FOLDER",
    ),
    files=(
        _FILE,
        "teval/schema.py",
        "teval/evaluators/review_evaluator.py",
        "teval/utils/format_load.py",
        "teval/utils/template.py",
    ),
    version="T-Eval 818d5a7 (2024-01-03), data version 1",
    digest="ab13e4710025f441",
)
_ENCODER = "scored by a sentence encoder that is downloaded (all-mpnet-base-v2)"
_LEFT_OUT = {"plan": _ENCODER, "reason": _ENCODER} | dict.fromkeys(
    ("instruct", "retrieve", "understand"), "their files are not read by this adapter"
)


class TEval(OneExchange):
    """The review dimension."""

    name = "teval"
    policy = ""

    def __init__(self) -> None:
        self._checker = Checker("T-Eval", Path(__file__).with_name("serve.py"), TEVAL)

    def facts(self) -> Facts:
        """What it is."""
        source = "github.com/open-compass/T-Eval, commit 818d5a7, the last one with data in the repository"
        return Facts("T-Eval version 1, review", "Apache-2.0", source, TEVAL.get, _LEFT_OUT)

    def find(self) -> Found:
        """What is here."""
        version, digest, known = TEVAL.found()
        count = len(TEVAL.read(_FILE))
        return Found(version, digest, {_CATEGORY: count}, known and count == _ROWS)

    def named(self, category: str) -> Sequence[str]:
        """The one category, or all."""
        if category in _LEFT_OUT:
            raise BadInput(f"{category} of T-Eval is not played: {_LEFT_OUT[category]}.")
        if category not in (_CATEGORY, "all"):
            raise unknown(f"category of {self.name}", category, [_CATEGORY, "all"])
        return (_CATEGORY,)

    def rows(self, category: str) -> Sequence[Row]:
        """The reviews, with the file's own instruction."""
        return [
            Row(
                id=f"review-{key}",
                category=category,
                opening=tuple(_said(raw["origin_prompt"], "user")),
                system="\n".join(message.content or "" for message in _said(raw["origin_prompt"], "system")),
                record=raw,
            )
            for key, raw in TEVAL.read(_FILE).items()
        ]

    def oracle(self, row: Row) -> Sequence[Message]:
        """The right letter."""
        return [Message(role="assistant", content=f"Answer: {row.record['ground_truth']['answer']}")]

    def score(self, row: Row, trajectory: Trajectory) -> Score:
        """What its evaluator says."""
        answer = answer_of(trajectory)
        return self.score_text(row, (answer.content if answer else "") or "")

    def score_text(self, row: Row, text: str) -> Score:
        """What its evaluator says of a model's text."""
        said = self._checker.ask("score", rows={row.id: {**row.record, "prediction": text}})
        if said["review_quality"] == 1.0:
            return Score(1.0)
        why = "wrong" if said["parse_rate"] else "no_letter"
        return Score(0.0, why, f"Right is {row.record['ground_truth']['answer']}.")

    def groups(self, values: Mapping[str, tuple[float, int]]) -> Sequence[Group]:
        """None: the overall score is the mean of six dimensions."""
        return ()

    def close(self) -> None:
        """End its process."""
        self._checker.close()


def _said(prompt: Sequence[Mapping[str, str]], role: str) -> list[Message]:
    return [Message(role="user", content=each["content"]) for each in prompt if each["role"] == role]
