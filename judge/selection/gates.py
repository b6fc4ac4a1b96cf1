"""The gates of a selection: what each one keeps, by name, and how they are written on a command line.

A gate looks at what the gates before it have left, so their order matters where they count (`per-task<=1`, `balance`).
"""

from __future__ import annotations

import hashlib
import math
import re
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from toolgym.judge.selection.candidate import Candidate
from toolgym.sandbox.kit.errors import BadInput, unknown

Reasons = Mapping[str, str]
"""By the candidate's name, why it does not go on."""

USUAL = "clean,no-user-fault"
_WRITTEN = re.compile(r"(?P<name>[a-z-]+)(?::(?P<of>[\w./-]+))?(?:(?P<sign><=|>=)(?P<bound>-?[0-9.]+))?")


class Gate(ABC):
    """One stage of a selection.

    Attributes:
        text: as it is written on the command line.
    """

    text: str

    @abstractmethod
    def stopped(self, left: Sequence[Candidate], seed: int) -> Reasons:
        """Which of those that are left stay behind, and why."""


@dataclass(frozen=True)
class Each(Gate):
    """Looks at each conversation alone; `why` says what is wrong with one, or None."""

    text: str
    why: Callable[[Candidate], str | None]

    def stopped(self, left: Sequence[Candidate], seed: int) -> Reasons:
        """Those with something wrong."""
        return {each.name: reason for each in left if (reason := self.why(each)) is not None}


@dataclass(frozen=True)
class PassRate(Gate):
    """Keeps tasks whose share of passed trials, over all that is left, lies on one side of a bound."""

    text: str
    fits: Callable[[float], bool]

    def stopped(self, left: Sequence[Candidate], seed: int) -> Reasons:
        """The conversations of tasks that are too easy or too hard."""
        trials = _grouped(left, lambda each: (each.task.domain, each.task.data, each.task.id))
        found: dict[str, str] = {}
        for group in trials.values():
            share = sum(each.passed for each in group) / len(group)
            if not self.fits(share):
                found |= {each.name: "its task's share of passed trials is outside" for each in group}
        return found


@dataclass(frozen=True)
class AtMost(Gate):
    """Keeps so many of each group, chosen by the seed."""

    text: str
    count: int
    of: Callable[[Candidate], object]
    noun: str

    def stopped(self, left: Sequence[Candidate], seed: int) -> Reasons:
        """What a group has beyond that number."""
        groups = _grouped((each for each in left if self.of(each) is not None), self.of).values()
        reason = f"this {self.noun} has {self.count} already"
        return {each.name: reason for group in groups for each in _shuffled(group, seed)[self.count :]}


@dataclass(frozen=True)
class Balance(Gate):
    """Keeps as many granted as refused of every rule whose tasks were drawn in pairs, lest one side be learnt blindly.

    Of a rule with one side only nothing is kept. Conversations about no such rule go on.
    """

    text: str = "balance"

    def stopped(self, left: Sequence[Candidate], seed: int) -> Reasons:
        """What one side of a rule has more than the other."""
        found: dict[str, str] = {}
        for rule, about in _grouped((each for each in left if each.rule), _rule_of).items():
            sides = _grouped(about, lambda each: each.rule and each.rule[1])
            least = min(len(side) for side in sides.values()) if len(sides) == 2 else 0
            for side in sides.values():
                found |= {each.name: f"the other side of {rule} has fewer" for each in _shuffled(side, seed)[least:]}
        return found


def _rule_of(each: Candidate) -> str:
    assert each.rule is not None
    return f"{each.task.domain}.{each.rule[0]}"


def parse_gates(text: str) -> list[Gate]:
    """The gates of a list such as `clean,turns<=20,reward:prove>=0.5,balance`, in their order.

    Raises:
        BadInput: there is no such gate, or a bound is missing or is none.
    """
    gates = [_parsed(part) for part in filter(None, (part.strip() for part in text.split(",")))]
    if not gates:
        raise BadInput(f"--gates takes a list such as {USUAL},turns<=20; got nothing.")
    return gates


def _parsed(text: str) -> Gate:
    match = _WRITTEN.fullmatch(text)
    name = match["name"] if match else re.split(r"[:<>=]", text)[0]
    if name not in GATES:
        raise unknown("gate", name, GATES)
    form = GATES[name]
    if match is None or bool(match["of"]) != ("NAME" in form) or not _signed(match["sign"], form):
        raise BadInput(f"The gate {name} is written {name}{form.split('  ')[0]}; got {text!r}.")
    try:
        bound = float(match["bound"]) if match["bound"] else math.nan
    except ValueError:
        raise BadInput(f"{match['bound']!r} in {text!r} is no number.") from None
    return _made(text, name, match["of"] or "", match["sign"] or "", bound)


def _signed(sign: str | None, form: str) -> bool:
    return sign in [each for each in ("<=", ">=") if each in form] if "=" in form else sign is None


