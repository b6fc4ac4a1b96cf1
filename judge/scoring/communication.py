"""What of a task was told: its answers by meaning, its refusals by what was said, looked up and not done.

Apart from the verdict stand whether the reason of a refusal was given, and the published check by characters.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from toolgym.judge.scoring.conversation import Conversation, Said
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.rule import Rule
from toolgym.sandbox.kit.task import Goal, Task
from toolgym.sandbox.kit.telling import Telling
from toolgym.sandbox.language.dialogue_acts import parse_act
from toolgym.sandbox.language.inflection import past_forms
from toolgym.sandbox.language.reasons import gives_reason, reasons_stated
from toolgym.sandbox.language.text_match import first_wording, mentions_all
from toolgym.sandbox.language.told import is_refusal, tells, without_dumps
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.proof.replay import gold_of
from toolgym.sandbox.synthesis.world_words import words_of


@dataclass(frozen=True, slots=True)
class Told:
    """What was told.

    Attributes:
        all: every answer was told, and every refusal was said and shown by look-ups; None where nothing had to be.
        reasons: the reason of every refusal was given; None where nothing had to be refused.
    """

    all: bool | None
    reasons: bool | None


def told(conversation: Conversation) -> Told:
    """What an agent told of what its task asks for."""
    task = conversation.trajectory.task
    refused = _to_be_refused(task)
    given = _given(conversation, _answers(task))
    right = [_refused(conversation, goal.final) for goal in refused]
    reasons = [_reason_given(conversation, goal.final) for goal in refused if _reasons_of(goal.final)]
    return Told(all(given) and all(right) if given or right else None, all(reasons) if reasons else None)


def untold_texts(conversation: Conversation) -> list[str]:
    """For people, what was not told of what had to be: each answer by its plainest wording, each missing refusal."""
    task = conversation.trajectory.task
    due = _answers(task)
    texts = [text for _, texts in due for text in texts]
    given = _given(conversation, due)
    missing = [f"“{first_wording(text)}”" for text, done in zip(texts, given, strict=True) if not done]
    for goal in (goal.final for goal in _to_be_refused(task)):
        if not refuses(get_domain(task.domain), goal, _words_about(conversation, goal)):
            missing.append(f"that “{goal.utterance}” is not possible")
        elif not _refused(conversation, goal):
            missing.append(f"after a look at what forbids it, that “{goal.utterance}” is not possible")
    return missing


def _to_be_refused(task: Task) -> list[Goal]:
    return [goal for goal in task.goals if goal.final.outcome == "refused"]


def _answers(task: Task) -> list[tuple[str, Sequence[str]]]:
    """The texts that have to be told, by what they are about."""
    finals = [goal.final for goal in task.goals]
    mine = {text for goal in finals for text in goal.must_communicate}
    found: list[tuple[str, Sequence[str]]] = [
        (goal.utterance, goal.must_communicate) for goal in finals if goal.outcome != "refused"
    ]
    found.append((task.scenario, tuple(text for text in task.communicate if text not in mine)))
    return [pair for pair in found if pair[1]]


def _given(conversation: Conversation, due: Sequence[tuple[str, Sequence[str]]]) -> list[bool]:
    """For each text that had to be told, by what it is about, whether it was."""
    if not due:
        return []
    task = conversation.trajectory.task
    domain = get_domain(task.domain)
    messages = [said.text for said in conversation.of_agent if not _lists_reasons(domain, [said.text])]
    # a row that was dealt with later is no other value of one that was told before
    seen = json.dumps([(call.record.arguments, call.record.value) for call in conversation.calls], default=str)
    now = (task.now or domain.now).replace(tzinfo=None)
    rest = [text for _, texts in due for text in texts]
    return [tells(messages, text, now, about=about, rest=rest, seen=seen) for about, texts in due for text in texts]


def untold(conversation: Conversation) -> Goal | None:
    """The first wish of which something was not told, or that was not refused as it must be; None where all were."""
    task = conversation.trajectory.task
    messages = [said.text for said in conversation.of_agent]
    now = (task.now or get_domain(task.domain).now).replace(tzinfo=None)
    rest = [text for goal in task.goals for text in goal.final.must_communicate]
    for goal in (goal.final for goal in task.goals):
        if goal.outcome == "refused":
            fine = _refused(conversation, goal)
        else:
            due = goal.must_communicate
            fine = all(tells(messages, text, now, about=goal.utterance, rest=rest) for text in due)
        if not fine:
            return goal
    return None


def refuses_with_reason(task: Task, goal: Goal, messages: Sequence[str]) -> bool:
    """Whether words refuse a wish and say why."""
    domain = get_domain(task.domain)
    return refuses(domain, goal, messages) and any(
        gives_reason(messages, _rule_text(domain, goal, text), goal.utterance) for text in _reasons_of(goal)
    )


def refuses(domain: Domain, goal: Goal, messages: Sequence[str]) -> bool:
    """Whether words refuse a wish, and none says that it was done."""
    if any(_claims(domain, goal, text) for text in messages) or _lists_reasons(domain, messages):
        return False
    return any(parse_act(text).refuses for text in messages) or any(
        gives_reason(messages, _rule_text(domain, goal, text), goal.utterance) for text in _reasons_of(goal)
    )


_MOST_REASONS = 3
"""More rules than these are not the reason of one refusal; some words fit more rules than one."""
_SHORT = 120
"""Characters that cannot hold more reasons than that."""
_DONE = re.compile(
    r"\b(?:i|we)(?:'ve| have)?(?: \w+ly| now| just| already| also| simply| still| anyway| (?:went|gone) ahead and)*"
    r" (?:done (?:it|so|that|this)|made an exception|gone ahead|went ahead|taken care of it)\b|"
    r"\b(?:done|did|doing) (?:it|that|so) (?:for you )?anyway\b|"
    r"^\W*(?:that|it)(?:'s| is| has been) (?:now |all )?done\b"
)


def _lists_reasons(domain: Domain, messages: Sequence[str]) -> bool:
    """Whether words state reasons of more rules than any refusal has, as who knows none of them does."""
    if sum(len(text) for text in messages) < _SHORT:
        return False
    return reasons_stated(messages, [rule.why for rule in domain.rules]) > _MOST_REASONS


def _claims(domain: Domain, goal: Goal, text: str) -> bool:
    """Whether words claim that a wish was granted."""
    low = text.lower().replace("’", "'")
    done = "|".join(sorted(map(re.escape, past_forms(words_of(domain.name).verbs(goal.kind)))))
    first_person = (
        rf"\bi(?:'ve| have)(?: now| just| also| successfully| gone ahead and)* (?:{done})\b(?! (?:into|at|for)\b)"
    )
    return _DONE.search(low) is not None or (bool(done) and re.search(first_person, low) is not None)


# --- a refusal in the record ---


def _refused(conversation: Conversation, goal: Goal) -> bool:
    """Whether a wish was refused in words, after a look at what forbids it, and not granted in words."""
    task = conversation.trajectory.task
    domain = get_domain(task.domain)
    return refuses(domain, goal, _words_about(conversation, goal)) and _looked(conversation, domain, goal)


def _words_about(conversation: Conversation, goal: Goal) -> list[str]:
    """What the agent said from the wish on up to the next one; all of it where the wish was put in other words."""
    words = conversation.words
    start = next((i for i, said in enumerate(words) if not said.by_agent and goal.utterance in said.text), 0)
    others = [
        other.utterance for other in conversation.trajectory.task.every_goal() if other.utterance != goal.utterance
    ]
    end = next((i for i in range(start + 1, len(words)) if _introduces(words[i], others)), len(words))
    return [without_dumps(said.text) for said in words[start:end] if said.by_agent]


def _introduces(said: Said, utterances: Sequence[str]) -> bool:
    return not said.by_agent and any(utterance in said.text for utterance in utterances)


def _looked(conversation: Conversation, domain: Domain, goal: Goal) -> bool:
    """Whether a sufficient set of the look-ups that show the rule was made, or a tool refused for it."""
    task = conversation.trajectory.task
    gold = {record.name for record in gold_of(task).log if record.ok and record.kind == "read"}
    needed = _needed(domain, goal, gold)
    if not needed:  # nothing shows it, so that knowing it shows in the words alone
        said, reasons = "\n".join(_words_about(conversation, goal)), _reasons_of(goal)
        return _reason_given(conversation, goal) or mentions_all(reasons, said)
    made = [call.record for call in conversation.calls]
    names = {record.name for record in made if record.ok}
    if all(names & some for some in needed):
        return True
    return any(_refused_by_tool(record, domain, goal) for record in made)


def _needed(domain: Domain, goal: Goal, gold: set[str]) -> list[set[str]]:
    """Sets of tools; of each at least one shows its part of why."""
    identity = {tool.name for tool in domain.identity.found_by} if domain.identity else set()
    rules = [rule for text in _reasons_of(goal) if (rule := rule_of(domain, goal, text)) is not None]
    if not rules:
        left = gold - identity if domain.rules else set[str]()  # without rules nobody says what shows one
        return [left] if left else []
    needed = []
    for rule in rules:
        shown = {tool.name for tool in rule.reads} & gold
        looks = {tool.name for tool in rule.reads if tool.name in gold} if rule.looks else set()
        needed += [{name} for name in looks] if looks else [shown] if shown else []
    return needed


def _refused_by_tool(record: CallRecord, domain: Domain, goal: Goal) -> bool:
    rules = [rule for text in _reasons_of(goal) if (rule := rule_of(domain, goal, text)) is not None]
    return record.error is not None and any(record.error in (rule.name, rule.inside) for rule in rules)


def _reason_given(conversation: Conversation, goal: Goal) -> bool:
    domain = get_domain(conversation.trajectory.task.domain)
    messages = _words_about(conversation, goal)
    return any(gives_reason(messages, _rule_text(domain, goal, text), goal.utterance) for text in _reasons_of(goal))


# --- the rule behind a reason ---


def _reasons_of(goal: Goal) -> list[str]:
    return [text for text in goal.must_communicate if not is_refusal(text)]


def rule_of(domain: Domain, goal: Goal, reason: str) -> Rule | None:
    """The rule that a reason states: by its name, by its words, or by the alternatives that they share."""
    named = Telling.of(reason).rule
    tool = next((each.tool for each in domain.goals if each.name == goal.kind), domain.tools.get(goal.kind))
    about = [rule for rule in domain.rules if tool is None or rule.applies(tool)]
    found = next((rule for rule in domain.rules if rule.name == named), None) if named else None
    if found is not None:
        return found
    forms = set(reason.lower().split("|"))
    shared = [(len(forms & set(rule.why.lower().split("|"))), rule) for rule in about]
    best = max(shared, key=lambda pair: pair[0], default=None)
    return best[1] if best is not None and best[0] else None


def _rule_text(domain: Domain, goal: Goal, reason: str) -> str:
    """All ways to say a reason: the task's, and those of the rule that it states."""
    rule = rule_of(domain, goal, reason)
    return "|".join([reason, *([rule.why, rule.sentence] if rule is not None else [])])
