"""What the chain's system lets an agent do for the associate whose badge opened the session."""

from datetime import date, datetime, timedelta
from typing import Annotated, Literal

from pydantic import Field

from toolgym.domains.retail_chain import schema
from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.errors import Refusal
from toolgym.sandbox.kit.reference import NOT_BLANK, Free, PageNumber, Ref
from toolgym.sandbox.kit.search import contains_text, equals_text, given
from toolgym.sandbox.kit.tool import tool
from toolgym.sandbox.kit.view import Page, View

HOLD_DAYS = 3
Digits = Annotated[str, Field(pattern=r"^\d{4}$")]


@tool("read")
def get_my_store(db: Database) -> View[schema.Store]:
    """Get the associate's store, badge and role, whether it is open, and the open holds that lie there or were taken
    there, with those that run out today.
    """
    me = db.owner(schema.Associate)
    store, holds = db.get_one(schema.Store, me.store_id), db.mine(schema.Hold, state="open")
    return View(
        store,
        badge=me.badge,
        badge_role=me.role,
        open=schema.is_open(store, db.now),
        now=db.now,
        holds=[View(hold) for hold in holds],
        runs_out_today=[hold.hold_id for hold in holds if hold.until == db.now.date()],
    )


@tool("read")
def list_stores(
    db: Database,
    name: str | None = None,
    city: str | None = None,
    region: str | None = None,
    role: Literal["outlet", "flagship", "depot"] | None = None,
    open_at: datetime | None = None,
    page: PageNumber = 1,
) -> Page[schema.Store]:
    """List stores with their hours.

    Args:
        name: only stores whose name holds this.
        city: only stores in this city.
        region: only stores in this region.
        role: only stores of this sort; depots do not sell.
        open_at: only stores that are open at this moment.
        page: ten a page.
    """
    rows = [
        row
        for row in db.find(schema.Store, **given(role=role))
        if contains_text(row.name, name)
        and equals_text(row.city, city)
        and equals_text(row.region, region)
        and (open_at is None or schema.is_open(row, open_at))
    ]
    return Page(sorted(rows, key=lambda row: (row.name, row.store_id)), page)


@tool("read")
def search_catalogue(
    db: Database,
    text: str | None = None,
    department: Literal["women", "men", "kids", "shoes", "home"] | None = None,
    season: Literal["spring", "summer", "autumn", "winter"] | None = None,
    page: PageNumber = 1,
) -> Page[schema.Item]:
    """Search what the chain sells.

    Args:
        text: only items whose name holds this.
        department: only items of this department.
        season: only items of this season.
        page: ten a page.
    """
    rows = db.select(
        schema.Item,
        "instr(lower(name), lower(:text)) AND (:department IS NULL OR department = :department) "
        "AND (:season IS NULL OR season = :season) ORDER BY name, item_id",
        text=(text or "").strip(),
        department=department,
        season=season,
    )
    return Page(rows, page)


@tool("read")
def get_item(db: Database, item: Ref[schema.Item]) -> View[schema.Item]:
    """Get an item's price and markdown, with its colours and sizes and their skus."""
    return View(item, skus=[View(sku) for sku in db.find(schema.Sku, item_id=item.item_id)])


@tool("read")
def get_stock(db: Database, sku: Ref[schema.Sku], region: str | None = None) -> View[schema.Sku]:
    """Get how many of a sku each store has on hand, has reserved and has free, those with the most free first.

    Args:
        region: only stores in this region.
    """
    rows = [(row, db.get_one(schema.Store, row.store_id)) for row in db.find(schema.Stock, sku=sku.sku)]
    shown = [
        {
            "store_id": store.store_id,
            "name": store.name,
            "region": store.region,
            "role": store.role,
            "on_hand": row.on_hand,
            "reserved": row.reserved,
            "free": row.on_hand - row.reserved,
        }
        for row, store in rows
        if equals_text(store.region, region)
    ]
    return View(sku, stores=sorted(shown, key=lambda row: (-int(str(row["free"])), str(row["store_id"]))))


@tool("write")
def hold_for_customer(
    db: Database,
    store: Ref[schema.Store],
    sku: Ref[schema.Sku],
    quantity: Annotated[int, Field(ge=1, le=5)],
    customer: Annotated[str, Field(min_length=2, max_length=60), NOT_BLANK],
    phone_last4: Digits,
) -> View[schema.Hold]:
    """Set pieces aside for a customer for three days.

    Args:
        store: where they lie.
        quantity: how many.
        customer: the customer's name.
        phone_last4: the last four digits of the customer's phone.
    """
    made = db.add(
        schema.Hold,
        store=store,
        taken_in=db.owner(schema.Associate).store_id,
        sku=sku.sku,
        quantity=quantity,
        customer=customer,
        phone_last4=phone_last4,
        until=db.now.date() + timedelta(days=HOLD_DAYS),
        state="open",
    )
    _change(db, store.store_id, sku.sku, reserved=quantity)
    return View(made)


@tool("write")
def release_hold(
    db: Database, hold: Ref[schema.Hold], outcome: Literal["collected", "not_wanted"]
) -> View[schema.Hold]:
    """Close a hold: the customer has come for the pieces, or does not want them any more.

    Args:
        outcome: which of the two.
    """
    if hold.state != "open":
        raise Refusal("wrong_state", f"Only an open hold can be closed; this one is {hold.state}.")
    taken = hold.quantity if outcome == "collected" else 0
    row = _change(db, hold.store_id, hold.sku, on_hand=-taken, reserved=-hold.quantity)
    done = db.update(hold, state="collected" if taken else "released")
    return View(done, on_hand=row.on_hand, reserved=row.reserved)


