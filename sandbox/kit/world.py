"""What a world's author writes with, under one name: tables, tools, rules, goals and tasks."""

from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.domain import Dataset, Domain, generated
from toolgym.sandbox.kit.errors import ConfigurationError, Refusal, ToolgymError
from toolgym.sandbox.kit.goal import Ask, Calls, Condition, Draw, Goal, Made, Relation, Same, Slot, Tell, Thing
from toolgym.sandbox.kit.handover import Handover
from toolgym.sandbox.kit.identity import Identity
from toolgym.sandbox.kit.message import Json, Message, ToolCall
from toolgym.sandbox.kit.reference import NOT_BLANK, AnyOf, Free, PageNumber, Ref, Reference, Secret
from toolgym.sandbox.kit.rule import Rule, rule, rules_in
from toolgym.sandbox.kit.search import contains_text, equals_text, given, is_within
from toolgym.sandbox.kit.table import computed, hidden, key, part, personal, via
from toolgym.sandbox.kit.task import Fact, Task
from toolgym.sandbox.kit.tool import Tool, ToolSet, tool
from toolgym.sandbox.kit.view import Page, View

__all__ = [  # noqa: RUF022  # as the lines above
    "Database", "Dataset", "Domain", "generated", "ConfigurationError", "Refusal", "ToolgymError",
    "Ask", "Calls", "Condition", "Draw", "Goal", "Made", "Relation", "Same", "Slot", "Tell", "Thing",
    "Handover", "Identity", "Json", "Message", "ToolCall",
    "NOT_BLANK", "AnyOf", "Free", "PageNumber", "Ref", "Reference", "Secret",
    "Rule", "rule", "rules_in", "contains_text", "equals_text", "given", "is_within",
    "computed", "hidden", "key", "part", "personal", "via",
    "Fact", "Task", "Tool", "ToolSet", "tool", "Page", "View",
]  # fmt: skip
