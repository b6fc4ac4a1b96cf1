"""Bamboogle: 125 questions whose answers no single page gives, asked without a search engine; scored by exact match.

The benchmark has no checker of its own: its authors count exact matches, ToolRL asks GPT-4o. Here an answer is right
that equals the file's once both are in lower case and without punctuation, articles and further spaces.
"""

from __future__ import annotations

import re
import string
from collections.abc import Mapping, Sequence

from toolgym.judge.benchmarks.checkout import Checkout
from toolgym.judge.benchmarks.contract import Facts, Found, Group, Row, Score
from toolgym.judge.benchmarks.exchange import OneExchange, answer_of
from toolgym.sandbox.kit.errors import unknown
from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.runtime.trajectory import Trajectory

_FILE = "benchmarks/Bamboogle/data.json"
TOOLRL = Checkout(
    title="Bamboogle",
    variable="TOOLGYM_TOOLRL",
    get=(
        "git clone https://github.com/qiancheng0/ToolRL FOLDER && git -C FOLDER checkout 8cee13e",
        "export TOOLGYM_TOOLRL=FOLDER",
    ),
    files=(_FILE,),
    version="ToolRL 8cee13e (2025-10-16)",
    digest="b2ce0239bd96f8b3",
)
_CATEGORY = "closed_book"
_ROWS = 125
_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def plain(text: str) -> str:
    """A text as answers are compared."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


class Bamboogle(OneExchange):
    """The questions, closed-book."""

    name = "bamboogle"
    policy = (
        "Answer the question. Write the answer alone: a name, a number or a few words, without a sentence around it."
    )

    def facts(self) -> Facts:
        """What it is."""
        left_out = {
            "with a search engine": "needs the network",
            "GPT-4o's judgement": "ToolRL's way to score; exact match is stricter",
        }
        source = "github.com/qiancheng0/ToolRL, of github.com/ofirpress/self-ask"
        return Facts("Bamboogle, closed-book", "Apache-2.0 (ToolRL)", source, TOOLRL.get, left_out)

    def find(self) -> Found:
        """What is here."""
        version, digest, known = TOOLRL.found()
        count = len(TOOLRL.read(_FILE))
        return Found(version, digest, {_CATEGORY: count}, known and count == _ROWS)

    def named(self, category: str) -> Sequence[str]:
        """The one category, or all."""
        if category not in (_CATEGORY, "all"):
            raise unknown(f"category of {self.name}", category, [_CATEGORY, "all"])
        return (_CATEGORY,)

    def rows(self, category: str) -> Sequence[Row]:
        """The questions."""
        return [
            Row(
                id=f"bamboogle-{number}",
                category=category,
                opening=(Message(role="user", content=raw["Question"]),),
                record={"answer": str(raw["Answer"])},
            )
            for number, raw in enumerate(TOOLRL.read(_FILE))
        ]

    def oracle(self, row: Row) -> Sequence[Message]:
        """The file's answer."""
        return [Message(role="assistant", content=row.record["answer"])]

    def score(self, row: Row, trajectory: Trajectory) -> Score:
        """1 where the answers are equal."""
        answer = answer_of(trajectory)
        said, right = plain((answer.content if answer else "") or ""), row.record["answer"]
        if said == plain(right):
            return Score(1.0)
        return Score(0.0, "more_words" if plain(right) in said else "wrong", f"Right is {right}.")

    def groups(self, values: Mapping[str, tuple[float, int]]) -> Sequence[Group]:
        """None beside the category."""
        return ()
