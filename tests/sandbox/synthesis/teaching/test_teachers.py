"""The four scripted teachers: what each does badly is counted by state, in the shares it was told."""

import pytest
from taught import FORGERY, NOBODYS, SHARES, KindOfTeacher, led

CONVERSATIONS = 250


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sloppy", "hostile"])
def test_the_share_of_bad_replies_by_state_is_what_the_teacher_was_told(kind: str) -> None:
    talks = led(KindOfTeacher(kind), CONVERSATIONS)
    for state, told in SHARES[kind].items():
        bad = sum(count for talk in talks for (where, _), count in talk.faults.items() if where == state)
        replies = sum(talk.replies["turn" if state == "response" else state] for talk in talks)
        if state == "response":  # those among the assistant's replies that are words
            replies = sum(each.state == "response" for talk in talks for each in talk.transitions)
        assert bad / replies == pytest.approx(told, abs=0.03), state


def test_a_good_teacher_is_blamed_for_nothing_and_a_lazy_one_calls_nothing() -> None:
    good, lazy = led(KindOfTeacher("good"), 30), led(KindOfTeacher("lazy"), 10)
    assert not any(talk.faults for talk in good) and all(talk.session.log for talk in good)
    assert not any(talk.session.log for talk in lazy)


def test_what_a_hostile_teacher_writes_never_stands_in_a_conversation() -> None:
    for talk in led(KindOfTeacher("hostile"), 60):
        said = "\n".join(message.content or "" for message in talk.messages)
        assert FORGERY not in said and NOBODYS not in said
