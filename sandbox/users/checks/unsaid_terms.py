"""What the right calls hold though the user need not say it: how many, whether mail goes out, what else is done.

A proposal may leave such things unsaid; what it says of them must be what the calls have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.language.actions import plain_verb
from toolgym.sandbox.language.inflection import forms
from toolgym.sandbox.language.prefilter import Prefiltered
from toolgym.sandbox.users.checks.call_terms import choices_of, defaults_of
from toolgym.sandbox.users.checks.proposal import Proposal
from toolgym.sandbox.users.checks.quantities import NUMBER, number_of
from toolgym.sandbox.users.checks.skipping import only_where
from toolgym.sandbox.users.choices_said import BY_MAIL, NO_MAIL
from toolgym.sandbox.users.slots import sides_of
from toolgym.sandbox.users.wish import Wish

_MAILING = frozenset(("email", "none"))
"""The values of a choice that only says whether mail goes out."""
_PIECES = re.compile(rf"\b({NUMBER}) (?:pairs?|pieces?|units?|copies|pcs|x|×|of) ?\b")
_BEFORE = re.compile(rf"\b({NUMBER})(?: (?:the|new|more))? $")
_NOTHING = Prefiltered(r"\bnothing\b")
_WORD = re.compile(r"[a-z]+")
_FURTHER = re.compile(r"\b(?:else|other|extra|more|further)\b")


def mail(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """Mail that does not go out where it should, or goes out where it should not."""
    for wanted in _mailing(wish):
        denied = NO_MAIL.search(proposal.text)
        if wanted == "email" and denied is not None:
            yield denied.group()
        sent = BY_MAIL.search(NO_MAIL.sub(" ", proposal.text)) if wanted == "none" else None
        if sent is not None and not _is_asked(sent.group(), proposal):
            yield sent.group()


def _is_asked(words: str, proposal: Proposal) -> bool:
    """Whether words stand in no line that says what will be done."""
    return not any(words in line.sentence.text for line in proposal.lines)


def _mailing(wish: Wish) -> Iterator[Json]:
    for call in wish.goal.calls:
        values = call.arguments if isinstance(call.arguments, dict) else {}
        for name, choices in choices_of(wish.domain, call.name).items():
            if set(choices) == _MAILING and name in values:
                yield values[name]


def uncounted(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """More than the one piece that is meant where nobody says how many."""
    if not any(
        defaults_of(wish.domain, call.name).get("quantity") == 1 and "quantity" not in dict(_arguments(call.arguments))
        for call in wish.goal.calls
    ):
        return
    for match in _PIECES.finditer(proposal.text):
        if number_of(match[1]) > 1:
            yield match.group()
    for mention in proposal.named:
        before = _BEFORE.search(proposal.text[: mention.start])
        if before is not None and number_of(before[1]) > 1 and wish.referred(mention):
            yield f"{before.group()}{mention.text}"


def _arguments(values: Json) -> Iterator[tuple[str, Json]]:
    yield from values.items() if isinstance(values, dict) else ()


@only_where(_NOTHING)
def left_undone(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """A second part of the wish that is said not to be done: "nothing would be added to the cart"."""
    own = {wish.declared.tool.name} if wish.declared else set[str]()
    verbs = {plain_verb(call.name.split("_")[0]) for call in wish.goal.calls if call.name not in own}
    further = wish.further_verbs | {form for verb in verbs for form in forms(verb)}
    for clause in proposal.line_clauses if verbs else ():
        if _NOTHING.search(clause) and not (_FURTHER.search(clause) or further.isdisjoint(_WORD.findall(clause))):
            yield clause


def other_side(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """Where something is to go said to be where it comes from, the calls naming both sides and the user one."""
    for slot in wish.slots:
        if not slot.table or slot.twins or sides_of(slot.fact.name) != {"to"}:
            continue
        others = [value for _, value in wish.arguments if (slot.table, str(value)) in wish.person.rows]
        for mention in proposal.named if len(set(map(str, others))) > 1 else ():
            if mention.role == "from" and slot.rows(mention, wish.person) == set(slot.keys):
                yield f"from {mention.text}"
