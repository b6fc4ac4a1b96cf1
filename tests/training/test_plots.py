"""The picture of a training: which line is which, and a trend that can be seen through the noise."""

import json
import math
from pathlib import Path

import pytest

from toolgym.training import plots


def written(folder: Path, steps: int) -> Path:
    """A reward that rises under noise, and one held-out measure."""
    (folder / "metrics").mkdir(parents=True)
    records = (
        {"step": step, "data": {"critic/rewards/mean": step / steps + (-1) ** step, "toolgym/held_out/x/clean": 0.5}}
        for step in range(1, steps + 1)
    )
    (folder / "metrics" / "000.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in records))
    return folder


def test_a_long_line_is_smoothed_and_a_short_one_is_not(tmp_path: Path) -> None:
    series = plots.read(written(tmp_path / "long", 300))["critic/rewards/mean"]
    smooth = plots.smoothed(series)
    assert [step for step, _ in smooth] == [step for step, _ in series]
    assert all(math.isclose(value, step / 300, abs_tol=0.1) for step, value in smooth)
    assert plots.smoothed(series[:29]) == []


@pytest.mark.parametrize("steps", [5, 60])
def test_every_line_is_named_unless_the_panel_is(tmp_path: Path, steps: int) -> None:
    plots.draw(written(tmp_path, steps), tmp_path / "curves.svg")
    named = (tmp_path / "curves.svg").read_text(encoding="utf-8")
    assert "x/clean" in named and named.count("<!-- reward -->") == 1
