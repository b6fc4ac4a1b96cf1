"""`toolgym play` through a real process with typed lines."""

import json

import forks
import pytest

from toolgym.sandbox.runtime.registry import get_domain

pytestmark = pytest.mark.slow


def play(lines: list[str], *flags: str) -> str:
    typed = "\n".join(lines) + "\n"
    done = forks.run("play", *flags, typed=typed)
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout + done.stderr


def test_as_the_agent() -> None:
    shown = play(
        [
            "/tools",
            "/oops",
            "/call reserve_ticket nonsense",
            '/call reserve_ticket {"ticket_id": "T118", "holder": "Ines Costa"}',
            "Your ticket has been reserved. Anything else?",
            "Goodbye.",
        ],
        "kiosk",
        "--as",
        "agent",
        "--task",
        "kiosk-4",
    )
    assert "list_free_seats(evening)" in shown and "Commands are" in shown and "JSON object" in shown
    assert "user_stop: passed" in shown


def test_as_the_user() -> None:
    shown = play(["How many seats are free on Sunday?", "/quit"], "kiosk", "--task", "kiosk-5")
    assert "6" in shown and "user_stop" in shown


def test_giving_up_and_wrong_names() -> None:
    assert "gave up" in play(["/quit"], "kiosk", "--as", "agent")
    assert "did you mean 'kiosk'" in play([], "kiosc")
    assert "--agent names who serves you" in play([], "kiosk", "--as", "agent", "--agent", "foo")


def test_where_calls_are_approved_the_person_at_the_terminal_is_asked_or_hears_of_a_no() -> None:
    task = get_domain("banking").tasks("test", "v2")[1]
    verify_pin, pay = task.goals[0].calls
    flags = ("banking", "--task", task.id, "--consent", "call")
    assert "send_payment is about to be called. Do you approve?" in play(
        ["Hello.", "no", "/quit"], *flags, "--agent", "oracle"
    )
    assert isinstance(pay.arguments, dict)
    wrong = json.dumps({**pay.arguments, "amount_cents": 9999})
    lines = [f"/call verify_pin {verify_pin.arguments_text()}", f"/call send_payment {wrong}", "/quit"]
    assert "[declined]" in play(lines, *flags, "--as", "agent").replace("\n", " ")
    refused = play([], "retail", "--data", "tau2", "--split", "test", "--consent", "call")
    assert "consent=call is for worlds' own data" in refused
