"""What members want to know of the marketplace."""

from __future__ import annotations

from datetime import date
from typing import Any

from toolgym.domains.marketplace.goals.draws import Calls, is_foreign, is_open, looked_at
from toolgym.domains.marketplace.schema import Listing, Member, Sale
from toolgym.domains.marketplace.tools import get_listing, get_member, get_my_account, list_my_activity
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell


def _outbid(result: Any) -> list[str] | None:
    found = [row["title"] for row in result["items"] if row["standing"] == "outbid"]
    return found if result["pages"] == 1 and found else None


def _titles(result: Any) -> list[str] | None:
    return [row["title"] for row in result["items"]] if 0 < result["total"] <= 5 else None


def _recent(draw: Draw) -> list[Sale]:
    """The member's sales of the days that are asked for, where they are few."""
    me: Member = draw.person
    found = [row for row in draw.rows(Sale) if row.seller_id == me.member_id]
    found = [row for row in found if row.paid_at.date() >= draw.values["since"]]
    return found if 1 < len(found) < 5 else []


def _earned(result: Any, draw: Draw) -> int | None:
    return sum(row.amount_cents - row.deducted_cents for row in _recent(draw)) or None


def _each_sale(draw: Draw) -> Calls:
    asked = {"role": "selling", "state": "sold", "since": draw.values["since"]}
    each = [(get_listing, {"listing": draw.database.get_one(Listing, row.listing_id)}) for row in _recent(draw)]
    return [(list_my_activity, asked), *each]


def _first_day(draw: Draw) -> date | None:
    rows = [row.paid_at.date() for row in draw.rows(Sale)]
    return draw.rng.choice(rows) if rows else None


def _seller(draw: Draw) -> Member:
    return draw.database.get_one(Member, draw.values["listing"].seller_id)


def _others(draw: Draw) -> Listing | None:
    rows = [row for row in draw.rows(Listing) if is_foreign(draw.view(row), draw)]
    return draw.rng.choice(rows) if rows else None


