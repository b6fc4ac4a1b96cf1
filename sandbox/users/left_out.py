"""Questions about what a tool may be given and this wish does without: a note, a number, an end, the colour of a label.

Agents read a tool's optional parameters and ask for them. The user wants the row as a right run leaves it, so it wants
no text there, one piece, no end, and of several settings the usual one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from toolgym.sandbox.kit.task import Goal
from toolgym.sandbox.language.dialogue_acts import AgentAct, Sentence, parse_act
from toolgym.sandbox.language.nlg_templates import Act
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.world_words import words_of

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
_HOW_MANY = (
    r"\bhow many(?: (?:of (?:it|them|these|those)|pieces|units|items))?"
    r"(?: (?:would|do|shall|should|did) (?:you|i|we|it)\b[^?;\n]*)?\?|"
    r"\b(?:what|which) quantity\b[^?;\n]*\?|^\W*(?:just |only )?(?:one|1)(?: piece| of (?:it|them))?\?"
)
_UNTIL = (
    r"\b(?:until|till) when\b[^?;\n]*\?|\b(?:end|stop)\b[^?;\n]* (?:date|day|at some point|some day)\b[^?;\n]*\?|"
    r"\bhow long\b[^?;\n]*\b(?:run|last|continue|go on)\b[^?;\n]*\?|"
    r"\b(?:end|last|final) (?:date|day|payment)\b[^?;\n]*\?"
)
_COPIES = r"\b(?:cc|in copy|copied|copies)\b[^?;\n]*\?"
_OR_AS_IT_IS = re.compile(
    r",? or (?P<arm>(?:shall|should|may|can) i\b[^?]*\b(?:as (?:it|they) (?:is|are)|without|like that)\b)"
)
"""The arm that asks for leave without it: "or shall I do it as it is?"."""


class LeftOut(NamedTuple):
    """An optional parameter that a right run does not use.

    Attributes:
        asked: finds it in a question, in lower case.
        offered: finds it in what asks for agreement and for nothing else; None where that names more.
        answer: the act that answers the question, and what it is about.
        others: values of it of which none is wanted.
    """

    asked: re.Pattern[str]
    offered: re.Pattern[str] | None
    answer: tuple[Act, str]
    others: tuple[str, ...]


def left_out_of(domain: str, goal: Goal) -> tuple[LeftOut, ...]:
    """What the tools of a wish could be given besides, by its right calls."""
    given: dict[str, set[str]] = {}
    for call in goal.calls:
        given.setdefault(call.name, set()).update(call.arguments if isinstance(call.arguments, Mapping) else ())
    told = {fact.name for fact in goal.facts}
    return tuple(each for name, used in given.items() for each in _optional(domain, name, frozenset(used | told)))


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
        said += [asked.answer] if asked.answer not in said else []
        arm = _OR_AS_IT_IS.search(sentence.text)
        kept = plain[sentence.start + arm.start("arm") : sentence.end] if arm else ""
        plain = f"{plain[: sentence.start]}{kept}{plain[sentence.end :]}"
    return (parse_act(plain), said[::-1]) if said else (heard, [])


def another_setting(text: str, parts: Sequence[LeftOut]) -> str:
    """Another value than the usual one for what is left out, which a text in lower case names; empty where none is."""
    values = (value for part in parts for value in part.others)
    return next((value for value in values if re.search(rf"\b{re.escape(value)}\b", text)), "")


def _is_asked(part: LeftOut, sentence: Sentence) -> bool:
    if sentence.act not in ("ask", "agree"):
        return False
    pattern = part.asked if sentence.act == "ask" else part.offered
    return pattern is not None and pattern.search(sentence.text) is not None


@cache
def _optional(domain: str, tool: str, used: frozenset[str]) -> tuple[LeftOut, ...]:
    made = get_domain(domain).tools.get(tool)
    if made is None or made.kind != "write":
        return ()
    others = {*made.parameters.get("required", ()), *used, *words_of(domain).nouns.values()}
    optional = {name: each for name, each in made.parameters.get("properties", {}).items() if name not in others}
    found = (_part(name, str(made.kinds.get(name)), schema) for name, schema in optional.items())
    return tuple(part for part in found if part is not None)


def _part(wire: str, kind: str, schema: Mapping[str, Any]) -> LeftOut | None:
    """A parameter by its kind and its schema; None where nobody would ask for it by itself."""
    name, usual = wire.rsplit("_", 1)[-1], schema.get("default")
    if kind in ("free", "text"):
        words = "text|words|note|message" if name in ("body", "text") else f"{name}s?"
        asked = rf"{_OFFERED}[^?.;:\n]*\b(?:{words})\b[^?.;\n]*\?|{_WRITTEN}"
        called = "message" if name == "body" else name
        return _asked_by(asked, rf"{_ADDING} (?:{words})\b[^?;\n]*\?", ("none_of_it", called))
    if kind == "choice" and isinstance(usual, str):
        asked = rf"\b(?:what|which|any|a|an|the|in mind)\b[^?.;\n]*\b{_spelt(wire)}s?\b[^?;\n]*\?"
        others = tuple(value for value in schema.get("enum", ()) if value != usual)
        return _asked_by(asked, asked, ("as_usual", wire.replace("_", " ")), others)
    if kind == "flag" and usual is False and "_" not in wire:
        return _asked_by(rf"\b{wire[:7]}[^?;\n]*\?", None, ("usual_way", ""))
    if kind == "flag" and usual is False:
        called = wire.split("_", 1)[1].replace("_", " ")
        return _asked_by(rf"\b{called}\b[^?;\n]*\?", None, ("none_of_it", called))
    if kind == "money" and usual is not None:
        called = wire.removesuffix("_cents").replace("_", " ")
        asked = rf"\b(?:how much|what)\b[^?.;\n]*\b{called}\b[^?;\n]*\?"
        return _asked_by(asked, None, ("as_usual", called))
    if kind == "number" and usual == 1:
        return _asked_by(_HOW_MANY, _HOW_MANY, ("just_one", ""))
    if kind == "date" and wire.startswith(("last", "end", "until")):
        return _asked_by(_UNTIL, None, ("no_end", ""))
    return _asked_by(_COPIES, None, ("none_of_it", "copies")) if wire.startswith("cc") else None


def _asked_by(asked: str, offered: str | None, answer: tuple[Act, str], others: tuple[str, ...] = ()) -> LeftOut:
    return LeftOut(re.compile(asked), re.compile(offered) if offered else None, answer, others)


def _spelt(name: str) -> str:
    """A name as both Americans and others write it."""
    return name.replace("_", " ").replace("colour", "colou?r")
