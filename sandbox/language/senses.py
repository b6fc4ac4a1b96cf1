"""What sorts of sentences an agent's are, learnt from the bank's: a refusal, a request for leave, a promise, a failure.

Each sense is a linear classifier (logistic regression, few weights that are not 0) of a sentence's words and their
neighbours. The weights in `senses.json` are all of English that it knows: what is misread becomes a labelled sentence
of the bank and no pattern, and `benchmarks/senses.py` fits them anew.
"""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Literal

Sense = Literal[
    "agreement", "request", "further", "handover", "patience", "refusal", "in_person", "other", "detail",
    "offer", "condition", "negative", "promise", "on_the_way", "so_far", "order", "turned_down", "at_work", "open",
    "data", "wish", "identifies", "memory", "second", "suggestion", "either", "choice", "yes", "no", "handed",
    "looking", "suggests", "tells_done", "tells_failed", "tells_coming", "tells_seems", "tells_said", "tells_nothing",
    "tells_surely", "because_anothers", "because_processed", "because_not_arrived", "because_none_left",
    "because_limit", "because_too_new", "because_too_late", "because_money", "because_small", "because_organiser",
    "because_begun", "because_taken", "because_hours", "because_rights", "because_group", "because_trip",
    "because_no_case", "because_year", "because_dormant", "because_cut_off", "because_blocked", "because_contract",
    "because_overdue", "because_not_active", "because_reason", "because_same_product", "because_original",
    "because_once",
]  # fmt: skip
"""What a sentence may do; several at once. `benchmarks/senses.py` says what each is."""
_TOKEN = re.compile(r"[a-z]+(?:'[a-z]+)*|#?[a-z]*[-_]?\d[\w.,:@/-]*|[?!:;,.]|[^\sa-z]")
_STEM = 4
"""Letters of a word that has no ending."""
_PART = re.compile(r"(?<=[.!?])\s+")


def features(sentence: str) -> set[str]:
    """A sentence's words, those that stand beside or near one another, and the endings of those; a figure is `0`."""
    found = _TOKEN.findall(sentence)
    words = ["^", *("0" if any(map(str.isdigit, word)) else word for word in found), "$"]
    ends = [f"-{word[-2:]}" if len(word) > _STEM and word.isalpha() and word[0] != "x" else word for word in words]
    near = {
        " ".join(some) for run in (words, ends) for some in (*pairwise(run), *zip(run, run[1:], run[2:], strict=False))
    }
    near |= {f"{one} _ {two}" for one, two in zip(words, words[2:], strict=False)}
    near |= {f"{one} __ {two}" for one, two in zip(words, words[3:], strict=False)}
    return near | set(words)


def has(sense: Sense, text: str) -> bool:
    """Whether a sentence of a text, in lower case with straight quotes, has a sense."""
    return sense in _senses_of(text)


@lru_cache(maxsize=8192)
def likeliest(among: tuple[Sense, ...], sentence: str) -> Sense:
    """Of senses of which a sentence has one, the one that it has most likely."""
    scores = _scores(sentence)
    return max(among, key=lambda sense: scores[sense])


@lru_cache(maxsize=8192)
def _senses_of(text: str) -> frozenset[str]:
    parts = _PART.split(text)
    return _of_sentence(text) if len(parts) == 1 else frozenset().union(*map(_senses_of, parts))


def _of_sentence(sentence: str) -> frozenset[str]:
    return frozenset(name for name, total in _scores(sentence).items() if total > 0)


def _scores(sentence: str) -> dict[str, int]:
    names, constants, weights = _learnt()
    sums = list(constants)
    for feature in features(sentence):
        for place, weight in weights.get(feature, ()):
            sums[place] += weight
    return dict(zip(names, sums, strict=True))


@cache
def _learnt() -> tuple[list[str], list[int], dict[str, tuple[tuple[int, int], ...]]]:
    """The senses, their constants, and the weights of each feature, in hundredths."""
    stored = json.loads((Path(__file__).with_suffix(".json")).read_text(encoding="utf-8"))
    weights: dict[str, list[tuple[int, int]]] = {}
    for place, sense in enumerate(stored.values()):
        for feature, weight in sense.items():
            weights.setdefault(feature, []).append((place, weight))
    held = {feature: tuple(each) for feature, each in weights.items()}  # nothing that the garbage collector looks at
    return list(stored), [sense.get("", 0) for sense in stored.values()], held
