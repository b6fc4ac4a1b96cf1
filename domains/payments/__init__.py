"""A small firm's payment console: invoices, refunds, and deliveries of events to shop systems."""

from toolgym.domains.payments.schema import Firm
from toolgym.sandbox.kit.domain import Domain

domain = Domain.of(__name__, title="A small firm's payment console", owner=Firm)
