"""What associates want of the chain's system, and how they speak of what is in it."""

from __future__ import annotations

from toolgym.domains.retail_chain.goals.holds import HOLDS
from toolgym.domains.retail_chain.goals.shelves import SHELVES
from toolgym.domains.retail_chain.goals.transfers import TRANSFERS
from toolgym.domains.retail_chain.schema import Hold, Item, Sku, Store, Transfer
from toolgym.domains.retail_chain.tools import get_item, get_my_store, get_stock, search_catalogue
from toolgym.sandbox.kit.goal import Condition, Thing

THINGS = (
    Thing(Store, ("our {role} in {city}", "the {name} branch")),
    Thing(Item, ("the {name}",)),
    Thing(
        Sku,
        ("the {item_name} in {colour}, size {size}", "the {item_name} in {size} and {colour}"),
        found_by=(search_catalogue, get_item),
    ),
    Thing(
        Hold,
        ("the {item_name} that is held for {customer}", "the hold for {customer}"),
        where=lambda hold: hold.row.state == "open",
        found_by=(get_my_store,),
    ),
    Thing(
        Transfer,
        ("the {state} transfer of the {item_name}", "the {item_name} transfer from {source_name} to {target_name}"),
        where=lambda transfer: transfer.row.direction != "elsewhere",
    ),
)
CONDITIONS = (Condition(Sku, "free_here", "if {value} or more of {it} are free in our store", get_stock),)
GOALS = (*HOLDS, *TRANSFERS, *SHELVES)
