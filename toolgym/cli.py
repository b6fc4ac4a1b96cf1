"""The command line: one small dispatcher; each command's module is imported only when that command runs."""

from __future__ import annotations

import argparse
import importlib
import io
import os
import shlex
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING, TextIO

from toolgym.commands import COMMANDS, help_text
from toolgym.sandbox.kit.errors import ToolgymError, nearest
from toolgym.sandbox.kit.masking import masked
from toolgym.sandbox.runtime.extras import missing
from toolgym.sandbox.runtime.terminal import readable

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_MEANT = {"list": "worlds", "lint": "tasks", "generate": "tasks", "stats": "tasks", "run": "eval"}
"""Words that are a part of a command, or other tools' name for one."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line; returns the exit status (2 for a user's mistake).

    Args:
        argv: the words after `toolgym`; None takes the process's own, whose output may then lose its reader (`| head`).
    """
    if argv is None:
        sys.stdout, sys.stderr = _outlet(sys.stdout), _outlet(sys.stderr)
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments or arguments[0] in {"-h", "--help", "help"}:
        print(help_text.overview(help_text.width()))
        return 0
    if arguments[0] in {"-V", "--version"}:
        from importlib.metadata import version

        print(f"toolgym {version('toolgym')}")
        return 0
    name, rest = arguments[0], arguments[1:]
    if name not in COMMANDS:
        close = _MEANT.get(name) or nearest(name, COMMANDS)
        hint = f" Did you mean {close!r}?" if close else ""
        _say(f"There is no command {name!r}.{hint} `toolgym --help` lists them.")
        return 2
    return _run(name, rest)


def _run(name: str, rest: Sequence[str]) -> int:
    try:
        module, parser = command(name)
        return int(module.run(parser.parse_intermixed_args(rest)))
    except ToolgymError as error:
        _say(f"toolgym {name}: {error}")
        return 2
    except ModuleNotFoundError as error:
        _say(str(missing(error, f"toolgym {name}")))
        return 2
    except KeyboardInterrupt:
        again = f" The same command resumes: {shlex.join(['toolgym', name, *rest])}" if COMMANDS[name].resumes else ""
        _say(f"Interrupted.{again}")
        return 130
    except OSError as error:
        if error.filename is None:
            raise
        _say(f"toolgym {name}: {error.filename}: {error.strerror}.")
        return 2


def command(name: str) -> tuple[ModuleType, Parser]:
    """A command's module and its parser, whose description and examples are the module's docstring."""
    module = importlib.import_module(COMMANDS[name].module)
    text, examples = help_text.read(module.__doc__ or "")
    columns = help_text.width()
    parser = Parser(
        prog=f"toolgym {name}",
        description=help_text.description(text, columns),
        epilog=help_text.epilog(examples, columns),
        formatter_class=_Format,
    )
    module.add_arguments(parser)
    return module, parser


class _Unread(io.FileIO):
    """A standard stream that goes nowhere once its reader has left, so that the command finishes and saves its work."""

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.fileno())  # for child processes too
            os.close(nowhere)
            return memoryview(data).nbytes


def _outlet(stream: TextIO) -> TextIO:
    """The same stream, which outlives its reader; as it is where it is closed or no file of the process."""
    if stream not in (sys.__stdout__, sys.__stderr__) or not isinstance(stream, io.TextIOWrapper):
        return stream
    stream.flush()
    return io.TextIOWrapper(
        io.BufferedWriter(_Unread(stream.fileno(), "wb", closefd=False)),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


def _say(sentence: str) -> None:
    """Print a sentence that may hold others' words: no key of ours, and no command to the terminal."""
    print(readable(masked(sentence)), file=sys.stderr)


class Parser(argparse.ArgumentParser):
    """An argument parser that takes flags before, between and after the rest, and whose complaint about an unknown flag
    names the nearest right one.
    """

    def error(self, message: str) -> None:  # type: ignore[override]  # exits, as the base does
        """Print one sentence and exit with status 2."""
        unknown = message.removeprefix("unrecognized arguments: ").split(" ")[0].split("=")[0]
        flags = [flag for action in self._actions for flag in action.option_strings]
        close = nearest(unknown, flags) if message.startswith("unrecognized arguments") else None
        hint = f" Did you mean {close}?" if close else ""
        _say(f"{self.prog}: {message}.{hint} `{self.prog} --help` lists what is accepted.")
        self.exit(2)


class _Format(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30, width=help_text.width())
