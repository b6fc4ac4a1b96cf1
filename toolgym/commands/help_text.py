"""What `--help` shows, fitted to the terminal: the list of commands, and a command's text from its docstring."""

from __future__ import annotations

import re
import shutil
import textwrap
from typing import NamedTuple

from toolgym.commands import GROUPS

_WIDEST = 110


class Example(NamedTuple):
    """A line of a docstring that begins with `toolgym `, and what stands behind it or below it, indented."""

    command: str
    meaning: str


def width() -> int:
    """The columns to fill: the terminal's, or what COLUMNS says."""
    return min(shutil.get_terminal_size().columns, _WIDEST)


def overview(columns: int) -> str:
    """What `toolgym --help` prints."""
    lines = _filled("toolgym: a gym for agents that talk to a user and act through tools.", columns)
    lines += _filled("usage: toolgym COMMAND [options]   (toolgym COMMAND --help: what it takes)", columns)
    place = max(len(name) for group in GROUPS.values() for name in group) + 4
    for title, group in GROUPS.items():
        lines += ["", f"{title}:"]
        for name, command in group.items():
            lines += _filled(f"  {name:<{place - 2}}{command.summary}", columns, place)
    lines += ["", "Start here:"]
    lines += in_columns(
        [
            Example("toolgym eval retail --agent rules", "play and score its test tasks"),
            Example("toolgym view", "look at what was played"),
        ],
        columns,
    )
    return "\n".join(lines)


def read(docstring: str) -> tuple[str, list[Example]]:
    """A command's docstring as its description, without line breaks inside paragraphs, and its examples."""
    prose: list[str] = []
    examples: list[Example] = []
    for line in docstring.strip().splitlines():
        if line.startswith("toolgym "):
            command, _, meaning = re.sub(r"  +", "\n", line).partition("\n")
            examples.append(Example(command, meaning.replace("\n", " ")))
        elif line.startswith(" ") and examples:
            last = examples.pop()
            examples.append(Example(last.command, f"{last.meaning} {line.strip()}".strip()))
        else:
            prose.append(line)
    paragraphs = re.split(r"\n{2,}", "\n".join(prose).strip())
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs), examples


def description(text: str, columns: int) -> str:
    """A description's paragraphs, each filled."""
    return "\n\n".join(textwrap.fill(paragraph, columns) for paragraph in text.split("\n\n"))


def epilog(examples: list[Example], columns: int) -> str:
    """The examples under their heading."""
    heading = "example:" if len(examples) == 1 else "examples:"
    return "\n".join([heading, *in_columns(examples, columns)])


def in_columns(examples: list[Example], columns: int) -> list[str]:
    """Commands with their meanings beside them; below a command that is too long for that."""
    place = max((len(command) + 4 for command, _ in examples if len(command) <= columns // 2), default=6)
    lines: list[str] = []
    for command, meaning in examples:
        told = textwrap.wrap(meaning, max(columns - place, 20), break_on_hyphens=False)
        if len(command) + 4 <= place:
            first, *rest = told or [""]
            lines.append(f"  {command:<{place - 2}}{first}".rstrip())
        else:
            parts = textwrap.wrap(command, columns - 8, break_long_words=False, break_on_hyphens=False)
            lines += ("  " + " \\\n      ".join(parts)).split("\n")  # so that it can be copied into a shell
            rest = told
        lines += [" " * place + line for line in rest]
    return lines


def _filled(line: str, columns: int, indent: int = 0) -> list[str]:
    """A line as it is where it fits, else broken between words."""
    return (
        [line]
        if len(line) <= columns
        else textwrap.wrap(line, columns, subsequent_indent=" " * indent, break_on_hyphens=False)
    )
