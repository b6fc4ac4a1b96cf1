"""What a scripted user's traits do to its words; never to its facts, its yes and its no.

Typing errors stay out of names, numbers, ids, keys and words that decide. A reply that answers a proposal is never
broken off, and the next reply is the rest of one that was: whatever the agent has said meanwhile waits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from random import Random

from toolgym.sandbox.kit.message import STOP
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.language.consent import is_no, is_yes
from toolgym.sandbox.language.numbers import NUMBER_WORDS
from toolgym.sandbox.synthesis.value_words import fact_in_words
from toolgym.sandbox.synthesis.world_words import words_of
from toolgym.sandbox.users.traits import Traits

DIGRESSIONS = (
    "By the way, it has been raining here all week.",
    "My neighbour's dog has been barking since six in the morning.",
    "I have just made myself a coffee, it smells lovely.",
    "The garden looks wonderful this time of year.",
    "My sister says hello, she is visiting.",
    "I slept so badly last night.",
    "They are digging up the street outside again.",
    "I have been humming the same tune all day.",
    "My knees tell me that the weather is going to turn.",
    "We had such a nice dinner yesterday.",
    "The kids are home early today.",
    "I should really clean these windows.",
)
"""About nothing that any world holds: no number, no question, no word of consent."""
HURRIES = (
    "I'm in a hurry.",
    "Please be quick.",
    "This is taking long.",
    "Let's speed this up.",
    "I need this over with.",
    "I have been at this for too long.",
    "Faster, please.",
    "Time is short.",
)
HESITATIONS = (
    "Hm, let me think about that for a moment. What would you do, in full?",
    "I'm having second thoughts. Could you tell me once more what you would do?",
    "Hm, one moment, I want to be certain. What is it that you would do?",
)
"""Neither a yes nor a no."""
FURTHER = (
    ("taxi", "One more thing: could you get me a taxi?"),
    ("weather", "And will you tell me tomorrow's weather?"),
    ("pizza", "Could you have a pizza brought to me as well?"),
    ("lottery", "Could you also check the lottery draw for me?"),
    ("crossword", "I'm stuck on a crossword, could you solve it for me?"),
    ("shelf", "Could you send somebody to put up a shelf for me?"),
)
"""What nobody can do, with the thing that a world must not hold."""
_DROPS = ("Never mind that, then.", "All right, forget that one.", "Never mind, it was worth a try.")
_RESUMES = ("Sorry, that went off too early: ", "I wasn't finished: ", "I pressed the wrong key; I meant: ")
_DANGLING = frozenset("the my a an to from of on with for in at by and is".split())
"""Words after which everybody sees that something is missing."""
_SHORT = 4
_DECIDING = frozenset(
    "not don't never nothing none without instead except only also just yes yeah sure correct right exactly please "
    "wait stop actually wrong cancel change hold done okay fine ahead proceed".split()
)
_WORD = re.compile(r"[^\s]+")
_PLAIN = re.compile(r"[a-z]+")
_KEYS = {
    "a": "s", "b": "v", "c": "x", "d": "f", "e": "r", "f": "g", "g": "h", "h": "j", "i": "o", "j": "k", "k": "l",
    "l": "k", "m": "n", "n": "m", "o": "p", "p": "o", "q": "w", "r": "t", "s": "d", "t": "y", "u": "i", "v": "b",
    "w": "e", "x": "c", "y": "u", "z": "x",
}  # fmt: skip
"""The neighbour of a key on a keyboard."""


class Manner:
    """The manner of one user in one conversation.

    Args:
        traits: the numbers.
        task: whose user; its facts stay as they are.
        rng: draws; a source of its own.
    """

    def __init__(self, traits: Traits, task: Task, rng: Random) -> None:
        self._traits, self._rng, self._domain = traits, rng, task.domain
        self._is_plain = not traits.shares()
        self._protected = frozenset[str]() if self._is_plain else protected_words(task)
        self._rest = ""
        self._hesitated = False

    @property
    def is_unfinished(self) -> bool:
        """Whether the last reply was broken off."""
        return bool(self._rest)

    def rest(self) -> str:
        """What the last reply lacked."""
        rest, self._rest = self._rest, ""
        return self._mistyped(self._rng.choice(_RESUMES) + rest)

    def said(self, text: str) -> str:
        """A reply as this user would write it."""
        if self._is_plain:
            return text
        if self._rest:
            return f"{self.rest()} {self._mistyped(text)}"
        if self._draws(self._traits.broken_off):
            text, self._rest = self._broken(text)
        return self._mistyped(text if self._rest else self._remarked(text))

    def hesitates(self) -> bool:
        """Whether it thinks once more before it agrees; never twice in a row."""
        self._hesitated = not self._hesitated and self._draws(self._traits.second_thoughts)
        return self._hesitated

    def hesitation(self) -> str:
        """What it says then."""
        return self._rng.choice(HESITATIONS)

    def further_wish(self) -> str:
        """A wish that nobody can fulfil; empty for a user that has none."""
        if not self._draws(self._traits.unavailable):
            return ""
        world = words_of(self._domain)
        return self._rng.choice([says for thing, says in FURTHER if not world.is_thing(thing)])

    def drop(self) -> str:
        """What it says of that wish, whatever the agent has answered."""
        return self._rng.choice(_DROPS)

    def _draws(self, share: float) -> bool:
        return share > 0 and self._rng.random() < share

    def _remarked(self, text: str) -> str:
        remarks = [
            self._rng.choice(said)
            for share, said in ((self._traits.impatience, HURRIES), (self._traits.digression, DIGRESSIONS))
            if self._draws(share)
        ]
        return text if STOP in text else " ".join([text, *remarks])

    def _broken(self, text: str) -> tuple[str, str]:
        """A reply up to where it is obviously unfinished, and the rest; the whole where there is no such place."""
        words = text.split(" ")
        if STOP in text or is_yes(text) or is_no(text):
            return text, ""
        places = [
            place
            for place in range(2, len(words))
            if words[place - 1] in _DANGLING and not _DECIDING & set(map(_bare, words[:place]))
        ]
        if not places:
            return text, ""
        place = self._rng.choice(places)
        return " ".join(words[:place]), " ".join(words[place:])

    def _mistyped(self, text: str) -> str:
        return _WORD.sub(lambda match: self._typed(match.group()), text)

    def _typed(self, word: str) -> str:
        """A word, perhaps with a typing error."""
        plain = word.rstrip(".,;:!?")
        if not is_typable(plain, self._protected):
            return word
        return _with_error(plain, self._rng) + word[len(plain) :] if self._draws(self._traits.typos) else word


def is_typable(word: str, protected: frozenset[str]) -> bool:
    """Whether a word in lower case may have a typing error."""
    return len(word) >= _SHORT and _PLAIN.fullmatch(word) is not None and word not in protected


def protected_words(task: Task) -> frozenset[str]:
    """The words that name something or decide something."""
    facts = [*task.facts, *(fact for goal in task.every_goal() for fact in goal.facts)]
    told = " ".join(f"{fact.words} {fact_in_words(fact.value)}" for fact in facts)
    return frozenset(map(_bare, told.split())) | _DECIDING | NUMBER_WORDS


def _bare(word: str) -> str:
    return word.lower().strip(".,;:!?()\"'")


def _with_error(word: str, rng: Random) -> str:
    """A word with two letters swapped, one left out, doubled, or the key beside it; the first letter stays."""
    place = rng.randrange(1, len(word) - 1)
    letter, following = word[place], word[place + 1]
    forms: Sequence[str] = (following + letter, following, letter * 2 + following, _KEYS[letter] + following)
    made = [word[:place] + form + word[place + 2 :] for form in forms]
    return rng.choice([form for form in made if form != word and form not in _DECIDING])


def remarks() -> Iterable[str]:
    """All that a trait may add to a reply."""
    return (*DIGRESSIONS, *HURRIES, *HESITATIONS, *(says for _, says in FURTHER), *_DROPS, *_RESUMES)
