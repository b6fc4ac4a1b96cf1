"""The commands, one module each with `add_arguments` and `run`; this table names them, and imports none of them."""

from __future__ import annotations

from typing import NamedTuple


class Command(NamedTuple):
    """One command.

    Attributes:
        module: where it is; its docstring is the description, whose lines that begin with `toolgym ` are its examples.
        summary: one line of `toolgym --help`.
        resumes: whether the same command resumes an interrupted one.
    """

    module: str
    summary: str
    resumes: bool = False


GROUPS: dict[str, dict[str, Command]] = {
    "Most used": {
        "eval": Command("toolgym.commands.evaluate", "Run an agent on tasks and score it", resumes=True),
        "show": Command("toolgym.commands.show", "Read a conversation in the terminal"),
        "view": Command("toolgym.commands.view", "Look at runs in the browser"),
        "play": Command("toolgym.commands.play", "Be the user or the agent yourself"),
        "tasks": Command("toolgym.commands.tasks", "List, show, lint and generate tasks"),
    },
    "Play on a server": {
        "serve": Command("toolgym.commands.serve", "Serve sessions over REST, MCP and OpenEnv"),
        "backup": Command("toolgym.sandbox.server.backup_command", "Copy a server's sessions while it serves"),
        "mcp": Command("toolgym.commands.mcp", "Serve one session over MCP on standard input and output"),
        "openenv": Command("toolgym.commands.openenv", "Pack a world for OpenEnv"),
        "local-model": Command("toolgym.commands.local_model", "Serve a small language model on this machine"),
    },
    "Measure": {
        "bench": Command("toolgym.commands.bench", "Play other people's benchmarks", resumes=True),
        "judge": Command("toolgym.commands.judge", "Score a finished run again"),
        "compare": Command("toolgym.commands.compare", "Tell a difference between runs from chance"),
        "report": Command("toolgym.commands.report", "Write the HTML report of one or more runs"),
        "redteam": Command("toolgym.commands.redteam", "Show what cheating agents get"),
        "mutate": Command("toolgym.commands.mutate", "Show which wrong runs are caught"),
        "users": Command("toolgym.commands.users", "Compare how simulated and recorded users talk"),
    },
    "Make worlds and tasks": {
        "new-domain": Command("toolgym.commands.new_domain", "Start a world of your own"),
        "check": Command("toolgym.commands.check", "Tell what is wrong with a world"),
        "synth": Command("toolgym.commands.synth", "Make training data with a teacher, from any tools", resumes=True),
        "graph": Command("toolgym.commands.graph", "Show how a world's tools depend on one another"),
    },
    "Train": {
        "select": Command("toolgym.commands.select", "Select conversations to learn from"),
        "sft": Command("toolgym.commands.sft", "Warm-start a model on conversations"),
        "train": Command("toolgym.commands.train", "Train a model on live episodes with verl", resumes=True),
    },
    "Exchange": {
        "import": Command("toolgym.commands.import_runs", "Score other benchmarks' recorded runs"),
        "export": Command("toolgym.commands.export", "Write a run in other formats, or for fine-tuning"),
        "verify-results": Command("toolgym.commands.verify_results", "Check a run that somebody has published"),
        "leaderboard": Command("toolgym.commands.leaderboard", "Rank published runs, as a table or a page"),
    },
    "Look around": {
        "worlds": Command("toolgym.commands.worlds", "List the worlds with their tools and data"),
        "doctor": Command("toolgym.commands.doctor", "Show what is installed and what extras would add"),
    },
}

COMMANDS = {name: command for group in GROUPS.values() for name, command in group.items()}