@tool("write")
def request_transfer(
    db: Database,
    sku: Ref[schema.Sku],
    source: Ref[schema.Store],
    target: Ref[schema.Store],
    quantity: Annotated[int, Field(ge=1, le=40)],
    note: Free = "",
) -> View[schema.Transfer]:
    """Ask for pieces of a store for another one; the source has to approve and ship them.

    Args:
        source: where the pieces are.
        target: where they shall go.
        quantity: how many.
        note: what the customer or the store wishes, if there is something.
    """
    if source.store_id == target.store_id:
        raise Refusal("invalid_argument", "Source and target are the same store.")
    if db.owner(schema.Associate).store_id not in (source.store_id, target.store_id):
        raise Refusal("not_allowed", "A transfer is asked for from or to the associate's own store.")
    values = {"sku": sku.sku, "quantity": quantity, "state": "requested", "created_on": db.now.date(), "note": note}
    ends = {"source_id": source.store_id, "target_id": target.store_id}
    return View(db.add(schema.Transfer, **ends, **values))


@tool("read")
def list_transfers(
    db: Database,
    store: Ref[schema.Store] | None = None,
    state: Literal["requested", "approved", "shipped", "received", "cancelled"] | None = None,
    direction: Literal["in", "out"] | None = None,
    text: str | None = None,
    last_day: date | None = None,
    page: PageNumber = 1,
) -> Page[schema.Transfer]:
    """List a store's transfers, newest first.

    Args:
        store: whose; the associate's own store without it.
        state: only transfers in this state.
        direction: only what comes in, or only what goes out.
        text: only those whose item, source or target holds this.
        last_day: only those that were requested on this day or before.
        page: ten a page.
    """
    own = store.store_id if store else db.owner(schema.Associate).store_id
    rows = db.select(
        schema.Transfer,
        "((source_id = :own AND :way != 'in') OR (target_id = :own AND :way != 'out')) "
        "AND (:state IS NULL OR state = :state) AND (:last IS NULL OR created_on <= :last) "
        "ORDER BY created_on DESC, transfer_id DESC",
        own=own,
        way=direction or "",
        state=state,
        last=last_day and f"{last_day}",
    )
    seen = [(row, View(row).bound(db).row) for row in rows] if text else [(row, row) for row in rows]
    found = [
        row
        for row, shown in seen
        if not text
        or any(contains_text(name, text) for name in (shown.item_name, shown.source_name, shown.target_name))
    ]
    return Page(found, page)


@tool("write")
def advance_transfer(
    db: Database,
    transfer: Ref[schema.Transfer],
    step: Literal["approve", "ship", "receive", "cancel"],
    quantity_received: Annotated[int, Field(ge=0, le=40)] | None = None,
) -> View[schema.Transfer]:
    """Take a transfer's next step: the source approves and ships it, the target receives it; either may cancel before.

    Args:
        step: which one.
        quantity_received: how many have come, when it is received; all of them without it.
    """
    before = {
        "approve": ["requested"],
        "ship": ["approved"],
        "receive": ["shipped"],
        "cancel": ["requested", "approved"],
    }
    if transfer.state not in before[step]:
        raise Refusal("wrong_state", f"A transfer that is {transfer.state} cannot take the step {step}.")
    came = transfer.quantity if quantity_received is None else quantity_received
    if step != "receive" and quantity_received is not None:
        raise Refusal("invalid_argument", "quantity_received is only given when a transfer is received.")
    if came > transfer.quantity:
        raise Refusal("invalid_argument", f"Only {transfer.quantity} were sent.")
    return View(_advanced(db, transfer, step, came))


@tool("write")
def correct_stock(
    db: Database,
    sku: Ref[schema.Sku],
    counted: Annotated[int, Field(ge=0, le=999)],
    reason: Literal["damaged", "miscount", "missing"],
    comment: Free = "",
) -> View[schema.Stock]:
    """Correct how many of a sku the associate's own store has on hand.

    Args:
        counted: how many there are.
        reason: why it differs.
        comment: what was found, if something was said.
    """
    row = schema.stock_of(db, db.owner(schema.Associate).store_id, sku.sku)
    if row is None or row.on_hand == counted:
        raise Refusal("no_change", "That is what the store has already.")
    if counted < row.reserved:
        raise Refusal("conflict", f"{row.reserved} are set aside; release some of them before the count goes below.")
    changed = db.update(row, on_hand=counted, counted_on=db.now.date())
    return View(changed, difference=counted - row.on_hand, reason=reason, comment=comment)


def _advanced(db: Database, transfer: schema.Transfer, step: str, came: int) -> schema.Transfer:
    source, sku, quantity = transfer.source_id, transfer.sku, transfer.quantity
    if step == "approve":
        _change(db, source, sku, reserved=quantity)
        return db.update(transfer, state="approved")
    if step == "ship":
        _change(db, source, sku, on_hand=-quantity, reserved=-quantity)
        return db.update(transfer, state="shipped")
    if step == "receive":
        _change(db, transfer.target_id, sku, on_hand=came)
        return db.update(transfer, state="received", received=came)
    if transfer.state == "approved":
        _change(db, source, sku, reserved=-quantity)
    return db.update(transfer, state="cancelled")


def _change(db: Database, store_id: str, sku: str, on_hand: int = 0, reserved: int = 0) -> schema.Stock:
    row = schema.stock_of(db, store_id, sku)
    if row is None:
        key, none = f"{sku}/{store_id}", {"on_hand": 0, "reserved": 0}
        row = db.insert(schema.Stock, stock_id=key, store_id=store_id, sku=sku, counted_on=db.now.date(), **none)
    return db.update(row, on_hand=row.on_hand + on_hand, reserved=row.reserved + reserved)
