"""What sentences do is what was learnt from the bank, and holds for sentences that were not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import pytest
import senses as fitting
from bank_rows import read_lines

from toolgym.sandbox.language import senses
from toolgym.sandbox.language.senses import Sense, has

STORED = Path(senses.__file__).with_suffix(".json")
ROWS = read_lines(fitting.FILE)


@pytest.mark.slow
def test_the_stored_weights_are_those_that_the_sentences_give() -> None:
    learnt = [row for row in ROWS if not row.get("held")]
    weights = {
        sense: held
        for family, meanings in fitting.FAMILIES.items()
        for sense, held in fitting.fit([row for row in learnt if fitting.family(row) == family], meanings).items()
    }
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    assert weights.keys() == stored.keys()
    for sense, held in weights.items():  # another processor may round otherwise
        names = held.keys() | stored[sense].keys()
        assert sum(abs(held.get(name, 0) - stored[sense].get(name, 0)) > 5 for name in names) <= len(names) // 50, sense


def test_each_sense_has_its_meaning_and_its_weights() -> None:
    named = {sense for meanings in fitting.FAMILIES.values() for sense in meanings}
    assert named == set(get_args(Sense)) == set(json.loads(STORED.read_text(encoding="utf-8")))


@pytest.mark.parametrize("family", fitting.FAMILIES)
def test_sentences_that_were_not_learnt_are_read_as_labelled(family: str) -> None:
    held = [row for row in ROWS if row.get("held") and fitting.family(row) == family]
    assert len(held) > 1000
    for sense in fitting.FAMILIES[family]:
        wrong = sum(has(sense, row["says"]) is not (sense in row["senses"]) for row in held)
        assert wrong <= len(held) * (0.03 if family == "message" else 0.12), (sense, wrong, len(held))


@pytest.mark.parametrize(
    ("sense", "text"),
    [
        ("refusal", "i'm afraid i can't cancel an order that has been shipped."),
        ("agreement", "here is what i'd do: cancel order 7 and refund your card. shall i go ahead?"),
        ("further", "it is done. is there anything else?"),
        ("patience", "one moment please."),
        ("tells_done", "your order has been xdone."),
    ],
)
def test_a_sentence_of_a_text_is_enough(sense: Sense, text: str) -> None:
    assert has(sense, text)
    assert not has(sense, "your order number is 7.")
