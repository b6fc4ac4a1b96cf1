"""The honest baseline of declared worlds: it fills the forms that a world's goals are, and sees no task.

It hears words, sees tools' results, and knows the declarations: which goal is meant, which slots it has, how rows are
described, which rules hold, what must be told. What it does not know it asks for, one thing at a time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import date, datetime
from random import Random
from typing import Any, get_origin

from sandbox.agents import goal_words
from sandbox.agents.dialogue import DialogueContext, Script
from sandbox.agents.intent import condition_of, intent_of
from sandbox.agents.phrases import phrase
from sandbox.agents.row_search import Hit, RowSearch
from sandbox.agents.slot_reading import is_list, is_required, read, sides, wanted, word_before
from sandbox.agents.wish_words import kind_of_tell, other_words
from sandbox.kit.domain import Domain
from sandbox.kit.errors import Refusal
from sandbox.kit.goal import Ask, Goal, Same, Tell
from sandbox.kit.message import Json
from sandbox.kit.reference import kind_of
from sandbox.kit.rule import NOW, OWNER, Rule, viewed
from sandbox.kit.tool import Tool
from sandbox.kit.view import View, column_types
from sandbox.language.consent import is_yes
from sandbox.language.days import Days
from sandbox.language.mentions import Mention, find_mentions
from sandbox.language.text_match import first_wording
from sandbox.runtime.registry import get_domain
from sandbox.runtime.roles import Briefing

_WISHES = 12
"""Messages that are taken for a new wish before it only says goodbye."""
_TRIES = 3
"""How often one slot is asked for, and one proposal made."""
_IF = re.compile(r"^(?:.*?[.!?] )?(if (?:[^,]|,(?=\d))+), (.+)$", re.IGNORECASE | re.DOTALL)
_CHANGED = re.compile(r"\b(?:changed my mind|thought again|rather do something else)\b", re.IGNORECASE)
_FREE = "As the customer asked."


class FormFiller:
    """Plays one episode.

    Args:
        briefing: what the agent was told.
    """

    def __init__(self, briefing: Briefing) -> None:
        self._domain: Domain = get_domain(briefing.domain)
        offered = {str(entry["function"]["name"]) for entry in briefing.tools}
        self._tools: dict[str, Tool] = {name: tool for name, tool in self._domain.tools.items() if name in offered}
        self._rows = RowSearch(self._domain, self._tools)
        self._rng = Random(briefing.seed)
        self._mended: set[str] = set()
        self._fresh: dict[tuple[str, str], Json] = {}
        self._last: tuple[Goal, dict[str, Json]] | None = None

    def script(self, dialogue: DialogueContext) -> Script[None]:
        """The conversation."""
        self._dialogue = dialogue
        text = dialogue.last
        for _ in range(_WISHES):
            text = yield from self._dialogue.say((yield from self._answered(text)))

    def _answered(self, text: str) -> Script[str]:
        """What comes of a wish, in words."""
        meant = intent_of(self._domain.name, text).meant
        condition = _IF.search(text)
        if condition is not None and self._domain.conditions:
            unmet = yield from self._unmet(condition.group(1))
            if unmet:
                return unmet
            if unmet is not None:
                text = condition.group(2)
                meant = intent_of(self._domain.name, text).meant
        if meant is None:
            return "I am not sure what you need. What can I do for you?"
        if isinstance(meant, Ask):
            return (yield from self._follow_up(meant))
        return (yield from self._fulfil(meant, text))

    # --- one wish ---

    def _fulfil(self, goal: Goal, text: str) -> Script[str]:
        if goal.tool.name not in self._tools:
            return phrase("refuse", self._rng)
        values = yield from self._understood(goal, text)
        for name in wanted(goal, self._domain.owner):
            if name not in values and is_required(goal, name):
                values |= yield from self._asked(goal, name, values)
        broken = yield from self._broken(goal, values)
        if broken is not None:
            return goal_words.together([phrase("refuse", self._rng), first_wording(broken.why)])
        if goal.tool.confirm and self._tools[goal.tool.name].kind == "write":
            agreed, values, turned = yield from self._proposed(goal, values)
            if turned:
                return (yield from self._answered(turned))
            if not agreed:
                return phrase("left", self._rng)
        for rule in self._domain.rules:
            if rule.applies(goal.tool):
                yield from self._mend(rule)
        return (yield from self._done(goal, values))

    def _done(self, goal: Goal, values: dict[str, Json]) -> Script[str]:
        own = yield from self._own(goal)
        arguments = {goal.tool.inputs[name]: value for name, value in {**own, **values, **goal.fixed}.items()}
        for name, kind in goal.tool.kinds.items():
            if kind == "free" and goal.tool.inputs[name] in goal.tool.parameters.get("required", ()):
                arguments.setdefault(goal.tool.inputs[name], self._composed(goal, values))
        try:
            result = yield from self._call(goal.tool, arguments)
        except Refusal as refusal:
            return goal_words.together([phrase("refuse", self._rng), str(refusal)])
        self._last = (goal, values)
        told = []
        for tell in goal.tells:
            told.append((yield from self._told(tell, goal, values, result)))
        begin = phrase("done" if goal.tool.kind == "write" else "found", self._rng)
        return goal_words.together([begin, *told, phrase("more", self._rng)])

    def _composed(self, goal: Goal, values: Mapping[str, Json]) -> str:
        """A text for others about a wish: what it is about, and every detail."""
        words = {name: self._worded(goal, name, value) for name, value in values.items()}
        details = "; ".join(f"{goal_words.called(name)}: {text}" for name, text in words.items())
        return f"The customer asks to {goal.verbs[0]}. {details}."

    def _told(self, tell: Tell, goal: Goal, values: Mapping[str, Json], result: Json) -> Script[str]:
        if tell.of_the_draw:
            return ""
        tool = goal.tool
        if tell.by is not None:
            tool = tell.by
            try:
                result = yield from self._call(tool, self._beside(tool, goal, values))
            except Refusal:
                return ""
        value = tell.value(result) if tell.value else goal_words.within(result, tell.name)
        if value is None:
            return ""
        if isinstance(value, list):
            return goal_words.told(goal_words.label_of(tell), ", ".join(map(str, value)) or "empty", self._rng)
        kind = kind_of_tell(tool, tell)
        return goal_words.told(goal_words.label_of(tell), goal_words.value_in_words(kind, value, self._rng), self._rng)

    def _follow_up(self, ask: Ask) -> Script[str]:
        if self._last is None:
            return "What is it about, please?"
        goal, values = self._last
        said = yield from self._told(ask.tells, goal, values, None)
        return goal_words.together([phrase("found", self._rng), said, phrase("more", self._rng)])

    def _beside(self, tool: Tool, goal: Goal, values: Mapping[str, Json]) -> dict[str, Json]:
        """A read's arguments, taken from a wish about the same things."""
        found: dict[str, Json] = {}
        for name, table in tool.references.items():
            alike = [other for other, model in goal.tool.references.items() if model is table and values.get(other)]
            chosen = name if name in alike else next(iter(alike), None)
            if chosen is not None:
                found[tool.inputs[name]] = values[chosen]
        return found

    # --- what is meant ---

    def _understood(self, goal: Goal, text: str) -> Script[dict[str, Json]]:
        """What a text says of a goal's slots."""
        values: dict[str, Json] = {}
        same = self._same(goal, text)
        rest = text
        if same is not None:
            name, each = same
            value, rest = yield from self._elsewhere(each, text)
            values |= {} if value is None else {name: value}
        taken = yield from self._referred(goal, rest)
        plain = read(goal, self._without(goal, taken, rest), self._domain.now)
        return plain | taken | values

    def _without(self, goal: Goal, taken: Mapping[str, Json], text: str) -> str:
        """A text without the amounts and days that describe the rows that were found."""
        for name, value in taken.items():
            keys = value if isinstance(value, list) else [value]
            for key in keys:
                row = self._rows.seen.get((goal.tool.references[name], str(key)), {})
                for mention in reversed(find_mentions(text, None, self._domain.now)):
                    if any(_is_value(mention, column, each) for column, each in row.items()):
                        text = text[: mention.start] + "…" * (mention.end - mention.start) + text[mention.end :]
                        break
        return text

    def _referred(self, goal: Goal, text: str, only: str | None = None) -> Script[dict[str, Json]]:
        """The rows that a text speaks of, each in the slot whose side it stands on."""
        found: dict[str, Json] = {}
        names = [
            name for name in wanted(goal, self._domain.owner) if name in goal.tool.references and only in (None, name)
        ]
        for table in dict.fromkeys(goal.tool.references[name] for name in names):
            slots = [name for name in names if goal.tool.references[name] is table]
            key = self._rows.key_said(table, text)
            hits = [Hit(key, text.find(key), 100)] if key and len(slots) == 1 else []
            hits = hits or (yield from self._rows.find(self._dialogue, table, text))
            hits = hits or self._keys(table, text)
            for name in slots:
                if is_list(goal, name):
                    found |= {name: [hit.key for hit in sorted(hits, key=lambda hit: hit.start)]} if hits else {}
                elif hits:
                    hit = _for_slot(goal, name, slots, hits, text, set(found.values()) if len(slots) > 1 else set())
                    found |= {} if hit is None else {name: hit.key}
        return found

    def _keys(self, table: Any, text: str) -> list[Hit]:
        """All keys of a table's shape, for rows that no list showed."""
        hits, rest = [], text
        while (key := self._rows.key_said(table, rest)) is not None:
            start = rest.find(key)
            hits.append(Hit(key, start, 100))
            rest = rest[:start] + "…" * len(key) + rest[start + len(key) :]
        return hits

    def _asked(self, goal: Goal, name: str, values: dict[str, Json]) -> Script[dict[str, Json]]:
        """Ask for a slot until it is understood."""
        for _ in range(_TRIES):
            answer = yield from self._dialogue.say(phrase("ask", self._rng, goal_words.question(goal, name, self._rng)))
            if name in goal.tool.references:
                found = yield from self._referred(goal, answer, only=name)
            else:
                same = self._same(goal, answer)
                found = {}
                if same is not None:
                    value, _ = yield from self._elsewhere(same[1], answer)
                    found = {} if value is None else {name: value}
                found = found or read(goal, answer, self._domain.now, only=name)
            if name in found:
                return found
        return {}

    def _same(self, goal: Goal, text: str) -> tuple[str, Same] | None:
        """The slot whose value a text says stands elsewhere."""
        for slot in goal.slots:
            for same in slot.same_as:
                head = same.says.split("{", 1)[0].strip().lower()
                if head and head in text.lower():
                    return slot.name, same
        return None

    def _elsewhere(self, same: Same, text: str) -> Script[tuple[Json, str]]:
        """A value that stands in another row, and the text without the words for it."""
        head = same.says.split("{", 1)[0].strip().lower()
        start = text.lower().find(head)
        hits = yield from self._rows.find(self._dialogue, same.table, text[start:])
        if not hits:
            return None, text
        row = self._rows.seen[same.table, hits[0].key]
        if same.column not in row and same.by is not None:
            parameter = next(name for name, table in same.by.references.items() if table is same.table)
            row = yield from self._call(same.by, {same.by.inputs[parameter]: hits[0].key})
        value = row.get(same.column)
        return (abs(value) if isinstance(value, int) else value), self._cut(same.table, row, text, start)

    def _cut(self, table: Any, row: Mapping[str, Json], text: str, start: int) -> str:
        """The text without what it says of a row, from a position on."""
        end = start
        for column, value in row.items():
            for mention in find_mentions(text, None, self._domain.now):
                if mention.start >= start and _is_value(mention, column, value):
                    end = max(end, mention.end)
            spot = text.find(str(value), start)
            end = max(end, spot + len(str(value))) if spot >= 0 and isinstance(value, str) else end
        return text[:start] + text[end:]

    # --- rules and proposals ---

    def _broken(self, goal: Goal, values: dict[str, Json]) -> Script[Rule | None]:
        """The first rule that what was seen breaks, those apart that a remedy makes hold."""
        for rule in self._domain.rules:
            if not rule.applies(goal.tool) or rule.remedy is not None:
                continue
            for tool in rule.reads:
                if not set(tool.parameters.get("required", ())) - set(self._beside(tool, goal, values)):
                    try:
                        yield from self._call(tool, self._beside(tool, goal, values))
                    except Refusal:
                        continue
            if NOW in rule.parameters:
                yield from self._look_at_clock()
            if self._holds(rule, goal, values) is False:
                return rule
        return None

    def _holds(self, rule: Rule, goal: Goal, values: Mapping[str, Json]) -> bool | None:
        """Whether a rule holds for what was seen; None where too little was."""
        known: dict[str, Any] = dict(rule.optional)
        try:
            given = {**self._free(goal), **values, **goal.fixed}
            checked = goal.tool.validate({goal.tool.inputs[name]: value for name, value in given.items()})
            for name, annotation in rule.parameters.items():
                if name in rule.looks:
                    return None
                if name == NOW:
                    known[name] = self._now()
                elif name == OWNER:
                    table = viewed(annotation)
                    rows = (row for (model, _), row in self._rows.seen.items() if model is table)
                    known[name] = View.seen(table, next(rows))
                elif name in goal.tool.references:
                    known[name] = self._seen(goal, name, values, get_origin(annotation) is list)
                elif name in goal.tool.inputs:
                    known[name] = checked[goal.tool.inputs[name]]
            return rule.allows(known)
        except (AttributeError, KeyError, StopIteration, Refusal, TypeError):
            return None

    def _own(self, goal: Goal) -> Script[dict[str, Json]]:
        """The person whom the world serves, where a tool asks whom it is about and nobody else was named."""
        owner = self._domain.owner
        found: dict[str, Json] = {}
        for name, table in goal.tool.references.items():
            if table is owner and name not in wanted(goal, owner):
                yield from self._look_at_clock()
                key = next((key for model, key in self._rows.seen if model is owner), None)
                found[name] = [key] if is_list(goal, name) else key
        return found

    def _look_at_clock(self) -> Script[None]:
        """Look where a world shows the present: beside the row of the person whom it serves."""
        for tool in self._tools.values():
            if self._domain.owner in tool.shows and tool.kind == "read" and not tool.inputs:
                yield from self._call(tool, {})

    def _now(self) -> datetime:
        """The present as far as a tool has shown it.

        Raises:
            KeyError: none has.
        """
        for row in self._rows.seen.values():
            for name in ("now", "today"):
                if name in row:
                    return datetime.fromisoformat(str(row[name]))
        raise KeyError("now")

    def _free(self, goal: Goal) -> dict[str, Json]:
        return {name: _FREE for name, kind in goal.tool.kinds.items() if kind == "free"}

    def _seen(self, goal: Goal, name: str, values: Mapping[str, Json], many: bool) -> Any:
        table, given = goal.tool.references[name], values.get(name)
        if given is None:
            return None
        if isinstance(given, list):
            return [View.seen(table, self._rows.seen[table, key]) for key in given]
        return View.seen(table, self._rows.seen[table, str(given)])

    def _mend(self, rule: Rule) -> Script[None]:
        """Make a rule hold with its remedy, once in a conversation."""
        remedy = rule.remedy
        if remedy is None or remedy.name in self._mended:
            return
        arguments: dict[str, Json] = {}
        for name, shown in remedy.inputs.items():
            for _ in range(_TRIES):
                answer = yield from self._dialogue.say(phrase("secret", self._rng, goal_words.called(name)))
                found = re.findall(r"(?<![\w$,.-])\d{3,}(?![\w,-]|\.\d)", answer)
                if found:
                    arguments[shown] = found[-1]
                    break
        try:
            yield from self._call(remedy, arguments)
            self._mended.add(remedy.name)
        except Refusal:
            return

    def _proposed(self, goal: Goal, values: dict[str, Json]) -> Script[tuple[bool, dict[str, Json], str]]:
        """Propose until there is a yes; returns it with the values and, where the wish has changed, the new one."""
        avoiding = other_words(self._domain, goal)
        for attempt in range(_TRIES):
            words = {name: self._worded(goal, name, value) for name, value in values.items()}
            if attempt and not goal.fixed:
                text = goal_words.listed(goal, words, self._rng, avoiding)
            else:
                text = goal_words.proposal(goal, words, self._rng, avoiding)
            answer = yield from self._dialogue.say(text)
            if is_yes(answer):
                return True, values, ""
            if _CHANGED.search(answer):
                return False, values, answer
            values = values | (yield from self._understood(goal, answer))
        return False, values, ""

    def _worded(self, goal: Goal, name: str, value: Json) -> str:
        if name in goal.tool.references:
            keys = value if isinstance(value, list) else [value]
            return ", ".join(self._rows.called(goal.tool.references[name], str(key), self._rng) for key in keys)
        slot = goal.slot(name)
        if slot.words and str(value) in slot.words:
            return goal_words.quoted(first_wording(slot.words[str(value)]))
        return goal_words.value_in_words(goal.tool.kinds.get(name, "text"), value, self._rng)

    # --- conditions and calls ---

    def _unmet(self, clause: str) -> Script[str | None]:
        """What to say when a condition does not hold; empty when it does, None where none is understood."""
        condition = condition_of(self._domain, clause)
        if condition is None:
            return None
        kind = kind_of(condition.column, column_types(condition.table)[condition.column])
        mentions = find_mentions(clause, None, self._domain.now)
        asked = [mention for mention in mentions if mention.kind in (kind, "count")]
        hits = yield from self._rows.find(self._dialogue, condition.table, clause)
        key = hits[0].key if hits else self._rows.key_said(condition.table, clause)
        if not asked or key is None:
            return None
        parameter = next(name for name, table in condition.by.references.items() if table is condition.table)
        row = yield from self._call(condition.by, {condition.by.inputs[parameter]: key})
        value = goal_words.within(row, condition.column)
        if value is None or value >= asked[-1].value:
            return ""
        words = goal_words.value_in_words(kind, value, self._rng)
        told = goal_words.told(goal_words.called(condition.column), words, self._rng)
        return goal_words.together([phrase("unmet", self._rng), told, phrase("more", self._rng)])

    def _call(self, tool: Tool, arguments: Mapping[str, Json]) -> Script[Json]:
        made = tool.name, json.dumps(arguments, sort_keys=True)
        if made not in self._fresh:
            result = yield from self._dialogue.call(tool.name, **arguments)
            self._rows.note(tool, result)
            self._fresh = {} if tool.kind == "write" else self._fresh | {made: result}
            return result
        return self._fresh[made]


