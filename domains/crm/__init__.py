"""Larkfield: the leads, contacts, deals and tasks of those who sell."""

from toolgym.domains.crm.schema import Person
from toolgym.domains.crm.seed import OWNERS
from toolgym.sandbox.kit.domain import Domain

domain = Domain.of(__name__, title="A sales team's leads and deals", owner=Person, owners=OWNERS)
