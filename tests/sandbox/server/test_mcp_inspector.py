"""The MCP Inspector, built on the TypeScript SDK, holds every result to its tool's schema: it reads ours.

Installed from npm on the first run, in pytest's cache; the version asks for node 22 and runs on 20.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from toolgym_server import Running

INSPECTOR = "@modelcontextprotocol/inspector@2.12.0"
INSTALL_ATTEMPTS = 3  # a registry may fail once
REFUSAL = {"code": "ticket_not_found", "message": "There is no ticket T999; ids look like T101."}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("inspector"),  # installed once
    pytest.mark.skipif(shutil.which("npm") is None or shutil.which("node") is None, reason="needs node and npm"),
]


@pytest.fixture(scope="module")
def inspector(pytestconfig: pytest.Config) -> Path:
    """Its entry, for node. What is found in the cache is whole: an installation takes its name when it is done."""
    assert pytestconfig.cache is not None
    folder = pytestconfig.cache.mkdir("inspector")
    done = folder / INSPECTOR.rpartition("/")[2]
    for _ in range(INSTALL_ATTEMPTS):
        if not done.exists():
            failed = _install(Path(tempfile.mkdtemp(dir=folder)), done)
    if not done.exists():
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"npm cannot install it: {failed[-300:]}")
    return done / "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"


def _install(into: Path, done: Path) -> str:
    """Install into a folder of its own; what npm says of a failure."""
    command = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(into), INSPECTOR]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    if ended.returncode:
        shutil.rmtree(into, ignore_errors=True)
        return ended.stderr
    into.rename(done)
    return ""


def call(inspector: Path, *target: str, tool: str, **arguments: str) -> dict[str, Any]:
    """A call's result as the Inspector prints it; it prints none where it finds the answer broken."""
    given = [part for name, value in arguments.items() for part in ("--tool-arg", f"{name}={value}")]
    command = ["node", str(inspector), "--cli", *target, "--method", "tools/call", "--tool-name", tool, *given]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.stdout, done.stderr
    return dict(json.loads(done.stdout))


@pytest.mark.parametrize("transport", ["http", "stdio"])
def test_a_refusal_is_read_as_one(inspector: Path, server: Running, transport: str, tmp_path: Path) -> None:
    target = [f"{server.url}{server.open('kiosk')}/mcp", "--transport", "http"]
    if transport == "stdio":
        command = tmp_path / "server"
        code = "import sys; from toolgym.cli import main; sys.exit(main())"
        command.write_text(f"#!/bin/sh\nexec {sys.executable} -c '{code}' mcp kiosk\n", encoding="utf-8")
        command.chmod(0o755)
        target = [str(command)]
    refused = call(inspector, *target, tool="reserve_ticket", ticket_id="T999", holder="Ada Moreau")
    assert refused["isError"] and "structuredContent" not in refused
    assert refused["content"][0]["text"] == f"Error: {REFUSAL['message']} [{REFUSAL['code']}]"
    assert refused["_meta"]["toolgym/error"] == REFUSAL


def test_a_result_is_read_with_its_schema(inspector: Path, server: Running) -> None:
    target = [f"{server.url}{server.open('kiosk')}/mcp", "--transport", "http"]
    found = call(inspector, *target, tool="find_tickets", holder="Ada Moreau")
    assert found["structuredContent"]["result"] and not found.get("isError")
