"""What a proposal says beside a wish, or against it: every check there is, in the order in which they are asked.

A check is a function of a `Proposal` and a wish and yields the words that it finds; the first ones settle the matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from sandbox.users.checks import (
    choices,
    closed_classes,
    contradictions,
    further_things,
    opposites,
    quantities,
    reach,
    second_actions,
    strange_details,
    unsaid_terms,
)
from sandbox.users.checks.proposal import Proposal
from sandbox.users.plain_wish import PlainWish
from sandbox.users.proposal_reading import AnyWish
from sandbox.users.wish import Wish

W = TypeVar("W", Wish, PlainWish)
Check = Callable[[Proposal, Wish], Iterator[str]]
PlainCheck = Callable[[Proposal, AnyWish], Iterator[str]]
"""One that wishes whose facts are plain text can be asked, too."""

BESIDE: tuple[PlainCheck, ...] = (
    further_things.fees,
    further_things.certificates,
    further_things.news,
    further_things.strange_things,
    further_things.other_forms,
    reach.too_little,
    reach.too_much,
    further_things.new_names,
)
"""What tells another action, or more of it, also where details are open."""
CHANGED: tuple[PlainCheck, ...] = (
    opposites.opposite_settings,
    closed_classes.rhythms,
    reach.every_such,
    closed_classes.changing_words,
)
"""What changes an action whose details are all right."""
CHANGED_DETAILS: tuple[Check, ...] = (
    strange_details.tails,
    strange_details.files,
    strange_details.receivers,
    second_actions.joined_things,
    opposites.swapped_persons,
    reach.only_some,
    reach.kept_parts,
    reach.denied_further,
    strange_details.places,
    strange_details.sizes,
    strange_details.quotes,
    strange_details.owners,
    strange_details.other_sorts,
    strange_details.other_choices,
    strange_details.alone,
    strange_details.other_cards,
    strange_details.other_days,
    choices.other_states,
    choices.denied_choices,
    choices.switches,
    reach.others_left,
    reach.as_a_part,
    opposites.left_open,
    opposites.denied_action,
    opposites.denied_words,
    opposites.taken_in,
    opposites.taken_out,
    opposites.antonyms,
    choices.turned_options,
    opposites.other_order,
    opposites.swapped_calls,
    unsaid_terms.mail,
    unsaid_terms.uncounted,
    unsaid_terms.left_undone,
    unsaid_terms.other_side,
    strange_details.other_persons,
    quantities.misplaced,
    quantities.other_pieces,
    quantities.steps,
    quantities.old_values,
    quantities.other_amounts,
    quantities.strange_sums,
    strange_details.half_quoted,
    contradictions.other_codes,
    contradictions.further_people,
    contradictions.other_codes_of_places,
    contradictions.for_one_alone,
    contradictions.still_listed,
    contradictions.no_refund,
    contradictions.halves,
    contradictions.other_targets,
    contradictions.taken_away,
    contradictions.other_fixed,
    contradictions.not_so,
    contradictions.other_times,
    contradictions.other_ends,
    contradictions.done_in_exchange,
    second_actions.other_labels,
    second_actions.further_states,
    second_actions.second_actions,
)
"""The same, for what typed facts and the right calls tell."""


def first_found(checks: Sequence[Callable[[Proposal, W], Iterator[str]]], proposal: Proposal, wish: W) -> str:
    """The words that the first of some checks finds; empty where none does."""
    return next((words for check in checks for words in check(proposal, wish)), "")
