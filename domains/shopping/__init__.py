"""Fernhall: an online shop with carts, coupons, quotes for shipping, orders, returns and reviews."""

from toolgym.domains.shopping.schema import Customer
from toolgym.sandbox.kit.domain import Domain

domain = Domain.of(__name__, title="An online shop", owner=Customer)
