"""What a customer looks at: the account, the products and what others say of them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from toolgym.domains.shopping.schema import CartItem, Coupon, Customer, Product, Review, Variant
from toolgym.sandbox.kit.world import Database, Page, PageNumber, Ref, View, equals_text, given, is_within, tool

Stars = Annotated[int, Field(ge=1, le=5)]


class Account(TypedDict):
    """The customer, what lies in the cart, and the codes that the shop gives out at present."""

    customer: View[Customer]
    cart_count: int
    offers: list[View[Coupon]]
    today: str


class Described(TypedDict):
    """A product with its variants."""

    product: View[Product]
    items: list[View[Variant]]


@tool("read")
def get_account(db: Database) -> Account:
    """Get the customer's name, tier, points and store credit, what is in the cart, and the coupon codes there are."""
    me = db.owner(Customer)
    count = sum(line.quantity for line in db.mine(CartItem))
    offers = [View(row) for row in db.find(Coupon)]
    return {"customer": View(me), "cart_count": count, "offers": offers, "today": db.now.date().isoformat()}


@tool("read")
def list_categories(db: Database) -> list[dict[str, str | int]]:
    """List the categories with how many products each has."""
    found = db.query("SELECT category, count(*) FROM products GROUP BY category ORDER BY category")
    return [{"category": str(name), "products": int(count)} for name, count in found]


@tool("read")
def search_products(
    db: Database,
    text: str | None = None,
    category: str | None = None,
    brand: str | None = None,
    min_cents: int | None = None,
    max_cents: int | None = None,
    min_rating: Annotated[float, Field(ge=1, le=5)] | None = None,
    in_stock: bool | None = None,
    sort: Literal["relevance", "price", "rating"] = "relevance",
    page: PageNumber = 1,
) -> Page[Product]:
    """Search what the shop sells. The price of a product is that of its cheapest variant.

    Args:
        text: words, each of which stands in the name, the brand or the category.
        category: only this one.
        brand: only this one.
        min_cents: only what costs at least this.
        max_cents: only what costs at most this.
        min_rating: only what has at least so many stars on average.
        in_stock: true for what is there, false for what is sold out.
        sort: price puts the cheapest first, rating the best; relevance those whose name is just what was looked for.
        page: ten a page.
    """
    words = (text or "").casefold().split()
    there = _in_stock(db) if in_stock is not None else set()
    found = [
        row
        for row in db.find(Product)
        if all(word in f"{row.name} {row.brand} {row.category}".casefold() for word in words)
        and equals_text(row.category, category)
        and equals_text(row.brand, brand)
        and is_within(row.price_cents, min_cents, max_cents)
        and is_within(row.rating, min_rating, None)
        and (in_stock is None or (row.product_id in there) == in_stock)
    ]
    return Page(sorted(found, key=lambda row: _place(row, sort, words)), page)


@tool("read")
def get_product(db: Database, product: Ref[Product], colour: str | None = None, size: str | None = None) -> Described:
    """Get a product with its variants, their prices and how many of each there are.

    Tells also its usual companion, which most customers buy with it, and its successor, if there is a newer model.

    Args:
        colour: only the variants in this colour.
        size: only the variants in this size.
    """
    rows = [
        row
        for row in db.find(Variant, product_id=product.product_id)
        if equals_text(row.colour, colour) and equals_text(row.size, size)
    ]
    return {"product": View(product), "items": [View(row) for row in rows]}


@tool("read")
def list_reviews(db: Database, product: Ref[Product], stars: Stars | None = None, page: PageNumber = 1) -> Page[Review]:
    """List what customers say of a product, the newest first.

    Args:
        stars: only reviews with just so many stars.
        page: ten a page.
    """
    rows = db.find(Review, product_id=product.product_id, **given(stars=stars))
    return Page(sorted(rows, key=lambda row: (row.written_on, row.review_id), reverse=True), page)


def _in_stock(db: Database) -> set[str]:
    return {str(key) for (key,) in db.query("SELECT DISTINCT product_id FROM variants WHERE stock > 0")}


def _place(row: Product, sort: str, words: list[str]) -> tuple[float, str]:
    if sort == "price":
        return row.price_cents, row.product_id
    if sort == "rating":
        return -row.rating, row.product_id
    return len(set(row.name.casefold().split()) - set(words)), row.product_id