QUESTIONS = (
    Goal(
        list_my_activity,
        name="ask_outbid",
        verbs=("tell",),
        fixed={"role": "buying", "state": "open"},
        says=(
            "In which auctions have I been outbid?",
            "Where has somebody gone above my bid?",
            "On which things am I no longer the highest bidder?",
            "Which of my bids have been beaten?",
            "Tell me what I am bidding on and not leading.",
            "Has anybody outbid me, and on what?",
            "Which auctions would I lose if they ended now?",
            "I'd like to know where I have been outbid.",
            "Can you look up which of my bids are no longer the highest?",
            "What do I have to bid more on to be ahead again?",
            "Name the auctions in which others are ahead of me.",
            "Where do my bids not lead at the moment?",
        ),
        tells=(Tell("items", kind="text", value=_outbid),),
        share=0.7,
    ),
    Goal(
        list_my_activity,
        name="ask_to_ship",
        verbs=("tell",),
        fixed={"role": "selling", "state": "to_ship"},
        says=(
            "What do I still have to send?",
            "Which of the things that I sold are waiting to be shipped?",
            "Is there anything that I have to ship, and what?",
            "Tell me what buyers are still waiting for from me.",
            "What do I have to post?",
            "Which of my sales are not on their way?",
            "I want to pack parcels. What was sold and not sent?",
            "Can you look up what I have to ship?",
            "Name all that I have sold and not sent off.",
            "What are the things that I owe my buyers?",
            "Which parcels do I have to make up?",
            "What is paid and still lying here with me?",
        ),
        tells=(Tell("items", kind="text", value=_titles),),
        share=0.5,
    ),
    Goal(
        list_my_activity,
        name="ask_earned",
        verbs=("tell",),
        fixed={"role": "selling", "state": "sold"},
        says=(
            "What did I take in since {since}, after fees and without postage?",
            "How much have my sales brought me since {since}, less the fees and not counting postage?",
            "What did I earn by selling from {since} on, fees taken off, postage left out?",
            "Tell me the sum of my sales since {since} after the fees, postage aside.",
            "Leaving out postage, what is left of my sales since {since} once the fees are paid?",
            "Add up what I sold since {since}, minus fees, without postage.",
            "How much did I make on sales since {since} after fees, not counting what buyers paid for postage?",
            "For my records: the amounts of my sales from {since} on less their fees, no postage.",
            "Since {since}, what have I earned here net of fees and apart from postage?",
            "Can you work out my income from sales since {since}? After fees, without postage.",
            "What do my sales since {since} come to when the fees are taken off? Leave postage out.",
            "I need the total that my sales since {since} have left me after fees, postage excluded.",
        ),
        slots=(Slot("since", draw=_first_day, reads=_each_sale),),
        tells=(Tell("earned", kind="money", value=_earned),),
        share=0.8,
    ),
    Goal(
        get_listing,
        name="ask_bidding",
        verbs=("tell",),
        says=(
            "Where does the bidding on {listing} stand?",
            "What is the highest bid on {listing}?",
            "How much would {listing} go for if it ended now?",
            "How high have they bid on {listing}?",
            "Tell me the present bid on {listing}.",
            "What are people bidding on {listing}?",
            "Up to what has the price of {listing} climbed?",
            "Can you check the current bid for {listing}?",
            "I want to know what {listing} is at by now.",
            "What does {listing} stand at in the auction?",
            "At how much is the auction of {listing}?",
            "To what sum have the bids on {listing} gone?",
        ),
        slots=(Slot("listing", where=is_open("auction")),),
        tells=(Tell("current_cents"),),
        share=1.3,
    ),
    Goal(
        get_listing,
        name="ask_next_bid",
        verbs=("tell",),
        says=(
            "What is the least that I could bid on {listing}?",
            "How much must the next bid on {listing} be?",
            "From what sum can I bid on {listing} now?",
            "Tell me the lowest bid that {listing} would take.",
            "What would I have to bid on {listing} at the minimum?",
            "If I wanted to join in on {listing}, what is the smallest bid?",
            "Can you check how high the next bid on {listing} has to be?",
            "What bid on {listing} would be just enough to be accepted?",
            "What do they want as the next bid for {listing}?",
            "I'm thinking of bidding on {listing}. What is the minimum?",
            "How little can I bid on {listing}?",
            "At what amount does the next bid on {listing} begin?",
        ),
        slots=(Slot("listing", where=is_open("auction")),),
        tells=(Tell("next_bid_cents", near=("bid", "least", "minimum")),),
        share=1.2,
    ),
    Goal(
        get_listing,
        name="ask_end",
        verbs=("tell",),
        says=(
            "When does {listing} end?",
            "Until when is {listing} for sale?",
            "At what time is {listing} over?",
            "How long can I still get {listing}? I mean the moment at which it ends.",
            "Tell me when {listing} closes.",
            "What is the end of {listing}?",
            "By when do I have to decide about {listing}?",
            "Can you look up when {listing} ends?",
            "On which day and at what time does {listing} run out?",
            "When is it over for {listing}?",
            "I must not miss {listing}. When does it end?",
            "Until when does {listing} run?",
        ),
        slots=(Slot("listing", where=lambda listing: listing.row.state == "open"),),
        tells=(Tell("ends_at"),),
        share=1.2,
    ),
    Goal(
        get_listing,
        name="ask_postage",
        verbs=("tell",),
        says=(
            "What is the postage for {listing}?",
            "How much is it to have {listing} sent?",
            "What would shipping {listing} cost?",
            "Tell me the postage on {listing}.",
            "How much comes on top of {listing} for postage?",
            "What does the seller of {listing} take for postage?",
            "Can you check what sending {listing} costs?",
            "Besides its price, what do I pay for the mailing of {listing}?",
            "I want to know the shipping cost of {listing}.",
            "How expensive is the postage of {listing}?",
            "How much is it to have {listing} shipped?",
            "What is charged for the delivery of {listing}?",
        ),
        slots=(Slot("listing", where=lambda listing: listing.row.state == "open"),),
        tells=(Tell("postage_cents", near=("postage", "shipping", "ship", "sending", "delivery")),),
        share=1.0,
    ),
    Goal(
        get_member,
        name="ask_rating",
        verbs=("tell",),
        says=(
            "What percentage does the seller of {listing} have?",
            "What rating does the member have who sells {listing}?",
            "How is the seller of {listing} rated, in percent?",
            "Can I trust whoever sells {listing}? I want the percentage.",
            "Tell me the rating of the seller of {listing}.",
            "What percentage of good marks does the seller of {listing} have?",
            "Before I deal with the seller of {listing}: what is the rating?",
            "Can you look up how well the seller of {listing} is rated?",
            "How good is the seller of {listing}, by the percentage?",
            "What do the marks of the seller of {listing} come to in percent?",
            "Is the seller of {listing} well rated? Give me the figure.",
            "Which rating stands beside the seller of {listing}?",
        ),
        about=(Slot("listing", of=Listing, draw=_others, reads=looked_at),),
        worked_out={"member": _seller},
        tells=(Tell("rating", kind="number", near=("percent", "%", "rating", "rated")),),
        share=1.3,
    ),
    Goal(
        get_my_account,
        name="ask_balance",
        verbs=("tell",),
        says=(
            "What is my balance?",
            "How much money do I have here?",
            "How much is left in my account?",
            "What do I have to spend?",
            "Tell me my balance, please.",
            "How many dollars are in my account?",
            "Can you check what my balance is?",
            "What does my account hold at the moment?",
            "I'd like to know how much money is in my account.",
            "With how much could I go shopping here?",
            "How much is there on my balance?",
            "Look up the balance of my account.",
        ),
        tells=(Tell("balance_cents"),),
        share=0.3,
    ),
)
