"""The tutorials run as printed, block by block, in an environment of their own; what they print is what the pages show.

`bash` blocks are commands, `python` blocks programs. A block under a line that is a file's name in backticks is that
file. A `text` block is what the block before it printed; one line of it may be `...`, which stands for any lines. A
block after `<!-- skip: next "reason" -->` is left out, and counted. examples/tutorials holds the pages' blocks.
"""

import os
import re
import runpy
import signal
import socket
import subprocess
import sys
import venv
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from unittest import SkipTest

import pytest
from sybil import Document, Example
from sybil.parsers.markdown import CodeBlockParser, SkipParser

ROOT = Path(__file__).parents[2]
PAGES = [page for page in sorted((ROOT / "docs" / "tutorials").glob("*.md")) if page.stem != "index"]
MADE = "<!-- files: the first command writes them -->"
NAMED = re.compile(r"^`([\w./-]+)`\n\n\Z", re.MULTILINE)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A folder with an environment that has what this one has, the commands `toolgym` and `pip`, and no index."""
    venv.create(tmp_path / "env", with_pip=False, symlinks=True)
    (site,) = (tmp_path / "env").rglob("site-packages")
    over = [path for path in sys.path if path.endswith("site-packages")] + [str(ROOT)]
    (site / "base.pth").write_text("\n".join(over), encoding="utf-8")
    for command, call in (("toolgym", "from toolgym.__main__ import main"), ("pip", "from pip import main")):
        script = tmp_path / "env" / "bin" / command
        script.write_text(f"#!{tmp_path}/env/bin/python\nimport sys\n{call}\nsys.exit(main())\n", encoding="utf-8")
        script.chmod(0o755)
    work = tmp_path / "work"
    work.mkdir()
    (work / "examples").symlink_to(ROOT / "examples")
    yield work
    for started in work.glob("*.pid"):  # what a page that failed has left running
        with suppress(ProcessLookupError):
            os.kill(int(started.read_text(encoding="utf-8")), signal.SIGKILL)


class Page:
    """The evaluators of one page: each returns what is wrong, or nothing."""

    def __init__(self, home: Path) -> None:
        self.home, self.printed, self.executed = home, "", 0
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.environment = os.environ | {
            "PATH": f"{home.parent}/env/bin{os.pathsep}{os.environ['PATH']}",
            "TOOLGYM_PORT": str(port),
            "PIP_NO_INDEX": "1",
            "PIP_NO_BUILD_ISOLATION": "0",  # pip reads "no isolation: off" as off
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        }

    def command(self, example: Example) -> str | None:
        return self._run(["bash", "-e", "-c", str(example.parsed)])

    def program(self, example: Example) -> str | None:
        return self.file(example) if _name(example) else self._run(["python", "-c", str(example.parsed)])

    def file(self, example: Example) -> str | None:
        name = _name(example)
        if name is None:
            return "This block is neither run nor a file: name it, or skip it with a reason."
        path, self.executed = self.home / name, self.executed + 1
        if MADE in example.document.text and not path.exists():
            return f"No command has written {name}."
        if path.exists() and path.read_text(encoding="utf-8") != example.parsed:
            return f"A command has written {name} otherwise."
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(str(example.parsed), encoding="utf-8")
        return None

    def output(self, example: Example) -> str | None:
        shown, printed = _lines(str(example.parsed)), _lines(self.printed)
        self.executed += 1
        if shown.count("...") > 1:
            return "More than one line is left out."
        if "..." in shown:
            at = shown.index("...")
            head, tail = shown[:at], shown[at + 1 :]
            same = printed[: len(head)] == head and printed[len(printed) - len(tail) :] == tail
        else:
            same = printed == shown
        return None if same else f"It printed:\n{self.printed}"

    def _run(self, command: list[str]) -> str | None:
        done = subprocess.run(
            command, cwd=self.home, env=self.environment, capture_output=True, text=True, check=False, timeout=900
        )
        self.printed, self.executed = done.stdout, self.executed + 1
        return done.stdout + done.stderr if done.returncode else None


def _name(example: Example) -> str | None:
    found = NAMED.search(example.document.text, 0, example.region.start)
    return found[1] if found else None


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").splitlines()]


@pytest.mark.slow
@pytest.mark.turns(4, 0)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_tutorial_runs_as_printed(page: Path, home: Path, record_property: Callable[[str, object], None]) -> None:
    run, skipped = Page(home), []
    evaluators = {
        "bash": run.command,
        "python": run.program,
        "text": run.output,
        "toml": run.file,
        "markdown": run.file,
    }
    parsers = [CodeBlockParser(language, evaluator) for language, evaluator in evaluators.items()]
    document = Document.parse(str(page), SkipParser(), *parsers)
    assert set(re.findall(r"^```(\S+)", document.text, re.MULTILINE)) <= evaluators.keys()
    for example in document.examples():
        try:
            example.evaluate()
        except SkipTest as left_out:
            skipped.append(f"line {example.line}: {left_out}")
    told = "; ".join(skipped)
    record_property(
        "measured", f"{page.name}: {run.executed} blocks run, {len(skipped)} skipped{told and f' ({told})'}"
    )
    assert run.executed


def test_the_examples_are_the_pages_blocks() -> None:
    module = runpy.run_path(str(ROOT / "docs" / "examples.py"))
    written: dict[Path, str] = module["files"]()
    there = {path for path in (ROOT / "examples" / "tutorials").rglob("*") if path.is_file()}
    assert {path for path in there if "__pycache__" not in path.parts} == written.keys(), "run: python docs/examples.py"
    for path, text in written.items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: run: python docs/examples.py"


def test_a_world_takes_less_than_150_lines() -> None:
    page = (ROOT / "docs" / "tutorials" / "your-world.md").read_text(encoding="utf-8")
    files = re.findall(r"^`library/library/\S+\.py`\n\n```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert len(files) == 6
    assert sum(bool(line.strip()) for text in files for line in text.splitlines()) < 150
