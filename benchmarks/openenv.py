"""Steps a second over OpenEnv, by its official client: this server beside a bare OpenEnv echo environment, in one run.

    python benchmarks/openenv.py --openenv .venv-openenv/bin/python          # 256 sessions at once
    python benchmarks/openenv.py --openenv PYTHON --sessions 16 --steps 20

Both servers have one process and are driven by one process of clients, in turn. A step here is a tool call of a retail
session, kept in the server's store; there it is an echo.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

import httpx2
from rich.console import Console
from rich.progress import track
from rich.table import Table

ECHO = """
import sys
import uvicorn
from openenv.core.env_server import Action, Environment, Observation, State, create_fastapi_app

class Said(Action):
    message: str

class Heard(Observation):
    message: str = ""

class Echo(Environment):
    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self):
        super().__init__()
        self._state = State()

    def reset(self, seed=None, episode_id=None, **more):
        return Heard(message="", done=False, reward=0.0)

    def step(self, action, timeout_s=None, **more):
        return Heard(message=action.message, done=False, reward=0.0)

    @property
    def state(self):
        return self._state

app = create_fastapi_app(Echo, Said, Heard, max_concurrent_envs=1000)
uvicorn.run(app, port=int(sys.argv[1]), log_level="error")
"""
CLIENTS = """
import asyncio, json, sys, time
from openenv import GenericEnvClient

async def one(url, steps, action, barrier, took):
    async with GenericEnvClient(base_url=url, connect_timeout_s=120, message_timeout_s=120) as env:
        await env.reset(seed=1)
        await barrier.wait()
        for _ in range(steps):
            began = time.perf_counter()
            await env.step(action)
            took.append(time.perf_counter() - began)

async def main(url, sessions, steps, action):
    barrier, took = asyncio.Barrier(sessions + 1), []
    tasks = [asyncio.create_task(one(url, steps, action, barrier, took)) for _ in range(sessions)]
    await barrier.wait()
    began = time.perf_counter()
    await asyncio.gather(*tasks)
    took.sort()
    print(json.dumps({"seconds": time.perf_counter() - began, "p50": took[len(took) // 2], "steps": len(took)}))

url, sessions, steps, action = json.loads(sys.argv[1])
asyncio.run(main(url, sessions, steps, action))
"""
ECHO_PORT, OWN_PORT = 18_731, 18_732


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--openenv", required=True, metavar="PYTHON", help="interpreter with openenv installed")
    parser.add_argument("--sessions", type=int, default=256, help="at once (default: 256)")
    parser.add_argument("--steps", type=int, default=20, help="each (default: 20)")
    parser.add_argument("--rounds", type=int, default=3, help="of both in turn (default: 3)")
    return parser.parse_args()


def measured(given: argparse.Namespace, url: str, action: Mapping[str, object]) -> dict[str, float]:
    """One round of clients."""
    asked = json.dumps([url, given.sessions, given.steps, action])
    done = subprocess.run(
        [given.openenv, "-P", "-c", CLIENTS, asked], stdout=subprocess.PIPE, text=True, check=True, timeout=600
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def wait_for(url: str) -> None:
    """Wait until a server answers."""
    for _ in range(600):
        try:
            if httpx2.get(url).status_code == 200:
                return
        except httpx2.TransportError:
            time.sleep(0.2)
    sys.exit(f"Nothing answers at {url}.")


def main() -> None:
    """Measure and print."""
    given, console = arguments(), Console()
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "echo.py"
        script.write_text(ECHO, encoding="utf-8")
        own = [sys.executable, "-P", "-m", "toolgym", "serve", "--port", str(OWN_PORT), "--data-dir", folder]
        servers = [
            subprocess.Popen([given.openenv, "-P", str(script), str(ECHO_PORT)]),
            subprocess.Popen(own, stderr=subprocess.DEVNULL),
        ]
        try:
            wait_for(f"http://127.0.0.1:{ECHO_PORT}/health")
            wait_for(f"http://127.0.0.1:{OWN_PORT}/openenv/retail/health")
            echo = f"http://127.0.0.1:{ECHO_PORT}", {"message": "Hello"}
            here = (
                f"http://127.0.0.1:{OWN_PORT}/openenv/retail",
                {"name": "get_user_details", "arguments": {"user_id": "x"}},
            )
            measured(given, *here)  # the world is loaded
            rounds = [(measured(given, *echo), measured(given, *here)) for _ in track(range(given.rounds))]
        finally:
            for server in servers:
                server.terminate()
                server.wait()
    table = Table(
        title=f"{given.sessions} sessions at once, {given.steps} steps each; {os.cpu_count()} cores, "
        f"Python {platform.python_version()}"
    )
    for column in ("round", "echo, steps/s", "toolgym, steps/s", "ratio", "echo p50, ms", "toolgym p50, ms"):
        table.add_column(column, justify="right")
    for number, (other, mine) in enumerate(rounds, start=1):
        rates = [each["steps"] / each["seconds"] for each in (other, mine)]
        table.add_row(
            str(number), f"{rates[0]:,.0f}", f"{rates[1]:,.0f}", f"{rates[1] / rates[0]:.2f}",
            f"{other['p50'] * 1000:.1f}", f"{mine['p50'] * 1000:.1f}",
        )  # fmt: skip
    console.print(table)


if __name__ == "__main__":
    main()
