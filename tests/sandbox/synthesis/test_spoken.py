"""Sentences with several ways to go on."""

from random import Random

from sandbox.synthesis.spoken import varied


def test_one_of_several_ways_is_taken_wherever_there_are_some() -> None:
    said = {
        varied("(|Hello:) my phone (is dead|has no (net|signal)) (|today). (|Help!)", Random(seed))
        for seed in range(200)
    }
    assert len(said) == 2 * 3 * 2 * 2
    assert "my phone is dead." in said and "Hello: my phone has no signal today. Help!" in said
