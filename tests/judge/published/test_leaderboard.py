"""A leaderboard ranks verified runs, and only those that were played alike."""

import gzip
import json
from itertools import product
from pathlib import Path

import pytest
from chromium import COLOURS, LEVELS, check_accessible, chromium, complaints, look, needs_browser

from toolgym.cli import main

pytestmark = pytest.mark.slow
HOSTILE = "<script>alert(1)"


def played(folder: Path, *flags: str) -> Path:
    assert main(["eval", "ToolRetail-v1", "--tasks", "3", *flags, "--out", str(folder)]) == 0
    return folder


def test_only_what_was_verified_and_played_alike_is_ranked_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    rules = played(tmp_path / "rules", "--agent", "rules", "--trials", "2")
    inert = played(tmp_path / HOSTILE, "--agent", "inert")
    asked = played(tmp_path / "asked", "--agent", "demonstrator", "--consent", "call")
    assert main(["export", str(inert), "--to", "results", "--out", str(tmp_path / "inert.jsonl.gz")]) == 0
    forged = tmp_path / "forged.jsonl.gz"
    lines = gzip.decompress((tmp_path / "inert.jsonl.gz").read_bytes()).decode().splitlines(keepends=True)
    forged.write_bytes(gzip.compress("".join([lines[0].replace("inert", "great"), *lines[1:]]).encode()))
    capsys.readouterr()
    page = tmp_path / "board.html"
    assert main(["leaderboard", *map(str, (inert, rules, asked, forged)), "--export", str(page)]) == 1
    told = capsys.readouterr().out
    words, _, calls = told.partition("consent=call")
    order = [line.split()[:2] for line in words.splitlines() if line[:1].isdigit()]
    assert order == [["1", "rules"], ["2", "inert"]]
    assert "demonstrator" in calls and "demonstrator" not in words
    assert "Left out:" in told and "forged" in told and "doing nothing" in words
    html = page.read_text(encoding="utf-8")
    assert html.count("<section>") == 2 and "pass^2" in html and HOSTILE not in html and "&lt;script&gt;" in html
    made = json.loads((rules / "run.json").read_text(encoding="utf-8"))["made_with"]
    assert f"tasks {made['tasks']}" in html and "forged" not in html


@needs_browser
def test_the_page_fits_and_is_accessible_in_both_themes(tmp_path: Path) -> None:
    board = tmp_path / "board.html"
    run = played(tmp_path / "rules", "--agent", "rules")
    assert main(["leaderboard", str(run), "--export", str(board)]) == 0
    browser = chromium()
    try:
        for width, dark in product((390, 1000, 1440), (False, True)):
            look(browser, width, dark=dark)
            browser.get(board.as_uri())
            assert browser.execute_script("return document.documentElement.scrollWidth") <= width
            paper = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
            assert paper == ("rgb(20, 24, 31)" if dark else "rgb(255, 255, 255)")
            check_accessible(browser, (width, dark), COLOURS if dark else LEVELS)
        assert complaints(browser) == []
    finally:
        browser.quit()


def test_nothing_to_rank_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["leaderboard", str(tmp_path / "none.jsonl.gz")]) == 2
    assert "None of them can be ranked" in capsys.readouterr().err
