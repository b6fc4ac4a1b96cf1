"""Larkfield: the leads, contacts, deals and tasks of those who sell.

- Stages: a deal goes from open to offer, negotiation and won, one step at a time, and only what was talked about lately
  is offered; a discount belongs to the offer, and what was won or lost stays as it is.
- Ownership: leads and deals belong to teams, which alone change them; a deal is handed over within the team, with the
  open tasks that its owner has.
- Merge of duplicates: a lead becomes no second account or contact; it joins those that there are, with all other open
  leads of the same person.
"""

from toolgym.domains.crm.schema import Person
from toolgym.domains.crm.seed import OWNERS
from toolgym.sandbox.kit.domain import Domain

domain = Domain.of(__name__, title="A sales team's leads and deals", owner=Person, owners=OWNERS)
