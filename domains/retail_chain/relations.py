"""How associates get from one row of the chain to another, in requests that are answered at once."""

from domains.retail_chain.schema import Sku, Transfer
from sandbox.kit.goal import Relation

RELATIONS = (
    Relation(
        Transfer,
        "source_id",
        says="the store that {it} comes from",
        by="from {it}",
        first="the latest transfer from {it}",
    ),
    Relation(
        Transfer, "target_id", says="the store that {it} goes to", by="to {it}", first="the latest transfer to {it}"
    ),
    Relation(Transfer, "sku", says="what {it} brings"),
    Relation(Sku, "item_id", says="the item of {it}"),
)
