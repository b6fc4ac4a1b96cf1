"""Train a model on live episodes, with verl, by a recipe.

Running the same command again resumes from the last checkpoint.

toolgym train --list                                   the recipes and their variants
toolgym train tarl variant=grpo+judge --dry-run        the resolved plan, checked by verl, nothing is run
toolgym train tarl variant=ppo model=PATH gpus=4 lr=5e-7
                                                       settings by name; verl's own by their dotted keys
toolgym train export RUN --out FOLDER                  a checkpoint as an ordinary Hugging Face model: the best by
                                                       validation, or --step N
"""

from __future__ import annotations

import argparse
import textwrap
from pathlib import Path

from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.runtime.terminal import SafeConsole

EXPORT = "export"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym train`."""
    parser.add_argument("recipe", nargs="?", help="a recipe's name, or a YAML file of your own; or: export")
    parser.add_argument("settings", nargs="*", metavar="KEY=VALUE", help="variant=A+B, settings, verl's dotted keys")
    parser.add_argument("--dry-run", action="store_true", help="resolve and check everything, build the data, stop")
    parser.add_argument("--list", action="store_true", help="show the recipes and their variants")
    export = parser.add_argument_group("with export")
    export.add_argument("--step", metavar="N", type=int, help="the checkpoint's step (default: the best by validation)")
    export.add_argument("--out", metavar="FOLDER", type=Path, help="a new folder for the model")
    export.add_argument("--part", choices=("actor", "critic"), default="actor", help="which network (default: actor)")


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym train`."""
    if arguments.recipe == EXPORT:
        return _export(arguments)
    if arguments.step is not None or arguments.out is not None:
        raise BadInput("--step and --out belong to `toolgym train export`; a run's folder is given as out=FOLDER.")
    from toolgym.training import recipe  # Hydra and pydantic's schema take a moment; --help does without

    if arguments.list:
        for name in [arguments.recipe] if arguments.recipe else recipe.names():
            print(_shown(name))
        return 0
    if arguments.recipe is None:
        raise BadInput(f"Which recipe? There are: {', '.join(recipe.names())}. `toolgym train --list` describes them.")

    setup, console = recipe.setup(arguments.recipe, arguments.settings), SafeConsole()
    from toolgym.training.launch import dry_run, train  # verl takes seconds to import

    return dry_run(setup, console) if arguments.dry_run else train(setup, console)


def _export(arguments: argparse.Namespace) -> int:
    if len(arguments.settings) != 1 or arguments.out is None:
        raise BadInput("Write: toolgym train export RUN --out FOLDER (RUN: the folder of a training run).")
    from toolgym.training.export import export  # torch takes seconds to import

    print(export(Path(arguments.settings[0]), arguments.out, step=arguments.step, part=arguments.part))
    return 0


def _shown(name: str) -> str:
    """A recipe and its variants as text."""
    from toolgym.training import recipe

    found = recipe.load(name)
    lines = textwrap.wrap(f"{name}  {found.title}", 80, subsequent_indent="  ")
    lines += textwrap.wrap(found.source, 80, initial_indent="  ", subsequent_indent="  ")
    width = max((len(key) for key in found.variants), default=0)
    for key, variant in found.variants.items():
        standard = ", the default" if variant.default else ""
        group = f" ({variant.group}{standard})" if variant.group else ""
        about = textwrap.wrap(f"{variant.about}{group}", 76 - width, break_on_hyphens=False)
        lines += [f"  {key if index == 0 else '':<{width}}  {line}" for index, line in enumerate(about)]
    return "\n".join([*lines, ""])
