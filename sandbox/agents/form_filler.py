"""The honest baseline of declared worlds: it fills the forms that a world's goals are, and sees no task.

It hears words, sees tools' results, and knows the declarations: which goal is meant, which slots it has, how rows are
described, which rules hold, what must be told, how people are known, when to hand over. What it does not know it asks
for, one thing at a time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random

from toolgym.sandbox.agents import goal_words
from toolgym.sandbox.agents.answers import Answers, Heard, spoken_of, words_of
from toolgym.sandbox.agents.dialogue import DialogueContext, Script
from toolgym.sandbox.agents.identification import Identification
from toolgym.sandbox.agents.intent import condition_of, intent_of
from toolgym.sandbox.agents.parts_reading import PartsReading
from toolgym.sandbox.agents.phrases import phrase
from toolgym.sandbox.agents.row_search import RowSearch
from toolgym.sandbox.agents.rule_check import RuleCheck
from toolgym.sandbox.agents.seen import Seen
from toolgym.sandbox.agents.slot_reading import besides, is_list, is_required, wanted
from toolgym.sandbox.agents.wish_reading import WishReading
from toolgym.sandbox.agents.wish_words import other_words
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import ConfigurationError, Refusal
from toolgym.sandbox.kit.goal import Ask, Goal
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.reference import kind_of
from toolgym.sandbox.kit.rule import Rule
from toolgym.sandbox.kit.table import column_types
from toolgym.sandbox.kit.tool import Tool
from toolgym.sandbox.language.consent import asks_back, is_yes
from toolgym.sandbox.language.mentions import find_mentions
from toolgym.sandbox.language.text_match import first_wording
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import Briefing
from toolgym.sandbox.synthesis.right_run import asking

_WISHES = 12
"""Messages that are taken for a new wish before it only says goodbye."""
_TRIES = 3
"""How often one slot is asked for, and one proposal made."""
_IF = re.compile(r"^(?:.*?[.!?] )?(if (?:[^,]|,(?=\d))+), (.+)$", re.IGNORECASE | re.DOTALL)
_ONLY_IF = re.compile(r"^(.+[.?!]) .*\bonly\b.* (if [^?]+)\.$", re.IGNORECASE | re.DOTALL)
_CHANGED = re.compile(r"\b(?:changed my mind|thought again|rather do something else)\b", re.IGNORECASE)


class FormFiller:
    """Plays one episode.

    Args:
        briefing: what the agent was told.
    """

    def __init__(self, briefing: Briefing) -> None:
        self._domain: Domain = get_domain(briefing.domain)
        self._held = self._domain.rules_at(briefing.version)
        offered = {str(entry["function"]["name"]) for entry in briefing.tools}
        self._tools: dict[str, Tool] = {name: tool for name, tool in self._domain.tools.items() if name in offered}
        self._rng = Random(briefing.seed)
        self._seen = Seen(self._domain, self._tools)
        self._rows = RowSearch(self._domain, self._tools, self._seen)
        self._parts = PartsReading(self._domain, self._tools, self._seen, self._rows)
        self._rules = RuleCheck(self._domain, briefing.version, self._tools, self._seen)
        self._reading = WishReading(self._domain, self._seen, self._rows, self._parts, self._rules)
        self._answers = Answers(self._seen, self._domain.now, self._rng)
        self._mended: set[str] = set()
        self._last: tuple[Goal, dict[str, Json], Json, str] | None = None

    def script(self, dialogue: DialogueContext) -> Script[None]:
        """The conversation."""
        self._seen.dialogue = self._dialogue = dialogue
        text = dialogue.last
        if self._domain.identity is not None:
            yield from Identification(self._domain.identity, self._seen, self._domain.now, self._rng).find(text)
        for _ in range(_WISHES):
            text = yield from self._dialogue.say((yield from self._answered(text)))

    def _answered(self, text: str) -> Script[str]:
        """What comes of a wish, in words."""
        meant = self._meant(text)
        condition, after = _IF.search(text), _ONLY_IF.search(text)
        clause, wish = (after.group(2), after.group(1)) if after else condition.groups() if condition else ("", text)
        if clause and self._domain.conditions:
            unmet = yield from self._unmet(clause)
            if unmet:
                return unmet
            if unmet is not None:
                text = wish
                meant = self._meant(text)
        if meant is None:
            return "I am not sure what you need. What can I do for you?"
        if isinstance(meant, Ask):
            return (yield from self._follow_up(meant))
        return (yield from self._fulfil(meant, text))

    def _meant(self, text: str) -> Goal | Ask | None:
        return intent_of(self._domain.name, text, follows=self._last is not None).meant

    # --- one wish ---

    def _fulfil(self, goal: Goal, text: str) -> Script[str]:
        if goal.tool.name not in self._tools:
            return phrase("refuse", self._rng)
        if goal.tool.ends_episode:
            return (yield from self._handed_over(goal, text))
        values = yield from self._reading.understood(goal, text)
        asked: set[str] = set()
        for name in wanted(goal, self._seen.served):
            if name not in values and is_required(goal, name) and goal.slot(name).name not in asked:
                asked.add(goal.slot(name).name)
                values |= yield from self._asked(goal, name, values)
        about = yield from self._about(goal, values, text)
        values |= self._answers.worked_out(goal, values, about)
        broken = (yield from self._rules.broken(goal, {**about, **values})) or goal.against
        if broken is not None:
            return (yield from self._refused(broken, text))
        lacking = [name for name in wanted(goal, self._seen.served) if name not in values and is_required(goal, name)]
        if lacking:
            return f"Without the {goal_words.called(goal.slot(lacking[0]).name)} I have changed nothing."
        if goal.tool.confirm and self._tools[goal.tool.name].kind == "write":
            agreed, values, turned = yield from self._proposed(goal, values, about)
            values |= self._answers.worked_out(goal, values, about)
            if turned:
                return (yield from self._answered(turned))
            if not agreed:
                return phrase("left", self._rng)
        for rule in self._held:
            if rule.applies(goal.tool):
                yield from self._mend(rule)
        return (yield from self._done(goal, values, text))

    def _about(self, goal: Goal, values: Mapping[str, Json], text: str) -> Script[dict[str, Json]]:
        """What a wish is about besides its parameters; asked for where a rule or an argument rests on it."""
        found = spoken_of(goal, values, None, text)
        needed = {name for rule in self._held if rule.applies(goal.tool) for name in rule.parameters}
        for slot in besides(goal):
            if (
                slot.of is None
                and slot.name not in found
                and (slot.name in needed or (goal.worked_out and slot.withheld))
            ):
                question = goal_words.question(goal, slot.name, self._rng)
                answer = yield from self._dialogue.say(phrase("ask", self._rng, question))
                found |= spoken_of(goal, values, None, answer)
        return found

    def _refused(self, broken: Rule, text: str) -> Script[str]:
        """That a wish breaks a rule; a colleague takes over where the world says so."""
        handover = self._domain.handover
        if handover is not None and broken in handover.rules and handover.tool.name in self._tools:
            yield from self._seen.call(handover.tool, self._summary(handover.tool, text))
        return goal_words.together([phrase("refuse", self._rng), first_wording(broken.why)])

    def _handed_over(self, goal: Goal, text: str) -> Script[str]:
        yield from self._seen.call(goal.tool, self._summary(goal.tool, text))
        return phrase("hand_over", self._rng)

    def _summary(self, tool: Tool, text: str) -> dict[str, Json]:
        """What a colleague is told: the wish in the user's words."""
        free = (shown for name, shown in tool.inputs.items() if tool.kinds[name] in ("free", "text"))
        return dict.fromkeys(free, f"The customer says: {text}")

    def _done(self, goal: Goal, values: dict[str, Json], text: str) -> Script[str]:
        own = yield from self._own(goal)
        given = {**own, **values, **goal.fixed}
        arguments = {shown: given[name] for name, shown in goal.tool.inputs.items() if name in given}
        for name, kind in goal.tool.kinds.items():
            if kind == "free" and goal.tool.inputs[name] in goal.tool.parameters.get("required", ()):
                arguments.setdefault(goal.tool.inputs[name], self._composed(goal, values))
        try:
            result = yield from self._seen.call(goal.tool, arguments)
        except Refusal as refusal:
            return goal_words.together([phrase("refuse", self._rng), str(refusal)])
        self._last = (goal, values, result, text)
        told = []
        for tell in goal.tells:
            told.append((yield from self._answers.told(tell, goal, values, result, text)))
        begin = phrase("done" if goal.tool.kind == "write" else "found", self._rng)
        return goal_words.together([begin, *told, phrase("more", self._rng)])

    def _composed(self, goal: Goal, values: Mapping[str, Json]) -> str:
        """A text for others about a wish: what it is about, and every detail."""
        details = "; ".join(f"{goal_words.called(name)}: {text}" for name, text in self._words(goal, values).items())
        return f"The customer asks to {goal.verbs[0]}. {details}."

    def _follow_up(self, ask: Ask) -> Script[str]:
        if self._last is None:
            return "What is it about, please?"
        goal, values, result, text = self._last
        own = next((each for each in goal.asks if each.says == ask.says), ask)
        said = yield from self._answers.told(own.tells, goal, values, result, text)
        return goal_words.together([phrase("found", self._rng), said, phrase("more", self._rng)])

    def _asked(self, goal: Goal, name: str, values: dict[str, Json]) -> Script[dict[str, Json]]:
        """Ask for a slot until it is understood."""
        for _ in range(_TRIES):
            question = goal_words.question(goal, goal.slot(name).name, self._rng)
            answer = yield from self._dialogue.say(phrase("ask", self._rng, question))
            found = yield from self._reading.answer(goal, name, values, answer)
            if name in found:
                return found
            only = self._rows.only(goal.tables[name]) if name in goal.tables else []
            if len(only) == 1:
                return {name: only[0]}
        return {}

    def _own(self, goal: Goal) -> Script[dict[str, Json]]:
        """The person whom the world serves, where a tool asks whom it is about and nobody else was named."""
        served = self._seen.served
        found: dict[str, Json] = {}
        for name, table in goal.tool.references.items():
            if table is served and name not in wanted(goal, served):
                yield from self._rules.look_at_clock()
                key = self._seen.person or next(iter(self._seen.of(table)), None)
                found[name] = [key] if is_list(goal, name) else key
        return found

    # --- rules and proposals ---

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
            yield from self._seen.call(remedy, arguments)
            self._mended.add(remedy.name)
        except Refusal:
            return

    def _proposed(
        self, goal: Goal, values: dict[str, Json], about: Mapping[str, Json]
    ) -> Script[tuple[bool, dict[str, Json], str]]:
        """Propose until there is a yes; returns it with the values and, where the wish has changed, the new one.

        A closed question gets a yes where it says what was proposed; otherwise what it says is proposed.
        """
        avoiding = other_words(self._domain, goal)
        for attempt in range(_TRIES):
            said = {**about, **{name: value for name, value in values.items() if name not in goal.worked_out}}
            words = self._words(goal, said)
            if attempt and not goal.fixed:
                text = goal_words.listed(goal, goal_words.to_user(words), self._rng, avoiding)
            else:
                text = goal_words.proposal(goal, words, self._rng, avoiding)
            answer = yield from self._dialogue.say(text)
            if asks_back(answer):
                meant = yield from self._reading.understood(goal, answer, values)
                if all(values.get(name) == value for name, value in meant.items()):
                    answer = yield from self._dialogue.say(phrase("meant", self._rng))
            if is_yes(answer):
                return True, values, ""
            if _CHANGED.search(answer):
                return False, values, answer
            values = values | (yield from self._reading.understood(goal, answer, values))
        return False, values, ""

    # --- words ---

    def _words(self, goal: Goal, values: Mapping[str, Json]) -> dict[str, str]:
        """The slots of a wish in words; several parameters that are one thing to a person are said as one."""
        words: dict[str, str] = {}
        for name in values:
            slot = goal.slot(name)
            if slot.name not in words:
                words[slot.name] = (
                    self._as_one(goal, slot.name, values) if slot.fills else self._worded(goal, name, values[name])
                )
        return words

    def _as_one(self, goal: Goal, name: str, values: Mapping[str, Json]) -> str:
        slot = goal.slot(name)
        if self._parts.table_of(goal, slot.fills[0]) is not None:
            return self._parts.called(goal, slot.fills[0], values)
        given = {each: values.get(each) for each in slot.fills}
        try:
            said: str = asking(slot.say, given, Heard(values)) if slot.say else ""
            return said
        except ConfigurationError:  # an author's words that ask for more than an agent knows
            return ", ".join(str(value) for value in given.values() if value)

    def _worded(self, goal: Goal, name: str, value: Json) -> str:
        if name in goal.tables:
            keys = value if isinstance(value, list) else [value]
            return ", ".join(self._rows.called(goal.tables[name], str(key), self._rng) for key in keys)
        slot = goal.slot(name)
        if slot.say is not None and name not in goal.tool.inputs:
            return words_of(slot, value) or str(value)
        if slot.words and str(value) in slot.words and " " not in str(value):  # several words say it themselves
            return goal_words.quoted(first_wording(slot.words[str(value)]))
        return goal_words.value_in_words(goal.tool.kinds.get(name, "text"), value, self._rng)

    # --- conditions ---

    def _unmet(self, clause: str) -> Script[str | None]:
        """What to say when a condition does not hold; empty when it does, None where none is understood."""
        condition = condition_of(self._domain, clause)
        if condition is None:
            return None
        kind = kind_of(condition.column, column_types(condition.table)[condition.column])
        mentions = find_mentions(clause, None, self._domain.now)
        asked = [mention for mention in mentions if mention.kind in (kind, "count")]
        hits = yield from self._rows.find(condition.table, clause)
        key = hits[0].key if hits else self._rows.key_said(condition.table, clause)
        if not asked or key is None:
            return None
        value = yield from self._answers.shown(condition, key)
        if value is None or value >= asked[-1].value:
            return ""
        words = goal_words.value_in_words(kind, value, self._rng)
        told = goal_words.told(goal_words.called(condition.column), words, self._rng)
        return goal_words.together([phrase("unmet", self._rng), told, phrase("more", self._rng)])
