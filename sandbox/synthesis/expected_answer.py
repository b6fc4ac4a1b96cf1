"""What a program has to come to, from what its task asks for and what the gold calls show."""

from __future__ import annotations

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.table import key_column
from toolgym.sandbox.kit.task import Answer, Task
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.references import sources
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.program import NoProgram, program_of
from toolgym.sandbox.synthesis.proof.replay import gold_of, hands_over


def answer_of(task: Task) -> Answer | None:
    """The answer of a task that writes nothing: what it asks for of every result that no other call uses."""
    gold, domain = gold_of(task), get_domain(task.domain)
    if gold.diff or hands_over(task):
        return None
    try:
        calls = program_of(task).tool_calls
    except NoProgram:
        return None
    used = {source for call in calls for source in sources(call.arguments)}
    kinds = {goal.final.kind for goal in task.goals}
    records = [record for number, record in enumerate(gold.log) if number not in used]
    return Answer(values=tuple(_asked(record, kinds, domain) for record in records))


def _asked(record: CallRecord, kinds: set[str], domain: Domain) -> Json:
    """Of a row, its key and the columns that are asked for; of anything else, all of it."""
    tool, value = domain.tools[record.name], record.value
    tells = [
        tell for goal in domain.goals if goal.name in kinds for tell in goal.tells if (tell.by or goal.tool) is tool
    ]
    if not isinstance(value, dict) or any(tell.value is not None or tell.name not in value for tell in tells):
        return value
    keys = [key for key in map(key_column, tool.shows) if key in value]
    return {name: value[name] for name in (*keys, *(tell.name for tell in tells))} if tells else value
