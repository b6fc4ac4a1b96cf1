"""Intervention during the rollout: a wrong write call is stopped before it is made, and the model told to think again.

TARL, section 5.2 with figures 6 and 7, reports that this did not help; it is a switch so that the finding can be
repeated. The paper's monitor is an LLM that compares actions with the gold calls; ours compares by rule. The paper's
sentence is "Wait, my previous reasoning might be wrong, let me try again."; ours has no "wait" in it, because that word
is what `wait_markers` (the paper's #Wait) measures, and a model copies what stands in its turns.
"""

from __future__ import annotations

from toolgym.judge.scoring.normal_calls import normal_call
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.message import Message, ToolCall
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.episode import Episode
from toolgym.sandbox.synthesis.proof.replay import gold_of

DOUBT = "\nHold on, something in this step is off. I will think it through once more.\n"
"""What is put into the model's mouth, masked; then it goes on generating."""


def wrong_call(episode: Episode, action: Message) -> ToolCall | None:
    """The first write call of an action that is none of the gold writes still to be made; None when all are right."""
    domain = episode.domain
    left = [normal_call(record, domain) for record in gold_of(episode.task).writes if record.by == "agent"]
    for record in episode.session.log:
        if record.wrote and (name := normal_call(record, domain)) in left:
            left.remove(name)
    for call in action.tool_calls:
        if (
            _writes(domain, call)
            and normal_call(CallRecord(name=call.name, arguments=call.arguments), domain) not in left
        ):
            return call
    return None


def _writes(domain: Domain, call: ToolCall) -> bool:
    tool = domain.tools.get(call.name)
    return tool is not None and tool.kind == "write"
