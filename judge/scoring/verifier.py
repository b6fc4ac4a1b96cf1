"""The rule-based verifier: did this trajectory do what its task wanted? A pure function of the recorded trajectory.

Two bases, both always computed. `state` (default): the rows that the episode changed are the rows that the gold calls
change. `writes` (TARL section 2.1): the successful write calls are the gold write calls. On both a task's alternatives
count as its gold calls do; columns that it leaves open are open to `state` alone: calls do not name them. What had to
be communicated is checked and reported apart, and counts where nothing had to be written, so that doing nothing passes
no task in which something was to be done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from toolgym.judge.benchmarks.contract import is_foreign
from toolgym.judge.scoring.communication import Told, told
from toolgym.judge.scoring.conduct import violations
from toolgym.judge.scoring.conduct.scene import scene_of
from toolgym.judge.scoring.normal_calls import are_same, normal_call
from toolgym.judge.scoring.violations import Violation
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.telling import Telling
from toolgym.sandbox.language.text_match import mentions_all
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.foreign_domain import ForeignDomain
from toolgym.sandbox.runtime.program import answered
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.synthesis.proof.answer import right_answer
from toolgym.sandbox.synthesis.proof.end_state import ends_right
from toolgym.sandbox.synthesis.proof.replay import gold_of, hands_over, right_ends

Basis = Literal["state", "writes"]
ORDERLY = frozenset({"user_stop", "agent_stop", "transfer"})
"""Endings after which an episode can count as passed; a conversation that was cut off cannot."""
_PUBLISHED = ("state", "writes", "communicate", "assertions", "handed_over", "needs_write", "orderly")
"""The checks that scores of recorded runs hold."""


@dataclass(frozen=True)
class Verdict:
    """What the verifier found. What was said and done on the way is read from the record when it is asked for.

    Attributes:
        state: the changed rows equal the gold run's, or an alternative's.
        writes: the successful write calls equal the gold run's, or an alternative's.
        communicate: every text that had to be said was said, by its characters; None where nothing had to be.
        assertions: every assertion about the end state holds, and no row of a distractor's world changed; None where
            the task has none.
        handed_over: the conversation was handed over as the gold run does; None where it does not.
        answer: a program came to the task's answer; None where something is written, and in conversations.
        needs_write: the gold run changes rows.
        orderly: the conversation came to its own end.
        trajectory: what was judged.
    """

    state: bool
    writes: bool
    communicate: bool | None
    assertions: bool | None
    handed_over: bool | None
    needs_write: bool
    orderly: bool
    answer: bool | None
    trajectory: Trajectory = field(repr=False, compare=False)

    @property
    def told(self) -> bool | None:
        """What had to be told was told, by its meaning, and what had to be refused was looked up and refused.

        None where nothing had to be. In others' data the same as `communicate`.
        """
        return self._told.all

    @property
    def reason_given(self) -> bool | None:
        """The reason of every refusal was given; None where nothing had to be refused."""
        return self._told.reasons

    @cached_property
    def violations(self) -> tuple[Violation, ...]:
        """What the agent did against the rules of its world (see `toolgym.judge.scoring.conduct`)."""
        return violations(self.trajectory)

    @cached_property
    def _told(self) -> Told:
        trajectory = self.trajectory
        if trajectory.by_program or not trajectory.task.is_own:
            return Told(self.communicate, None)
        return told(scene_of(trajectory).conversation)

    @property
    def clean(self) -> bool:
        """Passed, by state, and by good conduct."""
        return self.passed() and self.well_conducted

    @property
    def well_conducted(self) -> bool:
        """Whether everything was told that had to be, beside a change as well, and no rule was broken."""
        return self.told is not False and not self.violations

    def passed(self, basis: Basis = "state") -> bool:
        """Success on a basis: the binary reward. What was told counts by its meaning (`told`)."""
        return next(self.failing(basis), None) is None

    def published(self, basis: Basis = "state") -> bool:
        """Success as benchmarks define it: what was said counts by its characters (`communicate`)."""
        return next(self.failing(basis, "communicate"), None) is None

    def failing(self, basis: Basis = "state", words: Literal["told", "communicate"] = "told") -> Iterator[str]:
        """The names of the checks that keep it from success on a basis, as in `to_json`, and `told`.

        What was said decides where nothing had to be written and nothing is asserted.
        """
        if not self.orderly:
            yield "orderly"
        if self.assertions is not None:
            if not self.assertions:
                yield "assertions"
        else:
            if not getattr(self, basis):
                yield basis
            if self.answer is False:
                yield "answer"
        for_words = not self.needs_write and self.assertions is None
        if self.handed_over is False and (for_words or self.assertions is not None):
            yield "handed_over"
        if for_words and getattr(self, words) is False:
            yield words

    def to_json(self) -> dict[str, bool | None]:
        """The published checks by name; `answer` only where there is one."""
        found = {name: getattr(self, name) for name in _PUBLISHED}
        return found if self.answer is None else found | {"answer": self.answer}


def verify(trajectory: Trajectory) -> Verdict:
    """Judge a trajectory by rules.

    Raises:
        BadInput: the episode was cut by an infrastructure failure, so there is nothing to judge.

    Examples:
        >>> from toolgym import Trajectory, verify
        >>> from toolgym.kit import get_domain
        >>> task = get_domain("kiosk").open_data().tasks("test")[0]
        >>> verdict = verify(Trajectory(task=task, messages=(), termination="agent_stop"))  # nothing was done
        >>> verdict.passed(), verdict.needs_write
        (False, True)
    """
    if trajectory.termination == "infrastructure_error":
        raise BadInput("This episode was cut by an infrastructure failure; it has no verdict.")
    if is_foreign(trajectory.task):
        raise BadInput(
            f"{trajectory.task.id} is a row of a benchmark, which its own checker scores: `toolgym bench run` asks it, "
            "`toolgym show` and `toolgym report` tell what it said."
        )
    known = _latest.get("verdict")
    if known is None or known[0] is not trajectory:
        known = _latest["verdict"] = (trajectory, _verdict(trajectory))
    return known[1]


_latest: dict[str, tuple[Trajectory, Verdict]] = {}
"""The trajectory that was verified last: a judge and a table ask for the verdict that scoring has just found."""


def _verdict(trajectory: Trajectory) -> Verdict:
    task, gold = trajectory.task, gold_of(trajectory.task)
    domain = get_domain(task.domain)
    foreign = isinstance(domain, ForeignDomain)
    speaks = not trajectory.by_program  # a program says nothing
    # that it is not possible is understood, or not, by its meaning alone: `told`
    texts = [text for text in task.communicate if Telling.of(text).kind != "refusal"]
    communicate = mentions_all(texts, trajectory.agent_text()) if speaks and texts else None
    return Verdict(
        state=_writes_right(trajectory, domain) if foreign else _ends_right(trajectory),  # a foreign one shows no rows
        writes=_writes_right(trajectory, domain),
        communicate=communicate,
        assertions=_assertions_hold(trajectory) and not _damaged(trajectory) if task.assertions else None,
        handed_over=_handed_over(trajectory, domain),
        needs_write=bool(gold.writes if foreign else gold.diff),
        orderly=trajectory.termination in ORDERLY,
        answer=_came_to_it(trajectory) if foreign else _answered(trajectory),
        trajectory=trajectory,
    )


def _answered(trajectory: Trajectory) -> bool | None:
    answer = trajectory.task.answer
    if answer is None or not trajectory.by_program:
        return None
    given = answered(trajectory)
    return given is not None and right_answer(answer, given)


def _came_to_it(trajectory: Trajectory) -> bool | None:
    """Whether the last gold call was made and came to the answer: all that is known of an end in a foreign world."""
    task = trajectory.task
    if task.answer is None or not task.gold:
        return None
    last, values = task.gold[-1].name, task.answer.values
    return any(call.ok and call.name == last and call.value in values for call in trajectory.calls)


# --- the state basis ---


def _ends_right(trajectory: Trajectory) -> bool:
    task = trajectory.task
    if ends_right(task, trajectory.diff):
        return True
    if not any(end.new_ids for end in right_ends(task)):
        return False
    with Session(task.domain, task=task) as session:  # a record does not say which ids are new
        session.replay(trajectory.calls)
        return ends_right(task, trajectory.diff, session.new_ids)


# --- the writes basis ---


def _writes_right(trajectory: Trajectory, domain: Domain) -> bool:
    made = [record for record in trajectory.calls if record.wrote]
    ends = [end.writes for end in right_ends(trajectory.task)]
    if any(are_same(made, wanted) for wanted in ends):
        return True
    written = _multiset(made, domain)
    return any(written == _multiset(wanted, domain) for wanted in ends)


def _multiset(calls: Iterable[CallRecord], domain: Domain) -> Counter[str]:
    return Counter(normal_call(record, domain) for record in calls)


# --- what must hold at the end ---


def _assertions_hold(trajectory: Trajectory) -> bool:
    with Session(trajectory.task.domain, task=trajectory.task) as session:
        session.replay(trajectory.calls)
        return all(session.holds(assertion) for assertion in trajectory.task.assertions)


def _damaged(trajectory: Trajectory) -> bool:
    """Whether a row of another world was changed, through a distractor."""
    worlds = {f"{name.partition('.')[0]}." for name in trajectory.task.distractors}
    return any(row.table.startswith(tuple(worlds)) for row in trajectory.diff)


def _handed_over(trajectory: Trajectory, domain: Domain) -> bool | None:
    if not hands_over(trajectory.task):
        return None
    ending = {name for name, tool in domain.tools.items() if tool.ends_episode}
    return any(record.name in ending and record.ok for record in trajectory.calls)
