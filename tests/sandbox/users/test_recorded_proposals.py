"""Proposals of recorded runs: what is harvested, which wish wants the call, what the user makes of it."""

import json
from pathlib import Path
from typing import Any

import pytest
from recorded_changes import changes
from recorded_proposals import answered, consents, counted, files_of, harvest, interval, main, wrongly_answered
from recorded_wishes import owner_of, wish_of

from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import ToolCall

ADDRESS = {
    "address1": "12 Harbor Street", "address2": "Suite 40", "city": "Denver", "state": "CO", "country": "USA",
    "zip": "80203",
}  # fmt: skip
CANCEL = ToolCall(name="cancel_pending_order", arguments={"order_id": "#W4776164", "reason": "no longer needed"})
MOVE = ToolCall(name="modify_pending_order_address", arguments={"order_id": "#W4776164", **ADDRESS})
RIGHT = (
    "Here is what I would do:\n\n- Cancel order **#W4776164** (reason: no longer needed)\n- The amount goes back to "
    "your original payment method within 5 to 7 business days.\n\nPlease note that this cannot be undone. Do you "
    "confirm (yes/no)?"
)
MOVED = (
    "To confirm, order #W4776164 would be sent to:\n\n12 Harbor Street  \nSuite 40  \nDenver, CO 80203  \nUSA\n\n"
    "Is this correct? Please reply “yes” to proceed, or let me know if you need any further adjustments."
)


def _call(identifier: str, call: ToolCall) -> dict[str, Any]:
    function = {"name": call.name, "arguments": json.dumps(call.arguments)}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": identifier, "function": function}]}


def _turns(proposal: str, answer: str, call: ToolCall, result: str) -> list[dict[str, Any]]:
    look_up = ToolCall(name="get_order_details", arguments={"order_id": "#W4776164"})
    return [
        {"role": "user", "content": "Hello, it is about my order."},
        _call("c1", look_up),
        {"role": "tool", "tool_call_id": "c1", "name": look_up.name, "content": "{}"},
        {"role": "assistant", "content": proposal},
        {"role": "user", "content": answer},
        _call("c2", call),
        {"role": "tool", "tool_call_id": "c2", "name": call.name, "content": result},
        {"role": "assistant", "content": "That is done."},
        {"role": "user", "content": "Thank you. ###STOP###"},
    ]


def _file(folder: Path, *conversations: list[dict[str, Any]]) -> Path:
    task = {"user_id": "yusuf_rossi_9620", "actions": [], "instruction": "You are Yusuf Rossi.", "outputs": []}
    runs = [
        {"task_id": index, "reward": 1.0, "info": {"task": task}, "traj": traj, "trial": 0}
        for index, traj in enumerate(conversations)
    ]
    path = folder / "own.json"
    path.write_text(json.dumps(runs), encoding="utf-8")
    return path


def test_what_was_agreed_to_and_done_is_harvested(tmp_path: Path) -> None:
    right = _turns(RIGHT, "Yes, please go ahead.", CANCEL, "{}")
    asked = _turns(RIGHT, "Yes, but how long does the refund take?", CANCEL, "{}")
    failed = _turns(RIGHT, "Yes.", CANCEL, "Error: non-pending order cannot be cancelled")
    alternatives = _turns("Which one would you prefer, the first or the second?", "Yes.", CANCEL, "{}")
    found = list(harvest(_file(tmp_path, right, asked, failed, alternatives)))
    assert [(each.world, each.said, each.calls[0].name) for each in found] == [("retail", RIGHT, CANCEL.name)]


@pytest.mark.parametrize(
    ("said", "is_plain"), [("Yes, please proceed.", True), ("Yes, but only the lamp.", False), ("No.", False)]
)
def test_only_a_plain_yes_counts(said: str, is_plain: bool) -> None:
    assert consents(said) is is_plain


@pytest.mark.parametrize(("call", "said"), [(CANCEL, RIGHT), (MOVE, MOVED)], ids=["cancel", "move"])
def test_the_wish_for_the_call_is_agreed_and_each_changed_one_not(call: ToolCall, said: str) -> None:
    task = wish_of("retail", call, "recorded")
    assert task is not None and task.goals[0].calls[0].arguments == call.arguments
    assert answered(task, said)[0] == "yes"
    owner = owner_of("retail", call)
    assert owner is not None
    changed = [(each, wish_of("retail", each.call, "changed")) for each in changes("retail", call, owner)]
    made = [(each.what, wish) for each, wish in changed if wish is not None]
    assert made
    assert [what for what, wish in made if wrongly_answered(wish, said)[0] == "yes"] == []


def test_a_call_that_cannot_succeed_has_no_wish() -> None:
    delivered = CANCEL.model_copy(update={"arguments": {"order_id": "#W2378156", "reason": "no longer needed"}})
    assert wish_of("retail", delivered, "recorded") is None


def test_rows_are_counted_once_by_world_wish_and_file(tmp_path: Path) -> None:
    same = _turns(RIGHT, "Yes.", CANCEL, "{}")
    counts = counted(harvest(_file(tmp_path, same, same)), missed=False, confirmed=False)
    assert list(counts) == [("retail", "declared", "own")]
    assert counts["retail", "declared", "own"]["yes"] == 1


def test_an_interval_is_wilsons() -> None:
    assert interval(9, 10) == "90 (60 to 98)"
    assert interval(0, 0) == "-"


def test_nothing_to_read_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadInput, match=r"no [.]json file"):
        files_of([tmp_path])
    monkeypatch.setattr("sys.argv", ["recorded_proposals.py", str(tmp_path)])
    with pytest.raises(SystemExit, match=r"no [.]json file"):
        main()
