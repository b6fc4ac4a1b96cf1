"""What was done beyond the wish: handing over for nothing, and changes that nobody asked for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from toolgym.judge.scoring.conduct.scene import Scene
from toolgym.judge.scoring.conversation import Called, Said
from toolgym.judge.scoring.normal_calls import are_same, normal_call
from toolgym.judge.scoring.violations import Violation
from toolgym.sandbox.language.consent import is_yes
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.session import RowChange
from toolgym.sandbox.synthesis.proof.replay import hands_over, right_ends


def needless_handovers(scene: Scene) -> Iterator[Violation]:
    """Handing over where a right run does not."""
    if hands_over(scene.task):
        return
    for call in scene.own_calls():
        if scene.hands_over(call) and not _is_asked_for(scene, call):
            name = call.record.name
            sentence = f"{name} handed the conversation over, which nothing asked for."
            yield Violation("needless_handover", call.turn, name, sentence)


_PERSON = re.compile(
    r"\b(?:human|supervisor|manager|representative|specialist|escalate|real person|live agent|another agent|"
    r"(?:speak|talk)(?:ing)? (?:to|with) (?:someone|somebody|anyone|a person|an agent)|someone (?:else|who)|"
    r"transfer me|connect me|put me through)\b",
    re.IGNORECASE,
)


def _is_asked_for(scene: Scene, handover: Called) -> bool:
    """Whether the user asked for a person before, or agreed to be given one."""
    offered = False
    for event in scene.conversation.before(handover):
        if isinstance(event, Said) and event.by_agent:
            offered = event.act.transfers
        elif isinstance(event, Said) and (_PERSON.search(event.text) or (offered and is_yes(event.text))):
            return True
    return False


def damage(scene: Scene) -> Iterator[Violation]:
    """The agent's changes that no right run makes; where an end is asserted, what is left otherwise."""
    if scene.task.assertions:
        yield from _left_behind(scene)
        return
    made = [call for call in scene.own_calls() if call.record.wrote]
    if not made:
        return
    found = [_beyond(scene, made, end.writes) for end in right_ends(scene.task)]
    for call in min(found, key=len, default=[]):
        name = call.record.name
        yield Violation("damage", call.turn, name, f"{name} changed something that no right run changes.")


def _left_behind(scene: Scene) -> Iterator[Violation]:
    """A setting that was changed in the end and that the right run leaves alone, whatever the way; in own data."""
    if scene.task.data != "own" or not scene.conversation.of_agent:
        return
    right = {place for end in right_ends(scene.task) for place in _changed(end.diff)}
    left = sorted(_changed(scene.trajectory.diff) - right)
    if left:
        place = ".".join(left[0])
        turn = scene.conversation.of_agent[-1].turn
        yield Violation("damage", turn, place, f"{place} was left changed, which no right run changes.")


def _changed(diff: Iterable[RowChange]) -> set[tuple[str, str]]:
    """The tables and columns of what is otherwise in the end."""
    changed = set()
    for row in diff:
        before, after = row.before or {}, row.after or {}
        changed |= {(row.table, name) for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    return changed


def _beyond(scene: Scene, made: list[Called], wanted: tuple[CallRecord, ...]) -> list[Called]:
    """The calls that have no counterpart among the wanted ones; composed text does not tell two apart.

    A call with a wrong value in the right place stands for the one that is wanted there: it fails, and harms nothing.
    """
    if are_same([call.record for call in made], wanted):
        return []
    left = Counter(_meant(scene, record) for record in wanted)
    missed = {_meant(scene, record): _place(scene, record) for record in wanted}
    other = []
    for call in made:
        meant = _meant(scene, call.record)
        if left[meant]:
            left[meant] -= 1
        else:
            other.append(call)
    places = Counter(missed[meant] for meant in left.elements())
    extra = []
    for call in other:
        place = _place(scene, call.record)
        if places[place]:
            places[place] -= 1
        else:
            extra.append(call)
    return extra


def _place(scene: Scene, record: CallRecord) -> tuple[str, str]:
    """The tool of a call and the row that it is about: the first that it takes."""
    tool = scene.domain.tools_of(record.by).get(record.name)
    arguments = record.arguments if isinstance(record.arguments, dict) else {}
    first = next((tool.inputs[name] for name in tool.takes), "") if tool is not None else ""
    return record.name, str(arguments.get(first))


def _meant(scene: Scene, record: CallRecord) -> str:
    tool = scene.domain.tools_of(record.by).get(record.name)
    free = {tool.inputs[name] for name, kind in tool.kinds.items() if kind == "free"} if tool is not None else set()
    return normal_call(record, scene.domain, free)
