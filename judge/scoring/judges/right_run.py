"""How an episode's calls compare with a right run's: which writes a right run makes too, which reads it makes as well.

Text that the agent words itself is left out of the comparison; everything else is compared as the verifier compares.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from operator import or_

from toolgym.judge.scoring.conduct.scene import Scene
from toolgym.judge.scoring.normal_calls import normal_call
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.synthesis.proof.reachability import FREE
from toolgym.sandbox.synthesis.proof.replay import Gold, right_ends

Matches = dict[int, CallRecord]
"""The right run's write for the number of each write that is one of its own."""


def best_match(scene: Scene) -> Matches:
    """The writes that a right run makes too: that right run's which the episode follows furthest."""
    return max((matches(scene, end) for end in right_ends(scene.task)), key=len)


def matches(scene: Scene, end: Gold) -> Matches:
    """The episode's writes that are those of one right run, each used once."""
    left = list(end.writes)
    found: Matches = {}
    for number, record in enumerate(scene.trajectory.calls):
        step = next((step for step in left if is_alike(record, step, scene.domain)), None) if record.wrote else None
        if step is not None:
            left.remove(step)
            found[number] = step
    return found


def is_alike(record: CallRecord, step: CallRecord, domain: Domain) -> bool:
    """Whether two calls mean the same, whatever words the agent put into them."""
    if (record.name, record.by) != (step.name, step.by):
        return False
    return record.arguments == step.arguments or _key(record, domain) == _key(step, domain)


def _key(record: CallRecord, domain: Domain) -> str:
    return normal_call(_without_words(record, domain), domain)


def _without_words(record: CallRecord, domain: Domain) -> CallRecord:
    tool = domain.tools_of(record.by).get(record.name)
    if tool is None or not isinstance(record.arguments, dict):
        return record
    worded = FREE | {shown for own, shown in tool.inputs.items() if tool.kinds[own] == "free"}
    given = {name: "" if name in worded else value for name, value in record.arguments.items()}
    return record if given == record.arguments else replace(record, arguments=given)


class GoldReads:
    """The look-ups of the right runs, ticked off as an episode makes them.

    Args:
        scene: the episode.
    """

    def __init__(self, scene: Scene) -> None:
        self._domain = scene.domain
        logs = [[record for record in end.log if not record.wrote] for end in right_ends(scene.task)]
        self._left = reduce(or_, (Counter(map(_plain, log)) for log in logs))
        self._records = {_plain(record): record for log in logs for record in log}

    def takes(self, record: CallRecord) -> bool:
        """Whether a call is one of them that was still to be made; it is ticked off."""
        wanted = _plain(record)
        if not self._left[wanted]:
            wanted = next((each for each in self._named(record) if self._is(each, record)), "")
        if wanted:
            self._left[wanted] -= 1
        return bool(wanted)

    def names(self) -> set[str]:
        """The tools of those that are still to be made."""
        return {self._records[each].name for each, count in self._left.items() if count}

    def _named(self, record: CallRecord) -> Sequence[str]:
        return [each for each, count in self._left.items() if count and self._records[each].name == record.name]

    def _is(self, wanted: str, record: CallRecord) -> bool:
        return is_alike(self._records[wanted], record, self._domain)


def _plain(record: CallRecord) -> str:
    return json.dumps([record.name, record.by, record.arguments], sort_keys=True)
