"""What may be spent, and the end of a month."""

from __future__ import annotations

from datetime import timedelta

from toolgym.domains.budget.goals.draws import cents, in_words, seen_in_month
from toolgym.domains.budget.schema import month_of
from toolgym.domains.budget.tools import (
    close_month,
    move_limit,
    set_limit,
)
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell


def _limit_month(draw: Draw) -> str:
    first = draw.now.date().replace(day=1)
    return month_of(draw.rng.choice((first, first + timedelta(days=32), first - timedelta(days=40))))


def _closing(draw: Draw) -> str:
    this = draw.now.date().replace(day=1)
    return month_of(draw.rng.choice((this, this - timedelta(days=1), this - timedelta(days=1))))


LIMITS = (
    Goal(
        set_limit,
        name="set_limit",
        verbs=("set",),
        says=(
            "Set the limit for {category} in {month} to {limit_cents}.",
            "In {month} we want to spend {limit_cents} at most on {category}.",
            "{limit_cents} is what {category} may cost in {month}; please set that.",
            "Please set {limit_cents} as the limit of {category} for {month}.",
            "For {month}, {category} should have a limit of {limit_cents}.",
            "The limit of {category} for {month} has to change[: {limit_cents}].",
            "Let {category} have {limit_cents} in {month}.",
            "Plan {limit_cents} for {category} in {month}.",
            "Limit {category} to {limit_cents} in {month}, please.",
            "Our plan for {month}: {limit_cents} for {category}.",
            "I'd like a new limit for {category} in {month}[, {limit_cents}].",
            "Can you fix {limit_cents} as the limit for {category} in {month}?",
        ),
        slots=(
            Slot("category"),
            Slot("month", draw=_limit_month, say=in_words),
            Slot("limit_cents", withheld=0.3, draw=cents(9_000, 70_000), says=("{}.", "To {}.")),
        ),
    ),
    Goal(
        move_limit,
        name="shift",
        verbs=("move", "shift"),
        says=(
            "Move {amount_cents} from {source} to {target}.",
            "Please shift {amount_cents}[ from {source}] to {target}.",
            "{target} needs {amount_cents} more this month[; take it from {source}].",
            "Take {amount_cents} out of {source} and give it to {target}.",
            "Can you move[ {amount_cents} of] this month's limit[ from {source}] to {target}?",
            "We will spend less on {source}; let {target} have {amount_cents} of it.",
            "I want {amount_cents} to go from {source} to {target} this month.",
            "Give {target} {amount_cents}[ from {source}].",
            "Let {target} have {amount_cents} of what is left for {source}.",
            "Shift some of the limit[, {amount_cents},] over to {target}[ from {source}].",
            "{source} can spare {amount_cents}; move it to {target}, please.",
            "Please take {amount_cents} for {target}[, away from {source}].",
        ),
        slots=(
            Slot("source", withheld=0.4, says=("From {}.", "Take it from {}.")),
            Slot("target"),
            Slot("amount_cents", withheld=0.3, draw=cents(1_500, 20_000), says=("{}.", "Move {}.")),
        ),
        tells=(Tell("target.left_cents", near=("left",)),),
        where=lambda source, target: source.row.category_id != target.row.category_id,
    ),
)

CLOSING = (
    Goal(
        close_month,
        name="close",
        verbs=("close",),
        says=(
            "Close {month}, please.",
            "We are done with {month}; please close it.",
            "Can you close {month} and carry on what is left?",
            "I want {month} closed.",
            "Please finish {month} and close it.",
            "{month} can be closed now.",
            "Let us close the books for {month}.",
            "Close {month} and tell me how much is carried on.",
            "Everything is in for {month}, close it.",
            "Time to close {month}.",
            "Please shut {month} for good.",
            "Would you close {month} for us?",
        ),
        slots=(Slot("month", draw=_closing, say=in_words, reads=seen_in_month),),
        tells=(Tell("carried_cents", near=("carried", "carry", "over")),),
    ),
)
