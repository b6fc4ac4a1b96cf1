"""Writes docs/commands.md: every command with its options, from the parsers that the command line uses.

python docs/commands.py
"""

import argparse
from collections.abc import Collection
from functools import cache
from pathlib import Path

from toolgym.cli import command
from toolgym.commands import GROUPS, help_text

PAGE = Path(__file__).with_name("commands.md")
HEAD = """# Commands

Every command with its options, as `toolgym COMMAND --help` prints them; `python docs/commands.py` writes the page from
the same parsers. With `--config`, every option may also stand in that TOML file (`max_turns = 20`) or in the
environment (`TOOLGYM_MAX_TURNS=20`); flags win over the environment, the environment over the file.
"""
WIDTH = 100
ELSEWHERE = {
    "serve": "[the server's settings](server.md#settings)",
    "sft": "[training settings](training-settings.md#toolgym-sft)",
}
"""Commands whose options stand in a table of their own page."""


def page() -> str:
    """The whole page."""
    found = [HEAD]
    for title, group in GROUPS.items():
        links = ", ".join(f"[{name}](#toolgym-{name})" for name in group)
        found.append(f"- {title}: {links}")
    return "\n".join([*found, "", *(section(name) for group in GROUPS.values() for name in group)])


def section(name: str) -> str:
    """One command: what it is for, its examples, its options; those that are eval's are only named."""
    module, parser = command(name)
    text, examples = help_text.read(module.__doc__ or "")
    lines = [f"## toolgym {name}", "", help_text.description(text, 120), ""]
    lines += ["```text", *(line.removeprefix("  ") for line in help_text.in_columns(examples, WIDTH)), "```", ""]
    if name in ELSEWHERE:
        return "\n".join([*lines, f"Its options: {ELSEWHERE[name]}.", ""])
    return "\n".join([*lines, *_options(parser, 0, set() if name == "eval" else _of_eval())])


@cache
def _of_eval() -> frozenset[str]:
    return frozenset(line for line in _options(command("eval")[1], 0, set()) if line.startswith("- "))


def _options(parser: argparse.ArgumentParser, depth: int, known: Collection[str]) -> list[str]:
    lines: list[str] = []
    for group in parser._action_groups:
        actions = [action for action in group._group_actions if action.help != argparse.SUPPRESS]
        within = [action for action in actions if isinstance(action, argparse._SubParsersAction)]
        listed = [action for action in actions if action not in within and "--help" not in action.option_strings]
        rows = [row for row in map(_row, listed) if row not in known]
        title = group.title if group.title not in {"options", "positional arguments"} else ""
        lines += [f"**{title}**", ""] if title and rows else []
        lines += [*rows, ""] if rows else []
        if same := [f"`{action.option_strings[0]}`" for action in listed if _row(action) in known]:
            lines += [f"As in [eval](#toolgym-eval): {', '.join(same)}.", ""]
        for action in within:
            for inner in action.choices.values():
                lines += [f"{'#' * (3 + depth)} {inner.prog}", "", *_options(inner, depth + 1, known)]
    return lines


def _row(action: argparse.Action) -> str:
    names = ", ".join(action.option_strings) or action.metavar or action.dest
    accepted = ", ".join(f"`{choice}`" for choice in action.choices) if action.choices else ""
    value = f" {action.metavar}" if action.option_strings and action.metavar and not accepted else ""
    told = (action.help or "").replace("%(default)s", str(action.default)).replace("%%", "%")
    return f"- `{names}{value}`: {' '.join(told.split())}{f'. One of {accepted}' if accepted else ''}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
