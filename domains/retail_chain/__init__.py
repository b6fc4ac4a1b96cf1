"""A chain of clothing stores: stock in all of them, holds for customers, transfers between stores."""

from toolgym.domains.retail_chain.schema import Associate
from toolgym.sandbox.kit.domain import Domain

domain = Domain.of(__name__, title="A chain of clothing stores", owner=Associate)
