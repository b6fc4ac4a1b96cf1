"""The retail world: the same rows everywhere, tools that refuse with stable codes, and tau2-bench's tasks."""

import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session


@pytest.fixture
def session() -> Session:
    return Session("retail", data="tau2")


def test_seed_data_are_the_published_ones() -> None:
    """A changed digest means other data: results before and after it cannot be compared."""
    with Session("retail") as session:
        assert session.digest() == "21cfbca090d5abc0e595f8c8470be88c5f963192945ba78695717b79b514ed0a"
    assert len(get_domain("retail").template().content) < 800_000


def test_sizes() -> None:
    reader = get_domain("retail").template().reader
    counts = {t: reader.execute(f"SELECT count(*) FROM {t}").fetchone()[0] for t in ("users", "products", "orders")}
    assert counts == {"users": 500, "products": 50, "orders": 1000}
    assert 550 <= reader.execute("SELECT count(*) FROM variants").fetchone()[0] <= 650
    assert {row[0] for row in reader.execute("SELECT DISTINCT status FROM orders")} == {
        "pending",
        "processed",
        "delivered",
        "cancelled",
    }


PENDING, DELIVERED, MINE, ITEM = "#W4776164", "#W2611340", "credit_card_9513926", "8349118980"


MODULES = ("retail/guards", "retail/tools", "calculator")
DEAR, POOR = "#W6979932", "gift_card_5979071"
RETURN = {"order_id": "#W1341845", "item_ids": ["6206533187"]}

REFUSALS: list[tuple[str, dict[str, Any], str]] = [
    ("get_order_details", {"order_id": "W4776164"}, "order_not_found"),
    ("get_user_details", {"user_id": "nobody"}, "user_not_found"),
    ("find_user_id_by_email", {"email": "no@example.com"}, "user_not_found"),
    ("find_user_id_by_name_zip", {"first_name": "A", "last_name": "B", "zip": "1"}, "user_not_found"),
    ("get_product_details", {"product_id": ITEM}, "product_not_found"),
    ("get_item_details", {"item_id": "9523456873"}, "item_not_found"),
    ("cancel_pending_order", {"order_id": DELIVERED, "reason": "no longer needed"}, "order_not_pending"),
    ("cancel_pending_order", {"order_id": PENDING, "reason": "too dear"}, "invalid_arguments"),
    ("return_delivered_order_items", {"order_id": PENDING, "item_ids": [ITEM]}, "order_not_delivered"),
    ("modify_pending_order_items", {"item_ids": ["1"], "new_item_ids": ["2"]}, "item_not_in_order"),
    ("modify_pending_order_items", {"item_ids": [ITEM, ITEM], "new_item_ids": ["2", "3"]}, "item_not_in_order"),
    ("modify_pending_order_items", {"new_item_ids": ["1", "2"]}, "count_mismatch"),
    ("modify_pending_order_items", {"new_item_ids": ["6469567736"]}, "variant_not_found"),
    ("modify_pending_order_items", {"new_item_ids": ["5047954489"]}, "item_unavailable"),
    ("modify_pending_order_items", {"payment_method_id": "paypal_5727330"}, "payment_method_not_found"),
    ("modify_pending_order_payment", {"payment_method_id": MINE}, "same_payment_method"),
    ("modify_pending_order_items", {"new_item_ids": [ITEM]}, "same_item"),
    ("modify_pending_order_payment", {"order_id": DEAR, "payment_method_id": POOR}, "insufficient_balance"),
    ("return_delivered_order_items", RETURN | {"payment_method_id": "credit_card_6680679"}, "wrong_refund_method"),
    ("calculate", {"expression": "1 / (2 - 2)"}, "division_by_zero"),
    ("calculate", {"expression": "__import__('os')"}, "invalid_expression"),
]


@pytest.mark.parametrize(("tool", "arguments", "code"), REFUSALS)
def test_refusals(session: Session, tool: str, arguments: dict[str, Any], code: str) -> None:
    defaults: dict[str, Any] = {
        "order_id": PENDING,
        "item_ids": [ITEM],
        "new_item_ids": ["9647292434"],
        "payment_method_id": MINE,
    }
    wanted = session.domain.tools[tool].parameters["properties"]
    before = session.dump()
    result = session.call(tool, {name: value for name, value in (defaults | arguments).items() if name in wanted})
    assert result.error is not None and result.error.code == code, result.text
    assert session.dump() == before and session.diff() == []


def test_an_order_paid_anew_is_not_paid_anew_again(session: Session) -> None:
    """Its history then holds three movements: paid, paid by the new method, refunded to the old one."""
    order_id, first, second = session._database.query(
        "SELECT order_id, p.payment_method_id, m.payment_method_id FROM payments p JOIN orders USING (order_id) "
        "JOIN payment_methods m USING (user_id) WHERE status = 'pending' AND m.source != 'gift_card' "
        "AND m.payment_method_id != p.payment_method_id ORDER BY order_id"
    )[0]
    done = session.call("modify_pending_order_payment", {"order_id": order_id, "payment_method_id": second})
    assert done.ok and len(done.value["payment_history"]) == 3
    again = session.call("modify_pending_order_payment", {"order_id": order_id, "payment_method_id": first})
    assert again.error is not None and again.error.code == "not_one_payment"


def test_every_code_is_tested_and_documented() -> None:
    root, package = Path(__file__).parents[3], files("toolgym.domains")
    source = "".join(package.joinpath(f"{name}.py").read_text("utf-8") for name in MODULES)
    codes = set(re.findall(r'(?:Refusal\(\s*|code=)"(\w+)"', source))
    assert len(codes) > 15
    assert codes == {code for _, _, code in REFUSALS} - {"invalid_arguments"} | {"not_one_payment"}
    page = (root / "docs" / "retail.md").read_text(encoding="utf-8")
    assert not [code for code in codes if f"`{code}`" not in page]


def test_each_modified_item_gets_its_own_variant_and_price(session: Session) -> None:
    for order in session._database.query("SELECT order_id, user_id FROM orders WHERE status = 'pending'"):
        view = session.call("get_order_details", {"order_id": order[0]}).value
        swaps = []
        for item in view["items"]:
            variants = session.call("get_product_details", {"product_id": item["product_id"]}).value["variants"]
            free = [v for v in variants.values() if v["available"] and v["item_id"] != item["item_id"]]
            if free:
                swaps.append((item, free[0]))
        method = view["payment_history"][0]["payment_method_id"]
        if len(swaps) > 1 and "gift" not in method and len({old["item_id"] for old, _ in swaps}) == len(swaps):
            break
    arguments = {
        "order_id": order[0],
        "item_ids": [old["item_id"] for old, _ in swaps],
        "new_item_ids": [new["item_id"] for _, new in swaps],
        "payment_method_id": method,
    }
    result = session.call("modify_pending_order_items", arguments)
    assert result.ok, result.text
    after = {item["item_id"]: item for item in result.value["items"]}
    for _, new in swaps:
        assert (after[new["item_id"]]["price"], after[new["item_id"]]["options"]) == (new["price"], new["options"])


def test_an_exchange_keeps_its_pairs(session: Session) -> None:
    task = get_domain("retail").task("0", "tau2")
    for call in task.gold:
        result = session.call(call.name, call.arguments)
    given = task.gold[-1].arguments
    assert isinstance(given, dict)
    pairs = dict(zip(result.value["exchange_items"], result.value["exchange_new_items"], strict=True))
    assert pairs == dict(zip(given["item_ids"], given["new_item_ids"], strict=True))
