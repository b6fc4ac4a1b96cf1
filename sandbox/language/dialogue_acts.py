"""What an agent's message does: what it asks, whether it wants agreement, what it reports, refuses, hands over.

Patterns of plain English, sentence by sentence; nothing here knows a world, a task or where the conversation stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from toolgym.sandbox.language.questions import is_question, keys_asked, opens_question
from toolgym.sandbox.language.refusals import answers_itself, denies, refuses
from toolgym.sandbox.language.reports import is_report, settles
from toolgym.sandbox.language.senses import has
from toolgym.sandbox.language.tokens import plain_marks

Act = Literal["ask", "agree", "refuse", "more", "tell"]

_SENTENCE = re.compile(
    r"[.!?✅✔☑🎉…]"
    r"(?<!\bincl\.)(?<!\bexcl\.)(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bapprox\.)(?<!\bmr\.)(?<!\bms\.)(?<!\bmrs\.)(?<!\bdr\.)"
    r"[\"')\ufe0f]*\s+|\?,\s+"
)
_BULLET = re.compile(r"\s*(?:[-*•]|\d+[.)]|\|)\s+")
_ASIDE = re.compile(r"\b(?:and|also|with)\b[^.?!]{0,40}?\b((?:which|what) [^.?!]+)")
_AND_YOURS = re.compile(r"^\W*and your (?:[a-z]+ ?){1,3}\W*$")
"""What a question asks for as well, behind its mark."""
_POINTS = re.compile(
    r"^\W*(?:so |and |but )?(?:what|which|whose|who|how much|when)(?: one| of (?:them|these|those|the two))?"
    r"(?: (?:is|are|was|were|would|should|do|did|'s) (?:it|that|this|they|those|we|you|yours)\b[^,;]*)?\?$|"
    r"^\W*(?:so |and )?what(?:'s| is) (?:it|that)(?:,? please)?\?$"
)
"""A question that means something named just before: "Your PIN is needed. What is it?"."""
_SUMMARY = re.compile(r"\b(?:review|check|verify|summary|recap|look over)\b")
"""What announces a list of what will be done, unlike one of what is asked for."""
_MARKS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})
"""Beside those that `plain_marks` knows."""


class Sentence(NamedTuple):
    """A sentence of a message.

    Attributes:
        text: in lower case.
        start, end: where it stands in the message's `plain` text.
        act: what it does; `agree` asks for agreement, `ask` for anything else.
        listed: it stands in a list or a table.
    """

    text: str
    start: int
    end: int
    act: Act
    listed: bool


@dataclass(frozen=True, slots=True)
class AgentAct:
    """An agent's message as anybody understands it.

    Attributes:
        plain: the message without bold marks, quotes straight; positions of sentences refer to it.
        text: the same in lower case.
        sentences: its sentences.
        asked: the text of its requests that ask for no agreement.
        proposal: the text of its requests for agreement; empty when it asks for none.
        refuses: it says that something cannot be done.
        denies: it asks nothing and says something negative, which may be a refusal.
        more: it asks whether there is anything else.
        transfers: it speaks of handing the conversation to a person.
        waits: it asks for patience.
        statements: its sentences that ask nothing.
    """

    plain: str
    text: str
    sentences: tuple[Sentence, ...]
    asked: str
    proposal: str
    refuses: bool
    denies: bool
    more: bool
    transfers: bool
    waits: bool
    statements: tuple[str, ...]

    def reports(
        self,
        done: frozenset[str],
        others: frozenset[str] = frozenset(),
        nouns: frozenset[str] = frozenset(),
        *,
        confirmed: bool,
    ) -> bool:
        """Whether a statement says that something has been done.

        Args:
            done: past forms of the verbs for it, such as "cancelled".
            others: past forms of the verbs for other actions.
            nouns: what it is called, such as "cancellation".
            confirmed: it was agreed to, so that general words ("processed") and new states speak of it as well.
        """
        said = [(each.text, each.act) for each in self.sentences]
        return is_report(said, done, others, nouns, confirmed=confirmed)

    def settles(
        self,
        done: frozenset[str],
        others: frozenset[str],
        nouns: frozenset[str] = frozenset(),
        *,
        whole: bool = False,
    ) -> bool:
        """Whether it says that something has been done that was nearly agreed to.

        Args:
            done, others, nouns: as for `reports`.
            whole: all of it was asked back, so that other words for what is so now do.
        """
        return settles([(each.text, each.act) for each in self.sentences], done, others, nouns, whole=whole)


def _sentences(text: str) -> Iterator[tuple[int, int, bool]]:
    """Where the sentences of a text begin and end, and whether each stands in a list."""
    offset = 0
    for line in text.split("\n"):
        bullet = _BULLET.match(line)
        start = bullet.end() if bullet else 0
        for match in [*_SENTENCE.finditer(line, start), None]:
            end = match.start() + 1 if match else len(line)
            if line[start:end].strip():
                yield offset + start, offset + end, bullet is not None
            start = match.end() if match else start
        offset += len(line) + 1


def _asks_for_data(sentence: str) -> bool:
    """Whether a sentence without a question asks for something other than patience: not "One moment, please"."""
    return has("request", sentence) and (has("data", sentence) or not has("patience", sentence))


@lru_cache(maxsize=4096)
def parse_act(content: str) -> AgentAct:
    """Understand a message."""
    plain = plain_marks(content).translate(_MARKS).replace("**", "")
    text = plain.lower()
    if len(text) != len(plain):  # a few capitals have longer small letters
        plain = text
    sentences: list[Sentence] = []
    asked: list[str] = []
    further = has("further", text)
    listing = False
    for start, end, listed in _sentences(text):
        sentence = text[start:end].strip()
        last = sentences[-1] if sentences else None
        if last and last.act in ("ask", "agree", "tell") and answers_itself(last.text, sentence):
            sentences[-1] = last._replace(act="tell")
            asked = asked[:-1] if last.act == "ask" else asked
            sentences.append(Sentence(sentence, start, end, "refuse", listed))
            continue
        listing = listing and listed
        act: Act = "tell"
        if has("refusal", sentence) and not opens_question(sentence):
            act = "refuse"
        if has("further", sentence):
            act = "more"
        elif not (listing and listed) and has("agreement", sentence):
            act = "agree"
            asked += [*_ASIDE.findall(sentence), *keys_asked(sentence)]
        elif act == "tell" and (
            listing
            or is_question(sentence)
            or _asks_for_data(sentence)
            or (last and last.act == "ask" and _AND_YOURS.match(sentence))
        ):
            act = "ask"
            asked.append(
                f"{last.text} {sentence}"
                if last and last.act in ("tell", "refuse") and _POINTS.match(sentence)
                else sentence
            )
            listing = listing or (sentence.endswith(":") and not _SUMMARY.search(sentence))
        elif act == "refuse" and "?" in sentence:
            asked.append(sentence)
        sentences.append(Sentence(sentence, start, end, act, listed))
    said = [(each.act, each.text) for each in sentences]
    return AgentAct(
        plain=plain,
        text=text,
        sentences=tuple(sentences),
        asked=" ".join(asked),
        proposal=" ".join(each.text for each in sentences if each.act == "agree"),
        refuses=refuses(said),
        denies=denies(said),
        more=further,
        transfers=has("handover", text),
        waits=has("patience", text),
        statements=tuple(each.text for each in sentences if each.act in ("tell", "refuse")),
    )
