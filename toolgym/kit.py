"""What authors of worlds write with: tables, tools, rules, goals and tasks. See docs/new-domain.md."""

from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.domain import Dataset, Domain, generated
from toolgym.sandbox.kit.errors import Refusal, ToolgymError
from toolgym.sandbox.kit.goal import Ask, Condition, Draw, Goal, Relation, Same, Slot, Tell, Thing
from toolgym.sandbox.kit.handover import Handover
from toolgym.sandbox.kit.identity import Identity
from toolgym.sandbox.kit.message import Message, ToolCall
from toolgym.sandbox.kit.reference import NOT_BLANK, Free, PageNumber, Ref, Reference, Secret
from toolgym.sandbox.kit.rule import rule, rules_in
from toolgym.sandbox.kit.search import contains_text, equals_text, given, is_within
from toolgym.sandbox.kit.table import computed, hidden, key, personal, via
from toolgym.sandbox.kit.task import Fact, Task
from toolgym.sandbox.kit.tool import ToolSet, tool
from toolgym.sandbox.kit.view import Page, View
from toolgym.sandbox.runtime.registry import get_domain

__all__ = [
    "NOT_BLANK",
    "Ask",
    "Condition",
    "Database",
    "Dataset",
    "Domain",
    "Draw",
    "Fact",
    "Free",
    "Goal",
    "Handover",
    "Identity",
    "Message",
    "Page",
    "PageNumber",
    "Ref",
    "Reference",
    "Refusal",
    "Relation",
    "Same",
    "Secret",
    "Slot",
    "Task",
    "Tell",
    "Thing",
    "ToolCall",
    "ToolSet",
    "ToolgymError",
    "View",
    "computed",
    "contains_text",
    "equals_text",
    "generated",
    "get_domain",
    "given",
    "hidden",
    "is_within",
    "key",
    "personal",
    "rule",
    "rules_in",
    "tool",
    "via",
]
