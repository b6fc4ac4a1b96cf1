"""Prefiltered patterns match exactly what the plain ones match, and know what every match holds."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator

import pytest
from bank_rows import FILES, FOLDER, Bank

import toolgym.sandbox.language
import toolgym.sandbox.users
from toolgym.sandbox.language.prefilter import Prefiltered


@pytest.mark.parametrize(
    ("pattern", "needs"),
    [
        (r"\bcancel(?:led)?\b|\bends?\b", [{"canc", "end", "ends"}]),
        (r"\b(?:go ahead|proceed)\?", [{"go", "proc"}, {"ahea", "proc"}]),
        (r"\b(?:anything|what) else\b", [{"else"}, {"anyt", "what"}]),
        (r"\b(?:on|in) (?:\w+ )?hold\b", [{"hold"}, {"on", "in"}]),
        (r"(?:can|do)n't\b", [{"t"}]),
        (r"\bre(?:fund|turn)", [{"refu", "retu"}]),
        (r"\ball(?: of)*\b", [{"all"}]),
        (r"\b[mk]b\b", [{"mb", "kb"}]),
        (r"^\W*(?!not )yes\b", [{"yes"}]),
        (r"(?<![-\w])end(?!\w)", [{"end"}]),
    ],
)
def test_every_match_holds_one_of_each_of_these(pattern: str, needs: list[set[str]]) -> None:
    assert sorted(map(sorted, Prefiltered(pattern).needs)) == sorted(map(sorted, needs))


@pytest.mark.parametrize(
    "pattern",
    [r"\w+ing\b", r"\bok", r"ahead", r"\bcancel\b|\bend", r"(?i)\bcancel\b", r"\b(?i:cancel)\b", r"[€£]", ""],
)
def test_nothing_is_known_where_any_word_may_match(pattern: str) -> None:
    assert Prefiltered(pattern).needs == ()


@pytest.mark.parametrize(
    ("pattern", "text", "match"),
    [
        (r"\bsave it\b|\bend\b|\bfriend\b", "my friend ends it, or the end: save it", "friend"),
        (r"\bto go\b|\bto\b|\bgo\b", "ready to go", "to go"),
        (r"\bto\b|\bto go\b|\bgo\b", "ready to go", "to"),
        (r"\b[|)(]\b|(?:a|b)\||\bwell\b", "well, a|b", "well"),
        (r"\bone\b|\btwo\b|\bthree\b", "four", None),
        (rf"^(?:to|to go|go|{'x' * 300})(?: on)?", "to go on", "to"),
        (rf"\b(?:ends?|my end|it|{'x' * 300})(?: well)?\b", "this is my end", "my end"),
        (rf"\b(?:a|b|c|{'x' * 300})+\b", "cab", "cab"),
    ],
)
def test_of_alternatives_the_first_place_wins_and_there_the_first_one(
    pattern: str, text: str, match: str | None
) -> None:
    found, expected = Prefiltered(pattern).search(text), re.search(pattern, text)
    assert (found and found.group()) == (expected and expected.group()) == match


def _sentences() -> Iterator[str]:
    for row in (row for name in FILES for row in Bank(FOLDER, "tuned").rows(name)):
        for value in row.values():
            if isinstance(value, str) and " " in value:
                yield from (value, value.lower())


def _patterns() -> Iterator[tuple[str, Prefiltered]]:
    for room in (toolgym.sandbox.language, toolgym.sandbox.users):
        for module in pkgutil.iter_modules(room.__path__, f"{room.__name__}."):
            for name, value in vars(importlib.import_module(module.name)).items():
                if isinstance(value, Prefiltered):
                    yield f"{module.name}.{name}", value


def test_what_matches_is_the_same() -> None:
    sentences, patterns = list(dict.fromkeys(_sentences())), list(_patterns())
    assert len(sentences) > 1_000 and len(patterns) > 50
    for place, (name, pattern) in enumerate(patterns):
        plain = re.compile(pattern.pattern)
        for text in sentences[place % 200 :: 200]:
            assert [each.span() for each in pattern.finditer(text)] == [each.span() for each in plain.finditer(text)], (
                f"{name}: {text}"
            )
            found, expected = pattern.search(text), plain.search(text)
            assert (found and found.span()) == (expected and expected.span()), f"{name}: {text}"
            found, expected = pattern.match(text), plain.match(text)
            assert (found and found.span()) == (expected and expected.span()), f"{name}: {text}"
            assert pattern.sub("_", text) == plain.sub("_", text), f"{name}: {text}"
