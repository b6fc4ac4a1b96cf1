"""Somebody else's code in a Python of its own: one request and one answer a line, in JSON.

What it raises comes back as a sentence; where it dies or hangs it is started again for the next request. Neither is
ever a score. Keys of endpoints are not handed on to it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from multiprocessing.connection import wait
from pathlib import Path
from typing import IO, Any

from toolgym.sandbox.kit.errors import Boundary, ConfigurationError, InfrastructureError

SECONDS = 60.0
"""How long it may take for its start or for an answer."""
_LONGEST = 64_000_000
"""Bytes of an answer: more is a program that does not come to an end."""
_KEPT = ("PATH", "SYSTEMROOT", "LD_LIBRARY_PATH", "TMPDIR", "TEMP")
"""What of the environment is handed on."""
_TOLD = 600
"""Characters of its last words that are told when it dies."""


class ForeignProcess:
    """A program that answers requests; it starts with the first one.

    Args:
        title: what people know it by.
        program: the Python file to run.
        arguments: of it.
        environment: variables that it needs.
        python: which Python runs it.
        folder: where it runs; ours where none is given.
    """

    def __init__(
        self,
        title: str,
        program: Path,
        arguments: Sequence[str],
        environment: Mapping[str, str] | None = None,
        python: str = sys.executable,
        folder: Path | None = None,
    ) -> None:
        self.title = title
        self._command = [python, "-P", "-B", str(program), *arguments]
        self._environment = dict(environment or {})
        self._folder = folder
        self._lock = threading.Lock()
        self._running: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._said: IO[bytes] | None = None
        self.starts = 0

    def ask(self, request: Mapping[str, Any], boundary: Boundary = "judge") -> Any:
        """What it answers.

        Args:
            request: any JSON object; what it means is between the program and its adapter.
            boundary: where a failure is counted.

        Raises:
            ConfigurationError: it cannot be started here; the sentence says what is missing.
            InfrastructureError: its code raised an exception, died or hung.
        """
        answer = self.answer(request, boundary)
        if "error" in answer:
            raise InfrastructureError(boundary, f"{self.title} failed: {answer['error']}")
        return answer["value"]

    def answer(self, request: Mapping[str, Any], boundary: Boundary) -> dict[str, Any]:
        """What it answers, as it stands: its `value`, or the `error` that its code raised.

        Raises:
            ConfigurationError: it cannot be started here; the sentence says what is missing.
            InfrastructureError: it died or hung.
        """
        with self._lock:
            self._start()
            return self._exchange(json.dumps(request), boundary)

    def start(self) -> None:
        """Start it, so that nothing is begun where it cannot be run.

        Raises:
            ConfigurationError: it cannot; the sentence says what is missing.
        """
        with self._lock:
            self._start()

    def _start(self) -> None:
        if self._running is not None and self._owner == os.getpid() and self._running.poll() is None:
            return
        self._give_up()
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        pipe, self._said = subprocess.PIPE, tempfile.TemporaryFile()  # noqa: SIM115  # it lives as long as the process
        environment = kept | {"PYTHONHASHSEED": "0", "PYTHONIOENCODING": "utf-8"} | self._environment
        process = subprocess.Popen(
            self._command, stdin=pipe, stdout=pipe, stderr=self._said, env=environment, cwd=self._folder
        )
        self._running, self._owner = process, os.getpid()
        self.starts += 1
        weakref.finalize(self, _end, process, self._owner)
        said = self._exchange("{}", "configuration")
        if "broken" in said:
            self._give_up()
            raise ConfigurationError(f"{self.title} cannot be run: {said['broken']}")

    def _exchange(self, line: str, boundary: Boundary) -> dict[str, Any]:
        process = self._running
        assert process is not None and process.stdin is not None and process.stdout is not None
        try:
            process.stdin.write(line.encode() + b"\n")
            process.stdin.flush()
            answer = _line(process.stdout)
            what = "died"
        except TimeoutError:
            answer, what = b"", f"gave no answer within {SECONDS:g} s"
        except OSError:
            answer, what = b"", "died"
        if len(answer) > _LONGEST:
            answer, what = b"", "gave an answer that does not end"
        if answer.endswith(b"\n"):
            with suppress(ValueError, TypeError, RecursionError):
                return dict(json.loads(answer))
            what = "answered with something else than a JSON object"
        last = f": {self._last_words()}" if what == "died" else ""
        self._give_up()
        raise InfrastructureError(boundary, f"{self.title} {what}{last}.")

    def _last_words(self) -> str:
        if self._said is None:
            return ""
        self._said.seek(0)
        text = self._said.read().decode("utf-8", "replace").strip()
        return " ".join(text[-_TOLD:].split()) or "it said nothing"

    def _give_up(self) -> None:
        process, self._running = self._running, None
        said, self._said = self._said, None
        if said is not None:
            said.close()
        if process is not None:
            _end(process, self._owner)

    def close(self) -> None:
        """End it; the next request starts it again."""
        with self._lock:
            self._give_up()


def _line(pipe: IO[bytes]) -> bytes:
    """A line, all of it in time (TimeoutError); what there is of it where the pipe ends or the line does not."""
    until, parts, size = time.monotonic() + SECONDS, [b""], 0
    while not parts[-1].endswith(b"\n") and size <= _LONGEST:
        if not wait([pipe.fileno()], max(0.0, until - time.monotonic())):
            raise TimeoutError
        part = os.read(pipe.fileno(), 1 << 20)
        if not part:
            break
        parts.append(part)
        size += len(part)
    return b"".join(parts)


def _end(process: subprocess.Popen[bytes], owner: int) -> None:
    if os.getpid() != owner:  # a copy of the process that started it is ending
        return
    process.kill()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    process.wait()
