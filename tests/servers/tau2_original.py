"""tau2-bench's own tools beside ours: plays the same calls on both, pairs the outcomes, and explains differences.

tau2-bench runs in its own virtual environment through `tau2_driver.py`; nothing of it is imported here. What is known
of one domain is in `tests/differential/`.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from toolgym.sandbox.kit.message import Party, ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.tool import ToolResult
from toolgym.sandbox.runtime.session import Session


class Call(NamedTuple):
    """One call of either side."""

    name: str
    arguments: dict[str, Any]
    by: Party = "agent"


class Play(NamedTuple):
    """Calls in turn on a fresh world, prepared by set-up calls of tau2-bench's form: side, function, arguments."""

    calls: Sequence[Call]
    setup: Sequence[tuple[str, str, dict[str, Any]]] = ()


GENERAL_REASONS = {
    r"Tool '.*' not found": "unknown_tool",
    r"missing \d+ required|unexpected keyword|unhashable|multiple values for": "invalid_arguments",
    r"validation error|AttributeError|TypeError": "invalid_arguments",
}
"""What the toolkit, its libraries and the language say of a call, and the code that means the same here."""


@dataclass(frozen=True)
class Case:
    """One call on both sides.

    Attributes:
        call: what was called.
        theirs: `{"value": ...}` or `{"error": "Type: text"}`.
        ours: the result.
        their_code: our code for their error; None when their call succeeded, "?" when the text is unknown.
        their_value, our_value: what both returned, in one form; None when refused.
        before: what our session showed before the call, see `World.look`.
        their_state, our_state: the world after the call on both sides, in one form; None where none is compared.
    """

    call: Call
    theirs: dict[str, Any]
    ours: ToolResult
    their_code: str | None
    their_value: Any
    our_value: Any
    before: Any
    their_state: Any = None
    our_state: Any = None

    @property
    def name(self) -> str:
        """The tool."""
        return self.call.name

    @property
    def arguments(self) -> dict[str, Any]:
        """As called."""
        return self.call.arguments

    @property
    def our_code(self) -> str | None:
        """Our refusal's code; None when the call succeeded."""
        return self.ours.error.code if self.ours.error else None

    @property
    def both_done(self) -> bool:
        """Both calls succeeded."""
        return self.ours.ok and self.their_code is None

    @property
    def both_refused(self) -> bool:
        """Both calls were refused."""
        return not self.ours.ok and self.their_code is not None

    @property
    def same(self) -> bool:
        """Equal values, or refusals for the same reason, and equal worlds after it."""
        told = self.their_value == self.our_value if self.both_done else self.their_code == self.our_code
        return bool(told) and bool(self.their_state == self.our_state)

    def __str__(self) -> str:
        left, right = json.dumps(self.theirs)[:1500], self.ours.text[:1500]
        lines = [f"{self.name}({json.dumps(self.arguments)})", f"  theirs: {left}", f"  ours:   {right}"]
        if self.their_state != self.our_state:
            lines += [f"  {key}: {one!r} there, {other!r} here" for key, one, other in self.state_differences()]
        return "\n".join(lines)

    def state_differences(self) -> list[tuple[str, Any, Any]]:
        """The entries of the state that differ: name, theirs, ours."""
        theirs, ours = self.their_state or {}, self.our_state or {}
        names = dict.fromkeys([*theirs, *ours])
        return [(name, theirs.get(name), ours.get(name)) for name in names if theirs.get(name) != ours.get(name)]


def _read(tool: str, value: Any) -> Any:
    """A result of theirs; text of JSON as what it says."""
    return json.loads(value) if isinstance(value, str) and value.startswith("{") else value


def _nothing(case: Case) -> set[str]:
    return set()


