"""What an agent can do at the kiosk."""

from typing import Literal

from typing_extensions import TypedDict

from toolgym.domains.kiosk.schema import Ticket
from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.errors import Refusal
from toolgym.sandbox.kit.tool import tool


class TicketView(TypedDict):
    """A ticket as tools show it; `price` in dollars."""

    ticket_id: str
    evening: str
    seat: str
    price: float
    holder: str | None


def _view(ticket: Ticket) -> TicketView:
    return {
        "ticket_id": ticket.ticket_id,
        "evening": ticket.evening,
        "seat": ticket.seat,
        "price": ticket.price_cents / 100,
        "holder": ticket.holder,
    }


def _ticket(db: Database, ticket_id: str) -> Ticket:
    ticket = db.get(Ticket, ticket_id)
    if ticket is None:
        raise Refusal("ticket_not_found", f"There is no ticket {ticket_id}; ids look like T101.")
    return ticket


@tool("read")
def list_free_seats(db: Database, evening: Literal["Friday", "Saturday", "Sunday"]) -> list[TicketView]:
    """List the tickets of an evening that nobody holds.

    Args:
        evening: the day of the show.
    """
    return [_view(ticket) for ticket in db.find(Ticket, evening=evening, holder=None)]


@tool("read")
def find_tickets(db: Database, holder: str) -> list[TicketView]:
    """List the tickets that a person holds.

    Args:
        holder: first and last name, such as "Ada Moreau".
    """
    return [_view(ticket) for ticket in db.find(Ticket, holder=holder)]


@tool("write")
def reserve_ticket(db: Database, ticket_id: str, holder: str) -> TicketView:
    """Reserve a free ticket for a person.

    Args:
        ticket_id: the ticket, such as "T101".
        holder: first and last name.
    """
    ticket = _ticket(db, ticket_id)
    if ticket.holder is not None:
        raise Refusal("ticket_taken", f"Ticket {ticket_id} is taken; choose a free one.")
    if not holder.strip():
        raise Refusal("holder_missing", "The holder's name must not be empty.")
    return _view(db.update(ticket, holder=holder))


@tool("write")
def release_ticket(db: Database, ticket_id: str, holder: str) -> TicketView:
    """Give a held ticket back; the seat becomes free.

    Args:
        ticket_id: the ticket, such as "T101".
        holder: the name it is held under.
    """
    ticket = _ticket(db, ticket_id)
    if ticket.holder != holder:
        raise Refusal("not_the_holder", f"Ticket {ticket_id} is not held by {holder}.")
    return _view(db.update(ticket, holder=None))
