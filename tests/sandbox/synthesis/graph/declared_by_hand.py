"""What feeds what in the two worlds whose tools are typed with plain text, read from their tools by hand."""

from toolgym.sandbox.synthesis.graph.model import Link

_ORDER_WRITES = (
    "cancel_pending_order modify_pending_order_address modify_pending_order_items modify_pending_order_payment "
    "return_delivered_order_items exchange_delivered_order_items"
)
_ORDER_VIEWS = f"get_order_details {_ORDER_WRITES}"
_USER_VIEWS = "get_user_details modify_user_address"
_RETAIL = {
    "user": (
        f"find_user_id_by_email find_user_id_by_name_zip {_USER_VIEWS} {_ORDER_VIEWS}",
        "get_user_details.user_id modify_user_address.user_id",
    ),
    "order": (
        f"{_USER_VIEWS} {_ORDER_VIEWS}",
        " ".join(f"{name}.order_id" for name in _ORDER_VIEWS.split()),
    ),
    "product": (f"list_all_product_types get_product_details {_ORDER_VIEWS}", "get_product_details.product_id"),
    "item": (
        f"get_product_details get_item_details {_ORDER_VIEWS}",
        "get_item_details.item_id modify_pending_order_items.item_ids modify_pending_order_items.new_item_ids "
        "return_delivered_order_items.item_ids exchange_delivered_order_items.item_ids "
        "exchange_delivered_order_items.new_item_ids",
    ),
    "payment method": (
        f"{_USER_VIEWS} {_ORDER_VIEWS}",
        "modify_pending_order_items.payment_method_id modify_pending_order_payment.payment_method_id "
        "return_delivered_order_items.payment_method_id exchange_delivered_order_items.payment_method_id",
    ),
}
_UPDATES = "update_reservation_flights update_reservation_baggages update_reservation_passengers"
_RESERVATION_VIEWS = f"get_reservation_details book_reservation cancel_reservation {_UPDATES}"
_SEARCHES = "search_direct_flight search_onestop_flight"
_AIRLINE = {
    "user": (
        f"get_user_details {_RESERVATION_VIEWS}",
        "get_user_details.user_id book_reservation.user_id send_certificate.user_id",
    ),
    "reservation": (
        f"get_user_details {_RESERVATION_VIEWS}",
        "get_reservation_details.reservation_id cancel_reservation.reservation_id "
        + " ".join(f"{name}.reservation_id" for name in _UPDATES.split()),
    ),
    "airport": (
        f"list_all_airports {_SEARCHES} {_RESERVATION_VIEWS}",
        "search_direct_flight.origin search_direct_flight.destination search_onestop_flight.origin "
        "search_onestop_flight.destination book_reservation.origin book_reservation.destination",
    ),
    "flight": (
        f"{_SEARCHES} {_RESERVATION_VIEWS}",
        "get_flight_status.flight_number book_reservation.flights update_reservation_flights.flights",
    ),
    "payment method": (
        f"get_user_details {_RESERVATION_VIEWS}",
        "book_reservation.payment_methods update_reservation_flights.payment_id update_reservation_baggages.payment_id",
    ),
}


def _links(kinds: dict[str, tuple[str, str]]) -> set[Link]:
    found = set()
    for shown, taken in kinds.values():
        for place in taken.split():
            target, parameter = place.split(".")
            found |= {(source, target, parameter) for source in shown.split() if source != target}
    return found


DECLARED = {"retail": _links(_RETAIL), "airline": _links(_AIRLINE)}
