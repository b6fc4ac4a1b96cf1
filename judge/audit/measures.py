"""What one conversation says of its user, as parts of ratios that add up over conversations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from toolgym.judge.audit.facts import Facts
from toolgym.judge.audit.group import Reply, replies
from toolgym.judge.audit.style import features
from toolgym.judge.evaluation.summary import Judged
from toolgym.judge.scoring.verifier import Basis
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.language.consent import is_no, is_yes
from toolgym.sandbox.language.dialogue_acts import parse_act
from toolgym.sandbox.users.fact_extraction import is_prose
from toolgym.sandbox.users.reply_consent import ConsentCheck
from toolgym.sandbox.users.reply_validation import ReplyCheck

Ratio = tuple[float, float]
"""What is counted, and of how much."""
MEASURES: Mapping[str, str] = {
    "passed": "conversations that end as the task wants",
    "clean": "those in which no rule was broken on the way (toolgym's own clean pass)",
    "turns": "messages of the user in a conversation",
    "words a turn": "words in a message",
    "facts told": "of what the user knows, the share told in the end",
    "facts at once": "of what the user knows, the share told in the first message",
    "facts a turn": "facts told in a message, up to the one that tells the last",
    "turns until told": "the message, counted from 1, that tells the last",
    "asks back": "messages with a question, of those that answer the agent",
    "wrong proposals": "proposals that contradict every wish of the user, in a conversation",
    "wrong yeses": "of those, the share that was agreed to",
    "wrong noes": "messages that turn down just what the user wants",
    "pushback": "of those and of refusals, the share answered by a no, a question or by insisting",
    "inventions": "messages with an id, amount, address or name that the user cannot know",
    "given away": "messages that tell what is told only when asked, though nobody asked",
    "left early": "conversations that the user ends while something is open",
}
"""What is measured, with its meaning."""


@dataclass(frozen=True)
class Measured:
    """One conversation of a group.

    Attributes:
        task: its task's id.
        passed: whether it ended as wanted.
        ratios: each measure's parts; measures that say nothing of it have the parts 0 and 0.
        style: the features of the user's words.
        texts: what the user said.
    """

    task: str
    passed: bool
    ratios: Mapping[str, Ratio]
    style: Mapping[str, float]
    texts: tuple[str, ...]


def measured(judged: Judged, basis: Basis = "state") -> Measured:
    """Measure the user of a conversation."""
    talk, verdict = judged
    said = list(replies(talk))
    texts = tuple(reply.text for reply in said)
    passed = verdict.passed(basis)
    ratios: dict[str, Ratio] = {
        "passed": (float(passed), 1),
        "clean": (float(passed and not verdict.violations), 1),
        "turns": (len(said), 1),
        "words a turn": (sum(len(reply.words.split()) for reply in said), len(texts)),
        "asks back": (sum("?" in text for text in texts[1:]), len(texts) - 1),
        **_told(Facts(talk.task), texts),
        **_reactions(ConsentCheck(talk.task), said),
        **_faults(talk.task, said),
    }
    return Measured(talk.task.id, passed, ratios, features(texts), texts)


def _told(facts: Facts, texts: tuple[str, ...]) -> dict[str, Ratio]:
    known, places = len(facts.facts), facts.told(texts)
    last = max(places, default=-1) + 1
    return {
        "facts told": (len(places), known),
        "facts at once": (places.count(0), known),
        "facts a turn": (len(places), last),
        "turns until told": (last, float(bool(places))),
    }


def _reactions(consent: ConsentCheck, said: list[Reply]) -> dict[str, Ratio]:
    """What the user does when the agent is wrong, or refuses."""
    wrong = refused = yeses = pushed = 0
    for reply in said:
        if not reply.answered:
            continue
        heard = parse_act(reply.answered)
        unwanted = bool(heard.proposal) and bool(consent.unwanted(heard))
        wrong += unwanted
        refused += heard.refuses and not unwanted
        yeses += unwanted and bool(consent.contradicted(reply.text, heard))
        pushed += (unwanted or heard.refuses) and _pushes_back(reply.words)
    told: dict[str, Ratio] = {"wrong proposals": (wrong, int(not consent.is_blind)), "wrong yeses": (yeses, wrong)}
    return told | {"pushback": (pushed, wrong + refused)}


def _pushes_back(text: str) -> bool:
    return not is_yes(text) and (is_no(text) or "?" in text or features([text])["pushes back"] > 0)


def _faults(task: Task, said: list[Reply]) -> dict[str, Ratio]:
    check = ReplyCheck(task)
    found: Counter[str] = Counter()
    for reply in said:
        found.update({problem.fault for problem in check.problems(reply.text, reply.view)})
    return {
        "wrong noes": (found["wrong_no"], 0 if is_prose(task) else len(said)),
        "inventions": (found["invented"], len(said)),
        "given away": (found["gave_away"], 0 if is_prose(task) else len(said)),
        "left early": (min(found["left_early"], 1), 1),
    }
