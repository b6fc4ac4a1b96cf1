"""tau2-bench's retail data and its 114 tasks in this world's tables; docs/retail.md lists what differs."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from toolgym.domains import tau2_files
from toolgym.domains.retail import schema, tools
from toolgym.sandbox.kit.world import Database, Dataset, Fact, Json, Task, ToolCall, ToolSet

_KINDS = {tool.name: tool.kind for tool in ToolSet(tools).values()}


def tau2(path: str | None = None) -> Dataset:
    """tau2-bench's retail data from the installed package or a checkout."""
    return tau2_files.data("retail", path, task=_task, fill=_fill)


# --- rows ---


def _cents(dollars: float) -> int:
    return round(dollars * 100)


def _fill(source: Path, db: Database) -> None:
    raw = tau2_files.read_json(source / "db.json")
    for product in raw["products"].values():
        db.insert(schema.Product, product_id=product["product_id"], name=product["name"])
        for position, variant in enumerate(product["variants"].values()):
            db.insert(
                schema.Variant,
                item_id=variant["item_id"],
                product_id=product["product_id"],
                position=position,
                options=variant["options"],
                available=variant["available"],
                price_cents=_cents(variant["price"]),
            )
    for user in raw["users"].values():
        _user(db, user)
        for position, order_id in enumerate(user["orders"]):
            _order(db, raw["orders"][order_id], position)


def _user(db: Database, user: dict[str, Any]) -> None:
    db.insert(schema.User, user_id=user["user_id"], email=user["email"].lower(), **user["name"])
    db.insert(schema.Address, owner_id=user["user_id"], **user["address"])
    for position, method in enumerate(user["payment_methods"].values()):
        db.insert(
            schema.PaymentMethod,
            payment_method_id=method["id"],
            user_id=user["user_id"],
            position=position,
            source=method["source"],
            brand=method.get("brand"),
            last_four=method.get("last_four"),
            balance_cents=_cents(method["balance"]) if "balance" in method else None,
        )


def _order(db: Database, order: dict[str, Any], position: int) -> None:
    order_id = order["order_id"]
    db.insert(
        schema.Order,
        order_id=order_id,
        user_id=order["user_id"],
        position=position,
        status=order["status"],
        cancel_reason=order.get("cancel_reason"),
    )
    db.insert(schema.Address, owner_id=order_id, **order["address"])
    for index, item in enumerate(order["items"]):
        price = _cents(item["price"])
        db.insert(schema.OrderItem, order_id=order_id, position=index, item_id=item["item_id"], price_cents=price)
    for index, shipment in enumerate(order["fulfillments"]):
        db.insert(
            schema.Fulfillment,
            order_id=order_id,
            position=index,
            tracking_ids=shipment["tracking_id"],
            item_ids=shipment["item_ids"],
        )
    for index, payment in enumerate(order["payment_history"]):
        db.insert(
            schema.Payment,
            order_id=order_id,
            position=index,
            transaction_type=payment["transaction_type"],
            amount_cents=_cents(payment["amount"]),
            payment_method_id=payment["payment_method_id"],
        )


# --- tasks ---


def _task(raw: Mapping[str, Any], split: str, data: str) -> Task:
    criteria = raw.get("evaluation_criteria") or {}
    gold = tuple(tau2_files.call(action) for action in criteria.get("actions") or ())
    told = raw["user_scenario"]["instructions"]
    told = {"reason_for_call": told} if isinstance(told, str) else told
    communicate = tuple(criteria.get("communicate_info") or ())
    return Task(
        id=str(raw["id"]),
        domain="retail",
        data=data,
        split=split,
        family="tau2",
        difficulty="hard",
        scenario=tau2_files.scenario(raw),
        persona=raw["user_scenario"].get("persona") or "",
        facts=_facts(told, gold),
        goals=tau2_files.goals(told, gold, communicate, _KINDS),
        gold=gold,
        communicate=communicate,
        seed=int(raw["id"]) if str(raw["id"]).isdigit() else 0,
        metadata=tau2_files.metadata(raw),
    )


def _facts(told: dict[str, Json], gold: tuple[ToolCall, ...]) -> tuple[Fact, ...]:
    """What the user knows: the identity that the gold run looks up, and tau2-bench's free text."""
    facts = []
    for call in gold:
        if call.name in {"find_user_id_by_email", "find_user_id_by_name_zip"} and isinstance(call.arguments, dict):
            facts += [Fact(name=name, value=value, on_request=True) for name, value in call.arguments.items()]
            break
    known = told.get("known_info") or ""
    if not facts:
        named = re.search(
            r"\b([A-Z][a-z]+) ([A-Z][a-z]+)\b", known.replace("You are ", "").replace("Your name is ", "")
        )
        zipped = re.search(r"\b(\d{5})\b", known)
        if named and zipped:
            pairs = (("first_name", named[1]), ("last_name", named[2]), ("zip", zipped[1]))
            facts = [Fact(name=name, value=value, on_request=True) for name, value in pairs]
    if known:
        facts.append(Fact(name="known_info", value=known))
    return tuple(facts)
