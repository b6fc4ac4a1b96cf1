"""Each figure in README and on the comparison page is written by the command that it names, and says when and where."""

import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FIGURES = runpy.run_path(str(ROOT / "docs" / "figures.py"))
BLOCKS = [(page.relative_to(ROOT).as_posix(), found["command"], found["shown"]) for page, found in FIGURES["blocks"]()]
COMMANDS = sorted({command for _, command, _ in BLOCKS})


@pytest.mark.parametrize(("page", "command", "shown"), BLOCKS)
def test_a_figure_says_when_and_where_it_was_measured(page: str, command: str, shown: str) -> None:
    assert FIGURES["BELOW"].search(shown), f"{page}: run python docs/figures.py {Path(shlex.split(command)[1]).stem}"
    assert re.search(r"\d", shown.rpartition("Measured")[0])


@pytest.mark.parametrize("command", COMMANDS)
def test_its_command_is_one(command: str) -> None:
    program, script, *flags = shlex.split(command)
    assert program == "python"
    done = subprocess.run([sys.executable, script, "--help"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and all(flag in done.stdout for flag in flags if flag.startswith("--")), done.stderr


def test_no_figure_of_the_readmes_section_stands_without_a_command() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Measured")[2].partition("\n## ")[0]
    assert "<!-- figures" in text
    assert not re.search(r"\d", FIGURES["BLOCK"].sub("", text).replace("tau2-bench", ""))


def test_what_a_command_prints_takes_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = "python -c \"print('1 ms')\""
    page = tmp_path / "README.md"
    page.write_text(f"before\n<!-- figures: {command} -->\nold\n<!-- end of figures -->\nafter\n", encoding="utf-8")
    main = FIGURES["main"]
    monkeypatch.setitem(main.__globals__, "pages", lambda: [page])
    main(["print"])
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"before\n<!-- figures: {command} -->\n1 ms\n\nMeasured 20")
    assert text.endswith("<!-- end of figures -->\nafter\n") and "old" not in text
    assert FIGURES["BELOW"].search(text)
    with pytest.raises(SystemExit, match="No figure has a command with nowhere in it"):
        main(["nowhere"])
