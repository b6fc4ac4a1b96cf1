"""The papers' tables with a model's own runs in the same columns."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from toolgym.cli import main
from toolgym.judge.benchmarks.bfcl.adapter import FOLDER
from toolgym.judge.benchmarks.papers import PAPERS
from toolgym.judge.benchmarks.papers.tables import Runs, paper, tables


@pytest.mark.parametrize("name", PAPERS)
def test_stored_rows_fill_their_columns(name: str, tmp_path: Path) -> None:
    for table in paper(name)["tables"]:
        assert {len(row) for row in table["rows"]} == {1 + len(table["columns"])}
        assert all(0 <= number <= 100 for _, *numbers in table["rows"] for number in numbers)
    for filled in tables(name, Runs(tmp_path, "nobody")):
        assert all(cell.value is None and cell.missing for cell in filled.cells), "an empty folder fills nothing"


def test_means_in_the_papers_are_the_means_of_their_columns() -> None:
    """A slip in copying would show: PROVE's averages and TIER's populations follow from other columns."""
    multi_turn, tau2, teval = (table["rows"] for table in paper("prove")["tables"])
    for table in (multi_turn, tau2, teval):
        for name, *parts, mean in table:
            assert abs(sum(parts) / len(parts) - mean) < 0.11, name
    for name, whole, *depths in paper("tier")["tables"][0]["rows"][:3]:
        counts = (51, 480, 95, 75, 45, 10, 10)
        assert abs(sum(map(float.__mul__, depths, map(float, counts))) / 766 - whole) < 0.11, name


@pytest.mark.slow
def test_a_run_of_the_benchmark_s_data_fills_its_cell_once_it_is_whole(tmp_path: Path, capsys: Any) -> None:
    run = ["eval", "airline", "--data", "tau2", "--split", "base", "--agent", "inert", "--out", str(tmp_path / "air")]
    assert main([*run, "--tasks", "1", "2"]) == 0
    [_, tau2, _] = tables("prove", Runs(tmp_path, None, "inert"))
    assert [cell.missing for cell in tau2.cells] == ["2 of 50", "no run", "no run", "-"]
    assert "toolgym eval airline --data tau2 --split base --agent inert" in tau2.play
    assert main(run) == 0
    passed = json.loads((tmp_path / "air" / "summary.json").read_text())["pass_hat"]["1"]
    [_, tau2, _] = tables("prove", Runs(tmp_path, None, "inert"))
    assert tau2.cells[0].value == pytest.approx(100 * passed) and passed > 0
    assert tau2.cells[0].run == "air"
    capsys.readouterr()
    assert main(["bench", "table", "prove", "--agent", "inert", "--runs", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert f"{100 * passed:.2f}" in said and "From the runs in" in said and "air." in said
    assert main(["bench", "table", "prove", "--agent-model", "other", "--runs", str(tmp_path)]) == 0
    assert "none fits" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.xdist_group("bfcl")
@pytest.mark.skipif(FOLDER not in os.environ, reason="`make` installs BFCL and names its folder")
def test_categories_of_bfcl_fill_their_columns(tmp_path: Path) -> None:
    run = ["bench", "run", "bfcl3", "--agent", "inert", "--out", str(tmp_path / "r")]
    assert main([*run, "--category", "irrelevance", "live_irrelevance", "live_relevance"]) == 0
    cells = dict(zip("onlmri", tables("tier", Runs(tmp_path, None, "inert"))[1].cells, strict=True))
    assert cells["i"].value == 100.0 and cells["r"].value == 0.0, "doing nothing"
    assert cells["o"].missing == "-" and cells["m"].missing == "part"


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (["tire", "--agent-model", "m"], "There is no paper 'tire'; did you mean 'tier'?"),
        (["tier"], "--agent-model NAME"),
        (["tier", "--agent-model", "m", "--runs", "nowhere"], "There is no folder nowhere"),
        ([], "takes a paper: prove, tier, toolrl"),
    ],
)
def test_mistakes_are_one_sentence(flags: list[str], sentence: str, capsys: Any, monkeypatch: Any) -> None:
    monkeypatch.delenv("TOOLGYM_AGENT_MODEL", raising=False)
    assert main(["bench", "table", *flags]) == 2
    said = capsys.readouterr().err
    assert sentence in said and said.count("\n") == 1
