"""How members get from one thing that is for sale to another, in requests that are answered at once."""

from toolgym.domains.marketplace.schema import Listing, Offer, Sale
from toolgym.sandbox.kit.goal import Relation

RELATIONS = (
    Relation(
        Listing,
        "seller_id",
        says="the seller of {it}",
        by="the thing under {category} from {it}",
        only="the only thing for sale from {it}",
        first="the thing from {it} that ends first",
    ),
    Relation(Listing, "leader_id", says="the highest bidder on {it}"),
    # offers and sales stand within what is got of a listing: nothing is described by them
    *(Relation(Offer, column) for column in ("listing_id", "buyer_id")),
    *(Relation(Sale, column) for column in ("listing_id", "seller_id", "buyer_id")),
)
