"""The faults that the suite in tests/reliability causes, and what must hold; docs/reliability.md shows them as a table.

A test names its row with `@fault("...")` and may say what it measured with `record_property("measured", "...")`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

DOCUMENT = Path(__file__).parents[2] / "docs" / "reliability.md"
BEGIN, END = "<!-- table of faults: written by the suite -->\n", "<!-- end of the table -->"
"""What stands before and after the table there."""


@dataclass(frozen=True)
class Fault:
    """A row: what is done to the server, and what must hold."""

    title: str
    tried: str
    held: str


FAULTS = {
    "kill": Fault(
        "Killed under load",
        "`kill -9` at 50 random moments while four clients write and one opens sessions",
        "every acknowledged write and session is there, once, in order; a repeated request is applied once",
    ),
    "worker": Fault(
        "A worker killed",
        "`--workers 2`, one worker killed with `kill -9` three times under load",
        "a new one takes its place and calls go on; nothing acknowledged is lost or doubled",
    ),
    "terminate": Fault(
        "Stopped under load",
        "SIGTERM while four clients write",
        "calls in flight are answered; what was answered is there after the next start",
    ),
    "torn": Fault(
        "Write-ahead log cut short",
        "killed, then the last bytes of the log removed at 20 places, as a power cut may leave it",
        "the server starts; every session is a gapless beginning of what was acknowledged",
    ),
    "file_limit": Fault(
        "Data directory full",
        "the server may not let a file grow any more (RLIMIT_FSIZE)",
        "507, nothing applied; reading goes on; with space again writing goes on, nothing is lost",
    ),
    "full_disk": Fault(
        "Disk full",
        "the data directory on a file system of 600 kB (tmpfs in a namespace of its own)",
        "507, nothing applied; reading goes on; with space again writing goes on, nothing is lost",
    ),
    "slow_body": Fault(
        "Slow clients",
        "60 connections send a request's body byte by byte",
        "others are answered meanwhile; the slow ones get 408 when their time is over",
    ),
    "deaf": Fault(
        "Clients that do not read",
        "20 connections ask for long answers and read nothing",
        "others are answered meanwhile",
    ),
    "hang_up": Fault(
        "Clients that leave",
        "200 writes whose client closes the connection at once, over REST and MCP",
        "each is applied once or not at all; the same key gets the answer later; nothing is logged as an error",
    ),
    "clock_jump": Fault(
        "Clock jumps",
        "the machine's clock, as Python reads it, jumps ten days ahead and back while the server runs",
        "no session ends early, calls go on, worlds' own clocks stand still",
    ),
    "clock_restart": Fault(
        "Clock wrong after a restart",
        "restarted with the clock a day behind, then ten days ahead",
        "behind: sessions are there; ahead: 410, and the log can still be read",
    ),
    "json_rpc": Fault(
        "Malformed JSON-RPC",
        "bodies that are no JSON, no request, of wrong version, type, method or parameters, at the MCP endpoint",
        "a JSON-RPC error or 4xx, never 5xx; nothing applied; the session goes on",
    ),
    "size": Fault(
        "Oversized bodies",
        "bodies above the limit on every route: declared, undeclared (chunked) and falsely declared",
        "413 (or the connection closed), nothing applied, memory stays",
    ),
    "depth": Fault(
        "Deeply nested bodies",
        "lists and objects in one another, 65 to 400,000 levels, on every route",
        "400, nothing applied",
    ),
    "arguments": Fault(
        "Injection in arguments",
        "SQL, paths, templates, control characters and format strings in every string argument of every tool",
        "the answers of a session in process, byte by byte, and its state; no server text in an answer",
    ),
    "paths": Fault(
        "Injection in addresses",
        "SQL, paths and encodings in every path and query parameter, and data that names a file",
        "4xx, never 5xx; no file is read",
    ),
    "token": Fault(
        "Wrong tokens",
        "no token, wrong ones, prefixes, other schemes and encodings, on every route and the MCP endpoints",
        "401 without a hint; only health and the documents are open; no token in the logs",
    ),
    "rebinding": Fault(
        "Other sites and names",
        "Host and Origin headers of other sites (DNS rebinding), CORS preflights",
        "421 or 403; no CORS header",
    ),
    "ids": Fault(
        "Foreign session ids",
        "ids cut, extended, changed in one place, and of ended sessions",
        "404 or 410, the same for an id that never was; other sessions are untouched",
    ),
    "read_only": Fault(
        "Read-only folder",
        "started on a data directory that cannot be written, with one worker and with two",
        "the server says so in one sentence and does not start",
    ),
    "damaged": Fault(
        "Damaged store",
        "the database file overwritten with something else",
        "the server says so in one sentence and does not start; it deletes nothing",
    ),
    "bad_world": Fault(
        "A broken world",
        "an installed world that cannot be imported, and a tool that raises in the middle of its writes",
        "the other worlds are served; 500 without internals, the tool's writes undone",
    ),
}


def fault(name: str) -> pytest.MarkDecorator:
    """Says which row of the table a test is."""
    assert name in FAULTS
    return pytest.mark.fault(name)
