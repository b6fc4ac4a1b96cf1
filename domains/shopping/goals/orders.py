"""What customers want done with what they ordered."""

from typing import Any

from toolgym.domains.shopping import tools
from toolgym.domains.shopping.assortment import SIZES
from toolgym.domains.shopping.goals.draws import AN_ITEM, LINE, product_of_item
from toolgym.domains.shopping.schema import OrderedItem, Product, Variant
from toolgym.sandbox.kit.goal import Calls, Draw, Goal, Slot, Tell

_REFUND = Slot(
    "refund_to",
    withheld=0.5,
    words={"original": "back on the card", "credit": "as store credit"},
    says=("{}, please.", "I'd like it {}."),
)
_REASONS = {
    "damaged": "I found damage",
    "wrong_item": "I got the wrong thing",
    "does_not_fit": "the size is wrong",
    "changed_mind": "I thought better of it",
}
_RETURNED = (Tell("refund_cents", near=("refund", "back", "get", "credit")), Tell("deadline", kind="date"))
_GOOD = ("sturdy", "handsome", "practical", "well made", "pretty")
_BAD = ("heavy", "overpriced", "hard to clean", "badly packed")


def _larger(draw: Draw, item: Any) -> Variant | None:
    """The same thing in the next size, where there is one in stock."""
    if item.size not in SIZES[:-1]:
        return None
    size = SIZES[SIZES.index(item.size) + 1]
    found = draw.database.find(Variant, product_id=item.product_id, colour=item.colour, size=size)
    return next((row for row in found if row.stock), None)


def _too_tight(draw: Draw) -> OrderedItem | None:
    return draw.one_of([row for row in draw.rows(OrderedItem) if row.state == "bought" and _larger(draw, row)])


def _next_size(draw: Draw) -> Calls:
    return [(tools.add_to_cart, {"variant": _larger(draw, draw.values["line"])})]


def _seen(draw: Draw) -> Calls:
    return [(tools.get_product, {"product": product_of_item(draw, draw.values["line"])})]


def _reason(draw: Draw) -> str:
    """Why things go back; only what has a size can have the wrong one."""
    return draw.rng.choice([name for name in _REASONS if name != "does_not_fit" or draw.values["line"].size])


def _had(draw: Draw) -> Product | None:
    """Mostly something that was bought, now and then something that was not."""
    rows = [product_of_item(draw, row) for row in draw.rows(OrderedItem)]
    among = draw.rows(Product) if draw.rng.random() < 0.25 else rows
    return draw.one_of([row for row in among if row.category != "pantry"])


ORDERS = (
    Goal(
        tools.cancel_order,
        name="cancel",
        slots=(
            Slot("order", says=AN_ITEM),
            Slot(
                "reason",
                withheld=0.5,
                words={
                    "changed_mind": "I thought better of it",
                    "found_cheaper": "I found a better price elsewhere",
                    "too_slow": "it takes too long",
                },
            ),
        ),
        tells=(Tell("refund_cents", near=("refund", "back", "get")),),
        where=lambda order: order.row.state not in ("cancelled", "returning"),
        share=1.3,
    ),
    Goal(
        tools.request_return,
        name="send_back",
        slots=(LINE, Slot("reason", withheld=0.5, draw=_reason, words=_REASONS), _REFUND, Slot("comment", given=0.0)),
        tells=_RETURNED,
        where=lambda line: line.row.state == "bought",
        share=2.0,
    ),
    Goal(
        tools.request_return,
        name="exchange",
        fixed={"reason": "does_not_fit"},
        slots=(Slot("line", draw=_too_tight, says=AN_ITEM, reads=_seen), _REFUND, Slot("comment", given=0.0)),
        also=_next_size,
        tells=_RETURNED,
    ),
    Goal(
        tools.write_review,
        name="rate",
        slots=(
            Slot("product", draw=_had, says=AN_ITEM),
            Slot("stars", withheld=0.4, draw=(2, 3, 4, 5), says=("{} stars.", "{} of five.")),
            Slot("text", mentions=("good", "bad")),
        ),
        about=(Slot("good", draw=_GOOD), Slot("bad", draw=_BAD)),
        share=1.3,
    ),
)
