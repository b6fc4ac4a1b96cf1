"""What the shop lets an agent do for the customer who is signed in."""

from toolgym.domains.shopping.tools import cart, catalogue, orders
from toolgym.sandbox.kit.tool import ToolSet

TOOLS = ToolSet([catalogue, cart, orders])
"""In the order in which agents see them."""
