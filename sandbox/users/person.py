"""What a user says about themself: a name, an address, a code, told when asked for, never guessed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from random import Random

from toolgym.sandbox.kit.task import Fact, Task
from toolgym.sandbox.language.dialogue_acts import AgentAct
from toolgym.sandbox.language.nlg_templates import Style, phrase
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.users.asking import about_user, how_many_asked
from toolgym.sandbox.users.topics import IDENTITY, asks_who, topics_of
from toolgym.sandbox.users.user_facts import sentences


class PersonFacts:
    """The facts of a task's person.

    Args:
        task: whose facts.
        style: how the user talks.
        rng: draws the wording.
    """

    def __init__(self, task: Task, style: Style, rng: Random) -> None:
        self._facts, self._style, self._rng = task.facts, style, rng
        self._scenario = task.scenario.lower()
        self._topics = topics_of(task.domain)
        self._secrets = secrets_of(task.domain)

    def volunteered(self) -> list[str]:
        """What is said without being asked."""
        return self._sentences([fact for fact in self._facts if not fact.on_request])

    def answers(self, asked: str, *, quiet: bool) -> list[str]:
        """Sentences about the person that answer a request.

        Args:
            asked: the request, in lower case.
            quiet: something else answers it, so that what is not known is passed over.
        """
        known, unknown = self._asked_for(about_user(asked), quiet=quiet)
        private = [name for name in unknown if name in _PRIVATE]
        unknown = [name for name in unknown if name not in private]
        told = self._lacking(unknown, known) if unknown and not quiet else self._sentences(known)
        if not (known and " or " in asked):
            told += [phrase("private", self._style, self._rng, self._topics.by_name[name].called) for name in private]
        lacked = [
            phrase("unknown", self._style, self._rng, f"my {_called(name)}") for name in self._secrets_lacked(asked)
        ]
        return [*told, *lacked]

    def is_asked(self, asked: str) -> bool:
        """Whether a request, in lower case, is for something that the user can tell about themself, or lacks."""
        known, unknown = self._asked_for(about_user(asked), quiet=True)
        return bool(known or unknown or self._secrets_lacked(asked))

    def picked(self, heard: AgentAct) -> list[str]:
        """The user's own of several numbers that a message names to choose from: "0167 and 0141. Which one is it?"."""
        asking = [each.text for each in heard.sentences if each.act in ("ask", "agree")]
        if len(asking) != 1 or not _WHICH_ONE.search(asking[0]) or how_many_asked(asking[0]) > 1:
            return []
        plain = [fact for fact in self._facts if fact.kind != "secret" and str(fact.value) in heard.plain]
        return self._sentences([fact for fact in plain if len(_alike(str(fact.value), heard.plain)) > 1])

    def _secrets_lacked(self, asked: str) -> list[str]:
        """The secrets of the world's, such as a PIN, that are asked for and that the user does not have."""
        lacked = sorted(self._secrets - {fact.name for fact in self._facts})
        return [name for name in lacked if re.search(rf"\byour (?:[a-z]+ )?{name}\b", asked)]

    def _asked_for(self, asked: str, *, quiet: bool) -> tuple[list[Fact], list[str]]:
        """The facts that a request is for, and the names of those that the user lacks."""
        plain, first = f" {asked} ".translate(_SIGNS), asked.split("?")[0]
        known = [fact for fact in self._facts if _names(fact, plain, first)]
        unknown: list[str] = []
        for name in self._topics.in_text(asked):
            topic = self._topics.by_name[name]
            found = [fact for fact in self._facts if fact.name in (topic.facts or (name,))]
            known += [fact for fact in found if fact not in known]
            if not found and name in IDENTITY:
                unknown.append(name)
        if not (unknown or (quiet and known)) and _NUMBER.search(asked):
            known += [fact for fact in self._facts if fact.name.endswith("_number") and fact not in known]
        if not known and asks_who(asked):
            known = [fact for fact in self._facts if fact.kind != "secret"]
        return known, unknown

    def _lacking(self, unknown: Sequence[str], known: Sequence[Fact]) -> list[str]:
        """What is said of a name or a number that the user lacks: that it does, where its situation says so or there is
        nothing else to tell, otherwise what it has instead.
        """
        forgotten = [name for name in unknown if _is_forgotten(name, self._scenario)]
        plain = [fact for fact in self._facts if fact.kind != "secret"]
        is_lost = "email" in unknown and all(fact.name in _NAMES for fact in known)
        instead = [] if forgotten and not known else plain if is_lost or not known else known
        said = forgotten if instead else unknown
        lacks = [phrase("unknown", self._style, self._rng, self._topics.by_name[name].called) for name in said]
        return [*lacks, *self._sentences(instead)]

    def _sentences(self, facts: Sequence[Fact]) -> list[str]:
        return sentences(facts, self._topics, self._style, self._rng)


def _names(fact: Fact, plain: str, first: str) -> bool:
    """Whether a request names a fact: by a word of it among its plain words, or wholly in its first question."""
    words = [word for word in fact.name.split("_") if len(word) > 2 and word not in _COMMON]
    name = fact.name.replace("_", " ")
    is_said = name in first and re.search(rf"\b{re.escape(name)}s?\b", first) is not None  # no "pin" in "shipping"
    return is_said or any(f" {word} " in plain for word in words)


@cache
def secrets_of(domain: str) -> frozenset[str]:
    """What the tools of a world want to hear from nobody but the user, in words."""
    tools = get_domain(domain).tools.values()
    return frozenset(name.replace("_", " ") for tool in tools for name, kind in tool.kinds.items() if kind == "secret")


def _alike(value: str, text: str) -> set[str]:
    """What stands in a text and looks like a value with digits: other phone numbers."""
    shape = "".join(r"\d" if each.isdigit() else re.escape(each) for each in value)
    return set(re.findall(rf"\b{shape}\b", text)) if any(map(str.isdigit, value)) else set()


def _called(secret: str) -> str:
    return secret.upper() if len(secret) < 4 else secret  # "PIN"


def _is_forgotten(name: str, scenario: str) -> bool:
    """Whether a situation says that the user lacks something."""
    called = _LACKED.get(name, name.replace("_", " "))
    return re.search(rf"(?:n't|not|no longer) (?:remember|know|have|recall)[^.]*\b(?:{called})\b", scenario) is not None


_PRIVATE = frozenset(("date_of_birth",))
"""What everybody knows of themself, so that who is given none does not say it."""
_NAMES = ("name", "first_name", "last_name")
"""What finds nobody alone, so that whoever lacks the e-mail tells the zip as well."""
_LACKED = {"email": "e-?mail", "zip": "zip", "user_id": "user (?:id|name)", "phone_number": "phone", "name": "name"}
_WHICH_ONE = re.compile(r"\bwhich (?:one|line|number|of (?:them|these|those|the two))\b")
_NUMBER = re.compile(
    r"\b(?:(?:the|your)(?: [a-z]+(?:,| and))? number|(?:what|which)(?:'s| is)? (?:the |your )?number|"
    r"(?:what|which) line)\b"
)
"""One number that is spoken of as if the user had no other."""
_COMMON = frozenset("name number phone code date address first last user account".split())
_SIGNS = str.maketrans("?.,:;!()'\"/-", "            ")
