"""Math rows: integer answers only, from the generator or a file, and a check that reads a model's answer."""

import json
import re
from pathlib import Path

import pytest

from toolgym.sandbox.kit.errors import BadInput
from toolgym.training.data.maths import GENERATED, math_rows, right


def test_generated_problems_have_integer_answers_and_come_again() -> None:
    rows = math_rows(GENERATED, 30, seed=4)
    assert len(rows) == 30
    assert all(re.fullmatch(r"-?\d+", row["reward_model"]["ground_truth"]) for row in rows)
    assert rows == math_rows(GENERATED, 30, seed=4)
    assert rows[0]["prompt"] != math_rows(GENERATED, 1, seed=5)[0]["prompt"]
    assert {row["agent_name"] for row in rows} == {"toolgym_math"}


@pytest.mark.parametrize("lines", [False, True])
def test_a_file_in_deepscalers_form_is_filtered_for_integers(tmp_path: Path, lines: bool) -> None:
    records = [
        {"problem": "1 + 1?", "answer": "2", "solution": "two"},
        {"problem": "a half?", "answer": "\\frac{1}{2}"},
        {"problem": "minus three?", "answer": "-3"},
    ]
    path = tmp_path / "problems.json"
    path.write_text("\n".join(map(json.dumps, records)) if lines else json.dumps(records), encoding="utf-8")
    rows = math_rows(str(path), 10)
    assert [row["reward_model"]["ground_truth"] for row in rows] == ["2", "-3"]
    assert "minus three?" in rows[1]["prompt"][0]["content"]
    assert len(math_rows(str(path), 1)) == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "There is no file"), ("[1]", "problem"), ('[{"problem": "?", "answer": "x"}]', "None of the 1 problems")],
)
def test_a_file_that_is_none_is_refused_in_words(tmp_path: Path, content: str | None, message: str) -> None:
    path = tmp_path / "problems.json"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(BadInput, match=message):
        math_rows(str(path), 1)


@pytest.mark.parametrize(
    ("text", "answer", "expected"),
    [
        ("So it is \\boxed{42}.", "42", True),
        ("The answer is 42.", "42", True),
        ("\\boxed{-7}", "-7", True),
        ("\\boxed{1,000}", "1000", True),
        ("<think>first 42</think> \\boxed{41}", "42", False),
        ("<think>42</think> I cannot tell.", "42", False),
        ("", "42", False),
        ("\\boxed{\\frac{84}{2}}", "42", True),
    ],
)
def test_an_answer_is_read_and_compared(text: str, answer: str, expected: bool) -> None:
    assert right(text, answer) is expected
