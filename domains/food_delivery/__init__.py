"""Food delivery: restaurants with menus, a basket, orders and complaints.

- Opening hours: an order, or the moment that it is wanted for, falls within the restaurant's hours, at the latest
  20 minutes before it closes.
- Minimum order: dishes count towards the restaurant's minimum before a promotion's discount and without the fee.
- An order's life: placed, cooking, on its way, delivered; only what is placed is cancelled, and only what was just
  delivered is complained about or rated.
"""

from toolgym.domains.food_delivery.schema import Customer
from toolgym.sandbox.kit.domain import Domain

domain = Domain.of(__name__, title="Food delivery", owner=Customer)
