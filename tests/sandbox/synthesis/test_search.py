"""The order in which a search tries rows, and that what it finds fits the rules."""

from __future__ import annotations

from random import Random

from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.sampler import Sampler
from toolgym.sandbox.synthesis.search import shuffled


def test_rows_come_in_the_order_of_a_sample_of_all() -> None:
    for count in (0, 1, 2, 7, 64, 65, 300):
        one, other, rows = Random(count), Random(count), list(range(count))
        assert shuffled(rows, one) == other.sample(rows, count)
        assert one.random() == other.random()


def test_a_wish_whose_arguments_are_all_fixed_is_held_against_the_rules_too() -> None:
    domain = get_domain("video_meeting")
    goals, rules = {goal.name: goal for goal in domain.goals}, {rule.name: rule for rule in domain.rules}
    record, rule = goals["record"], rules["recorded"]
    found: set[bool] = set()
    for key in domain.owner_keys()[:24]:
        sampler = Sampler(domain, key)
        allowed, forbidden = sampler.allowed(record, Random(0)), sampler.forbidden(record, rule, Random(0))
        assert allowed is None or not sampler.broken(record.tool, allowed)
        assert forbidden is None or sampler.broken(record.tool, forbidden) == [rule]
        found |= {allowed is None, forbidden is None}
        sampler.session.close()
    assert found == {True, False}
