"""What members want done with what they have for sale."""

from __future__ import annotations

from domains.marketplace.goals.draws import (
    DAYS,
    I_MEAN,
    Calls,
    is_mine,
    looked_at,
)
from domains.marketplace.schema import Listing
from domains.marketplace.seed import BRANDS, KINDS
from domains.marketplace.tools import (
    create_listing,
    end_listing,
)
from sandbox.kit.goal import Draw, Goal, Slot, Tell

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
            "There is {flaw}[, it is {quality}].",
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
            "I want {listing} listed anew[ for {days}] with the old text and {cut_cents} taken off.",
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
            "I want {cut_cents} off {listing}. End the listing and make the same one anew[ for {days}].",
            "Drop the price of {listing} by {cut_cents}, with a new listing[ of {days}] in place of the old one.",
            "End {listing}, then list it[ for {days}] as before but {cut_cents} lower.",
            "Replace my listing of {listing} by one that is {cut_cents} cheaper[ and runs for {days}].",
            "Start over with {listing}: off with the old listing, and the same again[ for {days}], {cut_cents} less.",
            "Would you relist {listing}[ for {days}] at {cut_cents} below what I ask now? End the present one.",
            "Take {cut_cents} off what {listing} costs. That needs a new listing: end this, run that[ for {days}].",
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
<<<<<<< HEAD
=======
    Goal(
        answer_offer,
        name="accept",
        verbs=("accept",),
        fixed={"answer": "accept"},
        says=(
            "Accept {offer}.",
            "I take {offer}.",
            "Please accept {offer}.",
            "{offer} is good enough for me; accept it.",
            "Can you accept {offer}?",
            "Let me go with {offer}: accept it.",
            "I agree to {offer}. Accept it, please.",
            "Close the deal and accept {offer}.",
            "We have a buyer, as I accept {offer}.",
            "Say yes to {offer}.",
            "Would you accept {offer} before it runs out?",
            "It is a fair price, so accept {offer}.",
        ),
        slots=(OFFER, NO_MESSAGE),
        where=lambda counter_cents: counter_cents is None,
        tells=(BALANCE,),
    ),
    Goal(
        answer_offer,
        name="accept_best",
        verbs=("accept",),
        fixed={"answer": "accept"},
        says=(
            "Accept the best offer for {thing} and decline the rest.",
            "Take the highest offer on {thing} and turn the others down.",
            "Of the offers for {thing} accept the highest; decline all others.",
            "Please accept whoever offers most for {thing}, and decline the other offers.",
            "I sell {thing} to the best offer. Decline what else came in.",
            "Can you accept the top offer for {thing} and refuse the remaining ones?",
            "For {thing}, accept the one that pays most and say no to the others.",
            "Whoever offers most gets {thing}; the other offers are to be declined.",
            "Go through the offers for {thing}: accept the best, decline the rest.",
            "Let the highest offer have {thing}, and decline every other one.",
            "Would you close {thing} with the best offer and decline the others?",
            "Look which offer for {thing} is the highest and accept that; the rest you decline.",
        ),
        about=(THING,),
        worked_out={"offer": _best},
        also=_others_declined,
        tells=(Tell("balance_cents", by=get_my_account, near=_HAVE),),
        share=1.3,
    ),
    Goal(
        answer_offer,
        name="decline",
        verbs=("decline",),
        fixed={"answer": "decline"},
        says=(
            "Decline {offer}.",
            "{offer} is an insult; decline it.",
            "Please decline {offer}.",
            "I will not sell for that: decline {offer}.",
            "Can you turn down {offer}?",
            "Say no to {offer}.",
            "No deal, so decline {offer}.",
            "Reject {offer} for me.",
            "I can do better than {offer}. Decline it.",
            "Let {offer} go; I decline.",
            "Would you refuse {offer}?",
            "My answer to {offer} is no; please decline it.",
        ),
        slots=(OFFER, NO_MESSAGE),
        where=lambda counter_cents: counter_cents is None,
        tells=(Tell("state", kind="text"),),
        share=0.7,
    ),
    Goal(
        answer_offer,
        name="counter",
        verbs=("counter", "answer"),
        fixed={"answer": "counter"},
        says=(
            "Answer {offer} with a counter-offer[ of {counter_cents}].",
            "Counter {offer}[ with {counter_cents}].",
            "Please make a counter-offer[ of {counter_cents}] to {offer}.",
            "{offer} is too low. Counter it[ with {counter_cents}].",
            "Can you counter {offer}[ at {counter_cents}]?",
            "I'd meet {offer} halfway: a counter-offer[ of {counter_cents}], please.",
            "Let them know that I want more than {offer}; counter[ with {counter_cents}].",
            "Not quite enough. Send a counter-offer[ of {counter_cents}] to {offer}.",
            "Try a counter-offer[ of {counter_cents}] to {offer}.",
            "I would sell for a little more[, {counter_cents}], so counter {offer}.",
            "Would you reply to {offer} with a counter-offer[, namely {counter_cents}]?",
            "As for {offer}, my counter-offer[ is {counter_cents}|has to go out]. Send it.",
        ),
        slots=(
            Slot("offer", says=I_MEAN),
            Slot("counter_cents", withheld=0.8, draw=_between, says=("{}.", "I want {}.")),
            NO_MESSAGE,
        ),
        tells=(Tell("state", kind="text"),),
    ),
    Goal(
        answer_offer,
        name="trade_up",
        verbs=("accept",),
        fixed={"answer": "accept"},
        says=(
            "Take the best offer for {thing} and buy the cheapest {sort} at a fixed price with the money.",
            "Accept the highest offer for {thing}, then buy me the cheapest fixed-price {sort} from somebody else.",
            "I want to swap {thing} for a {sort}: accept the best offer, then buy the cheapest at a fixed price.",
            "Accept whoever offers most for {thing}. With that, buy the cheapest {sort} that has a fixed price.",
            "First accept the best offer on {thing}, then get the least expensive {sort} at a fixed price.",
            "Sell {thing} to the best offer and, from the balance, buy the cheapest {sort} at a fixed price.",
            "Let {thing} go to the highest offer; what I then have buys the cheapest fixed-price {sort}.",
            "Please accept the top offer for {thing} and afterwards buy a {sort}, the cheapest at a fixed price.",
            "Once you have accepted the best offer for {thing}, buy the cheapest {sort} with a fixed price.",
            "The best offer gets {thing}. Accept it and buy the cheapest {sort} sold at a fixed price.",
            "Can you accept the best offer that {thing} has, and then buy the cheapest {sort} at a fixed price?",
            "Out with {thing}, in with a {sort}: accept the highest offer and buy the cheapest at a fixed price.",
        ),
        about=(THING, Slot("sort", draw=sorted(KINDS), reads=_looked_for)),
        worked_out={"offer": lambda draw: _best(draw) if _new_one(draw) else None},
        also=lambda draw: [(buy_now, {"listing": _new_one(draw)})],
        tells=(Tell("balance_cents", by=buy_now, near=("balance", "left", "remain", "remains")),),
    ),
>>>>>>> e05a5ff (The marketplace holds back more of what a task says is withheld; a set of servers loads one world each)
)
