"""What a user says to a question that no fact of its wish answers: one fact of the sort at most, none for vagueness."""

from __future__ import annotations

import re
from collections.abc import Callable

from toolgym.sandbox.language.nlg_templates import Act, is_act
from toolgym.sandbox.users.asking import (
    asks_for_wish,
    asks_meaning,
    asks_memory,
    asks_more_of_it,
    asks_scope,
    asks_wants,
    between_two,
    how_many_asked,
    is_offer,
    is_vague,
    is_yes_or_no,
    parts_of,
    prefers,
    thing_asked,
    without_purpose,
)

Word = Callable[[Act, str], str]
Guess = Callable[[], list[str]]

_ABOUT = re.compile(r"\b(?:know|hear|ask|asking|speaking|talking|wondering) (?:more )?about\b")
"""What asks for the subject of the wish, which its own words tell."""

_EITHER_WAY = re.compile(
    r"\W*(?:\d[.)] )?(?!(?:is|are|was|were|am|did|do|does|have|has|had|will|can|could|what|which|who|how|why|when|"
    r"where)\b)"
    r"[a-z-]+(?: [a-z-]+)? or (?!not\b|no\b)[a-z-]+(?: [a-z-]+)?\?\W*$"
)
"""Two ways of a few words, of which the wish names neither: "Alphabetically or by number?"."""
_WORD = re.compile(r"[a-z'-]+")
_ANY = re.compile(
    r"\bany (?:particular|specific|certain|special|preferred|preference)\b|"
    r"\b(?:have|got)\b[^?]*\b(?:some|any)(?:thing|one|body|where)\b[^?]* in mind\b"
)


def reply_to(asked: str, wish: str, word: Word, guess: Guess | None) -> tuple[list[str], bool]:
    """The sentences of a reply, and whether a fact is among them; several questions have an answer each.

    Args:
        asked: the question, in lower case.
        wish: the wish's own words.
        word: words for an act, about something.
        guess: finds one plain fact that has not been told; None for a user that has told one so before.
    """
    asked = without_purpose(asked)
    said: list[str] = []
    guessed = False
    for question in (part for part in parts_of(asked) if not is_vague(part)):
        reply, is_guess = _reply_to_one(question, wish, word, None if guessed else guess)
        guessed = guessed or is_guess
        tells = is_guess or not (wish in reply or is_act(reply[0], "unsure"))
        said += reply if tells and not set(reply) & set(said) else []
    return (said, guessed) if said else _reply_to_one(asked, wish, word, guess)


def _reply_to_one(asked: str, wish: str, word: Word, guess: Guess | None) -> tuple[list[str], bool]:
    again = [word("again", ""), wish]
    if asks_for_wish(asked) or asks_meaning(asked):
        return again, False
    if asks_more_of_it(asked):
        return [word("only", "")], False
    if asks_scope(asked):
        return again, False
    if _ANY.search(asked):
        return [word("no_preference", "that")], False
    if is_vague(asked):
        return [word("which", "")], False
    if _EITHER_WAY.match(asked) and not set(_WORD.findall(asked)) & set(_WORD.findall(wish.lower())) - {"by", "or"}:
        return [word("no_preference", "that")], False
    if is_offer(asked) and not between_two(asked):
        return [word("no_offer", ""), wish], False
    is_plain = is_yes_or_no(asked) and " or " not in asked  # whoever is asked for a yes or a no tells nothing else
    may_guess = guess is not None and not (asks_memory(asked) or is_plain)
    if guess is not None and may_guess and (plain := guess()):
        return plain, True
    if asks_wants(asked):
        is_open = prefers(asked) and (may_guess or between_two(asked)) and not _ABOUT.search(asked)
        return ([word("no_preference", "that")] if is_open else again), False
    thing = thing_asked(asked)
    if how_many_asked(asked) > 1 or (thing and set(thing.split()[1:]) <= set(_WORD.findall(wish.lower()))):
        return again, False
    return [word("unknown", thing) if thing else word("unsure", "")], False
