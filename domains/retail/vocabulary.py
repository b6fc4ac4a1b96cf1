"""How people speak of orders, items and payments, for the published tasks."""

from toolgym.sandbox.kit.vocabulary import Topic, Vocabulary

_CHANGE = ("modify", "change", "update", "switch", "correct")

VOCABULARY = Vocabulary(
    topics=(
        Topic(
            "order_id",
            r"order (?:id|number|no\b|#|reference)s?|(?:which|what) order|orders? (?:do|would|are|is) (?:you|it)",
            loosely=r"\border",
            called="the order number",
            says=("The order is {}.", "It's order {}.", "The order number is {}."),
            facts=("order_id", "order"),
        ),
        Topic(
            "new_items",
            r"what should be different|"
            r"(?:new|replacement|desired|preferred|different|other)[\w ,/-]{0,24}?(?:items?|options?|variants?|"
            r"products?|versions?|models?)|(?:exchang\w*|swap\w*|replac\w*|chang\w*|modif\w*)[\w ,/-]{0,24}? (?:for|"
            r"with|to|into)\b|(?:which|what)[\w ,/-]{0,16} (?:options?|variants?|colou?rs?|sizes?|versions?)|instead",
            says=("I would like {} instead.", "The new one should be {}."),
        ),
        Topic(
            "items",
            r"(?:which|what)(?: \w+){0,2} (?:item|product|article)s?|items?(?: ids?| names?| numbers?)?\b|"
            r"products?\b",
            says=("It's about {}.", "I mean {}."),
        ),
        Topic(
            "payment",
            r"payments?(?: methods?)?|(?:which|what) cards?\b|with what\b|"
            r"refund(?:ed)? (?:to|method)|credit cards?|gift cards?|paypal|pay with|"
            r"to pay|be paid|settle|"
            r"(?:refund|money|difference)[^?]* (?:go|be put|charged)|where (?:should|shall) (?:it|"
            r"the money|the refund)",
            called="the payment",
            says=("Please use {}.", "{}, please."),
            facts=("payment", "payment_method_id"),
            is_preference=True,
        ),
    ),
    verbs={
        "exchange_delivered_order_items": ("swap", "replace", *_CHANGE),
        "modify_pending_order_items": ("exchange", "swap", "replace", *_CHANGE),
        "modify_pending_order_address": ("send", "ship", "deliver", "redirect", *_CHANGE),
        "modify_pending_order_payment": ("use", "pay", "charge", *_CHANGE),
        "modify_user_address": _CHANGE,
        "return_delivered_order_items": ("refund",),
        "cancel_pending_order": ("refund",),
    },
    objects={"address": r"address|deliver|ship|sen[dt]\b|(?<![\w#-])\d{5}(?![\w-])", "payment": r"pay|card|charge"},
    strangers={"order": r"^(?!.*\border)(?=.*(?:\bprofile|\bdefault address))"},
    choices={"payment": r"paypal|gift.?card|credit.?card", "payment_method_id": r"paypal|gift.?card|credit.?card"},
    imported={
        "order_id": "order_id",
        "reason": "reason",
        "payment_method_id": "payment_method_id",
        "user_id": "user_id",
        "item_ids": "items",
        "new_item_ids": "new_items",
    },
)
