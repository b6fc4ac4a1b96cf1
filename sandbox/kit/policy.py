"""The policy as agents read it: the author's text, the rules' sentences, and what every world asks of an agent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy.orm import DeclarativeBase

from toolgym.sandbox.kit.handover import Handover
from toolgym.sandbox.kit.identity import Identity
from toolgym.sandbox.kit.rule import Rule
from toolgym.sandbox.kit.table import noun, personal_columns
from toolgym.sandbox.kit.tool import Tool, ToolSet


def rendered(text: str, rules: Sequence[Rule], always: Sequence[str]) -> str:
    """The author's text with what a program can check and what always holds after it.

    Args:
        text: Markdown, as the author wrote it.
        rules: each is a sentence.
        always: what holds in every world, from `conventions`.
    """
    parts = [("## Rules", [*dict.fromkeys(rule.sentence for rule in rules)]), ("## Always", always)]
    lists = [f"{title}\n\n" + "\n".join(f"- {sentence}" for sentence in sentences) for title, sentences in parts]
    return "\n\n".join([text.rstrip(), *lists]) + "\n"


def conventions(
    tools: ToolSet,
    *,
    owner: type[DeclarativeBase] | None = None,
    identity: Identity | None = None,
    handover: Handover | None = None,
    solo: bool = False,
) -> list[str]:
    """The sentences that every world has, worded by its declarations.

    Args:
        tools: the agent's.
        owner: the table of whom a session serves.
        identity: how a person is known at a desk that serves anybody.
        handover: how the conversation is handed over.
        solo: whether the agent works without a user, so that nobody can be asked.
    """
    asked = [] if solo else [*_known(identity), *_confirmed(tools)]
    served = [f"Serve this {noun(owner)} only: what belongs to others does not exist for you."] if owner else []
    which = "change nothing" if solo else "ask which one is meant"
    return [
        *asked,
        *served,
        "State only what a tool's result or the user told you; no opinions, no guesses.",
        *_kept(tools),
        f"When a description fits more than one thing, {which}; never take the first.",
        "Do what was asked and nothing more.",
        "When a condition of the user does not hold, change nothing and say so.",
        "When a rule forbids a wish, say why it is not possible, and do nothing like it instead.",
        *_handed(tools, handover),
    ]


def _known(identity: Identity | None) -> Iterator[str]:
    if identity is None:
        return
    columns = ", ".join(sorted(personal_columns(identity.table))).replace("_", " ")
    personal = f", personal data included ({columns})" if columns else ""
    yield (
        f"Find out first whom you speak to, with {_names(identity.found_by, 'or')}; before that, tell nothing of a "
        f"{noun(identity.table)}{personal} and change nothing."
    )


def _confirmed(tools: ToolSet) -> Iterator[str]:
    writes = [tool for tool in tools.values() if tool.kind == "write"]
    free = [tool for tool in writes if not tool.confirm]
    if len(free) < len(writes):
        exempt = f"; {_names(free, 'and')} {'needs' if len(free) == 1 else 'need'} none" if free else ""
        yield f"Before a call that changes something, name all its details and wait for the user's clear yes{exempt}."


def _kept(tools: ToolSet) -> Iterator[str]:
    secret = {name for tool in tools.values() for name, kind in tool.kinds.items() if kind == "secret"}
    if secret:
        words = " and ".join(sorted(name.replace("_", " ") for name in secret))
        yield (
            f"What is secret ({words}) comes from the user's words in this conversation or from a tool's result: never "
            "guess it, repeat it in a message or put it into a text that you write."
        )


def _handed(tools: ToolSet, handover: Handover | None) -> Iterator[str]:
    if handover is not None and handover.tool.name in tools:
        yield f"Hand over with `{handover.tool.name}` {handover.when}, and never otherwise."


def _names(found: Sequence[Tool], last: str) -> str:
    names = [f"`{tool.name}`" for tool in found]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"
