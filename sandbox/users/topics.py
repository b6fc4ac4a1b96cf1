"""What an agent asks for, where facts have no kinds: who somebody is in English, the rest by the world's words."""

from __future__ import annotations

import re
from functools import cache

from sandbox.kit.vocabulary import Topic
from sandbox.runtime.registry import get_domain

_PERSON = (
    Topic("email", r"e-?mail(?: address)?", "my e-mail", ("My e-mail is {}.", "You can find me under {}.")),
    Topic(
        "user_id",
        r"(?:user|account|customer|member|profile)(?:'s)? ?(?:id|number|name)s?|username",
        "my user id",
        ("My user id is {}.",),
    ),
    Topic("phone_number", r"(?:tele)?phone number|mobile number|your number", "my phone number"),
    Topic("date_of_birth", r"date of birth|birth ?da(?:y|te)", "my date of birth"),
    Topic("zip", r"zip(?: ?code)?|postal code|postcode", "my zip code", ("My zip code is {}.", "The zip code is {}.")),
    Topic(
        "name",
        r"(?:first|last|full|your)(?: and last)? names?|surname|\bnames?\b(?! of)|who am i (?:speaking|talking)",
        "the name",
        ("My name is {}.", "I'm {}.", "The name is {}."),
        ("name", "first_name", "last_name"),
    ),
)
_PLAIN = (
    Topic("reason", r"reasons?|\bwhy\b", "the reason", ("The reason: {}.", "Because: {}."), is_preference=True),
    Topic(
        "address",
        r"address(?:es)?|street|where should",
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
        asked = (f"(?P<{topic.name}>{topic.asked})" for topic in self.by_name.values() if topic.asked)
        self._asked = re.compile("|".join(asked))

    def in_text(self, asked: str) -> tuple[str, ...]:
        """The topics that a request asks for, in order."""
        return tuple(dict.fromkeys(match.lastgroup or "" for match in self._asked.finditer(asked)))


@cache
def topics_of(domain: str) -> Topics:
    """What can be asked for in an installed world."""
    return Topics(domain)


_WHO = ("verify", "identi", "authenticat", "who you are")


def asks_who(asked: str) -> bool:
    """Whether a request is to say who one is, in whatever way."""
    return any(word in asked for word in _WHO)
