"""What the shop lets an agent do for the customer who is signed in."""

from toolgym.domains.shopping.tools.cart import (
    add_to_cart,
    apply_coupon,
    get_cart,
    list_saved,
    move_to_cart,
    remove_coupon,
    save_for_later,
    set_cart_quantity,
)
from toolgym.domains.shopping.tools.catalogue import (
    get_account,
    get_product,
    list_categories,
    list_reviews,
    search_products,
)
from toolgym.domains.shopping.tools.orders import (
    add_address,
    cancel_order,
    checkout,
    get_order,
    list_addresses,
    list_orders,
    list_payment_methods,
    quote_shipping,
    request_return,
    write_review,
)
from toolgym.sandbox.kit.tool import ToolSet

TOOLS = ToolSet(
    [
        get_account,
        list_categories,
        search_products,
        get_product,
        list_reviews,
        get_cart,
        add_to_cart,
        set_cart_quantity,
        save_for_later,
        list_saved,
        move_to_cart,
        apply_coupon,
        remove_coupon,
        list_addresses,
        add_address,
        list_payment_methods,
        quote_shipping,
        checkout,
        list_orders,
        get_order,
        cancel_order,
        request_return,
        write_review,
    ]
)
"""In the order in which agents see them."""
