"""Which answers to a proposal are a yes."""

import pytest

from toolgym.sandbox.language.consent import goes_ahead, is_no, is_yes


@pytest.mark.parametrize(
    "answer",
    [
        "Yes, do it.",
        "That's right, go ahead.",
        "Exactly, so please do.",
        "Yes, say yes to it.",
        "Yes, please stop planning for the Kite Mobile payment.",
        "Alright, yes, please go ahead.",
        "Oui, s'il vous plaît.",
        "Yes, cancel it. The reason is change of plan.",
        "Yes, do it. I just want to see what I am actually saving.",
    ],
)
def test_a_yes(answer: str) -> None:
    assert is_yes(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "Please say yes to the Migration workshop on April 28.",
        "No, not that.",
        "Are you sure?",
        "Yes, wait.",
        "Yes... stop!",
        "Yes. Actually, make it two.",
        "Yes, but first tell me the price.",
    ],
)
def test_no_yes(answer: str) -> None:
    assert not is_yes(answer)


def test_a_yes_that_is_taken_back_is_a_no() -> None:
    assert is_no("Yes. Oh wait, not that one.")
    assert not is_no("Yes, please. Could you wait with the second one?")


@pytest.mark.parametrize(
    "answer",
    [
        "Just go ahead and cancel it then. I don't have any other choice.",
        "Thanks for the list! Please proceed with steps 1 and 3. Could you wait with step 2?",
        "Was it just one? My mistake! And yes, I'd appreciate it if you sent it.",
    ],
)
def test_an_order_stands_in_one_sentence(answer: str) -> None:
    assert goes_ahead(answer)


@pytest.mark.parametrize("answer", ["I'll go with option 2.", "I'd like to refuel 2 GB. What do I do next?"])
def test_a_choice_is_an_order_where_something_was_offered(answer: str) -> None:
    assert goes_ahead(answer, picks=True) and not goes_ahead(answer)


@pytest.mark.parametrize(
    "answer",
    ["Could you go ahead?", "Please do not proceed.", "Wait, go ahead with what?", "No, go ahead without it."],
)
def test_what_asks_or_declines_orders_nothing(answer: str) -> None:
    assert not goes_ahead(answer, picks=True)
