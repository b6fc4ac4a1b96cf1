"""What a tool may be given and a wish does without is not wanted, and the agent's question for it is answered so."""

from __future__ import annotations

import bank
import pytest

from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.language.nlg_templates import Act, is_act
from toolgym.sandbox.users.left_out import left_out_of

_BANK = bank.Bank(bank.FOLDER, "tune")


def of_wish(name: str, call: str) -> Task:
    """A task of the bank from the wish on that one call fulfils."""
    task = _BANK.tasks[name]
    first = next(n for n, goal in enumerate(task.goals) if [each.name for each in goal.calls] == [call])
    return task.model_copy(update={"goals": task.goals[first:]})


INVOICE = of_wish("payments-train-9090-0028", "create_invoice")
LABEL = of_wish("email-v2-dev-0-0033", "create_label")
OFFER = of_wish("marketplace-fresh-0001", "answer_offer")


@pytest.mark.parametrize(
    ("task", "asked"),
    [
        (INVOICE, "Would you like a memo on the invoice?"),
        (INVOICE, "What should the memo say?"),
        (INVOICE, "Shall I add a short memo?"),
        (OFFER, "Any message for the buyer?"),
        (OFFER, "What message should I send along?"),
    ],
)
def test_no_text_is_wanted_that_the_wish_does_without(task: Task, asked: str):
    for style in bank.STYLES:
        reply = bank.talk(task, [asked], style)[-1]
        assert is_act(reply, "none_of_it") and "$" not in reply


@pytest.mark.parametrize("asked", ["What colour should the label have?", "Which color: red, green, blue or grey?"])
def test_of_several_settings_the_usual_one_is_wanted(asked: str):
    assert is_act(bank.talk(LABEL, [asked], "terse")[-1], "as_usual")


@pytest.mark.parametrize(
    ("name", "call", "asked", "act"),
    [
        ("shopping-train-9090-0006", "add_to_cart", "How many would you like?", "just_one"),
        ("shopping-train-9090-0006", "add_to_cart", "It is $20. How many shall I add, just one?", "just_one"),
        ("banking-dev-777-0009", "create_standing_order", "Until when should it run?", "no_end"),
        ("email-train-9090-0009", "create_draft", "Should anybody be in copy?", "none_of_it"),
        ("calendar-v2-test-0-0062", "invite_people", "As required or as optional guests?", "usual_way"),
    ],
)
def test_what_is_left_out_stays_as_a_right_run_leaves_it(name: str, call: str, asked: str, act: Act):
    task = _BANK.tasks[name]
    first = next(n for n, goal in enumerate(task.goals) if call in [each.name for each in goal.calls])
    assert is_act(bank.talk(task.model_copy(update={"goals": task.goals[first:]}), [asked], "chatty")[-1], act)


def test_another_setting_than_the_usual_one_gets_no_yes():
    task = of_wish("email-v2-train-0-0942", "create_label")
    said = {
        value: bank.talk(task, [f'I would create the label "Garden" in {value}. OK?'], "terse")[-1]
        for value in ("blue", "grey")
    }
    assert not said["blue"].startswith("Yes") and said["grey"].startswith("Yes")


def test_what_is_asked_beside_a_proposal_is_answered_with_the_yes():
    line = "I would decline the offer of $84 for the Tamura garden bench. Any message for the buyer? Shall I?"
    reply = bank.talk(OFFER, [line], "terse")[-1]
    assert reply.startswith("Yes") and is_act(reply, "none_of_it")


def test_what_a_right_run_gives_is_not_left_out():
    assert [part.answer for part in left_out_of("payments", INVOICE.goals[0])] == [("none_of_it", "memo")]
    call = INVOICE.goals[0].calls[0].model_copy(update={"arguments": {"memo": "Thank you"}})
    assert not left_out_of("payments", INVOICE.goals[0].model_copy(update={"calls": (call,)}))


def test_what_the_users_own_question_has_said_need_not_be_named_again():
    """The second line of a played conversation leaves out whose expense it is, which the question before it said."""
    task = _BANK.tasks["budget-v2-train-0-1776"]
    lines = [
        'The Cash machine expense of March 3, 2026 is $12.47, currently under "unknown". I would replace it with two:'
        "\n\n| Category | Amount |\n|---|---|\n| insurance | $3.11 |\n| unknown | $9.36 |\n\nIs that what you want?",
        "Exactly, just the split and nothing else: $3.11 to insurance and the remaining $9.36 stays under unknown. "
        "Shall I make it?",
    ]
    first, second = bank.talk(task, lines, "chatty")[1:]
    assert bank.asks(first) and second.startswith("Yes")
