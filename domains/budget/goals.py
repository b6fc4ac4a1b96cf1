"""What households want of their diary, and how they speak of what is in it."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from domains.budget.schema import Bill, Category, Expense, month_of
from domains.budget.tools import (
    add_expense,
    close_month,
    delete_expense,
    edit_expense,
    get_month,
    last_day,
    list_categories,
    list_expenses,
    list_recurring,
    move_limit,
    set_limit,
    split_expense,
    update_recurring,
)
from sandbox.kit.goal import Condition, Draw, Goal, Slot, Tell, Thing

# --- how things are named ---

THINGS = (
    Thing(Category, ("{name}",), has_known_key=False),
    Thing(
        Expense,
        ("the {payee} expense of {on}", "the {amount_cents} at {payee}", "what we paid at {payee} on {on}"),
        has_known_key=False,
    ),
    Thing(Bill, ("the {payee} payment", "what goes to {payee} every {every}"), has_known_key=False),
)
CONDITIONS = (Condition(Category, "left_cents", "if {value} or more is left for {it}", list_categories),)

# --- what is drawn ---


def _cents(low: int, high: int) -> list[int]:
    return list(range(low, high, 735))


def _paid(draw: Draw) -> int:
    """An amount: now and then what is just left, a cent more, or that of an expense which stands there."""
    left = int(draw.view(draw.values["category"]).left_cents)
    edge = [left, left + 1] if left > 0 else []
    same = [row.amount_cents for row in draw.rows(Expense) if row.on > draw.now.date() - timedelta(days=30)]
    usual = [draw.rng.randrange(300, 24_000) for _ in range(4)]
    return draw.rng.choice([*usual, *edge, *draw.rng.sample(same, min(1, len(same)))])


def _same(draw: Draw) -> Expense | None:
    """The newest expense of the amount, if there is one."""
    found = [row for row in draw.rows(Expense) if row.amount_cents == draw.values["amount_cents"]]
    return max(found, key=lambda row: row.on, default=None)


def _day(draw: Draw) -> date:
    same, ages = _same(draw), (-2, -1, 0, 1, 1, 2, 3, 5, 8, 20, 88, 90, 91, 93)
    return same.on if same else draw.now.date() - timedelta(days=draw.rng.choice(ages))


def _payee(draw: Draw) -> str:
    same = _same(draw)
    if same and same.on == draw.values["on"]:
        return same.payee
    shops = sorted({row.payee for row in draw.rows(Expense)})
    return draw.rng.choice([*shops, "Pier Nine Garage", "Hilltop Bakery", "Bright Smile Dental", "Loft Furniture"])


def _other_day(draw: Draw) -> date:
    day: date = draw.values["expense"].on
    return day - timedelta(days=draw.rng.choice((1, 2, 7)))


def _part(draw: Draw) -> int:
    whole = draw.values["expense"].amount_cents
    return int(whole * draw.rng.choice((0.25, 0.4, 0.5))) if whole > 600 else 0


def _parts(draw: Draw) -> Any:
    """The part that goes elsewhere, and the rest."""
    expense, cents = draw.values["expense"], draw.values["part_cents"]
    into = draw.values["into"]
    if not 0 < cents < expense.amount_cents or into.category_id == expense.category_id:
        return None
    return [
        {"category": expense.category_id, "amount_cents": expense.amount_cents - cents},
        {"category": into.category_id, "amount_cents": cents},
    ]


def _limit_month(draw: Draw) -> str:
    first = draw.now.date().replace(day=1)
    return month_of(draw.rng.choice((first, first + timedelta(days=32), first - timedelta(days=40))))


def _seen_in_month(draw: Draw) -> list[Any]:
    return [(list_categories, {"month": draw.values["month"]})]


def _past_month(draw: Draw) -> str:
    this = draw.now.date().replace(day=1)
    return month_of(this - timedelta(days=draw.rng.choice((1, 1, 40, 70))))


def _closing(draw: Draw) -> str:
    this = draw.now.date().replace(day=1)
    return month_of(draw.rng.choice((this, this - timedelta(days=1), this - timedelta(days=1))))


def _in_words(month: str, drawn: Any = None) -> str:
    return f"{date(int(month[:4]), int(month[5:]), 1):%B}"


def _period(draw: Draw) -> dict[str, date]:
    month = _past_month(draw)
    return {"first_day": last_day(month).replace(day=1), "last_day": last_day(month)}


def _period_in_words(days: dict[str, date]) -> str:
    return f"{days['first_day']:%B}"


def _sum(result: Any) -> int | None:
    return sum(item["amount_cents"] for item in result["items"]) if result["pages"] == 1 else None


def _later(draw: Draw) -> date:
    return draw.now.date() + timedelta(days=draw.rng.randrange(3, 45))


EXPENSE = Slot("expense", says=("I mean {}.", "It is {}."))
BILL = Slot("bill", says=("I mean {}.", "It is {}."))

GOALS = (
    Goal(
        add_expense,
        name="note",
        verbs=("note", "record"),
        says=(
            "Please enter {amount_cents} at {payee}[ on {on}][, under {category}].",
            "I paid {amount_cents} at {payee}[ on {on}], please note it[ under {category}].",
            "Note an expense for me: {payee}, {amount_cents}[, {on}][, {category}].",
            "Can you record {amount_cents} for {category}[, paid on {on}][, to {payee}]?",
            "We spent {amount_cents} at {payee}[ on {on}]. Please put it in the diary[ under {category}].",
            "There is a new receipt from {payee}[, dated {on}]: {amount_cents}[, for {category}].",
            "Put {amount_cents} down for {category}[; I paid it to {payee}][ on {on}].",
            "{payee} got {amount_cents} from us[ on {on}], enter that please[ as {category}].",
            "Another expense[ under {category}]: {amount_cents} to {payee}[, on {on}].",
            "Write down that I paid {payee} {amount_cents}[ on {on}][; it belongs to {category}].",
            "I have to add {amount_cents} that went to {payee}[ on {on}].",
            "My receipt says {payee}, {amount_cents}[, {on}]; enter it[ under {category}], please.",
        ),
        slots=(
            Slot("category", withheld=0.4, says=("Under {}.", "It belongs to {}.", "For {}.")),
            Slot("payee", draw=_payee, says=("To {}.", "At {}.")),
            Slot("amount_cents", draw=_paid, says=("{}.", "It was {}.")),
            Slot("on", withheld=0.4, draw=_day, says=("On {}.", "I paid it on {}.")),
            Slot("note", given=0.0),
        ),
        tells=(Tell("left_cents", near=("left", "remain", "remaining")),),
    ),
    Goal(
        edit_expense,
        name="correct_amount",
        verbs=("correct", "change", "fix"),
        says=(
            "Please correct {expense}: it was {amount_cents}.",
            "{expense} came to {amount_cents}, please fix that.",
            "There is a wrong figure in {expense}[; {amount_cents} is right].",
            "Can you change {expense} to {amount_cents}?",
            "I mistyped {expense}[, it should say {amount_cents}].",
            "The amount of {expense} is wrong[: it is {amount_cents}].",
            "Make {expense} {amount_cents}, please.",
            "{expense} must read {amount_cents}.",
            "I got {expense} wrong; the receipt says {amount_cents}.",
            "Set {expense} right[: {amount_cents}].",
            "Could you put {amount_cents} in place of the amount of {expense}?",
            "We noted the wrong amount for {expense}[; {amount_cents} is what it was].",
        ),
        slots=(EXPENSE, Slot("amount_cents", withheld=0.4, draw=_cents(450, 20_000), says=("{}.", "It was {}."))),
        tells=(Tell("amount_cents"),),
        where=lambda expense, amount_cents: expense.row.amount_cents != amount_cents,
    ),
    Goal(
        edit_expense,
        name="correct_day",
        verbs=("correct", "redate", "move"),
        says=(
            "{expense} was in fact on {on}, please correct that.",
            "Please move {expense} to {on}.",
            "The day of {expense} is wrong[, it was {on}].",
            "Can you redate {expense}[ to {on}]?",
            "I entered {expense} for the wrong day[; {on} is right].",
            "{expense} happened on {on}.",
            "Change the date of {expense}[ to {on}].",
            "Put {expense} on {on} instead.",
            "The receipt of {expense} says {on}, please correct the day.",
            "Correct the day of {expense}[: {on}].",
            "Could you set {expense} to {on}?",
            "{expense} was on another day[, on {on}].",
        ),
        slots=(EXPENSE, Slot("on", withheld=0.4, draw=_other_day, says=("On {}.", "It was {}."))),
        where=lambda expense, on: expense.row.on != on,
    ),
    Goal(
        edit_expense,
        name="sort",
        verbs=("move", "file", "sort"),
        says=(
            "{expense} belongs under {category}.",
            "Please file {expense} under {category}.",
            "Move {expense} to {category}.",
            "{expense} is in the wrong category[, it should be {category}].",
            "Can you sort {expense} into {category}?",
            "Put {expense} under {category}, please.",
            "I'd rather have {expense} under {category}.",
            "{expense} was really for {category}.",
            "Change the category of {expense}[ to {category}].",
            "That was no such thing: {expense} is {category}.",
            "Count {expense} as {category} from now on.",
            "Recategorise {expense}[; {category} is right].",
        ),
        slots=(EXPENSE, Slot("category", withheld=0.4, says=("Under {}.", "{}, please."))),
        where=lambda expense, category: expense.row.category_name != category.row.name,
    ),
    Goal(
        delete_expense,
        name="remove",
        verbs=("remove", "delete"),
        says=(
            "Please remove {expense} from the diary.",
            "{expense} was paid by somebody else, delete it.",
            "Delete {expense}, please.",
            "{expense} was a mistake; take it out.",
            "{expense} is not ours. Remove it, please.",
            "Take {expense} out of the diary.",
            "Can you delete {expense}? It was never ours.",
            "{expense} should not be there.",
            "Strike {expense} from our expenses.",
            "I returned everything: remove {expense}.",
            "I'd like {expense} gone from the diary.",
            "Please get rid of {expense}, that was my sister's.",
        ),
        slots=(EXPENSE,),
        tells=(Tell("amount_cents"),),
    ),
    Goal(
        split_expense,
        name="split",
        verbs=("split", "divide"),
        says=(
            "Of {expense}, {part_cents} were for {into}; please split it.",
            "Split {expense}: {part_cents} go under {into}, the rest stays.",
            "{part_cents} of {expense} belong to {into}. Can you divide it?",
            "Please divide {expense}, {part_cents} of it is {into}.",
            "Not all of {expense} is right where it is: {part_cents} were {into}. Split it, please.",
            "Take {part_cents} out of {expense} and put them under {into}.",
            "{expense} needs splitting, with {part_cents} under {into}.",
            "I bought two kinds of things: {part_cents} of {expense} are {into}. Please split it.",
            "Could you split off {part_cents} of {expense} for {into}?",
            "Divide {expense} in two: {part_cents} for {into}, the rest as it is.",
            "{into} should carry {part_cents} of {expense}; split it, please.",
            "Let {part_cents} of {expense} count as {into} and leave the rest.",
        ),
        slots=(EXPENSE,),
        about=(Slot("into", of=Category), Slot("part_cents", draw=_part)),
        worked_out={"parts": _parts},
    ),
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
            Slot("month", draw=_limit_month, say=_in_words),
            Slot("limit_cents", withheld=0.3, draw=_cents(9_000, 70_000), says=("{}.", "To {}.")),
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
            Slot("amount_cents", withheld=0.3, draw=_cents(1_500, 20_000), says=("{}.", "Move {}.")),
        ),
        tells=(Tell("target.left_cents", near=("left",)),),
        where=lambda source, target: source.row.category_id != target.row.category_id,
    ),
    Goal(
        update_recurring,
        name="pause",
        verbs=("pause", "stop"),
        fixed={"paused": True},
        says=(
            "We cancelled it, so please pause {bill}.",
            "Stop planning for {bill}.",
            "{bill} has ended; do not expect it any more.",
            "Please pause {bill}.",
            "{bill} is history, take it out of the plan.",
            "Can you stop expecting {bill}?",
            "Pause {bill} for now.",
            "I have given notice, so {bill} can be paused.",
            "{bill} will not come any more, please pause it.",
            "Do not count on {bill} from here on.",
            "Let {bill} rest for the time being.",
            "I want {bill} paused in the diary.",
        ),
        slots=(BILL,),
        where=lambda bill: not bill.row.paused,
    ),
    Goal(
        update_recurring,
        name="resume",
        verbs=("resume", "restart"),
        fixed={"paused": False},
        says=(
            "{bill} starts again, please expect it.",
            "Please resume {bill}.",
            "{bill} is back; plan for it again.",
            "Can you take {bill} up again?",
            "Restart {bill} in the plan.",
            "Count on {bill} again, please.",
            "{bill} should no longer be paused.",
            "I have signed up once more, so resume {bill}.",
            "Put {bill} back into the plan.",
            "From now on {bill} is due again, please resume it.",
            "Please stop pausing {bill}.",
            "Let the diary expect {bill} again.",
        ),
        slots=(BILL,),
        where=lambda bill: bill.row.paused,
    ),
    Goal(
        update_recurring,
        name="reprice",
        verbs=("change", "update"),
        says=(
            "{bill} costs {amount_cents} from now on.",
            "Please change {bill} to {amount_cents}.",
            "They raised the price: {bill} is {amount_cents} now.",
            "The price of {bill} has changed[ to {amount_cents}].",
            "Can you update {bill}[ to {amount_cents}]?",
            "From now on expect {amount_cents} for {bill}.",
            "{bill} will be {amount_cents} each time.",
            "Put {amount_cents} down for {bill}.",
            "I got a letter: {bill} comes to {amount_cents} now.",
            "Plan {amount_cents} for {bill}, please.",
            "Update the amount of {bill}[: {amount_cents}].",
            "It is no longer the old price, {bill} is {amount_cents}.",
        ),
        slots=(BILL, Slot("amount_cents", withheld=0.4, draw=_cents(700, 14_000), says=("{}.", "It is {}."))),
        where=lambda bill, amount_cents: bill.row.amount_cents != amount_cents,
    ),
    Goal(
        update_recurring,
        name="postpone",
        verbs=("postpone", "expect"),
        says=(
            "{bill} comes on {next_on} next time.",
            "Please expect {bill} on {next_on}.",
            "They put it off: {bill} is due on {next_on}.",
            "The next day of {bill} has changed[ to {next_on}].",
            "Can you move the next day of {bill}[ to {next_on}]?",
            "Postpone {bill}[ to {next_on}].",
            "{bill} will be taken on {next_on} instead.",
            "Set the next day of {bill}[: {next_on}].",
            "{bill} will be charged on {next_on} this time.",
            "Next time {bill} falls on {next_on}, please note that.",
            "Let {bill} be due on {next_on}.",
            "Change when {bill} is due next[: {next_on}].",
        ),
        slots=(BILL, Slot("next_on", withheld=0.4, draw=_later, says=("On {}.", "{}."))),
        where=lambda bill, next_on: bill.row.next_on != next_on,
    ),
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
        slots=(Slot("month", draw=_closing, say=_in_words, reads=_seen_in_month),),
        tells=(Tell("carried_cents", near=("carried", "carry", "over")),),
    ),
    Goal(
        list_categories,
        name="ask_left",
        verbs=("tell",),
        says=(
            "What is left for {name} this month?",
            "How much can we still spend on {name}?",
            "What remains for {name}?",
            "How much of the limit for {name} is left?",
            "Tell me what we have left for {name}, please.",
            "Is there anything left for {name}, and how much?",
            "I'd like to know what is left under {name}.",
            "How much room is there for {name} this month?",
            "What may still go on {name} this month?",
            "What does the diary say is left for {name}?",
            "Can you look up what is left for {name}?",
            "How far are we from the limit for {name}?",
        ),
        slots=(Slot("name", draw=lambda draw: draw.rng.choice(draw.rows(Category)).name),),
        tells=(Tell("left", kind="money", value=lambda result: result[0]["left_cents"], near=("left", "over")),),
    ),
    Goal(
        list_expenses,
        name="ask_spent",
        verbs=("tell",),
        says=(
            "How much did we spend on {category} in {period}?",
            "What did {category} cost us in {period}?",
            "Please add up what went on {category} in {period}.",
            "What did we pay for {category} in {period}, all together?",
            "How much went on {category} in {period}?",
            "I want to know our spending on {category} in {period}.",
            "What does {category} come to for {period}?",
            "Tell me the total for {category} in {period}.",
            "In {period}, how much was {category}?",
            "Can you sum up {category} for {period}?",
            "What was our bill for {category} in {period}?",
            "How expensive was {category} in {period}?",
        ),
        slots=(
            Slot("category", given=1.0),
            Slot("period", fills=("first_day", "last_day"), draw=_period, say=_period_in_words),
        ),
        tells=(Tell("items", kind="money", value=_sum),),
    ),
    Goal(
        get_month,
        name="ask_rest",
        verbs=("tell",),
        says=(
            "How much was left of our income in {month}?",
            "What did we have left over in {month}?",
            "Did we save anything in {month}, and how much?",
            "What remained of the income of {month}?",
            "Tell me what was left at the end of {month}.",
            "How did {month} end: what was left of our income?",
            "I'd like to know what we kept of our income in {month}.",
            "What was over in {month} after all expenses?",
            "How much of what came in was left in {month}?",
            "Income less spending for {month}, what does that make?",
            "By how much did income exceed spending in {month}?",
            "What is the rest of the income for {month}?",
        ),
        slots=(Slot("month", draw=_past_month, say=_in_words),),
        tells=(Tell("left_cents"),),
        share=0.5,
    ),
    Goal(
        list_recurring,
        name="ask_due",
        verbs=("tell",),
        says=(
            "When is {payee} due next?",
            "On which day does {payee} come next?",
            "When do we pay {payee} again?",
            "Tell me the next day of {payee}.",
            "When will {payee} be taken next?",
            "What is the next date for {payee}?",
            "When should we expect {payee}?",
            "Do you know when {payee} falls due?",
            "How long until {payee}? I mean the date.",
            "Which day is {payee} planned for?",
            "Can you see when {payee} comes next?",
            "I'd like to know when {payee} is due.",
        ),
        slots=(Slot("payee", draw=lambda draw: draw.rng.choice(draw.rows(Bill)).payee),),
        tells=(
            Tell(
                "next_on",
                kind="date",
                value=lambda result: result["items"][0]["next_on"] if result["total"] == 1 else None,
            ),
        ),
        share=0.5,
    ),
)
