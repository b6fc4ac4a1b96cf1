"""`toolgym view` as a process, for tests that look at it with a browser."""

import os
import re
import subprocess
import sys
from pathlib import Path

from forks import Command

HOSTILE = "<img src=x onerror=document.title='owned'>"
"""A name that would run a script wherever text is taken for HTML."""


class Viewer:
    """`toolgym view` as a process; `code` is what an interpreter runs where the program is changed first."""

    def __init__(self, folder: Path, *flags: str, code: str = "") -> None:
        self.folder = folder
        arguments, variables = ["view", str(folder), "--port", "0", *flags], os.environ | {"NO_COLOR": "1"}
        self.process: Command | subprocess.Popen[str]
        if code:
            command = [sys.executable, "-c", code, *arguments]
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=variables)
        else:
            self.process = Command(arguments, variables, stdout=None)
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
