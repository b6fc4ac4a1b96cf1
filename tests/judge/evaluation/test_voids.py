"""Which failed episodes the simulated user's own error decided, and what a score says of them."""

import asyncio

import pytest

from toolgym.judge.evaluation.summary import judge_all, summarise, table
from toolgym.judge.evaluation.voids import alarm, is_void
from toolgym.sandbox.kit.message import STOP, Message, ToolCall
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session

KIOSK = get_domain("kiosk")
TASK = KIOSK.open_data().tasks("test")[0]

WRONG = Message(
    role="assistant",
    tool_calls=(ToolCall(id="w", name="reserve_ticket", arguments={"ticket_id": "T118", "holder": "Ada Moreau"}),),
)
"""A change that the task does not want."""


class Script:
    """A role that says its lines in turn; as a user it notes what was sent with a fault."""

    privileged = False

    def __init__(self, role, *lines, sent=None):
        self.role, self.lines = role, lines
        if sent is not None:
            faults = [{"message": number, "fault": fault} for number, fault in sent]
            self.notes = {"replies": 3, "faulty": len(sent), "uncorrected": len(sent), "faults": {}, "sent": faults}

    def open(self, *_, **__):
        self.left = iter(self.lines)
        return self

    async def act(self, messages):
        return self._next()

    async def reply(self, messages):
        return self._next()

    def _next(self):
        line = next(self.left)
        return Message(role=self.role, content=line) if isinstance(line, str) else line


def played(sent, *agent, user=("Hello.", "Yes.", f"Bye. {STOP}")):
    with Session(KIOSK, task=TASK) as session:
        episode = Episode(KIOSK, TASK, session, Script("user", *user, sent=sent), seed=0)
        return asyncio.run(run_episode(episode, Script("assistant", *agent)))


def test_a_wrong_yes_voids_only_when_its_change_was_made():
    assert is_void(played([(1, "wrong_yes")], "Shall I?", WRONG, "Done."))
    assert not is_void(played([(1, "wrong_yes")], "Shall I?", "I cannot do that."))
    assert not is_void(played([(0, "wrong_yes")], "Shall I?", WRONG, "Done.")), "another reply than the one before it"
    assert not is_void(played([], "Shall I?", WRONG, "Done.")) and not is_void(played(None, "Shall I?", WRONG, "Done."))


@pytest.mark.parametrize("fault", ["wrong_no", "left_early"])
def test_a_no_or_a_leave_voids_only_when_nothing_was_done_after_it(fault):
    assert is_void(played([(1, fault)], "Shall I?", "All right, I leave it."))
    assert not is_void(played([(1, fault)], "Shall I?", WRONG, "Done."))


def test_what_decides_nothing_voids_nothing():
    assert not is_void(played([(1, "invented")], "Shall I?", "All right, I leave it."))
    assert not is_void(played([(7, "wrong_no")], "Shall I?", "All right, I leave it."))


def test_a_score_stands_between_voids_failed_and_left_out(capsys):
    idle = [played([(1, "wrong_no")], "Shall I?", "I leave it."), played([], "Shall I?", "I leave it.")]
    found = summarise(judge_all(idle), [], basis="state")
    assert found["void"] == {"episodes": 1, "share": 0.5, "pass_hat_1": [0.0, 0.0]}
    from rich.console import Console

    Console(width=200).print(table(found, "run"))
    assert "1 episodes (50.0%) that the user's error decided" in capsys.readouterr().out
    assert summarise(judge_all([played(None, "No.", "No.")]), [], basis="state")["void"] is None


def test_a_training_ends_where_voids_are_many():
    assert alarm([1.0] * 50) is None, "too few to tell"
    assert alarm([1.0] * 6 + [0.0] * 194) is None
    assert "decided 7 of 200 episodes" in (alarm([1.0] * 7 + [0.0] * 193) or "")
