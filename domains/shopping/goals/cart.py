"""What customers want done with their cart, their list and their coupons."""

from toolgym.domains.shopping import tools
from toolgym.domains.shopping.assortment import SORTS
from toolgym.domains.shopping.goals.draws import AN_ITEM, LINE, QUANTITY, VARIANT
from toolgym.domains.shopping.schema import CartItem, Coupon, SavedItem, Variant
from toolgym.sandbox.kit.goal import Calls, Draw, Goal, Slot, Tell

_STARS = {"4.0": "4", "4.2": "4.2", "4.5": "4.5"}
TOTAL = Tell("total_cents", near=("total", "cart", "come", "comes"))


def _cheapest(draw: Draw) -> Variant | None:
    """The only variant of the cheapest product of a sort with so many stars, where there is just one."""
    sort, stars = draw.values["sort"], draw.values["stars"]
    found = tools.search_products.function(draw.database, text=sort, min_rating=stars, sort="price").rows
    if len(found) < 2 or found[0].price_cents == found[1].price_cents:
        return None
    variants = draw.database.find(Variant, product_id=found[0].product_id)
    return variants[0] if len(variants) == 1 and variants[0].stock else None


def _searched(draw: Draw) -> Calls:
    given = {"text": draw.values["sort"], "min_rating": draw.values["stars"], "sort": "price"}
    found = tools.search_products.function(draw.database, **given).rows
    return [(tools.search_products, given), *((tools.get_product, {"product": row}) for row in found[:1])]


def _another_number(draw: Draw) -> int:
    return draw.rng.choice([number for number in (1, 2, 3, 4) if number != draw.values["line"].quantity])


def _cheaper(draw: Draw) -> SavedItem | None:
    """The only thing on the list that costs less by now."""
    found = [row for row in draw.rows(SavedItem) if draw.view(row).price_cents < row.old_price_cents]
    return found[0] if len(found) == 1 else None


def _dear(draw: Draw) -> list[CartItem]:
    """What costs more than the drawn limit."""
    return [row for row in draw.rows(CartItem) if draw.view(row).price_cents > draw.values["limit_cents"]]


def _limit(draw: Draw) -> int | None:
    """A round amount that some of the cart costs more than, whether one looks at pieces or at lines."""
    rows = [draw.view(row) for row in draw.rows(CartItem)]
    fitting = []
    for limit in range(2_000, 20_000, 500):
        pieces = [row.price_cents > limit for row in rows]
        if any(pieces) and not all(pieces) and pieces == [row.price_cents * row.quantity > limit for row in rows]:
            fitting.append(limit)
    return draw.one_of(fitting)


def _code(draw: Draw) -> Coupon | None:
    return draw.one_of(draw.database.find(Coupon)) if draw.rows(CartItem) else None


CART = (
    Goal(tools.add_to_cart, name="add", slots=(VARIANT, QUANTITY), tells=(TOTAL,)),
    Goal(
        tools.add_to_cart,
        name="cheapest",
        slots=(
            Slot("sort", draw=sorted(name for name, sort in SORTS.items() if not sort.colours and name[-1] != "s")),
            Slot("stars", draw=[float(stars) for stars in _STARS], words=_STARS, reads=_searched),
        ),
        worked_out={"variant": _cheapest},
        where=lambda quantity: quantity == 1,
        tells=(TOTAL,),
        share=0.7,
    ),
    Goal(
        tools.set_cart_quantity,
        name="set_quantity",
        slots=(LINE, Slot("quantity", draw=_another_number, says=("{} of them.", "{}, please."))),
        tells=(TOTAL,),
        where=lambda line, quantity: quantity not in (0, line.row.quantity),
    ),
    Goal(
        tools.set_cart_quantity,
        name="take_out",
        fixed={"quantity": 0},
        slots=(LINE,),
        tells=(TOTAL,),
        where=lambda quantity: quantity == 0,
    ),
    Goal(tools.save_for_later, name="save", slots=(LINE,), tells=(TOTAL,)),
    Goal(
        tools.save_for_later,
        name="trim",
        slots=(Slot("limit_cents", draw=_limit, reads=lambda draw: [(tools.get_cart, {})]),),
        worked_out={"line": lambda draw: next(iter(_dear(draw)), None)},
        also=lambda draw: [(tools.save_for_later, {"line": row}) for row in _dear(draw)[1:]],
        tells=(TOTAL,),
    ),
    Goal(tools.move_to_cart, name="from_list", slots=(Slot("saved", says=AN_ITEM),), tells=(TOTAL,)),
    Goal(
        tools.move_to_cart,
        name="price_drop",
        slots=(
            Slot(
                "list", draw=("wish list", "saved list", "shopping list"), reads=lambda draw: [(tools.list_saved, {})]
            ),
        ),
        worked_out={"saved": _cheaper},
        tells=(Tell("item", kind="text", value=lambda result, draw: draw.view(draw.values["saved"]).name), TOTAL),
    ),
    Goal(tools.apply_coupon, name="redeem", slots=(Slot("code", draw=_code),), tells=(TOTAL,), share=1.5),
    Goal(tools.remove_coupon, name="drop_coupon", tells=(TOTAL,), share=0.3),
)
