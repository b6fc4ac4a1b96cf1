"""Long work tells how far it is: by a bar on a terminal, by lines on standard error elsewhere."""

import io
import time

import pytest
from rich.console import Console

from toolgym.sandbox.runtime import progress
from toolgym.sandbox.runtime.progress import Progress


def console(*, terminal: bool) -> Console:
    return Console(file=io.StringIO(), force_terminal=terminal, width=100, color_system=None)


def test_without_a_terminal_a_line_comes_by_the_clock(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "EVERY", 0.05)
    shown = console(terminal=False)
    with Progress(shown, "rules on kiosk") as work:
        work.begin(10, 40)
        for passed in (True, True, False, None):
            work.advance(passed=passed)
        time.sleep(0.3)  # nothing ends meanwhile, and it is told all the same
    said = capsys.readouterr()
    assert said.out == "" and shown.file.getvalue() == ""  # type: ignore[attr-defined]
    lines = said.err.splitlines()
    assert len(lines) >= 2 and lines[-1].startswith("rules on kiosk: 14 of 40, 67 % passed, about ")
    assert lines[-1].endswith(" s left")


def test_without_a_thread_a_line_comes_with_the_next_piece(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "EVERY", 0.05)
    with Progress(console(terminal=False), "drawing", 3, alone=True) as work:
        work.advance()
        time.sleep(0.06)
        work.advance()
    assert capsys.readouterr().err.startswith("drawing: 2 of 3, about 1 s left")


def test_on_a_terminal_the_bar_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    shown = console(terminal=True)
    with Progress(shown, "proving", 4) as work:
        work.advance(passed=True)
        work.advance(passed=False)
        time.sleep(0.3)
    text = shown.file.getvalue()  # type: ignore[attr-defined]
    assert "proving" in text and "2 of 4, 50 % passed, about 1 s left" in text
    assert capsys.readouterr().err == ""


def test_a_quiet_console_shows_nothing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(progress, "EVERY", 0.01)
    with Progress(Console(quiet=True), "proving", 4) as work:
        work.advance()
        time.sleep(0.05)
    assert capsys.readouterr() == ("", "")
