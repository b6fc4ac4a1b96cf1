"""A PIN is told where it is asked for beside a go-ahead, and whoever has none says so whatever else is answered."""

from __future__ import annotations

import bank

_STOP, _REFUSED = "banking-dev-777-0047", "banking-dev-777-0059"


def _said(name: str, *says: str, style: str = "chatty") -> list[str]:
    return bank.talk(bank.Bank(bank.FOLDER, "tune_8").tasks[name], says, style)[1:]


def test_a_pin_is_told_with_the_yes_that_it_is_asked_for_with():
    plan = "I would cancel the payment to Keiko Mori on March 16. "
    for asking in ("Please confirm, and let me have your PIN.", "Your PIN, please, and your okay?"):
        assert "8896" in _said(_STOP, plan + asking)[-1]
    assert "8896" not in _said(_STOP, plan + "Shall I go ahead?")[-1]


def test_what_is_it_means_what_was_named_just_before():
    assert "8896" in _said(_STOP, "I can do so once you've given me your PIN. What is it, please?")[-1]


def test_whoever_has_no_pin_says_so_beside_what_else_is_asked():
    both = _said(_REFUSED, "Which payee is it for? And please give me your PIN.")[-1]
    assert "my PIN" in both and "Y-165" in both


def test_what_a_pin_is_needed_for_is_not_asked_for():
    only = _said(_REFUSED, "I just need your PIN to go ahead with the payment of $1,050.00 to Y-165 on March 17.")[-1]
    assert "my PIN" in only and "1,050" not in only and "Y-165" not in only
