"""A judge whose answers survive: each is written down as it comes, and taken from there when scoring starts again.

A judge with a language model costs money and minutes. A scoring that is interrupted, or whose endpoint fails half-way,
loses nothing that was answered; what could not be judged is asked again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from toolgym.judge.scoring.reward import Judge, TurnScores
from toolgym.sandbox.kit.errors import writing
from toolgym.sandbox.kit.text import read_lines
from toolgym.sandbox.runtime.trajectory import Trajectory


class KeptAnswers:
    """Turn scores by judge and conversation, in a file of one line each.

    Args:
        path: the file; need not exist.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._scores = dict(_read(path))

    def judge(self, judge: Judge) -> Judge:
        """The same judge, which asks only for what is not in the file."""
        return _KeptJudge(judge, self)

    def get(self, key: str) -> TurnScores | None:
        """The scores under a key."""
        return self._scores.get(key)

    def put(self, key: str, scores: TurnScores) -> None:
        """Write scores down."""
        self._scores[key] = scores
        line = {"key": key, "scores": scores.scores, "reasons": scores.reasons, "judge": scores.source}
        with writing(self._path), self._path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")

    def drop(self) -> None:
        """Remove the file: all is in the scores."""
        self._path.unlink(missing_ok=True)


class _KeptJudge:
    """A judge behind its kept answers."""

    def __init__(self, judge: Judge, answers: KeptAnswers) -> None:
        self._judge, self._answers = judge, answers

    def __getattr__(self, name: str) -> Any:
        return getattr(self._judge, name)

    async def score(self, trajectory: Trajectory) -> TurnScores:
        """The scores; asked for where none are kept."""
        source = str(getattr(self._judge, "source", type(self._judge).__name__))
        key = hashlib.sha256(f"{source}\n{trajectory.to_line()}".encode()).hexdigest()[:32]
        kept = self._answers.get(key)
        if kept is not None:
            return kept
        scores = await self._judge.score(trajectory)
        if scores.scores is not None:
            self._answers.put(key, scores)
        return scores


def _read(path: Path) -> Iterator[tuple[str, TurnScores]]:
    """What the file holds; a line that an interruption cut short is left out."""
    if not path.is_file():
        return
    for _, line in read_lines(path):
        try:
            entry = json.loads(line)
            yield entry["key"], TurnScores(tuple(entry["scores"]), tuple(entry["reasons"]), entry["judge"])
        except (ValueError, KeyError, TypeError):
            continue


def asks_a_model(judge: Judge) -> bool:
    """Whether a judge's answers are worth keeping: those of a model are, those of rules cost nothing."""
    return hasattr(cast(Any, judge), "take_usage")
