"""Whether an agent's sentences say that something has been done; after a yes nearly everything that is told does.

A message is read in the order of its sentences: what failed, what is still to come and what is asked are no reports,
a participle or a new state is one. Words decide little alone; whether a yes came before decides with them. What each
sentence tells is learnt (`senses`), from sentences in which the words of the wish and of other wishes are marked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from toolgym.sandbox.language.senses import Sense, has, likeliest

_NONE: frozenset[str] = frozenset()
TELLINGS: tuple[Sense, ...] = (
    "tells_done", "tells_failed", "tells_coming", "tells_seems", "tells_said", "tells_nothing",
)  # fmt: skip
OWN, OTHER, NOUN = "xdone", "xother", "xnoun"
"""What stands for a past form of the wish's verbs, for one of another action, and for what its action is called."""
_DETAIL = re.compile(r"\b(?:your|which|what|codes?|pin)\b[^?]*\?")
"""What is asked that is still needed, unlike "Where is the trip going?"."""
_FURTHER = re.compile(r"\b(?:next|do for you|help|assist)\b")
"""What asks for another wish."""
_SHORT_REPORT = re.compile(
    r"^\W*(?:all )?(?:(?:the |your )?(?!not\b|no\b|un)[a-z]+ )?(?!need|fail|reject|declin|refus|agree|delay|noted)"
    r"[a-z]+ed(?: successfully| now| for you)?\W*$"
)


def is_short_report(text: str) -> bool:
    """Whether a text in lower case is a thing and a participle, as agents put it: "Payment scheduled."."""
    return _SHORT_REPORT.match(text) is not None


def is_report(
    sentences: Sequence[tuple[str, str]],
    done: frozenset[str],
    others: frozenset[str],
    nouns: frozenset[str] = _NONE,
    *,
    confirmed: bool,
) -> bool:
    """Whether sentences say that something has been done.

    Args:
        sentences: in lower case and in order, each with what it does, as dialogue acts name it.
        done: past forms of the verbs for it, such as "cancelled".
        others: past forms of the verbs for other actions.
        nouns: what it is called, such as "cancellation".
        confirmed: it was agreed to, so that general words and new states speak of it as well.
    """
    if not confirmed:
        return any(_says_done(text, done) for text, act in sentences if act != "ask" and not _asks(text, act))
    if _is_at_work(sentences, done) or any(act == "refuse" and has("turned_down", text) for text, act in sentences[1:]):
        return False
    told = _told(sentences, done, others, nouns)
    decisive = next((each for each in told if each in ("tells_done", "tells_failed")), "")
    asking = [text for text, act in sentences if act == "ask" and _DETAIL.search(text)]
    if asking and not all(_FURTHER.search(text) for text in asking):
        return decisive == "tells_done" and any(_says_done(text, done) for text, act in sentences if act != "ask")
    if decisive:
        return decisive == "tells_done"
    # whatever is told after a yes tells that it has been done, unless something is still to come
    return (
        "tells_coming" not in told[: told.index("tells_seems")]
        if "tells_seems" in told
        else "tells_said" in told and "tells_coming" not in told
    )


def settles(
    sentences: Sequence[tuple[str, str]],
    done: frozenset[str],
    others: frozenset[str],
    nouns: frozenset[str] = _NONE,
    *,
    whole: bool = False,
) -> bool:
    """Whether sentences say in so many words that what was nearly agreed to has been done; see `is_report`.

    Args:
        sentences, done, others, nouns: as there.
        whole: all of it was asked back, so that other words for what is so now do.
    """
    told = _told([each for each in sentences if each[1] != "ask"], done, others, nouns)
    if _is_at_work(sentences, done) or {"tells_failed", "tells_coming"} & set(told):
        return False
    return (
        is_report(sentences, done, others, nouns, confirmed=True)
        if whole
        else "tells_done" in told or "tells_seems" in told
    )


def _is_at_work(sentences: Sequence[tuple[str, str]], done: frozenset[str]) -> bool:
    """Whether the speaker tells of work in hand, and not after it that it is done."""
    working = max((place for place, (text, _) in enumerate(sentences) if has("at_work", text)), default=-1)
    return working >= 0 and not any(_says_done(text, done) for text, _ in sentences[working + 1 :])


def _asks(text: str, act: str) -> bool:
    """Whether a sentence wants an answer; a request may tell something besides: "Sent, please allow two days"."""
    return act in ("agree", "more") or (act == "ask" and "?" in text)


def _told(
    sentences: Sequence[tuple[str, str]], done: frozenset[str], others: frozenset[str], nouns: frozenset[str]
) -> list[Sense]:
    """What each of the sentences that ask nothing tells."""
    found: list[Sense] = []
    for text, act in sentences:
        if _asks(text, act) or text.endswith(":"):
            continue
        tells = _telling(text, done, others, nouns)
        if act == "ask" and tells != "tells_done":
            continue
        is_refused = act == "refuse" and tells in ("tells_seems", "tells_said")
        found.append("tells_failed" if is_refused else tells)
    return found


def _telling(text: str, done: frozenset[str], others: frozenset[str], nouns: frozenset[str]) -> Sense:
    """What one sentence tells after a yes."""
    return likeliest(TELLINGS, marked(text, done, others, nouns))


def _says_done(text: str, done: frozenset[str]) -> bool:
    return has("tells_surely", marked(text, done, _NONE, _NONE))


def marked(text: str, done: frozenset[str], others: frozenset[str], nouns: frozenset[str]) -> str:
    """A sentence in which what the wish and other wishes are called is marked: "your order has been xdone"."""
    for words, mark in ((done, OWN), (others - done, OTHER), (nouns, NOUN)):
        text = _any_of(words).sub(mark, text) if words else text
    return text


@lru_cache(maxsize=1024)
def _any_of(words: frozenset[str]) -> re.Pattern[str]:
    parts = sorted((re.escape(each).replace(r"\ ", r"(?: \w+){0,3} ") for each in words), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(parts)})\b")
