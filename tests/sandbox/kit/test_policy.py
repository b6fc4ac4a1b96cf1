"""The policy that agents read holds the rules' sentences and what every world asks, worded by the declarations."""

from dataclasses import replace

import lending
import pytest

from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.errors import ConfigurationError
from toolgym.sandbox.kit.handover import Handover
from toolgym.sandbox.kit.identity import Identity
from toolgym.sandbox.kit.tool import ToolSet, tool
from toolgym.sandbox.runtime.registry import get_domain

BANK = get_domain("banking")


@tool("neutral", ends_episode=True)
def call_the_desk(db: Database) -> str:
    """Hand the reader over to the desk."""
    return "The desk takes over."


def test_every_rule_is_a_sentence_of_the_policy_after_the_authors_words() -> None:
    text = BANK.policy_for()
    assert text.startswith(BANK.policy.rstrip() + "\n\n## Rules\n\n- ")
    lines = text.splitlines()
    assert all(f"- {rule.sentence}" in lines for rule in BANK.rules)


def test_writes_that_need_no_yes_are_named() -> None:
    text = BANK.policy_for()
    assert "wait for the user's clear yes; `verify_pin` needs none." in text
    assert "wait for the user's clear yes." in lending.domain.policy_for()


def test_what_is_secret_is_named_and_a_world_without_secrets_says_nothing_of_them() -> None:
    assert "What is secret (pin) comes from the user's words" in BANK.policy_for()
    assert "secret" not in lending.domain.policy_for()


def test_whom_the_agent_serves() -> None:
    assert "- Serve this customer only:" in BANK.policy_for()
    identity = Identity(lending.Reader, found_by=[lending.list_books, lending.get_loan])
    desk = replace(lending.domain, owner=None, identity=identity)
    assert (
        "whom you speak to, with `list_books` or `get_loan`; before that, tell nothing of a reader" in desk.policy_for()
    )
    assert "Serve this" not in desk.policy_for()
    bank = replace(BANK, owner=None, identity=Identity(BANK.owner, found_by=[BANK.tools["get_profile"]]))  # type: ignore[arg-type]
    assert "personal data included (email, phone) and change nothing" in bank.policy_for()


def test_an_agent_alone_asks_nobody() -> None:
    solo = BANK.policy_for(solo=True)
    assert "yes" not in solo.split("## Always")[1] and "ask which" not in solo
    assert "ask which one is meant" in BANK.policy_for()


def test_when_a_conversation_is_handed_over() -> None:
    handover = Handover(call_the_desk, "when a book is lost", rules=[lending.within_a_month])
    tools = ToolSet([*lending.domain.tools.values(), call_the_desk])
    world = replace(lending.domain, tools=tools, handover=handover)
    assert "- Hand over with `call_the_desk` when a book is lost, and never otherwise." in world.policy_for()
    assert "Hand over" not in lending.domain.policy_for()
    with pytest.raises(ConfigurationError, match="names give_back, which does not end the episode"):
        Handover(lending.give_back, "when a book is lost")


def test_a_world_without_declared_rules_says_its_own_words_alone() -> None:
    world = get_domain("kiosk")
    assert not world.rules and world.policy_for() == world.policy


def test_the_policy_of_another_body_of_data_stays_as_it_is() -> None:
    opened = replace(BANK.open_data(), policy="Theirs.")
    world = replace(BANK, data={"own": lambda path: opened})
    assert world.policy_for() == "Theirs."
