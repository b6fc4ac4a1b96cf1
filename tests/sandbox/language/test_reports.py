"""What an agent says after a yes: what it has done, what it is still doing, what went wrong."""

from __future__ import annotations

import pytest

from toolgym.sandbox.language.dialogue_acts import parse_act
from toolgym.sandbox.language.senses import has

_CANCELLED = frozenset(("cancelled", "canceled"))


def _settled(text: str) -> bool:
    return parse_act(text).reports(_CANCELLED, confirmed=True)


@pytest.mark.parametrize(
    "text",
    [
        "Your lunch is cancelled. Anything else?",
        "It's off the calendar now, and nobody was told.",
        "Done! You'll get a mail in a minute.",
        "Cancelled. If you ever want it back, just tell me and I'll restore it.",
        "Let me check that ... It has been cancelled.",
        "Your cancellation went through. Is there anything else I can do for you?",
        "Your failed payment has been cancelled.",
        "The lunch has been cancelled and $12 is being returned to your card.",
    ],
)
def test_what_is_done_is_a_report(text: str) -> None:
    assert _settled(text)


@pytest.mark.parametrize(
    "text",
    [
        "Cancelling your lunch now.",
        "Your lunch is being cancelled.",
        "The invitation is withdrawn, and I'm cancelling the room now.",
        "I've opened the event and will cancel it in a minute.",
        "One moment while I cancel it for you.",
        "The first two are cancelled, I'm on the third. Anything else?",
        "Please hold while I do that.",
        "Just checking whether it can still be cancelled.",
        "Hold on, let me see why it is still listed.",
    ],
)
def test_whoever_is_at_work_has_not_done_it(text: str) -> None:
    assert not _settled(text)


@pytest.mark.parametrize(
    "text",
    [
        "Sorry, the system is down. Anything else I can do?",
        "The calendar rejected the cancellation of your lunch. Anything else?",
        "I tried to cancel it, but somebody has it open. Have a great day!",
        "Error: the event could not be cancelled. No change was made.",
        "There was an issue and no event has been cancelled so far.",
        "I got disconnected from the calendar. I'll let you know once it has been cancelled.",
        "Your calendar is locked at the moment. What is your PIN?",
    ],
)
def test_a_failure_is_no_report_however_it_ends(text: str) -> None:
    assert not _settled(text)


def test_work_in_hand_is_told_from_what_is_offered_for_some_day() -> None:
    assert has("at_work", "i'm moving it now.")
    assert not has("at_work", "just say the word and i'll move it back.")
    assert not has("at_work", "i'll send you a confirmation.")
