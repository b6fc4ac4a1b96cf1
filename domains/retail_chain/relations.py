"""How associates get from one row of the chain to another, in requests that are answered at once."""

from toolgym.domains.retail_chain.schema import Sku, Transfer
from toolgym.sandbox.kit.goal import Relation

RELATIONS = (
    Relation(
        Transfer,
        "source_id",
        says="the sending store of {it}",
        by="the {state} transfer of the {item_name} from {it}",
        first="the latest transfer from {it}",
    ),
    Relation(
        Transfer,
        "target_id",
        says="the receiving store of {it}",
        by="the {state} transfer of the {item_name} to {it}",
        first="the latest transfer to {it}",
    ),
    Relation(Transfer, "sku", says="the goods in {it}"),
    Relation(Sku, "item_id", says="the item of {it}"),
)
