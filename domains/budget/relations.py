"""How households get from one row of their diary to another, in requests that are answered at once."""

from toolgym.domains.budget.schema import Bill, Expense
from toolgym.sandbox.kit.goal import Relation

RELATIONS = (
    Relation(
        Expense,
        "category_id",
        says="the category of {it}",
        by="the {on:month} expense under {it}",
        only="the only expense under {it}",
        first="the latest expense under {it}",
    ),
    Relation(
        Expense,
        "on",
        says="the same day as {it}",
        by="the expense under {category_id} on {it}",
        only="the only expense on {it}",
        first="the latest expense on {it}",
    ),
    Relation(
        Expense,
        "payee",
        says="the same shop as {it}",
        by="the {on:month} expense at {it}",
        only="the only expense at {it}",
        first="the latest expense at {it}",
    ),
    Relation(
        Bill,
        "category_id",
        says="the category of {it}",
        by="under {it}",
        only="the only bill under {it}",
        first="the next bill under {it}",
    ),
    Relation(
        Bill,
        "payee",
        says="the same company as {it}",
        by="that goes to {it}",
        only="the only bill of {it}",
        first="the next bill of {it}",
    ),
)
