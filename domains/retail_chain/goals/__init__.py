"""What associates want of the chain's system, and how they speak of what is in it."""

from __future__ import annotations

from toolgym.domains.retail_chain.goals.holds import HOLDS
from toolgym.domains.retail_chain.goals.shelves import SHELVES
from toolgym.domains.retail_chain.goals.transfers import TRANSFERS
from toolgym.domains.retail_chain.schema import Hold, Item, Sku, Store, Transfer
from toolgym.domains.retail_chain.tools import get_item, get_my_store, get_stock, search_catalogue
from toolgym.sandbox.kit.goal import Condition, Thing

THINGS = (
    Thing(Store),
    Thing(Item),
    Thing(Sku, found_by=(search_catalogue, get_item)),
    Thing(Hold, where=lambda hold: hold.row.state == "open", found_by=(get_my_store,)),
    Thing(Transfer, where=lambda transfer: transfer.row.direction != "elsewhere"),
)
CONDITIONS = (Condition(Sku, "free_here", "if {value} or more of {it} are free in our store", get_stock),)
GOALS = (*HOLDS, *TRANSFERS, *SHELVES)
