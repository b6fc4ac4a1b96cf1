"""The consistency check of a simulated user's reply: what a customer in this situation could not have written.

Programmatic and conservative: each rule names evidence in the reply. Made for language models that play the user; the
scripted user, whose own comparison finds the wrong yeses, cannot make these mistakes. Whether the agent did well is not
judged here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from toolgym.sandbox.kit.message import STOP, Message, ToolCall
from toolgym.sandbox.kit.task import Goal, Task
from toolgym.sandbox.language.consent import is_yes, objects
from toolgym.sandbox.language.dialogue_acts import AgentAct, parse_act
from toolgym.sandbox.runtime.approval import Approval, Shown
from toolgym.sandbox.synthesis.value_words import fact_in_words
from toolgym.sandbox.synthesis.world_words import words_of
from toolgym.sandbox.users.reply_consent import ConsentCheck
from toolgym.sandbox.users.reply_disclosure import DisclosureCheck
from toolgym.sandbox.users.reply_words import plain, telling
from toolgym.sandbox.users.settlement import SettlementCheck

Fault = Literal[
    "unreadable",
    "invented",
    "left_early",
    "speaks_as_agent",
    "wrong_yes",
    "wrong_no",
    "gave_away",
    "denies_itself",
    "stayed",
    "repeats",
    "narrates",
    "cut_off",
]
PARTING: frozenset[str] = frozenset(("stayed", "repeats"))
"""Faults with which a user has come to its end: what stays so is sent with the stop token."""
_OFTEN = 2
"""How often a message may have been said before, word for word."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with a reply.

    Attributes:
        fault: the sort of mistake.
        evidence: the words that show it.
        advice: a sentence for whoever wrote the reply.
    """

    fault: Fault
    evidence: str
    advice: str


CUT_OFF = Problem("cut_off", "its limit of tokens", "Your reply was cut off; one or two short sentences are enough.")


class ReplyCheck:
    """Checks one user's replies.

    Args:
        task: whose user; what its scenario, facts and goals hold is known.
    """

    def __init__(self, task: Task) -> None:
        self._goals = () if any(fact.name == "known_info" for fact in task.facts) else task.goals
        self._deeds = _deeds(task)
        self._known = plain("\n".join(_user_facts(task)))
        names = (fact_in_words(fact.value) for fact in task.facts if fact.name == "name")
        self._own_names = [plain(name) for name in names if " " in name]
        self._consent = ConsentCheck(task)
        self._disclosure = DisclosureCheck(task)
        self._settlement = SettlementCheck(task)

    def problems(self, reply: str, conversation: Sequence[Message]) -> list[Problem]:
        """What is wrong with a reply to a conversation as the user sees it; empty when nothing is.

        Args:
            reply: the text, with or without the stop token.
            conversation: the messages so far, the user's own tool results included.
        """
        said = reply.replace(STOP, " ").strip()
        answers = [message.content for message in conversation if message.role == "assistant" and message.content]
        heard = parse_act(answers[-1]) if answers else None
        found = [*self._invented(said, conversation), *_as_agent(said, self._deeds), *self._agreed(reply, heard)]
        found += self._denied(said, heard)
        found += map(_given_away, self._disclosure.given_away(said, heard, conversation))
        if STOP in reply:
            found += self._leaving(said, conversation)
        elif self._is_repeated(said, conversation):
            found.append(_REPEATS)
        elif is_farewell(said, heard) and not any(self._leaving(said, conversation)):
            found.append(_STAYED)
        return found

    def of_approval(self, answer: Approval, call: ToolCall, shown: Shown, *, again: bool) -> list[Problem]:
        """What is wrong with the answer to a call that is shown.

        Args:
            answer: the yes or no; a no that asks something first is none.
            call: the call.
            shown: what the user saw of it.
            again: the same has been approved before.
        """
        is_open = again or "?" in answer.sentence
        if (not answer.approved and is_open) or not self._consent.misjudged(call, shown, approved=answer.approved):
            return []
        if answer.approved:
            advice = f"You approved {call.name}, which is not what you want; decline it and say what is wrong."
            return [Problem("wrong_yes", call.name, advice)]
        return [Problem("wrong_no", call.name, f"You declined {call.name}, which is just what you want; approve it.")]

    @staticmethod
    def _is_repeated(reply: str, conversation: Sequence[Message]) -> bool:
        before = [message.content for message in conversation if message.role == "user"]
        return before.count(reply) >= _OFTEN

    def _agreed(self, reply: str, heard: AgentAct | None) -> Iterator[Problem]:
        words = self._consent.contradicted(reply, heard) if heard is not None else ""
        if words:
            yield Problem(
                "wrong_yes", words, f"You agreed to {words!r}, which is not what you want; say what is wrong."
            )
        elif heard is not None and self._consent.declined(reply, heard):
            yield Problem("wrong_no", heard.proposal, "You declined just what you want; say yes to it.")

    def _denied(self, reply: str, heard: AgentAct | None) -> Iterator[Problem]:
        """A no to the question whether the user is who it is."""
        asked = plain(heard.asked) if heard is not None and not heard.proposal else ""
        is_open = "?" in reply or is_yes(reply) or any(map(str.isdigit, reply))
        for name in self._own_names if asked and objects(reply) and not is_open else ():
            if name in asked:
                yield Problem("denies_itself", name, f"You are {name}, so do not deny it.")

    def _invented(self, reply: str, conversation: Sequence[Message]) -> Iterator[Problem]:
        """What nobody but this user has said first: an invention that went out does not count as known."""
        for token in dict.fromkeys(_tokens(reply)):
            if not self._is_known(rf"(?<![a-z0-9]){re.escape(plain(token))}(?![a-z0-9])", conversation):
                yield _unknown(token)
        known = [plain(message.content or "") for message in conversation if message.role != "user"]
        amounts = set(_amounts("\n".join([self._known, *known]), loose=True))
        for amount in dict.fromkeys(_amounts(plain(reply))):
            if amount not in amounts:
                yield _unknown(f"${amount:g}")
        for name in dict.fromkeys(_names(reply)):
            if not all(word in self._known or any(word in each for each in known) for word in plain(name).split()):
                yield _unknown(name)

    def _is_known(self, pattern: str, conversation: Sequence[Message]) -> bool:
        """Whether something stands in the user's situation, or was said by another before the user said it."""
        first = next((each for each in conversation if re.search(pattern, plain(each.content or ""))), None)
        return re.search(pattern, self._known) is not None or (first is not None and first.role != "user")

    def _leaving(self, reply: str, conversation: Sequence[Message]) -> Iterator[Problem]:
        """Whether it is too early to leave."""
        answers = [message.content or "" for message in conversation if message.role == "assistant"]
        if not answers:
            yield _early("the agent has not said anything yet", "Stay until the agent has dealt with your wish.")
            return
        heard = parse_act(answers[-1])
        if heard.proposal and _YES.search(reply) and not _NO.search(reply):
            yield _early("agreed and left in one message", "Say yes without the stop token, and wait until it is done.")
        elif open_end := self._settlement.left_open(reply, answers):
            yield _early(open_end, f"{open_end[0].upper()}{open_end[1:]}.")
        own = plain("\n".join([reply, *(message.content or "" for message in conversation if message.role == "user")]))
        for goal in self._goals:
            if not _raised(goal, own):
                yield _early(f"never mentioned: {goal.utterance}", f"You have not asked for this yet: {goal.utterance}")


