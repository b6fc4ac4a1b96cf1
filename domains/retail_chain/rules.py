"""The chain's rules: each a sentence of the policy, the words of a refusal and a predicate."""

from typing import Any, Literal

from toolgym.domains.retail_chain import tools
from toolgym.domains.retail_chain.schema import Associate, Sku, Store, Transfer
from toolgym.sandbox.kit.world import ToolCall, View, rule

HOLDS, LARGE, DIFFERENCE = 2, 12, 5
Step = Literal["approve", "ship", "receive", "cancel"]
Shown = dict[str, Any]


def _stock_of(sku: View[Sku] | None, transfer: View[Transfer] | None) -> ToolCall:
    key = sku.row.sku if sku is not None else transfer.row.sku if transfer is not None else ""
    return ToolCall(name="get_stock", arguments={"sku": key})


def _at(stock: Shown, store_id: str) -> Shown:
    """What a store has, as it is shown; nothing where it never had any."""
    return next((row for row in stock["stores"] if row["store_id"] == store_id), {"free": 0, "on_hand": 0})


@rule(
    "At most what is free in a store, on hand less reserved, is held, asked for or approved.",
    why="That many are not free in that store.|not free|are free|only|not enough|free in",
    on=[tools.hold_for_customer, tools.request_transfer, tools.advance_transfer],
    reads=[tools.get_stock],
    looks={"stock": _stock_of},
)
def free_stock(
    stock: Shown,
    store: View[Store] | None = None,
    source: View[Store] | None = None,
    quantity: int = 0,
    sku: View[Sku] | None = None,
    transfer: View[Transfer] | None = None,
    step: Step = "approve",
) -> bool:
    if transfer is not None:
        return step != "approve" or transfer.row.quantity <= int(_at(stock, transfer.row.source_id)["free"])
    place = store if store is not None else source
    return place is None or quantity <= int(_at(stock, place.row.store_id)["free"])


@rule(
    "A customer, known by name and digits, has at most two open holds that lie in the associate's store or were taken "
    "there.",
    why="This customer has two holds already.|two holds|two open holds|already",
    on=[tools.hold_for_customer],
    reads=[tools.get_my_store],
    looks={"mine": lambda: ToolCall(name="get_my_store", arguments={})},
)
def hold_two(mine: Shown, customer: str, phone_last4: str) -> bool:
    wanted = (customer.strip().casefold(), phone_last4)
    return [(each["customer"].casefold(), each["phone_last4"]) for each in mine["holds"]].count(wanted) < HOLDS


@rule(
    "A transfer is approved and shipped by its source, received by its target, and cancelled by either.",
    why="This step is taken by the other store.|other store|taken by|source|sending store|receiving store",
    on=[tools.advance_transfer],
    reads=[tools.list_transfers, tools.get_my_store],
)
def own_side(transfer: View[Transfer], step: Step, owner: View[Associate]) -> bool:
    ends = {
        "approve": (transfer.row.source_id,),
        "ship": (transfer.row.source_id,),
        "receive": (transfer.row.target_id,),
    }
    return owner.row.store_id in ends.get(step, (transfer.row.source_id, transfer.row.target_id))


@rule(
    "More than 12 pieces are approved by a store lead.",
    why="That many pieces need a store lead.|lead|more than 12|more than twelve",
    on=[tools.advance_transfer],
    reads=[tools.list_transfers, tools.get_my_store],
)
def lead_large(transfer: View[Transfer], step: Step, owner: View[Associate]) -> bool:
    return step != "approve" or transfer.row.quantity <= LARGE or owner.row.role == "lead"


@rule(
    "A flagship keeps its last piece of a sku: nobody asks for it or approves its leaving.",
    why="The flagship must keep one for display.|keep one|last piece|display|keeps",
    on=[tools.request_transfer, tools.advance_transfer],
    reads=[tools.get_stock],
    looks={"stock": _stock_of},
)
def keep_one(
    stock: Shown,
    source: View[Store] | None = None,
    quantity: int = 0,
    sku: View[Sku] | None = None,
    transfer: View[Transfer] | None = None,
    step: Step = "approve",
) -> bool:
    if transfer is not None:
        place, quantity = transfer.row.source_id, transfer.row.quantity if step == "approve" else 0
    else:
        place = source.row.store_id if source is not None else ""
    found = _at(stock, place)
    return not quantity or found.get("role") != "flagship" or int(found["free"]) != quantity


@rule(
    "Items on clearance are not held.",
    why="That item is marked down; clearance is not held.|marked down|clearance|on sale",
    on=[tools.hold_for_customer],
    reads=[tools.get_item],
    by="policy",
)
def clearance(sku: View[Sku]) -> bool:
    return not sku.row.marked_down


@rule(
    "A count that differs by 6 pieces or more is not entered; it is reported to the store lead first.",
    why="A difference of six or more goes to the store lead first.|lead|six or more|6 or more|difference",
    on=[tools.correct_stock],
    reads=[tools.get_stock, tools.get_my_store],
    looks={"stock": lambda sku: ToolCall(name="get_stock", arguments={"sku": sku.row.sku})},
    by="policy",
)
def big_correction(stock: Shown, sku: View[Sku], counted: int, owner: View[Associate]) -> bool:
    return abs(counted - int(_at(stock, owner.row.store_id)["on_hand"])) <= DIFFERENCE


@rule(
    "Goods are asked for from another region only where no store of the own region has as many free.",
    why="A store of our own region has enough of them.|own region|our region|your region|region",
    on=[tools.request_transfer],
    reads=[tools.get_stock],
    looks={"stock": lambda sku: ToolCall(name="get_stock", arguments={"sku": sku.row.sku})},
    by="policy",
)
def region(
    stock: Shown, sku: View[Sku], source: View[Store], target: View[Store], quantity: int, owner: View[Associate]
) -> bool:
    if source.row.region == owner.row.region or target.row.store_id != owner.row.store_id:
        return True
    near = [row for row in stock["stores"] if row["region"] == owner.row.region]
    return not any(int(row["free"]) >= quantity for row in near if row["store_id"] != owner.row.store_id)


@rule(
    "Nothing is held at a depot, where no customer comes.",
    why="A depot has no counter; nobody can collect there.|depot|counter|no customers",
    on=[tools.hold_for_customer],
    reads=[tools.get_stock],
)
def no_depot(store: View[Store]) -> bool:
    return store.row.role != "depot"