GATES = {
    "pass": "  passed",
    "clean": "  passed and broke no rule",
    "no-user-fault": "  nothing is noted against the simulated user",
    "split": ":NAME  its task is of this split",
    "turns": "<=N  agent turns (or >=N)",
    "calls": "<=N  tool calls (or >=N)",
    "refused": "<=N  calls that a tool refused",
    "chars": "<=N  characters of all messages",
    "reward": ":NAME>=X  a reward's total in the run's scores (or <=X)",
    "worst-turn": ">=X  the lowest turn score, -1 to 1",
    "pass-rate": "<=X  the share of its task's trials that passed (or >=X)",
    "per-task": "<=N  conversations of one task",
    "per-family": "<=N  conversations of one family in one world",
    "per-rule": "<=N  conversations on one side of a rule drawn in pairs",
    "balance": "  of each such rule as many granted as refused",
}
"""How each gate is written after its name, and what it keeps."""

_COUNTED: Mapping[str, Callable[[Candidate], int]] = {
    "turns": lambda each: len(each.trajectory.turns()),
    "calls": lambda each: len(each.trajectory.reached),
    "refused": lambda each: sum(not call.ok for call in each.trajectory.reached),
    "chars": lambda each: sum(len(message.content or "") for message in each.trajectory.messages),
}
_CAPPED: Mapping[str, tuple[str, Callable[[Candidate], object]]] = {
    "per-task": ("task", lambda each: (each.task.domain, each.task.data, each.task.id)),
    "per-family": ("family", lambda each: (each.task.domain, each.task.family)),
    "per-rule": ("rule's side", lambda each: each.rule and (each.task.domain, *each.rule)),
}


def _made(text: str, name: str, of: str, sign: str, bound: float) -> Gate:
    if name in _CAPPED:
        noun, key = _CAPPED[name]
        if bound < 1 or bound != int(bound):
            raise BadInput(f"{text!r} takes a whole number of at least 1.")
        return AtMost(text, int(bound), key, noun)
    if name == "balance":
        return Balance()
    fits = _fits(sign, bound)
    if name == "pass-rate":
        return PassRate(text, fits)
    if name in _COUNTED:
        count, more = _COUNTED[name], "more" if sign == "<=" else "fewer"
        return Each(text, lambda each: None if fits(count(each)) else f"{name}: {more} than {bound:g}")
    return Each(text, _PLAIN[name](of, fits))


def _fits(sign: str, bound: float) -> Callable[[float], bool]:
    return lambda value: value <= bound if sign == "<=" else value >= bound


def _clean(each: Candidate) -> str | None:
    if each.clean:
        return None
    if not each.passed:
        return f"it failed ({each.trajectory.termination})"
    violations = each.verdict.violations
    return f"it broke a rule: {violations[0].kind.replace('_', ' ')}" if violations else "it did not tell all it had to"


def _reward(name: str, fits: Callable[[float], bool]) -> Callable[[Candidate], str | None]:
    def why(each: Candidate) -> str | None:
        result = each.score.get("rewards", {}).get(name)
        if result is None:
            return f"its run has no reward {name} for it (toolgym judge RUN computes it)"
        return None if fits(result["total"]) else f"its reward {name} is outside"

    return why


def _worst_turn(fits: Callable[[float], bool]) -> Callable[[Candidate], str | None]:
    def why(each: Candidate) -> str | None:
        turns = each.score.get("turns")
        if not turns:
            return "its turns are not judged (toolgym judge RUN judges them)"
        return None if fits(min(turns)) else "a turn of it is scored lower"

    return why


_PLAIN: Mapping[str, Callable[[str, Callable[[float], bool]], Callable[[Candidate], str | None]]] = {
    "pass": lambda of, fits: lambda each: None if each.passed else f"it failed ({each.trajectory.termination})",
    "clean": lambda of, fits: _clean,
    "no-user-fault": lambda of, fits: lambda each: each.user_fault,
    "split": lambda of, fits: lambda each: None if each.task.split == of else f"its split is {each.task.split}",
    "reward": _reward,
    "worst-turn": lambda of, fits: _worst_turn(fits),
}


def _grouped(left: Iterable[Candidate], key: Callable[[Candidate], object]) -> dict[object, list[Candidate]]:
    found: dict[object, list[Candidate]] = defaultdict(list)
    for each in left:
        found[key(each)].append(each)
    return found


def _shuffled(group: Sequence[Candidate], seed: int) -> list[Candidate]:
    """In an order that the seed decides, whatever order they came in."""
    return sorted(group, key=lambda each: share_of(f"{each.name}", seed))


def share_of(text: str, seed: int) -> float:
    """A number from 0 to 1 that depends on nothing but the text and the seed."""
    digest = hashlib.blake2b(f"{seed}:{text}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") / 2**64
