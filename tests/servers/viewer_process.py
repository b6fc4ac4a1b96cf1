"""`toolgym view` as a process, for tests that look at it with a browser."""

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

HOSTILE = "<img src=x onerror=document.title='owned'>"
"""A name that would run a script wherever text is taken for HTML."""


class Viewer:
    """`toolgym view` as a process; `code` is what the interpreter runs in its place."""

    def __init__(self, folder: Path, *flags: str, code: Sequence[str] = ("-m", "toolgym")) -> None:
        self.folder = folder
        command = [sys.executable, *code, "view", str(folder), "--port", "0", *flags]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | {"NO_COLOR": "1"})
        assert self.process.stdout is not None
        self.said = self.process.stdout.readline()
        found = re.search(r"http://\S+", self.said)
        assert found, self.said
        self.address = found[0]

    def __enter__(self) -> "Viewer":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(600)
        assert self.process.stdout is not None
        self.process.stdout.close()