@dataclass(frozen=True)
class World:
    """What is known of a domain's two implementations.

    Attributes:
        domain: its name.
        reasons: patterns of tau2-bench's error texts and our codes for them.
        corrections: by the name of an intended difference: what their value would be without it.
        outcomes: by the name of an intended difference: whether this case is one, where not only the value differs.
        look: an argument's name and the tool that shows what it names; `Case.before` is that tool's value.
        forms: a result of theirs and one of ours, by the tool's name, in one form.
        worded: refusals that tau2-bench returns as an ordinary text: patterns and our codes for them.
        states: both sides' state in one form, from tau2-bench's two databases and from our session.
        depends: what a call's outcome depends on.
        leaves: what a call leaves unequal, given the intended differences in it; later calls that depend on it are not
            compared.
    """

    domain: str
    reasons: Mapping[str, str]
    corrections: Mapping[str, Callable[[Case, Any], Any]]
    outcomes: Mapping[str, Callable[[Case], bool]]
    look: Mapping[str, str] = field(default_factory=dict)
    forms: tuple[Callable[[str, Any], Any], Callable[[str, Any], Any]] = (_read, lambda tool, value: value)
    worded: Mapping[str, str] = field(default_factory=dict)
    states: tuple[Callable[[Any], Any], Callable[[Session], Any]] | None = None
    depends: Callable[[Case], set[str]] = _nothing
    leaves: Callable[[Case, set[str]], set[str]] = lambda case, names: set()

    def explain(self, case: Case) -> set[str]:
        """The intended differences that make up this one; none when they do not."""
        if case.both_done and case.their_state == case.our_state:
            value, names = case.their_value, set()
            for name, correct in self.corrections.items():
                corrected = correct(case, value)
                names |= {name} if corrected != value else set()
                value = corrected
            if value == case.our_value:
                return names
        return {name for name, holds in self.outcomes.items() if holds(case)}

    def compared(self, cases: Iterable[Case]) -> Iterator[Case]:
        """The cases of a play that met equal worlds on both sides."""
        unequal: set[str] = set()
        for case in cases:
            if self.depends(case) & unequal:
                unequal |= set() if case.same else self.leaves(case, {"unequal before"})
                continue
            yield case
            unequal |= self.leaves(case, set() if case.same else self.explain(case))

    def play(self, plays: Sequence[Play]) -> list[list[Case]]:
        """Each play on both sides, each on a fresh world."""
        found = []
        for play, outcomes in zip(plays, self._theirs(plays), strict=True):
            setup = tuple(ToolCall(name=function, arguments=arguments) for _, function, arguments in play.setup)
            task = Task(id="play", domain=self.domain, data="tau2", setup=setup)
            with Session(self.domain, task=task) as session:
                state: Any = None
                cases = []
                for call, theirs in zip(play.calls, outcomes, strict=True):
                    state = theirs.pop("state", None) or state
                    cases.append(self._case(session, call, theirs, state))
                found.append(cases)
        return found

    def _theirs(self, plays: Sequence[Play]) -> list[list[dict[str, Any]]]:
        driver = str(Path(__file__).with_name("tau2_driver.py"))
        watch = self.states is not None
        lines = [json.dumps({"setup": play.setup, "calls": play.calls, "watch": watch}) for play in plays]
        done = subprocess.run(
            [interpreter(), driver, self.domain],
            input="\n".join(lines),
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=900,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    def _case(self, session: Session, call: Call, theirs: dict[str, Any], state: Any) -> Case:
        before = None
        for argument, tool in self.look.items():
            if isinstance(call.arguments.get(argument), str):
                before = session.call(tool, {argument: call.arguments[argument]}).value
        code = self._their_code(theirs)
        value = None if code is not None else self.forms[0](call.name, theirs["value"])
        ours = session.call(call.name, call.arguments, by=call.by)
        our_value = self.forms[1](call.name, ours.value) if ours.ok else None
        states = (None, None) if self.states is None else (self.states[0](state), self.states[1](session))
        return Case(call, theirs, ours, code, value, our_value, before, *states)

    def _their_code(self, theirs: dict[str, Any]) -> str | None:
        if "error" in theirs:
            known = {**self.reasons, **GENERAL_REASONS}
            return next((meaning for text, meaning in known.items() if re.search(text, theirs["error"])), "?")
        text = theirs["value"] if isinstance(theirs["value"], str) else ""
        return next((meaning for pattern, meaning in self.worded.items() if re.search(pattern, text)), None)

    # --- what every differential test asserts ---

    def unexplained(self, cases: Iterable[Case]) -> list[str]:
        """The differences that nobody meant."""
        return [str(case) for case in cases if not case.same and not self.explain(case)]

    def seen(self, cases: Iterable[Case]) -> Counter[str]:
        """How often each intended difference occurs."""
        return Counter(name for case in cases if not case.same for name in self.explain(case))

    def undocumented(self) -> list[str]:
        """The intended differences that the domain's page does not name in bold."""
        page = Path(__file__).parents[2] / "docs" / f"{self.domain}.md"
        text = page.read_text(encoding="utf-8").lower()
        return [name for name in (*self.corrections, *self.outcomes) if f"**{name}**" not in text]

    def gold_differences(self, tasks: Sequence[Task], plays: Sequence[Play]) -> dict[str, set[str]]:
        """By the name of a difference, the tasks whose gold run meets it."""
        found: dict[str, set[str]] = {}
        for task, cases in zip(tasks, self.play(plays), strict=True):
            for case in self.compared(cases):
                if not case.same:
                    for name in self.explain(case) or {f"unexplained: {case}"}:
                        found.setdefault(name, set()).add(task.id)
        return found


def interpreter() -> str:
    """The interpreter of tau2-bench's own environment.

    Skips the test where there is none, except in CI, where it fails.
    """
    python = os.environ.get("TOOLGYM_TAU2_PYTHON", "")
    if not Path(python).is_file():
        reason = "TOOLGYM_TAU2_PYTHON names no interpreter of tau2-bench's own environment; `make test` makes one."
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)
    return python
