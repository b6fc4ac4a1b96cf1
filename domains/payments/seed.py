"""The console's rows: 16 firms with their customers, invoices, payments, refunds and events."""

import random
from datetime import date, datetime, time, timedelta
from functools import partial
from typing import Any

from toolgym.domains.payments import schema
from toolgym.domains.people import FIRST_NAMES, LAST_NAMES
from toolgym.sandbox.kit.database import Database

NOW = datetime(2026, 3, 13, 16, 20)
CLOCKS = (datetime(2026, 3, 16, 9, 5), datetime(2026, 3, 31, 17, 45))
"""Other moments: the next Monday, the end of the quarter."""
FIRMS, CUSTOMERS, INVOICES = 16, 22, 78

_TRADES = (
    "Design", "Studio", "Bakery", "Hardware", "Florists", "Dental", "Garage", "Interiors", "Catering", "Optics",
    "Books", "Travel", "Fitness", "Print", "Architects", "Brewery", "Legal", "Pharmacy",
)  # fmt: skip
_COUNTRIES = (
    ("the USA", "USD"), ("the USA", "USD"), ("the USA", "USD"), ("Ecuador", "USD"), ("Panama", "USD"),
    ("France", "EUR"), ("Germany", "EUR"), ("Spain", "EUR"),
)  # fmt: skip
GOODS = (
    ("consulting day", 64_000), ("desk lamp", 8_900), ("oak shelf", 23_500), ("office chair", 31_000),
    ("site inspection", 18_000), ("logo draft", 42_000), ("toner cartridge", 6_450), ("paper box", 3_290),
    ("window cleaning", 12_500), ("network cable", 1_475), ("training session", 27_500), ("delivery fee", 1_950),
    ("standing desk", 54_900), ("software licence", 14_900), ("repair hour", 9_600), ("coffee machine", 38_250),
)  # fmt: skip
_FIRMS = ("Supplies", "Trading", "Services", "Partners", "Works", "Workshop", "Office Goods", "Solutions")


def fill(db: Database, seed: int = 55301, first: int = 12) -> None:
    """Write the rows.

    Args:
        db: the empty tables.
        seed: other firms with another one.
        first: the number of the first firm.
    """
    rng = random.Random(seed)
    people = rng.sample([(first, last) for first in FIRST_NAMES for last in LAST_NAMES], FIRMS)
    for index, (name, last) in enumerate(people):
        company = f"{rng.choice(LAST_NAMES)} {rng.choice(_FIRMS)}"
        firm = db.insert(schema.Firm, firm_id=f"FI-{first + index}", name=f"{name} {last}", company=company)
        _Books(db, rng, firm).write()