# --- what is known ---


def _user_facts(task: Task) -> Iterator[str]:
    yield task.scenario
    yield task.persona
    for fact in task.facts:
        yield f"{fact.value} {fact_in_words(fact.value)}"
    for goal in task.every_goal():
        yield goal.utterance
        for fact in goal.facts:
            yield f"{fact.value} {fact_in_words(fact.value)}"


# --- what a reply claims ---

_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_IDS = (
    re.compile(r"(?<![\w.])#?[A-Z]{1,5}-?\d+\b(?!\.\d)"),
    re.compile(r"\b[a-z]+(?:_[a-z0-9]+)*_\d{2,}\b"),
    re.compile(r"(?<![\w.$€£-])\d{3}[- ]\d{3}[- ]\d{4}\b"),
    re.compile(r"(?<![\w.$€£,-])(?!(?:19|20)\d\d\b)\d{4,}\b(?![.,]\d)"),
)
_MONEY = re.compile(r"[$€£]\s?(\d+(?:\.\d+)?)|\b(\d+(?:\.\d+)?)\s?(?:dollars|usd|euros?|pounds)\b")
_NUMBER = re.compile(r"(\d+(?:\.\d+)?)")
_PROPER = r"[A-ZÀ-Þ][a-zà-ÿ][\wà-ÿ'-]*"
_INTRODUCTIONS = (
    re.compile(
        rf"\b(?:[Mm]y (?:full |last |first )?name(?: is|'s)|[Nn]ame's|I am called)\s+({_PROPER}(?: {_PROPER})*)"
    ),
    re.compile(rf"\b(?:I'm|I am|[Tt]his is)\s+({_PROPER} {_PROPER})"),
    re.compile(
        r"\b(?:friend|wife|husband|partner|brother|sister|son|daughter|mother|father|mom|dad|colleague|named|called|"
        rf"name of|behalf of|under|Mrs?\.?|Ms\.?|Dr\.?),?\s+({_PROPER}(?: {_PROPER})?)"
    ),
)
"""Where a customer gives a name, their own or another person's. Other capitalised words are too often no names."""


