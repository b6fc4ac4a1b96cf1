"""What the server counts, for Prometheus; over several workers the numbers are summed through a shared folder."""

from __future__ import annotations

import os
from pathlib import Path

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from prometheus_client import multiprocess as multi

SHARED = "PROMETHEUS_MULTIPROC_DIR"
"""prometheus_client reads this variable when it is imported first: the parent of the workers sets it."""

_PROCESS = {
    "process_resident_memory_bytes": "Resident memory of all workers",
    "process_open_fds": "Open file descriptors of all workers",
}
_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)


class Metrics:
    """One worker's counters."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter("toolgym_requests_total", "HTTP requests", ["door", "status"], registry=self.registry)
        self._seconds = Histogram(
            "toolgym_request_seconds", "Seconds to answer", ["door"], buckets=_SECONDS, registry=self.registry
        )
        calls = Counter("toolgym_calls_total", "Tool calls", ["outcome"], registry=self.registry)
        self.open_sessions = Gauge(
            "toolgym_open_sessions",
            "Open sessions in the store",
            registry=self.registry,
            multiprocess_mode="mostrecent",
        )
        self.resident = Gauge(
            "toolgym_resident_sessions", "Sessions held in memory", registry=self.registry, multiprocess_mode="livesum"
        )
        self._store = Gauge(
            "toolgym_store_bytes",
            "Bytes of the store's files",
            registry=self.registry,
            multiprocess_mode="mostrecent",
        )
        self._process = ProcessCollector(registry=CollectorRegistry())
        self._of_process = {
            name: Gauge(name, what, registry=self.registry, multiprocess_mode="livesum")
            for name, what in _PROCESS.items()
        }
        self._cache: dict[tuple[str, int], tuple[Counter, Histogram]] = {}
        self._call_counters = {outcome: calls.labels(outcome) for outcome in ("ok", "refused")}

    def request(self, door: str, status: int, seconds: float) -> None:
        """Count a request; `door` is rest, call, mcp or socket."""
        kept = self._cache.get((door, status))
        if kept is None:
            kept = self._cache[door, status] = self._requests.labels(door, str(status)), self._seconds.labels(door)
        kept[0].inc()
        kept[1].observe(seconds)

    def call(self, outcome: str) -> None:
        """Count a tool call; `outcome` is ok or refused."""
        self._call_counters[outcome].inc()

    def measure(self, store: Path) -> None:
        """Look at the process and at the store's files; prometheus_client does not by itself over several processes."""
        for family in self._process.collect():
            if family.name in self._of_process:
                self._of_process[family.name].set(family.samples[0].value)
        self._store.set(sum(path.stat().st_size for path in store.parent.glob(f"{store.name}*")))

    def page(self) -> tuple[bytes, str]:
        """The page that Prometheus scrapes, and its content type."""
        registry = self.registry
        if SHARED in os.environ:
            registry = CollectorRegistry()
            multi.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry), CONTENT_TYPE_LATEST


def forget_worker(pid: int | None) -> None:
    """Take a dead worker's gauges out of the sum; its counters stay."""
    multi.mark_process_dead(pid)  # type: ignore[no-untyped-call]
