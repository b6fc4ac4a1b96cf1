"""The command line: one small dispatcher; each command's module is imported only when that command runs."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence

from toolgym.sandbox.kit.errors import ToolgymError, nearest
from toolgym.sandbox.runtime.extras import missing

# A command without a summary stands in one line with the command before it: the help fits a screen.
COMMANDS = {
    "eval": ("toolgym.commands.evaluate", "Run an agent on tasks, or on others' benchmarks, and score it"),
    "bench": ("toolgym.commands.bench", ""),
    "play": ("toolgym.commands.play", "Be the user or the agent yourself"),
    "show": ("toolgym.commands.show", "Read a trajectory in the terminal, runs in the browser"),
    "view": ("toolgym.commands.view", ""),
    "tasks": ("toolgym.commands.tasks", "List, show, lint and generate tasks"),
    "graph": ("toolgym.commands.graph", "Show how a world's tools depend on one another"),
    "redteam": ("toolgym.commands.redteam", "Show what cheating agents get, which wrong runs are caught"),
    "mutate": ("toolgym.commands.mutate", ""),
    "judge": ("toolgym.commands.judge", "Score a finished run again; tell chance from difference"),
    "compare": ("toolgym.commands.compare", ""),
    "import": ("toolgym.commands.import_runs", "Score other benchmarks' recorded runs"),
    "export": ("toolgym.commands.export", "Write a run in other formats, or for fine-tuning"),
    "verify-results": ("toolgym.commands.verify_results", "Check a run that somebody has published"),
    "report": ("toolgym.commands.report", "Write the HTML report of runs; compare how their users talk"),
    "users": ("toolgym.commands.users", ""),
    "select": ("toolgym.commands.select", "Select conversations to learn from; warm-start on them"),
    "sft": ("toolgym.commands.sft", ""),
    "train": ("toolgym.commands.train", "Train a model on episodes with verl"),
    "local-model": ("toolgym.commands.local_model", "Serve a small language model on this machine"),
    "serve": ("toolgym.commands.serve", "Serve sessions over REST and MCP; copy them while it serves"),
    "backup": ("toolgym.sandbox.server.backup_command", ""),
    "mcp": ("toolgym.commands.mcp", "Serve a session over MCP on stdio; pack a world for OpenEnv"),
    "openenv": ("toolgym.commands.openenv", ""),
    "new-domain": ("toolgym.commands.new_domain", "Start a domain of your own"),
    "check": ("toolgym.commands.check", "Tell what is wrong with a domain, or not installed here"),
    "doctor": ("toolgym.commands.doctor", ""),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line; returns the exit status (2 for a user's mistake)."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments or arguments[0] in {"-h", "--help", "help"}:
        print(_help())
        return 0
    if arguments[0] in {"-V", "--version"}:
        from importlib.metadata import version

        print(f"toolgym {version('toolgym')}")
        return 0
    name, rest = arguments[0], arguments[1:]
    if name not in COMMANDS:
        close = nearest(name, COMMANDS)
        hint = f" Did you mean {close!r}?" if close else ""
        print(f"There is no command {name!r}.{hint} `toolgym --help` lists them.", file=sys.stderr)
        return 2
    return _run(name, rest)


def _run(name: str, rest: Sequence[str]) -> int:
    path, summary = COMMANDS[name]
    try:
        module = importlib.import_module(path)
        parser = Parser(prog=f"toolgym {name}", description=module.__doc__ or summary, formatter_class=_Format)
        module.add_arguments(parser)
        return int(module.run(parser.parse_intermixed_args(rest)))
    except ToolgymError as error:
        print(f"toolgym {name}: {error}", file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        print(missing(error, f"toolgym {name}"), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("Interrupted; what was finished is saved.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        return 141
    except OSError as error:
        if error.filename is None:
            raise
        print(f"toolgym {name}: {error.filename}: {error.strerror}.", file=sys.stderr)
        return 2


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
        self.exit(2, f"{self.prog}: {message}.{hint} `{self.prog} --help` lists what is accepted.\n")


class _Format(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30, width=110)


def _help() -> str:
    rows: list[tuple[str, str]] = []
    for name, (_, summary) in COMMANDS.items():
        rows.append((name, summary) if summary else (f"{rows[-1][0]}, {name}", rows.pop()[1]))
    width = max(len(names) for names, _ in rows)
    lines = [f"  {names:<{width}}  {summary}" for names, summary in rows]
    return "\n".join(
        [
            "toolgym: a gym for agents that talk to a user and act through tools.",
            "usage: toolgym COMMAND [options]        toolgym COMMAND --help",
            "",
            *lines,
            "",
            "Start here:  toolgym eval ToolRetail-v0 --agent rules --split test",
            "Then:        toolgym show RUN     toolgym view           toolgym play retail",
        ]
    )