def _tokens(reply: str) -> Iterator[str]:
    """E-mail addresses, ids, codes and long numbers."""
    rest = reply
    for pattern in (_EMAIL, *_IDS):
        yield from (match.strip("#") for match in pattern.findall(rest))
        rest = pattern.sub(" ", rest)


def _amounts(text: str, *, loose: bool = False) -> Iterator[float]:
    """Amounts of money; loose takes every number."""
    for match in (_NUMBER if loose else _MONEY).finditer(text):
        yield float(next(group for group in match.groups() if group))


def _names(reply: str) -> Iterator[str]:
    """Names of persons that the user gives."""
    for pattern in _INTRODUCTIONS:
        yield from pattern.findall(reply)


def _given_away(name: str) -> Problem:
    return Problem("gave_away", name, f"Nobody has asked for the {name} yet; tell it only when you are asked.")


def _unknown(token: str) -> Problem:
    return Problem("invented", token, f"{token!r} is neither in your situation nor in the conversation; do not invent.")


# --- leaving, and whose part is played ---

_YES = re.compile(r"\b(?:yes|yeah|yep|sure|go ahead|please do|confirm(?:ed)?|sounds good)\b", re.IGNORECASE)
_NO = re.compile(r"\b(?:no|not|don't|nothing|never ?mind)\b", re.IGNORECASE)
_AGENT_WORDS = re.compile(
    r"\b(?:how (?:can|may) i (?:help|assist)|(?:can|may) i (?:help|assist) you|happy to (?:help|assist) you|"
    r"anything else (?:that )?i can (?:help|assist|do for you)|"
    r"i(?:'ll| will| can) (?:now )?(?:look up|look into|check) your|"
    r"i(?:'ve| have) (?:now |successfully )?(?:cancel+ed|processed|updated|modified|exchanged|booked|reserved|"
    r"released|"
    r"refunded|transferred|located|found) your|your (?:\w+ ){1,2}has "
    r"(?:now |successfully )*been (?:cancel+ed|processed|updated|changed|issued|booked|completed|submitted|placed|"
    r"sent)|"
    r"(?:please|you) (?:provide|give|tell|share)(?: me)?(?: with)? your (?:full |first |last )?(?:name|e-?mail|zip|"
    r"user|\w+ (?:id|number)|account|phone|date)|thank(?:s| you) for (?:contacting|calling|reaching out)|as an ai\b|"
    r"language model|can(?:'t|not) (?:assist|help) (?:you )?with (?:that|this)|"
    r"from (?:your|our|the) customer (?:service|support)|"
    r"i(?:'m| am) (?:just )?(?:an? )?(?:ai|virtual|digital)? ?(?:assistant|customer service|support) ?(?:agent|"
    r"representative)?\b)",
    re.IGNORECASE,
)
_NARRATION = re.compile(
    r"^\s*\[|\b(?:i|the customer|the user) (?:inform|tell|ask)s? the agent\b|"
    r"\bthe agent (?:informs|asks|proposes|offers)\b|\b(?:as|i am|i'm) the (?:user|customer)\b|"
    r"\bmy (?:next )?(?:message|reply|response) (?:should|must|will)\b",
    re.I,
)
"""Stage directions and thoughts instead of words."""
_LABEL = re.compile(r"^\s*\W*(?:agent|assistant|representative|system)\W*:", re.IGNORECASE | re.MULTILINE)


