"""How people speak of reservations and payments, for the published tasks."""

from sandbox.kit.vocabulary import Topic, Vocabulary

_CHANGE = ("modify", "change", "update", "switch", "correct")
_PAYMENT = r"gift.?card|credit.?card|certificate"

VOCABULARY = Vocabulary(
    topics=(
        Topic(
            "reservation_id",
            r"(?:reservation|booking|confirmation)(?:'s)? (?:ids?|numbers?|codes?|no\b|#|reference)|"
            r"(?:which|what) (?:reservation|booking|trip)",
            called="the reservation number",
            says=("The reservation is {}.", "It's reservation {}.", "The reservation number is {}."),
        ),
        Topic(
            "payment",
            r"payments?(?: methods?)?|refund(?:ed)? (?:to|method)|credit cards?|gift cards?|pay with|to pay",
            called="the payment",
            says=("Please use {}.", "{}, please."),
            is_preference=True,
        ),
        Topic("reservation", says=("I mean {}.", "It's {}.")),
        Topic("bags", says=("I take {}.",)),
        Topic("insurance", says=("I want {}.",)),
        Topic("passenger", says=("That is {}.",)),
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
)
