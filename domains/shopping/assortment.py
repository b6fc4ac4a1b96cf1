"""What the shop sells, and what people say of it: one assortment for training, another for what training never sees."""

from typing import NamedTuple

COLOURS = ("blue", "black", "green", "red", "grey", "beige")
SIZES = ("small", "medium", "large")
"""From the smallest to the largest."""


class Sort(NamedTuple):
    """A sort of product: its category, prices in dollars, and whether it comes in colours and in sizes."""

    category: str
    prices: tuple[int, int]
    colours: int = 0
    sized: bool = False


SORTS = {
    "rain jacket": Sort("clothing", (60, 180), 2, True), "wool sweater": Sort("clothing", (45, 120), 3, True),
    "linen shirt": Sort("clothing", (30, 80), 3, True), "hiking trousers": Sort("clothing", (50, 130), 2, True),
    "running shorts": Sort("clothing", (20, 55), 3, True), "gloves": Sort("clothing", (15, 60), 2, True),
    "slippers": Sort("clothing", (18, 65), 2, True), "mug": Sort("kitchen", (8, 25), 3),
    "toaster": Sort("kitchen", (35, 110), 2), "kettle": Sort("kitchen", (25, 120)),
    "coffee grinder": Sort("kitchen", (40, 190)), "frying pan": Sort("kitchen", (28, 99)),
    "headphones": Sort("electronics", (45, 260), 2), "speaker": Sort("electronics", (40, 220)),
    "desk lamp": Sort("electronics", (25, 130)), "power bank": Sort("electronics", (20, 80)),
    "blanket": Sort("home", (25, 110), 3), "pillow": Sort("home", (15, 75)), "wall clock": Sort("home", (20, 90)),
    "backpack": Sort("outdoor", (45, 170), 2), "water bottle": Sort("outdoor", (12, 40), 3),
    "tent": Sort("outdoor", (90, 340)), "sleeping bag": Sort("outdoor", (60, 240)),
    "coffee beans": Sort("pantry", (9, 28)), "green tea": Sort("pantry", (6, 22)),
    "olive oil": Sort("pantry", (10, 35)),
}  # fmt: skip


class Assortment(NamedTuple):
    """Names of models and brands, and coupon codes with percent, minimum in cents, category and last day."""

    models: tuple[str, ...]
    brands: tuple[str, ...]
    coupons: tuple[tuple[str, int, int, str | None, str], ...]


OWN = Assortment(
    tuple(
        "Fjord Lumo Kestrel Nimbus Orla Pico Rova Tarn Vela Wren Yarrow Zephyr Brisa Calder Dovre Elmo Farrow Gneiss "
        "Halden Isla Juno Korva Larch Mistral".split()
    ),
    ("Northway", "Bergmann", "Casa Lind", "Osprey & Sons", "Tidewell", "Marlow"),
    (
        ("WELCOME10", 10, 3_000, None, "2026-12-31"),
        ("SPRING15", 15, 6_000, None, "2026-03-31"),
        ("BASKET20", 20, 10_000, None, "2026-04-15"),
        ("KITCHEN12", 12, 4_000, "kitchen", "2026-05-31"),
        ("TRAIL18", 18, 8_000, "outdoor", "2026-04-30"),
        ("SOUND10", 10, 5_000, "electronics", "2026-03-31"),
        ("COSY15", 15, 2_500, "home", "2026-04-30"),
        ("WARDROBE20", 20, 9_000, "clothing", "2026-05-15"),
        ("PANTRY8", 8, 1_500, "pantry", "2026-03-14"),
        ("THANKYOU5", 5, 1_000, None, "2026-06-30"),
        ("FLASH25", 25, 5_000, None, "2026-03-13"),
        ("MARCH5", 5, 2_000, None, "2026-03-12"),
        ("WEEK10", 10, 2_500, None, "2026-03-11"),
        ("WINTER20", 20, 4_000, None, "2026-02-28"),
    ),
)
UNSEEN = Assortment(
    tuple(
        "Alba Borea Cirrus Delta Ember Fable Garda Hollis Indra Jasper Kasbah Linnea Moss Nordlys Opal Pavo Quarry "
        "Rhea Sorrel Taiga Ulva Verso Willet Xenia".split()
    ),
    ("Eastgate", "Holm", "Villa Serra", "Drake & Daughters", "Saltmarsh", "Penrose"),
    (
        ("HELLO10", 10, 3_000, None, "2026-12-31"),
        ("BLOOM15", 15, 6_000, None, "2026-03-31"),
        ("FULLCART20", 20, 10_000, None, "2026-04-15"),
        ("COOK12", 12, 4_000, "kitchen", "2026-05-31"),
        ("SUMMIT18", 18, 8_000, "outdoor", "2026-04-30"),
        ("WIRED10", 10, 5_000, "electronics", "2026-03-31"),
        ("NEST15", 15, 2_500, "home", "2026-04-30"),
        ("LAYERS20", 20, 9_000, "clothing", "2026-05-15"),
        ("LARDER8", 8, 1_500, "pantry", "2026-03-14"),
        ("CHEERS5", 5, 1_000, None, "2026-06-30"),
        ("RUSH25", 25, 5_000, None, "2026-03-13"),
        ("EARLY5", 5, 2_000, None, "2026-03-12"),
        ("SEVEN10", 10, 2_500, None, "2026-03-11"),
        ("FROST20", 20, 4_000, None, "2026-02-28"),
    ),
)

BLAMED = {
    "clothing": {"seams": "The seams came apart after two weeks", "zip": "The zip got stuck at once",
                 "colour": "The colour washed out", "smell": "It has a chemical smell that stays"},
    "kitchen": {"handle": "The handle gets far too hot", "lid": "The lid does not close",
                "rust": "There was rust on it after a month", "noise": "The noise wakes up the whole house"},
    "electronics": {"battery": "The battery was flat within an hour", "cable": "The cable broke on the first day",
                    "switch": "The switch stopped working", "manual": "The manual explains nothing"},
    "home": {"fluff": "It loses fluff everywhere", "stitching": "The stitching is loose",
             "scratches": "It arrived with scratches", "ticking": "The ticking drives me mad"},
    "outdoor": {"straps": "The straps cut into my shoulders", "leak": "There was a leak from the start",
                "buckle": "A buckle snapped on the first trip", "weight": "The weight is twice what they say"},
    "pantry": {"taste": "The taste is stale", "packaging": "The packaging was torn",
               "date": "It was past its date", "dust": "There was more dust than anything else"},
}  # fmt: skip
"""What people complain of, by the word that names it."""
PRAISED = ("Lovely, I would buy it again.", "Just what I needed.", "Great value.", "A present that was a success.",
           "Does what it should.", "Better than the one I had before.")  # fmt: skip
