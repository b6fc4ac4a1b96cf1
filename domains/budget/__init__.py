"""A household's money diary: expenses, limits by category and month, and what comes back every month."""

from toolgym.domains.budget.schema import Household
from toolgym.sandbox.kit.domain import Domain

domain = Domain.of(__name__, title="A household's money diary", owner=Household)
