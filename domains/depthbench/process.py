"""Runs DepthBench's tools: the checkout's code in a Python of its own, without network, files to write or our secrets.

One process serves all sessions: the tools only look things up.
"""

from __future__ import annotations

import os
from pathlib import Path

from toolgym.sandbox.kit.errors import Refusal
from toolgym.sandbox.kit.foreign_process import ForeignProcess
from toolgym.sandbox.kit.message import Json

_SERVER = Path(__file__).with_name("serve.py")


class ToolProcess:
    """The process of a checkout's tools; it starts with the first call.

    Args:
        checkout: the checkout's folder.
    """

    def __init__(self, checkout: Path) -> None:
        found = {"PYTHONPATH": os.environ["PYTHONPATH"]} if "PYTHONPATH" in os.environ else {}
        self._process = ForeignProcess("DepthBench's tools", _SERVER, [str(checkout)], found, folder=checkout)

    def check(self) -> None:
        """Start the tools, so that nothing is played where they cannot be run.

        Raises:
            ConfigurationError: they cannot; the sentence says why.
        """
        self._process.start()

    def call(self, name: str, arguments: dict[str, Json]) -> Json:
        """What a tool returns.

        Raises:
            Refusal: code `tool_error`; its code raised an exception.
            ConfigurationError: the tools cannot be run here.
            InfrastructureError: the process died or hung; the next call starts another.
        """
        answer = self._process.answer({"tool": name, "arguments": arguments}, "tool")
        if "error" in answer:
            raise Refusal("tool_error", f"{name} failed: {answer['error']}")
        return answer["value"]
