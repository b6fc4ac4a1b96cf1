"""Writes docs/commands.md: every command with its usage and options, from the parsers that the command line uses.

python docs/commands.py
"""

import argparse
from pathlib import Path

from toolgym.cli import command
from toolgym.commands import GROUPS, help_text

PAGE = Path(__file__).with_name("commands.md")
HEAD = """# Commands

`toolgym COMMAND --help` prints what stands here; `python docs/commands.py` writes the page from the same parsers. Where
a command takes `--config`, every option may also stand in that TOML file (`max_turns = 20`) or in the environment
(`TOOLGYM_MAX_TURNS=20`); flags go before the environment, the environment before the file.
"""
WIDTH = 100


def page() -> str:
    """The whole page."""
    found = [HEAD]
    for title, group in GROUPS.items():
        links = ", ".join(f"[{name}](#toolgym-{name})" for name in group)
        found.append(f"- {title}: {links}")
    return "\n".join([*found, "", *(section(name) for group in GROUPS.values() for name in group)])


def section(name: str) -> str:
    """One command: what it is for, its usage, its examples, its options."""
    module, parser = command(name)
    parser.formatter_class = _Wide
    text, examples = help_text.read(module.__doc__ or "")
    lines = [f"## toolgym {name}", "", help_text.description(text, 120), ""]
    lines += ["```text", parser.format_usage().removeprefix("usage: ").strip(), "```", ""]
    lines += ["```text", *(line.removeprefix("  ") for line in help_text.in_columns(examples, WIDTH)), "```", ""]
    return "\n".join([*lines, *_options(parser, 0)])


def _options(parser: argparse.ArgumentParser, depth: int) -> list[str]:
    lines: list[str] = []
    for group in parser._action_groups:
        actions = [action for action in group._group_actions if action.help != argparse.SUPPRESS]
        within = [action for action in actions if isinstance(action, argparse._SubParsersAction)]
        rows = [_row(action) for action in actions if action not in within and "--help" not in action.option_strings]
        title = group.title if group.title not in {"options", "positional arguments"} else ""
        lines += [f"**{title}**", ""] if title and rows else []
        lines += ["| option | meaning |", "| --- | --- |", *rows, ""] if rows else []
        for action in within:
            for inner in action.choices.values():
                lines += [f"{'#' * (3 + depth)} {inner.prog}", "", *_options(inner, depth + 1)]
    return lines


def _row(action: argparse.Action) -> str:
    names = ", ".join(f"`{flag}`" for flag in action.option_strings) or f"`{action.metavar or action.dest}`"
    accepted = " ".join(f"`{choice}`" for choice in action.choices) if action.choices else ""
    value = f" `{action.metavar}`" if action.option_strings and action.metavar and not accepted else ""
    told = (action.help or "").replace("%(default)s", str(action.default)).replace("%%", "%")
    text = " ".join(told.split()).replace("|", "\\|")
    return f"| {names}{value} | {text}{f' One of {accepted}.' if accepted else ''} |"


class _Wide(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=WIDTH)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
