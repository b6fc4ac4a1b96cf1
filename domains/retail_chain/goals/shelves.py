"""What associates want counted, and what they want to know."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Any

from toolgym.domains.retail_chain.goals.draws import SKU, own_store
from toolgym.domains.retail_chain.schema import Store, stock_of
from toolgym.domains.retail_chain.tools import (
    correct_stock,
    get_item,
    get_my_store,
    get_stock,
    list_stores,
    list_transfers,
)
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell

REASONS = {"damaged": "some were damaged", "miscount": "somebody miscounted", "missing": "some are missing"}

FEW = 3
"""So few are said by accident too soon: "score 1", "two things"."""


def _counted(draw: Draw) -> int | None:
    """Another number than is booked: fewer, or one or two more."""
    row = stock_of(draw.database, own_store(draw).store_id, draw.values["sku"].sku)
    if row is None or not row.on_hand:
        return None
    counted = row.on_hand + draw.rng.choice((-7, -6, -5, -4, -3, -2, -1, -1, 1, 2))
    return counted if counted >= row.reserved else None


def _region(draw: Draw) -> str:
    return own_store(draw).region


def _having(result: Any) -> list[str] | None:
    names = [row["name"] for row in result["stores"] if row["free"] > 0]
    return names if 0 < len(names) <= 4 else None


def _free_there(result: Any) -> int | None:
    free = sum(row["free"] for row in result["stores"])
    return free if free > FEW else None


def _when(draw: Draw) -> datetime:
    """A moment of the next days, on Sunday now and then."""
    day = draw.now.date() + timedelta(days=draw.rng.choice((1, 2, 2, 3, 4)))
    return datetime.combine(day, time(draw.rng.choice((9, 11, 12, 17, 18, 19)), 30))


def _city(draw: Draw) -> str:
    return draw.rng.choice(draw.rows(Store)).city


def _names(result: Any) -> list[str] | None:
    return [row["name"] for row in result["items"]] if 0 < result["total"] <= 4 else None


def _days_ago(draw: Draw) -> date:
    return draw.now.date() - timedelta(days=draw.rng.choice((9, 10, 10, 11, 14)))


def _keys(result: Any) -> list[str] | None:
    return [row["transfer_id"] for row in result["items"]] if 0 < result["total"] <= 5 else None


SHELVES = (
    Goal(
        correct_stock,
        name="miscount",
        verbs=("correct", "count"),
        says=(
            "I counted {counted} of {sku}[; {reason}]. Put that into the system, please.",
            "We have only {counted} of {sku}[, as {reason}]. Put that right.",
            "Please correct the stock of {sku} to {counted}[: {reason}].",
            "The shelf has {counted} of {sku}[, because {reason}]; correct the figure.",
            "Can you set the count of {sku} to {counted}?[ The reason is that {reason}.]",
            "The figure for {sku} is wrong, I found {counted}[; {reason}].",
            "Please set {sku} right: we have {counted} here[, since {reason}].",
            "My count says {counted} of {sku}[. It differs because {reason}].",
            "On our shelf I see {counted} of {sku}[; {reason}]. Please correct the stock.",
            "Change our stock of {sku} to {counted}[, {reason}].",
            "I have gone through the shelf: {counted} of {sku}[, as {reason}]. Change our figure.",
            "Our stock of {sku} should stand at {counted}[; {reason}].",
        ),
        slots=(
            SKU,
            Slot("counted", draw=_counted, says=("{}.",)),
            Slot("reason", withheld=0.5, words=REASONS, says=("{}.", "Because {}.")),
            Slot("comment", given=0.0),
        ),
        tells=(
            Tell("difference", kind="number", value=lambda row: abs(row["difference"]), near=("difference", "piece")),
        ),
    ),
    Goal(
        get_stock,
        name="ask_who_has",
        verbs=("tell",),
        says=(
            "Which stores in {region} still have {sku} free?",
            "Who in {region} has {sku} that is not reserved?",
            "A customer wants {sku}. Which of our stores in {region} have one free?",
            "Where in {region} can you still get {sku}?",
            "Tell me which stores in {region} have {sku} free.",
            "Is {sku} free anywhere in {region}, and where?",
            "Can you look up the stores in {region} that have {sku} to sell?",
            "I am looking for {sku} in {region}. Which stores could sell one?",
            "What stores in {region} could spare {sku}?",
            "Name the stores in {region} where {sku} is free.",
            "Does anybody in {region} have {sku} left that nobody has reserved? Which stores?",
            "Which places in {region} are not sold out of {sku}?",
        ),
        slots=(SKU, Slot("region", draw=_region)),
        tells=(Tell("stores", kind="text", value=_having),),
        share=1.5,
    ),
    Goal(
        get_stock,
        name="ask_how_many",
        verbs=("tell",),
        says=(
            "How many of {sku} are free in {region}, all stores together?",
            "What is the number of free pieces of {sku} in {region}?",
            "Add up what is free of {sku} in {region}, please.",
            "How many pieces of {sku} could {region} sell right now?",
            "Tell me how many of {sku} all stores in {region} have free.",
            "I need the total of {sku} that is free in {region}.",
            "How much of {sku} is there in {region} that nobody has reserved?",
            "Can you count the free pieces of {sku} across {region}?",
            "How many of {sku} does {region} have to spare?",
            "What do the free pieces of {sku} in {region} come to?",
            "For my order: how many of {sku} are free in all of {region}?",
            "Sum up the free stock of {sku} for {region}.",
        ),
        slots=(SKU, Slot("region", draw=_region)),
        tells=(Tell("stores", kind="number", value=_free_there, near=("free", "piece", "total")),),
    ),
    Goal(
        list_stores,
        name="ask_open",
        verbs=("tell",),
        says=(
            "Which store in {city} is open on {open_at}?",
            "Which of us in {city} is open on {open_at}?",
            "Is any of our stores in {city} open on {open_at}? Which one?",
            "A customer wants to go to {city} on {open_at}. Which store is open then?",
            "Tell me which of the stores in {city} are open on {open_at}.",
            "Where in {city} could a customer shop with us on {open_at}?",
            "What is open in {city} on {open_at}? I need the store's name.",
            "Can you look up which store in {city} is open on {open_at}?",
            "Somebody will be in {city} on {open_at}. Name the store that is open.",
            "On {open_at}, which store of ours in {city} can be visited?",
            "I have to know who is open in {city} on {open_at}.",
            "Which of our doors in {city} are open on {open_at}? The names, please.",
        ),
        slots=(Slot("city", draw=_city), Slot("open_at", draw=_when)),
        tells=(Tell("items", kind="text", value=_names),),
    ),
    Goal(
        list_transfers,
        name="ask_late",
        verbs=("tell",),
        fixed={"state": "shipped", "direction": "in"},
        says=(
            "Which transfers to us were requested by {last_day} and are still on their way?",
            "What was asked for on {last_day} or before, has been shipped to us and has not come?",
            "Tell me the numbers of shipped transfers to us that are from {last_day} or earlier.",
            "Has anything been on its way to us since {last_day} or longer? The numbers, please.",
            "What should have come long ago? I mean what is shipped to us and was requested up to {last_day}.",
            "List what is still on its way to us of all that was requested by {last_day}.",
            "Give me the numbers of what is coming to us and dates from {last_day} or before.",
            "Some boxes haven't turned up. Which transfers to us from {last_day} or earlier are shipped and not here?",
            "Name the transfers that were requested for us by {last_day} and are shipped.",
            "Which shipments to us date from {last_day} or earlier?",
            "For my complaint: the numbers of shipped transfers to our store requested by {last_day}.",
            "Can you find what was requested for our store up to {last_day} and is shipped but not received?",
        ),
        slots=(Slot("last_day", draw=_days_ago),),
        tells=(Tell("items", kind="text", value=_keys),),
    ),
    Goal(
        get_item,
        name="ask_price",
        verbs=("tell",),
        says=(
            "What does {item} cost?",
            "How much is {item}?",
            "Tell me the price of {item}, please.",
            "A customer asks for the price of {item}.",
            "What do we charge for {item}?",
            "Can you look up the price of {item}?",
            "At what price do we sell {item}?",
            "I lost the tag of {item}. What is the price?",
            "How much does {item} go over the counter for?",
            "What is on the price tag of {item}?",
            "Which price does the catalogue have for {item}?",
            "How much do I have to charge for {item}?",
        ),
        slots=(Slot("item"),),
        tells=(Tell("price_cents"),),
        share=0.5,
    ),
    Goal(
        get_my_store,
        name="ask_hours",
        verbs=("tell",),
        says=(
            "Until when are we open today?",
            "When does our store close tonight?",
            "What time do we close on a weekday?",
            "At what time is closing time in our store?",
            "Tell me when we close, please.",
            "How long is my store open today?",
            "When do we shut the doors this evening?",
            "Can you look up our closing time?",
            "A customer asks how long we are open today.",
            "By what time does a customer have to be here today?",
            "Until what hour do we sell today?",
            "I am new here. When do we close?",
        ),
        tells=(Tell("closes", kind="time"),),
        share=0.3,
    ),
)
