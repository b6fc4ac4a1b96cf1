"""Writes the figures of README.md and docs/ by the commands that measure them.

    python docs/figures.py                   # all of them: `make figures`; half an hour on a quiet machine
    python docs/figures.py episode rewards   # those whose command holds one of these words

A figure stands between two comments, of which the first names its command; what the command prints takes its place, and
the date, the commit and the machine stand below.

    <!-- figures: python benchmarks/rewards.py --markdown -->
    <!-- end of figures -->
"""

from __future__ import annotations

import os
import platform
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"<!-- figures: (?P<command>.+?) -->\n(?P<shown>.*?)<!-- end of figures -->", re.DOTALL)
BELOW = re.compile(
    r"^Measured (\d{4}-\d\d-\d\d) at [0-9a-f]{12}(-dirty)? on .+, \d+ cores, Python [\d.]+\.$", re.MULTILINE
)


def pages() -> list[Path]:
    """README.md and every page of the documents."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks() -> Iterator[tuple[Path, re.Match[str]]]:
    """Every figure with its page."""
    for page in pages():
        yield from ((page, found) for found in BLOCK.finditer(page.read_text(encoding="utf-8")))


def below() -> str:
    """When, of what and where it was measured."""
    command = ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    commit = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    return (
        f"Measured {datetime.now(UTC).date()} at {commit} on {platform.system()} {platform.machine()}, "
        f"{os.cpu_count()} cores, Python {platform.python_version()}."
    )


def measured(command: str) -> str:
    """What a command prints."""
    program, *arguments = shlex.split(command)
    run = [sys.executable if program == "python" else program, *arguments]
    done = subprocess.run(run, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"`{command}` ended with {done.returncode}; its figure is as it was.")
    return done.stdout.strip()


def main(words: Sequence[str]) -> None:
    """Measure each command once and write what it prints wherever it is named."""
    wanted = {
        found["command"]: [] for _, found in blocks() if not words or any(word in found["command"] for word in words)
    }
    for page, found in blocks():
        wanted.get(found["command"], []).append(page)
    if not wanted:
        raise SystemExit(f"No figure has a command with {' or '.join(words)} in it.")
    where = below()  # before the first page is written
    for number, (command, places) in enumerate(wanted.items(), start=1):
        print(f"{number} of {len(wanted)}: {command}", file=sys.stderr, flush=True)
        shown = f"{measured(command)}\n\n{where}\n"
        for page in dict.fromkeys(places):
            text = page.read_text(encoding="utf-8")
            new = f"<!-- figures: {command} -->\n{shown}<!-- end of figures -->"
            page.write_text(
                BLOCK.sub(lambda each, new=new, command=command: new if each["command"] == command else each[0], text),
                encoding="utf-8",
            )


if __name__ == "__main__":
    main(sys.argv[1:])
