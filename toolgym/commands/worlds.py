"""List the installed worlds: what each is, how many tools it has, and its bodies of data.

toolgym worlds
"""

from __future__ import annotations

import argparse

from rich.markup import escape
from rich.table import Table

from toolgym.sandbox.kit.errors import ToolgymError
from toolgym.sandbox.kit.task import UNSEEN
from toolgym.sandbox.runtime.registry import get_domain, names
from toolgym.sandbox.runtime.terminal import SafeConsole


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """`toolgym worlds` takes no flags."""


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym worlds`."""
    console, broken = SafeConsole(), []
    shown = Table(box=None, pad_edge=False)
    shown.add_column("world", no_wrap=True)
    shown.add_column("tools", justify="right")
    shown.add_column("data", no_wrap=True)
    shown.add_column("what it is", overflow="fold")
    for name in names("domains"):
        try:
            domain = get_domain(name)
        except ToolgymError as error:  # one author's mistake hides nobody else's world
            broken.append(f"{error}")
            continue
        data = ", ".join(each for each in domain.data if each != UNSEEN)
        shown.add_row(name, str(len(domain.tools)), escape(data), escape(domain.title))
    console.print(shown)
    for sentence in broken:
        console.print(sentence, highlight=False, markup=False, soft_wrap=True)
    return 1 if broken else 0
