"""Whether a task is passed by an agent that looks nothing up, whatever it says: such a task measures nothing.

What passes is for `toolgym.judge.scoring.verifier` to say; for a run without a call it comes to what is asked here.
"""

from __future__ import annotations

from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.language.text_match import mentions_all
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.proof.replay import gold_diff, hands_over, right_ends

IDLE = ("", "I am sorry, I cannot help you with that.", "I am sorry, that is not possible. It is not allowed.")
"""What agents that look nothing up may say all the same: nothing, an apology, a refusal of everything."""


def passes_idle(task: Task) -> bool:
    """Whether an agent that calls nothing passes, whatever of `IDLE` it says."""
    if task.assertions:
        return not hands_over(task) and _hold_at_once(task)
    if all(end.diff for end in right_ends(task)):
        return False
    if gold_diff(task):  # to write nothing is an alternative
        return True
    return not hands_over(task) and any(mentions_all(task.communicate, sentence) for sentence in IDLE)


def _hold_at_once(task: Task) -> bool:
    with Session(task.domain, task=task) as session:
        return all(session.holds(assertion) for assertion in task.assertions)
