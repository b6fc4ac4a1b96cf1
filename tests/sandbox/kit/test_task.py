"""A task's wishes: all of them can be walked, also those that only come up once another one is replaced."""

from toolgym.sandbox.kit.task import Goal, Task


def test_every_goal_is_followed_by_what_may_replace_it() -> None:
    last = Goal(kind="ask", utterance="last")
    refused = Goal(
        kind="cancel", utterance="refused", fallback=Goal(kind="return", utterance="fallback", revised_to=last)
    )
    both = Goal(
        kind="ask",
        utterance="both",
        fallback=Goal(kind="ask", utterance="if not"),
        revised_to=Goal(kind="ask", utterance="midway"),
    )
    task = Task(id="t", domain="kiosk", goals=(refused, both))
    assert [goal.utterance for goal in task.every_goal()] == ["refused", "fallback", "last", "both", "if not", "midway"]
    assert [goal.utterance for goal in refused.every()] == ["refused", "fallback", "last"]
    assert list(Task(id="t", domain="kiosk").every_goal()) == []
