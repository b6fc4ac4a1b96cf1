"""Questions about what a tool may be given and this wish does without: a note, a message, the colour of a label.

Agents read a tool's optional parameters and ask for them. The user wants the row as a right run leaves it, so it wants
no text there, and of several settings the usual one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from sandbox.kit.task import Goal
from sandbox.language.dialogue_acts import AgentAct, Sentence, parse_act
from sandbox.runtime.registry import get_domain
from sandbox.users.nlg_templates import Act
from sandbox.users.world_words import words_of


class LeftOut(NamedTuple):
    """An optional parameter that a right run does not use.

    Attributes:
        called: what agents call it, such as "note".
        asked: finds it in a question, in lower case.
        offered: finds it in what asks for agreement, where that is all that it asks for.
        usual: the value it has then; None for text.
        others: its other values, of which none is wanted.
    """

    called: str
    asked: re.Pattern[str]
    offered: re.Pattern[str]
    usual: str | None
    others: tuple[str, ...]


def left_out_of(domain: str, goal: Goal) -> tuple[LeftOut, ...]:
    """What the tools of a wish could be given besides, by its right calls."""
    given: dict[str, set[str]] = {}
    for call in goal.calls:
        given.setdefault(call.name, set()).update(call.arguments if isinstance(call.arguments, Mapping) else ())
    told = {fact.name for fact in goal.facts}
    return tuple(each for name, used in given.items() for each in _optional(domain, name, frozenset(used | told)))


@cache
def _optional(domain: str, tool: str, used: frozenset[str]) -> tuple[LeftOut, ...]:
    made = get_domain(domain).tools[tool]
    nouns = set(words_of(domain).nouns.values())
    found: list[LeftOut] = []
    for wire, schema in made.parameters.get("properties", {}).items() if made.kind == "write" else ():
        kind, usual = made.kinds.get(wire), schema.get("default")
        if wire in used or wire in made.parameters.get("required", ()) or wire in nouns:
            continue
        if kind in ("free", "text"):
            found.append(_text(wire))
        elif kind == "choice" and isinstance(usual, str):
            others = tuple(value for value in schema.get("enum", ()) if value != usual)
            found.append(LeftOut(wire, *(re.compile(_spelt(wire)),) * 2, usual, others))
    return tuple(found)


def _text(wire: str) -> LeftOut:
    name = wire.rsplit("_", 1)[-1]
    words = "text|words|note|message" if name in ("body", "text") else f"{name}s?"
    asked = rf"{_OFFERED}[^?.;:\n]*\b(?:{words})\b[^?.;\n]*\?|{_WRITTEN}"
    called = "message" if name == "body" else name
    return LeftOut(called, re.compile(asked), re.compile(rf"{_ADDING} (?:{words})\b[^?;\n]*\?"), None, ())


def _spelt(name: str) -> str:
    """A setting in a question for it, as both Americans and others write it: "What colour should it have?"."""
    words = name.replace("_", " ").replace("colour", "colou?r")
    return rf"\b(?:what|which|any|a|an|the|in mind)\b[^?.;\n]*\b{words}s?\b[^?;\n]*\?"


def without_left_out(heard: AgentAct, parts: Sequence[LeftOut]) -> tuple[AgentAct, list[tuple[Act, str]]]:
    """A message without the questions about what is left out, and the act that answers each, with what it is about.

    Args:
        heard: the message.
        parts: what is left out.
    """
    said: list[tuple[Act, str]] = []
    plain = heard.plain
    for sentence in reversed(heard.sentences) if parts and "?" in heard.text else ():
        asked = next((each for each in parts if _is_asked(each, sentence)), None)
        if asked is None:
            continue
        answer: tuple[Act, str] = ("as_usual", asked.called) if asked.usual else ("none_of_it", asked.called)
        said += [answer] if answer not in said else []
        arm = _OR_AS_IT_IS.search(sentence.text)
        kept = plain[sentence.start + arm.start("arm") : sentence.end] if arm else ""
        plain = f"{plain[: sentence.start]}{kept}{plain[sentence.end :]}"
    return (parse_act(plain), said[::-1]) if said else (heard, [])


def _is_asked(part: LeftOut, sentence: Sentence) -> bool:
    if sentence.act not in ("ask", "agree"):
        return False
    return (part.asked if sentence.act == "ask" else part.offered).search(sentence.text) is not None


_OFFERED = (
    r"\b(?:any|would you like|do you want|want|wish|should|shall|may|can|is there|what|which|have you|do you have)\b"
)
"""What asks whether there shall be some: "Would you like to add a message?", "Any note for the store?"."""
_WRITTEN = (
    r"\bwhat (?:should|shall|would you like(?: me)? to|do you want(?: me)? to) (?:i |it )?(?:say|write|put)\b"
    r"(?! in (?:the|your) (?:title|name|subject))[^?.;\n]*\?"
)
"""What asks for the words: "What should I write above it?"."""
_ADDING = (
    r"\b(?:add|include|leave|attach|put|write|give|send)(?: (?:it|them|him|her))? (?:a|an|any|some|your)"
    r"(?: (?:short|brief|little|personal|special|[a-z]+ing|few))*"
)
"""What is done with a text alone, and not with a thing that has one: no "add the expense with a note"."""
_OR_AS_IT_IS = re.compile(
    r",? or (?P<arm>(?:shall|should|may|can) i\b[^?]*\b(?:as (?:it|they) (?:is|are)|without|like that)\b)"
)
"""The arm that asks for leave without it: "or shall I do it as it is?"."""
