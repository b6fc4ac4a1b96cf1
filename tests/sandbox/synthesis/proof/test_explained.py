"""What a rule comes to, for its author."""

import pytest

from toolgym.cli import main
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.proof.explained import explained


def test_a_rule_is_told_with_calls_that_keep_and_break_it() -> None:
    lines = list(explained(get_domain("banking"), "dormant"))
    assert lines[0].endswith(": A dormant account receives money but pays nothing.")
    assert lines[1].startswith("held by the tool, for send_payment, transfer_between_own_accounts")
    assert sum(line.startswith("at the clock ") for line in lines) == 1 + len(get_domain("banking").clocks)
    broken = [line for line in lines if "break it alone, such as send_payment of {" in line]
    assert broken and all(line.endswith(": 'This account is dormant; it cannot pay.'") for line in broken)
    assert any("send_payment: 24 can be granted, such as" in line for line in lines)


def test_one_that_another_call_mends_is_told_so() -> None:
    assert list(explained(get_domain("banking"), "pin_first"))[-1].startswith("verify_pin makes it hold")


def test_a_rule_that_is_not_there() -> None:
    with pytest.raises(BadInput, match="did you mean 'dormant'"):
        list(explained(get_domain("banking"), "dormat"))


def test_the_command_explains(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "banking", "--explain", "pin_first"]) == 0
    assert "verify_pin makes it hold" in capsys.readouterr().out
