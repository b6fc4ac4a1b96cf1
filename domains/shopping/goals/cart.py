"""What customers want done with their cart, their list and their coupons."""

from __future__ import annotations

from toolgym.domains.shopping.assortment import SORTS
from toolgym.domains.shopping.goals.draws import AN_ITEM, LINE, QUANTITY, VARIANT, Calls, one_of
from toolgym.domains.shopping.schema import CartItem, Coupon, SavedItem, Variant
from toolgym.domains.shopping.tools.cart import (
    add_to_cart,
    apply_coupon,
    get_cart,
    list_saved,
    move_to_cart,
    remove_coupon,
    save_for_later,
    set_cart_quantity,
)
from toolgym.domains.shopping.tools.catalogue import get_product, search_products
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell

_STARS = {"4.0": "4", "4.2": "4.2", "4.5": "4.5"}
TOTAL = Tell("total_cents", near=("total", "cart", "come", "comes"))


def _cheapest(draw: Draw) -> Variant | None:
    """The only variant of the cheapest product of a sort with so many stars, where there is just one."""
    sort, stars = draw.values["sort"], draw.values["stars"]
    found = search_products.function(draw.database, text=sort, min_rating=stars, sort="price").rows
    if len(found) < 2 or found[0].price_cents == found[1].price_cents:
        return None
    variants = draw.database.find(Variant, product_id=found[0].product_id)
    return variants[0] if len(variants) == 1 and variants[0].stock else None


def _searched(draw: Draw) -> Calls:
    given = {"text": draw.values["sort"], "min_rating": draw.values["stars"], "sort": "price"}
    found = search_products.function(draw.database, **given).rows
    return [(search_products, given), *((get_product, {"product": row}) for row in found[:1])]


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
    return one_of(draw, fitting)


def _code(draw: Draw) -> Coupon | None:
    return one_of(draw, draw.database.find(Coupon)) if draw.rows(CartItem) else None