def _deeds(task: Task) -> re.Pattern[str]:
    """What a customer wants done and cannot do, promised to somebody: "I will activate the card now"."""
    verbs = {verb for goal in task.every_goal() for verb in words_of(task.domain).verbs(goal.kind) if verb.isalpha()}
    promise = r"\bi(?:'ll| will|'m going to| am going to) (?:now )?"
    return re.compile(rf"{promise}(?:{'|'.join(sorted(verbs)) or '$'})\b[^.?!,]*\b(?:now|for you|right away)\b(?! on)")


def _as_agent(reply: str, deeds: re.Pattern[str]) -> Iterator[Problem]:
    found = _LABEL.search(reply) or _AGENT_WORDS.search(reply) or deeds.search(plain(reply))
    if _NARRATION.search(reply):
        yield Problem(
            "narrates", reply[:40], "Write only the words that you say to the agent, without describing them."
        )
    if found:
        words = found.group().strip()
        yield Problem("speaks_as_agent", words, f"{words!r} is what the agent would say; you are the customer.")


def _raised(goal: Goal, own: str) -> bool:
    """Whether the user has brought up a wish: one of its ids, or a third of its telling words (people paraphrase)."""
    ids = {fact.value for fact in goal.facts if isinstance(fact.value, str) and any(map(str.isdigit, fact.value))}
    if any(plain(token).strip("#") in own for token in (*ids, *_tokens(goal.utterance))):
        return True
    words = telling(goal.utterance)
    said = set(telling(own))
    return not words or sum(word in said for word in words) * 3 >= len(words)


_FAREWELL = re.compile(
    r"\b(?:good ?bye|bye|i(?:'ll| will) be leaving|leaving now|that(?:'s| is| will be) all(?! right)|"
    r"nothing else(?! can)|that was (?:all|everything)|no,? thank(?:s| you)|(?:have|enjoy) (?:a|your) (?:\w+ )?day)\b"
)
_REPEATS = Problem(
    "repeats", "the same again", f"You have said just that before; say something else, or end with {STOP}."
)
_STAYED = Problem("stayed", "a farewell", f"You want nothing more, so close the conversation: end with {STOP}.")


def is_farewell(reply: str, heard: AgentAct | None) -> bool:
    """Whether a user takes leave after the agent has asked whether there is anything else."""
    return heard is not None and heard.more and "?" not in reply and _FAREWELL.search(plain(reply)) is not None


def _early(evidence: str, advice: str) -> Problem:
    return Problem("left_early", evidence, f"{advice} The stop token ends the conversation at once.")


def feedback(problems: Iterable[Problem]) -> str:
    """What whoever wrote a reply is told about it."""
    return " ".join(dict.fromkeys(problem.advice for problem in problems))
