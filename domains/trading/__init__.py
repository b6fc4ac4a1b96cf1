"""A private investor's brokerage account: quotes, orders, positions and price alerts."""

from toolgym.domains.trading.schema import Investor
from toolgym.sandbox.kit.domain import Domain

domain = Domain.of(__name__, title="A private investor's brokerage account", owner=Investor)
