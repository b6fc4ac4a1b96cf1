"""Many sessions at once against one server, every answer compared with a twin of the session in this process.

As a program: python tests/servers/soak.py --sessions 1000 --calls 100000
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import interfaces
from call_sequences import Generator
from sandbox_server import TOOLGYM, SandboxServer

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session

THREADS = 8


@dataclass
class Outcome:
    """What a soak came to.

    Attributes:
        calls: that were made.
        violations: answers and final states that differ from those of the twins.
        seconds: from the first call to the last.
        memory: bytes that the server held: before, with every session open and used, after closing all.
    """

    calls: int = 0
    violations: list[str] = field(default_factory=list)
    seconds: float = 0.0
    memory: tuple[int, int, int] = (0, 0, 0)

    def __str__(self) -> str:
        before, most, after = (round(size / 1e6) for size in self.memory)
        return (
            f"{self.calls:,} calls in {self.seconds:.0f} s, {len(self.violations)} violations of isolation; memory "
            f"{before} MB before, {most} MB with all sessions open, {after} MB after closing them"
        )


class Share(threading.Thread):
    """One client's share of the sessions, called in random order over one connection."""

    def __init__(self, url: str, worlds: list[Domain], calls: int, rng: random.Random) -> None:
        super().__init__(daemon=True)
        self._http, self._calls, self._rng = interfaces.RawHTTP(url), calls, rng
        self._generators = {domain.name: Generator(domain, rng) for domain in worlds}
        self._open: list[tuple[str, Session]] = []
        for domain in worlds:
            seed = rng.randrange(2**31)
            body = {"domain": domain.name, "seed": seed}
            opened = json.loads(self._http.ask("POST", "/sessions", body)[1])
            self._open.append((f"/sessions/{opened['id']}", Session(domain, seed=seed)))
        self.calls, self.violations = 0, list[str]()

    def run(self) -> None:
        """Call, compare."""
        while self.calls < self._calls:
            path, twin = self._rng.choice(self._open)
            for call in self._generators[twin.domain.name].sequence():
                expected = interfaces.result_bytes(twin.call(call.name, call.arguments))
                _, got = self._http.ask("POST", f"{path}/{twin.domain.name}/{call.name}", call.arguments)
                self.calls += 1
                if got != expected:
                    self.violations.append(f"{call}: {got[:200]!r}, in process {expected[:200]!r}")

    def finish(self) -> None:
        """Compare the final states, and close."""
        self._http.close()  # the server has closed it meanwhile, if others took long to come to their end
        for path, twin in self._open:
            if self._http.digest(path) != twin.digest():
                self.violations.append(f"the state of {path}")
            self._http.ask("DELETE", path)
            twin.close()
        self._http.close()


def soak(server: SandboxServer, *, sessions: int, calls: int, retail: float, seed: int = 0) -> Outcome:
    """Open all sessions, call them from several threads, compare, close.

    Args:
        server: what to call.
        sessions: open at the same time.
        calls: in all.
        retail: the share of sessions in the retail world, whose copies are a thousand times larger than the kiosk's.
        seed: of all chance.
    """
    kiosk, shop = get_domain("kiosk"), get_domain("retail")
    worlds = [shop if number < retail * sessions else kiosk for number in range(sessions)]
    before = server.memory()
    shares = [
        Share(server.url, worlds[number::THREADS], calls // THREADS, random.Random(seed * 100 + number))
        for number in range(THREADS)
    ]
    started = time.monotonic()
    for share in shares:
        share.start()
    for share in shares:
        share.join()
    seconds, most = time.monotonic() - started, server.memory()
    for share in shares:
        share.finish()
    return Outcome(
        calls=sum(share.calls for share in shares),
        violations=[violation for share in shares for violation in share.violations],
        seconds=seconds,
        memory=(before, most, _settled(server)),
    )


def _settled(server: SandboxServer) -> int:
    """The server's memory once its housekeeping, which looks every two seconds, has given back what is free."""
    time.sleep(6)
    return server.memory()


def main() -> None:
    """The whole soak, three times in a row: memory must not grow from one to the next."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=1000)
    parser.add_argument("--calls", type=int, default=100_000)
    parser.add_argument("--retail", type=float, default=0.5)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, SandboxServer(Path(folder) / "data", code=TOOLGYM[2]) as server:
        for number in range(asked.rounds):
            done = soak(server, sessions=asked.sessions, calls=asked.calls, retail=asked.retail, seed=number)
            print(f"round {number + 1}: {asked.sessions} sessions, {done}", flush=True)
            for violation in done.violations[:10]:
                print(" ", violation)


if __name__ == "__main__":
    main()
