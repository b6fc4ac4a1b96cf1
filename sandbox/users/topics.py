"""What an agent asks for, where facts have no kinds: who somebody is in English, the rest by the world's words."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from toolgym.sandbox.kit.vocabulary import Topic
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.users.asking_words import WHY

_PERSON = (
    Topic(
        "email",
        r"e-?mails?(?: address)?|(?<!shipping )mail address",
        "my e-mail",
        ("My e-mail is {}.", "You can find me under {}."),
    ),
    Topic(
        "user_id",
        r"(?:user|account|customer|member|profile|client)(?:'s)?[ -]?(?:id|number|name)s?\b|username|"
        r"\bid\b(?= and| or|\?|$)",
        "my user id",
        ("My user id is {}.",),
    ),
    Topic(
        "phone_number",
        r"(?:tele)?phone number|(?<!is your )(?<!does your )(?<!with your )"
        r"(?<!start the )(?<!boot the )(?<!on the )(?<!on your )(?<!of your )"
        r"(?:tele)?phone\b(?! is|'s| on| off| being| shows?\b| says?\b| displays?\b)|"
        r"mobile(?: number\b|\b(?! (?:data|network|app|plan)))|(?:your|own|contact|callback) number|\bcell(?:phone)?\b",
        "my phone number",
    ),
    Topic(
        "date_of_birth",
        r"dates? of birth|birth ?da(?:y|te)s?|\bdob\b|(?:were you|you were) born|your age|how old",
        "my date of birth",
    ),
    Topic("zip", r"zip(?: ?code)?|postal code|postcode", "my zip code", ("My zip code is {}.", "The zip code is {}.")),
    Topic(
        "name",
        r"(?:first|last|full|your)(?: and last)? names?|surname|\bnames?\b(?! of)|whom? (?:am i|do i have|i'm|i am)|"
        r"who(?:'s| is) (?:this|calling|there|speaking|asking|writing|chatting|contacting us)|"
        r"(?:^|[.!?,] ?)and you are\?|"
        r"whom? i(?:'m| am) (?:speaking|talking|chatting|dealing)|"
        r"whom? .{0,24}\b(?:speaking|talking|chatting) (?:to|with)|"
        r"who (?:you are|are you)|call you|account holder|"
        r"whose (?:account|profile)\b|whose \w+ (?:am i|are we|is this|are you)\b",
        "the name",
        ("My name is {}.", "I'm {}.", "The name is {}."),
        ("name", "first_name", "last_name"),
    ),
)
_PLAIN = (
    Topic(
        "reason",
        WHY,
        "the reason",
        ("{}.",),
        is_preference=True,
    ),
    Topic(
        "address",
        r"address(?:es)?|street|where (?:should|shall|do|would|to)|(?:ship|deliver|send|mail)(?:ed)? (?:it |"
        r"them )?(?:to )?where",
        "the address",
        ("The address is {}.", "It should be {}."),
    ),
    Topic("first_name", says=("My first name is {}.",)),
    Topic("last_name", says=("My last name is {}.",)),
)
IDENTITY = tuple(topic.name for topic in _PERSON)
"""Topics that say who the user is."""


class Topics:
    """What can be asked for in one world.

    Args:
        domain: an installed world's name.
    """

    def __init__(self, domain: str) -> None:
        self.by_name = {topic.name: topic for topic in (*_PERSON, *get_domain(domain).vocabulary.topics, *_PLAIN)}
        self.of_fact: dict[str, list[Topic]] = {}
        for topic in self.by_name.values():
            for fact in topic.facts or (topic.name,):
                self.of_fact.setdefault(fact, []).append(topic)
        self._asked = {topic.name: re.compile(topic.asked) for topic in self.by_name.values() if topic.asked}
        loosely = {name: topic.loosely for name, topic in self.by_name.items() if topic.loosely}
        self._loosely = {name: re.compile(pattern) for name, pattern in loosely.items()}

    def says_how(self, fact: str) -> bool:
        """Whether the world says in what words a fact is asked for."""
        return any(topic.asked for topic in self.of_fact.get(fact, ()))

    def in_text(self, asked: str) -> tuple[str, ...]:
        """The topics that a request asks for, from left to right and without overlaps."""
        found, end = dict[str, None](), 0
        while nexts := [(match, name) for name, ways in self._asked.items() if (match := ways.search(asked, end))]:
            first, name = min(nexts, key=lambda each: each[0].start())
            found[name], end = None, first.end() + (first.start() == first.end())
        return tuple(found)


@cache
def topics_of(domain: str) -> Topics:
    """What can be asked for in an installed world."""
    return Topics(domain)


_WHO_ONE_IS = re.compile(
    r"\byour (?:[a-z]+,? ){0,5}(?:date of birth|birth ?date)\b|"
    r"\byour (?:(?:full|first|last|own|complete|user|account|customer|member|phone|e-?mail) )*"
    r"(?:and (?:last|first) )?(?:names?|ids?|e-?mail(?: address)?)\b(?! of)|"
    r"\bthe (?:names?|e-?mail(?: address)?) (?:on|of|for|in) your (?:account|profile)\b"
)


@lru_cache(maxsize=1024)
def of_the_wish(asked: str) -> str:
    """A request without what only asks who the user is, such as "your full name" or "your user id"."""
    return _WHO_ONE_IS.sub(" ", asked)


_WHO = (
    "verify",
    "identi",
    "authenticat",
    "who you are",
    "verification",
    "pull up your",
    "find your account",
    "your account?",
)


def asks_who(asked: str) -> bool:
    """Whether a request is to say who one is, in whatever way."""
    return any(word in asked for word in _WHO)