def _for_slot(goal: Goal, name: str, slots: list[str], hits: list[Hit], text: str, taken: set[Any]) -> Hit | None:
    """The row that stands on a slot's side of the text; the likeliest one where there is only one slot."""
    free = [hit for hit in hits if hit.key not in taken]
    if len(slots) == 1:
        return free[0] if free else None
    for hit in free:
        for word in word_before(text, hit.start):
            owner = [slot for slot in slots if word in sides(goal, slot)]
            if owner:
                if owner == [name]:
                    return hit
                break
    others = [slot for slot in slots if slot != name]
    left = [hit for hit in free if not any(_stands(goal, other, hit, text) for other in others)]
    sure = len(left) == 1 and len(hits) == len(slots)
    return left[0] if left and (sure or not sides(goal, name)) else None


def _stands(goal: Goal, name: str, hit: Hit, text: str) -> bool:
    return any(word in sides(goal, name) for word in word_before(text, hit.start))


def _is_value(mention: Mention, column: str, value: Json) -> bool:
    if mention.kind == "money":
        return isinstance(value, int) and column.endswith("_cents") and abs(value) == mention.value
    if isinstance(mention.value, Days) and isinstance(value, str) and re.match(r"\d{4}-\d\d-\d\d", value):
        return date.fromisoformat(value[:10]) == mention.value.first
    return False
