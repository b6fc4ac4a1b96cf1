"""A second-hand marketplace: bids, offers, listings and sales of a private person."""

from toolgym.domains.marketplace.schema import Member
from toolgym.domains.marketplace.seed import OWNERS
from toolgym.sandbox.kit.domain import Domain

domain = Domain.of(__name__, title="A second-hand marketplace", owner=Member, owners=OWNERS)