class _Books:
    """One firm's rows."""

    def __init__(self, db: Database, rng: random.Random, firm: schema.Firm) -> None:
        self.db, self.rng, self.firm = db, rng, firm
        self.today = NOW.date()

    def write(self) -> None:
        """Write all of them; invoices get a customer in turn, so that everybody has some."""
        customers = self._customers()
        for number in range(INVOICES):
            self._invoice(customers[number % len(customers)], number)
        for customer in self.rng.sample([each for each in customers if each.currency == "USD"], 3):
            self._twice(customer)

    def _customers(self) -> list[schema.Customer]:
        names = [f"{last} {self.rng.choice(_TRADES)}" for last in self.rng.sample(LAST_NAMES, CUSTOMERS - 6)]
        names += [f"{first} {self.rng.choice(LAST_NAMES)}" for first in self.rng.sample(FIRST_NAMES, 4)]
        places = [self.rng.choice(_COUNTRIES) for _ in names]
        # two names stand in two countries each
        names += names[:2]
        places += [next(each for each in _COUNTRIES if each[0] != place[0]) for place in places[:2]]
        return [self._customer(name, *place) for name, place in zip(names, places, strict=True)]

    def _customer(self, name: str, country: str, currency: str) -> schema.Customer:
        rng = self.rng
        site = name.lower().replace(" ", "-") + country.lower()[-3:]
        return self.db.add(
            schema.Customer,
            firm=self.firm,
            name=name,
            email=f"accounts@{site}.example",
            country=country,
            currency=currency,
            saved_card_digits=f"{rng.randrange(1000, 9999)}" if rng.random() < 0.7 else None,
            card_code=f"{rng.randrange(100, 999)}",
            wrong_codes=0,
            flaky=rng.choice((0, 0, 0, 0, 1, 1, schema.MAX_ATTEMPTS)),
        )

    def _invoice(self, customer: schema.Customer, number: int) -> None:
        kind = ("draft", "open", "paid", "paid", "paid", "open", "void", "draft", "paid", "open")[number % 10]
        lines = self.rng.sample(GOODS, self.rng.choice((1, 2, 2, 3)))
        counted = [(text, self.rng.choice((1, 1, 2, 3, 4, 10)), cents) for text, cents in lines]
        issued, due = self._days(kind, number)
        row = self._written(customer, kind, issued, due, counted)
        if kind != "draft":
            self._event(customer, row, "invoice.finalized", row.invoice_id, issued)
        if kind == "void":
            self._event(customer, row, "invoice.voided", row.invoice_id, issued + timedelta(days=2))
        if kind == "paid":
            self._paid(customer, row, number)
        if kind == "open" and number % 20 == 5:  # a part has come by bank
            self._payment(row, row.total_cents // 2, issued + timedelta(days=1), "bank")

    def _days(self, kind: str, number: int) -> tuple[date, date]:
        """When it was written and when it is due; drafts stand on both sides of the rule, at each clock."""
        rng = self.rng
        if kind == "draft":
            moments = (NOW, *CLOCKS)
            edges = [moment.date() + timedelta(days=days) for moment in moments for days in (0, 1, 90, 91)]
            usual = self.today + timedelta(days=rng.randrange(20, 80))
            return self.today - timedelta(days=rng.randrange(9)), rng.choice((*edges, usual, usual, usual))
        age = rng.randrange(2, 60) if kind == "open" else rng.randrange(30, 190)
        issued = self.today - timedelta(days=age)
        return issued, issued + timedelta(days=rng.choice((14, 21, 30, 30, age)))

    def _written(
        self, customer: schema.Customer, kind: str, issued: date, due: date, lines: list[Any]
    ) -> schema.Invoice:
        row = self.db.add(
            schema.Invoice,
            customer=customer,
            state=kind,
            issued_on=issued,
            due_on=due,
            total_cents=sum(quantity * cents for _, quantity, cents in lines),
            currency=customer.currency,
            memo="",
            reminders=self.rng.randrange(1, 4) if kind == "open" and due < self.today else 0,
            void_reason="wrong_amount" if kind == "void" else None,
        )
        for text, quantity, cents in lines:
            key = self.db.new_id(schema.Line)
            values = {"description": text, "quantity": quantity, "unit_cents": cents}
            self.db.add(schema.Line, line_id=key, invoice=row, **values)
        return row

    def _paid(self, customer: schema.Customer, row: schema.Invoice, number: int) -> None:
        rng = self.rng
        method = "card" if customer.saved_card_digits and number % 3 else "bank"
        on = min(row.issued_on + timedelta(days=rng.randrange(1, 30)), self.today - timedelta(days=1))
        if method == "card" and rng.random() < 0.5:  # at the last day of a refund, or the day after, at some clock
            moment = rng.choice((NOW, *CLOCKS)).date()
            on = moment - timedelta(days=rng.choice((schema.REFUND_DAYS, schema.REFUND_DAYS + 1)))
            row = self.db.update(row, issued_on=on - timedelta(days=9), due_on=on + timedelta(days=rng.randrange(21)))
        payment = self._payment(row, row.total_cents, on, method)
        self._event(customer, row, "invoice.paid", row.invoice_id, on)
        if rng.random() < 0.3:
            self._refund(customer, row, payment, on + timedelta(days=rng.randrange(1, 5)))

    def _payment(self, row: schema.Invoice, cents: int, on: date, method: str) -> schema.Payment:
        reported = on + timedelta(days=1) if self.rng.random() < 0.3 else None
        values = {"amount_cents": cents, "paid_on": on, "method": method, "fraud_reported_on": reported}
        key = self.db.new_id(schema.Payment)
        return self.db.add(schema.Payment, payment_id=key, invoice=row, refunded_cents=0, **values)

    def _refund(self, customer: schema.Customer, row: schema.Invoice, payment: schema.Payment, on: date) -> None:
        cents = self.rng.choice((payment.amount_cents, payment.amount_cents // 4, payment.amount_cents // 10))
        key = self.db.new_id(schema.Repayment)
        values = {"amount_cents": cents, "reason": "requested", "state": "done", "note": ""}
        self.db.add(schema.Repayment, refund_id=key, payment=payment, **values)
        self.db.update(payment, refunded_cents=cents)
        self._event(customer, row, "refund.created", key, min(on, self.today))

    def _event(self, customer: schema.Customer, row: schema.Invoice, kind: str, subject: str, on: date) -> None:
        """An event; a shop system that is down has used up some of its attempts, or all of them."""
        failed = customer.flaky > 0 and self.rng.random() < 0.6
        down = customer.flaky >= schema.MAX_ATTEMPTS
        attempts = self.rng.choice((2, schema.MAX_ATTEMPTS - 1, schema.MAX_ATTEMPTS)) if failed and down else 1
        self.db.add(
            schema.Event,
            invoice=row,
            event_type=kind,
            subject=subject,
            created_at=datetime.combine(on, time(self.rng.randrange(8, 16), self.rng.randrange(60))),
            delivery="failed" if failed else "delivered",
            attempts=attempts if failed or not customer.flaky else 2,
        )

    def _twice(self, customer: schema.Customer) -> None:
        """Two open invoices over the same, and a draft over it once more for every other customer."""
        text, cents = self.rng.choice(GOODS)
        lines = [(text, self.rng.choice((3, 5, 6)), cents)]
        for state, days in (("open", 9), ("open", 4), ("draft", 0))[: self.rng.choice((2, 3))]:
            on = self.today - timedelta(days=days)
            row = self._written(customer, state, on, on + timedelta(days=40 + days), lines)
            if state == "open":
                self._event(customer, row, "invoice.finalized", row.invoice_id, on)


fill_unseen = partial(fill, seed=55302, first=112)
"""Other people and things, in which the stored tasks of dev and test play."""
