"""A task's wishes: all of them can be walked, also those that only come up once another one is replaced."""

from sandbox.kit.task import Goal, Task


def test_every_goal_is_followed_by_what_may_replace_it() -> None:
    last = Goal(kind="ask", say="last")
    refused = Goal(kind="cancel", say="refused", otherwise=Goal(kind="return", say="fallback", instead=last))
    both = Goal(
        kind="ask", say="both", otherwise=Goal(kind="ask", say="if not"), instead=Goal(kind="ask", say="midway")
    )
    task = Task(id="t", domain="kiosk", goals=(refused, both))
    assert [goal.say for goal in task.every_goal()] == ["refused", "fallback", "last", "both", "if not", "midway"]
    assert [goal.say for goal in refused.every()] == ["refused", "fallback", "last"]
    assert list(Task(id="t", domain="kiosk").every_goal()) == []
