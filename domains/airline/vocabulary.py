"""How people speak of reservations and payments, for the published tasks."""

from toolgym.sandbox.kit.vocabulary import Topic, Vocabulary

_CHANGE = ("modify", "change", "update", "switch", "correct")
_PAYMENT = r"gift.?card|credit.?card|certificate"

VOCABULARY = Vocabulary(
    topics=(
        Topic(
            "reservation_id",
            r"(?:reservation|booking|confirmation)(?:'s)? (?:ids?|numbers?|codes?|no\b|#|reference)|"
            r"(?:which|what|whose)(?: of your| other)? (?:reservation|booking|trip|itinerary)s?|record locator|"
            r"\bpnr\b|"
            r"(?:the|your) (?:reservation|booking|trip)(?=,| and\b|\?|$|\.)",
            loosely=r"reservation|booking|\btrips?\b|\bcodes?\b|the one you mean|itinerary",
            called="the reservation number",
            says=("The reservation is {}.", "It's reservation {}.", "The reservation number is {}."),
            facts=("reservation_id", "reservation"),
        ),
        Topic(
            "payment",
            r"payments?(?: methods?)?|(?:which|what) cards?\b|with what\b|"
            r"refund(?:ed)? (?:to|method)|credit cards?|gift cards?|certificate|"
            r"pay with|to pay|"
            r"the card|cards? to be|charged? (?:to|on)|(?<!i )(?<!we )go on|difference",
            called="the payment",
            says=("Please use {}.", "{}, please."),
            is_preference=True,
        ),
        Topic("reservation", says=("I mean {}.", "It's {}.")),
        Topic(
            "return_date",
            r"(?:return|fly(?:ing)?|come|coming|back)(?: \w+){0,3} (?:when|date|day)|(?:when|which day|what day|"
            r"date)[^?]*"
            r"\b(?:return|back|home)",
            says=("I fly back on {}.",),
        ),
        Topic(
            "date", r"\bwhen\b|(?:what|which|departure|travel|new) (?:day|date)s?|\bdates?\b(?! of)", says=("On {}.",)
        ),
        Topic("cabin", r"cabin|\bclass\b|economy|business", says=("In {}.", "{}, please.")),
        Topic("bags", r"\bbags?\b|baggage|luggage|suitcases?|pieces", says=("I take {}.",)),
        Topic("insurance", r"insur\w*|covered", says=("I want {}.",)),
        Topic(
            "passenger",
            r"passengers?|travell?ers?|who(?:m| else| will| is| should| would)?\b[^?]*(?:fly|travel|seat|board|"
            r"place|instead)|"
            r"companions?|replac\w+ (?:you|whom|who)|for whom",
            says=("That is {}.",),
            is_others=True,
        ),
    ),
    verbs={
        "book_reservation": ("book", "reserve"),
        "update_reservation_flights": ("upgrade", "downgrade", "move", "rebook", *_CHANGE),
        "update_reservation_baggages": ("add", *_CHANGE),
        "update_reservation_passengers": ("put", "replace", "rename", *_CHANGE),
        "cancel_reservation": ("refund",),
        "send_certificate": ("issue", "give", "compensate", "offer"),
    },
    choices={"payment": _PAYMENT},
    imported={"reason": "reason", "user_id": "user_id"},
    also_called={
        "bag": r"bags?|suitcases?|(?:pieces? of )?(?:checked )?(?:luggage|baggage)",
        "lga": r"lga|laguardia|la guardia",
        "jfk": r"jfk|kennedy",
        "ord": r"ord|o'hare",
        "iah": r"iah|intercontinental",
        "ewr": r"ewr|liberty",
        "amex": r"amex|american express",
    },
)
