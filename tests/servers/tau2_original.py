"""tau2-bench's own tools beside ours: plays the same calls on both and pairs the outcomes.

tau2-bench runs in its own virtual environment through `tau2_driver.py`; nothing of it is imported here.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sandbox.session import Session
from sandbox.tool import ToolResult

Call = tuple[str, dict[str, Any]]

GENERAL_REASONS = {
    r"Tool '.*' not found": "unknown_tool",
    r"missing \d+ required|unexpected keyword|unhashable": "invalid_arguments",
    r"validation error|AttributeError|TypeError": "invalid_arguments",
}
"""What the toolkit, its libraries and the language say of a call, and the code that means the same here."""


@dataclass(frozen=True)
class Case:
    """One call on both sides.

    Attributes:
        name: the tool.
        arguments: as called.
        theirs: `{"value": ...}` or `{"error": "Type: text"}`.
        ours: the result.
        their_code: our code for their error; None when their call succeeded, "?" when the text is unknown.
        before: what our session showed before the call, see `play_both`.
    """

    name: str
    arguments: dict[str, Any]
    theirs: dict[str, Any]
    ours: ToolResult
    their_code: str | None
    before: Any

    @property
    def our_code(self) -> str | None:
        """Our refusal's code; None when the call succeeded."""
        return self.ours.error.code if self.ours.error else None

    @property
    def their_value(self) -> Any:
        """What theirs returned; a text of JSON as what it says."""
        value = self.theirs.get("value")
        return json.loads(value) if isinstance(value, str) and value.startswith("{") else value

    @property
    def both_done(self) -> bool:
        """Both calls succeeded."""
        return self.ours.ok and "value" in self.theirs

    @property
    def both_refused(self) -> bool:
        """Both calls were refused."""
        return not self.ours.ok and "error" in self.theirs

    @property
    def same(self) -> bool:
        """Equal values, or refusals for the same reason."""
        return bool(self.their_value == self.ours.value) if self.both_done else self.their_code == self.our_code

    def equal_with(self, **changes: Any) -> bool:
        """Both returned objects, and they are equal once these keys are set in theirs; None removes a key."""
        if not (self.both_done and isinstance(self.their_value, dict)):
            return False
        changed = {key: value for key, value in (self.their_value | changes).items() if value is not None}
        return bool(changed == self.ours.value)

    def __str__(self) -> str:
        left, right = json.dumps(self.theirs)[:1500], self.ours.text[:1500]
        return f"{self.name}({json.dumps(self.arguments)})\n  theirs: {left}\n  ours:   {right}"


def interpreter() -> str:
    """The interpreter of tau2-bench's own environment.

    Skips the test where there is none, except in CI, where it fails.
    """
    python = os.environ.get("TOOLGYM_TAU2_PYTHON", "")
    if not Path(python).is_file():
        reason = "TOOLGYM_TAU2_PYTHON names no interpreter of tau2-bench's own environment; `make test` makes one."
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)
    return python


def play_original(domain: str, sequences: Sequence[Sequence[Call]]) -> list[list[dict[str, Any]]]:
    """The outcomes of sequences of calls on tau2-bench's toolkit, each on the database as shipped."""
    python = interpreter()
    driver = str(Path(__file__).with_name("tau2_driver.py"))
    lines = "\n".join(json.dumps(sequence) for sequence in sequences)
    done = subprocess.run(
        [python, driver, domain],
        input=lines,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def play_both(
    domain: str, sequences: Sequence[Sequence[Call]], reasons: Mapping[str, str], look: Mapping[str, str]
) -> list[list[Case]]:
    """Sequences of calls on both sides.

    Args:
        domain: the world, on tau2-bench's data.
        sequences: what to play, each on fresh data.
        reasons: patterns of tau2-bench's error texts and our codes for them.
        look: an argument's name and the tool that shows what it names; `Case.before` is that tool's value.
    """
    cases = []
    for sequence, outcomes in zip(sequences, play_original(domain, sequences), strict=True):
        with Session(domain, data="tau2") as session:
            pairs = zip(sequence, outcomes, strict=True)
            cases.append([_both(session, *call, theirs, reasons, look) for call, theirs in pairs])
    return cases


def _both(
    session: Session,
    name: str,
    arguments: dict[str, Any],
    theirs: dict[str, Any],
    reasons: Mapping[str, str],
    look: Mapping[str, str],
) -> Case:
    before = None
    for argument, tool in look.items():
        if isinstance(arguments.get(argument), str):
            before = session.call(tool, {argument: arguments[argument]}).value
    code = None
    if "error" in theirs:
        known = {**reasons, **GENERAL_REASONS}
        code = next((meaning for text, meaning in known.items() if re.search(text, theirs["error"])), "?")
    return Case(name, arguments, theirs, session.call(name, arguments), code, before)
