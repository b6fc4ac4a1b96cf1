"""What members want done with what they have for sale."""

from __future__ import annotations

from toolgym.domains.marketplace.goals.draws import (
    DAYS,
    I_MEAN,
    Calls,
    is_mine,
    looked_at,
)
from toolgym.domains.marketplace.schema import Listing
from toolgym.domains.marketplace.seed import BRANDS, KINDS
from toolgym.domains.marketplace.tools import (
    create_listing,
    end_listing,
)
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell

_FLAWS = ("small scratch", "small stain", "worn edge", "visible mark", "small crack", "faded corner", "repaired spot")
_QUALITIES = {"good": "in good shape", "used": "well used", "parts": "for parts only"}


def _asking(draw: Draw) -> int:
    """About what such a thing costs."""
    dollars = KINDS[draw.values["title"].split(" ", 1)[1]][1]
    return max(5, dollars * draw.rng.choice((40, 60, 80, 100, 120)) // 500 * 5) * 100


def _category(draw: Draw) -> str:
    return KINDS[draw.values["title"].split(" ", 1)[1]][0]


def _cheaper(draw: Draw) -> int | None:
    price = draw.values["listing"].price_cents - draw.values["cut_cents"]
    return price if price >= 500 else None


def _listed_again(draw: Draw) -> Calls:
    row, price = draw.values["listing"], _cheaper(draw)
    same = {name: getattr(row, name) for name in ("title", "category", "quality", "kind")}
    values = {"price_cents": price, "days": draw.values["days"], "description": draw.values["description"]}
    return [(create_listing, same | values)] if price else []


LISTING = Slot("listing", says=I_MEAN, where=is_mine)
DESCRIPTION = Slot("description", mentions=("listing.description",))
_FOR_SALE = (
    Slot("title", draw=[f"{brand} {noun}" for brand in BRANDS for noun in KINDS]),
    Slot("category", draw=_category),
    Slot("quality", withheld=0.6, words=_QUALITIES, says=("It is {}.",)),
    Slot("price_cents", draw=_asking),
    DAYS,
    Slot("description", mentions=("flaw",)),
)
_FLAW = Slot("flaw", draw=_FLAWS, say=lambda flaw: f"a {flaw}")

SELLING = (
    Goal(
        create_listing,
        name="sell",
        verbs=("sell", "list"),
        fixed={"kind": "fixed"},
        says=(
            "Sell my {title} under {category} at a fixed price[, {price_cents}][, for {days}]. It has {flaw}"
            "[ and is {quality}].",
            "List my {title}[, {quality}], in {category} with {flaw}, at a fixed price[, {price_cents}][, {days}].",
            "I want to sell a {title} at a fixed price[: {price_cents}]. It[ is {quality}, but it] has {flaw}; put "
            "it under {category}[ for {days}].",
            "Please put my {title} up for sale under {category}[, {quality}], fixed price[ {price_cents}][, for "
            "{days}]. Buyers should know about {flaw}.",
            "Can you list a {title} in {category}[ for {days}]? Fixed price[, {price_cents}][, {quality}], with "
            "{flaw}.",
            "My {title} has to go: a fixed price[, {price_cents}], under {category}[, for {days}]. Mention {flaw}"
            "[; otherwise it is {quality}].",
            "Offer my {title} for sale[ at {price_cents}], a fixed price, category {category}[, running {days}]. "
            "There is {flaw}[, and I call it {quality}].",
            "Make a listing for my {title} in {category}[ for {days}]. It shows {flaw}[ and is {quality}]. I want a "
            "fixed price[: {price_cents}].",
            "I no longer need my {title}. List it under {category} with a fixed price[, {price_cents}][ for {days}];"
            " say that it has {flaw}[, {quality}].",
            "Put my {title} into {category} at a fixed price[, {price_cents}][, for {days}]. Do not hide {flaw}[; it "
            "is {quality}].",
            "Would you sell my {title}[ for {price_cents}], at a fixed price and under {category}[, {days}]? It comes "
            "with {flaw}[ and is {quality}].",
            "There is a {title} that I want to list in {category}: {flaw}[, {quality}], fixed price[ {price_cents}]"
            "[, {days}].",
        ),
        slots=_FOR_SALE,
        about=(_FLAW,),
        tells=(Tell("ends_at"),),
        share=1.3,
    ),
    Goal(
        create_listing,
        name="auction",
        verbs=("auction", "sell"),
        fixed={"kind": "auction"},
        says=(
            "Auction my {title} under {category}[, starting at {price_cents}][, for {days}]. It has {flaw}[ and is "
            "{quality}].",
            "Start an auction of my {title} in {category}[ at {price_cents}][ over {days}]; it has {flaw}[, and it is "
            "{quality}].",
            "Let people bid on my {title}[ from {price_cents} on]. Put it under {category}[ for {days}] and mention "
            "{flaw}[; it is {quality}].",
            "Please put my {title} up for auction in {category}[, {quality}][, {days}], with {flaw}[ and bids from "
            "{price_cents}].",
            "Can you auction a {title} for me under {category}[, beginning at {price_cents}][, for {days}]? It shows "
            "{flaw}[ but is {quality}].",
            "I want my {title} to go to whoever bids most: an auction in {category}[ from {price_cents}][, {days}]. "
            "Tell them of {flaw}[; it is {quality}].",
            "An auction for my {title}, please[, {days} long], under {category}[ with {price_cents} as the start]. "
            "There is {flaw}[; it is {quality}].",
            "Make it an auction: my {title}, category {category}[, {quality}], {flaw}[, first bid {price_cents}]"
            "[, {days}].",
            "Sell my {title} by auction[ for {days}] in {category}[; bidding starts at {price_cents}]. It has {flaw}"
            "[ and is {quality}].",
            "My {title} should be auctioned under {category}[, from {price_cents}][, over {days}]. Write that it has "
            "{flaw}[ and is {quality}].",
            "Would you set up an auction in {category} for my {title}[, {days}][, starting bid {price_cents}]? It has "
            "{flaw}[, {quality}].",
            "I would rather auction my {title} than fix a price[; start at {price_cents}]. Category {category}"
            "[, {days}], with {flaw}[, {quality}].",
        ),
        slots=_FOR_SALE,
        about=(_FLAW,),
        tells=(Tell("ends_at"),),
        share=0.8,
    ),
    Goal(
        create_listing,
        name="list_again",
        verbs=("list",),
        says=(
            "Nobody bought {listing}. List it again[ for {days}], {cut_cents} cheaper and otherwise the same.",
            "{listing} did not sell; put it up once more[ for {days}] as it was, but {cut_cents} cheaper.",
            "Please list {listing} again with all as before but the price, which is {cut_cents} lower[, for {days}].",
            "I still have {listing}. Try again[ for {days}] with {cut_cents} off and the same text.",
            "Can you relist {listing}[ for {days}]? The same as last time, only {cut_cents} less.",
            "Take {cut_cents} off {listing}, which stayed unsold, and list it again unchanged[, {days}].",
            "Give {listing} another chance[ of {days}]: the same listing, {cut_cents} cheaper.",
            "{listing} is still here. Same listing again[, {days}], but lower the price by {cut_cents}.",
            "Put {listing} back on sale as it was[, for {days}], and make it {cut_cents} less than before.",
            "Let us try {listing} again at {cut_cents} less[, for {days}]; keep the rest of the listing.",
            "Would you list {listing} a second time[ for {days}], {cut_cents} below the old price, all else equal?",
            "I want {listing} listed again[ for {days}] with the old text and {cut_cents} taken off.",
        ),
        slots=(DAYS, DESCRIPTION),
        about=(
            Slot(
                "listing",
                of=Listing,
                says=I_MEAN,
                where=lambda listing: listing.row.state == "unsold",
                reads=looked_at,
            ),
            Slot("cut_cents", draw=(500, 1_000, 2_000)),
        ),
        worked_out={
            "title": lambda draw: draw.values["listing"].title,
            "category": lambda draw: draw.values["listing"].category,
            "quality": lambda draw: draw.values["listing"].quality,
            "kind": lambda draw: draw.values["listing"].kind,
            "price_cents": _cheaper,
        },
        tells=(Tell("price_cents", near=("price", "for", "at", "start", "starts")), Tell("ends_at")),
        share=0.8,
    ),
    Goal(
        end_listing,
        name="reprice",
        verbs=("list",),
        says=(
            "Nobody wants {listing}; list it again {cut_cents} cheaper[ for {days}].",
            "Make {listing} {cut_cents} cheaper: take it down and list it again as it was[, for {days}].",
            "Please end {listing} and list it again with the same text[ for {days}], {cut_cents} cheaper.",
            "{listing} is too dear. End it and put it up again at {cut_cents} less[, for {days}], unchanged otherwise.",
            "Can you lower {listing} by {cut_cents}? It has to be ended and listed again[, for {days}].",
            "I want {cut_cents} off {listing}. End the listing and make the same one again[ for {days}].",
            "Drop the price of {listing} by {cut_cents}, with a new listing[ of {days}] in place of the old one.",
            "End {listing}, then list it[ for {days}] as before but {cut_cents} lower.",
            "Replace my listing of {listing} with one that is {cut_cents} cheaper[ and runs for {days}].",
            "Start over with {listing}: off with the old listing, and the same again[ for {days}], {cut_cents} less.",
            "Would you relist {listing}[ for {days}] at {cut_cents} below what I ask now? End the present one.",
            "Take {cut_cents} off what {listing} costs. For that, end this listing and run a new one[ for {days}].",
        ),
        slots=(Slot("listing", says=I_MEAN, where=is_mine, reads=looked_at), DESCRIPTION),
        about=(
            Slot("cut_cents", draw=(500, 1_000, 2_000)),
            DAYS,
        ),
        also=_listed_again,
        where=lambda listing, cut_cents: listing.row.price_cents - cut_cents >= 500,
        tells=(Tell("price_cents", by=create_listing, near=("price", "for", "at", "start", "starts")),),
    ),
    Goal(
        end_listing,
        name="take_down",
        verbs=("take down", "end"),
        says=(
            "Take down {listing}.",
            "I want to keep {listing} after all; end the listing.",
            "Please end my listing of {listing}.",
            "{listing} is no longer for sale. Take it down.",
            "Can you take {listing} off the marketplace?",
            "A friend gets {listing}, so end the listing.",
            "Stop selling {listing}.",
            "Withdraw {listing} from sale, please.",
            "Let us not sell {listing}; take it down.",
            "I broke {listing}. Take it down before somebody buys it.",
            "Would you end the sale of {listing}?",
            "Remove {listing} from what I have for sale.",
        ),
        slots=(LISTING,),
        tells=(Tell("state", kind="text"),),
    ),
)
