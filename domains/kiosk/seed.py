"""The kiosk's rows: three evenings of eight seats, some taken."""

from toolgym.domains.kiosk.schema import Ticket
from toolgym.sandbox.kit.database import Database

EVENINGS = ("Friday", "Saturday", "Sunday")
HOLDERS = ("Ada Moreau", "Bilal Haddad", "Chloe Jansen", "Dmitri Sokolov", "Elif Yildiz", "Farah Aziz")


def fill(db: Database) -> None:
    """Write the rows: every fourth seat is held, each holder holds one ticket."""
    holders = iter(HOLDERS)
    for night, evening in enumerate(EVENINGS):
        for index in range(8):
            number = night * 8 + index
            db.insert(
                Ticket,
                ticket_id=f"T{101 + number}",
                evening=evening,
                seat=f"{'AB'[index // 4]}{index % 4 + 1}",
                price_cents=(1800, 1400)[index // 4],
                holder=next(holders) if number % 4 == night else None,
            )
