"""Train a model on live episodes, with verl, by a recipe.

toolgym train --list                                   the recipes and their variants
toolgym train tarl variant=grpo+judge --dry-run        the resolved plan, checked by verl, nothing is run
toolgym train tarl variant=ppo model=PATH gpus=4 lr=5e-7
                                                       settings by name; verl's own by their dotted keys
Running the same command again goes on from the last checkpoint.
"""

from __future__ import annotations

import argparse

from rich.console import Console
from rich.markup import escape

from sandbox.errors import BadInput
from training import recipe


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym train`."""
    parser.add_argument("recipe", nargs="?", help="a recipe's name, or a YAML file of your own")
    parser.add_argument("settings", nargs="*", metavar="KEY=VALUE", help="variant=A+B, settings, verl's dotted keys")
    parser.add_argument("--dry-run", action="store_true", help="resolve and check everything, build the data, stop")
    parser.add_argument("--list", action="store_true", help="show the recipes and their variants")


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym train`."""
    console = Console()
    if arguments.list:
        for name in [arguments.recipe] if arguments.recipe else recipe.names():
            _show(console, name)
        return 0
    if arguments.recipe is None:
        raise BadInput(f"Which recipe? There are: {', '.join(recipe.names())}. `toolgym train --list` describes them.")
    setup = recipe.setup(arguments.recipe, arguments.settings)
    from training.launch import dry_run, train  # verl takes seconds to import

    return dry_run(setup, console) if arguments.dry_run else train(setup, console)


def _show(console: Console, name: str) -> None:
    found = recipe.load(name)
    console.print(f"[bold]{escape(name)}[/]  {escape(found.title)}", highlight=False)
    if found.source:
        console.print(f"  {escape(found.source)}", style="dim", highlight=False)
    width = max((len(key) for key in found.variants), default=0)
    for key, variant in found.variants.items():
        standard = ", the default" if variant.default else ""
        group = f" ({variant.group}{standard})" if variant.group else ""
        console.print(f"  {key:<{width}}  {escape(variant.about)}{group}", highlight=False)
    console.print()