CART = (
    Goal(
        add_to_cart,
        name="add",
        verbs=("put",),
        says=(
            "Put {variant} into my cart, please[, {quantity} of them].",
            "Add {variant} to my cart[, {quantity} of them].",
            "I'd like {variant} in my cart[, {quantity} of them].",
            "Can you put {variant} into the cart for me?[ I need {quantity}.]",
            "I'm going to need {variant}, so please add that to the cart[, {quantity} of them].",
            "Please add {variant} to what's in my cart[, {quantity} pieces].",
            "I've made up my mind about {variant}[, {quantity} of them]. Put that into the cart.",
            "Could you add {variant} to my cart?[ Make that {quantity}.]",
            "Add {variant} to the cart[, {quantity} pieces].",
            "Let's put {variant} into the cart[, {quantity} of them].",
            "Would you place {variant} in my cart?[ I'd take {quantity}.]",
            "I want {variant}[, {quantity} of them]; put that into my cart, please.",
        ),
        slots=(VARIANT, QUANTITY),
        tells=(TOTAL,),
    ),
    Goal(
        add_to_cart,
        name="cheapest",
        verbs=("put",),
        says=(
            "Put the cheapest {sort} with at least {stars} stars into my cart.",
            "I need a {sort}. Put the cheapest one that has {stars} stars or more into my cart.",
            "What's the cheapest {sort} rated {stars} or better? Add it to my cart, please.",
            "Find me the cheapest {sort} with {stars} stars or more and put it into the cart.",
            "Please put the least expensive {sort} with at least {stars} stars into my cart.",
            "Which {sort} costs the least among those with {stars} stars and up? I want that one in my cart.",
            "Put the lowest-priced {sort} that has at least {stars} stars into my cart.",
            "I'm after a {sort} that people like, {stars} stars at least. Add the cheapest to my cart.",
            "Could you add a {sort} to my cart, the cheapest with {stars} stars or more?",
            "Look for a {sort} with at least {stars} stars and put the one with the lowest price in the cart.",
            "Of all that have {stars} stars or more, add the cheapest {sort} to my cart.",
            "It's time for a new {sort}: the cheapest with {stars} stars at least. Put it in the cart.",
        ),
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
        set_cart_quantity,
        name="set_quantity",
        verbs=("set",),
        says=(
            "Set {line} to {quantity}.",
            "Make it {quantity} of {line}.",
            "I need {quantity} of {line}, not what it says now.",
            "Please change the number of {line}: {quantity}.",
            "Can you change {line} to {quantity} pieces?",
            "Instead of what I have, I want {quantity} of {line}.",
            "The number of {line} is wrong, it should be {quantity}.",
            "Change the quantity of {line} to {quantity}, please.",
            "Could you make that {quantity} of {line}?",
            "There are more of us than I thought, so please change {line} to {quantity}.",
            "Let me have {quantity} of {line} instead.",
            "Raise or lower {line} to {quantity}, will you?",
        ),
        slots=(LINE, Slot("quantity", draw=_another_number, says=("{} of them.", "{}, please."))),
        tells=(TOTAL,),
        where=lambda line, quantity: quantity not in (0, line.row.quantity),
    ),
    Goal(
        set_cart_quantity,
        name="take_out",
        verbs=("take out", "remove"),
        fixed={"quantity": 0},
        says=(
            "Take out {line}, please.",
            "Remove {line}.",
            "I don't want {line} any more; take that out.",
            "Please remove {line}, I've found something better.",
            "Can you take out {line}?",
            "I thought again about {line}. Remove that, please.",
            "Could you get rid of {line}?",
            "{line} can go, I don't need that now.",
            "Drop {line} altogether.",
            "I've no use for {line} after all, so remove that.",
            "Would you please take {line} out again?",
            "Forget about {line} and take that out.",
        ),
        slots=(LINE,),
        tells=(TOTAL,),
        where=lambda quantity: quantity == 0,
    ),
    Goal(
        save_for_later,
        name="save",
        verbs=("save",),
        says=(
            "Save {line} for later.",
            "I'll buy {line} another time, keep that on my list.",
            "Please put {line} on my list instead, I can't decide.",
            "Keep {line} for later, not now.",
            "Can you save {line} for later?",
            "Not today: please save {line} for later.",
            "I'd like to think about {line}. Save that for later, please.",
            "Could you put {line} aside on my list?",
            "Let's keep {line} on the list for now.",
            "I can't afford {line} this month; keep that on my list.",
            "Would you set {line} aside for later?",
            "I want {line} off the cart but on my list.",
        ),
        slots=(LINE,),
        tells=(TOTAL,),
    ),
    Goal(
        save_for_later,
        name="trim",
        verbs=("take out", "save", "move"),
        says=(
            "Take out of the cart whatever costs more than {limit_cents}, but keep it on my list.",
            "Save everything in my cart that costs more than {limit_cents} for later.",
            "My cart is too expensive. Put whatever is above {limit_cents} on my list instead.",
            "Move all that costs more than {limit_cents} from the cart to my list.",
            "Anything over {limit_cents} should leave the cart and stay on my list.",
            "Please keep only what costs {limit_cents} or less in the cart; the rest goes on my list.",
            "Go through my cart and save for later what costs more than {limit_cents}.",
            "I have to spend less: whatever is dearer than {limit_cents} goes from the cart to the list.",
            "Could you save for later everything in the cart above {limit_cents}?",
            "Nothing in my cart should cost more than {limit_cents}. Save what does for later.",
            "What's in the cart for more than {limit_cents} can wait, put it on my list.",
            "Would you clear my cart of everything over {limit_cents} and keep that on my list?",
        ),
        slots=(Slot("limit_cents", draw=_limit, reads=lambda draw: [(get_cart, {})]),),
        worked_out={"line": lambda draw: next(iter(_dear(draw)), None)},
        also=lambda draw: [(save_for_later, {"line": row}) for row in _dear(draw)[1:]],
        tells=(TOTAL,),
    ),
    Goal(
        move_to_cart,
        name="from_list",
        verbs=("move", "put"),
        says=(
            "Move {saved} to my cart.",
            "I'll take {saved} now, put that into the cart.",
            "Please put {saved} into my cart.",
            "I've decided to buy {saved}. Move that to the cart, please.",
            "Can you move {saved} into the cart?",
            "It's time to get {saved}: put that into my cart.",
            "Could you put {saved} in my cart now?",
            "I've saved up enough, so move {saved} to the cart.",
            "Would you move {saved} over to my cart?",
            "Put {saved} into the cart for me.",
            "{saved} should go into my cart now.",
            "I don't want to wait any longer; move {saved} to my cart.",
        ),
        slots=(Slot("saved", says=AN_ITEM),),
        tells=(TOTAL,),
    ),
    Goal(
        move_to_cart,
        name="price_drop",
        verbs=("move", "put"),
        says=(
            "Is anything on my {list} cheaper than when I saved it? If so, put it into my cart.",
            "Put whatever has become cheaper on my {list} into the cart.",
            "Has the price of something on my {list} dropped? Then move it to my cart.",
            "Please move what costs less now than when I saved it from my {list} to the cart.",
            "Check my {list} for price drops and put what got cheaper in my cart.",
            "I was waiting for prices to fall: move what's cheaper now from my {list} into the cart.",
            "If something on my {list} has gone down in price, I want it in my cart.",
            "Look through my {list}: what is cheaper than it was goes into the cart.",
            "Did anything on my {list} get cheaper? Move that to my cart.",
            "Could you put the thing on my {list} whose price went down into the cart?",
            "Whatever fell in price since I put it on my {list}, move it to my cart, please.",
            "Move the item on my {list} that has become cheaper to my cart.",
        ),
        slots=(Slot("list", draw=("wish list", "saved list", "shopping list"), reads=lambda draw: [(list_saved, {})]),),
        worked_out={"saved": _cheaper},
        tells=(Tell("item", kind="text", value=lambda result, draw: draw.view(draw.values["saved"]).name), TOTAL),
    ),
    Goal(
        apply_coupon,
        name="redeem",
        verbs=("redeem", "use"),
        says=(
            "Redeem {code} for my cart.",
            "Does {code} work for what is in my cart? If it does, use it.",
            "I've got {code}; please apply it.",
            "Use {code} for my cart, please.",
            "Can you redeem {code} for what's in my cart?",
            "A friend gave me {code}. Apply it to my cart, please.",
            "There was {code} in your newsletter. Could you use it for my cart?",
            "Please try {code} on my cart.",
            "I want to use {code}.",
            "Apply {code} and tell me what I'd pay.",
            "Would you apply {code} to what I've got in the cart?",
            "Let me have the discount of {code}, please.",
        ),
        slots=(Slot("code", draw=_code),),
        tells=(TOTAL,),
        share=1.5,
    ),
    Goal(
        remove_coupon,
        name="drop_coupon",
        verbs=("remove",),
        says=(
            "Remove the coupon from my cart.",
            "I'd rather keep the code for later; take the coupon off.",
            "Take off the coupon, please.",
            "Please remove the code that's on my cart.",
            "Can you take the coupon off my cart? I'll use it another time.",
            "I don't want to use the coupon now. Remove it, please.",
            "Could you remove the discount code from my cart?",
            "What would I pay without the coupon? Remove it, please.",
            "Let's save the coupon for a bigger order. Take it off my cart.",
            "Would you take that code off my cart?",
            "No coupon this time, please remove it.",
            "The coupon on my cart should come off.",
        ),
        tells=(TOTAL,),
        share=0.3,
    ),
)
