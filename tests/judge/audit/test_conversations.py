"""A world's goals are talked through before its author is told that nothing is wrong."""

from toolgym.judge.audit.conversations import unsettled
from toolgym.sandbox.runtime.registry import get_domain


def test_every_goal_of_a_sound_world_is_settled_both_ways() -> None:
    assert list(unsettled(get_domain("banking"))) == []


def test_what_is_not_settled_is_told_with_the_last_words() -> None:
    found = list(unsettled(get_domain("banking"), agent="inert"))
    goals = [goal.name for goal in get_domain("banking").goals]
    assert len(found) == 2 * len(goals)
    first = next(each for each in found if " goal send_payment:" in each and "consent=call" in each)
    assert "domains/banking/goals.py, line " in first and "the user said " in first and "`verbs`" in first
