"""Harbor Bank: a private customer's accounts, cards, payees and payments."""

from toolgym.domains.banking.schema import Customer
from toolgym.sandbox.kit.domain import Domain

domain = Domain.of(__name__, title="A private customer's bank", owner=Customer)
