"""What others wrote cannot command the terminal that shows it."""

import io
import re
from pathlib import Path

from rich.progress import Progress
from rich.table import Table

from toolgym.cli import main
from toolgym.sandbox.runtime.terminal import SafeConsole, readable

EVIL = "\x1b]0;PWNED\x07 \x1b[2J\x9b31m \u202etxt.exe\rdone\u2066"
ROOMS = Path(__file__).parents[3]


def test_controls_are_shown_and_not_sent() -> None:
    console = SafeConsole(file=io.StringIO(), width=200)
    table = Table(EVIL)
    table.add_row(f"{EVIL}\tend")
    console.print(EVIL, table, style="bold", markup=False)
    console.rule(EVIL)
    written = console.file.getvalue()  # type: ignore[attr-defined]
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\u2066]", written)
    assert r"\x1b[2J" in written and r"\u202e" in written and readable("a\tb\nc") == "a\tb\nc"


def test_rich_may_still_move_the_cursor() -> None:
    console = SafeConsole(file=io.StringIO(), force_terminal=True)
    with Progress(console=console) as bar:
        bar.advance(bar.add_task("\x1b[2J", total=1))
    written = console.file.getvalue()  # type: ignore[attr-defined]
    assert "\x1b[?25l" in written and "\x1b[2J" not in written


def test_no_console_is_another() -> None:
    rooms = [ROOMS / name for name in ("toolgym", "sandbox", "judge", "training", "domains")]
    found = [
        path
        for room in rooms
        for path in room.rglob("*.py")
        if path.name != "terminal.py" and re.search(r"(?<!Safe)\bConsole\(", path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_a_conversation_is_shown_as_text(capsys, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    lines = (ROOMS / "tests" / "sandbox" / "runtime" / "trajectories-v2.jsonl").read_text(encoding="utf-8").splitlines()
    line = next(each for each in lines if '"role":"user","content":"' in each)
    start = '"role":"user","content":"'
    (tmp_path / "esc.jsonl").write_text(line.replace(start, start + r"\u001b]0;PWNED\u0007\u001b[2J", 1) + "\n")
    assert main(["show", str(tmp_path / "esc.jsonl")]) == 0
    assert "\x1b" not in (shown := capsys.readouterr().out) and r"\x1b[2J" in shown.replace("\n", "")
    assert main(["show", str(tmp_path / "\x1b[2Jno.jsonl")]) == 2
    assert "\x1b" not in capsys.readouterr().err
